/**
 * md_parts.h - what the files of the mdstat parser share; not for others.
 */
#ifndef NG_FACTS_MD_PARTS_H
#define NG_FACTS_MD_PARTS_H

#include "runner/facts/mdstat.h"
#include "runner/facts/scan.h"

/** Why nothing follows from what an array's lines do not say. */
#define NG_MD_NOT_CLOSED "its lines in /proc/mdstat are not complete"

/** The array of that name, made where it is missing; NULL when there are too many. */
struct ng_md_array *ng_md_find_or_add(
    struct ng_md *md, struct ng_arena *arena, struct ng_span name);
/** A progress line ("[=>..]  check = 6.4% (1/2) finish=3min speed=4K/sec") or a state line
 *  ("resync=DELAYED"). False for any other line. */
bool ng_md_work_parse(struct ng_span line, struct ng_arena *arena, struct ng_md_work *work);
/** Unraid's key=value text, and its two answers. */
void ng_md_unraid_parse(struct ng_md_unraid *unraid, struct ng_arena *arena, struct ng_span text);
/** Whether a text is there and is that word. */
bool ng_md_is(const char *text, const char *word);
/** A level that keeps no redundancy, so that there is nothing to rebuild and no counter of it. */
bool ng_md_is_plain(const char *level);
/** Adds to the words of an answer. */
void ng_md_say(struct ng_arena *arena, const char **why, const char *text);
/** Sets per_bay and every_disk by the platform's names. */
void ng_md_set_place(struct ng_md_array *array, enum ng_platform platform);
/** [n/m] [UU_] against each other: false when they cannot both be right or one is missing. */
bool ng_md_counters_agree(const struct ng_md_array *array);
/** "1569888 / 2093056" of sync_completed in percent; -1 for anything else. */
double ng_md_completed(const char *text);
/** The word of activity.h for one of md's ("recover" is "recovery"); NULL: it has none. */
const char *ng_md_activity(const char *action);
/** The answers of a listed array, with sysfs as cross-check. */
void ng_md_judge_busy(struct ng_md_array *array, struct ng_arena *arena);
void ng_md_judge_degraded(
    struct ng_md_array *array, struct ng_arena *arena, enum ng_platform platform);
/** Both answers of an array from sysfs alone. */
void ng_md_judge_sysfs(
    struct ng_md_array *array, struct ng_arena *arena, enum ng_platform platform);

#endif
