-- Global settings of Samba are in force with the values that the plan names, by testparm.
--
-- args.host    the server
-- args.expect  a map: {"server max protocol": SMB3, "use sendfile": true}
-- args.testparm  the program, where it lies elsewhere

assert(args.expect, 'name what must be in force: expect: {"use sendfile": true}')

expect("Samba on " .. args.host .. " has the settings that the plan names")

-- Samba takes blanks and case in names for nothing, and yes, true and 1 for the same.
local function plain_name(name)
  return (name:lower():gsub("%s+", ""))
end
local function plain_value(value)
  local text = trim(tostring(value)):lower():gsub("%s+", " ")
  if text == "true" or text == "1" then return "yes" end
  if text == "false" or text == "0" then return "no" end
  return text
end

-- -v, because without it testparm leaves out what is as in the version's defaults.
local answer = run{host = args.host, argv = {args.testparm or "testparm", "-s", "-v"}}
if not answer.ok then
  unknown("testparm on " .. args.host .. " gave no settings: " ..
          (answer.failed or trim(answer.err):sub(1, 200)),
          "other servers than Samba (ksmbd, appliances) have none: look by hand")
end

local section, inforce, count = "", {}, 0
for line in lines(answer.out) do
  local name = line:match("^%[(.-)%]")
  if name then
    section = name:lower()
  elseif section == "global" then
    local key, value = line:match("^%s*(.-)%s*=%s*(.-)%s*$")
    if key and key ~= "" then
      inforce[plain_name(key)] = value
      count = count + 1
    end
  end
end
if count == 0 then unknown("testparm on " .. args.host .. " printed no [global] section") end

local wrong, missing = {}, {}
for key, value in pairs(args.expect) do
  local have = inforce[plain_name(key)]
  record(key, have or "not printed")
  if not have then
    missing[#missing + 1] = key
  elseif plain_value(have) ~= plain_value(value) then
    wrong[#wrong + 1] = ('"%s" is "%s", expected "%s"'):format(key, have, tostring(value))
  end
end
if #wrong > 0 then
  broken(table.concat(wrong, "; ") .. " on " .. args.host,
         "change smb.conf on " .. args.host .. " and let smbd read it again")
end
if #missing > 0 then
  unknown("this version of Samba does not know: " .. table.concat(missing, ", "),
          "see testparm -sv on " .. args.host .. " for the names that it has")
end
held("all as expected, of " .. count .. " settings")
