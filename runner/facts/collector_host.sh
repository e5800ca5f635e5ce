# collector_host.sh - the part of the collector that tells what kind of machine a host is. Functions
# only; collector.sh comes behind it and calls them.

# The processor's name stands near the top; the whole file is long on large machines.
cpu_lines() {
    count=0
    while [ "$count" -lt 40 ] && IFS= read -r line; do
        printf '%s\n' "$line"
        case $line in
        flags* | Hardware*) break ;;
        esac
        count=$((count + 1))
    done </proc/cpuinfo
    return 0
}

# Files whose mere presence says something, by a word each. The contents of some hold secrets.
seen_files() {
    if [ -e /etc/config/uLinux.conf ] || [ -e /sbin/getcfg ]; then echo qts; fi
    [ -e /etc/openmediavault/config.xml ] && echo omv
    [ -e /etc/openwrt_release ] && echo openwrt
    [ -e /usr/bin/midclt ] && echo midclt
    if [ -e /proc/mdcmd ] || [ -e /var/local/emhttp ]; then echo mdcmd; fi
    [ -w /proc/sys/vm/drop_caches ] && echo drop_caches
    [ -e /proc/spl/kstat/zfs/arcstats ] && echo arc
    if [ -e /sys/hypervisor/type ] || [ -e /proc/device-tree/hypervisor ]; then echo hypervisor; fi
    for item in /.dockerenv /run/.containerenv /run/systemd/container; do
        [ -e "$item" ] && echo container
    done
    # Whether the running kernel has md at all, told by what containers do not hide.
    [ -e /sys/module/kernel ] && echo modules
    [ -e /sys/module/md_mod ] && echo md_mod
    return 0
}

identity() {
    file uptime /proc/uptime
    file boot_id /proc/sys/kernel/random/boot_id
    file loadavg /proc/loadavg
    file meminfo /proc/meminfo
    reads identity || return 0
    seen_files >markers
    frame markers markers 0
    file os-release /etc/os-release
    for item in /etc.defaults/VERSION /etc/VERSION; do
        [ -e "$item" ] && file dsm "$item" && break
    done
    [ -e /etc/unraid-version ] && file unraid /etc/unraid-version
    [ -e /etc/version ] && file version /etc/version
    [ -e /proc/sys/kernel/syno_hw_version ] && file syno_hw /proc/sys/kernel/syno_hw_version
    for item in /etc.defaults/synoinfo.conf /etc/synoinfo.conf; do
        [ -e "$item" ] && job syno_unique 8 grep '^unique=' "$item" && break
    done
    if [ -e /etc/config/uLinux.conf ]; then
        job qts 8 grep -E '^(Model|Internal Model|Version|Build Number) *=' /etc/config/uLinux.conf
    fi
    if [ -e /proc/device-tree/model ]; then
        file model /proc/device-tree/model
    elif [ -e /sys/class/dmi/id/product_name ]; then
        file vendor /sys/class/dmi/id/sys_vendor
        file model /sys/class/dmi/id/product_name
    fi
    file cgroup /proc/1/cgroup
    file kernel /proc/version
    file cpus /sys/devices/system/cpu/online
    cpu_lines >cpuinfo
    frame cpuinfo cpuinfo 0
}
