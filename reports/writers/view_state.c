/* view_state.c - the state of the lab before anything was measured: volumes, hosts, the unknown. */
#include <string.h>

#include "reports/writers/view_parts.h"
#include "runner/base/guard.h"

static const struct ng_column volume_columns[] = {
    {"volume", NG_COLUMN_FOREIGN},
    {"on", NG_COLUMN_FOREIGN},
    {"part", NG_COLUMN_FOREIGN},
    {"state", NG_COLUMN_FOREIGN},
};
static const struct ng_column host_columns[] = {
    {"host", NG_COLUMN_FOREIGN},
    {"section", NG_COLUMN_FOREIGN},
    {"of", NG_COLUMN_FOREIGN},
    {"state", NG_COLUMN_FOREIGN},
    {"source", NG_COLUMN_FOREIGN},
};
static const struct ng_column unknown_columns[] = {
    {"host", NG_COLUMN_FOREIGN},
    {"section", NG_COLUMN_FOREIGN},
    {"fact", NG_COLUMN_FOREIGN},
    {"why it is unknown", NG_COLUMN_FOREIGN},
};

/** A line holds so much of one thing. */
enum { LINE_BYTES = 700 };

static bool goes_on(const struct ng_state_item *first, const struct ng_state_item *item) {
    return first->about[0] != '\0' && strcmp(first->about, item->about) == 0 &&
           strcmp(first->section, item->section) == 0 && strcmp(first->source, item->source) == 0;
}

/** What of a thing follows each other, on one line: "mtu 9000, speed 10 Gbit/s". */
struct line {
    const char *of; /* the thing, or the fact where it is about the host itself */
    const char *text;
    const struct ng_state_item *first;
};

/** Takes the next line off the items from *at on; false at their end. */
static bool next_line(
    const struct ng_states *state, size_t *at, struct line *line, struct ng_arena *arena) {
    while (*at < state->count && state->items[*at].value == NULL) {
        (*at)++;
    }
    if (*at >= state->count) {
        return false;
    }
    const struct ng_state_item *first = &state->items[*at];
    *line = (struct line){.of = first->about, .first = first};
    if (first->about[0] == '\0') {
        line->of = first->key;
        line->text = first->value;
        (*at)++;
        return true;
    }
    line->text = "";
    for (; *at < state->count && goes_on(first, &state->items[*at]); (*at)++) {
        const struct ng_state_item *item = &state->items[*at];
        if (item->value == NULL) {
            continue;
        }
        if (strlen(line->text) > LINE_BYTES) {
            break;
        }
        line->text = ng_arena_printf(arena, "%s%s%s %s", line->text,
            line->text[0] != '\0' ? ", " : "", item->key, item->value);
    }
    return true;
}

static void add_unknown(
    struct ng_view *view, const char *host, const struct ng_states *state, struct ng_arena *arena) {
    for (size_t i = 0; i < state->count; i++) {
        const struct ng_state_item *item = &state->items[i];
        if (item->value == NULL) {
            const char *row[] = {host, item->section,
                ng_arena_printf(
                    arena, "%s%s%s", item->about, item->about[0] != '\0' ? " " : "", item->key),
                item->why};
            ng_grid_add(arena, &view->state_unknown, row);
        }
    }
}

static void add_host(
    struct ng_view *view, const struct ng_host_result *host, struct ng_arena *arena) {
    struct line line;
    for (size_t at = 0; next_line(&host->state, &at, &line, arena);) {
        const char *row[] = {
            host->name, line.first->section, line.of, line.text, line.first->source};
        ng_grid_add(arena, &view->state_hosts, row);
    }
    add_unknown(view, host->name, &host->state, arena);
}

/** What is unknown of a volume stands beside what is known, since it is the volume that counts. */
static void add_volume(
    struct ng_view *view, const struct ng_volume_result *volume, struct ng_arena *arena) {
    const char *on = ng_arena_printf(arena, "%s:%s", volume->host, volume->path);
    struct line line;
    for (size_t at = 0; next_line(&volume->state, &at, &line, arena);) {
        const char *row[] = {volume->name, on, line.of, line.text};
        ng_grid_add(arena, &view->state_volumes, row);
    }
    for (size_t i = 0; i < volume->state.count; i++) {
        const struct ng_state_item *item = &volume->state.items[i];
        if (item->value == NULL) {
            const char *row[] = {volume->name, on, item->about,
                ng_arena_printf(
                    arena, "%s unknown: %s", item->key, item->why != NULL ? item->why : "-")};
            ng_grid_add(arena, &view->state_volumes, row);
        }
    }
}

void ng_view_state(struct ng_view *view, struct ng_arena *arena) {
    const struct ng_result *result = view->result;
    view->state_volumes = (struct ng_grid){volume_columns, NG_COUNT(volume_columns), NULL, 0, 0};
    view->state_hosts = (struct ng_grid){host_columns, NG_COUNT(host_columns), NULL, 0, 0};
    view->state_unknown = (struct ng_grid){unknown_columns, NG_COUNT(unknown_columns), NULL, 0, 0};
    for (size_t i = 0; i < result->host_count; i++) {
        add_host(view, &result->hosts[i], arena);
    }
    for (size_t i = 0; i < result->volume_count; i++) {
        add_volume(view, &result->volumes[i], arena);
    }
}
