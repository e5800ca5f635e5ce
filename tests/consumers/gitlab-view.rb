# What GitLab's test report tab would keep of a JUnit file, by the same XML reader (ActiveSupport over
# Nokogiri) and the same rules: text of an outcome, not its message; suites in suites; equal cases once.
#
# usage: ruby gitlab-view.rb FILE. Prints a line per case; ends with 1 when something would be lost.
require 'active_support'
require 'active_support/core_ext/hash/conversions'

ActiveSupport::XmlMini.backend = 'Nokogiri'

def many(value)
  value.is_a?(Array) ? value : [value].compact
end

def cases_of(suite, found = [])
  return found unless suite.is_a?(Hash)

  many(suite['testcase']).each { |item| found << [suite['name'], item] }
  many(suite['testsuite']).each { |inner| cases_of(inner, found) }
  found
end

document = Hash.from_xml(File.read(ARGV.fetch(0)))
cases = cases_of({ 'testsuite' => document['testsuite'] }) + cases_of(document['testsuites'])
seen = Hash.new(0)
lost = cases.empty? ? ['no case'] : []
cases.each do |suite, item|
  outcome = %w[failure error skipped].find { |kind| item.key?(kind) } || 'success'
  text = item[outcome]
  if outcome != 'success' && !text.is_a?(String)
    lost << "#{item['name']}: its text is a #{text.class}, not a string"
  end
  seen[[suite, item['classname'], item['name']]] += 1
  puts [outcome, item['classname'], item['name'], item['time']].join("\t")
end
seen.each { |key, count| lost << "#{key.join(' / ')} is there #{count} times" if count > 1 }
warn lost.join("\n") unless lost.empty?
exit lost.empty? ? 0 : 1
