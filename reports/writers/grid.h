/**
 * grid.h - a table with formatted cells: what a report shows in rows, before anyone spells it.
 *
 * Everything lives in the arena of the view. Cells are borrowed.
 */
#ifndef NG_WRITERS_GRID_H
#define NG_WRITERS_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/arena.h"
#include "runner/base/buf.h"

/** Whose text stands in a column; a spelling must treat foreign text as hostile. */
enum ng_column_kind {
    NG_COLUMN_WORDS,   /* fixed words of ours */
    NG_COLUMN_NUMBER,  /* digits and units of ours; aligned to the right */
    NG_COLUMN_FOREIGN, /* from plans, hosts and tools */
};

struct ng_column {
    const char *head; /* a fixed word of ours */
    enum ng_column_kind kind;
};

struct ng_grid {
    const struct ng_column *columns; /* static */
    size_t column_count;
    const char **cells; /* row by row; never NULL, "" where there is nothing */
    size_t row_count;
    size_t capacity; /* private, in rows */
};

/** Adds a row of column_count cells; NULL is "". The texts are borrowed. */
void ng_grid_add(struct ng_arena *arena, struct ng_grid *grid, const char *const *cells);
const char *ng_grid_cell(const struct ng_grid *grid, size_t row, size_t column);
bool ng_grid_column_is_empty(const struct ng_grid *grid, size_t column);
/** The rows that have another text than `word` in a column; cells are shared. */
struct ng_grid ng_grid_without(
    struct ng_arena *arena, const struct ng_grid *grid, size_t column, const char *word);
/**
 * The grid as aligned plain text, a line per row under a line of heads, each line with `indent`
 * before it; for consoles and logs. Columns in which every cell is empty are left out; nothing for
 * no rows. Foreign cells are cleaned to one line and cut at `max_chars`, and the widest of them
 * further until lines have at most `line_chars` (0: any length), but never below 16 characters.
 */
void ng_grid_text(const struct ng_grid *grid, const char *indent, size_t max_chars,
    size_t line_chars, struct ng_buf *out);

#endif
