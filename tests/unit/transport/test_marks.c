// Marks are found wherever a stream is cut, and everything that is none comes through.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "runner/base/guard.h"
#include "runner/transport/marks.h"

#define T "NG0123456789"
/* A text with NULs in it and its length. */
#define BYTES(text) (text), sizeof(text) - 1

static const struct {
    const char *name, *stream;
    size_t len;
    const char *noise, *body;
    size_t body_len;
    bool started, ready, ended;
    int rc;
    const char *why, *refused;
    bool killed;
    int leftovers;
} cases[] = {
    {"plain", BYTES(T " S\nhello\n\n" T " E 0 self\n" T " L 0\n"), "", BYTES("hello\n"), true,
        false, true, 0, "self", "", false, 0},
    {"nothing", BYTES(T " S\n\n" T " E 3 self\n"), "", BYTES(""), true, false, true, 3, "self", "",
        false, 0},
    {"no newline at its end", BYTES("hi" T " S\nabc\n" T " E 0 self\n" T " L 2\n"), "hi",
        BYTES("abc"), true, false, true, 0, "self", "", false, 2},
    {"a banner with a bare token", BYTES("x\n" T "\n" T " Q\n" T " S\nb\n" T " E 0 self\n"),
        "x\n" T "\n" T " Q\n", BYTES("b"), true, false, true, 0, "self", "", false, 0},
    {"ready in the middle of a line", BYTES(T " S\nab" T " R\ncd\n" T " E 0 self\n"), "",
        BYTES("abcd"), true, true, true, 0, "self", "", false, 0},
    {"killed", BYTES(T " S\n\n" T " E 137 asked-killed\n"), "", BYTES(""), true, false, true, 137,
        "asked", "", true, 0},
    {"refused", BYTES("noise\n" T " N command\n"), "noise\n", BYTES(""), false, false, false, 0, "",
        "command", false, 0},
    {"cut off", BYTES(T " S\nabc\n" T " E 0"), "", BYTES("abc\n" T " E 0"), true, false, false, 0,
        "", "", false, 0},
    {"cut off in a token", BYTES(T " S\nabc\nNG0123"), "", BYTES("abc\nNG0123"), true, false, false,
        0, "", "", false, 0},
    {"never started", BYTES("bash: exec: no\n"), "bash: exec: no\n", BYTES(""), false, false, false,
        0, "", "", false, 0},
    {"any bytes", BYTES(T " S\n\0\n\0" T "\0\xff NG" T " S\n\n\n" T " E 1 self\nlate\n"), "",
        BYTES("\0\n\0" T "\0\xff NG" T " S\n\n"), true, false, true, 1, "self", "", false, 0},
    {"a long line behind a token",
        BYTES(T " S\n" T " E 0123456789012345678901234567890123456789012345678901234567890123456789"
                "0123456789012345678901234567890123456789\n\n" T " E 2 self\n"),
        "",
        BYTES(T " E 0123456789012345678901234567890123456789012345678901234567890123456789"
                "0123456789012345678901234567890123456789\n"),
        true, false, true, 2, "self", "", false, 0},
};

static void check(size_t index, size_t piece) {
    struct ng_marks marks;
    ng_marks_init(&marks, T, 10000);
    for (size_t at = 0; at < cases[index].len; at += piece) {
        const size_t left = cases[index].len - at;
        ng_marks_feed(&marks, cases[index].stream + at, left < piece ? left : piece);
    }
    ng_marks_finish(&marks);
    print_message("%s, by %zu\n", cases[index].name, piece);
    assert_string_equal(ng_buf_text(&marks.noise), cases[index].noise);
    assert_int_equal(marks.body.len, cases[index].body_len);
    assert_memory_equal(ng_buf_text(&marks.body), cases[index].body, cases[index].body_len);
    assert_int_equal(marks.started, cases[index].started);
    assert_int_equal(marks.ready, cases[index].ready);
    assert_int_equal(marks.ended, cases[index].ended);
    assert_int_equal(marks.rc, cases[index].rc);
    assert_string_equal(marks.why, cases[index].why);
    assert_string_equal(marks.refused, cases[index].refused);
    assert_int_equal(marks.killed, cases[index].killed);
    assert_int_equal(marks.leftovers, cases[index].leftovers);
    ng_marks_release(&marks);
}

static void every_cut(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        for (size_t piece = 1; piece <= cases[i].len; piece++) {
            check(i, piece);
        }
    }
}

static void bounded(void **state) {
    (void)state;
    struct ng_marks marks;
    char piece[1000];
    memset(piece, 'x', sizeof piece);
    ng_marks_init(&marks, T, 2500);
    for (int i = 0; i < 10; i++) {
        ng_marks_feed(&marks, piece, sizeof piece);
    }
    ng_marks_feed(&marks, BYTES("\n" T " S\n"));
    for (int i = 0; i < 10; i++) {
        ng_marks_feed(&marks, piece, sizeof piece);
    }
    ng_marks_feed(&marks, BYTES("\n" T " E 5 self\n"));
    ng_marks_feed(&marks, piece, sizeof piece);
    ng_marks_finish(&marks);
    assert_true(marks.noise.len <= 4096);
    assert_int_equal(marks.noise.len + marks.noise.cut, 10001);
    assert_int_equal(marks.body.len, 2500);
    assert_int_equal(marks.body.cut, 7500);
    assert_true(marks.ended);
    assert_int_equal(marks.rc, 5);
    ng_marks_release(&marks);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_cut), cmocka_unit_test(bounded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
