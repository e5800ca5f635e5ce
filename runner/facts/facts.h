/**
 * facts.h - all that is known about one host at one time.
 *
 * Made by ng_facts_parse (collect.h), lives in the arena given there, is never changed. Unknown is
 * a value everywhere: NULL, 0 or -1 as each member says, with the reason beside it. Texts that come
 * from the host are clean (ng_text_clean) where they are meant for a report, raw in `frames`.
 */
#ifndef NG_FACTS_FACTS_H
#define NG_FACTS_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/answer.h"
#include "runner/facts/arrays.h"
#include "runner/facts/bcache.h"
#include "runner/facts/block.h"
#include "runner/facts/bonding.h"
#include "runner/facts/btrfs_room.h"
#include "runner/facts/busy.h"
#include "runner/facts/ethtool.h"
#include "runner/facts/flashcache.h"
#include "runner/facts/frame.h"
#include "runner/facts/lvm.h"
#include "runner/facts/mdstat.h"
#include "runner/facts/mountinfo.h"
#include "runner/facts/netif.h"
#include "runner/facts/path.h"
#include "runner/facts/platform.h"
#include "runner/facts/qdisc.h"
#include "runner/facts/qts.h"
#include "runner/facts/route.h"
#include "runner/facts/servers.h"
#include "runner/facts/sysctl.h"
#include "runner/facts/tools.h"
#include "runner/facts/unraid.h"
#include "runner/facts/wallclock.h"
#include "runner/facts/zpool.h"

/** A named text, ready for a report. */
struct ng_fact {
    const char *
        key; /* "os", "kernel", "platform", "cpu", "cores", "memory", "uptime", "load", "fio" ... */
    const char *value;
};

struct ng_facts {
    const char *host;   /* the plan's word for it */
    const char *reason; /* why the host could not be asked at all, or NULL */
    struct ng_frames frames;

    struct ng_fact *environment; /* for the report */
    size_t environment_count, environment_capacity;

    enum ng_platform platform;
    const char *boot_id; /* of the running kernel, clean; NULL: unknown */
    enum ng_answer container;
    enum ng_answer virtual_machine;
    enum ng_answer root; /* the commands run as root */
    int64_t ram;         /* MemTotal, bytes; 0: unknown */
    int64_t ram_cached;  /* Cached, bytes; -1: unknown */
    int cores;           /* online; 0: unknown */
    double load1;        /* -1: unknown */

    struct ng_mounts mounts;
    const char *mounts_why; /* why the mounts are unknown, or NULL */
    struct ng_md md;
    struct ng_arrays arrays; /* all that keeps data over disks, md as well */
    struct ng_netifs netifs;
    struct ng_bonds bonds;
    struct ng_nics nics;     /* of the interfaces that were asked for, and the devices below them */
    const char *ethtool_why; /* why ethtool could not be asked at all, or NULL */
    struct ng_qdiscs qdiscs;
    struct ng_routes routes; /* to the peers that were asked for */
    struct ng_sysctls sysctls;
    const char *sysctls_why;   /* why none is known, or NULL */
    struct ng_wallclock clock; /* when the collector ran; ns -1: unknown */
    struct ng_blocks blocks;
    struct ng_bcache bcache;
    struct ng_flashcaches flashcaches;     /* of /proc/flashcache; none: there is no such folder */
    struct ng_lvm lvm;                     /* asked of root alone, where LVM has devices */
    struct ng_qts qts;                     /* volumes as QTS writes them down */
    struct ng_unraid_shares unraid_shares; /* none: no Unraid, or not read */
    struct ng_zpools zpools;
    bool zfs_absent; /* the kernel has no ZFS now */
    struct ng_zfs_arc arc;
    struct ng_servers servers;
    struct ng_busy load;
    struct ng_btrfs_rooms btrfs_rooms;
    struct ng_path *paths;
    size_t path_count, path_capacity;
    struct ng_tool *tools;
    size_t tool_count, tool_capacity;
};

/** What is known of a path or tool that was asked for; one with everything unknown where it was
 * not. */
const struct ng_path *ng_facts_path(
    const struct ng_facts *facts, struct ng_arena *arena, const char *path);
const struct ng_tool *ng_facts_tool(
    const struct ng_facts *facts, struct ng_arena *arena, const char *tool);
/** The value of a setting, by its path below /proc/sys; else NULL, and `why` says why not. */
const char *ng_facts_sysctl(
    const struct ng_facts *facts, struct ng_arena *arena, const char *path, const char **why);
/** The mount that a path lies on, symbolic links resolved where that is known; NULL: unknown. */
const struct ng_mount *ng_facts_mount(const struct ng_facts *facts, const char *path);

#endif
