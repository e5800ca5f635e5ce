/**
 * activity.h - the words for what an array can be at work with on its own: one table for the
 * parsers, for what a plan may allow, for messages and for the reference page.
 */
#ifndef NG_FACTS_ACTIVITY_H
#define NG_FACTS_ACTIVITY_H

#include <stddef.h>

/* Sorted. The word, what it means. */
#define NG_ACTIVITIES(X)                                                                           \
    X("balance", "a btrfs moves its data")                                                         \
    X("check", "parity or mirrors are read and compared")                                          \
    X("delayed", "it waits for another array and starts by itself")                                \
    X("expansion", "an array or a pool grows")                                                     \
    X("flush", "a cache writes back what it holds")                                                \
    X("frozen", "work is held back (md: sync_action)")                                             \
    X("initialization", "a new array, disk or file system is written for the first time")          \
    X("paused", "work that was begun and may go on at any time")                                   \
    X("pending", "it starts with the first write")                                                 \
    X("recovery", "a disk is filled anew")                                                         \
    X("remote", "another node of a cluster is at it")                                              \
    X("removal", "data are moved off a disk that leaves")                                          \
    X("repair", "a check that corrects")                                                           \
    X("replace", "a disk is copied onto another")                                                  \
    X("reshape", "level, chunk or number of disks change")                                         \
    X("resilver", "a ZFS fills a disk anew")                                                       \
    X("resync", "mirrors or parity are made equal")                                                \
    X("scrub", "btrfs or ZFS read and verify all data")                                            \
    X("trim", "unused blocks are given back to the disks")

struct ng_activity {
    const char *word;
    const char *help; /* one line */
};

extern const struct ng_activity ng_activities[];
extern const size_t ng_activity_count;
/** NULL for a word that is none of them. */
const struct ng_activity *ng_activity_find(const char *word);

#endif
