/* Texts that end too early: cut at every byte, no beginning of one says better of a thing than the
 * whole does. Recordings are cut as well where they are at hand. */
#include "tests/unit/facts/cut_texts.h"

/* All that can be hidden: told, then failed at the end, so that one run shows all. */
static size_t cut_everywhere(const struct cut_text *text, bool closed) {
    const size_t len = strlen(text->text);
    const struct ng_facts *whole = cut_facts(text, &arena, text->text, len, true);
    size_t bad = 0;
    if (cut_things(whole) == 0) {
        print_message("%s: the whole text reports nothing\n", text->title);
        return 1;
    }
    for (size_t cut = 0; cut < len && bad < 3; cut++) {
        struct ng_arena own;
        ng_arena_init(&own);
        const struct ng_facts *part = cut_facts(text, &own, text->text, cut, closed);
        const char *hidden = cut_hidden(whole, part, closed && text->open_end);
        if (hidden != NULL) {
            const size_t from = cut > 40 ? cut - 40 : 0;
            print_message("%s, %s at %zu, behind \"%.*s\": %s\n", text->title,
                closed ? "ends" : "is cut", cut, (int)(cut - from), text->text + from, hidden);
            bad++;
        }
        ng_arena_release(&own);
    }
    return bad;
}

static void no_beginning_says_better_than_the_whole(void **state) {
    (void)state;
    size_t bad = 0;
    for (size_t i = 0; i < NG_COUNT(cut_texts); i++) {
        bad += cut_texts[i].after == NULL ? 0 : cut_everywhere(&cut_texts[i], true);
    }
    assert_int_equal(bad, 0);
}

static void a_frame_that_is_cut_off_is_never_all(void **state) {
    (void)state;
    size_t bad = 0;
    for (size_t i = 0; i < NG_COUNT(cut_texts); i++) {
        bad += cut_everywhere(&cut_texts[i], false);
    }
    assert_int_equal(bad, 0);
}

/* Recordings that report something, with what their host prints besides. */
static const struct {
    const char *file, *before, *frame;
} recorded[] = {
    {"dmsetup/raid-and-mirror-mix.txt", HOST NO_MD CUT_F("block", ""), "dmstatus"},
    {"mdstat/check-and-delayed.txt", PLAIN, "mdstat"},
    {"mdstat/map-says-degraded-counters-not.txt", PLAIN, "mdstat"},
    {"mdstat/raid5-failed-member.txt", PLAIN, "mdstat"},
    {"mdstat/raid6-degraded-no-unused-line.txt", PLAIN, "mdstat"},
    {"mdstat/raid6-recovery-19.6.txt", PLAIN, "mdstat"},
    {"mdstat/raid6-reshape-48.4.txt", PLAIN, "mdstat"},
    {"mdstat/recovery-0.4-prompt-line.txt", PLAIN, "mdstat"},
    {"mdstat/seventeen-arrays.txt", PLAIN, "mdstat"},
    {"mdstat/two-resyncs.txt", PLAIN, "mdstat"},
    {"mdstat/unindented-recovery-delayed.txt", PLAIN, "mdstat"},
    {"mdstat/unindented-recovery.txt", PLAIN, "mdstat"},
    {"mdstat/unindented-two-progress-lines.txt", PLAIN, "mdstat"},
    {"synology/mdstat-E-flag.txt", DSM, "mdstat"},
    {"zpool/status-scrub-none-unavail.txt", POOL_HOST, "zpool.status"},
};

static void recordings_that_end_too_early(void **state) {
    (void)state;
    size_t bad = 0;
    for (size_t i = 0; i < NG_COUNT(recorded); i++) {
        size_t len;
        const struct cut_text text = {.title = recorded[i].file,
            .before = recorded[i].before,
            .frame = recorded[i].frame,
            .text = recording(recorded[i].file, &len),
            .after = CUT_END,
            .open_end = true};
        bad += cut_everywhere(&text, true) + cut_everywhere(&text, false);
    }
    assert_int_equal(bad, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(no_beginning_says_better_than_the_whole),
        TEST(a_frame_that_is_cut_off_is_never_all),
        TEST(recordings_that_end_too_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
