/**
 * head.h - the first line of an evidence index: all that a replay must know and no command printed.
 */
#ifndef NG_TRANSPORT_HEAD_H
#define NG_TRANSPORT_HEAD_H

#include <jansson.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/base/err.h"

enum { NG_HEAD_WORDS_MAX = 1024 };

struct ng_evidence_head {
    const char *run_id;
    uint64_t seed;
    int64_t started_wall_ns;     /* when the run's own clock stood at zero */
    const char *version;         /* of the nasgate that recorded */
    const char *plan_file;       /* as reports call it */
    const char *plan_digest;     /* SHA-256 of the plan's text */
    const char *baseline_digest; /* SHA-256 of the bundle's baseline.json; NULL: no baseline */
    const char *const *settings; /* "NAME=VALUE" of every -p, NULL-terminated; NULL: none */
    const char *const *only;     /* phases that were chosen, NULL-terminated; NULL: all */
    const char *who;             /* takes leases: "ci@runner-3"; NULL: none is taken */
    const char *job;             /* address of the CI job; NULL: none */
    const char *const *scripts;  /* "DIGEST  lua/NAME" of each file of Lua in the bundle; or NULL */
    const char *junit;           /* dialect of the JUnit report; NULL: the usual one */
};

/** A new JSON object: {"format","version",...}; see reports/schemas/evidence.md. */
json_t *ng_head_write(const struct ng_evidence_head *head);
/** Reads it back into an arena. An older version may lack members that it did not know yet. */
bool ng_head_read(
    const json_t *line, struct ng_arena *arena, struct ng_evidence_head *head, struct ng_err *err);

#endif
