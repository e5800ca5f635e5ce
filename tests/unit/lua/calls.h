/**
 * calls.h - scripts run for a call: a plan of two hosts, facts from frames, answers to commands.
 */
#ifndef NG_TESTS_LUA_CALLS_H
#define NG_TESTS_LUA_CALLS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/host/run.h"
#include "lua/host/shipped.h"
#include "runner/base/strv.h"
#include "runner/facts/collect.h"

/* What a command prints; `command` is its words with blanks between. NULL `out`: it does not end.
 */
struct given {
    const char *command;
    int status;
    const char *out;
    const char *err;
};

struct bench {
    struct ng_arena arena;
    struct ng_host hosts[2]; /* client, nas */
    struct ng_link link;
    struct ng_plan plan;
    const struct ng_facts *facts[2];
    const struct given *given; /* ends with a row without a command */
    struct ng_script script;
    struct ng_value args;
    struct ng_script_call call;
};

static inline int bench_set_up(void **state) {
    struct bench *b = ng_xmalloc(sizeof *b);
    memset(b, 0, sizeof *b);
    ng_arena_init(&b->arena);
    b->hosts[0].name = "client";
    b->hosts[1].name = "nas";
    b->link.name = "fiber";
    b->link.ends[0].at = (struct ng_interface){&b->hosts[0], "eth0"};
    b->link.ends[1].at = (struct ng_interface){&b->hosts[1], "eth4"};
    b->link.mtu = 9000;
    b->plan.name = "bench";
    b->plan.hosts = b->hosts;
    b->plan.host_count = 2;
    b->plan.links = &b->link;
    b->plan.link_count = 1;
    b->args.kind = NG_VALUE_MAP;
    b->facts[0] = ng_facts_none(&b->arena, "client", "it could not be asked");
    b->facts[1] = ng_facts_none(&b->arena, "nas", "it could not be asked");
    *state = b;
    return 0;
}

static inline int bench_tear_down(void **state) {
    struct bench *b = *state;
    ng_arena_release(&b->arena);
    free(b);
    return 0;
}

static inline bool bench_answer(
    void *context, const struct ng_script_ask *ask, struct ng_script_answer *answer) {
    struct bench *b = context;
    char words[4096] = "";
    for (size_t i = 0; ask->argv[i] != NULL; i++) {
        snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", i > 0 ? " " : "",
            ask->argv[i]);
    }
    for (const struct given *row = b->given; row != NULL && row->command != NULL; row++) {
        if (strcmp(row->command, words) == 0 ||
            (row->command[strlen(row->command) - 1] == '*' &&
                strncmp(row->command, words, strlen(row->command) - 1) == 0)) {
            answer->status = row->status;
            answer->failed = row->out == NULL ? "it did not end in time" : NULL;
            answer->out = row->out != NULL ? row->out : "";
            answer->out_len = strlen(answer->out);
            answer->err = row->err != NULL ? row->err : "";
            answer->err_len = strlen(answer->err);
            return true;
        }
    }
    answer->status = 127;
    answer->out = "";
    answer->err = "not found";
    answer->err_len = 9;
    return true;
}

/* Adds an argument; a value's key lives as long as the test. */
static inline void bench_arg(struct bench *b, const char *key, struct ng_value value) {
    struct ng_value *items = ng_arena_array(&b->arena, b->args.count + 1, sizeof *items);
    if (b->args.count > 0) {
        memcpy(items, b->args.items, b->args.count * sizeof *items);
    }
    value.key = key;
    items[b->args.count++] = value;
    b->args.items = items;
}

#define TEXT(t) ((struct ng_value){.kind = NG_VALUE_TEXT, .text = (t)})
#define INT(n) ((struct ng_value){.kind = NG_VALUE_INT, .whole = (n)})
#define TRUE_VALUE ((struct ng_value){.kind = NG_VALUE_BOOL, .truth = true})

/* Runs a text as a precondition. */
static inline const struct ng_script_call *bench_run(struct bench *b, const char *text) {
    b->script =
        (struct ng_script){.name = "c.lua", .file = "c.lua", .text = text, .len = strlen(text)};
    const struct ng_records *earlier = b->call.earlier;
    const struct ng_script_call call = b->call;
    b->call = (struct ng_script_call){.script = &b->script,
        .args = &b->args,
        .place = call.place,
        .arena = &b->arena,
        .plan = &b->plan,
        .facts = b->facts,
        .result = call.result,
        .phase = call.phase,
        .number = call.number,
        .earlier = earlier,
        .output = call.output,
        .metrics = call.metrics,
        .metric_count = call.metric_count,
        .ask = bench_answer,
        .context = b};
    ng_lua_run_call(&b->call);
    return &b->call;
}

static inline void bench_expect(
    struct bench *b, const char *text, enum ng_script_said said, const char *words) {
    const struct ng_script_call *call = bench_run(b, text);
    const char *told = call->error != NULL ? call->error : call->reason;
    if (call->said != said || call->waits || strstr(told, words) == NULL) {
        fail_msg("said %d: \"%s\"; wanted %d: \"%s\"\n%s", (int)call->said, told, (int)said, words,
            text);
    }
}

static inline const char *bench_recorded(const struct bench *b, const char *key) {
    for (size_t i = 0; i < b->call.records.count; i++) {
        if (strcmp(b->call.records.items[i].key, key) == 0) {
            return b->call.records.items[i].value;
        }
    }
    return "";
}

#endif
