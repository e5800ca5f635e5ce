/* Texts as other versions and other locales print them, and with numbers that no machine has: what
 * the plain text reports is never idle, whole, uncached or sound in another spelling. */
#include "tests/unit/facts/cut_texts.h"

#include "runner/base/buf.h"

/* The text with each `from` written as `to`. */
static char *replaced(struct ng_arena *own, const char *text, const char *from, const char *to) {
    struct ng_buf out;
    ng_buf_init(&out, 1 << 20);
    for (const char *at = text; *at != '\0';) {
        if (strncmp(at, from, strlen(from)) == 0) {
            ng_buf_adds(&out, to);
            at += strlen(from);
        } else {
            ng_buf_addc(&out, *at++);
        }
    }
    char *copy = ng_arena_strdup(own, ng_buf_text(&out));
    ng_buf_release(&out);
    return copy;
}

/* The n-th number of the text instead; NULL: it has no more. */
static char *with_number(
    struct ng_arena *own, const char *text, size_t number, const char *instead) {
    for (const char *at = text; *at != '\0'; at++) {
        const size_t len = strspn(at, "0123456789");
        if (len > 0 && number-- == 0) {
            return ng_arena_printf(own, "%.*s%s%s", (int)(at - text), text, instead, at + len);
        }
        at += len > 0 ? len - 1 : 0;
    }
    return NULL;
}

/* A line that nobody knows before the n-th line; NULL: it has no more. */
static char *with_line(struct ng_arena *own, const char *text, size_t number, const char *line) {
    const char *at = text;
    for (; number > 0 && at != NULL && *at != '\0'; number--) {
        const char *end = strchr(at, '\n');
        at = end == NULL ? NULL : end + 1;
    }
    return at == NULL || number > 0
               ? NULL
               : ng_arena_printf(own, "%.*s%s\n%s", (int)(at - text), text, line, at);
}

/* False, told, when the odd text hides what the plain one says. */
static bool compare(const struct cut_text *text, struct ng_arena *own, const char *odd) {
    if (text->after == NULL) { /* another name is of something else */
        return true;
    }
    const struct ng_facts *whole = cut_facts(text, own, text->text, strlen(text->text), true);
    const struct ng_facts *part = cut_facts(text, own, odd, strlen(odd), true);
    const char *hidden = cut_hidden(whole, part, true);
    if (hidden != NULL) {
        print_message("%s: %s, in\n%s\n", text->title, hidden, odd);
    }
    return hidden == NULL;
}

static void other_spellings(void **state) {
    (void)state;
    static const struct {
        const char *from, *to;
    } rows[] = {
        {"\n", "\r\n"},
        {"\n", " \n"},
        {"      ", "\t"},
        {"      ", "  "},
        {"  ", "\t"},
        {".", ","},
        {"%", " %"},
        {"%", ""},
        {"= ", "="},
        {" ", "  "},
        {"\n\n", "\n"},
        {"none", "nichts"},
        {"[U", "[u"},
    };
    size_t bad = 0;
    for (size_t i = 0; i < NG_COUNT(cut_texts); i++) {
        for (size_t j = 0; j < NG_COUNT(rows); j++) {
            struct ng_arena own;
            ng_arena_init(&own);
            const char *odd = replaced(&own, cut_texts[i].text, rows[j].from, rows[j].to);
            bad += compare(&cut_texts[i], &own, odd) ? 0 : 1;
            ng_arena_release(&own);
        }
    }
    assert_int_equal(bad, 0);
}

static void numbers_that_no_machine_has(void **state) {
    (void)state;
    static const char *const numbers[] = {
        "99999999999999999999999", "-7", "", "x", "1e3", "0x10", "9223372036854775807"};
    size_t bad = 0;
    for (size_t i = 0; i < NG_COUNT(cut_texts); i++) {
        for (size_t j = 0; j < NG_COUNT(numbers); j++) {
            bool more = true;
            for (size_t n = 0; more && bad < 40; n++) {
                struct ng_arena own;
                ng_arena_init(&own);
                const char *odd = with_number(&own, cut_texts[i].text, n, numbers[j]);
                more = odd != NULL;
                bad += !more || compare(&cut_texts[i], &own, odd) ? 0 : 1;
                ng_arena_release(&own);
            }
        }
    }
    assert_int_equal(bad, 0);
}

static void lines_that_nobody_knows(void **state) {
    (void)state;
    static const char *const lines[] = {"what = 100% is this", "      [===>]  rewrite = 5.0% (1/2)",
        "\tnew: 1", "warning: something is new here", "", "\xff\xfe odd bytes"};
    size_t bad = 0;
    for (size_t i = 0; i < NG_COUNT(cut_texts); i++) {
        for (size_t j = 0; j < NG_COUNT(lines); j++) {
            bool more = true;
            for (size_t n = 0; more && bad < 40; n++) {
                struct ng_arena own;
                ng_arena_init(&own);
                const char *odd = with_line(&own, cut_texts[i].text, n, lines[j]);
                more = odd != NULL && n < 200;
                bad += odd == NULL || compare(&cut_texts[i], &own, odd) ? 0 : 1;
                ng_arena_release(&own);
            }
        }
    }
    assert_int_equal(bad, 0);
}

/* One of two hundred arrays is at work, wherever it stands in the list. */
static void one_of_two_hundred(void **state) {
    (void)state;
    enum { ARRAYS = 200 };
    for (int busy = 0; busy < ARRAYS; busy += 37) {
        struct ng_buf out;
        ng_buf_init(&out, 1 << 20);
        ng_buf_addf(&out, "%s\nt B mdstat\nPersonalities : [raid1] \n", PLAIN);
        for (int i = 0; i < ARRAYS; i++) {
            ng_buf_addf(&out, "md_%d : active raid1 disk!%da[0] disk!%db[1]\n", i, i, i);
            ng_buf_adds(&out, "      900 blocks super 1.2 [2/2] [UU]\n");
            ng_buf_adds(&out, i == busy ? "      [>]  check = 1.0% (9/900)\n      \n" : "      \n");
        }
        ng_buf_adds(&out, "unused devices: <none>\n\nt E mdstat 0\n" CUT_END);
        struct ng_arena own;
        ng_arena_init(&own);
        const struct ng_facts *facts = ng_facts_parse(&own, "nas", "t", ng_buf_text(&out), out.len);
        assert_int_equal(facts->arrays.count, ARRAYS);
        for (int i = 0; i < ARRAYS; i++) {
            assert_int_equal(facts->arrays.items[i].busy, i == busy ? NG_ANSWER_YES : NG_ANSWER_NO);
            assert_int_equal(facts->arrays.items[i].degraded, NG_ANSWER_NO);
        }
        ng_arena_release(&own);
        ng_buf_release(&out);
    }
}

/* Names as dmsetup and zpool write those that hold blanks. */
static void names_with_blanks(void **state) {
    (void)state;
    static const struct cut_text rows[] = {
        {"dm",
            HOST NO_MD CUT_F("block", "block/sda/dev\t8:0\nblock/dm-0/dev\t253:0\n"
                                      "block/dm-0/dm/name\ta b: c\nblock/dm-0/slaves/sda\t\n")
                CUT_F("dmtable", "a\\x20b:\\x20c: 0 99 raid x\n"),
            "dmstatus", "a\\x20b:\\x20c: 0 99 raid raid1 2 AD 20/40 recover 0 0 -\n", CUT_END,
            false},
        {"zpool", POOL_HOST, "zpool.status",
            POOL("DEGRADED",
                "  scan: resilver in progress since Sun Nov 29 10:00:00 2026\n"
                "\t0B resilvered, 30.00% done, 01:10:00 to go\n",
                "\ttank        DEGRADED     0     0     0\n"
                "\t  /images/disk one  FAULTED  0     0     0  too many errors\n"),
            CUT_END, false},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_facts *facts =
            cut_facts(&rows[i], &arena, rows[i].text, strlen(rows[i].text), true);
        assert_int_equal(facts->arrays.count, 1);
        assert_int_equal(facts->arrays.items[0].busy, NG_ANSWER_YES);
        assert_int_equal(facts->arrays.items[0].degraded, NG_ANSWER_YES);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(other_spellings),
        TEST(numbers_that_no_machine_has),
        TEST(lines_that_nobody_knows),
        TEST(one_of_two_hundred),
        TEST(names_with_blanks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
