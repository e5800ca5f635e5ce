/* nasgate schema: the plan language as JSON Schema or as a Markdown reference page. */
#include <stdlib.h>

#include "plans/language/schema.h"
#include "runner/cli/cli.h"
#include "runner/result/verdict.h"

enum { TEXT_CAP = 8 * 1024 * 1024 };

static const struct ng_option options[] = {
    {.name = "reference", .help = "the reference page in Markdown instead of JSON Schema"},
};

static void write_schema(const struct ng_vocabulary *vocabulary, struct ng_buf *out) {
    json_t *schema = ng_schema_build(vocabulary);
    char *text = json_dumps(schema, JSON_INDENT(2));
    ng_buf_adds(out, text != NULL ? text : "");
    ng_buf_addc(out, '\n');
    free(text);
    json_decref(schema);
}

static int schema(const struct ng_arguments *arguments) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const struct ng_vocabulary vocabulary = ng_cli_vocabulary(&arena);
    struct ng_buf out;
    ng_buf_init(&out, TEXT_CAP);
    if (ng_option_value(arguments, "reference") != NULL) {
        ng_reference_write(&vocabulary, &out);
    } else {
        write_schema(&vocabulary, &out);
    }
    const bool ok = ng_cli_print(&out);
    ng_buf_release(&out);
    ng_arena_release(&arena);
    return ok ? NG_EXIT_PASS : NG_EXIT_ERROR;
}

const struct ng_command_row ng_command_schema = {
    .name = "schema",
    .words = "",
    .summary = "print the plan language as JSON Schema (draft-07), or as a reference page",
    .examples = "  nasgate schema > plan.schema.json\n  nasgate schema --reference > plan.md\n",
    .options = options,
    .option_count = NG_COUNT(options),
    .words_min = 0,
    .words_max = 0,
    .run = schema,
};
