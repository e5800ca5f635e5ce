# What a host does within some seconds: the same files twice. usage: sh -c SCRIPT idle SECONDS
# Plain POSIX sh. Sections begin with a line `nasgate-window SAMPLE NAME`; the last is `2 end`.
LC_ALL=C
export LC_ALL
PATH=$PATH:/usr/sbin:/sbin:/usr/bin:/bin
exec 2>/dev/null

sample() {
    echo "nasgate-window $1 uptime"
    cat /proc/uptime
    echo "nasgate-window $1 load"
    cat /proc/loadavg
    echo "nasgate-window $1 cpu"
    IFS= read -r line </proc/stat && echo "$line"
    echo "nasgate-window $1 disks"
    grep -v -E ' (loop|ram|zram|fd|sr)[0-9]+ ' /proc/diskstats
    echo "nasgate-window $1 net"
    cat /proc/net/dev
    # Process 2 is the kernel's own where the processes of the whole machine can be seen.
    echo "nasgate-window $1 second"
    cat /proc/2/stat
    # Tasks that cannot be interrupted: the state stands behind the last bracket of a line.
    echo "nasgate-window $1 waiting"
    grep -h ') D ' /proc/[0-9]*/task/[0-9]*/stat | cut -c 1-90
}

sample 1
sleep "$1"
sample 2
echo "nasgate-window 2 end"
exit 0
