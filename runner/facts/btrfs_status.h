/**
 * btrfs_status.h - what the btrfs tool prints of one file system: scrub, balance, replace, quota
 * rescan, device stats, filesystem show. The words are those of btrfs-progs 4.0 to 6.x.
 */
#ifndef NG_FACTS_BTRFS_STATUS_H
#define NG_FACTS_BTRFS_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/answer.h"

/** One kind of work. */
struct ng_btrfs_job {
    enum ng_answer runs; /* unknown: the text is not understood */
    bool paused;         /* begun, held back, and may go on: then `runs` is no */
    double percent;      /* -1: not told */
    int64_t left_ns;     /* -1: not told */
    const char *last;    /* when it began and ended, as printed, clean; "" */
    const char *errors;  /* what it counted, clean, or NULL for none */
};

/** `btrfs scrub status`, old words and new ones, of one or several devices. */
struct ng_btrfs_job ng_btrfs_scrub_parse(struct ng_arena *arena, const char *text, size_t len);
/** `btrfs balance status`, whose exit status is 1 while one runs or is paused. */
struct ng_btrfs_job ng_btrfs_balance_parse(struct ng_arena *arena, const char *text, size_t len);
/** `btrfs replace status -1` */
struct ng_btrfs_job ng_btrfs_replace_parse(struct ng_arena *arena, const char *text, size_t len);
/** `btrfs quota rescan -s` */
struct ng_btrfs_job ng_btrfs_rescan_parse(struct ng_arena *arena, const char *text, size_t len);

/** `btrfs device stats` */
struct ng_btrfs_stats {
    size_t devices;    /* that it tells of; 0: the text is not understood */
    size_t missing;    /* of these */
    const char *erred; /* "sda: read_io_errs 3, ..." of counters above zero, clean, or NULL: they
                          stay until somebody resets them */
};
struct ng_btrfs_stats ng_btrfs_stats_parse(struct ng_arena *arena, const char *text, size_t len);

/** Whether a device of the file system `uuid` is missing, by `btrfs filesystem show`; unknown where
 * it is not listed or its list is not whole. */
enum ng_answer ng_btrfs_show_missing(const char *uuid, const char *text, size_t len);

#endif
