/* diag.c - the bounded list of errors and warnings, its order and its spelling. */
#include "plans/language/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/text.h"

enum { DIAG_TEXT_MAX = 600, QUOTED_CHARS = 80, FILE_TEXT_MAX = 4096 };

bool ng_diags_full(const struct ng_diags *diags) {
    return diags->errors >= NG_DIAGS_MAX;
}

/* The row for a new message. When the list is full, an error takes the place of the last warning.
 */
static struct ng_diag *make_row(struct ng_diags *diags, enum ng_severity severity) {
    if (diags->count < NG_DIAGS_MAX) {
        diags->items = ng_arena_grow(
            diags->arena, diags->items, diags->count, &diags->capacity, sizeof *diags->items);
        return &diags->items[diags->count++];
    }
    diags->dropped++;
    if (severity == NG_SEVERITY_WARNING) {
        return NULL;
    }
    for (size_t i = diags->count; i > 0; i--) {
        if (diags->items[i - 1].severity == NG_SEVERITY_WARNING) {
            return &diags->items[i - 1];
        }
    }
    return NULL;
}

/* The file's name in the list's own arena: a plan that failed to load is freed before it is
 * printed. */
static const char *keep_file(struct ng_diags *diags, const char *file) {
    if (!file) {
        return "";
    }
    for (size_t i = diags->count; i > 0 && i + 4 > diags->count; i--) {
        const char *known = diags->items[i - 1].pos.file;
        if (known && strcmp(known, file) == 0) {
            return known;
        }
    }
    return ng_arena_strdup(diags->arena, file);
}

static void add(struct ng_diags *diags, enum ng_severity severity, struct ng_pos pos,
    const char *rule, const char *format, va_list args) NG_PRINTF(5, 0);

static void add(struct ng_diags *diags, enum ng_severity severity, struct ng_pos pos,
    const char *rule, const char *format, va_list args) {
    if (severity == NG_SEVERITY_ERROR) {
        diags->errors++;
    } else {
        diags->warnings++;
    }
    struct ng_diag *row = make_row(diags, severity);
    if (!row) {
        return;
    }
    struct ng_buf text;
    ng_buf_init(&text, NG_TEXT_CAP);
    ng_buf_addv(&text, format, args);
    *row = (struct ng_diag){.severity = severity, .rule = rule};
    const char *file =
        keep_file(diags, pos.file); /* while the row itself has no name to be found */
    row->pos = (struct ng_pos){file, pos.line, pos.column};
    row->text = ng_text_clean_dup(diags->arena, text.data, text.len, NG_TEXT_LINE, DIAG_TEXT_MAX);
    ng_buf_release(&text);
}

void ng_diag_error(
    struct ng_diags *diags, struct ng_pos pos, const char *rule, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(diags, NG_SEVERITY_ERROR, pos, rule, format, args);
    va_end(args);
}

void ng_diag_warning(
    struct ng_diags *diags, struct ng_pos pos, const char *rule, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(diags, NG_SEVERITY_WARNING, pos, rule, format, args);
    va_end(args);
}

const char *ng_diag_quote(struct ng_diags *diags, const char *text) {
    if (ng_diags_full(diags)) {
        return "";
    }
    size_t len = strlen(text);
    size_t cut = 0;
    for (size_t chars = 0; cut < len; cut++) {
        if (((unsigned char)text[cut] & 0xC0) != 0x80 && chars++ == QUOTED_CHARS) {
            break;
        }
    }
    const char *clean = ng_text_clean_dup(diags->arena, text, cut, NG_TEXT_LINE, NG_TEXT_CAP);
    return ng_arena_printf(diags->arena, "\"%s%s\"", clean, cut < len ? "…" : "");
}

const char *ng_diag_hint(
    struct ng_diags *diags, const char *word, const char *const *candidates, size_t count) {
    if (ng_diags_full(diags)) {
        return "";
    }
    const char *near = ng_text_nearest(word, candidates, count);
    return near ? ng_arena_printf(diags->arena, "; did you mean \"%s\"?", near) : "";
}

/* For sorting: `place` makes an unstable sort stable. */
struct ranked {
    struct ng_diag diag;
    size_t place;
};

static int compare(const void *left, const void *right) {
    const struct ranked *a = left;
    const struct ranked *b = right;
    int files = strcmp(a->diag.pos.file, b->diag.pos.file);
    if (files != 0) {
        return files;
    }
    if (a->diag.pos.line != b->diag.pos.line) {
        return a->diag.pos.line < b->diag.pos.line ? -1 : 1;
    }
    if (a->diag.pos.column != b->diag.pos.column) {
        return a->diag.pos.column < b->diag.pos.column ? -1 : 1;
    }
    return a->place < b->place ? -1 : 1;
}

static bool same(const struct ng_diag *a, const struct ng_diag *b) {
    return a->severity == b->severity && a->pos.line == b->pos.line &&
           a->pos.column == b->pos.column && strcmp(a->pos.file, b->pos.file) == 0 &&
           strcmp(a->rule, b->rule) == 0 && strcmp(a->text, b->text) == 0;
}

void ng_diags_sort(struct ng_diags *diags) {
    if (diags->count < 2) {
        return;
    }
    struct ranked *rows = ng_xmalloc(diags->count * sizeof *rows);
    for (size_t i = 0; i < diags->count; i++) {
        rows[i] = (struct ranked){diags->items[i], i};
    }
    qsort(rows, diags->count, sizeof *rows, compare);
    size_t kept = 0;
    for (size_t i = 0; i < diags->count; i++) {
        if (kept > 0 && same(&diags->items[kept - 1], &rows[i].diag)) {
            /* an aliased node is checked at each use and has one place */
            size_t *total =
                rows[i].diag.severity == NG_SEVERITY_ERROR ? &diags->errors : &diags->warnings;
            (*total)--;
            continue;
        }
        diags->items[kept++] = rows[i].diag;
    }
    diags->count = kept;
    free(rows);
}

void ng_diags_format(const struct ng_diags *diags, struct ng_buf *out) {
    for (size_t i = 0; i < diags->count; i++) {
        const struct ng_diag *diag = &diags->items[i];
        ng_text_clean(out, diag->pos.file, strlen(diag->pos.file), NG_TEXT_LINE, FILE_TEXT_MAX);
        if (diag->pos.line > 0) {
            ng_buf_addf(out, ":%d:%d", diag->pos.line, diag->pos.column);
        }
        ng_buf_addf(out, ": %s: %s [%s]\n",
            diag->severity == NG_SEVERITY_ERROR ? "error" : "warning", diag->text, diag->rule);
    }
    if (diags->dropped > 0) {
        ng_buf_addf(out, "... and %zu more, not shown\n", diags->dropped);
    }
}
