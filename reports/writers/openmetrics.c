/* openmetrics.c - metrics.txt: the figures as OpenMetrics text, for GitLab's metrics reports and
 * whoever scrapes files.
 *
 * GitLab compares values of two branches as texts, so they are rounded to what a measurement can
 * tell: four significant digits. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/writers/cut.h"
#include "reports/writers/samples.h"
#include "reports/writers/view.h"
#include "reports/writers/writer.h"

enum { DIGITS = 4, NAME_CHARS = 100, LABEL_CHARS = 200 };

/** One line of a family. */
struct point {
    const char *family;
    const char *metric;
    const char *phase;
    double value;
    size_t place; /* keeps the order of the phases within a family */
};

static const char *unit_suffix(struct ng_dim dim) {
    static const struct {
        struct ng_dim dim;
        const char *suffix;
    } known[] = {
        {{1, -1}, "_bytes_per_second"},
        {{1, 0}, "_bytes"},
        {{0, 1}, "_seconds"},
        {{0, -1}, "_per_second"},
    };
    for (size_t i = 0; i < NG_COUNT(known); i++) {
        if (ng_dim_equal(dim, known[i].dim)) {
            return known[i].suffix;
        }
    }
    return "";
}

/** What is no letter or digit becomes "_". */
static const char *family_of(const struct ng_sample *sample, struct ng_arena *arena) {
    char *name = ng_arena_printf(arena, "nasgate_metric_%s%s",
        ng_cut_line(arena, sample->metric, NAME_CHARS), unit_suffix(sample->dim));
    for (char *at = name; *at != '\0'; at++) {
        bool kept =
            (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9');
        *at = kept ? *at : '_';
    }
    return name;
}

/** A clean line with backslash and quote escaped; it has no newline. */
static void add_text(struct ng_buf *out, const char *text) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    for (const char *at = ng_cut_line(&arena, text, LABEL_CHARS); *at != '\0'; at++) {
        if (*at == '\\' || *at == '"') {
            ng_buf_addc(out, '\\');
        }
        ng_buf_addc(out, *at);
    }
    ng_arena_release(&arena);
}

static void add_head(struct ng_buf *out, const char *family, const char *help) {
    ng_buf_addf(out, "# TYPE %s gauge\n# HELP %s ", family, family);
    add_text(out, help);
    ng_buf_addc(out, '\n');
}

/** A family with a 0 or 1 per name. A second sample of the same name would be refused, so equal
 *  names get a number. */
struct flags {
    const char *family, *label, *help;
    json_t *seen;
};

static void add_flag(
    struct ng_buf *out, struct flags *flags, const char *name, bool flag, struct ng_arena *arena) {
    const char *line = ng_cut_line(arena, name, NAME_CHARS);
    const char *unique = line;
    for (int i = 2; json_object_get(flags->seen, unique) != NULL; i++) {
        unique = ng_arena_printf(arena, "%s (%d)", line, i);
    }
    if (json_object_size(flags->seen) == 0) {
        add_head(out, flags->family, flags->help);
    }
    json_object_set_new(flags->seen, unique, json_true());
    ng_buf_addf(out, "%s{%s=\"", flags->family, flags->label);
    add_text(out, unique);
    ng_buf_addf(out, "\"} %d\n", flag ? 1 : 0);
}

/** What the run as a whole says. */
static void add_run(const struct ng_view *view, struct ng_arena *arena, struct ng_buf *out) {
    const struct ng_result *result = view->result;
    struct flags held = {"nasgate_run_precondition_held", "precondition",
        "1: held; 0: broken or unknown", json_object()};
    struct flags leased = {"nasgate_run_lease_held", "unit",
        "1: held by the run; 0: busy, lost or not taken", json_object()};
    struct flags passed = {
        "nasgate_run_phase_passed", "phase", "1: pass; 0: any other verdict", json_object()};
    add_head(out, "nasgate_run_exit_code", "exit code of the run; 0 is pass");
    ng_buf_addf(out, "nasgate_run_exit_code %d\n", view->exit_code);
    for (size_t i = 0; i < result->lease_count; i++) {
        add_flag(
            out, &leased, result->leases[i].host, result->leases[i].state == NG_LEASE_HELD, arena);
    }
    for (size_t i = 0; i < result->condition_count; i++) {
        add_flag(
            out, &held, result->conditions[i].id, result->conditions[i].held == NG_HELD, arena);
    }
    for (size_t i = 0; i < result->phase_count; i++) {
        add_flag(out, &passed, result->phases[i].name, result->phases[i].verdict == NG_VERDICT_PASS,
            arena);
    }
    json_decref(leased.seen);
    json_decref(held.seen);
    json_decref(passed.seen);
}

static int by_family(const void *left, const void *right) {
    const struct point *a = left;
    const struct point *b = right;
    int order = strcmp(a->family, b->family);
    return order != 0 ? order : (a->place > b->place) - (a->place < b->place);
}

static void add_point(struct ng_buf *out, const struct point *point, const struct point *before) {
    char number[NG_QUANTITY_TEXT];
    bool same = before != NULL && strcmp(before->family, point->family) == 0;
    if (!same) {
        ng_buf_addf(out, "# TYPE %s gauge\n# HELP %s ", point->family, point->family);
        add_text(out, point->metric);
        ng_buf_adds(out, ", median over the repeats that count\n");
    } else if (strcmp(before->phase, point->phase) == 0) {
        return; // two metrics whose names differ only in what a family cannot hold
    }
    ng_buf_addf(out, "%s{phase=\"", point->family);
    add_text(out, point->phase);
    ng_buf_addf(out, "\"} %s\n", ng_number_format(ng_round_digits(point->value, DIGITS), number));
}

static void add_measured(
    const struct ng_result *result, struct ng_arena *arena, struct ng_buf *out) {
    const struct ng_sample *samples;
    size_t count = ng_samples(result, arena, &samples);
    struct point *points = ng_arena_array(arena, count + 1, sizeof *points);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(samples[i].median)) {
            continue;
        }
        points[kept++] = (struct point){
            .family = family_of(&samples[i], arena),
            .metric = samples[i].metric,
            .phase = samples[i].phase->name,
            .value = samples[i].median,
            .place = i,
        };
    }
    qsort(points, kept, sizeof *points, by_family);
    for (size_t i = 0; i < kept; i++) {
        add_point(out, &points[i], i > 0 ? &points[i - 1] : NULL);
    }
}

static bool write(const struct ng_view *view, struct ng_buf *out, struct ng_err *err) {
    (void)err;
    struct ng_arena arena;
    ng_arena_init(&arena);
    add_run(view, &arena, out);
    add_measured(view->result, &arena, out);
    ng_buf_adds(out, "# EOF\n");
    ng_arena_release(&arena);
    return true;
}

const struct ng_writer ng_writer_openmetrics = {
    .name = "openmetrics",
    .file = "metrics.txt",
    .help = "the figures as OpenMetrics text",
    .write = write,
};
