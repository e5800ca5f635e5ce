/* Who decides how fast the processors run. */
#include "runner/facts/cpufreq.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/scan.h"

static struct ng_cpu_policy *policy_of(
    struct ng_cpufreq *cpufreq, struct ng_arena *arena, struct ng_span name) {
    for (size_t i = cpufreq->count; i > 0; i--) {
        if (ng_span_is(name, cpufreq->items[i - 1].name)) {
            return &cpufreq->items[i - 1];
        }
    }
    if (cpufreq->count >= NG_CPU_POLICIES_MAX) {
        cpufreq->dropped++;
        return NULL;
    }
    cpufreq->items = ng_arena_grow(
        arena, cpufreq->items, cpufreq->count, &cpufreq->capacity, sizeof *cpufreq->items);
    struct ng_cpu_policy *policy = &cpufreq->items[cpufreq->count++];
    *policy = (struct ng_cpu_policy){
        .name = ng_span_dup(arena, name), .lowest = -1, .highest = -1, .ability = -1};
    return policy;
}

static int64_t frequency(struct ng_span value) {
    int64_t number;
    return ng_span_int(value, &number) && number > 0 ? number : -1;
}

static void set(struct ng_cpu_policy *policy, struct ng_arena *arena, struct ng_span file,
    struct ng_span value) {
    static const struct {
        const char *file;
        size_t text, number; /* offsets, 0: not of this kind; the name is at offset 0 */
    } rows[] = {
        {"scaling_governor", offsetof(struct ng_cpu_policy, governor), 0},
        {"scaling_driver", offsetof(struct ng_cpu_policy, driver), 0},
        {"energy_performance_preference", offsetof(struct ng_cpu_policy, preference), 0},
        {"scaling_min_freq", 0, offsetof(struct ng_cpu_policy, lowest)},
        {"scaling_max_freq", 0, offsetof(struct ng_cpu_policy, highest)},
        {"cpuinfo_max_freq", 0, offsetof(struct ng_cpu_policy, ability)},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        if (!ng_span_is(file, rows[i].file)) {
            continue;
        }
        if (rows[i].number != 0) {
            const int64_t number = frequency(value);
            memcpy((char *)policy + rows[i].number, &number, sizeof number);
        } else if (value.len > 0) {
            const char *text = ng_text_clean_dup(arena, value.at, value.len, NG_TEXT_LINE, 60);
            memcpy((char *)policy + rows[i].text, &text, sizeof text);
        }
    }
}

/* The last piece of a path, taken off it. */
static struct ng_span last_piece(struct ng_span *path) {
    const char *slash = path->len == 0 ? NULL : memrchr(path->at, '/', path->len);
    const size_t from = slash == NULL ? 0 : (size_t)(slash - path->at) + 1;
    const struct ng_span piece = ng_span(path->at + from, path->len - from);
    path->len = from > 0 ? from - 1 : 0;
    return piece;
}

static bool is_policy(struct ng_span name) {
    const size_t skip = ng_span_begins(name, "policy") ? 6 : ng_span_begins(name, "cpu") ? 3 : 0;
    int64_t number;
    return skip > 0 && ng_span_int(ng_span(name.at + skip, name.len - skip), &number);
}

static void set_turbo(struct ng_cpufreq *cpufreq, struct ng_span value, const char *on) {
    if (ng_span_is(value, "0") || ng_span_is(value, "1")) {
        cpufreq->turbo = ng_span_is(value, on) ? NG_ANSWER_YES : NG_ANSWER_NO;
    }
}

void ng_cpufreq_parse(
    struct ng_cpufreq *cpufreq, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len), line;
    for (size_t i = 0; ng_span_line(&rest, &line); i++) {
        if (i >= NG_CPU_LINES_MAX) {
            cpufreq->dropped++;
            return;
        }
        struct ng_span value = line;
        struct ng_span path = ng_span_until(&value, ':');
        value = ng_span_trim(value);
        const struct ng_span file = last_piece(&path);
        struct ng_span name = last_piece(&path);
        if (ng_span_is(name, "cpufreq") && path.len > 0) {
            name = last_piece(&path);
        }
        if (ng_span_is(file, "no_turbo")) {
            set_turbo(cpufreq, value, "0");
        } else if (ng_span_is(file, "boost")) {
            set_turbo(cpufreq, value, "1");
        } else if (is_policy(name)) {
            struct ng_cpu_policy *policy = policy_of(cpufreq, arena, name);
            if (policy != NULL) {
                set(policy, arena, file, value);
            }
        }
    }
}
