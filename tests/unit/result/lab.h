/**
 * lab.h - a small vocabulary and plans made with it, for tests of verdicts and schedules.
 */
#ifndef NG_TESTS_RESULT_LAB_H
#define NG_TESTS_RESULT_LAB_H

#include <string.h>

#include "plans/language/load.h"
#include "runner/base/clock.h"
#include "runner/base/guard.h"

/** An engine that measures what it is told to cost. */
struct lab_params {
    int64_t time_ns;
    int64_t size;
    bool guess;
    const char *data;
    const struct ng_volume *volume;
};

static const struct ng_field lab_fields[] = {
    {.name = "time",
        .type = NG_FIELD_DURATION,
        .offset = offsetof(struct lab_params, time_ns),
        .help = "how long it takes"},
    {.name = "size",
        .type = NG_FIELD_SIZE,
        .offset = offsetof(struct lab_params, size),
        .help = "how much it writes"},
    {.name = "guess",
        .type = NG_FIELD_BOOL,
        .offset = offsetof(struct lab_params, guess),
        .help = "whether it ends when its work is done"},
    {.name = "data",
        .type = NG_FIELD_TEXT,
        .offset = offsetof(struct lab_params, data),
        .help = "which data it shares"},
    {.name = "volume",
        .type = NG_FIELD_VOLUME,
        .offset = offsetof(struct lab_params, volume),
        .help = "where it works"},
};

static const struct ng_metric_def lab_metrics[] = {
    {"bw", {1, -1}, NG_SPELLING_PLAIN, NG_BETTER_HIGHER, "bytes per second", "nowhere"},
    {"iops", {0, -1}, NG_SPELLING_PLAIN, NG_BETTER_HIGHER, "requests per second", "nowhere"},
    {"lat", {0, 1}, NG_SPELLING_PLAIN, NG_BETTER_LOWER, "seconds", "nowhere"},
    {"loss", {0, 0}, NG_SPELLING_SHARE, NG_BETTER_LOWER, "share", "nowhere"},
};

static void lab_estimate(const void *params, struct ng_cost *cost) {
    const struct lab_params *p = params;
    *cost = (struct ng_cost){.time_ns = p->time_ns,
        .time_is_guess = p->guess,
        .written = p->size,
        .footprint = p->size,
        .data = p->data,
        .parts = 1};
}

static const struct ng_volume *lab_volume(const void *params) {
    return ((const struct lab_params *)params)->volume;
}

static const struct ng_kind lab_kind = {
    .record = {"lab", lab_fields, NG_COUNT(lab_fields), sizeof(struct lab_params), "time",
        "a test"},
    .metrics = lab_metrics,
    .metric_count = NG_COUNT(lab_metrics),
    .estimate = lab_estimate,
    .volume = lab_volume,
};
static const struct ng_kind *const lab_engines[] = {&lab_kind};
static const struct ng_vocabulary lab_vocabulary = {.engines = lab_engines, .engine_count = 1};

static const char lab_head[] = "nasgate: 1\nname: lab\ntopology:\n  hosts:\n    a: {via: local}\n"
                               "  volumes:\n    v: {on: a, path: /mnt/v}\n"
                               "    w: {on: a, path: /mnt/w}\n";

/** Loads a plan of which `rest` follows the topology; fails the test with its errors. */
static struct ng_plan *lab_plan(const char *rest) {
    struct ng_arena arena;
    struct ng_buf text;
    ng_arena_init(&arena);
    ng_buf_init(&text, 1 << 20);
    ng_buf_adds(&text, lab_head);
    ng_buf_adds(&text, rest);
    struct ng_diags diags = {.arena = &arena};
    const struct ng_load_options options = {.vocabulary = &lab_vocabulary};
    struct ng_plan *plan = ng_plan_load_text("lab.yaml", text.data, text.len, &options, &diags);
    if (plan == NULL) {
        struct ng_buf out;
        ng_buf_init(&out, 1 << 16);
        ng_diags_format(&diags, &out);
        fail_msg("%s", ng_buf_text(&out));
    }
    ng_buf_release(&text);
    ng_arena_release(&arena);
    return plan;
}

#endif
