/* view_conditions.c - under which conditions a run was made: preconditions and hosts. */
#include "reports/writers/view_parts.h"
#include "runner/base/guard.h"

static const struct ng_column condition_columns[] = {
    {"precondition", NG_COLUMN_FOREIGN},
    {"state", NG_COLUMN_WORDS},
    {"of", NG_COLUMN_FOREIGN},
    {"expected", NG_COLUMN_FOREIGN},
    {"seen", NG_COLUMN_FOREIGN},
    {"source", NG_COLUMN_FOREIGN},
};
static const struct ng_column remedy_columns[] = {
    {"precondition", NG_COLUMN_FOREIGN},
    {"what to do", NG_COLUMN_FOREIGN},
};
static const struct ng_column looked_at_columns[] = {
    {"precondition", NG_COLUMN_FOREIGN},
    {"looked at", NG_COLUMN_FOREIGN},
    {"found", NG_COLUMN_FOREIGN},
};
static const struct ng_column host_columns[] = {
    {"host", NG_COLUMN_FOREIGN},
    {"fact", NG_COLUMN_FOREIGN},
    {"value", NG_COLUMN_FOREIGN},
};

static const char *state(const struct ng_condition_result *condition) {
    return ng_condition_is_allowed(condition) ? NG_UNKNOWN_ALLOWED : ng_held_word(condition->held);
}

static void add_condition(
    struct ng_view *view, const struct ng_condition_result *condition, struct ng_arena *arena) {
    const char *id = condition->id;
    const char *row[] = {id, state(condition), condition->subject, condition->expected,
        condition->seen, condition->source};
    ng_grid_add(arena, &view->conditions, row);
    if (condition->held != NG_HELD && condition->remedy != NULL) {
        const char *remedy[] = {id, condition->remedy};
        ng_grid_add(arena, &view->remedies, remedy);
    }
    for (size_t i = 0; i < condition->looked_at.count; i++) {
        const struct ng_record_item *item = &condition->looked_at.items[i];
        const char *found[] = {id, item->key, item->value};
        ng_grid_add(arena, &view->looked_at, found);
    }
}

void ng_view_conditions(struct ng_view *view, struct ng_arena *arena) {
    const struct ng_result *result = view->result;
    view->conditions = (struct ng_grid){condition_columns, NG_COUNT(condition_columns), NULL, 0, 0};
    view->remedies = (struct ng_grid){remedy_columns, NG_COUNT(remedy_columns), NULL, 0, 0};
    view->looked_at = (struct ng_grid){looked_at_columns, NG_COUNT(looked_at_columns), NULL, 0, 0};
    view->hosts = (struct ng_grid){host_columns, NG_COUNT(host_columns), NULL, 0, 0};
    for (size_t i = 0; i < result->condition_count; i++) {
        add_condition(view, &result->conditions[i], arena);
    }
    for (size_t i = 0; i < result->host_count; i++) {
        const struct ng_host_result *host = &result->hosts[i];
        const char *reached[] = {host->name, "via", host->via};
        ng_grid_add(arena, &view->hosts, reached);
        for (size_t j = 0; j < host->environment.count; j++) {
            const struct ng_record_item *item = &host->environment.items[j];
            const char *row[] = {host->name, item->key, item->value};
            ng_grid_add(arena, &view->hosts, row);
        }
    }
}
