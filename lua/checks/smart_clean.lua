-- Disks have no pending or uncorrectable sectors, and none were added since the last look.
--
-- args.host     the host
-- args.disks    a list such as [/dev/sda, /dev/sdb]
-- args.pending  how many pending sectors may be there already (0)
-- args.sudo     true: smartctl is run with sudo -n
--
-- A disk that sleeps is not woken: then it is unknown.

assert(args.disks and #args.disks > 0, "name the disks: disks: [/dev/sda]")
local most = args.pending or 0
expect("no disk of " .. args.host .. " has more than " .. most .. " pending sectors, or new ones")

local watched = {[5] = "reallocated", [197] = "pending", [198] = "uncorrectable"}

-- name -> number, from JSON of smartctl 7 or the table of older ones; nil for what is neither.
local function numbers_of(text)
  local found, any = {}, false
  local data = text:match("^%s*{") and json(text)
  if data then
    local ata = data.ata_smart_attributes
    for _, row in ipairs(ata and ata.table or {}) do
      local name = watched[row.id]
      if name and row.raw then found[name], any = row.raw.value, true end
    end
    local nvme = data.nvme_smart_health_information_log
    if nvme and nvme.media_errors then found.uncorrectable, any = nvme.media_errors, true end
    if data.smart_status and data.smart_status.passed == false then found.failed = true end
  else
    for line in lines(text) do
      local words = fields(line)
      local name = watched[tonumber(words[1]) or 0]
      if name and #words >= 10 then
        found[name], any = tonumber(words[10]), true
      end
      if line:find("overall-health", 1, true) and not line:find("PASSED", 1, true) then
        found.failed = true
      end
    end
  end
  return (any or found.failed) and found or nil
end

local function smart(disk)
  local function ask(json_too)
    local argv = {"smartctl", "-n", "standby", "-H", "-A", disk}
    if json_too then table.insert(argv, 2, "-j") end
    if args.sudo then
      table.insert(argv, 1, "-n")
      table.insert(argv, 1, "sudo")
    end
    return run{host = args.host, argv = argv, timeout = "30 s"}
  end
  local answer = ask(true)
  if not answer.failed and numbers_of(answer.out) then return answer end
  if not answer.failed and not answer.out:match("^%s*{") then return ask(false) end
  return answer
end

local bad, doubt = {}, {}
for _, disk in ipairs(args.disks) do
  local answer = smart(disk)
  local numbers = not answer.failed and numbers_of(answer.out)
  if not numbers then
    local why = answer.failed or trim(answer.err)
    if answer.out:find("STANDBY", 1, true) then why = "it sleeps, and is not woken" end
    doubt[#doubt + 1] = disk .. ": " .. (why ~= "" and why or "smartctl tells no counters")
  else
    if numbers.failed then bad[#bad + 1] = disk .. " says of itself that it fails" end
    for name, value in pairs(numbers) do
      if name ~= "failed" then
        local key = disk .. " " .. name
        local before = tonumber(earlier(key) or value)
        record(key, value)
        if value > before then
          bad[#bad + 1] = ("%s has %d %s sectors, %d before"):format(disk, value, name, before)
        elseif name ~= "reallocated" and value > most then
          bad[#bad + 1] = ("%s has %d %s sectors"):format(disk, value, name)
        end
      end
    end
  end
end
if #bad > 0 then
  broken(table.concat(bad, "; "), "see smartctl -a; figures of a failing disk say nothing")
end
if #doubt > 0 then
  unknown(table.concat(doubt, "; "),
          "smartctl needs root (sudo: true); let the disks be awake before the run")
end
held("no disk has more than " .. most .. " pending sectors")
