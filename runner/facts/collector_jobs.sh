# collector_jobs.sh - the part of the collector that asks and prints: frames (frame.h), and jobs that are
# given up when their seconds are over. Functions only; collector.sh comes behind it and calls them.
# shellcheck disable=SC2154 # token and ticks are of main

# Something to be printed later: a frame around a file of the working folder, of /proc or of /etc.
# usage: frame NAME FILE RC
frame() {
    printf '\n%s B %s\n' "$token" "$1" >"b.$1"
    printf '\n%s E %s %s\n' "$token" "$1" "$3" >"e.$1"
    ready="$ready b.$1 $2 e.$1"
}

# usage: note A|L NAME [SECONDS]
note() {
    printf '\n%s %s %s %s\n' "$token" "$1" "$2" "${3:-0}" >"n.$2"
    ready="$ready n.$2"
}

# Prints all that is ready, with one process.
flush() {
    # shellcheck disable=SC2086 # our own names, without blanks
    [ -z "$ready" ] || cat $ready
    ready=
}

# A file of /proc or /etc that cannot hang.
file() {
    if [ ! -e "$2" ]; then
        note A "$1"
    elif [ -r "$2" ]; then
        frame "$1" "$2" 0
    else
        : >"$1"
        frame "$1" "$1" 1
    fi
}

# Starts a job: usage: job NAME SECONDS COMMAND...
job() {
    job_name=$1
    job_limit=$2
    shift 2
    "$@" >"$job_name" 2>"$job_name.err" &
    jobs="$jobs $job_name:$!:$job_limit"
}

# Sets `state` to a child's letter of /proc, R, S, D, Z ...; empty where that does not show it.
state_of() {
    state=
    line=
    { IFS= read -r line <"/proc/$1/stat"; } || return 0
    line=${line##*) }
    state=${line%% *}
}

# Ends a child whose seconds are over, and tells whether nothing is to be awaited of it any more.
# What has ended before keeps its status, which `wait` tells at once; where /proc does not show
# whether it has, that same `wait` tells it. It is not cut short by a signal but by the next tick,
# so of many that are stuck in the kernel only the first ones are waited for.
# usage: give_up PID SECONDS
give_up() {
    state_of "$1"
    case $state in
    Z* | X*) return 1 ;;
    esac
    kill -9 "$1"
    if [ -n "$state$late" ] || [ "$ticks" -ge "$(($2 + 3))" ]; then
        return 0
    fi
    late=yes
    return 1
}

# Sets `rc` to a job's status, or to "late". The ticker's signal ends `wait` early, so that no limit
# depends on a child. usage: await PID SECONDS
await() {
    late=
    while :; do
        rc=late
        if [ "$ticks" -ge "$2" ] && give_up "$1" "$2"; then
            return 0
        fi
        wait "$1"
        rc=$?
        { [ "$rc" -gt 128 ] && kill -0 "$1"; } || break
    done
    [ "$rc$late" != 137yes ] || rc=late
}

# Waits for all jobs.
reap() {
    for one in $jobs; do
        name=${one%%:*}
        rest=${one#*:}
        limit=${rest#*:}
        await "${rest%%:*}" "$limit"
        if [ "$rc" = late ]; then
            note L "$name" "$limit"
            continue
        fi
        frame "$name" "$name" "$rc"
        case $rc.$name in
        0.testparm | [1-9]*) ;; # it says there which file it read
        *) continue ;;
        esac
        if [ -s "$name.err" ]; then
            frame "$name.err" "$name.err" 0
        fi
    done
    jobs=
}

# Sends a signal a second to the main shell; ends with it or when told to. The trap asks for $! itself:
# between the start of a child and an assignment a signal would leave that child behind. And by KILL: a
# child that is still a copy of this shell loses a signal that this shell traps.
ticker() {
    last=$!
    trap '[ "$!" = "$last" ] || kill -9 "$!"; exit 0' TERM
    while :; do
        sleep 1 &
        wait "$!"
        last=$!
        kill -USR1 "$1" || exit 0
    done
}
