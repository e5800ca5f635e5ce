-- No error counter of a network card grew since this check looked before.
--
-- args.host, args.interface  the card
-- args.allow                 by how much all of them together may grow (0)
--
-- As hooks before and after a phase or the run, or as a precondition that is looked at again, it
-- tells what happened meanwhile. The first time it only notes the counters.

assert(args.interface, "name the interface")
local where = args.interface .. " on " .. args.host
expect("no error counter of " .. where .. " grows")

local words = {"err", "drop", "crc", "fcs", "align", "discard", "fail", "miss", "overrun", "timeout",
               "collision", "jabber", "no_buf", "fifo"}
local function is_error(name)
  local plain = name:lower()
  for _, word in ipairs(words) do
    if plain:find(word, 1, true) then return true end
  end
  return false
end

-- What was collected of the ends of links, else asked now: as a hook always, since there source()
-- gives nothing from before the run.
local function stats()
  for i = 1, 24 do
    if source(args.host, "nic." .. i .. ".name") == args.interface then
      local text = source(args.host, "nic." .. i .. ".stats")
      if text then return text end
    end
  end
  local answer = run{host = args.host, argv = {"ethtool", "-S", args.interface}}
  return answer.ok and answer.out or nil
end

-- Two lines of names stand above the numbers of /proc/net/dev.
local function from_proc(counters)
  local text = read{host = args.host, path = "/proc/net/dev"}
  for line in lines(text or "") do
    local name, numbers = line:match("^%s*(%S+):%s*(.*)$")
    if name == args.interface then
      local at = fields(numbers)
      counters["rx errors"], counters["rx drop"] = tonumber(at[3]), tonumber(at[4])
      counters["tx errors"], counters["tx drop"] = tonumber(at[11]), tonumber(at[12])
    end
  end
end

local counters, any = {}, false
for name, value in pairs(keyvalues(stats() or "", ":")) do
  if is_error(name) and math.type(tonumber(value)) == "integer" then
    counters[name], any = tonumber(value), true
  end
end
if not any then from_proc(counters) end

-- All are recorded before anything is said of them: the next look compares with all. One that was
-- not there before is new, whatever it says.
local count, grown, fell, total = 0, {}, {}, 0
for name, value in pairs(counters) do
  count = count + 1
  if count <= 150 then
    local before = tonumber(earlier(name) or value)
    record(name, value)
    if value > before then
      total = total + value - before
      grown[#grown + 1] = ("%s by %d"):format(name, value - before)
    elseif value < before then
      fell[#fell + 1] = ("%s fell from %d to %d"):format(name, before, value)
    end
  end
end
if count == 0 then
  unknown("no error counter of " .. where .. " was seen", "look by hand: ethtool -S " .. args.interface)
end
if #fell > 0 then
  broken(table.concat(fell, ", ") .. " on " .. where .. ": the card or its driver was reset meanwhile",
         "see the kernel's log of " .. args.host .. ", and measure again")
end
if total > (args.allow or 0) then
  broken(table.concat(grown, ", ") .. " on " .. where,
         "change the cable or the transceiver, see the other end of the link, and measure again")
end
if not earlier() then held(count .. " error counters of " .. where .. " noted") end
held("none of " .. count .. " error counters grew")
