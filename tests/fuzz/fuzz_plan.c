/* Fuzzes the loader of plans, with the engines and preconditions of the program as its vocabulary.
 */
#include <stdint.h>

#include "plans/language/load.h"
#include "runner/conditions/condition.h"
#include "runner/engines/engine.h"

enum { KINDS_MAX = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct ng_kind *engines[KINDS_MAX];
    const struct ng_kind *conditions[KINDS_MAX];
    for (size_t i = 0; i < ng_engine_count && i < KINDS_MAX; i++) {
        engines[i] = &ng_engines[i]->kind;
    }
    for (size_t i = 0; i < ng_condition_count && i < KINDS_MAX; i++) {
        conditions[i] = &ng_conditions[i]->kind;
    }
    const struct ng_vocabulary vocabulary = {
        .engines = engines,
        .engine_count = ng_engine_count,
        .conditions = conditions,
        .condition_count = ng_condition_count,
    };
    const struct ng_load_options options = {.vocabulary = &vocabulary};
    struct ng_arena arena;
    ng_arena_init(&arena);
    struct ng_diags diags = {.arena = &arena};
    struct ng_plan *plan =
        ng_plan_load_text("plan.yaml", (const char *)data, size, &options, &diags);
    if ((plan == NULL) != (diags.errors > 0)) {
        __builtin_trap(); /* a plan or errors, never both, never neither */
    }
    struct ng_buf out;
    ng_buf_init(&out, (size_t)1024 * 1024);
    ng_diags_sort(&diags);
    ng_diags_format(&diags, &out);
    ng_buf_release(&out);
    ng_plan_free(plan);
    ng_arena_release(&arena);
    return 0;
}
