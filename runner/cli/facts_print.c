/* The state of hosts on standard output. */
#include "runner/cli/facts_print.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "reports/writers/grid.h"
#include "runner/base/guard.h"
#include "runner/cli/ci_text.h"
#include "runner/cli/cli.h"
#include "runner/cli/output.h"

enum { TEXT_CAP = 64 * 1024 * 1024, CELL_CHARS = 400 };

static const struct ng_column columns[] = {
    {"of", NG_COLUMN_FOREIGN},
    {"fact", NG_COLUMN_FOREIGN},
    {"value", NG_COLUMN_FOREIGN},
    {"source", NG_COLUMN_FOREIGN},
};

static bool was_asked(const struct ng_survey *survey, size_t host) {
    return survey->ask.left_out == NULL || !survey->ask.left_out[host];
}

/* A table per section, under its word. */
static void add_state(
    struct ng_buf *out, struct ng_arena *arena, const struct ng_states *state, size_t width) {
    for (size_t i = 0; i < state->count;) {
        const char *section = state->items[i].section;
        struct ng_grid grid = {columns, NG_COUNT(columns), NULL, 0, 0};
        for (; i < state->count && strcmp(state->items[i].section, section) == 0; i++) {
            const struct ng_state_item *item = &state->items[i];
            const char *row[] = {item->about, item->key,
                item->value != NULL ? item->value
                                    : ng_arena_printf(arena, "unknown: %s", item->why),
                item->source};
            ng_grid_add(arena, &grid, row);
        }
        ng_buf_addf(out, "  %s\n", section);
        ng_grid_text(&grid, "    ", CELL_CHARS, width, out);
    }
}

bool ng_facts_print_table(const struct ng_result *result, const struct ng_survey *survey) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const struct ng_output output = ng_output_for(stdout, "auto");
    struct ng_buf out;
    ng_buf_init(&out, TEXT_CAP);
    for (size_t i = 0; i < result->host_count; i++) {
        const struct ng_host_result *host = &result->hosts[i];
        if (was_asked(survey, i)) {
            ng_buf_addf(&out, "%s%s (%s)\n", out.len > 0 ? "\n" : "", host->name, host->via);
            add_state(&out, &arena, &host->state, output.width);
        }
    }
    struct ng_buf safe;
    ng_buf_init(&safe, 2 * (size_t)TEXT_CAP);
    ng_ci_text(&safe, ng_buf_text(&out));
    const bool printed = ng_cli_print(&safe);
    ng_buf_release(&safe);
    ng_buf_release(&out);
    ng_arena_release(&arena);
    return printed;
}

/* NULL becomes null. All texts are clean, so that they are UTF-8. */
static json_t *text_json(const char *text) {
    return text != NULL ? json_string(text) : json_null();
}

static json_t *state_json(const struct ng_states *state) {
    json_t *list = json_array();
    for (size_t i = 0; i < state->count; i++) {
        const struct ng_state_item *item = &state->items[i];
        json_t *row = json_object();
        json_object_set_new(row, "about", text_json(item->about));
        json_object_set_new(row, "key", text_json(item->key));
        json_object_set_new(row, "section", text_json(item->section));
        json_object_set_new(row, "source", text_json(item->source));
        json_object_set_new(row, "value", text_json(item->value));
        json_object_set_new(row, "why", text_json(item->why));
        json_array_append_new(list, row);
    }
    return list;
}

static json_t *volumes_json(const struct ng_result *result, const char *host) {
    json_t *list = json_array();
    for (size_t i = 0; i < result->volume_count; i++) {
        const struct ng_volume_result *volume = &result->volumes[i];
        if (strcmp(volume->host, host) == 0) {
            json_t *row = json_object();
            json_object_set_new(row, "name", text_json(volume->name));
            json_object_set_new(row, "path", text_json(volume->path));
            json_object_set_new(row, "state", state_json(&volume->state));
            json_array_append_new(list, row);
        }
    }
    return list;
}

static json_t *host_json(const struct ng_result *result, const struct ng_host_result *host,
    const struct ng_facts *facts) {
    json_t *row = json_object();
    json_object_set_new(row, "complete", json_boolean(facts->frames.complete));
    json_object_set_new(row, "name", text_json(host->name));
    json_object_set_new(row, "reached", json_boolean(facts->reason == NULL));
    json_object_set_new(row, "state", state_json(&host->state));
    json_object_set_new(row, "via", text_json(host->via));
    json_object_set_new(row, "volumes", volumes_json(result, host->name));
    return row;
}

bool ng_facts_print_json(const struct ng_result *result, const struct ng_survey *survey) {
    json_t *root = json_object();
    json_t *hosts = json_array();
    for (size_t i = 0; i < result->host_count; i++) {
        if (was_asked(survey, i)) {
            json_array_append_new(hosts, host_json(result, &result->hosts[i], survey->facts[i]));
        }
    }
    json_object_set_new(root, "format", json_string(NG_FACTS_FORMAT));
    json_object_set_new(root, "hosts", hosts);
    json_object_set_new(root, "nasgate", text_json(result->version));
    json_object_set_new(root, "version", json_integer(NG_FACTS_VERSION));
    char *text = json_dumps(root, JSON_INDENT(2) | JSON_SORT_KEYS);
    struct ng_buf out;
    ng_buf_init(&out, TEXT_CAP);
    ng_buf_adds(&out, text != NULL ? text : "");
    ng_buf_addc(&out, '\n');
    const bool printed = text != NULL && ng_cli_print(&out);
    ng_buf_release(&out);
    free(text);
    json_decref(root);
    return printed;
}
