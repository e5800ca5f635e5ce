/**
 * mount_seen.h - the active probe of `mounted`: a small file that is written on the volume is seen
 * by the server below the path that it exports, and is removed again. Proves the path, and catches
 * what no option tells: another export, another server behind the name, something mounted over the
 * export there.
 */
#ifndef NG_CONDITIONS_MOUNT_SEEN_H
#define NG_CONDITIONS_MOUNT_SEEN_H

#include "runner/conditions/outcome.h"

/** What the server must be asked for, where the plan says which host it is and what it exports. */
void ng_mount_seen_needs(
    const struct ng_plan *plan, const struct ng_volume *volume, struct ng_collect_needs *by_host);
/** Wants the next probe: write, look, remove. None where the volume is no network mount that can be
 * written to, or the server's path is not known. */
void ng_mount_seen_probes(const struct ng_condition_site *site, const struct ng_volume *volume,
    struct ng_probe_list *wanted);
/** Says what was seen; nothing where nothing was asked. */
void ng_mount_seen_judge(struct ng_outcome *outcome, const struct ng_volume *volume);

#endif
