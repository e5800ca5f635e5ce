-- ZFS pools are online and healthy, and neither scrubbed nor resilvered: TrueNAS, or zpool status.
--
-- args.host        the host
-- args.pool        one pool; all of them without it
-- args.allow_scan  true: a scrub or resilver may go on

expect("pools of " .. args.host .. " are online, healthy" .. (args.allow_scan and "" or " and idle"))

local bad, seen = {}, 0
local function look(name, state, healthy, scan)
  if args.pool and name ~= args.pool then return end
  seen = seen + 1
  record("pool " .. name, state .. (scan and ", " .. scan or ""))
  if state ~= "ONLINE" or not healthy then
    bad[#bad + 1] = name .. " is " .. (state ~= "ONLINE" and state or "not healthy")
  elseif scan and not args.allow_scan then
    bad[#bad + 1] = name .. " is at work: " .. scan
  end
end

local function from_middleware(pools)
  for _, pool in ipairs(pools) do
    local scan = pool.scan or {}
    local busy = scan.state == "SCANNING" and not scan.pause
    look(pool.name, pool.status, pool.healthy, busy and
         ("%s at %.0f%%"):format((scan["function"] or "scan"):lower(), scan.percentage or 0) or nil)
  end
end

-- " state:", " scan:" or " scrub:", "errors:" below each "pool:".
local function from_zpool(text)
  local name, state, scan, errors
  local function done()
    if name then look(name, state or "unknown", errors == "No known data errors", scan) end
    name, state, scan, errors = nil, nil, nil, nil
  end
  for line in lines(text) do
    local key, value = line:match("^%s*(%a+):%s*(.-)%s*$")
    if key == "pool" then
      done()
      name = value
    elseif key == "state" then
      state = value
    elseif key == "errors" then
      errors = value
    elseif (key == "scan" or key == "scrub") and value:find("in progress", 1, true) then
      scan = value:match("^(%a+) in progress") or value
    end
  end
  done()
end

local answer = run{host = args.host, argv = {"midclt", "call", "pool.query"}, timeout = "30 s"}
local pools = answer.ok and json(answer.out)
if pools then
  from_middleware(pools)
else
  answer = run{host = args.host, argv = {"zpool", "status"}, timeout = "30 s"}
  if not answer.ok then
    unknown("neither midclt nor zpool on " .. args.host .. " tells of pools: " ..
            (answer.failed or trim(answer.err)), "look by hand: zpool status")
  end
  from_zpool(answer.out)
end
if #bad > 0 then
  broken(table.concat(bad, "; ") .. " on " .. args.host, "see zpool status, and wait or repair")
end
if seen == 0 then
  unknown("no pool" .. (args.pool and " " .. args.pool or "") .. " was seen on " .. args.host)
end
held(seen .. (seen == 1 and " pool is" or " pools are") .. " online and healthy")
