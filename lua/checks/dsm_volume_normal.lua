-- Volumes and pools of a Synology unit are in the state "normal", by DSM itself.
--
-- args.host    the unit
-- args.volume  one volume, as in /volume1; all of them without it
-- args.sudo    true: the question is asked with sudo -n (DSM answers root only)
--
-- "background" is a volume that DSM works on: usable, but not to be measured.

expect("volumes and pools of " .. args.host .. ' are "normal"')

local argv = {"synowebapi", "--exec", "api=SYNO.Storage.CGI.Storage", "method=load_info", "version=1"}
if args.sudo then
  table.insert(argv, 1, "-n")
  table.insert(argv, 1, "sudo")
end
local answer = run{host = args.host, argv = argv, timeout = "60 s"}
local start = answer.out:find("{", 1, true) -- lines of a log may stand before it
local data, why = json(start and answer.out:sub(start) or "")
if not data then
  unknown("DSM on " .. args.host .. " told nothing: " .. (answer.failed or trim(answer.err .. " " .. why)),
          "synowebapi needs root: sudo: true, and a line in sudoers without a password")
end
data = data.data or data

local seen, bad = 0, {}
local function look(kind, item)
  local name = item.vol_path or item.num_id or item.id or "?"
  local status = item.status or "unknown"
  seen = seen + 1
  record(kind .. " " .. name, status)
  if status ~= "normal" then
    local percent = item.progress and item.progress.percent
    bad[#bad + 1] = ("%s %s is %s%s"):format(kind, name, status,
      percent and tonumber(percent) and tonumber(percent) >= 0 and (" (" .. percent .. "%)") or "")
  end
end
for _, volume in ipairs(data.volumes or {}) do
  if not args.volume or volume.vol_path == args.volume then look("volume", volume) end
end
local volumes = seen
for _, pool in ipairs(data.storagePools or {}) do look("pool", pool) end

if #bad > 0 then
  broken(table.concat(bad, "; ") .. " on " .. args.host, "see Storage Manager of DSM, and wait or repair")
end
if volumes == 0 then
  unknown("DSM on " .. args.host .. " names no " .. (args.volume and "volume " .. args.volume or "volume"))
end
held(seen .. " volumes and pools are normal")
