-- No backup job runs on a host: Proxmox Backup, vzdump, Hyper Backup, rsync, borg, restic and others.
--
-- args.host   the host to look at
-- args.also   more program names to look for, a list
-- args.allow  names that may run all the same, a list
--
-- Daemons that only wait for work (rsync --daemon, proxmox-backup-proxy) are no job.

local jobs = {
  ["proxmox-backup-client"] = "Proxmox Backup",
  ["proxmox-backup-manager"] = "Proxmox Backup",
  ["vzdump"] = "vzdump",
  ["img_backup"] = "Hyper Backup",
  ["dsmbackup"] = "Hyper Backup",
  ["synoimgbkptool"] = "Hyper Backup",
  ["rsync"] = "rsync",
  ["borg"] = "borg",
  ["borgmatic"] = "borg",
  ["restic"] = "restic",
  ["kopia"] = "kopia",
  ["duplicity"] = "duplicity",
  ["rclone"] = "rclone",
  ["xtrabackup"] = "xtrabackup",
  ["pg_basebackup"] = "pg_basebackup",
}
for _, name in ipairs(args.also or {}) do jobs[name] = name end
for _, name in ipairs(args.allow or {}) do jobs[name] = nil end

-- Programs that run the program that is meant.
local runners = {python = true, python3 = true, perl = true, sh = true, bash = true, sudo = true,
                 nice = true, ionice = true, timeout = true, env = true, ruby = true}

-- The name of the job that a command line is, or nil.
local function job_of(line)
  if line:find("--daemon", 1, true) then return nil end
  for i, word in ipairs(fields(line)) do
    local name = word:match("([^/]+)$") or word
    name = name:gsub(":$", "")
    if jobs[name] then return jobs[name] end
    local plain = name:gsub("[%d.]+$", "")
    local runs_another = runners[name] or runners[plain] or (i > 1 and word:sub(1, 1) == "-")
    if not runs_another or i >= 6 then return nil end
  end
  return nil
end

expect("no backup job runs on " .. tostring(args.host))

local answer = run{host = args.host, argv = {"ps", "-e", "-o", "pid=", "-o", "args="}}
if not answer.ok then -- as BusyBox has it
  answer = run{host = args.host, argv = {"ps", "-o", "pid,args"}}
end
if not answer.ok then
  unknown("ps on " .. args.host .. " gave no list: " .. (answer.failed or trim(answer.err)),
          "look by hand which jobs run on " .. args.host)
end

local found, count, all_seen = {}, 0, false
for line in lines(answer.out) do
  local pid, command = line:match("^%s*(%d+)%s+(.*)$")
  if pid then
    count = count + 1
    all_seen = all_seen or pid == "1"
    local job = job_of(command)
    if job then
      found[#found + 1] = job .. " (process " .. pid .. ")"
      record("job", command:sub(1, 200))
    end
  end
end
record("processes", count)
if #found > 0 then
  broken(table.concat(found, ", ") .. " on " .. args.host,
         "wait until the job is done, or let its schedule leave this time free")
end
if not all_seen then
  unknown("ps on " .. args.host .. " does not show all processes (process 1 is not among them)",
          "let the login see all processes (hidepid, containers), or look by hand")
end
held("none among " .. count .. " processes")
