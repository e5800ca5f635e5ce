/**
 * options.h - option tables and their parser: one row per option carries name, argument and help.
 *
 * `--` ends options; `--name=value` and `--name value`, `-x value` and `-xvalue` are the same.
 * Options and arguments may be mixed. Errors are of kind NG_ERR_USAGE, with a suggestion for a
 * misspelt option.
 */
#ifndef NG_CLI_OPTIONS_H
#define NG_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/buf.h"
#include "runner/base/err.h"

enum { NG_OPTION_VALUES_MAX = 256, NG_ARGUMENTS_MAX = 16 };

struct ng_option {
    const char *name;     /* without dashes: "output" */
    char letter;          /* 'o', or 0 */
    const char *argument; /* "DIR", or NULL for a switch */
    bool repeats;         /* may be given more than once */
    const char *help;
};

/** What was given. `values[i]` belongs to the option of row `rows[i]`; a switch has the value "".
 */
struct ng_arguments {
    const struct ng_option *table;
    size_t table_count;
    size_t rows[NG_OPTION_VALUES_MAX];
    const char *values[NG_OPTION_VALUES_MAX];
    size_t value_count;
    const char *words[NG_ARGUMENTS_MAX]; /* what is no option */
    size_t word_count;
};

/** Parses argv[0 .. argc). `out` borrows from argv and from the table. */
bool ng_options_parse(const struct ng_option *table, size_t count, int argc, char **argv,
    struct ng_arguments *out, struct ng_err *err) NG_MUST_USE;

/** The last value of an option, or NULL when it was not given. */
const char *ng_option_value(const struct ng_arguments *arguments, const char *name);
/** All values in order into `out` (NG_OPTION_VALUES_MAX); returns how many. */
size_t ng_option_values(const struct ng_arguments *arguments, const char *name, const char **out);
/** Appends one help line per row. */
void ng_options_help(const struct ng_option *table, size_t count, struct ng_buf *out);

#endif
