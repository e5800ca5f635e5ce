# collector_storage.sh - the part of the collector that looks at stores which have tools of their
# own: ZFS pools and btrfs. Functions only; collector.sh comes behind it and calls them.
#
# Nothing here reads a disk: the tools ask the kernel alone, and only where it has such a store.

# Devices by their full path, links resolved, where zpool knows the options (0.7 and later). Status 2
# is what it calls a usage error.
zfs_status() {
    zpool status -LP
    rc=$?
    [ "$rc" -ne 2 ] || exec zpool status
    return "$rc"
}

# What the kernel itself says of each pool: POOL, tab, a word. No privilege, no tool.
zfs_states() {
    for item in /proc/spl/kstat/zfs/*/state; do
        dir=${item%/state}
        value "${dir##*/}" "$item"
    done
    return 0
}

# Properties of the mounted datasets that change what is measured, 64 of them at most.
zfs_properties() {
    set --
    while IFS= read -r line && [ $# -lt 64 ]; do
        line=${line##* - zfs }
        line=${line%% *}
        case $line in
        '' | -* | *\\* | *@*) continue ;; # no dataset, or a name with blanks
        esac
        set -- "$@" "$line"
    done <zfs.mounts
    [ $# -gt 0 ] || return 0
    exec zfs get -Hp -o name,property,value \
        recordsize,compression,sync,logbias,primarycache,secondarycache,atime,dedup "$@"
}

# Whether the kernel has ZFS now. A zpool would load the module, which nobody asked for.
zfs_there() {
    [ -e /proc/spl/kstat/zfs ] || [ -e /sys/module/zfs ] ||
        { [ ! -e /proc/self/mountinfo ] && [ -e /dev/zfs ]; } ||
        { command -v zpool >/dev/null && grep -q ' - zfs ' /proc/self/mountinfo; }
}

zfs_pools() {
    if ! zfs_there; then
        note A zfs
        return 0
    fi
    ZFS_MODULE_LOADING=no
    export ZFS_MODULE_LOADING
    unset ZFS_COLOR
    [ ! -d /proc/spl/kstat/zfs ] || job zfs.states 8 zfs_states
    if command -v zpool >/dev/null; then
        job zpool.status 8 zfs_status
        job zpool.list 8 zpool list -H -o name,health,cap,freeing
    else
        note A zpool.status
    fi
    file zfs.arcstats /proc/spl/kstat/zfs/arcstats
    if command -v zfs >/dev/null && grep ' - zfs ' /proc/self/mountinfo >zfs.mounts; then
        job zfs.get 8 zfs_properties
    fi
}

# Lines below /sys for the block devices' frame.
btrfs_files() {
    for dir in /sys/fs/btrfs/*-*-*-*-*; do
        [ -d "$dir" ] || continue
        uuid=${dir##*/}
        value "btrfs/$uuid/exclusive_operation" "$dir/exclusive_operation"
        for item in "$dir"/devices/*; do
            [ -e "$item" ] && printf 'btrfs/%s/devices/%s\t\n' "$uuid" "${item##*/}"
        done
        for item in "$dir"/devinfo/*; do
            value "btrfs/$uuid/devinfo/${item##*/}/missing" "$item/missing"
        done
        for item in "$dir"/allocation/data/*/ "$dir"/allocation/metadata/*/; do
            [ -d "$item" ] || continue
            item=${item#"$dir"/allocation/}
            printf 'btrfs/%s/%s\t\n' "$uuid" "${item%/}"
        done
    done
    return 0
}

# Sets `group` to the process group of a folder of /proc: the third word behind the name.
process_group() {
    group=
    line=
    { IFS= read -r line <"$1/stat"; } || return 0
    line=${line##*) }
    line=${line#* }
    line=${line#* }
    group=${line%% *}
}

# Who may be at work on a btrfs: whoever scrubs, balances or removes a device stays in the call as
# long as it lasts; what goes on after a mount has a thread of the kernel. Process 2 is the kernel's
# own where the processes of the whole machine can be seen. A worker of the kernel that is idle keeps
# the name of its last work behind a "-", one at work has a "+". The jobs of this script, which ask
# btrfs at this moment, are in its process group.
btrfs_tasks() {
    process_group "/proc/$$"
    ours=$group
    for item in /proc/[0-9]*/comm; do
        line=
        { IFS= read -r line <"$item"; } || continue
        case ${item%/comm}:$line in
        *:btrfs)
            process_group "${item%/comm}"
            [ "$group" = "$ours" ] || printf '%s\tbtrfs\n' "${item%/comm}"
            ;;
        /proc/2:* | *:btrfs-scrub* | *+btrfs-scrub* | *:btrfs-balance* | *:btrfs-devrepl*)
            printf '%s\t%s\n' "${item%/comm}" "$line"
            ;;
        esac
    done
    return 0
}

# Sets `mapped` to the name that the device mapper gives a device; empty for others.
mapped_name() {
    mapped=
    [ ! -e "/sys/block/$1/dm/name" ] || { IFS= read -r mapped <"/sys/block/$1/dm/name"; }
}

# A device at a time: of a btrfs with several, each has a state of its own. Without udev a device of
# the device mapper has no node but the one below /dev/mapper.
btrfs_scrub() {
    for item in "$1"/devices/*; do
        node=/dev/${item##*/}
        mapped_name "${item##*/}"
        [ -b "$node" ] || [ -z "$mapped" ] || node=/dev/mapper/$mapped
        btrfs scrub status "$node" || return 1
    done
}

# Whether a mount's source is a device of that name: by the name, that of the device mapper (DSM has
# a node of its own below /dev/mapper, no link), that of LVM, or as the same node.
# usage: is_source SOURCE DEVICE
is_source() {
    [ "$1" != "/dev/$2" ] || return 0
    mapped_name "$2"
    case $1 in
    /dev/mapper/*) [ "${1#/dev/mapper/}" != "$mapped" ] || return 0 ;;
    /dev/*/*)
        rest=${1#/dev/}
        [ "${rest%%/*}-${rest#*/}" != "$mapped" ] || return 0
        ;;
    esac
    # shellcheck disable=SC3013 # dash, bash and BusyBox have -ef
    [ "$1" -ef "/dev/$2" ]
}

# Sets `point` to where the btrfs of a folder of /sys is mounted, by one of its devices.
btrfs_point() {
    point=
    while IFS=' ' read -r _ _ _ _ at line; do
        line=${line##* - btrfs }
        source=${line%% *}
        case $at in
        *\\*) continue ;; # a name with blanks: another mount will do
        esac
        for item in "$1"/devices/*; do
            if is_source "$source" "${item##*/}"; then
                point=$at
                return 0
            fi
        done
    done <btrfs.mounts
    return 1
}

# What the kernel does not tell in /sys. Before 5.10 it does not tell of exclusive operations.
# usage: btrfs_ask FOLDER UUID
btrfs_ask() {
    job "scrub.$2" 8 btrfs_scrub "$1"
    btrfs_point "$1" || return 0
    line=
    [ ! -e "$1/exclusive_operation" ] || { IFS= read -r line <"$1/exclusive_operation"; }
    case $line in
    '' | balance*) job "balance.$2" 8 btrfs balance status "$point" ;;
    esac
    case $line in
    '' | *replace*) job "replace.$2" 8 btrfs replace status -1 "$point" ;;
    esac
    if [ -z "$line" ] || [ -e "$1/qgroups" ]; then
        job "rescan.$2" 8 btrfs quota rescan -s "$point"
    fi
    job "stats.$2" 8 btrfs device stats "$point"
    set -- "$1"/devinfo/*/missing
    [ -e "$1" ] || btrfs_show=yes
}

# Scrub is no exclusive operation: its state is told by btrfs itself to root, else by the processes
# and by what it wrote down last.
btrfs_stores() {
    set -- /sys/fs/btrfs/*-*-*-*-*
    [ -d "$1" ] || return 0
    job scrub.tasks 8 btrfs_tasks
    btrfs_show=
    asks=
    if [ "$(id -u)" = 0 ] && command -v btrfs >/dev/null; then
        asks=yes
        grep ' - btrfs ' /proc/self/mountinfo >btrfs.mounts
    fi
    count=0
    for dir in "$@"; do
        count=$((count + 1))
        [ "$count" -le 32 ] || break
        [ -z "$asks" ] || btrfs_ask "$dir" "${dir##*/}"
        if [ -d /var/lib/btrfs ] && [ ! -x /var/lib/btrfs ]; then
            : >"scrubbed.${dir##*/}" # what is in it is hidden, not absent
            frame "scrubbed.${dir##*/}" "scrubbed.${dir##*/}" 1
        else
            file "scrubbed.${dir##*/}" "/var/lib/btrfs/scrub.status.${dir##*/}"
        fi
    done
    [ -z "$btrfs_show" ] || job btrfs.show 8 btrfs filesystem show -m
}

storage() {
    zfs_pools
    btrfs_stores
}
