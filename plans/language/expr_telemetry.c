/* expr_telemetry.c - the names host.HOST.METRIC.STAT in a threshold. */
#include <stdlib.h>
#include <string.h>

#include "plans/language/expr_parts.h"
#include "runner/base/text.h"

enum { FORM_MAX = 400 };

/* The parts of host.HOST.METRIC.STAT: a host's name and a metric's may have dots. */
struct parts {
    const struct ng_host *host;
    const char *metric; /* not terminated */
    size_t metric_len;
    const char *stat;
};

static bool refuse(struct ng_expr_parser *p, size_t at, const char *text, const char *what,
    const char *word, const char *const *known, size_t count) {
    ng_expr_error(p, at, "unknown-name", "unknown name %s: %s %s%s", ng_diag_quote(p->diags, text),
        what, ng_diag_quote(p->diags, word), ng_diag_hint(p->diags, word, known, count));
    return false;
}

static bool refuse_host(struct ng_expr_parser *p, size_t at, const char *text) {
    const char *rest = text + 5;
    const char *word = ng_arena_strndup(p->arena, rest, strcspn(rest, "."));
    const char **names = ng_xmalloc((p->plan->host_count + 1) * sizeof *names);
    for (size_t i = 0; i < p->plan->host_count; i++) {
        names[i] = p->plan->hosts[i].name;
    }
    refuse(p, at, text, "the topology has no host", word, names, p->plan->host_count);
    free(names);
    return false;
}

static bool split(struct ng_expr_parser *p, size_t at, const char *text, struct parts *out) {
    const char *rest = text + 5;
    const char *stat = strrchr(text, '.') + 1;
    *out = (struct parts){.stat = stat};
    for (size_t i = 0; i < p->plan->host_count; i++) {
        const size_t len = strlen(p->plan->hosts[i].name);
        if (strncmp(rest, p->plan->hosts[i].name, len) == 0 && rest[len] == '.' &&
            (!out->host || len > strlen(out->host->name))) {
            out->host = &p->plan->hosts[i];
        }
    }
    if (!out->host) {
        return refuse_host(p, at, text);
    }
    out->metric = rest + strlen(out->host->name) + 1;
    if (stat <= out->metric) {
        ng_expr_error(p, at, "unknown-name",
            "unknown name %s; expected host.HOST.METRIC.STAT as in host.%s.load1.max",
            ng_diag_quote(p->diags, text), out->host->name);
        return false;
    }
    out->metric_len = (size_t)(stat - 1 - out->metric);
    return true;
}

static const struct ng_metric_def *find_metric(
    struct ng_expr_parser *p, size_t at, const char *text, const struct parts *parts) {
    const struct ng_vocabulary *vocabulary = p->plan->vocabulary;
    const char **names = ng_xmalloc((vocabulary->telemetry_count + 1) * sizeof *names);
    const struct ng_metric_def *found = NULL;
    for (size_t i = 0; i < vocabulary->telemetry_count; i++) {
        const char *name = vocabulary->telemetry[i].name;
        names[i] = name;
        if (strlen(name) == parts->metric_len &&
            strncmp(name, parts->metric, parts->metric_len) == 0) {
            found = &vocabulary->telemetry[i];
        }
    }
    if (!found) {
        refuse(p, at, text, "a host has no telemetry",
            ng_arena_strndup(p->arena, parts->metric, parts->metric_len), names,
            vocabulary->telemetry_count);
    }
    free(names);
    return found;
}

static int find_stat(
    struct ng_expr_parser *p, size_t at, const char *text, const struct parts *parts) {
    const char *names[NG_STAT_COUNT];
    for (int i = 0; i < NG_STAT_COUNT; i++) {
        names[i] = ng_telemetry_stat_word((enum ng_telemetry_stat)i);
        if (strcmp(names[i], parts->stat) == 0) {
            return i;
        }
    }
    refuse(p, at, text, "there is no statistic", parts->stat, names, NG_STAT_COUNT);
    return -1;
}

const struct ng_metric_def *ng_expr_telemetry(
    struct ng_expr_parser *p, const char *text, size_t offset) {
    const size_t at = offset;
    struct parts parts;
    if (!split(p, at, text, &parts)) {
        return NULL;
    }
    const struct ng_metric_def *of = find_metric(p, at, text, &parts);
    const int stat = of ? find_stat(p, at, text, &parts) : -1;
    if (stat < 0) {
        return NULL;
    }
    struct ng_telemetry_uses *uses = p->plan->telemetry;
    for (size_t i = 0; i < uses->count; i++) {
        if (strcmp(uses->items[i].metric->name, text) == 0) {
            return uses->items[i].metric;
        }
    }
    struct ng_metric_def *metric = ng_arena_alloc(p->arena, sizeof *metric);
    *metric = *of;
    metric->name = ng_arena_strdup(p->arena, text);
    uses->items =
        ng_arena_grow(p->arena, uses->items, uses->count, &uses->capacity, sizeof *uses->items);
    uses->items[uses->count++] = (struct ng_telemetry_use){
        .host = parts.host, .of = of, .stat = (enum ng_telemetry_stat)stat, .metric = metric};
    return metric;
}
