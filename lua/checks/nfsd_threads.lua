-- The NFS server of a host has enough threads, by what the kernel runs and not by what is configured.
--
-- args.host      the server
-- args.at_least  how many (8)

local wanted = args.at_least or 8
expect("the NFS server of " .. args.host .. " has at least " .. wanted .. " threads")

local text, why = read{host = args.host, path = "/proc/net/rpc/nfsd"}
local threads = text and tonumber(text:match("\nth (%d+)") or text:match("^th (%d+)"))
if not threads then
  unknown("how many threads the NFS server of " .. args.host .. " has is not told: " ..
          (why or "/proc/net/rpc/nfsd has no line th"),
          "is it the kernel's own server, and is it running? NFS-Ganesha has no such file")
end
record("threads", threads)
if threads < wanted then
  broken(threads .. " threads on " .. args.host .. ", at least " .. wanted .. " expected",
         "raise them (RPCNFSDCOUNT, nfs.conf [nfsd] threads), and start the server again")
end
held(threads .. " threads")
