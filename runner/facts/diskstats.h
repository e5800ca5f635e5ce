/**
 * diskstats.h - /proc/diskstats and /proc/net/dev: bytes that went over disks and interfaces.
 */
#ifndef NG_FACTS_DISKSTATS_H
#define NG_FACTS_DISKSTATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"

enum { NG_FLOWS_MAX = 16384 };

/** What one device has moved since it is there. */
struct ng_flow {
    const char *name; /* clean enough for a report: a word */
    uint64_t in, out; /* bytes: read and written, received and sent */
};

struct ng_flows {
    struct ng_flow *items;
    size_t count, capacity;
    size_t bad; /* lines that were not understood */
};

/** Lines of 14, 18 or 20 fields, and of 7 for partitions of kernels before 2.6.25. Sectors are
 * always 512 bytes. */
void ng_diskstats_parse(
    struct ng_flows *flows, struct ng_arena *arena, const char *text, size_t len);
/** /proc/net/dev. */
void ng_netdev_parse(struct ng_flows *flows, struct ng_arena *arena, const char *text, size_t len);
const struct ng_flow *ng_flows_find(const struct ng_flows *flows, const char *name);
/** Whether it is a disk of its own: no partition of another one that is listed, no md, dm, loop,
 * ram or zram device, no optical or floppy drive. */
bool ng_flow_is_disk(const struct ng_flows *flows, const char *name);

#endif
