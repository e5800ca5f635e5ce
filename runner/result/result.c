/* result.c - building the record of a run, and asking it simple questions. */
#include "runner/result/result.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/guard.h"

const char *ng_verdict_phrase(enum ng_verdict verdict) {
    static const char *const phrases[] = {[NG_VERDICT_NONE] = "was not judged",
        [NG_VERDICT_PASS] = "passed",
        [NG_VERDICT_FAIL] = "failed",
        [NG_VERDICT_INCONCLUSIVE] = "was inconclusive",
        [NG_VERDICT_ERROR] = "ended in an error",
        [NG_VERDICT_SKIPPED] = "was skipped"};
    return phrases[verdict];
}

const char *ng_verdict_word(enum ng_verdict verdict) {
    static const char *const words[] = {
#define X(name, word) [name] = word,
        NG_VERDICTS(X)
#undef X
    };
    return (size_t)verdict < NG_COUNT(words) ? words[verdict] : "unknown";
}

const char *ng_held_word(enum ng_held held) {
    static const char *const words[] = {
#define X(name, word) [name] = word,
        NG_HELDS(X)
#undef X
    };
    return (size_t)held < NG_COUNT(words) ? words[held] : "unknown";
}

const char *ng_lease_word(enum ng_lease_state state) {
    static const char *const words[] = {
#define X(name, word) [name] = word,
        NG_LEASES(X)
#undef X
    };
    return (size_t)state < NG_COUNT(words) ? words[state] : "unknown";
}

const char *ng_finding_word(enum ng_finding_weight weight) {
    static const char *const words[] = {
#define X(name, word) [name] = word,
        NG_FINDINGS(X)
#undef X
    };
    return (size_t)weight < NG_COUNT(words) ? words[weight] : "unknown";
}

void ng_records_add(
    struct ng_arena *arena, struct ng_records *records, const char *key, const char *format, ...) {
    records->items = ng_arena_grow(
        arena, records->items, records->count, &records->capacity, sizeof *records->items);
    struct ng_record_item *item = &records->items[records->count++];
    item->key = ng_arena_strdup(arena, key);
    va_list args;
    va_start(args, format);
    item->value = ng_arena_vprintf(arena, format, args);
    va_end(args);
}

bool ng_condition_stops(const struct ng_condition_result *condition) {
    if (condition->when != NULL && strcmp(condition->when, "during") == 0) {
        return false;
    }
    switch (condition->held) {
    case NG_HELD:
        return false;
    case NG_UNKNOWN:
        return !condition->allow_unknown;
    case NG_BROKEN:
    case NG_UNDECIDED:
        return true;
    }
    return true;
}

bool ng_condition_is_allowed(const struct ng_condition_result *condition) {
    return condition->held == NG_UNKNOWN && condition->allow_unknown;
}

struct ng_result *ng_result_new(void) {
    struct ng_result *result = ng_xmalloc(sizeof *result);
    *result = (struct ng_result){
        .run_id = "",
        .version = NG_VERSION,
        .plan_name = "",
        .plan_title = "",
        .plan_file = "",
        .plan_digest = "",
        .exit_code = 5,
        .verdict = "cut short: the run did not reach its end",
    };
    ng_arena_init(&result->arena);
    return result;
}

void ng_result_free(struct ng_result *result) {
    if (result != NULL) {
        ng_arena_release(&result->arena);
        free(result);
    }
}

/** The next element of an array that grows in an arena, zeroed. */
static void *add(
    struct ng_arena *arena, void **array, size_t *count, size_t *capacity, size_t size) {
    *array = ng_arena_grow(arena, *array, *count, capacity, size);
    char *element = (char *)*array + *count * size;
    memset(element, 0, size);
    (*count)++;
    return element;
}

struct ng_host_result *ng_result_add_host(struct ng_result *result) {
    void *array = result->hosts;
    struct ng_host_result *host =
        add(&result->arena, &array, &result->host_count, &result->host_capacity, sizeof *host);
    result->hosts = array;
    return host;
}

struct ng_volume_result *ng_result_add_volume(struct ng_result *result) {
    void *array = result->volumes;
    struct ng_volume_result *volume = add(
        &result->arena, &array, &result->volume_count, &result->volume_capacity, sizeof *volume);
    result->volumes = array;
    return volume;
}

struct ng_state_item *ng_states_add(struct ng_arena *arena, struct ng_states *states) {
    void *array = states->items;
    struct ng_state_item *item =
        add(arena, &array, &states->count, &states->capacity, sizeof *item);
    states->items = array;
    return item;
}

struct ng_condition_result *ng_result_add_condition(struct ng_result *result) {
    void *array = result->conditions;
    struct ng_condition_result *condition = add(&result->arena, &array, &result->condition_count,
        &result->condition_capacity, sizeof *condition);
    result->conditions = array;
    condition->held = NG_UNKNOWN;
    return condition;
}

struct ng_lease_result *ng_result_add_lease(struct ng_result *result) {
    void *array = result->leases;
    struct ng_lease_result *lease =
        add(&result->arena, &array, &result->lease_count, &result->lease_capacity, sizeof *lease);
    result->leases = array;
    return lease;
}

struct ng_phase_result *ng_result_add_phase(struct ng_result *result) {
    void *array = result->phases;
    struct ng_phase_result *phase =
        add(&result->arena, &array, &result->phase_count, &result->phase_capacity, sizeof *phase);
    result->phases = array;
    return phase;
}

struct ng_repeat *ng_phase_add_repeat(struct ng_arena *arena, struct ng_phase_result *phase) {
    void *array = phase->repeats;
    struct ng_repeat *repeat =
        add(arena, &array, &phase->repeat_count, &phase->repeat_capacity, sizeof *repeat);
    phase->repeats = array;
    repeat->number = (int)phase->repeat_count;
    return repeat;
}

struct ng_judged *ng_phase_add_judged(struct ng_arena *arena, struct ng_phase_result *phase) {
    void *array = phase->judged;
    struct ng_judged *judged =
        add(arena, &array, &phase->judged_count, &phase->judged_capacity, sizeof *judged);
    phase->judged = array;
    judged->held = NG_UNKNOWN;
    judged->left = judged->limit = judged->high = judged->margin = (double)NAN;
    judged->low_bound = judged->high_bound = (double)NAN;
    return judged;
}

void ng_repeat_add_evidence(struct ng_arena *arena, struct ng_repeat *repeat, unsigned id) {
    void *array = repeat->evidence;
    unsigned *next =
        add(arena, &array, &repeat->evidence_count, &repeat->evidence_capacity, sizeof *next);
    repeat->evidence = array;
    *next = id;
}

struct ng_phase_result *ng_result_phase(const struct ng_result *result, const char *name) {
    for (size_t i = 0; i < result->phase_count; i++) {
        if (strcmp(result->phases[i].name, name) == 0) {
            return &result->phases[i];
        }
    }
    return NULL;
}

void ng_result_warn(struct ng_result *result, const char *format, ...) {
    result->warnings = ng_arena_grow(&result->arena, result->warnings, result->warning_count,
        &result->warning_capacity, sizeof *result->warnings);
    va_list args;
    va_start(args, format);
    result->warnings[result->warning_count++] = ng_arena_vprintf(&result->arena, format, args);
    va_end(args);
}

void ng_repeat_find(struct ng_arena *arena, struct ng_repeat *repeat, enum ng_finding_weight weight,
    const char *rule, const char *format, ...) {
    void *array = repeat->findings;
    struct ng_finding *finding =
        add(arena, &array, &repeat->finding_count, &repeat->finding_capacity, sizeof *finding);
    repeat->findings = array;
    finding->weight = weight;
    finding->rule = ng_arena_strdup(arena, rule);
    va_list args;
    va_start(args, format);
    finding->text = ng_arena_vprintf(arena, format, args);
    va_end(args);
}

void ng_repeat_measure(struct ng_arena *arena, struct ng_repeat *repeat,
    const struct ng_metric_def *metric, double value) {
    if (!isfinite(value)) {
        return;
    }
    void *array = repeat->measures;
    struct ng_measure *measure =
        add(arena, &array, &repeat->measure_count, &repeat->measure_capacity, sizeof *measure);
    repeat->measures = array;
    measure->metric = ng_arena_strdup(arena, metric->name);
    measure->dim = metric->dim;
    measure->spelling = metric->spelling;
    measure->better = metric->better;
    measure->value = value;
}

bool ng_repeat_value(const struct ng_repeat *repeat, const char *metric, double *value) {
    for (size_t i = 0; i < repeat->measure_count; i++) {
        const struct ng_measure *measure = &repeat->measures[i];
        if (strcmp(measure->metric, metric) == 0 && isfinite(measure->value)) {
            *value = measure->value;
            return true;
        }
    }
    return false;
}

bool ng_repeat_counts(const struct ng_repeat *repeat) {
    return repeat->valid && !repeat->partial;
}

bool ng_repeat_is_disowned(const struct ng_repeat *repeat) {
    for (size_t i = 0; i < repeat->finding_count; i++) {
        if (repeat->findings[i].weight == NG_FINDING_INCONCLUSIVE) {
            return true;
        }
    }
    return false;
}

size_t ng_phase_values(struct ng_result *result, const struct ng_phase_result *phase,
    const char *metric, const double **values) {
    double *found = ng_arena_array(&result->arena, phase->repeat_count + 1, sizeof *found);
    size_t count = 0;
    for (size_t i = 0; i < phase->repeat_count; i++) {
        if (ng_repeat_counts(&phase->repeats[i]) &&
            ng_repeat_value(&phase->repeats[i], metric, &found[count])) {
            count++;
        }
    }
    *values = found;
    return count;
}
