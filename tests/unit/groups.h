/**
 * groups.h - to which group of sources (collect.h) a frame of the collector belongs. The collector
 * itself is checked against this table, and what preconditions say that they read as well.
 */
#ifndef NG_TESTS_GROUPS_H
#define NG_TESTS_GROUPS_H

#include <string.h>

#include "runner/base/guard.h"
#include "runner/facts/collect.h"

/* 0: of no group, it is always there. A name that ends in "*" stands for all that begin so. */
static inline unsigned group_of(const char *frame) {
    static const struct {
        const char *name;
        unsigned group;
    } rows[] = {
        {"addresses", NG_GROUP_INTERFACES},
        {"bdi", NG_GROUP_MOUNTS},
        {"block", NG_GROUP_DISKS},
        {"bonding", NG_GROUP_INTERFACES},
        {"btrfs.rooms", NG_GROUP_LOAD},
        {"btrfs.*", NG_GROUP_DISKS},
        {"cgroup", NG_GROUP_IDENTITY},
        {"cifs", NG_GROUP_MOUNTS},
        {"clock", NG_GROUP_CLOCK},
        {"cpufreq", NG_GROUP_LOAD},
        {"cpuinfo", NG_GROUP_IDENTITY},
        {"cpus", NG_GROUP_IDENTITY},
        {"diskstats", NG_GROUP_LOAD},
        {"dmstatus", NG_GROUP_DISKS},
        {"dmtable", NG_GROUP_DISKS},
        {"dsm", NG_GROUP_IDENTITY},
        {"ethtool", NG_GROUP_CARDS},
        {"exportfs", NG_GROUP_SERVERS},
        {"flashcache", NG_GROUP_DISKS},
        {"id", NG_GROUP_IDENTITY},
        {"kernel", NG_GROUP_IDENTITY},
        {"layers", NG_GROUP_DISKS},
        {"lvs", NG_GROUP_DISKS},
        {"markers", NG_GROUP_IDENTITY},
        {"md", NG_GROUP_DISKS},
        {"mdstat", NG_GROUP_DISKS},
        {"model", NG_GROUP_IDENTITY},
        {"mountstats", NG_GROUP_MOUNTS},
        {"net", NG_GROUP_INTERFACES},
        {"nfsd*", NG_GROUP_SERVERS},
        {"nfsfs.*", NG_GROUP_MOUNTS},
        {"nic.*", NG_GROUP_CARDS},
        {"os-release", NG_GROUP_IDENTITY},
        {"pressure.*", NG_GROUP_LOAD},
        {"qdiscs", NG_GROUP_CARDS},
        {"qts", NG_GROUP_IDENTITY},
        {"scrub*", NG_GROUP_DISKS},
        {"smb*", NG_GROUP_SERVERS},
        {"syno_*", NG_GROUP_IDENTITY},
        {"sysctls", NG_GROUP_SYSCTLS},
        {"testparm*", NG_GROUP_SERVERS},
        {"uname", NG_GROUP_IDENTITY},
        {"unraid", NG_GROUP_IDENTITY},
        {"unraid.shares", NG_GROUP_DISKS},
        {"uptime.text", NG_GROUP_LOAD},
        {"vendor", NG_GROUP_IDENTITY},
        {"version", NG_GROUP_IDENTITY},
        {"vlans", NG_GROUP_INTERFACES},
        {"volumeconf", NG_GROUP_DISKS},
        {"zfs*", NG_GROUP_DISKS},
        {"zpool*", NG_GROUP_DISKS},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const size_t len = strcspn(rows[i].name, "*");
        const bool prefix = rows[i].name[len] == '*';
        if (strncmp(frame, rows[i].name, len) == 0 && (prefix || frame[len] == '\0')) {
            return rows[i].group;
        }
    }
    return 0;
}

#endif
