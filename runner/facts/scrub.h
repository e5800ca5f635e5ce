/**
 * scrub.h - whether a btrfs is being scrubbed; used by facts.c alone.
 *
 * Nothing in sysfs tells it. Whoever scrubs stays in one call of the kernel until it is done, so
 * that a look at the processes can exclude it; root can ask btrfs itself; and the status file of
 * btrfs-progs tells how the last one ended.
 */
#ifndef NG_FACTS_SCRUB_H
#define NG_FACTS_SCRUB_H

#include "runner/facts/facts.h"

/** Fills scrub and scrub_why of all facts->blocks.works. */
void ng_scrub_read(struct ng_facts *facts, struct ng_arena *arena);
/** Who may be at work on a btrfs, by the processes: no where all were seen and none is, yes with
 * one that is in *who (clean), unknown where not all can be seen (a container, hidden processes).
 * The collector's own are left out. */
enum ng_answer ng_btrfs_tasks(
    const struct ng_facts *facts, struct ng_arena *arena, const char **who);
/** What `btrfs scrub status` says of its devices, old words and new ones. */
enum ng_answer ng_scrub_status(const char *text, size_t len);
/** What the status file says: no for scrubs that all have ended. One that was killed by a crash is
 *  left there as if it ran, which is unknown. */
enum ng_answer ng_scrub_file(const char *text, size_t len);

#endif
