# collector_volumes.sh - the part of the collector that looks at layers of block devices: device
# mapper, LVM, bcache, flashcache. Functions only; collector.sh comes behind it and calls them.

# All lines of a small file, each behind its label.
lines() {
    [ -r "$2" ] || return 0
    while IFS= read -r line || [ -n "$line" ]; do
        printf '%s\t%s\n' "$1" "$line"
    done <"$2"
    return 0
}

# What only caches and their disks have, besides the files of every block device.
layer_files() {
    for dir in /sys/block/*; do
        disk=${dir##*/}
        case $disk in
        sd* | hd* | nvme* | mmcblk*)
            value "block/$disk/device/vendor" "$dir/device/vendor"
            value "block/$disk/device/model" "$dir/device/model"
            ;;
        md*) [ -e "$dir/md/journal_mode" ] && lines "block/$disk/md/journal_mode" "$dir/md/journal_mode" ;;
        bcache*)
            for item in writeback_running writeback_percent stats_total/cache_hits \
                stats_total/cache_misses stats_total/bypassed; do
                value "block/$disk/bcache/$item" "$dir/bcache/$item"
            done
            lines "block/$disk/bcache/writeback_rate_debug" "$dir/bcache/writeback_rate_debug"
            ;;
        esac
    done
    for dir in /sys/fs/bcache/*-*-*-*-*; do
        [ -d "$dir" ] || continue
        cache_set "${dir##*/}" "$dir"
    done
    return 0
}

# A cache set of bcache with its devices, whose names are those of the folders behind the links.
# usage: cache_set UUID FOLDER
cache_set() {
    for item in congested_read_threshold_us congested_write_threshold_us; do
        value "bcache/$1/$item" "$2/$item"
    done
    for item in "$2"/cache[0-9]* "$2"/bdev[0-9]*; do
        [ -d "$item" ] || continue
        value "bcache/$1/${item##*/}/io_errors" "$item/io_errors"
        cd -P "$item/.." && printf 'bcache/%s/%s/device\t%s\n' "$1" "${item##*/}" "${PWD##*/}"
    done
    return 0
}

flashcache_files() {
    for dir in /proc/flashcache/*; do
        [ -d "$dir" ] || continue
        for item in cache_info flashcache_stats flashcache_errors flashcache_progress; do
            lines "${dir##*/}/$item" "$dir/$item"
        done
    done
    for item in /proc/sys/dev/*/skip_seq_thresh_kb /proc/sys/dev/flashcache/*/skip_seq_thresh_kb; do
        [ -e "$item" ] || continue
        dir=${item%/skip_seq_thresh_kb}
        name=${dir##*/}
        name=${name#flashcache_}
        value "$name/sysctl/skip_seq_thresh_kb" "$item"
        value "$name/sysctl/cache_all" "$dir/cache_all"
    done
    return 0
}

# What QTS writes down of its volumes; the rest of the file is nobody's business.
volume_conf() {
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        '['* | mappingName* | ssdCache*) printf '%s\n' "$line" ;;
        esac
    done </etc/volume.conf
    return 0
}

# What Unraid has decided of its user shares; the rest of the file is nobody's business.
unraid_shares() {
    grep -E '^(\["|useCache=|cachePool=)' /var/local/emhttp/shares.ini
    return 0
}

# True when a disk is asleep: lvs reads the labels of all disks and would wake it, hdparm does not.
asleep() {
    command -v hdparm || return 1
    set --
    for dir in /sys/block/sd*; do
        line=
        [ -r "$dir/queue/rotational" ] && IFS= read -r line <"$dir/queue/rotational"
        [ "$line" = 1 ] && set -- "$@" "/dev/${dir##*/}"
    done
    [ $# -gt 0 ] || return 1
    case $(hdparm -C "$@") in
    *standby* | *sleeping*) return 0 ;;
    esac
    return 1
}

# Reports of old versions know neither JSON nor all of the fields.
lvm_volumes() {
    if asleep >/dev/null; then
        echo '!asleep'
        return 0
    fi
    export LVM_SUPPRESS_FD_WARNINGS=1
    lvs -a --reportformat json --units b --nosuffix -o vg_name,lv_name,segtype,lv_attr,lv_size \
        -o +sync_percent,raid_sync_action,raid_mismatch_count,lv_health_status,cache_mode \
        -o +cache_policy,cache_dirty_blocks,vg_missing_pv_count,devices
    rc=$?
    [ "$rc" -eq 3 ] || return "$rc"
    lvs -a --noheadings --separator '|' --units b --nosuffix \
        -o vg_name,lv_name,segtype,lv_attr,lv_size,copy_percent,devices
}

# LVM is asked where it has devices, and may tell: only root can open the device mapper.
lvm_layers() {
    for item in /sys/block/dm-*/dm/uuid; do
        line=
        [ -r "$item" ] && IFS= read -r line <"$item"
        case $line in
        LVM-*) ;;
        *) continue ;;
        esac
        if [ ! -w /dev/mapper/control ]; then
            : # not root: dmsetup says so itself
        elif command -v lvs >/dev/null; then
            job lvs 8 lvm_volumes
        else
            note A lvs
        fi
        return 0
    done
    return 0
}

# Layers of block devices. Where there is no device of a kind nothing is asked: asking would only
# load its driver.
volumes() {
    job layers 8 layer_files
    set -- /sys/block/dm-*
    if [ ! -e "$1" ]; then
        :
    elif command -v dmsetup >/dev/null; then
        job dmtable 8 dmsetup table
        job dmstatus 8 dmsetup status --noflush
    else
        note A dmtable
    fi
    lvm_layers
    [ -d /proc/flashcache ] && job flashcache 8 flashcache_files
    [ -r /etc/volume.conf ] && job volumeconf 8 volume_conf
    [ -r /var/local/emhttp/shares.ini ] && job unraid.shares 8 unraid_shares
    return 0
}
