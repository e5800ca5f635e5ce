/**
 * cli.h - sub-commands: each is one file and one row in commands.c. This folder is the only one
 * that prints.
 */
#ifndef NG_CLI_CLI_H
#define NG_CLI_CLI_H

#include "plans/language/load.h"
#include "runner/cli/options.h"
#include "runner/result/result.h"

struct ng_command_row {
    const char *name;
    const char *words;   /* "PLAN" */
    const char *summary; /* one line */
    const char *examples;
    const struct ng_option *options;
    size_t option_count;
    size_t words_min, words_max;
    bool hidden; /* for the program's own use: not in the list of commands */
    int (*run)(const struct ng_arguments *arguments); /* returns the exit code */
};

extern const struct ng_command_row *const ng_commands_table[]; /* sorted by name */
extern const size_t ng_commands_table_count;

extern const struct ng_command_row ng_command_check;
extern const struct ng_command_row ng_command_doctor;
extern const struct ng_command_row ng_command_facts;
extern const struct ng_command_row ng_command_lua;
extern const struct ng_command_row ng_command_metrics;
extern const struct ng_command_row ng_command_probe_mtu;
extern const struct ng_command_row ng_command_replay;
extern const struct ng_command_row ng_command_report;
extern const struct ng_command_row ng_command_run;
extern const struct ng_command_row ng_command_schema;
extern const struct ng_command_row ng_command_show;
extern const struct ng_command_row ng_command_verify;

/** Rows that every command which reads a plan begins with. */
#define NG_PLAN_OPTIONS                                                                            \
    {                                                                                              \
        .name = "param", .letter = 'p', .argument = "NAME=VALUE", .repeats = true,                 \
        .help = "set a parameter of the plan"                                                      \
    }

/** Row of every command that writes reports. */
#define NG_JUNIT_OPTION(usual)                                                                     \
    {                                                                                              \
        .name = "junit", .argument = "DIALECT",                                                    \
        .help = "JUnit: wide for most CI systems, strict for schemas (default: " usual ")"         \
    }

/** The engines and preconditions of this program; its arrays live in `arena`. */
struct ng_vocabulary ng_cli_vocabulary(struct ng_arena *arena);

/**
 * Loads the plan that is the first word, with all -p, and prints what is wrong with it to standard
 * error. NULL: the caller returns exit code 2. `warnings` (may be NULL) gets how many there were.
 */
struct ng_plan *ng_cli_load(const struct ng_arguments *arguments, size_t *warnings);
/** The same for the file `path`, which messages and reports call `name`, with NAME=VALUE settings.
 * Files of Lua lie in the folder `scripts` of a bundle, and nowhere else; NULL: beside the plan or
 * among those that are shipped. */
struct ng_plan *ng_cli_load_file(const char *path, const char *name, const char *scripts,
    const char *const *settings, size_t count, size_t *warnings);
/** The folder that holds a file, in the arena: "." for a name alone. */
const char *ng_cli_folder(struct ng_arena *arena, const char *file);

/** Splits every NAME=VALUE that was given to `option` ("-p"); false after a complaint. */
bool ng_cli_settings(const char *option, const char *const *values, size_t count,
    struct ng_arena *arena, struct ng_setting **settings);
/** Prints what is wrong with a plan or a file of Lua to standard error, sorted. */
void ng_cli_print_diags(struct ng_diags *diags);
/** Prints "nasgate: error: TEXT" to standard error. */
void ng_cli_complain(const struct ng_err *err);
/** Prints the last line of a run, "nasgate: exit CODE: WORDS", to standard error; of a busy lab
 * also who has it. `result` may be NULL. */
void ng_cli_last_line(int code, const struct ng_result *result);
/** Prints the whole buffer to standard output; false (and a complaint) when that fails. */
bool ng_cli_print(const struct ng_buf *buf);

#endif
