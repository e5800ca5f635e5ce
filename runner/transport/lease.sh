# lease.sh - one run at a time on a host: takes the lease and holds it for as long as this shell
# lives. Fed to `sh -s -- take RUN WAIT WHO JOB PLAN` and `sh -s -- look`.
#
# Runs that want the host each put an entry of their own into one folder, then look for others that
# live. Whoever puts first and looks second cannot miss an earlier one, so of two that come at the
# same time at most one finds itself alone, and who is alone holds. Else the one whose name comes
# first stays and looks again, and the others take their entries back. An entry's name holds all that
# tells whether its process lives; its second name, with "h.", says that it holds. Names are unique,
# so that anybody may remove the entry of a process that is gone.
#
# Prints nothing before the lease is held, then `held=TIME`. On standard error: `busy=NAME` and the
# holder's entry, or `failed=WHY`. Exit status: 0 given back when asked, 75 busy, 1 failed.
# POSIX sh for dash, bash and BusyBox ash.
set -u
set -f
umask 022
LC_ALL=C
export LC_ALL

ENTRIES_MAX=1000
ENTRY_BYTES=4000
TRIES=30 # looks, about a second apart, at others that come at the same time

fail() {
    printf 'failed=%s\n' "$1" >&2
    leave
    exit 1
}

# Waits; a signal ends the wait, and its trap the child that sleeps.
nap() {
    sleep "$1" &
    wait "$!"
    last=$!
}

# The last thing that is done. A child that is still a copy of this shell loses a signal that this shell
# traps, but KILL, and bash tells of that.
leave() {
    trap '' INT TERM HUP
    exec 2>/dev/null
    set +u # before the first nap there is no $!; afterwards it is known sooner than a variable of ours
    [ "$!" = "$last" ] || kill -9 "$!"
    [ -z "$name" ] || rm -f "$folder/h.$name" "$folder/t.$name" "$folder/n.$name"
    name=
    [ -z "$folder" ] || rmdir "$folder"
}

# start: when a process began, in ticks; empty when it is gone, dead or cannot be seen.
start_of() {
    start=
    line=
    { IFS= read -r line <"/proc/$1/stat"; } 2>/dev/null
    # shellcheck disable=SC2086 # numbers
    set -- ${line##*)}
    case ${1-Z} in
    Z | X) ;;
    *) [ $# -lt 20 ] || start=${20} ;;
    esac
}

# Whether the process of an entry may live: what cannot be known counts as life.
# usage: lives PID START BOOT SPACE
lives() {
    [ "$3" = "$boot" ] || return 1
    case $4$space in
    *x*) ;;
    *) [ "$4" = "$space" ] || return 0 ;; # a number of another container
    esac
    start_of "$1"
    [ "$start" != "$2" ] || return 0
    [ -z "$start$line" ] || return 1 # another one's number by now, or dead
    said=$(kill -0 "$1" 2>&1) && return 0 # of others, and hidden from us
    case $said in
    *[Nn]'o such process'*) return 1 ;;
    esac
    return 0
}

# Takes an entry's name apart: pid, start, boot, space, run. False for what is no such name.
split() {
    case $1 in
    *[!0-9A-Za-z._-]* | .* | *..*) return 1 ;;
    *.*.*.*.?*) ;;
    *) return 1 ;;
    esac
    rest=$1
    pid=${rest%%.*} rest=${rest#*.}
    began=${rest%%.*} rest=${rest#*.}
    era=${rest%%.*} rest=${rest#*.}
    room=${rest%%.*} run=${rest#*.}
    case $pid$began in
    *[!0-9]*) return 1 ;;
    esac
}

# Looks at all entries, of other runs: other: one that lives, rather one that holds; holds: 1 when it
# does; ahead: 1 when its name comes before ours; seen: 1 when ours is there.
look() {
    other=
    holds=
    ahead=
    seen=
    count=0
    [ -d "$folder" ] || return 0
    if [ ! -r "$folder" ] || [ ! -x "$folder" ]; then
        fail "the folder $folder cannot be read"
    fi
    set +f
    set -- "$folder"/[nt].*
    set -f
    for path in "$@"; do
        entry=${path##*/}
        kind=${entry%%.*}
        entry=${entry#*.}
        split "$entry" || continue
        count=$((count + 1))
        [ "$count" -le "$ENTRIES_MAX" ] || fail "$folder has too many entries: remove what is old"
        if [ "$entry" = "$name" ]; then
            [ "$kind" = n ] || seen=1
        elif lives "$pid" "$began" "$era" "$room"; then
            if [ "$kind" != t ] || [ "$run" = "$own" ] || [ -n "$holds" ] || [ ! -f "$path" ] ||
                [ -L "$path" ]; then
                continue
            fi
            [ -n "$seen" ] || ahead=1
            [ ! -e "$folder/h.$entry" ] || holds=1
            if [ -z "$other" ] || [ -n "$holds" ]; then
                other=$entry
            fi
        else
            rm -f "$folder/h.$entry" "$path" 2>/dev/null
        fi
    done
}

# The folder for entries: in the first place that everybody can write to and that is the same for
# all, rather one that does not outlive a boot.
find_folder() {
    folder=
    if [ -n "${NASGATE_LEASE_FOLDER:-}" ]; then
        [ -d "$NASGATE_LEASE_FOLDER" ] || fail "NASGATE_LEASE_FOLDER is no folder there"
        folder=$NASGATE_LEASE_FOLDER/nasgate-lease
    else
        for place in /run/lock /dev/shm /tmp; do
            case $(ls -ld "$place/." 2>/dev/null) in
            drwxrwxrwt*) folder=$place/nasgate-lease && break ;;
            esac
        done
        [ -n "$folder" ] || fail 'neither /run/lock nor /dev/shm nor /tmp is a folder of mode 1777'
    fi
    if [ -L "$folder" ]; then
        link=$folder
        folder=
        fail "$link is a symbolic link: remove it"
    fi
}

describe() {
    printf 'who=%s\nsince=%s\njob=%s\nplan=%s\nrun=%s\n' "$who" "$since" "$job" "$plan" "$own"
}

# Puts our entry there, whole or not at all.
publish() {
    for _ in 1 2 3 4 5; do
        [ -d "$folder" ] || (umask 0 && mkdir -m 1777 "$folder") 2>/dev/null
        if (set -C && describe >"$folder/n.$name") 2>/dev/null &&
            [ "$(wc -c 2>/dev/null <"$folder/n.$name")" -eq "$size" ] &&
            mv "$folder/n.$name" "$folder/t.$name" 2>/dev/null; then
            return 0
        fi
        rm -f "$folder/n.$name" 2>/dev/null
        [ ! -d "$folder" ] || nap 1 # else its last user has just removed it
    done
    if [ ! -d "$folder" ]; then
        fail "the folder $folder cannot be made"
    elif [ ! -w "$folder" ] || [ ! -x "$folder" ]; then
        fail "the folder $folder cannot be written to: it needs the mode 1777"
    fi
    fail "no entry can be written to $folder: is it full or read-only?"
}

# Puts our entry there and finds out whether we are alone. False: someone else is there.
contend() {
    publish
    tries=0
    while :; do
        look
        [ -n "$seen" ] || fail "our entry in $folder was removed, or the folder cannot be listed"
        if [ -z "$other" ]; then
            ln "$folder/t.$name" "$folder/h.$name" 2>/dev/null || printf '' >"$folder/h.$name"
            return 0
        fi
        if [ -n "$holds" ] || [ -n "$ahead" ] || [ "$tries" -ge "$TRIES" ]; then
            rm -f "$folder/t.$name"
            return 1
        fi
        tries=$((tries + 1))
        nap 1
    done
}

# Who is there, in the words of its own entry.
tell() {
    printf '%s=%s\n' "$1" "$other"
    head -c "$ENTRY_BYTES" "$folder/t.$other" 2>/dev/null
    printf '\n'
}

# Waits for as long as the shell that we were started by lives, and our entry is there.
hold() {
    start_of "$PPID"
    parent=$start
    printf 'held=%s\n' "$since"
    while :; do
        nap 5
        [ -f "$folder/t.$name" ] || fail "our entry in $folder was removed by somebody"
        start_of "$PPID"
        [ "$start" = "$parent" ] || fail 'the process that started this one is gone'
    done
}

take() {
    own=$1 wait=$2 who=$3 job=$4 plan=$5
    trap 'leave; exit 0' INT TERM HUP
    find_folder
    start_of "$$"
    [ -n "$start" ] || fail '/proc does not show when a process began'
    since=$(date -u +%Y-%m-%dT%H:%M:%SZ)
    size=$(describe | wc -c)
    name=$$.$start.$boot.$space.$own
    spent=0
    while :; do
        look
        if [ -z "$other" ] && contend; then
            hold
        fi
        if [ "$spent" -ge "$wait" ]; then
            tell busy >&2
            leave
            exit 75
        fi
        nap 2
        spent=$((spent + 2))
        since=$(date -u +%Y-%m-%dT%H:%M:%SZ)
    done
}

main() {
    last='' folder='' name='' boot='' space='' own=''
    { read -r boot </proc/sys/kernel/random/boot_id; } 2>/dev/null
    boot=${boot:-0}
    space=$(readlink /proc/self/ns/pid 2>/dev/null)
    space=${space#pid:?}
    space=${space%?}
    space=${space:-x}
    case $1 in
    take)
        shift
        take "$@"
        ;;
    look)
        find_folder
        look
        if [ -n "$other" ]; then tell leased; else printf 'free=yes\n'; fi
        leave
        ;;
    *) fail "unknown verb $1" ;;
    esac
    exit 0
}

main "$@"
exit 1
