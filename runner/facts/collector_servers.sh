# collector_servers.sh - the part of the collector that looks at file servers, and at the mounts of
# their clients. Functions only; collector.sh comes behind it and calls them.

# mountinfo without names of users and passwords: they are no part of any conclusion.
mount_lines() {
    sed -e 's/\([ ,]\)\(user[a-z]*\)=[^, ]*/\1\2=***/g' -e 's/\([ ,]domain\)=[^, ]*/\1=***/g' \
        -e 's/\([ ,]pass[a-z0-9]*\)=[^,]*/\1=***/g' /proc/self/mountinfo
}

# Only the lines that are read: the counters of each kind of call are many.
mount_statistics() {
    grep -E '^(no )?device |^[[:space:]]*(opts|age|bytes|xprt):' /proc/self/mountstats
    return 0
}

# Of network mounts: those of disks are known by their queues.
read_aheads() {
    for dir in /sys/class/bdi/0:*; do
        value "${dir##*/}" "$dir/read_ahead_kb"
    done
    return 0
}

network_mounts() {
    if [ -e /proc/self/mountstats ]; then
        job mountstats 8 mount_statistics
    else
        note A mountstats
    fi
    if [ -d /proc/fs/nfsfs ]; then
        file nfsfs.servers /proc/fs/nfsfs/servers
        file nfsfs.volumes /proc/fs/nfsfs/volumes
    fi
    if [ -e /proc/fs/cifs/DebugData ]; then
        job cifs 8 cat /proc/fs/cifs/DebugData
    else
        note A cifs
    fi
    set -- /sys/class/bdi/0:*
    [ ! -d "$1" ] || job bdi 8 read_aheads
}

nfsd_files() {
    for item in threads max_block_size versions; do
        value "$item" "/proc/fs/nfsd/$item"
    done
    return 0
}

nfs_server() {
    if [ ! -e /proc/fs/nfsd/threads ] && [ ! -e /proc/net/rpc/nfsd ]; then
        note A nfsd
        return 0
    fi
    job nfsd 8 nfsd_files
    file nfsd.rpc /proc/net/rpc/nfsd
    file nfsd.etab /var/lib/nfs/etab
    is_wanted nfsd || return 0
    if command -v exportfs >/dev/null; then job exportfs 8 exportfs -v; else note A exportfs; fi
}

# When the configuration was changed, and what it includes: testparm shows neither.
smb_files() {
    for item in /etc/samba/smb.conf /etc/config/smb.conf /usr/local/etc/smb4.conf \
        /usr/local/samba/lib/smb.conf /usr/local/samba/etc/smb.conf; do
        [ -r "$item" ] || continue
        printf 'changed\t%s\t%s\n' "$item" "$(stat -c %Y "$item")"
        grep -i '^[[:space:]]*include[[:space:]]*=' "$item" | while IFS= read -r line; do
            printf 'include\t%s\t%s\n' "$item" "$line"
        done
    done
    return 0
}

# Without the names of users. An old smbstatus does not know the option and prints how it is used.
smb_sessions() {
    if smbstatus --json >smbstatus.json && [ -s smbstatus.json ]; then
        sed -e 's/"\(user\|group\)name": *"[^"]*"/"\1name": "***"/g' smbstatus.json
    else
        smbstatus -p >smbstatus.text
        rc=$?
        sed -e 's/^\([0-9][0-9:]*  *\)[^ ][^ ]*/\1***/' smbstatus.text
        return "$rc"
    fi
}

samba_server() {
    is_wanted samba || return 0
    PATH=$PATH:/usr/local/samba/bin:/usr/local/samba/sbin
    job smb.conf 8 smb_files
    if command -v testparm >/dev/null; then job testparm 8 testparm -sv; else note A testparm; fi
    if command -v smbstatus >/dev/null; then
        job smbstatus 8 smb_sessions
    else
        note A smbstatus
    fi
}
