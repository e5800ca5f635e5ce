/**
 * tape.h - recorded evidence, read: the head, every command with how it ended, how the run ended.
 *
 * Untrusted input: bounded, and a line that is not understood is an error with its number, except
 * for a last line without an end, which a killed run may leave behind.
 */
#ifndef NG_TRANSPORT_TAPE_H
#define NG_TRANSPORT_TAPE_H

#include "runner/base/arena.h"
#include "runner/base/digest.h"
#include "runner/base/err.h"
#include "runner/transport/head.h"
#include "runner/transport/transport.h"

#define NG_TAPE_TIME_MAX (INT64_C(10) * 365 * 86400 * NG_NS_PER_S) /* ten years */

enum {
    NG_TAPE_BYTES_MAX = 256 * 1024 * 1024,
    NG_TAPE_ENTRIES_MAX = 1000000,
    NG_OBJECT_BYTES_MAX = 64 * 1024 * 1024,
};

struct ng_tape_entry {
    unsigned id;
    const char *key; /* see ng_evidence_key */
    const char *host, *purpose;
    const char *shown;                  /* the argv, quoted, for messages */
    int64_t start_ns, ready_ns, end_ns; /* ready_ns, end_ns -1: never */
    struct ng_reply reply;              /* without outputs */
    const char *out, *err;              /* digests; NULL: none */
    const char *stdin_digest;
    bool background; /* the run went on once it was ready */
    bool used;
};

struct ng_tape {
    struct ng_arena arena;
    const char *dir;
    struct ng_evidence_head head;
    struct ng_tape_entry *entries; /* in the order of their starts */
    size_t count, capacity;
    json_t *by_key;             /* key -> index of its entry */
    json_t *by_purpose;         /* ng_evidence_key_for -> the same */
    json_t *purposes;           /* purpose -> true */
    json_t *occurrences;        /* private */
    bool finished;              /* the run reached its end */
    bool altered;               /* the index is not as the run left it */
    char chain[NG_DIGEST_TEXT]; /* private */
    int64_t last_ns;            /* the time of the last event */
    int signal;                 /* that ended it, or 0 */
    int64_t signal_ns;
};

/** Reads DIR/index.jsonl. */
struct ng_tape *ng_tape_read(const char *dir, struct ng_err *err);
void ng_tape_free(struct ng_tape *tape);
/** The command with a key that was not used yet, or NULL. */
struct ng_tape_entry *ng_tape_find(struct ng_tape *tape, const char *key);
/** The same by the key of ng_evidence_key_for. */
struct ng_tape_entry *ng_tape_find_for(struct ng_tape *tape, const char *key);
/** Whether any command was run for this purpose. */
bool ng_tape_has_purpose(const struct ng_tape *tape, const char *purpose);
/** How many commands were never asked for. */
size_t ng_tape_unused(const struct ng_tape *tape);
/** An output by digest, malloc'd; fails when it is missing or its bytes have another digest. */
bool ng_tape_object(
    const struct ng_tape *tape, const char *digest, char **data, size_t *len, struct ng_err *err);

#endif
