-- What the load of every host is after it all, and how many phases passed.
local passed = 0
for name, phase in pairs(results()) do
  if phase.verdict == "pass" then passed = passed + 1 end
end
record("passed", passed)
for _, host in ipairs(plan.hosts) do
  local load = read{host = host, path = "/proc/loadavg"}
  record("load of " .. host, load or "not told")
end
