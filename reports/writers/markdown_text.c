/* markdown_text.c - text in Markdown, inert wherever it is rendered. */
#include "reports/writers/markdown_text.h"

#include <string.h>

#include "reports/writers/cut.h"

static size_t longest_run(const char *text, char c) {
    size_t longest = 0;
    size_t run = 0;
    for (; *text != '\0'; text++) {
        run = *text == c ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void fence(struct ng_buf *out, size_t count) {
    for (size_t i = 0; i < count; i++) {
        ng_buf_addc(out, '`');
    }
}

void ng_md_code(struct ng_buf *out, const char *text, size_t max_chars, bool in_table) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const char *line = ng_cut_line(&arena, text, max_chars);
    if (line[0] == '\0') {
        line = "-";
    }
    size_t len = strlen(line);
    size_t ticks = longest_run(line, '`') + 1;
    // A blank at each end keeps a backtick of the text apart from the fence and is not shown.
    const char *pad = line[0] == '`' || line[len - 1] == '`' ? " " : "";
    fence(out, ticks);
    ng_buf_adds(out, pad);
    for (const char *at = line; *at != '\0'; at++) {
        if (*at != '|' || !in_table) {
            ng_buf_addc(out, *at);
        } else {
            ng_buf_adds(out, at > line && at[-1] == '\\' ? "\\x7C" : "\\|");
        }
    }
    ng_buf_adds(out, pad);
    fence(out, ticks);
    ng_arena_release(&arena);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/** A dot stays between digits only: "www.x.org" would become a link. */
static bool in_heading(const char *text, size_t at) {
    char c = text[at];
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == ' ' ||
           c == '-' || (c == '.' && at > 0 && is_digit(text[at - 1]) && is_digit(text[at + 1]));
}

void ng_md_heading(struct ng_buf *out, const char *text) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const char *line = ng_cut_line(&arena, text, NG_MD_CELL);
    size_t begin = out->len;
    bool blank = false;
    for (size_t i = 0; line[i] != '\0'; i++) {
        char c = line[i] == '.' || line[i] == '_' ? '-' : line[i];
        if (in_heading(line, i)) {
            c = line[i];
        }
        bool kept = in_heading(line, i) || c == '-';
        if (kept && c != ' ') {
            ng_buf_adds(out, blank && out->len > begin ? " " : "");
            ng_buf_addc(out, c);
            blank = false;
        }
        blank = blank || (kept && c == ' ');
    }
    ng_buf_adds(out, out->len > begin ? "" : "unnamed");
    ng_arena_release(&arena);
}

void ng_md_fenced(struct ng_buf *out, const char *language, const char *line) {
    size_t run = longest_run(line, '`') + 1;
    size_t ticks = run > 3 ? run : 3;
    fence(out, ticks);
    ng_buf_addf(out, "%s\n%s\n", language, line);
    fence(out, ticks);
    ng_buf_addc(out, '\n');
}

static void add_cell(
    struct ng_buf *out, const struct ng_grid *grid, size_t row, size_t column, size_t max_chars) {
    const char *text = ng_grid_cell(grid, row, column);
    ng_buf_addc(out, ' ');
    if (text[0] == '\0') {
        ng_buf_addc(out, '-');
    } else if (grid->columns[column].kind == NG_COLUMN_FOREIGN) {
        ng_md_code(out, text, max_chars, true);
    } else {
        ng_buf_adds(out, text);
    }
    ng_buf_adds(out, " |");
}

void ng_md_grid(struct ng_buf *out, const struct ng_grid *grid, size_t max_chars) {
    if (grid->row_count == 0) {
        return;
    }
    struct ng_buf rule;
    ng_buf_init(&rule, 4096);
    ng_buf_adds(out, "\n|");
    for (size_t column = 0; column < grid->column_count; column++) {
        if (!ng_grid_column_is_empty(grid, column)) {
            bool number = grid->columns[column].kind == NG_COLUMN_NUMBER;
            ng_buf_addf(out, " %s |", grid->columns[column].head);
            ng_buf_adds(&rule, number ? " ---: |" : " --- |");
        }
    }
    ng_buf_addf(out, "\n|%s\n", ng_buf_text(&rule));
    ng_buf_release(&rule);
    for (size_t row = 0; row < grid->row_count; row++) {
        ng_buf_addc(out, '|');
        for (size_t column = 0; column < grid->column_count; column++) {
            if (!ng_grid_column_is_empty(grid, column)) {
                add_cell(out, grid, row, column, max_chars);
            }
        }
        ng_buf_addc(out, '\n');
    }
}
