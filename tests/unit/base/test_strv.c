/** test_strv.c - vectors, and quoting that real shells read back. */
#include "runner/base/strv.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void an_empty_vector_is_an_argv(void **state) {
    (void)state;
    struct ng_strv strv = {0};
    assert_non_null(ng_strv_argv(&strv));
    assert_null(ng_strv_argv(&strv)[0]);
    ng_strv_release(&strv);
}

static void strings_are_copied_and_terminated(void **state) {
    (void)state;
    struct ng_strv strv = {0};
    char text[] = "one";
    static const char *const more[] = {"three", "", NULL};
    ng_strv_push(&strv, text);
    text[0] = 'x';
    ng_strv_pushf(&strv, "%s=%d", "two", 2);
    ng_strv_pushv(&strv, more);
    ng_strv_pushv(&strv, NULL);
    const char *const *argv = ng_strv_argv(&strv);
    assert_int_equal(strv.count, 4);
    assert_string_equal(argv[0], "one");
    assert_string_equal(argv[1], "two=2");
    assert_string_equal(argv[2], "three");
    assert_string_equal(argv[3], "");
    assert_null(argv[4]);
    ng_strv_release(&strv);
    assert_int_equal(strv.count, 0);
    assert_null(strv.items);
}

static void a_full_vector_aborts(void **state) {
    (void)state;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGABRT, SIG_DFL);
        struct ng_strv strv = {0};
        for (int i = 0; i < NG_STRV_MAX; i++) {
            ng_strv_push(&strv, "x");
        }
        if (strv.count == NG_STRV_MAX && strv.items[NG_STRV_MAX] == NULL) {
            ng_strv_push(&strv, "one too many");
        }
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void words_are_quoted_only_where_needed(void **state) {
    (void)state;
    static const struct {
        const char *word, *quoted;
    } cases[] = {
        {"plain", "plain"},
        {"--size=4096", "--size=4096"},
        {"/mnt/a-b_c.d:e,f@g%h+i", "/mnt/a-b_c.d:e,f@g%h+i"},
        {"", "''"},
        {"two words", "'two words'"},
        {"it's", "'it'\\''s'"},
        {"'", "''\\'''"},
        {"$HOME", "'$HOME'"},
        {"~root", "'~root'"},
        {"a\nb", "'a\nb'"},
        {"\xC3\xA4\xFF", "'\xC3\xA4\xFF'"},
        {"!", "'!'"},
        {"*", "'*'"},
        {"a=b", "'a=b'"}, /* would be an assignment as a command */
        {"=b", "'=b'"},
        {"if", "'if'"},
        {"iff", "iff"},
        {"time", "'time'"},
        {"-a=b", "-a=b"},
        {"#", "'#'"},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        struct ng_buf out;
        ng_buf_init(&out, 100);
        ng_shell_quote(&out, cases[i].word);
        assert_string_equal(ng_buf_text(&out), cases[i].quoted);
        ng_buf_release(&out);
    }
}

/** What `shell` prints for the words when each goes through printf, ended by a form feed. */
static void assert_shell_reads_back(const char *shell, const char *const *words) {
    struct ng_buf script, expected, got;
    ng_buf_init(&script, 100000);
    ng_buf_init(&expected, 100000);
    ng_buf_init(&got, 100000);
    ng_buf_adds(&script, "printf '%s\\f' ");
    ng_shell_quote_all(&script, words);
    for (size_t i = 0; words[i] != NULL; i++) {
        ng_buf_addf(&expected, "%s\f", words[i]);
    }
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl(shell, shell, "-c", script.data, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    char bytes[4096];
    for (ssize_t len; (len = read(ends[0], bytes, sizeof bytes)) > 0;) {
        ng_buf_add(&got, bytes, (size_t)len);
    }
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(got.len, expected.len);
    assert_memory_equal(ng_buf_text(&got), ng_buf_text(&expected), expected.len);
    ng_buf_release(&script);
    ng_buf_release(&expected);
    ng_buf_release(&got);
}

static void shells_read_words_back(void **state) {
    (void)state;
    char bytes[256];
    for (int i = 1; i < 256; i++) {
        bytes[i - 1] = (char)i;
    }
    bytes[255] = '\0';
    const char *const words[] = {"plain", "", " ", "'", "''", "\\", "\\'", "a'b\"c", "$(id)",
        "`id`", "${x}", "a\\\nb", "*", "~", "-n", "%s", "\t\n", "a=b", "if", "#no", bytes, NULL};
    static const char *const shells[] = {
        "/bin/sh", "/bin/dash", "/bin/bash", "/bin/ksh", "/bin/zsh"};
    int tried = 0;
    for (size_t i = 0; i < NG_COUNT(shells); i++) {
        if (access(shells[i], X_OK) == 0) {
            assert_shell_reads_back(shells[i], words);
            tried++;
        }
    }
    assert_true(tried > 0);
}

static void all_words_are_separated(void **state) {
    (void)state;
    static const char *const words[] = {"a", "b c", NULL}, *const none[] = {NULL};
    struct ng_buf out;
    ng_buf_init(&out, 100);
    ng_shell_quote_all(&out, none);
    ng_shell_quote_all(&out, NULL);
    assert_string_equal(ng_buf_text(&out), "");
    ng_shell_quote_all(&out, words);
    assert_string_equal(ng_buf_text(&out), "a 'b c'");
    ng_buf_release(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_vector_is_an_argv),
        cmocka_unit_test(strings_are_copied_and_terminated),
        cmocka_unit_test(a_full_vector_aborts),
        cmocka_unit_test(words_are_quoted_only_where_needed),
        cmocka_unit_test(shells_read_words_back),
        cmocka_unit_test(all_words_are_separated),
    };
    return cmocka_run_group_tests_name("strv", tests, NULL, NULL);
}
