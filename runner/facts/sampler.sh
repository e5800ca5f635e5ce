# sampler.sh - prints the cheap part of a host's state again and again while a phase runs (sample.h).
#
# usage: sh -s -- TOKEN SECONDS [-d DISK]... [-i INTERFACE]... [-a ARRAY]... [-l LABEL]... [-m]
#
# POSIX sh plus what bash and BusyBox ash have in common: `read -t` waits and `read -d` reads a file
# whole, so that nothing is forked per sample. A shell without them sleeps by a process; it says so.
# Sources come again only when they have changed. SIGINT or SIGTERM ends it.

# Reads a file whole into text, without its last newlines; false where it cannot be read.
slurp() {
    text=
    if [ -n "$whole" ]; then
        # shellcheck disable=SC3045 # only where the shell has it
        { IFS= read -r -d '' text <"$1" || [ -n "$text" ]; } || return 1
    else
        line=
        while IFS= read -r line || [ -n "$line" ]; do
            text=$text$line$newline
            line=
        done <"$1" || return 1
    fi
    text=${text%"$newline"}
}

# The first line of a small file, into line.
first() {
    line=
    { IFS= read -r line <"$1"; } || [ -n "$line" ]
}

# Adds LABEL, tab, value to patch: the lines of a source that are new.
label() {
    [ -e "$2" ] || return 0
    if first "$2"; then
        patch="$patch$1$tab$line$newline"
    else
        patch="$patch!$1$tab$newline"
    fi
}

# The same with the names in a folder as value.
names() {
    line=
    for item in "$2"/*; do
        [ -e "$item" ] && line="$line ${item##*/}"
    done
    patch="$patch$1$tab${line# }$newline"
}

# Adds a frame to out. usage: frame NAME TEXT
frame() {
    out="$out$newline$token B $1$newline$2$newline$token E $1 0$newline"
}

counters() {
    first /proc/loadavg && out="${out}L $line$newline"
    if slurp /proc/stat; then
        out="${out}C ${text%%"$newline"*}$newline"
        case $text in
        *procs_blocked*)
            text=${text##*procs_blocked }
            out="${out}B ${text%%"$newline"*}$newline"
            ;;
        esac
    fi
    [ -e /proc/pressure/io ] && first /proc/pressure/io && out="${out}P $line$newline"
    for name in $disks; do
        first "/sys/block/$name/stat" && out="${out}D $name $line$newline"
    done
    for name in $nics; do
        row=
        for item in rx_bytes tx_bytes rx_errors tx_errors rx_dropped tx_dropped; do
            first "/sys/class/net/$name/statistics/$item" || line=-
            row="$row $line"
        done
        out="${out}N $name$row$newline"
    done
}

# Names of users and passwords are no part of any conclusion (as in collector_servers.sh). Needs
# processes, but only for such mounts, and when they change.
mask() {
    text=$(printf '%s\n' "$text" |
        sed -e 's/\([ ,]\)\(user[a-z]*\)=[^, ]*/\1\2=***/g' \
            -e 's/\([ ,]domain\)=[^, ]*/\1=***/g' -e 's/\([ ,]pass[a-z0-9]*\)=[^,]*/\1=***/g')
}

sources() {
    if [ -n "$mounts" ] && slurp /proc/self/mountinfo && [ "$text" != "$old_mounts" ]; then
        old_mounts=$text
        case $text in
        *[\ ,]user*=* | *[\ ,]domain=* | *[\ ,]pass*=*) mask ;;
        esac
        frame mountinfo "$text"
    fi
    if [ -e /proc/mdstat ] && slurp /proc/mdstat && [ "$text" != "$old_mdstat" ]; then
        old_mdstat=$text
        frame mdstat "$text"
    fi
    patch=
    for name in $arrays; do
        for item in array_state sync_action sync_completed degraded reshape_position \
            last_sync_action mismatch_cnt; do
            label "$name/$item" "/sys/block/$name/md/$item"
        done
    done
    if [ "$patch" != "$old_md" ]; then
        old_md=$patch
        frame md "$patch"
    fi
    patch=
    for name in $nics; do
        for item in mtu speed duplex operstate carrier carrier_changes; do
            label "$name/$item" "/sys/class/net/$name/$item"
        done
    done
    if [ "$patch" != "$old_net" ]; then
        old_net=$patch
        frame net "$patch"
    fi
    patch=
    for name in $labels; do
        case $name in
        btrfs/*) label "$name" "/sys/fs/$name" ;;
        */slaves) names "$name" "/sys/$name" ;;
        *) label "$name" "/sys/$name" ;;
        esac
    done
    if [ "$patch" != "$old_block" ]; then
        old_block=$patch
        frame block "$patch"
    fi
}

sample() {
    first /proc/uptime || line=-
    out="$newline$token S ${line%% *}$newline"
    counters
    sources
    printf '%s' "$out" || exit 1
}

pause() {
    if [ -n "$timed" ]; then
        # shellcheck disable=SC3045
        IFS= read -r -t "$1" line <&9
    else
        sleep "$1" &
        wait "$!"
        last=$!
    fi
}

# Asks for $! itself: between the start of a child and an assignment a signal would leave that child.
# By KILL: one that is still a copy of this shell loses a signal that this shell traps.
finish() {
    [ "$!" = "$last" ] || kill -9 "$!"
    printf '\n%s Z end\n' "$token"
    exit 0
}

main() {
    exec </dev/null 2>/dev/null
    token=$1
    every=$2
    shift 2
    newline='
'
    tab=$(printf '\t')
    disks='' nics='' arrays='' labels='' mounts='' last=$! timed='' whole=''
    old_mounts='' old_mdstat='' old_md='' old_net='' old_block=''
    while [ $# -gt 0 ]; do
        case $1 in
        -m) mounts=1 && shift && continue ;;
        -d) disks="$disks $2" ;;
        -i) nics="$nics $2" ;;
        -a) arrays="$arrays $2" ;;
        -l) labels="$labels $2" ;;
        esac
        shift 2
    done
    trap finish INT TERM HUP
    # shellcheck disable=SC3045
    (printf 'a\nb\0' | { IFS= read -r -d '' text && [ "$text" = "a${newline}b" ]; }) && whole=1
    if mkfifo sampler.wait && exec 9<>sampler.wait; then
        rm -f sampler.wait
        # A shell that has no -t says so at once with another status than one that has waited.
        # shellcheck disable=SC3045
        (IFS= read -r -t 0.01 line <&9 || [ $? -ne 2 ]) && timed=1
    fi
    printf '\n%s H %s\n' "$token" "${timed:-forks}"
    while :; do
        sample
        pause "$every"
    done
}

main "$@"
