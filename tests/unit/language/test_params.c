/* test_params.c - parameters: defaults, -p, and what "${NAME}" becomes. */
#include "tests/unit/language/vocabulary_fixture.h"

#include <stdio.h>

/* A plan whose title is `title` and whose parameters are `params` (YAML lines). */
static void load(struct loaded *loaded, const char *params, const char *title,
    const struct ng_setting *settings, size_t count) {
    struct ng_buf text;
    ng_buf_init(&text, NG_PLAN_BYTES_MAX);
    ng_buf_adds(
        &text, FIXTURE_HEAD "phases:\n  - name: w\n    ping: fiber\n    pass: loss == 0%\n");
    ng_buf_addf(&text, "title: %s\nparams:\n%s", title, params);
    fixture_load(loaded, "p", ng_buf_text(&text), text.len, settings, count);
    ng_buf_release(&text);
}

static void test_substitution(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"${a}", "one"},
        {"\"${a}\"", "one"},
        {"x${a}y", "xoney"},
        {"${a}${b}${a}", "one2one"},
        {"$${a}", "${a}"},
        {"$$${a}", "$${a}"},
        {"$${a} ${a}", "${a} one"},
        {"cost $5 {x}", "cost $5 {x}"},
        {"'$'", "$"},
        {"${sp.ace-d_1}", "${b} $${a}"},
    };
    /* What a parameter's value looks like is not looked at again: it came from the command line. */
    const struct ng_setting settings[] = {{"sp.ace-d_1", "${b} $${a}"}};
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        struct loaded loaded;
        load(&loaded, "  a: one\n  b: 2\n  sp.ace-d_1: x\n", cases[i][0], settings, 1);
        assert_non_null(loaded.plan);
        assert_string_equal(loaded.plan->title, cases[i][1]);
        fixture_release(&loaded);
    }
}

/* A quoted default stays a text; what -p gives is plain. */
static void test_plain_and_quoted(void **state) {
    (void)state;
    static const char head[] = FIXTURE_HEAD "phases:\n  - name: w\n    repeat: ${n}\n"
                                            "    ping: fiber\n    pass: loss == 0%\nparams:\n";
    static const struct {
        const char *params;
        const char *setting;
        const char *error;
    } cases[] = {
        {"  n: 4\n", NULL, NULL},
        {"  n: \"4\"\n", NULL, "expected a whole number such as 4, found the text \"4\""},
        {"  n: \"4\"\n", "5", NULL},
        {"  n: {default: 4}\n", NULL, NULL},
        {"  n: {default: \"4\"}\n", NULL, "found the text \"4\""},
        {"  n: 0644\n", NULL, "write 644"},
        {"  n:\n", "7", NULL},
        {"  n: {help: x}\n", "7", NULL},
        {"  n:\n", NULL, "parameter n has no default; give it with -p n=VALUE"},
        {"  n: {help: x}\n", NULL, "parameter n has no default; give it with -p n=VALUE"},
        {"  n: 4\n", "", "found nothing"},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        struct loaded loaded;
        char text[2048];
        snprintf(text, sizeof text, "%s%s", head, cases[i].params);
        const struct ng_setting setting = {"n", cases[i].setting};
        fixture_load(&loaded, "p", text, strlen(text), &setting, cases[i].setting ? 1 : 0);
        if (!cases[i].error) {
            assert_string_equal(ng_buf_text(&loaded.text), "");
        } else {
            assert_int_equal(loaded.diags.errors, 1); /* and nothing that follows from it */
            assert_non_null(strstr(ng_buf_text(&loaded.text), cases[i].error));
        }
        fixture_release(&loaded);
    }
}

static void test_settings(void **state) {
    (void)state;
    struct loaded loaded;
    char large[5000];
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    const struct ng_setting settings[] = {
        {"siez", "1"}, {"size", "a\nb"}, {"name", "\xff"}, {"title", large}, {"zzzz", "1"}};
    load(&loaded, "  size: 1\n  name: 2\n  title: 3\n", "${size}${name}${title}", settings,
        NG_COUNT(settings));
    static const char *const lines[] = {
        "p: error: -p \"siez\": the plan has no such parameter; did you mean \"size\"? [un",
        "p: error: -p \"zzzz\": the plan has no such parameter [unknown-param]\n",
        "p: error: -p size: a control character cannot stand in the value [param]\n",
        "p: error: -p name: the value is not UTF-8 [param]\n",
        "p: error: -p title: the value is longer than 4096 bytes [param]\n",
    };
    for (size_t i = 0; i < NG_COUNT(lines); i++) {
        assert_non_null(strstr(ng_buf_text(&loaded.text), lines[i]));
    }
    assert_int_equal(loaded.diags.errors, NG_COUNT(lines));
    fixture_release(&loaded);
}

static void test_unused(void **state) {
    (void)state;
    struct loaded loaded;
    load(&loaded, "  a: 1\n  b: 2\n", "$${a} ${b}", NULL, 0);
    assert_non_null(loaded.plan);
    assert_int_equal(loaded.diags.warnings, 1);
    assert_non_null(strstr(ng_buf_text(&loaded.text),
        "warning: parameter \"a\" is never used; write ${a} where it belongs, or remove it "
        "[unused-param]"));
    fixture_release(&loaded);
}

/* Small values, used often, must not make a small plan a large one. */
static void test_growth(void **state) {
    (void)state;
    struct ng_buf text;
    ng_buf_init(&text, NG_PLAN_BYTES_MAX);
    ng_buf_adds(&text, FIXTURE_HEAD "params: {a: x}\nphases:\n  - name: w\n    ping: fiber\n"
                                    "    pass:\n");
    for (int i = 0; i < 3000; i++) {
        ng_buf_adds(&text, "      - ${a}\n");
    }
    char large[4000];
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    const struct ng_setting setting = {"a", large};
    struct loaded loaded;
    fixture_load(&loaded, "p", ng_buf_text(&text), text.len, &setting, 1);
    assert_non_null(strstr(ng_buf_text(&loaded.text),
        "with its parameters filled in the plan is larger than 4 MiB [too-large]"));
    fixture_release(&loaded);
    ng_buf_release(&text);
}

/* An alias is filled in once for each use, and complained about once. */
static void test_alias(void **state) {
    (void)state;
    struct loaded loaded;
    load(&loaded, "  a: 1\n", "&t \"${b} $${a}\"\nname2: *t", NULL, 0);
    size_t found = 0;
    for (const char *at = strstr(ng_buf_text(&loaded.text), "unknown-param"); at;
         at = strstr(at + 1, "unknown-param")) {
        found++;
    }
    assert_int_equal(found, 1);
    fixture_release(&loaded);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_substitution),
        cmocka_unit_test(test_plain_and_quoted),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_unused),
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_alias),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
