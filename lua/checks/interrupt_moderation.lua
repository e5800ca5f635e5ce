-- Interrupt moderation of a network card is on or off, and at which rate: ethtool -c, or sk98lin.
--
-- args.host, args.interface  the card
-- args.expect     "on" (the default) or "off"
-- args.usecs      the wait of received packets in microseconds that must be in force (rx-usecs)
-- args.rate       interrupts per second that must be in force (sk98lin)

local wanted = args.expect or "on"
assert(wanted == "on" or wanted == "off", 'expect is "on" or "off"; write it in quotes')
assert(args.interface, "name the interface")
local where = args.interface .. " on " .. args.host
expect("interrupt moderation of " .. where .. " is " .. wanted)

local function judge(state, text)
  record("moderation", text)
  if state ~= wanted then
    broken("interrupt moderation of " .. where .. " is " .. state .. ": " .. text,
           "change it with ethtool -C, or by an option of the driver")
  end
end

-- The driver of old Marvell cards says it in words: "static (2000 ints/sec)", "disabled".
local text = read{host = args.host, path = "/proc/net/sk98lin/" .. args.interface}
for line in lines(text or "") do
  local value = line:match("^%s*[Ii]nterrupt%s+[Mm]oderation%s*:?%s+(.+)$")
  if value then
    judge(value:lower():find("disabled") and "off" or "on", trim(value))
    local rate = tonumber(value:match("(%d+)%s*ints/sec"))
    if args.rate and rate ~= args.rate then
      broken(("%s interrupts per second in force, expected %d"):format(rate or "unknown", args.rate))
    end
    held(trim(value))
  end
end

-- What was collected of the ends of links, else asked now: as a hook always, since there source()
-- gives nothing from before the run.
local function coalesce()
  for i = 1, 24 do
    if source(args.host, "nic." .. i .. ".name") == args.interface then
      local collected = source(args.host, "nic." .. i .. ".coalesce")
      if collected then return collected end
    end
  end
  local answer = run{host = args.host, argv = {"ethtool", "-c", args.interface}}
  if answer.ok then return answer.out end
  unknown("ethtool -c tells nothing of " .. where .. ": " .. (answer.failed or trim(answer.err)),
          "look by hand, or at what the driver offers in /proc and /sys")
end

local said = coalesce()
local values = keyvalues(said, ":")
local adaptive = said:match("Adaptive RX:%s*(%a+)")
local usecs = tonumber(values["rx-usecs"])
local frames = tonumber(values["rx-frames"])
if adaptive ~= "on" and not usecs and not frames then
  unknown("ethtool -c says neither adaptive, rx-usecs nor rx-frames of " .. where,
          "look by hand: not every driver tells")
end
local on = adaptive == "on" or (usecs or 0) > 0 or (frames or 0) > 1
judge(on and "on" or "off", ("adaptive %s, rx-usecs %s, rx-frames %s"):format(
  adaptive or "unknown", usecs or "unknown", frames or "unknown"))
if args.usecs and usecs ~= args.usecs then
  broken(("rx-usecs of %s is %s, expected %d"):format(where, usecs or "unknown", args.usecs),
         "ethtool -C " .. args.interface .. " rx-usecs " .. args.usecs)
end
held("adaptive " .. (adaptive or "unknown") .. ", rx-usecs " .. (usecs or "unknown"))
