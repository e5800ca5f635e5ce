/**
 * lvm.h - LVM, as lvs, pvs and vgs report it.
 *
 * Read are `--reportformat json` (LVM 2.02.158 and later; all values are texts, "" for what does
 * not apply; a volume of several segments has several rows) and, of older ones, lines of
 * NG_LVM_TEXT_FIELDS with "|" between. Sizes are in bytes (`--units b`, with or without the "B").
 * Letters of lv_attr: lvs(8); the report's fields: lvmreport(7).
 */
#ifndef NG_FACTS_LVM_H
#define NG_FACTS_LVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/answer.h"

enum { NG_LVM_ITEMS_MAX = 4096, NG_LVM_DEVICES_MAX = 1024 };

#define NG_LVM_TEXT_FIELDS "vg_name,lv_name,segtype,lv_attr,lv_size,copy_percent,devices"

/** A logical volume. Texts are clean, never NULL, "" for what does not apply or was not told. */
struct ng_lvm_volume {
    const char *group, *name; /* without the brackets of those that LVM hides */
    bool hidden;              /* a part of another volume: "[data_rimage_0]" */
    const char *type;         /* "raid1", "linear", "thin-pool", "cache" */
    const char *attr;         /* "rwi-aor---" */
    const char *action;       /* raid_sync_action */
    const char *health;       /* lv_health_status: "partial", "refresh needed" ... */
    const char *cache_mode, *cache_policy;
    int64_t size;         /* bytes; -1: not told, as all numbers */
    double sync;          /* sync_percent or copy_percent; of a cache that is no copying */
    int64_t mismatches;   /* raid_mismatch_count */
    int64_t cache_dirty;  /* blocks */
    int64_t missing;      /* vg_missing_pv_count of its group */
    const char **devices; /* of all segments: "/dev/sda1", "[unknown]", a hidden volume */
    size_t device_count, device_capacity;
};

struct ng_lvm_device {
    const char *name, *group, *attr; /* pv_name, vg_name, pv_attr */
    bool missing;                    /* the third letter of attr, or a name that is unknown */
};

struct ng_lvm_group {
    const char *name, *attr;
    int64_t missing; /* vg_missing_pv_count; -1: not told */
    bool partial;    /* the fourth letter of attr */
};

struct ng_lvm {
    bool known;      /* a report was read to its end */
    const char *why; /* why it is not known, or not all of it; NULL */
    struct ng_lvm_volume *volumes;
    size_t count, capacity;
    struct ng_lvm_device *devices;
    size_t device_count, device_capacity;
    struct ng_lvm_group *groups;
    size_t group_count, group_capacity;
};

/** Adds what a report says. What stands before the document (warnings on stdout) is ignored. */
void ng_lvm_parse(struct ng_lvm *lvm, struct ng_arena *arena, const char *text, size_t len);
const struct ng_lvm_volume *ng_lvm_find(
    const struct ng_lvm *lvm, const char *group, const char *volume);
/** Whether it copies, checks, merges or is converted now. *what is set for yes: a word of actions;
 * *why says what was seen, for yes and unknown. */
enum ng_answer ng_lvm_busy(const struct ng_lvm_volume *volume, struct ng_arena *arena,
    const char **what, const char **why);
/** Whether something of it is missing, out of sync, full or failed. */
enum ng_answer ng_lvm_degraded(
    const struct ng_lvm_volume *volume, struct ng_arena *arena, const char **why);
/** True for types that keep copies or parity, whose `sync` is a share of copying. */
bool ng_lvm_is_copied(const struct ng_lvm_volume *volume);

#endif
