/**
 * lab.h - a small lab for the tests of engines: two hosts, a link between them, a link on one host,
 * a volume; a phase whose params are read from YAML as the loader does it; replies made by hand.
 */
#ifndef NG_TESTS_ENGINES_LAB_H
#define NG_TESTS_ENGINES_LAB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "runner/base/clock.h"
#include "runner/engines/engine.h"

struct lab {
    struct ng_arena arena;
    struct ng_host hosts[2];
    struct ng_link links[2];
    struct ng_volume volumes[1];
    struct ng_plan plan;
    struct ng_phase phase;
    struct ng_site site;
    const struct ng_engine *engine;
    struct ng_node *node;
    struct ng_diags diags;
    struct ng_commands commands;
    struct ng_repeat repeat;
    bool transient;
    struct ng_err err;
};

static inline void lab_topology(struct lab *lab) {
    lab->hosts[0] = (struct ng_host){.name = "backup"};
    lab->hosts[1] = (struct ng_host){.name = "nas"};
    lab->links[0] = (struct ng_link){.name = "fiber",
        .ends = {{{&lab->hosts[0], "eth0"}, "10.0.0.1"}, {{&lab->hosts[1], "eth4"}, "10.0.0.2"}},
        .mtu = 9000,
        .speed = 10000000000};
    lab->links[1] = (struct ng_link){.name = "loop",
        .ends = {{{&lab->hosts[0], "lo"}, "127.0.0.1"}, {{&lab->hosts[0], "lo"}, "127.0.0.1"}}};
    lab->volumes[0] = (struct ng_volume){
        .name = "repo", .on = &lab->hosts[0], .path = "/mnt/bench", .link = &lab->links[0]};
    lab->plan.hosts = lab->hosts;
    lab->plan.host_count = 2;
    lab->plan.links = lab->links;
    lab->plan.link_count = 2;
    lab->plan.volumes = lab->volumes;
    lab->plan.volume_count = 1;
}

/** Reads the params of a phase; errors and warnings are in lab->diags. */
static inline void lab_load(struct lab *lab, const struct ng_engine *engine, const char *yaml) {
    memset(lab, 0, sizeof *lab);
    ng_arena_init(&lab->arena);
    lab_topology(lab);
    lab->engine = engine;
    lab->diags.arena = &lab->arena;
    lab->node = ng_node_parse(&lab->arena, "plan.yaml", yaml, strlen(yaml), &lab->diags);
    assert_non_null(lab->node);
    void *params = ng_arena_alloc(&lab->arena, engine->kind.record.size);
    const struct ng_loading loading = {
        .arena = &lab->arena, .diags = &lab->diags, .plan = &lab->plan};
    if (ng_record_load(&loading, &engine->kind.record, lab->node, NULL, params)) {
        engine->kind.check(&lab->plan, params, lab->node, &lab->diags);
    }
    lab->phase = (struct ng_phase){
        .name = "point", .index = 3, .kind = &engine->kind, .params = params, .repeat = 1};
    lab->plan.phases = &lab->phase;
    lab->plan.phase_count = 1;
    lab->site = (struct ng_site){.arena = &lab->arena,
        .plan = &lab->plan,
        .phase = &lab->phase,
        .repeat = 1,
        .attempt = 1,
        .seed = 42,
        .run_dir = "/mnt/bench/nasgate-R1",
        .direct = NG_ANSWER_YES,
        .client_ram = INT64_C(8) << 30};
}

/** The same, and no errors; the commands are made. */
static inline void lab_open(struct lab *lab, const struct ng_engine *engine, const char *yaml) {
    lab_load(lab, engine, yaml);
    if (lab->diags.errors > 0) {
        fail_msg("%s", lab->diags.items[0].text);
    }
    if (!engine->build(&lab->site, &lab->commands, &lab->err)) {
        fail_msg("%s", lab->err.text);
    }
}

static inline void lab_close(struct lab *lab) {
    ng_commands_release(&lab->commands);
    ng_arena_release(&lab->arena);
}

/** All diagnostics as "rule rule ...", in their order. */
static inline const char *lab_rules(struct lab *lab) {
    const char *text = "";
    for (size_t i = 0; i < lab->diags.count; i++) {
        text = ng_arena_printf(
            &lab->arena, "%s%s%s", text, i > 0 ? " " : "", lab->diags.items[i].rule);
    }
    return text;
}

/** A command as one line. */
static inline const char *lab_argv(struct lab *lab, size_t index) {
    const char *text = "";
    assert_true(index < lab->commands.count);
    const struct ng_strv *argv = &lab->commands.items[index].argv;
    for (size_t i = 0; i < argv->count; i++) {
        text = ng_arena_printf(&lab->arena, "%s%s%s", text, i > 0 ? " " : "", argv->items[i]);
    }
    return text;
}

static inline struct ng_reply lab_reply(
    struct lab *lab, int status, const char *out, const char *err) {
    return (struct ng_reply){.how = NG_ENDED_EXITED,
        .status = status,
        .end_ns = 10 * NG_NS_PER_S,
        .out = ng_arena_strdup(&lab->arena, out),
        .out_len = strlen(out),
        .err = ng_arena_strdup(&lab->arena, err),
        .err_len = strlen(err)};
}

static inline bool lab_parse(struct lab *lab, const struct ng_reply *replies, size_t count) {
    memset(&lab->repeat, 0, sizeof lab->repeat);
    memset(&lab->err, 0, sizeof lab->err);
    return lab->engine->parse(
        &lab->site, &lab->commands, replies, count, &lab->repeat, &lab->transient, &lab->err);
}

static inline double lab_value(const struct lab *lab, const char *metric) {
    double value = 0;
    if (!ng_repeat_value(&lab->repeat, metric, &value)) {
        fail_msg("%s was not measured", metric);
    }
    return value;
}

static inline bool lab_has(const struct lab *lab, const char *metric) {
    double value = 0;
    return ng_repeat_value(&lab->repeat, metric, &value);
}

static inline void lab_assert_near(double value, double expected) {
    double off = value > expected ? value - expected : expected - value;
    if (off > 1e-9 * (expected > 0 ? expected : -expected)) {
        fail_msg("%.12g is not %.12g", value, expected);
    }
}

/** The first finding of a rule, or NULL. */
static inline const struct ng_finding *lab_finding(const struct lab *lab, const char *rule) {
    for (size_t i = 0; i < lab->repeat.finding_count; i++) {
        if (strcmp(lab->repeat.findings[i].rule, rule) == 0) {
            return &lab->repeat.findings[i];
        }
    }
    return NULL;
}

static inline void lab_assert_error(const struct lab *lab, const char *part) {
    if (strstr(lab->err.text, part) == NULL) {
        fail_msg("\"%s\" is not in: %s", part, lab->err.text);
    }
}

#endif
