/* Fuzzes what engines make of a tool's output: the first byte picks the phase, the rest is printed.
 * A phase that is a script has no tool. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plans/language/load.h"
#include "runner/engines/engine.h"

enum { ENGINES_MAX = 32, PHASES = 4 };

static const char plan_text[] = "nasgate: 1\n"
                                "name: fuzz\n"
                                "topology:\n"
                                "  hosts: {here: {via: local}}\n"
                                "  links: {wire: {ends: [\"here:lo\", \"here:lo\"]}}\n"
                                "  volumes: {disk: {on: here, path: /var/tmp}}\n"
                                "phases:\n"
                                "  - name: a\n"
                                "    fio: {volume: disk, rw: randrw, bs: 4 KiB, size: 1 MiB}\n"
                                "  - name: b\n"
                                "    iperf3: {link: wire, time: 1 s}\n"
                                "  - name: c\n"
                                "    ping: {link: wire, count: 3}\n"
                                "  - name: d\n"
                                "    command: {host: here, argv: [cat]}\n";

static const struct ng_plan *load(struct ng_arena *arena) {
    const struct ng_kind *kinds[ENGINES_MAX];
    if (ng_engine_count > ENGINES_MAX) {
        return NULL;
    }
    for (size_t i = 0; i < ng_engine_count; i++) {
        kinds[i] = &ng_engines[i]->kind;
    }
    const struct ng_vocabulary vocabulary = {.engines = kinds, .engine_count = ng_engine_count};
    const struct ng_load_options options = {.vocabulary = &vocabulary};
    struct ng_diags diags = {.arena = arena};
    return ng_plan_load_text("plan.yaml", plan_text, strlen(plan_text), &options, &diags);
}

static void parse(
    const struct ng_phase *phase, const struct ng_plan *plan, char *text, size_t len) {
    const struct ng_engine *engine = ng_engine_of(phase->kind);
    struct ng_arena arena;
    ng_arena_init(&arena);
    const struct ng_site site = {.arena = &arena,
        .plan = plan,
        .phase = phase,
        .repeat = 1,
        .attempt = 1,
        .seed = 1,
        .run_dir = "/var/tmp/nasgate-fuzz",
        .address = {"127.0.0.1", "127.0.0.1"}};
    struct ng_commands commands = {0};
    struct ng_err err = {0};
    if (!engine->build(&site, &commands, &err)) {
        __builtin_trap();
    }
    struct ng_reply replies[NG_COMMANDS_MAX] = {0};
    for (size_t i = 0; i < commands.count; i++) {
        replies[i] = (struct ng_reply){.how = NG_ENDED_EXITED,
            .end_ns = 1000000000,
            .out = text,
            .out_len = len,
            .err = text + len,
            .err_len = 0};
    }
    struct ng_repeat repeat = {.number = 1};
    bool transient = false;
    const bool ok =
        engine->parse(&site, &commands, replies, commands.count, &repeat, &transient, &err);
    if (!ok && err.text[0] == '\0') {
        __builtin_trap(); /* refused without a reason */
    }
    ng_commands_release(&commands);
    ng_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct ng_arena arena;
    static const struct ng_plan *plan;
    if (plan == NULL) {
        ng_arena_init(&arena);
        plan = load(&arena);
        if (plan == NULL || plan->phase_count != PHASES) {
            __builtin_trap();
        }
    }
    if (size == 0) {
        return 0;
    }
    char *text = malloc(size);
    if (text == NULL) {
        return 0;
    }
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    parse(&plan->phases[data[0] % PHASES], plan, text, size - 1);
    free(text);
    return 0;
}
