/* view_notes.c - what of the hosts' state before a run may be in every figure of it. */
#include <string.h>

#include "reports/writers/cut.h"
#include "reports/writers/view_parts.h"
#include "runner/base/guard.h"
#include "runner/base/units.h"

enum { NAME_CHARS = 60 };

static const struct ng_column note_columns[] = {{"note", NG_COLUMN_FOREIGN}};

/** The number at the beginning of a fact of a host; false when it is not known. */
static bool number_of(const struct ng_host_result *host, const char *key, double *out) {
    for (size_t i = 0; i < host->environment.count; i++) {
        const struct ng_record_item *item = &host->environment.items[i];
        if (strcmp(item->key, key) == 0) {
            return ng_number_scan(item->value, strlen(item->value), out) > 0;
        }
    }
    return false;
}

static void note_load(
    struct ng_view *view, const struct ng_host_result *host, struct ng_arena *arena) {
    char load_text[NG_QUANTITY_TEXT];
    char cores_text[NG_QUANTITY_TEXT];
    double load; // of the last minute; the longer averages follow it
    double cores;
    if (!number_of(host, "load", &load) || !number_of(host, "cores", &cores) || load <= cores) {
        return;
    }
    ng_quantity_format((struct ng_quantity){load, NG_DIM_NONE}, load_text);
    ng_quantity_format((struct ng_quantity){cores, NG_DIM_NONE}, cores_text);
    const char *row[] = {ng_arena_printf(arena,
        "host %s: load %s on %s core%s before the run: other work may be in every figure",
        ng_cut_line(arena, host->name, NAME_CHARS), load_text, cores_text,
        strcmp(cores_text, "1") == 0 ? "" : "s")};
    ng_grid_add(arena, &view->notes, row);
}

void ng_view_notes(struct ng_view *view, struct ng_arena *arena) {
    view->notes = (struct ng_grid){note_columns, NG_COUNT(note_columns), NULL, 0, 0};
    for (size_t i = 0; i < view->result->host_count; i++) {
        note_load(view, &view->result->hosts[i], arena);
    }
}
