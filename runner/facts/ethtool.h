/**
 * ethtool.h - what ethtool prints of one interface, by old and new versions alike.
 *
 * Only the text is read: JSON exists for half of the calls and its keys changed. All texts become
 * lists of keys and values in one spelling; a value that was not understood is not in the list,
 * and a list without any value says why.
 */
#ifndef NG_FACTS_ETHTOOL_H
#define NG_FACTS_ETHTOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"

enum { NG_NICS_MAX = 64, NG_NIC_ITEMS_MAX = 512 };

/** Words in lower case with "-" between: "rx", "rx-mini", "adaptive-rx", "rx-negotiated",
 *  "tcp-segmentation-offload", "firmware-version". */
struct ng_nic_item {
    const char *key;
    const char *value; /* clean; "n/a" where the driver has no such thing */
    const char *note;  /* features: "fixed", "requested on"; "" */
};

struct ng_nic_list {
    struct ng_nic_item *items;
    size_t count, capacity;
    const char *why; /* why there is nothing; NULL when there is something */
};

/** `ethtool NAME`. */
struct ng_nic_settings {
    int64_t speed;                          /* bit/s; 0: unknown */
    const char *duplex;                     /* "full", "half", "unknown" */
    const char *autoneg;                    /* "on", "off", "unknown" */
    const char *link;                       /* "yes", "no", "unknown" */
    int64_t supported, advertised, partner; /* the fastest mode, bit/s; 0: not told */
    const char *why;                        /* why nothing is known, or NULL */
};

struct ng_nic {
    const char *name;
    struct ng_nic_settings settings;
    struct ng_nic_list ring_maximums, rings; /* -g */
    struct ng_nic_list features;             /* -k */
    struct ng_nic_list pause;                /* -a */
    struct ng_nic_list coalesce;             /* -c */
    struct ng_nic_list driver;               /* -i */
    struct ng_nic_list stats; /* -S: only names that speak of drops, errors and pauses */
};

struct ng_nics {
    struct ng_nic *items;
    size_t count, capacity;
};

void ng_ethtool_settings(struct ng_nic_settings *settings, const char *text, size_t len);
/** Both blocks of -g. */
void ng_ethtool_rings(struct ng_nic_list *maximums, struct ng_nic_list *current,
    struct ng_arena *arena, const char *text, size_t len);
void ng_ethtool_features(
    struct ng_nic_list *list, struct ng_arena *arena, const char *text, size_t len);
void ng_ethtool_pause(
    struct ng_nic_list *list, struct ng_arena *arena, const char *text, size_t len);
void ng_ethtool_coalesce(
    struct ng_nic_list *list, struct ng_arena *arena, const char *text, size_t len);
void ng_ethtool_driver(
    struct ng_nic_list *list, struct ng_arena *arena, const char *text, size_t len);
void ng_ethtool_stats(
    struct ng_nic_list *list, struct ng_arena *arena, const char *text, size_t len);

const struct ng_nic *ng_nics_find(const struct ng_nics *nics, const char *name);
/** The item of that key, or NULL. */
const struct ng_nic_item *ng_nic_item(const struct ng_nic_list *list, const char *key);
/** Its value, or NULL. */
const char *ng_nic_value(const struct ng_nic_list *list, const char *key);
/** The long name of a feature that is also known by a short one: "gro" is
 * "generic-receive-offload"; any other name is returned as it is. */
const char *ng_feature_name(const char *name);

#endif
