-- An image of iperf3 is present on a host, so that a run does not pull it meanwhile.
--
-- args.host    the host
-- args.image   the image (networkstatic/iperf3)
-- args.docker  the program (docker)
-- args.sudo    true: it is run with sudo -n

local image = args.image or "networkstatic/iperf3"
local docker = args.docker or "docker"
expect("the image " .. image .. " is on " .. args.host)

local argv = {docker, "images", "--format", "{{.Repository}}:{{.Tag}}"}
if args.sudo then
  table.insert(argv, 1, "-n")
  table.insert(argv, 1, "sudo")
end
local answer = run{host = args.host, argv = argv, timeout = "30 s"}
if not answer.ok then
  unknown(docker .. " on " .. args.host .. " names no images: " .. (answer.failed or trim(answer.err)),
          "is it there, and may the login use it? (sudo: true)")
end

local count = 0
for line in lines(answer.out) do
  local name = trim(line)
  count = count + 1
  local plain = name:gsub("^docker%.io/", ""):gsub("^localhost/", "")
  if plain == image or plain:match("^(.*):[^:/]*$") == image then
    record("image", name)
    held(name .. " is there")
  end
end
record("images", count)
broken("the image " .. image .. " is not on " .. args.host, docker .. " pull " .. image)
