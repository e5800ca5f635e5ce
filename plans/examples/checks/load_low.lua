-- The load of a host is below a limit.
local limit = tonumber(args.limit or 4)
expect("the load of " .. args.host .. " is below " .. limit)

local text, why = read{host = args.host, path = "/proc/loadavg"}
if not text then unknown("the load is not told: " .. why) end

local load = tonumber(fields(text)[1])
record("load", load)
if load >= limit then
  broken("the load of " .. args.host .. " is " .. load, "see which jobs run there")
end
held("load " .. load)
