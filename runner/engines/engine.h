/**
 * engine.h - what an engine is: fields, commands, parser, metrics. Engines run nothing themselves.
 *
 * A new engine is one file that defines a `const struct ng_engine` and one row in table.c.
 */
#ifndef NG_ENGINES_ENGINE_H
#define NG_ENGINES_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plans/language/plan.h"
#include "runner/base/strv.h"
#include "runner/facts/answer.h"
#include "runner/facts/facts.h"
#include "runner/result/result.h"
#include "runner/result/script_call.h"
#include "runner/transport/transport.h"

enum { NG_COMMANDS_MAX = NG_SCRIPT_ASKS_MAX };

/** What is known when the commands of one repeat are made. */
struct ng_site {
    struct ng_arena *arena;
    const struct ng_plan *plan;
    const struct ng_phase *phase;
    int repeat;             /* from 1 */
    int attempt;            /* from 1 */
    uint64_t seed;          /* of the run; all randomness derives from it */
    const char *run_dir;    /* the run's own folder on the phase's volume; NULL without a volume */
    enum ng_answer direct;  /* whether a 4 KiB O_DIRECT write works in run_dir, by a trial */
    bool network;           /* run_dir lies on another machine, by the mounts in force */
    const char *address[2]; /* of both ends of the phase's link; NULL without a link */
    int64_t client_ram;     /* MemTotal of the host the engine runs on, bytes; 0: unknown */
    int64_t server_ram;     /* of the host that the volume is mounted from, bytes; 0: unknown */
    const struct ng_facts *const *facts; /* by index of plan->hosts, from before the phases; NULL:
                                            none were collected */
    const struct ng_result *result;      /* of the run so far; NULL: there is none */
};

/** One process of a phase. */
struct ng_command {
    const char *role; /* "server", "client", "prepare", "check", "measure" */
    const struct ng_host *host;
    struct ng_strv argv;
    const char *const *asked; /* as a script asked for it, before the host's `tools`; or NULL */
    bool background;      /* started, waited for until ready, and stopped after the last foreground
                             command */
    uint16_t listen_port; /* background: ready when it listens there */
    int64_t deadline_ns;  /* > 0 */
    bool measures;        /* its time is the measurement, for progress */
};

struct ng_commands {
    struct ng_command items[NG_COMMANDS_MAX];
    size_t count;
};
void ng_commands_release(struct ng_commands *commands);

/** Tools that an engine needs on a host. */
struct ng_tool_need {
    const char *tool;    /* executable */
    const char *package; /* Debian's package, for the remedy of the implied precondition */
    const char *minimum; /* "3.2", or NULL */
};

struct ng_engine {
    struct ng_kind kind;
    struct ng_tool_need tool; /* all NULL: none that is known beforehand */
    /** The hosts that need the tool, or that must answer: at most two, returns how many. */
    size_t (*hosts)(const void *params, const struct ng_host *out[2]);
    /** The link the phase crosses, or NULL; may be NULL. */
    const struct ng_link *(*link)(const void *params);
    /** Makes the commands in order. `out` is empty. */
    bool (*build)(const struct ng_site *site, struct ng_commands *out, struct ng_err *err);
    /**
     * Engines that decide on the way: adds the next command to the empty `more`, knowing the
     * replies of all commands so far. Adds none: it wants no more. NULL: `build` makes them all,
     * and one that fails ends the row.
     */
    void (*next)(const struct ng_site *site, const struct ng_commands *commands,
        const struct ng_reply *replies, size_t reply_count, struct ng_commands *more);
    /**
     * Turns the replies (one per command, in order; fewer when one failed and the rest was not
     * started) into measures, records and findings of `repeat`. Returns false with the reason when
     * the outcome is no valid measurement; what could be salvaged is in `repeat` with partial set.
     * *transient says that trying again makes sense (port taken, server busy).
     */
    bool (*parse)(const struct ng_site *site, const struct ng_commands *commands,
        const struct ng_reply *replies, size_t reply_count, struct ng_repeat *repeat,
        bool *transient, struct ng_err *err);
};

/** All engines, sorted by name. */
extern const struct ng_engine *const ng_engines[];
extern const size_t ng_engine_count;
/** The engine behind a kind of the vocabulary. */
const struct ng_engine *ng_engine_of(const struct ng_kind *kind);

#endif
