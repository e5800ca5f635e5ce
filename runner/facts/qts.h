/**
 * qts.h - what QTS writes down about its volumes: /etc/volume.conf.
 */
#ifndef NG_FACTS_QTS_H
#define NG_FACTS_QTS_H

#include <stddef.h>

#include "runner/base/arena.h"
#include "runner/facts/answer.h"

enum { NG_QTS_VOLUMES_MAX = 256 };

struct ng_qts_volume {
    const char *name;         /* of its section: "VOL_1" */
    const char *mapping;      /* "/dev/mapper/cachedev1"; NULL: not told */
    enum ng_answer ssd_cache; /* ssdCache */
};

struct ng_qts {
    struct ng_qts_volume *items;
    size_t count, capacity;
};

/** Sections `[VOL_1]` of lines `key = value`. */
void ng_qts_parse(struct ng_qts *qts, struct ng_arena *arena, const char *text, size_t len);
/** Whether the volume on that dm device has a cache, as it is written down. */
enum ng_answer ng_qts_has_cache(const struct ng_qts *qts, const char *dm_name);

#endif
