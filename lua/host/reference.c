/* The page for those who write checks. */
#include "lua/host/reference.h"

#include <string.h>

#include "lua/host/api.h"
#include "lua/host/shipped.h"

extern const unsigned char ng_lua_page_md[];
extern const size_t ng_lua_page_md_len;

/* Functions with a text of their own, each under a heading. */
static void add_theme(const char *title, const struct ng_lua_name *rows, struct ng_buf *out) {
    ng_buf_addf(out, "\n## %s\n", title);
    for (const struct ng_lua_name *row = rows; row->name != NULL; row++) {
        if (row->help == NULL) {
            continue;
        }
        ng_buf_addf(out, "\n### `%s`\n\n%s\n", row->usage, row->help);
        if (row->example != NULL) {
            ng_buf_addf(out, "\n```lua\n%s\n```\n", row->example);
        }
    }
}

/* Names that are as in Lua's manual, on one line per library. */
static void add_plain(const char *label, const struct ng_lua_name *rows, struct ng_buf *out) {
    const char *before = "";
    ng_buf_addf(out, "| %s | ", label);
    for (const struct ng_lua_name *row = rows; row->name != NULL; row++) {
        ng_buf_addf(out, "%s`%s`", before, row->name);
        before = ", ";
    }
    ng_buf_adds(out, " |\n");
}

static void add_lua(struct ng_buf *out) {
    ng_buf_adds(out, "\n## What is there of Lua\n\nAs in the manual of Lua 5.4, but for what has a "
                     "text of its own below.\n\n| library | names |\n| --- | --- |\n");
    add_plain("base", ng_lua_base_names, out);
    add_plain("`string`", ng_lua_string_names, out);
    add_plain("`table`", ng_lua_table_names, out);
    add_plain("`math`", ng_lua_math_names, out);
    add_plain("`utf8`", ng_lua_utf8_names, out);
    add_theme("What differs from Lua", ng_lua_base_names, out);
    for (size_t i = 0; i < 2; i++) {
        const struct ng_lua_name *rows = i == 0 ? ng_lua_table_names : ng_lua_math_names;
        for (; rows->name != NULL; rows++) {
            if (rows->help != NULL) {
                ng_buf_addf(out, "\n### `%s`\n\n%s\n", rows->usage, rows->help);
            }
        }
    }
}

/* The comment that a shipped check begins with. */
static void add_shipped(const struct ng_shipped_script *row, struct ng_buf *out) {
    ng_buf_addf(out, "\n### `%.*s`\n\n", (int)(strlen(row->name) - strlen(".lua")), row->name);
    bool code = false;
    for (const char *at = row->text; strncmp(at, "--", 2) == 0;) {
        const size_t len = strcspn(at, "\n");
        const char *text = at + 2 + (at[2] == ' ');
        const int rest = (int)(at + len - text);
        if (strncmp(text, "args.", 5) == 0 && !code) {
            ng_buf_adds(out, "```text\n");
            code = true;
        } else if (rest == 0 && code) {
            ng_buf_adds(out, "```\n");
            code = false;
        }
        ng_buf_addf(out, "%.*s\n", rest, text);
        at += len + (at[len] == '\n');
    }
    ng_buf_adds(out, code ? "```\n" : "");
}

void ng_lua_reference(struct ng_buf *out) {
    ng_buf_add(out, ng_lua_page_md, ng_lua_page_md_len);
    add_theme("What a check says", ng_lua_say_names, out);
    add_theme("What a check asks", ng_lua_lab_names, out);
    add_theme("What a check finds", ng_lua_result_names, out);
    add_theme("Texts", ng_lua_text_names, out);
    add_lua(out);
    ng_buf_adds(out, "\n## Shipped checks\n\nIn any plan by their name; `nasgate lua --show NAME` "
                     "prints one.\n");
    for (const struct ng_shipped_script *row = ng_shipped_scripts; row->name != NULL; row++) {
        add_shipped(row, out);
    }
}
