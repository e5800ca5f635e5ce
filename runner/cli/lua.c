/* nasgate lua: checks that are written in Lua, looked at and tried without a lab. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/host/check.h"
#include "lua/host/library.h"
#include "lua/host/reference.h"
#include "lua/host/shipped.h"
#include "lua/host/unread.h"
#include "runner/base/files.h"
#include "runner/base/text.h"
#include "runner/base/units.h"
#include "runner/cli/cli.h"
#include "runner/cli/try_check.h"
#include "runner/result/verdict.h"

enum { TEXT_CAP = 1024 * 1024 };

static const struct ng_option options[] = {
    {.name = "facts",
        .argument = "BUNDLE",
        .help = "run the check over what was recorded there, as a precondition"},
    {.name = "arg",
        .letter = 'a',
        .argument = "NAME=VALUE",
        .repeats = true,
        .help = "an argument of the check: text, number, true or false"},
    {.name = "list", .help = "name the checks that come with the program"},
    {.name = "show", .argument = "NAME", .help = "print one of them"},
    {.name = "reference", .help = "print what a check can use, as a page in Markdown"},
};

/* The first line of a check says what it is for. */
static void list_one(const struct ng_shipped_script *row, struct ng_buf *out) {
    const char *text = row->text + strspn(row->text, "- ");
    ng_buf_addf(out, "%-26.*s %.*s\n", (int)(strlen(row->name) - strlen(".lua")), row->name,
        (int)strcspn(text, "\n"), text);
}

static int print(struct ng_buf *out) {
    const bool ok = ng_cli_print(out);
    ng_buf_release(out);
    return ok ? NG_EXIT_PASS : NG_EXIT_ERROR;
}

static int refuse(const char *format, const char *word) {
    struct ng_err err = {0};
    char text[NG_ERR_TEXT_MAX];
    snprintf(text, sizeof text, "%s%.200s", format, word);
    ng_err_set(&err, NG_ERR_USAGE, "%s", text);
    ng_cli_complain(&err);
    return NG_EXIT_USAGE;
}

static int list(void) {
    struct ng_buf out;
    ng_buf_init(&out, TEXT_CAP);
    for (const struct ng_shipped_script *row = ng_shipped_scripts; row->name != NULL; row++) {
        list_one(row, &out);
    }
    return print(&out);
}

static int show(const char *name) {
    char file[100];
    const size_t len = strlen(name);
    const bool whole = len > 4 && strcmp(name + len - 4, ".lua") == 0;
    snprintf(file, sizeof file, "%s%s", name, whole ? "" : ".lua");
    const struct ng_shipped_script *row = ng_shipped_find(file);
    if (row == NULL) {
        return refuse("no check that comes with the program is called ", name);
    }
    struct ng_buf out;
    ng_buf_init(&out, TEXT_CAP);
    ng_buf_add(&out, row->text, row->len);
    return print(&out);
}

static int reference(void) {
    struct ng_buf out;
    ng_buf_init(&out, TEXT_CAP);
    ng_lua_reference(&out);
    return print(&out);
}

static struct ng_value value_of(const char *text) {
    char *end = NULL;
    errno = 0;
    const long long whole = strtoll(text, &end, 10);
    if (*text != '\0' && *end == '\0' && errno == 0) {
        return (struct ng_value){.kind = NG_VALUE_INT, .whole = whole};
    }
    const bool minus = text[0] == '-';
    double number = 0;
    if (text[minus] != '\0' &&
        ng_number_scan(text + minus, strlen(text + minus), &number) == strlen(text + minus)) {
        return (struct ng_value){.kind = NG_VALUE_NUMBER, .number = minus ? -number : number};
    }
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        return (struct ng_value){.kind = NG_VALUE_BOOL, .truth = text[0] == 't'};
    }
    return (struct ng_value){.kind = NG_VALUE_TEXT, .text = text};
}

/* All --arg as one map, in the arena; false after a complaint. */
static bool read_args(
    const struct ng_arguments *arguments, struct ng_arena *arena, struct ng_value *out) {
    const char *given[NG_OPTION_VALUES_MAX];
    const size_t count = ng_option_values(arguments, "arg", given);
    struct ng_value *items = ng_arena_array(arena, count, sizeof *items);
    for (size_t i = 0; i < count; i++) {
        const char *equals = strchr(given[i], '=');
        if (equals == NULL || equals == given[i]) {
            refuse("write --arg NAME=VALUE, not ", given[i]);
            return false;
        }
        for (size_t j = 0; j < i; j++) {
            const size_t len = strlen(items[j].key);
            if (len == (size_t)(equals - given[i]) && strncmp(items[j].key, given[i], len) == 0) {
                refuse("this argument is given twice: ", items[j].key);
                return false;
            }
        }
        items[i] = value_of(equals + 1);
        items[i].key = ng_arena_strndup(arena, given[i], (size_t)(equals - given[i]));
    }
    *out = (struct ng_value){.kind = NG_VALUE_MAP, .items = items, .count = count};
    return true;
}

/* The file of that path, or else the shipped check of that name. */
static bool find_script(struct ng_arena *arena, const char *file, struct ng_script *out) {
    const char *slash = strrchr(file, '/');
    const size_t len = strlen(file);
    const bool whole = len > 4 && strcmp(file + len - 4, ".lua") == 0;
    struct ng_lua_library library = {.folder = ng_cli_folder(arena, file)};
    const struct ng_scripts *scripts = ng_lua_library_open(&library);
    struct ng_err err = {0};
    const char *name = slash != NULL ? slash + 1 : file;
    out->name = ng_arena_printf(arena, "%s%s", name, whole ? "" : ".lua");
    library.only_folder = slash != NULL;
    if (!scripts->find(&library, arena, out->name, out, &err)) {
        ng_cli_complain(&err);
        return false;
    }
    out->name =
        slash != NULL ? ng_arena_printf(arena, "%s%s", file, whole ? "" : ".lua") : out->name;
    return true;
}

static bool has_errors(struct ng_arena *arena, const struct ng_script *script) {
    struct ng_diags diags = {.arena = arena};
    ng_lua_check(script->file, script->text, script->len, &diags);
    ng_cli_print_diags(&diags);
    return diags.errors > 0;
}

/* A misspelt argument would leave the check with its default. */
static void doubt_arguments(
    struct ng_arena *arena, const struct ng_script *script, const struct ng_value *args) {
    struct ng_diags diags = {.arena = arena};
    for (size_t i = 0; i < args->count; i++) {
        const char *near = NULL;
        if (!ng_lua_reads_argument(script->text, script->len, args->items[i].key, arena, &near)) {
            ng_diag_warning(&diags, (struct ng_pos){script->file, 0, 0}, "argument",
                "it never reads the argument %s%s%s%s", ng_diag_quote(&diags, args->items[i].key),
                near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                near != NULL ? "\"?" : "");
        }
    }
    ng_cli_print_diags(&diags);
}

static int try_one(const struct ng_arguments *arguments, struct ng_arena *arena) {
    struct ng_script script = {0};
    struct ng_value args;
    const char *bundle = ng_option_value(arguments, "facts");
    if (!read_args(arguments, arena, &args) || !find_script(arena, arguments->words[0], &script) ||
        has_errors(arena, &script)) {
        return NG_EXIT_USAGE;
    }
    doubt_arguments(arena, &script, &args);
    if (bundle != NULL) {
        return ng_try_check(bundle, &script, &args);
    }
    if (args.count > 0) {
        return refuse("--arg is for a check that is run: add --facts BUNDLE", "");
    }
    struct ng_buf out;
    ng_buf_init(&out, TEXT_CAP);
    ng_text_clean(&out, script.file, strlen(script.file), NG_TEXT_LINE, TEXT_CAP / 2);
    ng_buf_adds(&out, ": ok; --facts BUNDLE runs it as a precondition\n");
    return print(&out);
}

static int lua(const struct ng_arguments *arguments) {
    if (ng_option_value(arguments, "list") != NULL) {
        return list();
    }
    if (ng_option_value(arguments, "show") != NULL) {
        return show(ng_option_value(arguments, "show"));
    }
    if (ng_option_value(arguments, "reference") != NULL) {
        return reference();
    }
    if (arguments->word_count == 0) {
        return refuse("give a file of Lua, or --list, --show NAME, --reference", "");
    }
    struct ng_arena arena;
    ng_arena_init(&arena);
    const int code = try_one(arguments, &arena);
    ng_arena_release(&arena);
    return code;
}

const struct ng_command_row ng_command_lua = {
    .name = "lua",
    .words = "[FILE]",
    .summary = "look at a check in Lua, and run it over a recorded bundle",
    .examples = "  nasgate lua checks/disks.lua\n"
                "  nasgate lua checks/disks.lua --arg host=nas --facts nasgate-out/plan/TIME\n"
                "  nasgate lua --list\n"
                "  nasgate lua --show no_backup_job > checks/my_jobs.lua\n",
    .options = options,
    .option_count = NG_COUNT(options),
    .words_min = 0,
    .words_max = 1,
    .run = lua,
};
