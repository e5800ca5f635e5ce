/**
 * volume.h - the run's own folder on each volume that it works on.
 *
 * Nothing is ever written outside of it, and only a folder whose marker file holds this run's id is
 * removed. Both go through the transport, on the volume's host. What becomes of it when the run is
 * killed: keeper.h.
 */
#ifndef NG_EXECUTE_VOLUME_H
#define NG_EXECUTE_VOLUME_H

#include "runner/execute/context.h"

extern const unsigned char ng_volume_sh[];
extern const size_t ng_volume_sh_len;

/** Makes the folder and tries a 4 KiB direct write; fills run->volumes[]. On failure the volume's
 *  `failed` says why, and phases on it end as errors. */
void ng_volumes_prepare(struct ng_run *run);

/** Removes the folders that were made, also after an interrupt. What could not be removed makes the
 * lab "not restored" and is said with what to do. */
void ng_volumes_remove(struct ng_run *run);

/** The value of a `KEY=value` line that volume.sh has printed, cleaned, or NULL. `from`, unless
 * NULL, continues a search. */
char *ng_volume_answer(
    struct ng_arena *arena, const struct ng_reply *reply, const char *key, const char **from);

/** The state of a volume in this run. */
struct ng_volume_state *ng_volume_state(struct ng_run *run, const struct ng_volume *volume);

#endif
