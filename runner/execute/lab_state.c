/* The state of hosts and volumes, from facts into the result. */
#include "runner/execute/lab_state.h"

#include <string.h>

#include "runner/facts/state.h"

size_t ng_places_of(const struct ng_volume *volume, struct ng_place places[NG_PLACES_MAX]) {
    const struct ng_mount_spec *mount = volume->mount;
    size_t count = 0;
    places[count++] = (struct ng_place){.host = volume->on, .path = volume->path};
    /* an SMB share has a name and no path: where it lies on the server is not told by the plan */
    if (mount != NULL && mount->from != NULL && mount->export != NULL && mount->export[0] == '/' &&
        strncmp(mount->export, "//", 2) != 0) {
        places[count++] = (struct ng_place){.host = mount->from, .path = mount->export};
    }
    return count;
}

/* A record is read back by reports at most so large, and saved after every phase: the rows of all
 * hosts and volumes share this room, and each of them has room for the first few. */
enum { ROWS_MAX = 8000, ROWS_MIN = 40 };

static size_t share_of(const struct ng_plan *plan) {
    const size_t parts = plan->host_count + NG_PLACES_MAX * plan->volume_count;
    const size_t share = ROWS_MAX / (parts > 0 ? parts : 1);
    return share > ROWS_MIN ? share : ROWS_MIN;
}

static void copy_rows(
    struct ng_arena *arena, struct ng_states *out, const struct ng_state *state, size_t most) {
    const size_t count = state->count <= most ? state->count : most;
    for (size_t i = 0; i < count; i++) {
        const struct ng_state_row *row = &state->rows[i];
        *ng_states_add(arena, out) = (struct ng_state_item){
            .section = ng_state_word(row->section),
            .about = ng_arena_strdup(arena, row->about),
            .key = ng_arena_strdup(arena, row->key),
            .value = ng_arena_strdup(arena, row->value),
            .why = ng_arena_strdup(arena, row->why),
            .source = ng_arena_strdup(arena, row->source),
        };
    }
    if (count < state->count) {
        *ng_states_add(arena, out) = (struct ng_state_item){
            .section = ng_state_word(state->rows[count].section),
            .about = "",
            .key = "the rest",
            .why = ng_arena_printf(
                arena, "%zu facts more than a record has room for", state->count - count),
            .source = "",
        };
    }
}

static void record_volume(struct ng_run *run, const struct ng_volume *volume) {
    struct ng_arena *arena = &run->result->arena;
    struct ng_place places[NG_PLACES_MAX];
    const size_t count = ng_places_of(volume, places);
    for (size_t i = 0; i < count; i++) {
        struct ng_volume_result *out = ng_result_add_volume(run->result);
        out->name = ng_arena_strdup(arena, volume->name);
        out->host = ng_arena_strdup(arena, places[i].host->name);
        out->path = ng_arena_strdup(arena, places[i].path);
        copy_rows(arena, &out->state,
            ng_state_of_path(
                &run->arena, run->facts[places[i].host - run->plan->hosts], places[i].path),
            share_of(run->plan));
    }
}

void ng_lab_state_record(struct ng_run *run) {
    run->result->volume_count = 0; /* those of an earlier collection */
    for (size_t i = 0; i < run->plan->host_count; i++) {
        run->result->hosts[i].state.count = 0;
        copy_rows(&run->result->arena, &run->result->hosts[i].state,
            ng_state_of_host(&run->arena, run->facts[i]), share_of(run->plan));
    }
    for (size_t i = 0; i < run->plan->volume_count; i++) {
        record_volume(run, &run->plan->volumes[i]);
    }
}
