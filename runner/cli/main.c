/* Dispatch to sub-commands; the only place that ends the process. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "runner/base/text.h"
#include "runner/cli/cli.h"
#include "runner/cli/output.h"
#include "runner/result/verdict.h"

enum { TEXT_CAP = 65536, COMMANDS_MAX = 32 };

static const struct ng_option help_options[] = {
    {.name = "help", .letter = 'h', .help = "this help"},
};

static void write_main_help(struct ng_buf *out) {
    ng_buf_adds(out,
        "nasgate runs a declarative test plan against a NAS and the links to it.\n\n"
        "  nasgate check plan.yaml            all errors of a plan, with their places\n"
        "  nasgate show plan.yaml             what would run, without running it\n"
        "  nasgate run plan.yaml              check preconditions, measure, judge, report\n"
        "  nasgate run -p size=4GiB plan.yaml the same with a parameter set\n\nCommands:\n");
    for (size_t i = 0; i < ng_commands_table_count; i++) {
        const struct ng_command_row *command = ng_commands_table[i];
        if (!command->hidden) {
            ng_buf_addf(out, "  %-10s%s\n", command->name, command->summary);
        }
    }
    ng_buf_adds(out, "\n  nasgate COMMAND --help   options of a command\n"
                     "  nasgate --version        the version\n\nExit codes of run:\n");
#define X(name, code, words) ng_buf_addf(out, "  %-4d %s\n", code, words);
    NG_EXIT_CODES(X)
#undef X
}

static void write_command_help(const struct ng_command_row *command, struct ng_buf *out) {
    ng_buf_addf(out, "%s\n\nUsage: nasgate %s [OPTIONS]%s%s\n\n%s\nOptions:\n", command->summary,
        command->name, *command->words != '\0' ? " " : "", command->words, command->examples);
    ng_options_help(command->options, command->option_count, out);
    ng_options_help(help_options, NG_COUNT(help_options), out);
}

static const struct ng_command_row *find_command(const char *name) {
    for (size_t i = 0; i < ng_commands_table_count; i++) {
        if (strcmp(ng_commands_table[i]->name, name) == 0) {
            return ng_commands_table[i];
        }
    }
    return NULL;
}

static int unknown_command(const char *name) {
    const char *names[COMMANDS_MAX];
    for (size_t i = 0; i < ng_commands_table_count && i < COMMANDS_MAX; i++) {
        names[i] = ng_commands_table[i]->name;
    }
    struct ng_err err = {0};
    const char *near = ng_text_nearest(name, names, ng_commands_table_count);
    ng_err_set(&err, NG_ERR_USAGE, "unknown command \"%.40s\"; %s%s%s", name,
        near != NULL ? "did you mean \"" : "see nasgate --help", near != NULL ? near : "",
        near != NULL ? "\"?" : "");
    ng_cli_complain(&err);
    return NG_EXIT_USAGE;
}

static int print_help(const struct ng_command_row *command) {
    struct ng_buf out;
    ng_buf_init(&out, TEXT_CAP);
    if (command != NULL) {
        write_command_help(command, &out);
    } else {
        write_main_help(&out);
    }
    const bool ok = ng_cli_print(&out);
    ng_buf_release(&out);
    return ok ? NG_EXIT_PASS : NG_EXIT_ERROR;
}

static bool asks_for_help(int argc, char **argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

static int run_command(const struct ng_command_row *command, int argc, char **argv) {
    if (asks_for_help(argc, argv)) {
        return print_help(command);
    }
    struct ng_arguments arguments;
    struct ng_err err = {0};
    if (!ng_options_parse(command->options, command->option_count, argc, argv, &arguments, &err)) {
        ng_cli_complain(&err);
        return NG_EXIT_USAGE;
    }
    if (arguments.word_count < command->words_min || arguments.word_count > command->words_max) {
        ng_err_set(&err, NG_ERR_USAGE, "usage: nasgate %s [OPTIONS] %s; see nasgate %s --help",
            command->name, command->words, command->name);
        ng_cli_complain(&err);
        return NG_EXIT_USAGE;
    }
    return command->run(&arguments);
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        print_help(NULL);
        return NG_EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        struct ng_buf out;
        ng_buf_init(&out, TEXT_CAP);
        ng_buf_addf(&out, "nasgate %s\n", NG_VERSION);
        const bool ok = ng_cli_print(&out);
        ng_buf_release(&out);
        return ok ? NG_EXIT_PASS : NG_EXIT_ERROR;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        return print_help(NULL);
    }
    if (strcmp(word, "help") == 0) {
        const struct ng_command_row *command = argc > 2 ? find_command(argv[2]) : NULL;
        return argc > 2 && command == NULL ? unknown_command(argv[2]) : print_help(command);
    }
    const struct ng_command_row *command = find_command(word);
    return command == NULL ? unknown_command(word) : run_command(command, argc - 2, argv + 2);
}

/* A standard descriptor that was closed would be the next file that is opened: our messages would
 * go into the evidence. Each is filled the wrong way round, so that using it still fails. */
static bool fill_standard_files(void) {
    int fd;
    do {
        fd = open("/dev/null", O_RDONLY);
        if (fd == STDIN_FILENO) {
            close(fd);
            fd = open("/dev/null", O_WRONLY);
        }
    } while (fd >= 0 && fd <= STDERR_FILENO);
    return fd >= 0 && close(fd) == 0;
}

int main(int argc, char **argv) {
    if (!fill_standard_files()) {
        fputs("nasgate: error: cannot open /dev/null, or no more files can be opened\n", stderr);
        return NG_EXIT_INTERNAL;
    }
    const int code = dispatch(argc, argv);
    const bool ran = argc > 1 && strcmp(argv[1], ng_command_run.name) == 0;
    if (ran && (code == NG_EXIT_HUP || code == NG_EXIT_INT || code == NG_EXIT_TERM)) {
        /* End by the same signal, so that a shell or a CI runner sees what it sent. A replay only
           tells of the signal that its run got. */
        const int number = code - 128;
        signal(number, SIG_DFL);
        raise(number);
    }
    return code;
}
