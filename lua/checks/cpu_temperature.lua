-- No part of a host is hotter than a limit, so that nothing is throttled from the start.
--
-- args.host   the host
-- args.below  degrees Celsius (85)

local limit = args.below or 85
expect("everything on " .. args.host .. " is below " .. limit .. " degrees")

-- Thermal zones and sensors, all that there may be: grep skips those that are not.
local argv = {"grep", "-s", ""}
for zone = 0, 19 do
  argv[#argv + 1] = ("/sys/class/thermal/thermal_zone%d/temp"):format(zone)
end
for chip = 0, 9 do
  for sensor = 1, 9 do
    argv[#argv + 1] = ("/sys/class/hwmon/hwmon%d/temp%d_input"):format(chip, sensor)
  end
end
local answer = run{host = args.host, argv = argv}
if answer.failed then unknown("the sensors of " .. args.host .. " were not read: " .. answer.failed) end

local hottest, where, count = nil, nil, 0
for line in lines(answer.out) do
  local path, value = line:match("^(/sys/[^:]+):(-?%d+)%s*$")
  local degrees = tonumber(value) and tonumber(value) / 1000
  -- Sensors that are not connected tell numbers that nothing can have.
  if degrees and degrees > -40 and degrees < 150 then
    count = count + 1
    record(path:gsub("^/sys/class/", ""):gsub("/", " "), ("%.1f"):format(degrees))
    if not hottest or degrees > hottest then hottest, where = degrees, path end
  end
end
if not hottest then
  unknown(args.host .. " shows no temperatures below /sys/class",
          "containers and virtual machines have none: look at the machine itself")
end
if hottest >= limit then
  broken(("%s of %s is at %.1f degrees"):format(where, args.host, hottest),
         "let it cool down, and see its fans")
end
held(("%.1f degrees at most, of %d sensors"):format(hottest, count))
