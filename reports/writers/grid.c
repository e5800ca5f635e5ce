/* grid.c - a table with formatted cells, and its plain text spelling. */
#include "reports/writers/grid.h"

#include <stdbool.h>

#include "reports/writers/cut.h"

enum { COLUMNS_MAX = 12 };

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

void ng_grid_text(
    const struct ng_grid *grid, const char *indent, size_t max_chars, struct ng_buf *out) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const char *heads[COLUMNS_MAX];
    size_t widths[COLUMNS_MAX];
    const char **cells = measure(grid, max_chars, widths, &arena);
    for (size_t i = 0; i < grid->column_count; i++) {
        heads[i] = grid->columns[i].head;
    }
    if (grid->row_count > 0) {
        add_line(grid, heads, widths, indent, out);
    }
    for (size_t row = 0; row < grid->row_count; row++) {
        add_line(grid, cells + row * grid->column_count, widths, indent, out);
    }
    ng_arena_release(&arena);
}
