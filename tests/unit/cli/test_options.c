/* Option tables: spellings that mean the same, and every way to get them wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "runner/base/guard.h"
#include "runner/cli/cli.h"

enum { ARGV_MAX = 8 };

static const struct ng_option table[] = {
    {.name = "param", .letter = 'p', .argument = "NAME=VALUE", .repeats = true, .help = "set"},
    {.name = "output", .letter = 'o', .argument = "DIR", .help = "where"},
    {.name = "quiet", .letter = 'q', .help = "less"},
};

static bool parse(const char *const *words, struct ng_arguments *out, struct ng_err *err) {
    static char copies[ARGV_MAX][64];
    char *argv[ARGV_MAX];
    int argc = 0;
    for (; words[argc] != NULL; argc++) {
        strncpy(copies[argc], words[argc], sizeof copies[argc] - 1);
        argv[argc] = copies[argc];
    }
    return ng_options_parse(table, NG_COUNT(table), argc, argv, out, err);
}

static void same_meaning(void **state) {
    (void)state;
    const char *const spellings[][4] = {{"--output", "dir", "plan", NULL},
        {"--output=dir", "plan", NULL}, {"-o", "dir", "plan", NULL}, {"-odir", "plan", NULL},
        {"plan", "-o", "dir", NULL}};
    for (size_t i = 0; i < NG_COUNT(spellings); i++) {
        struct ng_arguments out;
        struct ng_err err = {0};
        assert_true(parse(spellings[i], &out, &err));
        assert_string_equal(ng_option_value(&out, "output"), "dir");
        assert_int_equal(out.word_count, 1);
        assert_string_equal(out.words[0], "plan");
    }
}

static void repeats_and_end_of_options(void **state) {
    (void)state;
    const char *const words[] = {"-pa=1", "--param", "b=2", "-q", "--", "-o", NULL};
    struct ng_arguments out;
    struct ng_err err = {0};
    const char *values[NG_OPTION_VALUES_MAX];
    assert_true(parse(words, &out, &err));
    assert_int_equal(ng_option_values(&out, "param", values), 2);
    assert_string_equal(values[0], "a=1");
    assert_string_equal(values[1], "b=2");
    assert_string_equal(ng_option_value(&out, "quiet"), "");
    assert_null(ng_option_value(&out, "output"));
    assert_string_equal(out.words[0], "-o");
}

static void wrong(void **state) {
    (void)state;
    static const struct {
        const char *words[4];
        const char *text;
    } rows[] = {
        {{"--outptu", "x", NULL}, "unknown option --outptu; did you mean --output?"},
        {{"-x", NULL}, "unknown option -x"},
        {{"--output", NULL}, "--output needs a value: DIR"},
        {{"-oa", "-ob", NULL}, "--output is given twice"},
        {{"--quiet=yes", NULL}, "--quiet takes no value"},
        {{"-qx", NULL}, "--quiet takes no value"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_arguments out;
        struct ng_err err = {0};
        assert_false(parse(rows[i].words, &out, &err));
        assert_int_equal(err.kind, NG_ERR_USAGE);
        assert_string_equal(err.text, rows[i].text);
    }
}

static void command_table(void **state) {
    (void)state;
    for (size_t i = 0; i < ng_commands_table_count; i++) {
        const struct ng_command_row *row = ng_commands_table[i];
        assert_true(i == 0 || strcmp(ng_commands_table[i - 1]->name, row->name) < 0);
        assert_non_null(row->run);
        assert_true(strlen(row->summary) > 10 && strstr(row->examples, "nasgate ") != NULL);
        for (size_t k = 0; k < row->option_count; k++) {
            assert_true(strlen(row->options[k].help) > 5);
            for (size_t j = 0; j < k; j++) {
                assert_string_not_equal(row->options[k].name, row->options[j].name);
                assert_true(row->options[k].letter == 0 ||
                            row->options[k].letter != row->options[j].letter);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_meaning),
        cmocka_unit_test(repeats_and_end_of_options),
        cmocka_unit_test(wrong),
        cmocka_unit_test(command_table),
    };
    return cmocka_run_group_tests_name("cli.options", tests, NULL, NULL);
}
