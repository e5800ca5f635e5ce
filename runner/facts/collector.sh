# collector.sh - prints the raw sources of a host in frames (frame.h) and parses nothing.
#
# usage: sh -s -- TOKEN [-p PATH]... [-t TOOL]... [-i INTERFACE]... [-r ADDRESS]... [-s SYSCTL]...
#        [-w WANTED]... [-j ,JOB]... [-x GROUP]..., a group of sources that is left out (collect.h)
#
# POSIX sh for dash, bash and BusyBox ash. What may hang (a path on a dead server, a tool, a locked
# driver) runs in the background with a file for its output, all of them at the same time, and is
# given up when its seconds are over: a child in state D cannot be ended, so nobody waits for it.
# mountinfo never blocks and is printed before any path is touched.

# /proc/self/mountinfo never blocks. usage: mounts NAME
mounts() {
    if [ -e /proc/self/mountinfo ]; then
        mount_lines >"$1"
        frame "$1" "$1" "$?"
    else
        note A "$1"
    fi
}

# Whether more is asked for than what all hosts are asked. usage: is_wanted WORD
is_wanted() {
    case " $want_list " in
    *" $1 "*) return 0 ;;
    esac
    return 1
}

# Whether a group of sources is asked for: all are but those of -x. usage: reads GROUP
reads() {
    case " $out_list " in
    *" $1 "*) return 1 ;;
    esac
    return 0
}

# The first line of a small file: LABEL, tab, value; !LABEL where it cannot be read.
value() {
    [ -e "$2" ] || return 0
    line=
    if { IFS= read -r line <"$2"; } || [ -n "$line" ]; then
        printf '%s\t%s\n' "$1" "$line"
    else
        printf '!%s\t\n' "$1"
    fi
}

md_files() {
    for dir in /sys/block/md*/md; do
        [ -d "$dir" ] || continue
        array=${dir%/md}
        array=${array##*/}
        for item in array_state sync_action sync_completed degraded raid_disks level resync_start \
            reshape_position last_sync_action mismatch_cnt; do
            value "$array/$item" "$dir/$item"
        done
    done
    return 0
}

block_files() {
    for dir in /sys/block/*; do
        [ -d "$dir" ] || continue
        disk=${dir##*/}
        case $disk in
        loop*) [ -e "$dir/loop/backing_file" ] || continue ;;
        ram*) continue ;;
        esac
        for item in dev size queue/rotational queue/write_cache queue/scheduler dm/name dm/uuid \
            md/level loop/backing_file bcache/cache_mode bcache/state bcache/dirty_data \
            bcache/sequential_cutoff; do
            value "block/$disk/$item" "$dir/$item"
        done
        for item in "$dir"/slaves/*; do
            [ -e "$item" ] && printf 'block/%s/slaves/%s\t\n' "$disk" "${item##*/}"
        done
        for item in "$dir/$disk"*/dev; do
            [ -e "$item" ] || continue
            part=${item%/dev}
            value "block/$disk/part/${part##*/}/dev" "$item"
        done
    done
    btrfs_files
    return 0
}

# Built-in tests only: the one process that may hang is the one that is given up.
path_test() {
    if [ -e "$1" ]; then
        echo 'exists yes'
        if [ -d "$1" ]; then
            echo 'directory yes'
            cd -P "$1" && printf 'real %s\n' "$(pwd -P)"
        else
            echo 'directory no'
        fi
        if [ -w "$1" ]; then echo 'writable yes'; else echo 'writable no'; fi
    else
        printf 'error %s\n' "$(ls -d "$1" 2>&1)"
    fi
    return 0
}

path_stat() {
    stat -c 'device %d' "$1"
    stat -f -c 'space %S %b %f %a %c %d' "$1" || df -P -k "$1"
}

# The shell's own process becomes the tool. usage: tool_version NAME COMMAND...
tool_version() {
    exec 2>&1
    name=$1
    shift
    case $name in
    ip | tc | ping | ssh | mkfs.*) exec "$@" -V ;;
    iperf) exec "$@" -v ;;
    zfs | zpool) exec "$@" version ;;
    busybox) exec "$@" ;;
    *) exec "$@" --version ;;
    esac
}

# usage: tool NAME COMMAND...
tool() {
    if command -v "$2" >"tool.$1.path"; then
        frame "tool.$1.path" "tool.$1.path" 0
        job "tool.$1.version" 8 tool_version "$@"
    else
        note A "tool.$1.path"
    fi
}

# usage: tools NAME...
tools() {
    for name in "$@"; do
        tool "$name" "$name"
    done
}

# A tool that another command stands for. usage: other_tool NAME COUNT WORD..., the first COUNT count
other_tool() {
    name=$1
    left=$2
    shift 2
    rest=$#
    while [ "$rest" -gt 0 ]; do # the words that count are left in "$@"
        word=$1
        shift
        [ "$left" -le 0 ] || set -- "$@" "$word"
        left=$((left - 1))
        rest=$((rest - 1))
    done
    tool "$name" "$@"
}

# md and block drivers may hold locks, so reading their files may hang as well.
disks() {
    if [ -e /proc/mdstat ]; then job mdstat 8 cat /proc/mdstat; else note A mdstat; fi
    job md 8 md_files
    job block 8 block_files
    storage
    volumes
}

interfaces() {
    job net 8 net_files
    [ -d /proc/net/bonding ] && job bonding 8 bonding_files
    [ -e /proc/net/vlan/config ] && job vlans 8 cat /proc/net/vlan/config
    if command -v ip >/dev/null; then job addresses 8 ip -o addr show; else note A addresses; fi
}

# Jobs for all hosts.
common() {
    if reads identity; then
        job uname 8 uname -srm
        job id 8 id -u
    fi
    reads disks && disks
    reads interfaces && interfaces
    reads clock && job clock 8 date -u +%s.%N
    return 0
}

# usage: paths PATH...
paths() {
    number=0
    for path in "$@"; do
        number=$((number + 1))
        printf '%s' "$path" >"path.$number.name"
        frame "path.$number.name" "path.$number.name" 0
        job "path.$number.test" 3 path_test "$path"
    done
}

# The second step for the paths that answered the first.
paths_again() {
    number=0
    for path in "$@"; do
        number=$((number + 1))
        [ -e "n.path.$number.test" ] || job "path.$number.stat" "$((ticks + 3))" path_stat "$path"
    done
}

# Adds to nic_list what lies below an interface and is a device or a stack itself.
below() {
    for item in "/sys/class/net/$1"/lower_* "/sys/class/net/$1"/brif/*; do
        [ -e "$item" ] || continue
        name=${item##*/}
        name=${name#lower_}
        case " $nic_list " in
        *" $name "*) continue ;;
        esac
        [ -e "/sys/class/net/$name/device" ] && nic_list="$nic_list $name" && continue
        for under in "/sys/class/net/$name"/lower_*; do
            [ -e "$under" ] && nic_list="$nic_list $name"
            break
        done
    done
}

# In memory rather than on a disk: that one may sleep, and is not to be disturbed.
work_folder() {
    for base in "${TMPDIR:-/dev/shm}" /dev/shm /tmp /var/tmp; do
        if mkdir -m 700 "$base/ng.$token" && cd "$base/ng.$token"; then
            folder=$base/ng.$token
            return 0
        fi
    done
    return 1
}

main() {
    token=$1
    shift
    exec </dev/null
    umask 077
    PATH=$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin:/usr/syno/sbin:/usr/syno/bin
    PATH=$PATH:/usr/bin:/bin:/opt/bin:/opt/sbin
    LC_ALL=C
    LANG=C
    LANGUAGE=
    export PATH LC_ALL LANG LANGUAGE
    unset CDPATH ENV
    # shellcheck disable=SC2034 # of collector_jobs.sh
    jobs='' ready=''
    ticks=0
    if ! work_folder; then
        printf '\n%s L folder 0\n' "$token"
        exit 1
    fi
    trap 'ticks=$((ticks + 1))' USR1
    ticker "$$" >/dev/null &
    ticker=$!
    mounts mountinfo
    flush
    tool_list=
    nic_list=
    peer_list=
    sysctl_list=
    want_list=
    job_list=
    out_list=
    count=0
    total=$#
    while [ "$count" -lt "$total" ]; do # the paths are left in "$@", the tools are single words
        option=$1
        word=$2
        shift 2
        count=$((count + 2))
        case $option in
        -p) set -- "$@" "$word" ;;
        -t) tool_list="$tool_list $word" ;;
        -i) nic_list="$nic_list $word" ;;
        -r) peer_list="$peer_list $word" ;;
        -s) sysctl_list="$sysctl_list $word" ;;
        -w) want_list="$want_list $word" ;;
        -j) job_list="$job_list ${word#,}" ;;
        -x) out_list="$out_list $word" ;;
        -T)
            length=$1
            shift
            other_tool "$word" "$length" "$@"
            shift "$length"
            count=$((count + 1 + length))
            ;;
        esac
    done
    paths "$@"
    # shellcheck disable=SC2086 # names of tools have no blanks
    tools $tool_list
    common
    # shellcheck disable=SC2086 # neither have interfaces, addresses and settings
    routes $peer_list
    # shellcheck disable=SC2086
    reads cards && links $nic_list
    # shellcheck disable=SC2086
    reads sysctls && job sysctls 8 sysctl_files $sysctl_list
    reads mounts && network_mounts
    if reads servers; then
        nfs_server
        samba_server
    fi
    # shellcheck disable=SC2086 # nor have names of jobs
    load $job_list
    identity
    flush
    reap
    paths_again "$@"
    reap
    [ $# -eq 0 ] || mounts mountinfo.after
    flush
    kill "$ticker"
    wait "$ticker"
    cd /
    rm -rf "$folder"
    printf '\n%s Z end\n' "$token"
    exit 0
}

main "$@" 2>/dev/null
exit 1
