/* shape.c - how each struct of a result looks as JSON. */
#include "runner/result/shape.h"

#include "runner/base/guard.h"
#include "runner/result/result.h"

static const char *const verdicts[] = {
#define X(name, word) [name] = word,
    NG_VERDICTS(X)
#undef X
        NULL};
static const char *const helds[] = {
#define X(name, word) [name] = word,
    NG_HELDS(X)
#undef X
        NULL};
static const char *const leases[] = {
#define X(name, word) [name] = word,
    NG_LEASES(X)
#undef X
        NULL};
static const char *const hook_outcomes[] = {
#define X(name, word) [name] = word,
    NG_HOOK_OUTCOMES(X)
#undef X
        NULL};
static const char *const weights[] = {
#define X(name, word) [name] = word,
    NG_FINDINGS(X)
#undef X
        NULL};
static const char *const betters[] = {
    [NG_BETTER_HIGHER] = "higher",
    [NG_BETTER_LOWER] = "lower",
    [NG_BETTER_NEITHER] = "neither",
    NULL,
};
static const char *const spellings[] = {
    [NG_SPELLING_PLAIN] = "plain",
    [NG_SPELLING_BITS] = "bits",
    [NG_SPELLING_SHARE] = "share",
    NULL,
};

_Static_assert(sizeof(enum ng_verdict) == sizeof(int) && sizeof(enum ng_held) == sizeof(int) &&
                   sizeof(enum ng_finding_weight) == sizeof(int) &&
                   sizeof(enum ng_lease_state) == sizeof(int) &&
                   sizeof(enum ng_hook_outcome) == sizeof(int) &&
                   sizeof(enum ng_better) == sizeof(int) && sizeof(enum ng_spelling) == sizeof(int),
    "enums are read and written as int");

/* Rows of the tables below: a plain value, one that may be missing, a word, an array. */
#define PLAIN(key, kind, type, member)                                                             \
    { key, kind, offsetof(type, member), 0, 0, false, NULL, NULL }
#define MAYBE(key, kind, type, member)                                                             \
    { key, kind, offsetof(type, member), 0, 0, true, NULL, NULL }
#define WORD(key, words, type, member)                                                             \
    { key, NG_MEMBER_WORD, offsetof(type, member), 0, 0, false, words, NULL }
#define ARRAY(key, kind, shape, type, member, one)                                                 \
    {                                                                                              \
        key, kind, offsetof(type, member), offsetof(type, one##_count),                            \
            offsetof(type, one##_capacity), false, NULL, shape                                     \
    }
#define RECORDS(key, shape, type, member)                                                          \
    {                                                                                              \
        key, NG_MEMBER_LIST, offsetof(type, member.items), offsetof(type, member.count),           \
            offsetof(type, member.capacity), false, NULL, shape                                    \
    }
#define SHAPE(members, type, one_line)                                                             \
    { members, NG_COUNT(members), sizeof(type), one_line }

static const struct ng_member item_members[] = {
    PLAIN("key", NG_MEMBER_TEXT, struct ng_record_item, key),
    PLAIN("value", NG_MEMBER_TEXT, struct ng_record_item, value),
};
static const struct ng_shape item_shape = SHAPE(item_members, struct ng_record_item, true);

static const struct ng_member condition_members[] = {
    PLAIN("allow_unknown", NG_MEMBER_BOOL, struct ng_condition_result, allow_unknown),
    MAYBE("expected", NG_MEMBER_TEXT, struct ng_condition_result, expected),
    WORD("held", helds, struct ng_condition_result, held),
    PLAIN("id", NG_MEMBER_TEXT, struct ng_condition_result, id),
    PLAIN("implied", NG_MEMBER_BOOL, struct ng_condition_result, implied),
    PLAIN("kind", NG_MEMBER_TEXT, struct ng_condition_result, kind),
    MAYBE("line", NG_MEMBER_INT, struct ng_condition_result, line),
    RECORDS("looked_at", &item_shape, struct ng_condition_result, looked_at),
    MAYBE("remedy", NG_MEMBER_TEXT, struct ng_condition_result, remedy),
    MAYBE("seen", NG_MEMBER_TEXT, struct ng_condition_result, seen),
    MAYBE("source", NG_MEMBER_TEXT, struct ng_condition_result, source),
    MAYBE("subject", NG_MEMBER_TEXT, struct ng_condition_result, subject),
    MAYBE("when", NG_MEMBER_TEXT, struct ng_condition_result, when),
};
static const struct ng_shape condition_shape =
    SHAPE(condition_members, struct ng_condition_result, false);

static const struct ng_member state_members[] = {
    PLAIN("about", NG_MEMBER_TEXT, struct ng_state_item, about),
    PLAIN("key", NG_MEMBER_TEXT, struct ng_state_item, key),
    PLAIN("section", NG_MEMBER_TEXT, struct ng_state_item, section),
    PLAIN("source", NG_MEMBER_TEXT, struct ng_state_item, source),
    MAYBE("value", NG_MEMBER_TEXT, struct ng_state_item, value),
    MAYBE("why", NG_MEMBER_TEXT, struct ng_state_item, why),
};
static const struct ng_shape state_shape = SHAPE(state_members, struct ng_state_item, true);

static const struct ng_member host_members[] = {
    RECORDS("environment", &item_shape, struct ng_host_result, environment),
    PLAIN("name", NG_MEMBER_TEXT, struct ng_host_result, name),
    RECORDS("state", &state_shape, struct ng_host_result, state),
    MAYBE("via", NG_MEMBER_TEXT, struct ng_host_result, via),
};
static const struct ng_shape host_shape = SHAPE(host_members, struct ng_host_result, false);

static const struct ng_member volume_members[] = {
    PLAIN("host", NG_MEMBER_TEXT, struct ng_volume_result, host),
    PLAIN("name", NG_MEMBER_TEXT, struct ng_volume_result, name),
    PLAIN("path", NG_MEMBER_TEXT, struct ng_volume_result, path),
    RECORDS("state", &state_shape, struct ng_volume_result, state),
};
static const struct ng_shape volume_shape = SHAPE(volume_members, struct ng_volume_result, false);
static const struct ng_member lease_members[] = {
    PLAIN("host", NG_MEMBER_TEXT, struct ng_lease_result, host),
    MAYBE("job", NG_MEMBER_TEXT, struct ng_lease_result, job),
    MAYBE("plan", NG_MEMBER_TEXT, struct ng_lease_result, plan),
    MAYBE("reason", NG_MEMBER_TEXT, struct ng_lease_result, reason),
    MAYBE("run", NG_MEMBER_TEXT, struct ng_lease_result, run),
    MAYBE("since", NG_MEMBER_TEXT, struct ng_lease_result, since),
    WORD("state", leases, struct ng_lease_result, state),
    MAYBE("who", NG_MEMBER_TEXT, struct ng_lease_result, who),
};
static const struct ng_shape lease_shape = SHAPE(lease_members, struct ng_lease_result, false);

static const struct ng_member hook_members[] = {
    MAYBE("expected", NG_MEMBER_TEXT, struct ng_hook_result, expected),
    PLAIN("id", NG_MEMBER_TEXT, struct ng_hook_result, id),
    MAYBE("line", NG_MEMBER_INT, struct ng_hook_result, line),
    RECORDS("looked_at", &item_shape, struct ng_hook_result, looked_at),
    WORD("outcome", hook_outcomes, struct ng_hook_result, outcome),
    MAYBE("phase", NG_MEMBER_TEXT, struct ng_hook_result, phase),
    PLAIN("place", NG_MEMBER_TEXT, struct ng_hook_result, place),
    PLAIN("reason", NG_MEMBER_TEXT, struct ng_hook_result, reason),
    MAYBE("remedy", NG_MEMBER_TEXT, struct ng_hook_result, remedy),
};
static const struct ng_shape hook_shape = SHAPE(hook_members, struct ng_hook_result, false);

static const struct ng_member finding_members[] = {
    PLAIN("rule", NG_MEMBER_TEXT, struct ng_finding, rule),
    PLAIN("text", NG_MEMBER_TEXT, struct ng_finding, text),
    WORD("weight", weights, struct ng_finding, weight),
};
static const struct ng_shape finding_shape = SHAPE(finding_members, struct ng_finding, true);

static const struct ng_member measure_members[] = {
    WORD("better", betters, struct ng_measure, better),
    PLAIN("metric", NG_MEMBER_TEXT, struct ng_measure, metric),
    WORD("spelling", spellings, struct ng_measure, spelling),
    PLAIN("unit", NG_MEMBER_UNIT, struct ng_measure, dim),
    PLAIN("value", NG_MEMBER_REAL, struct ng_measure, value),
};
static const struct ng_shape measure_shape = SHAPE(measure_members, struct ng_measure, true);

static const struct ng_member series_members[] = {
    PLAIN("metric", NG_MEMBER_TEXT, struct ng_series, metric),
    PLAIN("per_step", NG_MEMBER_INT, struct ng_series, per_step),
    WORD("spelling", spellings, struct ng_series, spelling),
    PLAIN("step_ns", NG_MEMBER_INT64, struct ng_series, step_ns),
    PLAIN("unit", NG_MEMBER_UNIT, struct ng_series, dim),
    ARRAY("values", NG_MEMBER_REALS, NULL, struct ng_series, values, value),
};
static const struct ng_shape series_shape = SHAPE(series_members, struct ng_series, true);

static const struct ng_member repeat_members[] = {
    PLAIN("attempts", NG_MEMBER_INT, struct ng_repeat, attempts),
    PLAIN("duration_ns", NG_MEMBER_INT64, struct ng_repeat, duration_ns),
    MAYBE("error", NG_MEMBER_TEXT, struct ng_repeat, error),
    ARRAY("evidence", NG_MEMBER_IDS, NULL, struct ng_repeat, evidence, evidence),
    ARRAY("findings", NG_MEMBER_LIST, &finding_shape, struct ng_repeat, findings, finding),
    ARRAY("measures", NG_MEMBER_LIST, &measure_shape, struct ng_repeat, measures, measure),
    PLAIN("number", NG_MEMBER_INT, struct ng_repeat, number),
    PLAIN("partial", NG_MEMBER_BOOL, struct ng_repeat, partial),
    RECORDS("records", &item_shape, struct ng_repeat, records),
    ARRAY("series", NG_MEMBER_LIST, &series_shape, struct ng_repeat, series, series),
    PLAIN("start_ns", NG_MEMBER_INT64, struct ng_repeat, start_ns),
    PLAIN("valid", NG_MEMBER_BOOL, struct ng_repeat, valid),
};
static const struct ng_shape repeat_shape = SHAPE(repeat_members, struct ng_repeat, false);

static const struct ng_member judged_members[] = {
    MAYBE("comparison", NG_MEMBER_TEXT, struct ng_judged, comparison),
    PLAIN("gates", NG_MEMBER_BOOL, struct ng_judged, gates),
    WORD("held", helds, struct ng_judged, held),
    PLAIN("high", NG_MEMBER_REAL, struct ng_judged, high),
    PLAIN("high_bound", NG_MEMBER_REAL, struct ng_judged, high_bound),
    PLAIN("left", NG_MEMBER_REAL, struct ng_judged, left),
    PLAIN("limit", NG_MEMBER_REAL, struct ng_judged, limit),
    MAYBE("line", NG_MEMBER_INT, struct ng_judged, line),
    PLAIN("low_bound", NG_MEMBER_REAL, struct ng_judged, low_bound),
    PLAIN("margin", NG_MEMBER_REAL, struct ng_judged, margin),
    MAYBE("reason", NG_MEMBER_TEXT, struct ng_judged, reason),
    WORD("spelling", spellings, struct ng_judged, spelling),
    PLAIN("text", NG_MEMBER_TEXT, struct ng_judged, text),
    PLAIN("unit", NG_MEMBER_UNIT, struct ng_judged, dim),
    PLAIN("within", NG_MEMBER_BOOL, struct ng_judged, within),
};
static const struct ng_shape judged_shape = SHAPE(judged_members, struct ng_judged, false);

static const struct ng_member event_members[] = {
    PLAIN("at_ns", NG_MEMBER_INT64, struct ng_event, at_ns),
    PLAIN("attempt", NG_MEMBER_INT, struct ng_event, attempt),
    PLAIN("exact", NG_MEMBER_BOOL, struct ng_event, exact),
    PLAIN("guard", NG_MEMBER_TEXT, struct ng_event, guard),
    WORD("held", helds, struct ng_event, held),
    RECORDS("looked_at", &item_shape, struct ng_event, looked_at),
    PLAIN("phase", NG_MEMBER_TEXT, struct ng_event, phase),
    MAYBE("remedy", NG_MEMBER_TEXT, struct ng_event, remedy),
    PLAIN("repeat", NG_MEMBER_INT, struct ng_event, repeat),
    PLAIN("seen", NG_MEMBER_TEXT, struct ng_event, seen),
    PLAIN("until_ns", NG_MEMBER_INT64, struct ng_event, until_ns),
};
static const struct ng_shape event_shape = SHAPE(event_members, struct ng_event, true);

static const struct ng_member phase_members[] = {
    PLAIN("engine", NG_MEMBER_TEXT, struct ng_phase_result, engine),
    ARRAY("judged", NG_MEMBER_LIST, &judged_shape, struct ng_phase_result, judged, judged),
    MAYBE("line", NG_MEMBER_INT, struct ng_phase_result, line),
    PLAIN("name", NG_MEMBER_TEXT, struct ng_phase_result, name),
    PLAIN("planned_repeats", NG_MEMBER_INT, struct ng_phase_result, planned_repeats),
    MAYBE("reason", NG_MEMBER_TEXT, struct ng_phase_result, reason),
    ARRAY("repeats", NG_MEMBER_LIST, &repeat_shape, struct ng_phase_result, repeats, repeat),
    MAYBE("subject", NG_MEMBER_TEXT, struct ng_phase_result, subject),
    WORD("verdict", verdicts, struct ng_phase_result, verdict),
    MAYBE("workload", NG_MEMBER_TEXT, struct ng_phase_result, workload),
};
static const struct ng_shape phase_shape = SHAPE(phase_members, struct ng_phase_result, false);

static const struct ng_member result_members[] = {
    MAYBE("baseline", NG_MEMBER_TEXT, struct ng_result, baseline),
    MAYBE("baseline_plan", NG_MEMBER_TEXT, struct ng_result, baseline_plan),
    PLAIN("complete", NG_MEMBER_BOOL, struct ng_result, complete),
    ARRAY("conditions", NG_MEMBER_LIST, &condition_shape, struct ng_result, conditions, condition),
    PLAIN("duration_ns", NG_MEMBER_INT64, struct ng_result, duration_ns),
    MAYBE("ended", NG_MEMBER_TIME, struct ng_result, ended_wall_ns),
    MAYBE("ended_ns", NG_MEMBER_INT64, struct ng_result, ended_wall_ns),
    MAYBE("error", NG_MEMBER_TEXT, struct ng_result, error),
    ARRAY("events", NG_MEMBER_LIST, &event_shape, struct ng_result, events, event),
    PLAIN("exit_code", NG_MEMBER_INT, struct ng_result, exit_code),
    {"format", NG_MEMBER_FORMAT, 0, 0, 0, false, NULL, NULL},
    ARRAY("hooks", NG_MEMBER_LIST, &hook_shape, struct ng_result, hooks, hook),
    ARRAY("hosts", NG_MEMBER_LIST, &host_shape, struct ng_result, hosts, host),
    MAYBE("interrupted", NG_MEMBER_INT, struct ng_result, interrupted),
    MAYBE("lease_line", NG_MEMBER_INT, struct ng_result, lease_line),
    ARRAY("leases", NG_MEMBER_LIST, &lease_shape, struct ng_result, leases, lease),
    PLAIN("nasgate", NG_MEMBER_TEXT, struct ng_result, version),
    MAYBE("not_restored", NG_MEMBER_TEXT, struct ng_result, not_restored),
    ARRAY("only", NG_MEMBER_TEXTS, NULL, struct ng_result, only, only),
    RECORDS("params", &item_shape, struct ng_result, params),
    ARRAY("phases", NG_MEMBER_LIST, &phase_shape, struct ng_result, phases, phase),
    MAYBE("plan_commit", NG_MEMBER_TEXT, struct ng_result, plan_commit),
    PLAIN("plan_digest", NG_MEMBER_TEXT, struct ng_result, plan_digest),
    PLAIN("plan_file", NG_MEMBER_TEXT, struct ng_result, plan_file),
    PLAIN("plan_name", NG_MEMBER_TEXT, struct ng_result, plan_name),
    PLAIN("plan_phases", NG_MEMBER_INT, struct ng_result, plan_phases),
    PLAIN("plan_title", NG_MEMBER_TEXT, struct ng_result, plan_title),
    MAYBE("plan_tree", NG_MEMBER_TEXT, struct ng_result, plan_tree),
    MAYBE("recorded_plan", NG_MEMBER_TEXT, struct ng_result, recorded_plan),
    PLAIN("run_id", NG_MEMBER_TEXT, struct ng_result, run_id),
    PLAIN("seed", NG_MEMBER_SEED, struct ng_result, seed),
    MAYBE("started", NG_MEMBER_TIME, struct ng_result, started_wall_ns),
    MAYBE("started_ns", NG_MEMBER_INT64, struct ng_result, started_wall_ns),
    MAYBE("verdict", NG_MEMBER_TEXT, struct ng_result, verdict),
    {"version", NG_MEMBER_VERSION, 0, 0, 0, false, NULL, NULL},
    ARRAY("volumes", NG_MEMBER_LIST, &volume_shape, struct ng_result, volumes, volume),
    ARRAY("warnings", NG_MEMBER_TEXTS, NULL, struct ng_result, warnings, warning),
};
const struct ng_shape ng_shape_result = SHAPE(result_members, struct ng_result, false);
