/**
 * md_parts.h - what the files of the mdstat parser share; not for others.
 */
#ifndef NG_FACTS_MD_PARTS_H
#define NG_FACTS_MD_PARTS_H

#include "runner/facts/mdstat.h"
#include "runner/facts/scan.h"

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
/** Both answers of an array from sysfs alone. */
void ng_md_judge_sysfs(struct ng_md_array *array, struct ng_arena *arena);

#endif
