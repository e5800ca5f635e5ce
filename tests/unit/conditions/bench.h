/**
 * bench.h - two hosts, a link and a volume to judge preconditions on, with facts from hand-written
 * frames.
 */
#ifndef NG_TESTS_CONDITIONS_BENCH_H
#define NG_TESTS_CONDITIONS_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/conditions/condition.h"
#include "tests/unit/groups.h"

/* Frames as the collector prints them. */
#define F(name, text) "\nt B " name "\n" text "\nt E " name " 0\n"
#define ABSENT(name) "\nt A " name " 0\n"
#define LATE(name) "\nt L " name " 3\n"
#define END "\nt Z end\n"

struct bench {
    struct ng_arena arena;
    struct ng_host hosts[2]; /* client, nas */
    struct ng_link link;     /* fiber: client:eth0, nas:eth4 */
    struct ng_mount_spec mount;
    struct ng_volume volume; /* repo: client:/mnt/bench, without a mount spec */
    struct ng_plan plan;
    struct ng_probe_results probes;      /* what bench_say made of it */
    const struct ng_precondition *items; /* what is evaluated together */
    size_t item_count;
};

static inline int bench_set_up(void **state) {
    struct bench *bench = ng_xmalloc(sizeof *bench);
    memset(bench, 0, sizeof *bench);
    ng_arena_init(&bench->arena);
    bench->hosts[0].name = "client";
    bench->hosts[1].name = "nas";
    bench->link.name = "fiber";
    bench->link.ends[0].at = (struct ng_interface){&bench->hosts[0], "eth0"};
    bench->link.ends[1].at = (struct ng_interface){&bench->hosts[1], "eth4"};
    bench->volume.name = "repo";
    bench->volume.on = &bench->hosts[0];
    bench->volume.path = "/mnt/bench";
    bench->plan.hosts = bench->hosts;
    bench->plan.host_count = 2;
    bench->plan.links = &bench->link;
    bench->plan.link_count = 1;
    bench->plan.volumes = &bench->volume;
    bench->plan.volume_count = 1;
    *state = bench;
    return 0;
}

static inline int bench_tear_down(void **state) {
    struct bench *bench = *state;
    ng_arena_release(&bench->arena);
    free(bench);
    return 0;
}

static inline const struct ng_condition *bench_condition(const char *name) {
    for (size_t i = 0; i < ng_condition_count; i++) {
        if (strcmp(ng_conditions[i]->kind.record.name, name) == 0) {
            return ng_conditions[i];
        }
    }
    fail_msg("no precondition %s", name);
    return NULL;
}

static inline const struct ng_facts *bench_facts(
    struct bench *bench, const char *host, const char *frames) {
    return frames == NULL ? ng_facts_none(&bench->arena, host, "it could not be asked")
                          : ng_facts_parse(&bench->arena, host, "t", frames, strlen(frames));
}

/* The same facts without the groups of sources that a precondition does not read. */
static inline const struct ng_facts *bench_less(
    struct bench *bench, const struct ng_facts *facts, unsigned reads) {
    struct ng_frames frames = facts->frames;
    if (facts->reason != NULL) {
        return facts;
    }
    frames.items = ng_arena_array(&bench->arena, frames.count + 1, sizeof *frames.items);
    frames.count = 0;
    for (size_t i = 0; i < facts->frames.count; i++) {
        const unsigned group = group_of(facts->frames.items[i].name);
        if (group == 0 || (group & reads) != 0) {
            frames.items[frames.count++] = facts->frames.items[i];
        }
    }
    return ng_facts_of_frames(&bench->arena, facts->host, &frames);
}

/* Evaluates; NULL frames are a host that could not be asked. Checks what holds for every outcome.
 */
static inline struct ng_condition_result bench_judge(struct bench *bench, const char *name,
    const void *params, const char *client, const char *nas) {
    const struct ng_facts *facts[2] = {
        bench_facts(bench, "client", client), bench_facts(bench, "nas", nas)};
    struct ng_condition_site site = {.arena = &bench->arena,
        .plan = &bench->plan,
        .facts = facts,
        .items = bench->items,
        .item_count = bench->item_count,
        .probes = &bench->probes};
    struct ng_condition_result result = {0}, less = {0};
    bench_condition(name)->evaluate(&site, params, &result);
    const unsigned reads = bench_condition(name)->reads;
    assert_true(reads != 0);
    if (reads != NG_GROUPS_ALL) { /* a guard sees no more than what it reads */
        const struct ng_facts *fewer[2] = {
            bench_less(bench, facts[0], reads), bench_less(bench, facts[1], reads)};
        site.facts = fewer;
        bench_condition(name)->evaluate(&site, params, &less);
        assert_int_equal(less.held, result.held);
        assert_string_equal(less.seen, result.seen);
    }
    assert_true(result.subject != NULL && result.subject[0] != '\0');
    assert_true(result.expected != NULL && result.expected[0] != '\0');
    assert_true(result.seen != NULL && result.seen[0] != '\0');
    assert_true(result.source != NULL && result.source[0] != '\0');
    assert_true((result.held == NG_HELD) == (result.remedy == NULL));
    return result;
}

/* The answer of a probe; NULL `out` is one that could not be run. It is answered in the second in
 * which it was asked. */
static inline void bench_say(
    struct bench *bench, size_t host, const char *name, const char *out, const char *err) {
    struct ng_probe_results *probes = &bench->probes;
    probes->items = ng_arena_grow(
        &bench->arena, probes->items, probes->count, &probes->capacity, sizeof *probes->items);
    probes->items[probes->count++] = (struct ng_probe_result){.host = &bench->hosts[host],
        .name = name,
        .failed = out == NULL ? "it could not be run" : NULL,
        .out = out == NULL ? "" : out,
        .out_len = out == NULL ? 0 : strlen(out),
        .err = err,
        .err_len = strlen(err),
        .asked_ns = INT64_C(1000000000000),
        .answered_ns = INT64_C(1000100000000)};
}

/* The names of the probes that are wanted next, each behind its host: "client: route 10.0.0.2; ".
 */
static inline const char *bench_wants(struct bench *bench, const char *name, const void *params,
    const char *client, const char *nas) {
    const struct ng_facts *facts[2] = {
        bench_facts(bench, "client", client), bench_facts(bench, "nas", nas)};
    struct ng_condition_site site = {
        .arena = &bench->arena, .plan = &bench->plan, .facts = facts, .probes = &bench->probes};
    struct ng_probe_list list = {.done = &bench->probes, .arena = &bench->arena};
    const char *text = "";
    bench_condition(name)->probes(&site, params, &list);
    for (size_t i = 0; i < list.count; i++) {
        assert_true(list.items[i].argv[0] != NULL && list.items[i].deadline_ns > 0);
        text = ng_arena_printf(
            &bench->arena, "%s%s: %s; ", text, list.items[i].host->name, list.items[i].name);
    }
    return text;
}

static inline const char *bench_looked(const struct ng_condition_result *result, const char *key) {
    for (size_t i = 0; i < result->looked_at.count; i++) {
        if (strcmp(result->looked_at.items[i].key, key) == 0) {
            return result->looked_at.items[i].value;
        }
    }
    return "";
}

static inline void bench_expect(const struct ng_condition_result *result, enum ng_held held,
    const char *seen, const char *remedy) {
    if (result->held != held || strstr(result->seen, seen) == NULL ||
        (remedy != NULL && (result->remedy == NULL || strstr(result->remedy, remedy) == NULL))) {
        fail_msg("%s: \"%s\", remedy \"%s\"; wanted %s \"%s\" \"%s\"", ng_held_word(result->held),
            result->seen, result->remedy == NULL ? "" : result->remedy, ng_held_word(held), seen,
            remedy == NULL ? "" : remedy);
    }
}

#endif
