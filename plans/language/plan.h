/**
 * plan.h - the typed plan: plain data, complete and checked. Everything lives in the plan's arena
 * and is immutable after loading.
 */
#ifndef NG_LANGUAGE_PLAN_H
#define NG_LANGUAGE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plans/language/diag.h"
#include "plans/language/expr.h"
#include "plans/language/field.h"
#include "plans/language/names.h"
#include "plans/language/script.h"
#include "plans/language/vocabulary.h"

enum { NG_PLAN_ITEMS_MAX = 10000, NG_REPEAT_MAX = 1000 };

/** A parameter with the value in force. */
struct ng_param {
    const char *name;
    struct ng_pos pos;
    const char *value;
    bool from_command_line;
    const char *help; /* "" when the plan has none */
};

enum ng_via { NG_VIA_LOCAL, NG_VIA_SSH, NG_VIA_PREFIX };
enum ng_privilege { NG_PRIVILEGE_NONE, NG_PRIVILEGE_SUDO };

struct ng_host {
    const char *name;
    struct ng_pos pos;
    int via;                 /* enum ng_via */
    struct ng_texts prefix;  /* NG_VIA_PREFIX: the words before each command */
    const char *target;      /* NG_VIA_SSH */
    struct ng_pairs options; /* NG_VIA_SSH: more for its -o */
    int privilege;           /* enum ng_privilege: how facts are collected */
    int64_t facts_within_ns; /* how long that may take; 0: as where a plan says nothing */
    struct ng_argvs tools;   /* commands in the place of tools */
};

struct ng_link_end {
    struct ng_interface at;
    const char *address; /* IPv4 or IPv6 to reach this end, or NULL: found on the host */
};

struct ng_link {
    const char *name;
    struct ng_pos pos;
    struct ng_link_end ends[2];
    int64_t mtu;   /* bytes, 0: not stated */
    int64_t speed; /* bit/s, 0: not stated */
};

/** What a volume's path must be mounted from. Members that the plan leaves out are NULL or empty.
 */
struct ng_mount_spec {
    const char *type; /* as in mountinfo: nfs, nfs4, cifs, ext4 ...; "nfs" also means nfs4 */
    const struct ng_host *from;
    const char *export;
    struct ng_pairs options; /* values as mountinfo prints them; sizes already in bytes */
};

struct ng_array_spec {
    const char *device; /* md2 */
    const char *level;  /* raid6 */
    int64_t disks;
    int64_t bays;
};

struct ng_volume {
    const char *name;
    struct ng_pos pos;
    const struct ng_host *on;
    const char *path;
    const struct ng_mount_spec *mount; /* or NULL */
    const struct ng_link *link;        /* or NULL */
    const struct ng_array_spec *array; /* or NULL */
};

enum ng_when { NG_WHEN_DEFAULT, NG_WHEN_BEFORE, NG_WHEN_DURING, NG_WHEN_THROUGHOUT };
enum ng_on_broken { NG_ON_BROKEN_CONTINUE, NG_ON_BROKEN_STOP };

/** One item of `preconditions:`. */
struct ng_precondition {
    const char *id; /* unique in the plan: "mtu_match-fiber" */
    struct ng_pos pos;
    const struct ng_kind *kind;
    const void *params; /* kind->record.size bytes */
    bool allow_unknown; /* unknown: allow */
    int when;           /* enum ng_when, never the default: ng_when_of has been asked */
    int on_broken;      /* enum ng_on_broken */
};
/** "before", "during" or "throughout". */
const char *ng_when_word(int when);
/** When a precondition is looked at: as the plan says, else as is usual for its kind. */
int ng_when_of(const struct ng_kind *kind, int when);

/** When a script of `hooks:` runs. */
#define NG_HOOK_PLACES(X)                                                                          \
    X(NG_HOOK_BEFORE_RUN, "before_run", "once, when the preconditions hold")                       \
    X(NG_HOOK_BEFORE_PHASE, "before_phase", "before the first repeat of each phase")               \
    X(NG_HOOK_AFTER_PHASE, "after_phase",                                                          \
        "after the last repeat of each phase, before it is judged")                                \
    X(NG_HOOK_AFTER_RUN, "after_run", "once, when all phases are judged, or nothing more is")

enum ng_hook_place {
#define X(name, word, when) name,
    NG_HOOK_PLACES(X)
#undef X
        NG_HOOK_PLACE_COUNT
};
const char *ng_hook_place_word(enum ng_hook_place place);

/** One item of a list below `hooks:`. */
struct ng_hook {
    const char *id; /* unique in the plan: "before_run-no_backup_job-nas" */
    struct ng_pos pos;
    const struct ng_kind *kind; /* one of those that may be hooks */
    const void *params;         /* kind->record.size bytes */
};
struct ng_hooks {
    const struct ng_hook *items;
    size_t count;
};

enum ng_on_fail { NG_ON_FAIL_CONTINUE, NG_ON_FAIL_STOP };

struct ng_phase {
    const char *name;
    const char *title; /* the name where the plan has none */
    struct ng_pos pos;
    size_t index; /* in plan->phases */
    const struct ng_kind *kind;
    const void *params;
    const struct ng_phase *const *needs;
    size_t need_count;
    int on_fail; /* enum ng_on_fail */
    const struct ng_threshold *const *pass;
    size_t pass_count;
    const struct ng_threshold *const *predict;
    size_t predict_count;
    int64_t repeat;          /* at least 1; plan->repeat where the phase says nothing */
    int64_t timeout_ns;      /* of one repeat; 0: derived from the engine's estimate */
    double confidence;       /* 0.95, or 0: judge by the point value */
    int64_t retry;           /* how often a repeat is measured again whose guards broke */
    int64_t retry_within_ns; /* longest wait, each time, for the guards to hold */
};

/** A telemetry metric that some threshold names. */
struct ng_telemetry_use {
    const struct ng_host *host;
    const struct ng_metric_def *of; /* of the vocabulary */
    enum ng_telemetry_stat stat;
    const struct ng_metric_def *metric; /* "host.nas.load1.max", as phases measure it */
};
struct ng_telemetry_uses {
    struct ng_telemetry_use *items; /* each once */
    size_t count, capacity;
};

/** `lease:`; without one hosts is empty. */
struct ng_lease_spec {
    struct ng_pos pos;
    const struct ng_host *const *hosts; /* sorted by how they are reached: see load_lease.c */
    size_t count;
    int64_t wait_ns; /* for each; 0: not at all */
};

struct ng_plan {
    struct ng_arena arena; /* owns all that hangs here */
    const char *file;      /* as given on the command line */
    const char *text;      /* the bytes of the file */
    size_t text_len;
    const char *name;
    const char *title; /* the name where the plan has none */
    const struct ng_param *params;
    size_t param_count;
    const struct ng_host *hosts; /* arrays in the plan's order */
    size_t host_count;
    const struct ng_link *links;
    size_t link_count;
    const struct ng_volume *volumes;
    size_t volume_count;
    const struct ng_precondition *preconditions;
    size_t precondition_count;
    const struct ng_phase *phases;
    size_t phase_count;
    const struct ng_host *const *watched; /* hosts that `watch:` names */
    size_t watched_count;
    struct ng_telemetry_uses *telemetry;    /* what thresholds name */
    const struct ng_vocabulary *vocabulary; /* while it is loaded; NULL afterwards */
    int64_t watch_every_ns;                 /* between two samples of guards and telemetry */
    struct ng_lease_spec lease;
    struct ng_hooks hooks[NG_HOOK_PLACE_COUNT];
    int64_t repeat;
    bool needs_baseline;                    /* some threshold names the baseline */
    const struct ng_scripts *lua;           /* who runs scripts; NULL: nobody does */
    const struct ng_script *const *scripts; /* that the plan names */
    size_t script_count;
    const char **doubts; /* warnings of every run, each a sentence */
    size_t doubt_count, doubt_capacity;
    /* what the lookups below use; without them they search */
    struct ng_names host_names, link_names, volume_names, phase_names;
};

const struct ng_host *ng_plan_host(const struct ng_plan *plan, const char *name);
const struct ng_link *ng_plan_link(const struct ng_plan *plan, const char *name);
const struct ng_volume *ng_plan_volume(const struct ng_plan *plan, const char *name);
const struct ng_phase *ng_plan_phase(const struct ng_plan *plan, const char *name);
/** "local", "ssh" or "prefix". */
const char *ng_via_word(const struct ng_host *host);
/** The words in the place of a tool on a host, or NULL: the tool itself. */
const struct ng_texts *ng_host_tool(const struct ng_host *host, const char *tool);
/** The end of a link that lies on a host: the first if both do, NULL if none does. */
const struct ng_link_end *ng_link_end_on(const struct ng_link *link, const struct ng_host *host);
/** Keeps a script; while loading. */
void ng_plan_add_script(struct ng_plan *plan, const struct ng_script *script);
/** Keeps what every run of the plan warns of; while loading. `text` lives in its arena. */
void ng_plan_add_doubt(struct ng_plan *plan, const char *text);
/** The metrics of a phase: those of its engine's table, then those that the phase itself states. */
size_t ng_phase_metric_count(const struct ng_phase *phase);
const struct ng_metric_def *ng_phase_metric_at(const struct ng_phase *phase, size_t i);
/** The one of a name; NULL: there is none. */
const struct ng_metric_def *ng_phase_metric(const struct ng_phase *phase, const char *name);
void ng_plan_free(struct ng_plan *plan);

#endif
