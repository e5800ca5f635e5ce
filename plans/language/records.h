/**
 * records.h - the fields of the language itself: of the plan, its parameters, topology,
 * preconditions and phases. Engines and preconditions bring their own through the vocabulary.
 */
#ifndef NG_LANGUAGE_RECORDS_H
#define NG_LANGUAGE_RECORDS_H

#include "plans/language/field.h"
#include "plans/language/plan.h"

struct ng_plan_fields {
    int64_t version;
    const char *name;
    const char *title;
    int64_t repeat;
};

struct ng_param_fields {
    const char *fallback;
    const char *help;
};

struct ng_via_fields {
    int how; /* enum ng_via */
    struct ng_texts prefix;
};

struct ng_host_fields {
    const struct ng_via_fields *via;
    const char *target;
    struct ng_pairs options;
    int privilege;
    int64_t facts_within_ns;
    struct ng_argvs tools;
};

struct ng_link_fields {
    struct ng_list ends; /* struct ng_link_end */
    int64_t mtu;
    int64_t speed;
};

struct ng_precondition_fields {
    int unknown;   /* 1: allow */
    int when;      /* enum ng_when; NG_WHEN_DEFAULT where the plan says nothing */
    int on_broken; /* enum ng_on_broken */
};

struct ng_watch_fields {
    struct ng_texts hosts;
    int64_t every_ns;
};

struct ng_retry_fields {
    int64_t times;
    int64_t within_ns;
};

struct ng_lease_fields {
    struct ng_texts hosts;
    int64_t wait_ns;
};

struct ng_phase_fields {
    const char *name;
    const char *title;
    struct ng_texts needs;
    int on_fail;
    struct ng_texts pass;
    struct ng_texts predict;
    int64_t repeat; /* 0: as the plan says */
    int64_t timeout_ns;
    double confidence;
    const struct ng_retry_fields *retry; /* or NULL */
};

extern const struct ng_record ng_plan_record;     /* struct ng_plan_fields */
extern const struct ng_record ng_param_record;    /* struct ng_param_fields */
extern const struct ng_record ng_via_record;      /* struct ng_via_fields */
extern const struct ng_record ng_host_record;     /* struct ng_host_fields */
extern const struct ng_record ng_link_record;     /* struct ng_link_fields */
extern const struct ng_record ng_link_end_record; /* struct ng_link_end */
extern const struct ng_record ng_volume_record;   /* struct ng_volume */
extern const struct ng_record ng_mount_record;    /* struct ng_mount_spec */
extern const struct ng_record ng_array_record;    /* struct ng_array_spec */
extern const struct ng_record ng_watch_record;    /* struct ng_watch_fields */
extern const struct ng_record ng_retry_record;    /* struct ng_retry_fields */
extern const struct ng_record ng_lease_record;    /* struct ng_lease_fields */
extern const struct ng_record ng_phase_record;    /* struct ng_phase_fields */

/** What every precondition's long form has beside its own fields: struct ng_precondition_fields. */
extern const struct ng_record ng_precondition_record;

/** A key whose value is no simple field: a map or list of named things. */
struct ng_section {
    const char *name;
    const char *help;
    bool required;
};

extern const struct ng_section ng_plan_sections[];
extern const size_t ng_plan_section_count;
extern const struct ng_section ng_topology_sections[];
extern const size_t ng_topology_section_count;

/* Words of the language that this version does not carry out yet; NULL-terminated. */
extern const char *const ng_later_in_plan[];
extern const char *const ng_later_in_phase[]; /* keys and engines */
extern const char *const ng_later_conditions[];

/** Whether a key is one of these words, which no message should recommend. */
bool ng_is_later_word(const char *key);

#endif
