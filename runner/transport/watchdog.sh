# watchdog.sh - runs one command on another host, and ends it once nobody there asks for it any more.
#
# It comes on standard input (wrap.h), ends with a call of main, and is followed by the bytes of the
# command's own input. The input stays open: a line "." is a sign of life, a line "i" asks for SIGINT,
# its end means that the other side wants no more of this or is gone. Marks (marks.h) on standard
# output and error tell the command's own bytes from all that shells, rc files and ssh print.
#
# POSIX sh for dash, bash and BusyBox ash. `set -m` needs a terminal in two of them, and what a
# shell starts in the background ignores SIGINT. So the command runs in the foreground, in a session
# of its own where there is setsid, and all that looks after it runs in the background.

# Prints a mark for the end on both outputs. A write to a full pipe fails in some shells when a child
# happens to end meanwhile; short as it is, it is then not written at all.
close_outputs() {
    for _ in 1 2 3; do
        printf '\n%s %s\n' "$token" "$1" && break
    done
    for _ in 1 2 3; do
        printf '\n%s %s\n' "$token" "$1" >&4 && break
    done
}

refuse() {
    printf '%s N %s\n' "$token" "$1"
    [ -z "$folder" ] || rm -rf "$folder"
    exit 127
}

# In memory rather than on a disk: that one may sleep, and be the one that is measured.
work_folder() {
    for base in "${TMPDIR:-/dev/shm}" /dev/shm /tmp /var/tmp; do
        if mkdir -m 700 "$base/$token" && mkdir "$base/$token/work"; then
            folder=$base/$token
            return 0
        fi
    done
    return 1
}

# The environments of processes, a variable a line; BusyBox's grep does not look behind a NUL.
# usage: environments FILE...
environments() {
    head -c 65536 "$@" | tr '\000' '\n'
}

# Sends a signal to all that the command has started, however it hid; found: their numbers. Any
# process can have the lines of our list in a variable: the second look is at the one alone.
signal_marked() {
    entry=NASGATE_REMOTE=$mark.
    found=
    one=
    environments /proc/[0-9]*/environ | grep -F -e '==> /proc/' -e "$entry" >"$list"
    while IFS= read -r line; do
        case $line in
        '==> /proc/'*)
            one=${line#==> /proc/}
            one=${one%%/*}
            ;;
        "$entry")
            environments "/proc/$one/environ" | grep -q -x -F -e "$entry" &&
                kill -"$1" "$one" && found="$found $one"
            ;;
        esac
    done <"$list"
}

# In a shell of its own: bash can hang when a signal that it traps comes while it makes a pipe.
signal_apart() {
    (signal_marked "$1")
}

# The first order: SIGINT to the command's group. usage: interrupt WHY SECONDS
interrupt() {
    printf '%s\n' "$1" >"$folder/why"
    left=$2
    pid=
    read -r pid <"$folder/pid"
    kill -INT "-$pid" || signal_apart INT
}

finish_off() {
    printf '' >"$folder/killed"
    read -r pid <"$folder/pid"
    kill -KILL "-$pid"
    signal_apart KILL
}

# Kills what the command has left running; killed: how many. A process shows no environment while it
# becomes another program, so one look is not enough.
clean_up() {
    list=$folder/end
    known=
    killed=0
    looks=0
    quiet=0
    while [ "$quiet" -lt 2 ] && [ "$looks" -lt 20 ]; do
        signal_marked KILL
        looks=$((looks + 1))
        quiet=$((quiet + 1))
        for one in $found; do
            quiet=0
            case " $known " in
            *" $one "*) ;;
            *) known="$known $one" killed=$((killed + 1)) ;;
            esac
        done
    done
}

# Carries out the orders that came; left: the seconds until the command is killed.
obey() {
    [ ! -e "$folder/asked" ] || [ -n "$left" ] || interrupt asked "$grace"
    if [ -n "$gone" ] || [ -e "$folder/gone" ]; then
        [ -n "$left" ] || interrupt gone 3
        [ "$left" -le 3 ] || left=3
    fi
    [ ! -e "$folder/hurry" ] || [ "${left:-1}" -le 0 ] || left=0
}

# Counts seconds. USR1: a sign of life, USR2: an order lies in the folder, HUP: it could not be put
# there. Orders are files, since two signals of a kind can become one, and one that comes early is
# lost. A nap that runs out counts, and not the time, so that a host that stalls as a whole is not
# taken for a dead controller. The trap asks for $! itself: between the start of a child and an
# assignment a signal would leave that child behind. And by KILL: a child that is still a copy of this
# shell loses a signal that this shell traps.
clock() {
    list=$folder/clock
    last=$!
    life=
    gone=
    left=
    silent=0
    trap 'life=1' USR1
    trap 'told=1' USR2
    trap 'gone=1 told=1' HUP
    trap '[ "$!" = "$last" ] || kill -9 "$!"; exit 0' TERM
    while :; do
        told=
        obey
        [ "${left:-1}" -gt 0 ] || finish_off
        [ "${left:-1}" -gt -30 ] || exit 0 # the kernel does not let go of it
        if [ -n "$left" ]; then span=1; else span=3; fi
        sleep "$span" &
        [ -n "$life$told" ] || wait "$!"
        kill -9 "$!"
        last=$!
        if [ -n "$told" ]; then
            continue
        elif [ -n "$left" ]; then
            left=$((left - 1))
        elif [ -n "$life" ]; then
            life=
            silent=0
        else
            silent=$((silent + 1))
            [ "$silent" -lt 2 ] || interrupt silence 3
        fi
    done
}

# usage: order WORD
order() {
    if printf '' >"$folder/$1"; then
        kill -USR2 "$clock"
    else
        kill -HUP "$clock"
    fi
}

# Turns what comes down the input into orders and signals for the clock.
listen() {
    asked=
    while IFS= read -r line <&3; do
        case $line in
        i)
            order "${asked:-asked}"
            asked=hurry
            ;;
        *) [ -n "$asked" ] || kill -USR1 "$clock" ;;
        esac
    done
    order gone
}

# Tells once the port listens in this network namespace.
await_port() {
    entry=$(printf ': [0-9A-F]*:%04X [0-9A-F]*:0000 0A ' "$port")
    until grep -q -e "$entry" /proc/net/tcp /proc/net/tcp6 >/dev/null; do
        sleep 0.1 >/dev/null || sleep 1 >/dev/null
    done
    printf '%s R\n' "$token"
}

# The command takes the place of the shell, behind the marks of its start.
command_itself() {
    exec 2>&4 3<&- 4>&- <"$folder/in"
    trap - PIPE USR1 USR2 HUP
    cd "${cwd:-$folder/work}" || exit 126
    TMPDIR=$folder/work NASGATE_REMOTE=$mark.
    export TMPDIR NASGATE_REMOTE
    # An order that came before there was a number to send it to is carried out here.
    # shellcheck disable=SC2016 # for the inner shell
    start='printf "%s\n" "$$" >"$1" && printf "%s S\n" "$2" && printf "%s S\n" "$2" >&2 &&
        { [ ! -e "$3" ] || kill -INT "$$"; } && shift 3 && exec "$@"'
    if command -v setsid >/dev/null; then
        exec setsid /bin/sh -c "$start" sh "$folder/pid" "$token" "$folder/why" "$@"
    fi
    exec /bin/sh -c "$start" sh "$folder/pid" "$token" "$folder/why" "$@"
}

# usage: main WORDS TOKEN MARK SIZE PORT GRACE CWD COMMAND...
# WORDS is how many words COMMAND has, so that a script cut short does nothing. SIZE is the length of
# the command's input, PORT is 0 or awaited, GRACE counts seconds, CWD is "" for a private folder.
main() {
    [ $# -gt 7 ] && [ $# -eq "$((7 + $1))" ] || exit 1
    token=$2 mark=$3 size=$4 port=$5 grace=$6 cwd=$7
    shift 7
    exec 3<&0 4>&2 2>/dev/null </dev/null
    trap '' PIPE USR1 USR2 HUP # the clock must not die of a signal before it waits for them
    umask 077
    PATH=$PATH:/usr/local/sbin:/usr/local/bin:/usr/sbin:/sbin:/usr/syno/sbin:/usr/syno/bin
    PATH=$PATH:/usr/bin:/bin:/opt/bin:/opt/sbin
    LC_ALL=C LANG=C LANGUAGE='' TZ=UTC
    export PATH LC_ALL LANG LANGUAGE TZ
    unset CDPATH ENV BASH_ENV
    folder=
    command -v "$1" >/dev/null || refuse command
    work_folder || refuse folder
    if [ "$size" -gt 0 ]; then
        head -c "$size" <&3 >"$folder/in"
        # shellcheck disable=SC2046 # some print blanks before the number
        [ $(wc -c <"$folder/in") -eq "$size" ] || refuse input
    else
        ln -s /dev/null "$folder/in"
    fi
    clock >/dev/null 3<&- 4>&- &
    clock=$!
    listen >/dev/null 4>&- &
    helpers="$clock $!"
    if [ "$port" -gt 0 ]; then
        await_port 3<&- 4>&- &
        helpers="$helpers $!"
    fi
    (command_itself "$@")
    rc=$?
    why=self
    [ ! -e "$folder/why" ] || read -r why <"$folder/why"
    [ ! -e "$folder/killed" ] || why=$why-killed
    close_outputs "E $rc $why"
    # shellcheck disable=SC2086 # numbers
    kill $helpers
    clean_up
    printf '%s L %s\n' "$token" "$killed"
    # shellcheck disable=SC2086 # numbers
    wait $helpers # what they write must not come behind the removal
    cd / && rm -rf "$folder"
    exit "$rc"
}
