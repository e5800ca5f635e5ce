/* grid.c - a table with formatted cells, and its plain text spelling. */
#include "reports/writers/grid.h"

#include <stdbool.h>
#include <string.h>

#include "reports/writers/cut.h"

enum { COLUMNS_MAX = 12, FOREIGN_MIN = 16 };

void ng_grid_add(struct ng_arena *arena, struct ng_grid *grid, const char *const *cells) {
    grid->cells = ng_arena_grow(arena, grid->cells, grid->row_count, &grid->capacity,
        grid->column_count * sizeof *grid->cells);
    const char **row = grid->cells + grid->row_count * grid->column_count;
    for (size_t i = 0; i < grid->column_count; i++) {
        row[i] = cells[i] != NULL ? cells[i] : "";
    }
    grid->row_count++;
}

const char *ng_grid_cell(const struct ng_grid *grid, size_t row, size_t column) {
    return grid->cells[row * grid->column_count + column];
}

bool ng_grid_column_is_empty(const struct ng_grid *grid, size_t column) {
    for (size_t row = 0; row < grid->row_count; row++) {
        if (ng_grid_cell(grid, row, column)[0] != '\0') {
            return false;
        }
    }
    return true;
}

struct ng_grid ng_grid_without(
    struct ng_arena *arena, const struct ng_grid *grid, size_t column, const char *word) {
    struct ng_grid kept = {grid->columns, grid->column_count, NULL, 0, 0};
    for (size_t i = 0; i < grid->row_count; i++) {
        if (strcmp(ng_grid_cell(grid, i, column), word) != 0) {
            ng_grid_add(arena, &kept, grid->cells + i * grid->column_count);
        }
    }
    return kept;
}

/** One line; columns of width 0 are left out. */
static void add_line(const struct ng_grid *grid, const char *const *cells, const size_t *widths,
    const char *indent, struct ng_buf *out) {
    ng_buf_adds(out, indent);
    size_t blanks = 0; // put only before more text, so that no line ends in them
    for (size_t i = 0; i < grid->column_count; i++) {
        if (widths[i] == 0) {
            continue;
        }
        size_t pad = widths[i] - ng_chars(cells[i]);
        bool right = grid->columns[i].kind == NG_COLUMN_NUMBER;
        blanks += right ? pad : 0;
        if (cells[i][0] != '\0') {
            ng_buf_addf(out, "%*s%s", (int)blanks, "", cells[i]);
            blanks = 0;
        }
        blanks += (right ? 0 : pad) + 2;
    }
    ng_buf_addc(out, '\n');
}

/** Cleans the cells and finds how wide each column is; 0 for one that is empty. */
static const char **measure(
    const struct ng_grid *grid, size_t max_chars, size_t *widths, struct ng_arena *arena) {
    size_t count = grid->row_count * grid->column_count;
    const char **cells = ng_arena_array(arena, count + 1, sizeof *cells);
    for (size_t i = 0; i < grid->column_count; i++) {
        widths[i] = ng_grid_column_is_empty(grid, i) ? 0 : ng_chars(grid->columns[i].head);
    }
    for (size_t i = 0; i < count; i++) {
        size_t column = i % grid->column_count;
        cells[i] = grid->columns[column].kind == NG_COLUMN_FOREIGN
                       ? ng_cut_line(arena, grid->cells[i], max_chars)
                       : grid->cells[i];
        size_t width = ng_chars(cells[i]);
        widths[column] = width > widths[column] ? width : widths[column];
    }
    return cells;
}

static size_t line_width(const struct ng_grid *grid, const size_t *widths, const char *indent) {
    size_t total = ng_chars(indent);
    size_t shown = 0;
    for (size_t i = 0; i < grid->column_count; i++) {
        total += widths[i] + (widths[i] > 0 && shown > 0 ? 2 : 0);
        shown += widths[i] > 0 ? 1 : 0;
    }
    return total;
}

/** Cuts the widest foreign column, and the next, until lines fit. */
static void fit(const struct ng_grid *grid, const char **cells, size_t *widths, const char *indent,
    size_t line_chars, struct ng_arena *arena) {
    size_t total = line_width(grid, widths, indent);
    for (size_t round = 0; round < grid->column_count && total > line_chars; round++) {
        size_t widest = grid->column_count;
        for (size_t i = 0; i < grid->column_count; i++) {
            bool wider = widest == grid->column_count || widths[i] > widths[widest];
            if (grid->columns[i].kind == NG_COLUMN_FOREIGN && widths[i] > FOREIGN_MIN && wider) {
                widest = i;
            }
        }
        if (widest == grid->column_count) {
            return;
        }
        size_t excess = total - line_chars;
        bool enough = widths[widest] >= excess + FOREIGN_MIN;
        widths[widest] = enough ? widths[widest] - excess : FOREIGN_MIN;
        for (size_t row = 0; row < grid->row_count; row++) {
            const char **cell = &cells[row * grid->column_count + widest];
            *cell = ng_cut_line(arena, *cell, widths[widest]);
        }
        total = line_width(grid, widths, indent);
    }
}

void ng_grid_text(const struct ng_grid *grid, const char *indent, size_t max_chars,
    size_t line_chars, struct ng_buf *out) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const char *heads[COLUMNS_MAX];
    size_t widths[COLUMNS_MAX];
    const char **cells = measure(grid, max_chars, widths, &arena);
    for (size_t i = 0; i < grid->column_count; i++) {
        heads[i] = grid->columns[i].head;
    }
    if (line_chars > 0) {
        fit(grid, cells, widths, indent, line_chars, &arena);
    }
    if (grid->row_count > 0) {
        add_line(grid, heads, widths, indent, out);
    }
    for (size_t row = 0; row < grid->row_count; row++) {
        add_line(grid, cells + row * grid->column_count, widths, indent, out);
    }
    ng_arena_release(&arena);
}
