/* view_hooks.c - what the scripts before and after the run and its phases said. */
#include "reports/writers/view_parts.h"
#include "runner/base/guard.h"

static const struct ng_column hook_columns[] = {
    {"hook", NG_COLUMN_FOREIGN},
    {"phase", NG_COLUMN_FOREIGN},
    {"outcome", NG_COLUMN_WORDS},
    {"expected", NG_COLUMN_FOREIGN},
    {"why", NG_COLUMN_FOREIGN},
    {"what to do", NG_COLUMN_FOREIGN},
};
static const struct ng_column looked_at_columns[] = {
    {"hook", NG_COLUMN_FOREIGN},
    {"phase", NG_COLUMN_FOREIGN},
    {"looked at", NG_COLUMN_FOREIGN},
    {"found", NG_COLUMN_FOREIGN},
};

void ng_view_hooks(struct ng_view *view, struct ng_arena *arena) {
    const struct ng_result *result = view->result;
    view->hooks = (struct ng_grid){hook_columns, NG_COUNT(hook_columns), NULL, 0, 0};
    view->hooks_looked_at =
        (struct ng_grid){looked_at_columns, NG_COUNT(looked_at_columns), NULL, 0, 0};
    for (size_t i = 0; i < result->hook_count; i++) {
        const struct ng_hook_result *hook = &result->hooks[i];
        const char *row[] = {hook->id, hook->phase, ng_hook_word(hook->outcome), hook->expected,
            hook->reason, hook->remedy};
        ng_grid_add(arena, &view->hooks, row);
        for (size_t j = 0; j < hook->looked_at.count; j++) {
            const struct ng_record_item *item = &hook->looked_at.items[j];
            const char *found[] = {hook->id, hook->phase, item->key, item->value};
            ng_grid_add(arena, &view->hooks_looked_at, found);
        }
    }
}
