-- The speed that dd prints.
local bytes, seconds = output("err"):match("(%d+) bytes.* copied, ([%d.e-]+) s")
if not bytes then broken("dd printed no summary: " .. output("err")) end
metric("speed", tonumber(bytes) / tonumber(seconds), "B/s")
