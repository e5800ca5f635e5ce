/**
 * state.h - the state of a host for people and machines: rows of what is known, and of what is not
 * and why, in sections. `nasgate facts`, `nasgate doctor` and the reports show the same rows.
 *
 * Each source of facts has a describer: one function of facts, in one file state_NAME.c, and one
 * row in the table of state.c. A describer never drops what is unknown: it says ng_state_unknown
 * with the reason. All texts are cleaned to one line and bounded here, so that a describer hands
 * on what it has.
 */
#ifndef NG_FACTS_STATE_H
#define NG_FACTS_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/arena.h"
#include "runner/base/guard.h"
#include "runner/facts/facts.h"

/** Bytes of one text; rows of one section: what is beyond is counted in one unknown row more. */
enum { NG_STATE_TEXT_MAX = 400, NG_STATE_ROWS_MAX = 160 };

/** In the order in which they are shown. The words are part of the JSON format of `facts` and of
 * result.json. */
#define NG_STATE_SECTIONS(X)                                                                       \
    X(NG_STATE_PLATFORM, "platform") /* system, kernel, machine, clock, privilege */               \
    X(NG_STATE_MOUNTS, "mounts")     /* what is mounted where, options in force, room */           \
    X(NG_STATE_ARRAYS, "arrays")     /* what keeps data over disks: level, health, members */      \
    X(NG_STATE_ACTIVITY, "activity") /* what these are at work with, and other jobs */             \
    X(NG_STATE_CACHES, "caches")     /* caches of block layers, of stores, of the kernel */        \
    X(NG_STATE_SERVERS, "servers")   /* NFS and SMB: settings in force, sessions */                \
    X(NG_STATE_LINKS, "links")       /* interfaces, bonds, cards, queueing disciplines, routes */  \
    X(NG_STATE_SETTINGS, "settings") /* of the kernel */                                           \
    X(NG_STATE_LOAD, "load")         /* load, waiting tasks, foreign bytes, memory */              \
    X(NG_STATE_TOOLS, "tools")       /* programs that were looked for */

enum ng_state_section {
#define X(name, word) name,
    NG_STATE_SECTIONS(X)
#undef X
        NG_STATE_SECTION_COUNT
};
const char *ng_state_word(enum ng_state_section section);

struct ng_state_row {
    enum ng_state_section section;
    const char *about;  /* the thing: "md2", "eth4", "/volume1"; "" for the host itself */
    const char *key;    /* a fixed word or a setting's name: "level", "mtu", "net/core/rmem_max" */
    const char *value;  /* NULL: unknown */
    const char *why;    /* why it is unknown; NULL when it is known */
    const char *source; /* "/proc/mdstat", "zpool status"; "" where there is none to name */
};

/** Ordered by section; within one in the order of the table of describers. */
struct ng_state {
    struct ng_arena *arena;
    struct ng_state_row *rows;
    size_t count, capacity;
    size_t counts[NG_STATE_SECTION_COUNT];  /* rows of each section */
    size_t dropped[NG_STATE_SECTION_COUNT]; /* beyond NG_STATE_ROWS_MAX */
};

/** What the next rows speak of. Made on the stack: `{state, NG_STATE_LINKS, "eth4", "/sys/..."}`.
 */
struct ng_state_thing {
    struct ng_state *state;
    enum ng_state_section section;
    const char *about;
    const char *source;
};

/** Adds a row that is known. An empty text is kept: "none" is for the describer to say. */
void ng_state_known(const struct ng_state_thing *thing, const char *key, const char *format, ...)
    NG_PRINTF(3, 4);
/** Adds a row that is not, with the reason as a part of a sentence. */
void ng_state_unknown(const struct ng_state_thing *thing, const char *key, const char *format, ...)
    NG_PRINTF(3, 4);
/** The one or the other: `value` NULL is unknown for the reason `why` (NULL: "it was not told"). */
void ng_state_text(
    const struct ng_state_thing *thing, const char *key, const char *value, const char *why);
/** The same for "yes" and "no". */
void ng_state_answer(
    const struct ng_state_thing *thing, const char *key, enum ng_answer answer, const char *why);
/** The same for a size in bytes, "12 GiB"; negative is unknown. */
void ng_state_size(
    const struct ng_state_thing *thing, const char *key, int64_t bytes, const char *why);

typedef void ng_state_describer(struct ng_state *state, const struct ng_facts *facts);

/** All that is known of a host. A host that could not be asked has one row, which says why. */
const struct ng_state *ng_state_of_host(struct ng_arena *arena, const struct ng_facts *facts);
/** What of it concerns one path: the mount it lies on, room, the devices below, the caches among
 * them, the arrays that lie on the same disks. */
const struct ng_state *ng_state_of_path(
    struct ng_arena *arena, const struct ng_facts *facts, const char *path);

#endif
