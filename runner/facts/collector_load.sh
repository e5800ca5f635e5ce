# collector_load.sh - the part of the collector that looks at how busy a host is. Functions only;
# collector.sh comes behind it and calls them.

# One process reads all, since some shells read a byte at a time. What cannot be read has no line.
cpufreq_files() {
    cd /sys/devices/system/cpu || return 1
    set -- cpufreq/policy*
    [ -d "$1" ] || set -- cpu[0-9]*/cpufreq
    list=
    for dir in "$@"; do
        [ -d "$dir" ] || continue
        printf '%s/:\n' "$dir"
        for item in scaling_governor scaling_driver energy_performance_preference \
            scaling_min_freq scaling_max_freq cpuinfo_max_freq; do
            [ -r "$dir/$item" ] && list="$list $dir/$item"
        done
    done
    for item in cpufreq/boost intel_pstate/no_turbo; do
        [ -r "$item" ] && list="$list $item"
    done
    # shellcheck disable=SC2086 # names of processors have no blanks
    [ -z "$list" ] || grep '' /dev/null $list
    return 0
}

has_cpufreq() {
    for item in /sys/devices/system/cpu/cpufreq/policy* /sys/devices/system/cpu/cpu[0-9]*/cpufreq; do
        [ -d "$item" ] && return 0
    done
    return 1
}

# Processes come and go while they are listed.
task_list() {
    cat /proc/[0-9]*/stat
    return 0
}

# The command lines that hold one of the names: their program and the words with the name, and
# nothing else, because command lines hold secrets. Our own have the token.
# usage: task_words NAME...
task_words() {
    fixed=
    for name in "$@"; do
        fixed="$fixed -e $name"
    done
    count=0
    # shellcheck disable=SC2013,SC2086,SC2154 # no blanks in these; the token is main's
    for item in $(grep -l -F $fixed /proc/[0-9]*/cmdline); do
        grep -q -F -e "$token" "$item" && continue
        count=$((count + 1))
        if [ "$count" -gt 64 ]; then
            echo '!cut'
            break
        fi
        pid=${item%/cmdline}
        tr '\000' '\n' <"$item" | head -n 12 | grep -n '' | grep -e '^1:' $fixed |
            sed -e 's/ -.*//' -e 's/=.*/=***/' -e "s/^/${pid##*/}:/"
    done
    return 0
}

# What is available on btrfs is an estimate: its room for metadata counts as well.
btrfs_rooms() {
    cd /sys/fs/btrfs || return 1
    list=
    for dir in *-*-*-*-*/allocation/*; do
        for item in total_bytes bytes_used disk_total; do
            [ -r "$dir/$item" ] && list="$list $dir/$item"
        done
    done
    # shellcheck disable=SC2086 # names of btrfs have no blanks
    [ -z "$list" ] || grep '' /dev/null $list
    return 0
}

counters() {
    file diskstats /proc/diskstats
    for item in cpu io memory; do
        file "pressure.$item" "/proc/pressure/$item"
    done
    if has_cpufreq; then
        job cpufreq 8 cpufreq_files
    else
        note A cpufreq
    fi
    [ ! -d /sys/fs/btrfs ] || job btrfs.rooms 8 btrfs_rooms
    [ -e /proc/loadavg ] || job uptime.text 8 uptime
}

# usage: load NAME..., of jobs to look for
load() {
    reads load && counters
    if is_wanted tasks; then
        job tasks 8 task_list
        [ $# -eq 0 ] || job tasks.words 8 task_words "$@"
    fi
}
