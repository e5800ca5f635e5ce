/* vocabulary.c - finding engines, preconditions and metrics by their words. */
#include "plans/language/vocabulary.h"

#include <string.h>

static const struct ng_kind *find(
    const struct ng_kind *const *kinds, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(kinds[i]->record.name, name) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}

const struct ng_kind *ng_vocabulary_engine(
    const struct ng_vocabulary *vocabulary, const char *name) {
    return find(vocabulary->engines, vocabulary->engine_count, name);
}

const struct ng_kind *ng_vocabulary_condition(
    const struct ng_vocabulary *vocabulary, const char *name) {
    return find(vocabulary->conditions, vocabulary->condition_count, name);
}

const struct ng_metric_def *ng_kind_metric(const struct ng_kind *kind, const char *name) {
    for (size_t i = 0; i < kind->metric_count; i++) {
        if (strcmp(kind->metrics[i].name, name) == 0) {
            return &kind->metrics[i];
        }
    }
    return NULL;
}

const char *ng_telemetry_stat_word(enum ng_telemetry_stat stat) {
    static const char *const words[] = {
#define X(name, word) [name] = word,
        NG_TELEMETRY_STATS(X)
#undef X
    };
    return (size_t)stat < NG_STAT_COUNT ? words[stat] : "";
}
