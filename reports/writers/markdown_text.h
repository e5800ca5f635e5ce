/**
 * markdown_text.h - text in Markdown, inert wherever it is rendered.
 *
 * All foreign text goes into code spans: only there are mentions, references, links, mail addresses
 * and formulas left alone by every renderer.
 */
#ifndef NG_WRITERS_MARKDOWN_TEXT_H
#define NG_WRITERS_MARKDOWN_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "reports/writers/grid.h"
#include "runner/base/buf.h"

enum { NG_MD_CELL = 120, NG_MD_SENTENCE = 1000 };

/**
 * A code span of one clean line, cut at `max_chars` code points; the fence is longer than any run
 * of backticks inside. "-" stands for an empty text. In a table every pipe gets a backslash; a pipe
 * behind a backslash, which renderers disagree on, is written as \x7C.
 */
void ng_md_code(struct ng_buf *out, const char *text, size_t max_chars, bool in_table);
/**
 * What of a text may stand in a heading: ASCII letters, digits, single blanks, hyphens, dots
 * between digits; other dots and "_" become hyphens, the rest is dropped. "unnamed" for nothing.
 */
void ng_md_heading(struct ng_buf *out, const char *text);
/** A fenced block with one line of foreign text. */
void ng_md_fenced(struct ng_buf *out, const char *language, const char *line);
/**
 * A table behind a blank line, foreign cells cut at `max_chars`; columns in which every cell is
 * empty are left out. Nothing for a grid without rows.
 */
void ng_md_grid(struct ng_buf *out, const struct ng_grid *grid, size_t max_chars);

#endif
