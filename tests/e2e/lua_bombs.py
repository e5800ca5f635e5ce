"""Scripts that would not end, or take all there is, or escape: name -> (text, why it is ended)."""

BOMBS = {
    "loop": ("while true do end", "does not end within 20 million steps"),
    "pcall": ("while true do pcall(function() while true do end end) end", "20 million steps"),
    "memory": ("local t = {} while true do t[#t + 1] = {} end", "more than 16 MiB"),
    "depth": ("local function f() return 1 + f() end f()", "20 million steps"),
    "values": ("local function r(...) return r(1, ...) end pcall(r)", "20 million steps"),
    "rep": ('string.rep("x", 1e10)', "more than 256 KiB"),
    "pattern": ('string.find(string.rep("a", 3000), ".-.-.-.-b")', "20 million steps"),
    "object": ("error(setmetatable({}, {__tostring = function() while true do end end}))",
               "the error is a table"),
    # By a value of its own, since "check" would find the name.
    "coroutine": ("local e = _ENV e.coroutine.wrap(function() while true do end end)()",
                  "coroutine is left out"),
}
