/* Whether a btrfs is being scrubbed: every word that btrfs prints, and what stands in for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "runner/facts/collect.h"
#include "runner/facts/scrub.h"

#define NO NG_ANSWER_NO
#define YES NG_ANSWER_YES
#define U NG_ANSWER_UNKNOWN

struct said {
    const char *text;
    enum ng_answer answer;
};

static void words_of_btrfs(void **state) {
    (void)state;
    static const struct said rows[] = {
        {"UUID:             u\nStatus:           running\nTime left:        0:00:02\n", YES},
        {"UUID:             u\nStatus:           finished\nDuration:         0:00:04\n", NO},
        {"UUID: u\nStatus:  aborted\n", NO},
        {"UUID: u\nStatus:  interrupted\n", NO},
        {"UUID: u\nStatus:  resting\n", U},
        {"UUID: u\n\tno stats available\n", NO},
        {"UUID: u\n\tno stats available\nTime left: 0:00:02\nBytes scrubbed: 0.00B\n", YES},
        /* a device at a time */
        {"UUID: u\nStatus: finished\nUUID: u\nStatus: running\n", YES},
        {"UUID: u\n\tno stats available\nUUID: u\nStatus: finished\nBytes scrubbed: 1GiB\n", NO},
        {"UUID: u\nStatus: finished\nUUID: u\nStatus: new\n", U},
        /* before 5.2 */
        {"scrub status for u\n\tscrub started at Wed, running for 00:00:05\n", YES},
        {"scrub status for u\n\tscrub resumed at Wed, running for 00:00:05\n", YES},
        {"scrub status for u\n\tscrub started at Wed and finished after 00:00:16\n", NO},
        {"scrub status for u\n\tscrub started at Wed, interrupted after 00:01, not running\n", NO},
        {"scrub status for u\n\tscrub started at Wed and was aborted after 00:00:16\n", NO},
        {"scrub status for u\n\tno stats available\n\ttotal bytes scrubbed: 0.00B with 0 errors\n",
            NO},
        {"", U},
        {"UUID: u\n", U},
        {"ERROR: cannot open\n", U},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        if (ng_scrub_status(rows[i].text, strlen(rows[i].text)) != rows[i].answer) {
            fail_msg("%s", rows[i].text);
        }
    }
}

#define HEADER "scrub status:1\n"

static void words_of_the_file(void **state) {
    (void)state;
    static const struct said rows[] = {
        {HEADER "u:1|data_extents_scrubbed:9|canceled:0|finished:1\n", NO},
        {HEADER "u:1|x:1|canceled:1|finished:0\nu:2|x:1|canceled:0|finished:1\n", NO},
        {HEADER "u:1|x:1|canceled:0|finished:1\nu:2|x:1|canceled:0|finished:0\n", U},
        {HEADER, U},
        {"", U},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        if (ng_scrub_file(rows[i].text, strlen(rows[i].text)) != rows[i].answer) {
            fail_msg("%s", rows[i].text);
        }
    }
}

#define F(name, text) "\nt B " name "\n" text "\nt E " name " 0\n"
#define A(name) "\nt A " name " 0\n"
#define FAILED(name) "\nt B " name "\n\nt E " name " 1\n"
#define BTRFS F("block", "btrfs/u-1/exclusive_operation\tnone\nbtrfs/u-1/devices/sda\t\n")
#define ALL "/proc/2\tkthreadd\n"
#define HOST F("markers", "modules\n")
#define CONTAINER F("markers", "container\n")
#define RUNNING F("scrub.u-1", "UUID: u-1\nStatus: running\n")
#define FINISHED F("scrub.u-1", "UUID: u-1\nStatus: finished\n")

static void sources_together(void **state) {
    (void)state;
    static const struct {
        const char *frames;
        enum ng_answer scrub;
        const char *why;
    } rows[] = {
        {HOST FINISHED, NO, "says that none runs"},
        {HOST RUNNING, YES, "says that it runs"},
        {HOST RUNNING F("scrub.tasks", ALL "/proc/99\tbtrfs\n"), YES, "says that it runs"},
        {HOST RUNNING F("scrub.tasks", ALL), U, "no process does it"},
        /* not root: the processes */
        {HOST F("scrub.tasks", ALL), NO, "no process scrubs"},
        {HOST FAILED("scrub.u-1") F("scrub.tasks", ALL), NO, "no process scrubs"},
        {HOST F("scrub.tasks", ALL "/proc/99\tbtrfs\n"), U, "/proc/99 btrfs may scrub it"},
        {HOST F("scrub.tasks", ALL "/proc/9\tkworker/u8:1+btrfs-scrub\n"), U, "may scrub it"},
        /* not all processes are visible: the file */
        {HOST F("scrub.tasks", "") A("scrubbed.u-1"), NO, "never scrubbed"},
        {HOST F("scrub.tasks", "/proc/2\tsh\n") A("scrubbed.u-1"), NO, "never scrubbed"},
        {CONTAINER F("scrub.tasks", "") A("scrubbed.u-1"), U, "not visible"},
        {HOST F("scrub.tasks", "") FAILED("scrubbed.u-1"), U, "not readable"},
        {HOST F("scrub.tasks", "") F("scrubbed.u-1", HEADER "u:1|finished:1\n"), NO, "has ended"},
        {HOST F("scrub.tasks", "") F("scrubbed.u-1", HEADER "u:1|finished:0\n"), U, "may still"},
        {HOST "\nt L scrub.tasks 8\n" FAILED("scrubbed.u-1"), U, "not readable"},
        {HOST, U, "not readable"},
    };
    struct ng_arena arena;
    ng_arena_init(&arena);
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const char *text = ng_arena_printf(&arena, "%s%s\nt Z end\n", BTRFS, rows[i].frames);
        const struct ng_facts *facts = ng_facts_parse(&arena, "nas", "t", text, strlen(text));
        assert_int_equal(facts->blocks.work_count, 1);
        const struct ng_btrfs_work *work = &facts->blocks.works[0];
        if (work->scrub != rows[i].scrub || strstr(work->scrub_why, rows[i].why) == NULL) {
            fail_msg("row %zu: %d, %s", i, (int)work->scrub, work->scrub_why);
        }
    }
    ng_arena_release(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_btrfs),
        cmocka_unit_test(words_of_the_file),
        cmocka_unit_test(sources_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
