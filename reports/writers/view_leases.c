/* view_leases.c - which units were leased, and who has those that were not. */
#include "reports/writers/view_parts.h"
#include "runner/base/guard.h"

static const struct ng_column lease_columns[] = {
    {"unit", NG_COLUMN_FOREIGN},
    {"lease", NG_COLUMN_WORDS},
    {"held by", NG_COLUMN_FOREIGN},
    {"since", NG_COLUMN_FOREIGN},
    {"job", NG_COLUMN_FOREIGN},
    {"plan", NG_COLUMN_FOREIGN},
    {"run", NG_COLUMN_FOREIGN},
    {"why", NG_COLUMN_FOREIGN},
};

void ng_view_leases(struct ng_view *view, struct ng_arena *arena) {
    const struct ng_result *result = view->result;
    view->leases = (struct ng_grid){lease_columns, NG_COUNT(lease_columns), NULL, 0, 0};
    for (size_t i = 0; i < result->lease_count; i++) {
        const struct ng_lease_result *lease = &result->leases[i];
        const bool ours = lease->state == NG_LEASE_HELD || lease->state == NG_LEASE_LOST;
        const char *row[] = {lease->host, ng_lease_word(lease->state),
            ours ? "this run" : lease->who, lease->since, lease->job, lease->plan, lease->run,
            lease->reason};
        ng_grid_add(arena, &view->leases, row);
    }
}
