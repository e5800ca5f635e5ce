# collector_links.sh - the part of the collector that looks at links: interfaces and their layers,
# cards, routes, settings. Functions only; collector.sh comes behind it and calls them.

net_files() {
    for dir in /sys/class/net/*; do
        [ -d "$dir" ] || continue
        name=${dir##*/}
        for item in mtu speed duplex operstate carrier carrier_changes bonding/slaves \
            statistics/rx_bytes statistics/tx_bytes statistics/rx_packets statistics/tx_packets \
            statistics/rx_errors statistics/tx_errors statistics/rx_dropped \
            statistics/tx_dropped statistics/rx_crc_errors statistics/rx_missed_errors \
            statistics/multicast; do
            value "$name/$item" "$dir/$item"
        done
        [ -e "$dir/device" ] && printf '%s/device\t\n' "$name"
        for item in "$dir"/lower_*; do
            [ -e "$item" ] && printf '%s/lower/%s\t\n' "$name" "${item##*/lower_}"
        done
        for item in "$dir"/brif/*; do
            [ -e "$item" ] && printf '%s/brif/%s\t\n' "$name" "${item##*/}"
        done
        while IFS= read -r line; do
            case $line in
            DEVTYPE=*) printf '%s/devtype\t%s\n' "$name" "${line#DEVTYPE=}" ;;
            esac
        done <"$dir/uevent"
    done
    return 0
}

bonding_files() {
    for item in /proc/net/bonding/*; do
        [ -r "$item" ] || continue
        while IFS= read -r line || [ -n "$line" ]; do
            printf '%s\t%s\n' "${item##*/}" "$line"
        done <"$item"
    done
    return 0
}

# The settings that a report needs to be understood, and those that were asked for, as PATH:VALUE;
# !PATH where it is there but cannot be read. Some shells read one byte at a time, and such files
# give their first byte only to those: one process reads them all.
# usage: sysctl_files PATH...
sysctl_files() {
    cd /proc/sys || return 1
    list=
    for item in net/core/rmem_max net/core/wmem_max net/core/rmem_default net/core/wmem_default \
        net/core/netdev_max_backlog net/core/default_qdisc net/ipv4/tcp_rmem net/ipv4/tcp_wmem \
        net/ipv4/tcp_congestion_control net/ipv4/tcp_mtu_probing net/ipv4/ip_no_pmtu_disc \
        vm/dirty_ratio vm/dirty_background_ratio vm/dirty_bytes vm/dirty_background_bytes \
        dev/raid/speed_limit_min dev/raid/speed_limit_max "$@"; do
        if [ -r "$item" ]; then
            list="$list $item"
        elif [ -e "$item" ]; then
            printf '!%s:\n' "$item"
        fi
    done
    # shellcheck disable=SC2086 # names of settings have no blanks
    grep '' /dev/null $list
    return 0
}

# usage: nics INTERFACE...
nics() {
    number=0
    for nic in "$@"; do
        [ -e "/sys/class/net/$nic" ] || continue
        number=$((number + 1))
        [ "$number" -le 24 ] || break
        printf '%s' "$nic" >"nic.$number.name"
        frame "nic.$number.name" "nic.$number.name" 0
        job "nic.$number.settings" 8 ethtool "$nic"
        job "nic.$number.rings" 8 ethtool -g "$nic"
        job "nic.$number.features" 8 ethtool -k "$nic"
        job "nic.$number.pause" 8 ethtool -a "$nic"
        job "nic.$number.coalesce" 8 ethtool -c "$nic"
        job "nic.$number.driver" 8 ethtool -i "$nic"
        job "nic.$number.stats" 8 ethtool -S "$nic"
    done
}

# What only those want to know who measure a link. An interface "/" is every card.
# usage: links INTERFACE...
links() {
    [ $# -gt 0 ] || return 0
    if command -v tc >/dev/null; then job qdiscs 8 tc qdisc show; else note A qdiscs; fi
    if ! command -v ethtool >ethtool.path; then
        note A ethtool
        return 0
    fi
    frame ethtool ethtool.path 0
    nic_list=
    for nic in "$@"; do
        if [ "$nic" != / ]; then
            nic_list="$nic_list $nic"
            continue
        fi
        for item in /sys/class/net/*/device; do
            [ -e "$item" ] || continue
            item=${item%/device}
            case " $nic_list " in
            *" ${item##*/} "*) ;;
            *) nic_list="$nic_list ${item##*/}" ;;
            esac
        done
    done
    depth=0
    while [ "$depth" -lt 4 ]; do
        for nic in $nic_list; do
            below "$nic"
        done
        depth=$((depth + 1))
    done
    # shellcheck disable=SC2086 # names of interfaces have no blanks
    nics $nic_list
}

# usage: routes ADDRESS...
routes() {
    number=0
    for peer in "$@"; do
        number=$((number + 1))
        printf '%s' "$peer" >"route.$number.peer"
        frame "route.$number.peer" "route.$number.peer" 0
        case $peer in
        *:*) job "route.$number.get" 8 ip -6 route get "$peer" ;;
        *) job "route.$number.get" 8 ip route get "$peer" ;;
        esac
    done
}
