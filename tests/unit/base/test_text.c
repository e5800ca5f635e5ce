/** test_text.c - hostile text made safe, UTF-8, suggestions, names. */
#include "runner/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FFFD "\xEF\xBF\xBD"

struct example {
    const char *bytes;
    size_t len; /* 0: up to the NUL */
    const char *block;
    const char *line;
};

static const struct example examples[] = {
    {"", 0, "", ""}, {"plain text", 0, "plain text", "plain text"},
    {"\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80", 0, "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80",
        "\xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80"},
    /* white space */
    {"a\tb\nc", 0, "a\tb\nc", "a b c"}, {"a\r\nb\rc\n\rd\r", 0, "a\nb\nc\n\nd\n", "a b c  d"},
    {" \n\t a  b \r\n", 0, " \n\t a  b \n", "a  b"}, {"\n\n", 0, "\n\n", ""},
    /* ANSI sequences */
    {"\x1B[31mred\x1B[0m", 0, "red", "red"}, {"\x1B[38;5;196;1mx\x1B[?25l\x1B[2 q", 0, "x", "x"},
    {"\x1B]0;title\x07y", 0, "y", "y"},
    {"\x1B]8;;http://x\x1B\\link\x1B]8;;\x1B\\", 0, "link", "link"},
    {"\x1BPq#0\x1B\\z\x1B_apc\x1B\\\x1B^pm\x1B\\\x1BXsos\x1B\\", 0, "z", "z"},
    {"\x1B"
     "c\x1B(B\x1B#8\x1B=ok",
        0, "ok", "ok"},
    /* what only looks like one stays visible */
    {"\x1B", 0, "\\x1B", "\\x1B"}, {"a\x1B[31", 0, "a\\x1B[31", "a\\x1B[31"},
    {"\x1B[3\nm", 0, "\\x1B[3\nm", "\\x1B[3 m"}, {"\x1B\x1B[m[31m", 0, "\\x1B[31m", "\\x1B[31m"},
    {"\x1B]0;no end\nnext line", 0, "\\x1B]0;no end\nnext line", "\\x1B]0;no end next line"},
    {"\x1B]0;a\x1B[1mb", 0, "\\x1B]0;ab", "\\x1B]0;ab"},
    {"\x1B\xC3\xA4", 0, "\\x1B\xC3\xA4", "\\x1B\xC3\xA4"},
    {"\x1B[\0m", 4, "\\x1B[\\x00m", "\\x1B[\\x00m"}, {"\x1B\0", 2, "\\x1B\\x00", "\\x1B\\x00"},
    /* control characters */
    {"a\0b", 3, "a\\x00b", "a\\x00b"},
    {"\x01\x08\x0B\x0C\x1F\x7F", 0, "\\x01\\x08\\x0B\\x0C\\x1F\\x7F",
        "\\x01\\x08\\x0B\\x0C\\x1F\\x7F"},
    {"\xC2\x80\xC2\x85\xC2\x9B\xC2\x9F\xC2\xA0", 0, "\\x80\\x85\\x9B\\x9F\xC2\xA0",
        "\\x80\\x85\\x9B\\x9F\xC2\xA0"},
    /* outside XML 1.0, and what turns the reading direction */
    {"\xEF\xBF\xBE\xEF\xBF\xBF", 0, "\\u{FFFE}\\u{FFFF}", "\\u{FFFE}\\u{FFFF}"},
    {"\xE2\x80\xAA\xE2\x80\xAE\xE2\x81\xA6\xE2\x81\xA9", 0, "\\u{202A}\\u{202E}\\u{2066}\\u{2069}",
        "\\u{202A}\\u{202E}\\u{2066}\\u{2069}"},
    {"\xE2\x80\xA9\xE2\x80\xAF\xE2\x81\xA5", 0, "\xE2\x80\xA9\xE2\x80\xAF\xE2\x81\xA5",
        "\xE2\x80\xA9\xE2\x80\xAF\xE2\x81\xA5"},
    /* ill-formed UTF-8: one U+FFFD for each maximal subpart */
    {"\xFF\xFE", 0, FFFD FFFD, FFFD FFFD}, {"\x80z", 0, FFFD "z", FFFD "z"},
    {"\xC0\xAF", 0, FFFD FFFD, FFFD FFFD}, /* overlong */
    {"\xE0\x80\xAF", 0, FFFD FFFD FFFD, FFFD FFFD FFFD},
    {"\xED\xA0\x80", 0, FFFD FFFD FFFD, FFFD FFFD FFFD}, /* surrogate */
    {"\xF4\x90\x80\x80", 0, FFFD FFFD FFFD FFFD, FFFD FFFD FFFD FFFD}, {"\xE2\x82", 0, FFFD, FFFD},
    {"\xE2\x82x", 0, FFFD "x", FFFD "x"}, {"\xF0\x9F\x98", 0, FFFD, FFFD},
    {"\xF0\x9F\xE2\x82\xAC", 0, FFFD "\xE2\x82\xAC", FFFD "\xE2\x82\xAC"},
    {"caf\xE9", 0, "caf" FFFD, "caf" FFFD}, /* Latin-1 */
    {"\x9B"
     "31m",
        0, FFFD "31m", FFFD "31m"}, /* a raw C1 CSI */
};

static void assert_cleans(
    const char *bytes, size_t len, enum ng_text_mode mode, const char *expected) {
    struct ng_buf once, twice;
    ng_buf_init(&once, 10000);
    ng_buf_init(&twice, 10000);
    ng_text_clean(&once, bytes, len, mode, 10000);
    assert_string_equal(ng_buf_text(&once), expected);
    assert_int_equal(once.len, strlen(expected));
    ng_text_clean(&twice, ng_buf_text(&once), once.len, mode, 10000);
    assert_string_equal(ng_buf_text(&twice), expected);
    ng_buf_release(&once);
    ng_buf_release(&twice);
}

static void foreign_text_becomes_safe(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(examples); i++) {
        const struct example *example = &examples[i];
        size_t len = example->len == 0 ? strlen(example->bytes) : example->len;
        char *exact = ng_xmalloc(len); /* so that the sanitizer sees every byte read beyond */
        memcpy(exact, example->bytes, len);
        assert_cleans(exact, len, NG_TEXT_BLOCK, example->block);
        assert_cleans(exact, len, NG_TEXT_LINE, example->line);
        free(exact);
    }
}

static void cleaning_appends(void **state) {
    (void)state;
    struct ng_buf out;
    ng_buf_init(&out, 100);
    ng_buf_adds(&out, "host: ");
    ng_text_clean(&out, " a\n", 3, NG_TEXT_LINE, 10);
    ng_text_clean(&out, NULL, 0, NG_TEXT_LINE, 10);
    assert_string_equal(ng_buf_text(&out), "host: a");
    ng_buf_release(&out);
    struct ng_arena arena = {0};
    assert_string_equal(ng_text_clean_dup(&arena, "\x07!", 2, NG_TEXT_BLOCK, 9), "\\x07!");
    ng_arena_release(&arena);
}

static char *repeated(const char *unit, size_t times) {
    size_t len = strlen(unit);
    char *text = ng_xmalloc(len * times + 1);
    for (size_t i = 0; i < times; i++) {
        memcpy(text + i * len, unit, len);
    }
    text[len * times] = '\0';
    return text;
}

static void long_text_loses_its_middle(void **state) {
    (void)state;
    char text[1001];
    for (int i = 0; i < 1000; i++) {
        text[i] = (char)('a' + i % 26);
    }
    text[1000] = '\0';
    struct ng_buf out;
    ng_buf_init(&out, 10000);
    ng_text_clean(&out, text, 1000, NG_TEXT_BLOCK, 1000);
    assert_string_equal(ng_buf_text(&out), text); /* exactly the cap: nothing is cut */
    ng_buf_clear(&out);
    ng_text_clean(&out, text, 1000, NG_TEXT_BLOCK, 200);
    assert_true(out.len <= 200);
    const char *note = strstr(ng_buf_text(&out), "\n[... ");
    assert_non_null(note);
    size_t head = (size_t)(note - ng_buf_text(&out)), cut = 0;
    int note_len = 0;
    assert_int_equal(sscanf(note, "\n[... %zu bytes cut ...]%n", &cut, &note_len), 1);
    assert_int_equal(note[note_len], '\n');
    size_t tail = out.len - head - (size_t)note_len - 1;
    assert_int_equal(head + cut + tail, 1000);
    assert_true(head >= 60 && tail >= 60);
    assert_memory_equal(ng_buf_text(&out), text, head);
    assert_string_equal(note + note_len + 1, text + 1000 - tail);
    ng_buf_clear(&out);
    ng_text_clean(&out, text, 1000, NG_TEXT_LINE, 200);
    assert_non_null(strstr(ng_buf_text(&out), " [... "));
    assert_null(strchr(ng_buf_text(&out), '\n'));
    ng_buf_release(&out);
}

static void cuts_keep_code_points_whole_and_bounds(void **state) {
    (void)state;
    static const char *const units[] = {"x", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    struct ng_buf out;
    ng_buf_init(&out, 100000);
    for (size_t u = 0; u < NG_COUNT(units); u++) {
        char *text = repeated(units[u], 500);
        for (size_t cap = 0; cap < 300; cap++) {
            for (size_t skip = 0; skip < 2; skip++) { /* shift by one to break every alignment */
                struct ng_buf in;
                ng_buf_init(&in, 10000);
                ng_buf_add(&in, "y", skip);
                ng_buf_adds(&in, text);
                ng_buf_clear(&out);
                ng_text_clean(&out, in.data, in.len, NG_TEXT_BLOCK, cap);
                assert_true(out.len <= cap);
                assert_true(cap < 10 || out.len > 0);
                assert_true(ng_utf8_valid(ng_buf_text(&out), out.len, NULL));
                assert_null(strstr(ng_buf_text(&out), FFFD));
                assert_true(in.len <= cap || cap < 6 || strstr(ng_buf_text(&out), "...") != NULL);
                ng_buf_release(&in);
            }
        }
        free(text);
    }
    ng_buf_release(&out);
}

static void the_end_survives_whatever_came_before(void **state) {
    (void)state;
    char *text = repeated("0123456789", 300000);
    memcpy(text + 2999990, "THE END OF", 10);
    struct ng_buf out;
    ng_buf_init(&out, NG_TEXT_CAP);
    ng_text_clean(&out, text, 3000000, NG_TEXT_BLOCK, NG_TEXT_CAP);
    assert_true(out.len <= NG_TEXT_CAP && out.cut == 0);
    assert_string_equal(out.data + out.len - 20, "0123456789THE END OF");
    assert_non_null(strstr(out.data, " bytes cut ...]"));
    ng_buf_release(&out);
    free(text);
}

static void hostile_text_takes_linear_time(void **state) {
    (void)state;
    static const char *const units[] = {"\x1B", "\x1B]", "\x1B[", "\x1B[1;", "\x1BP\x1B", " ",
        "\xF0", "\x1B]0;aaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    for (size_t i = 0; i < NG_COUNT(units); i++) {
        char *text = repeated(units[i], 500000 / strlen(units[i]));
        struct ng_buf out;
        ng_buf_init(&out, 1000);
        ng_text_clean(&out, text, strlen(text), NG_TEXT_LINE, 1000);
        assert_true(out.len <= 1000);
        ng_buf_release(&out);
        free(text);
    }
}

static void utf8_is_checked(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t len, bad; /* bad == len: valid */
    } cases[] = {
        {"", 0, 0},
        {"a\0b", 3, 3},
        {"\xC2\x80\xDF\xBF", 4, 4},
        {"\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF", 12, 12},
        {"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", 8, 8},
        {"ab\xC1\xBF", 4, 2},
        {"\xED\xBF\xBF", 3, 0},
        {"\xE0\x9F\xBF", 3, 0},
        {"\xF0\x8F\xBF\xBF", 4, 0},
        {"\xF5\x80\x80\x80", 4, 0},
        {"a\xC3", 2, 1},
        {"a\xE2\x82", 3, 1},
        {"\xC3\xA4\xBF", 3, 2},
        {"\xC3(", 2, 0},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        size_t bad = cases[i].len;
        bool valid = ng_utf8_valid(cases[i].bytes, cases[i].len, &bad);
        assert_int_equal(valid, cases[i].bad == cases[i].len);
        assert_int_equal(bad, cases[i].bad);
        assert_int_equal(ng_utf8_valid(cases[i].bytes, cases[i].len, NULL), valid);
    }
}

static void the_nearest_word_is_suggested(void **state) {
    (void)state;
    static const char *const words[] = {
        "iodepth", "size", "direct", "runtime", "rw", "bs", "time", "numjobs", NULL, "a", "sizes"};
    static const char *const cases[][2] = {
        {"iodepth", "iodepth"},
        {"iodeph", "iodepth"},
        {"io_depth", "iodepth"},
        {"oidepth", "iodepth"}, /* swapped */
        {"oidpeth", "iodepth"}, /* swapped twice */
        {"iode", NULL},
        {"siez", "size"},
        {"sizs", "size"}, /* as near to "sizes": the first wins */
        {"timee", "time"},
        {"xy", NULL}, /* everything replaced is no likeness */
        {"b", NULL},
        {"a", "a"},
        {"", NULL},
        {"numjobsnumjobs", NULL},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        const char *found = ng_text_nearest(cases[i][0], words, NG_COUNT(words));
        const char *want = cases[i][1] == NULL ? "none" : cases[i][1];
        if (strcmp(found == NULL ? "none" : found, want) != 0) {
            fail_msg("%s: %s, not %s", cases[i][0], found == NULL ? "none" : found, want);
        }
    }
    assert_null(ng_text_nearest("size", words, 0));
    char *endless = repeated("s", 100000);
    const char *const one[] = {endless};
    assert_null(ng_text_nearest(endless, words, NG_COUNT(words)));
    assert_null(ng_text_nearest("ss", one, 1));
    free(endless);
}

static void names_are_plain(void **state) {
    (void)state;
    char longest[65];
    memset(longest, 'n', sizeof longest);
    longest[63] = '\0';
    assert_true(ng_text_is_name(longest));
    longest[63] = 'n';
    longest[64] = '\0';
    assert_false(ng_text_is_name(longest));
    static const char *const good[] = {"a", "9", "seq-write", "host_1.x", "A-"};
    static const char *const bad[] = {
        "", "-a", ".a", "_a", "a b", "a/b", "a:b", "\xC3\xA4", "a\n", "a$"};
    for (size_t i = 0; i < NG_COUNT(good); i++) {
        assert_true(ng_text_is_name(good[i]));
    }
    for (size_t i = 0; i < NG_COUNT(bad); i++) {
        assert_false(ng_text_is_name(bad[i]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(foreign_text_becomes_safe),
        cmocka_unit_test(cleaning_appends),
        cmocka_unit_test(long_text_loses_its_middle),
        cmocka_unit_test(cuts_keep_code_points_whole_and_bounds),
        cmocka_unit_test(the_end_survives_whatever_came_before),
        cmocka_unit_test(hostile_text_takes_linear_time),
        cmocka_unit_test(utf8_is_checked),
        cmocka_unit_test(the_nearest_word_is_suggested),
        cmocka_unit_test(names_are_plain),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
