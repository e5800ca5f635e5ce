# The run's own folder on a volume: made, proven, kept and removed. Fed to `sh -s -- VERB PATH NAME RUN`.
# Plain POSIX sh with no tool beyond mkdir, dd, rm and ls. Prints key=value lines; the last
# is `done=VERB`. NAME is the folder, RUN the run id that its marker file must hold.
set -u
umask 077
verb=$1 path=$2 name=$3 run=$4
dir=$path/$name

fail() {
    printf 'failed=%s\n' "$1"
    exit 1
}

# What an earlier run left behind is told, never touched: it may belong to a run in progress.
leftovers() {
    count=0
    for old in "$path"/nasgate-*; do
        if [ -f "$old/.nasgate-run" ] && [ "$old" != "$dir" ]; then
            count=$((count + 1))
            [ "$count" -le 5 ] && printf 'leftover=%s\n' "${old##*/}"
        fi
    done
}

# One 4 KiB write with O_DIRECT, as the engine will do it. dd without oflag cannot tell.
direct() {
    if ! said=$(dd if=/dev/zero of="$dir/.plain" bs=4096 count=1 2>&1); then
        printf 'write=no\n'
        fail "cannot write 4 KiB: $said"
    fi
    printf 'write=yes\n'
    if said=$(dd if=/dev/zero of="$dir/.direct" bs=4096 count=1 oflag=direct 2>&1); then
        printf 'direct=yes\n'
    else
        case $said in
        *[Ii]'nvalid flag'* | *[Uu]sage:*) printf 'direct=unknown\n' ;;
        *[Ii]'nvalid argument'* | *[Nn]'ot supported'*) printf 'direct=no\n' ;;
        *) printf 'direct=unknown\n' ;;
        esac
    fi
    rm -f "$dir/.plain" "$dir/.direct"
}

# Asked to end in the middle of its preparation, the folder goes; nobody has written there yet.
undo() {
    trap '' INT TERM
    rm -f -- "$dir/.plain" "$dir/.direct" "$dir/.nasgate-run"
    rmdir -- "$dir"
    exit 130
}

prepare() {
    leftovers
    [ -e "$dir" ] && fail "$name exists already"
    trap undo INT TERM
    said=$(mkdir -m 700 -- "$dir" 2>&1) || fail "cannot make the folder $name: $said"
    if ! (printf '%s\n' "$run" >"$dir/.nasgate-run") 2>/dev/null; then
        rm -f -- "$dir/.nasgate-run" 2>/dev/null # made, but no byte went in: the volume is full
        rmdir -- "$dir" 2>/dev/null
        fail "cannot write the marker file in $name: is the volume full or read-only?"
    fi
    direct
}

remove() {
    if [ ! -e "$dir" ]; then
        printf 'removed=absent\n'
        return
    fi
    [ -L "$dir" ] && fail "$name is a symbolic link, not the folder that this run made"
    held=
    read -r held <"$dir/.nasgate-run" 2>/dev/null || [ -n "$held" ] ||
        fail "$name has no marker file of this run"
    [ "$held" = "$run" ] || fail "$name belongs to run $held"
    # The marker goes last, so that what a failed removal leaves is still known as ours.
    said=$(find "$dir" -xdev -mindepth 1 ! -name .nasgate-run -delete 2>&1) ||
        fail "cannot empty $name: $said"
    said=$(rm -f -- "$dir/.nasgate-run" 2>&1 && rmdir -- "$dir" 2>&1) ||
        fail "cannot remove $name: $said"
    printf 'removed=yes\n'
}

# When a run is killed its engines are asked to end at the same time, and may write until they do.
leave() {
    trap '' INT TERM
    kill -9 "$!" # another signal is lost on a child that is still a copy of this shell
    tries=0
    until said=$(remove); do
        tries=$((tries + 1))
        [ "$tries" -lt 20 ] || break
        sleep 0.1 2>/dev/null || sleep 1
    done
    printf '%s\ndone=keep\n' "$said"
    exit 0
}

# Waits to be asked to end, which comes when the run ends, however it does.
keep() {
    trap leave INT TERM
    while :; do
        sleep 3600 >/dev/null 2>&1 &
        wait "$!"
    done
}

case $verb in
prepare | remove | keep)
    "$verb"
    ;;
*)
    fail "unknown verb $verb"
    ;;
esac
printf 'done=%s\n' "$verb"
