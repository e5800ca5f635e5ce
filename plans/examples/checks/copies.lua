-- How fast a host copies memory, by dd.
--
-- args.host   the host
-- args.count  how many MiB
local answer = run{host = args.host, timeout = "60 s", argv = {
  "dd", "if=/dev/zero", "of=/dev/null", "bs=1M", "count=" .. args.count}}
if not answer.ok then unknown("dd failed: " .. (answer.failed or answer.err)) end
local bytes, seconds = answer.err:match("(%d+) bytes.* copied, ([%d.e-]+) s")
if not bytes then unknown("dd printed no summary") end
metric("copied", tonumber(bytes), "B")
metric("speed", tonumber(bytes) / tonumber(seconds), "B/s")
