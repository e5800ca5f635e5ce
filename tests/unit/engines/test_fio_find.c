/* Doubts about a fio result that was accepted: caches, direct I/O, lengths, counts. */
#include "tests/unit/engines/fio_lab.h"

static void doubts(void **state) {
    (void)state;
    static const struct {
        const char *rule;
        enum ng_finding_weight weight;
        struct job job;
    } rows[] = {
        {"too-short", NG_FINDING_INCONCLUSIVE, {WRITTEN(1000 * MEBI, 1000, 99)}},
        {"short-run", NG_FINDING_NOTE, {WRITTEN(1000 * MEBI, 1000, 4000)}},
        {"faster-than-link", NG_FINDING_INCONCLUSIVE, {WRITTEN(1000 * MEBI, 1000, 800)}},
        {"tool-bound", NG_FINDING_WARNING,
            {WRITTEN(1000 * MEBI, 1000, 10000), .user = 60, .kernel = 39}},
        {"counts-disagree", NG_FINDING_WARNING,
            {.write = {.bytes = 1000 * MEBI, .ios = 1000, .runtime_ms = 10000, .iops = 90}}},
        {"counts-disagree", NG_FINDING_WARNING,
            {.write = {.bytes = 1000 * MEBI, .ios = 1000, .runtime_ms = 10000, .bw = 1e6}}},
        {"counts-disagree", NG_FINDING_WARNING, {WRITTEN(1000 * MEBI, 1200, 10000)}},
        {"counts-disagree", NG_FINDING_INCONCLUSIVE, {WRITTEN(1000 * MEBI, 1, 10000)}},
        {"counts-disagree", NG_FINDING_INCONCLUSIVE, {WRITTEN(1000 * MEBI, 1024000, 10000)}},
        {"high-spread", NG_FINDING_WARNING,
            {.write = {.bytes = 1000 * MEBI,
                 .ios = 1000,
                 .runtime_ms = 10000,
                 .samples = 20,
                 .deviation = 31}}},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        lab_open(&lab, &ng_fio, WRITE);
        assert_true(parse(&lab, 0, document(&lab, "fio-3.33", &rows[i].job, 1), ""));
        const struct ng_finding *finding = lab_finding(&lab, rows[i].rule);
        if (finding == NULL) {
            fail_msg("row %zu: no finding %s", i, rows[i].rule);
            return;
        }
        assert_int_equal(finding->weight, rows[i].weight);
        lab_close(&lab);
    }
}

/** A phase without direct I/O, the RAM of the client, what must be found. */
struct cached {
    const char *yaml;
    int64_t ram;
    enum ng_answer direct;
    enum ng_finding_weight weight;
    const char *part;
};

static void the_page_cache_is_suspected(void **state) {
    (void)state;
    static const struct cached rows[] = {
        {"{volume: repo, rw: read, bs: 1 MiB, size: 256 MiB, direct: false}", INT64_C(24) << 30,
            NG_ANSWER_YES, NG_FINDING_INCONCLUSIVE, "256 MiB is below the client's RAM of 24 GiB"},
        {"{volume: repo, rw: read, bs: 1 MiB, size: 256 MiB}", INT64_C(24) << 30, NG_ANSWER_NO,
            NG_FINDING_INCONCLUSIVE, "256 MiB is below the client's RAM of 24 GiB"},
        {"{volume: repo, rw: read, bs: 1 MiB, size: 256 MiB, direct: false}", 0, NG_ANSWER_YES,
            NG_FINDING_INCONCLUSIVE, "not known"},
        {"{volume: repo, rw: read, bs: 1 MiB, size: 256 MiB, direct: false}", 64 << 20, true,
            NG_FINDING_WARNING, "answered a part"},
        {"{volume: repo, rw: write, bs: 1 MiB, size: 256 MiB, direct: false}", INT64_C(24) << 30,
            NG_ANSWER_YES, NG_FINDING_WARNING, "the fsync at the end is inside the time"},
        {"{volume: repo, rw: write, bs: 1 MiB, size: 256 MiB, direct: false, end_fsync: false}",
            INT64_C(24) << 30, NG_ANSWER_YES, NG_FINDING_INCONCLUSIVE, "no fsync at the end"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        lab_open(&lab, &ng_fio, rows[i].yaml);
        lab.site.client_ram = rows[i].ram;
        lab.site.direct = rows[i].direct;
        const struct side side = {.bytes = 256 * MEBI, .ios = 256, .runtime_ms = 10000};
        struct job job = {0};
        *(strstr(rows[i].yaml, "rw: read") != NULL ? &job.read : &job.write) = side;
        assert_true(parse(&lab, 0, document(&lab, "fio-3.33", &job, 1), ""));
        const struct ng_finding *finding = lab_finding(&lab, "page-cache");
        if (finding == NULL || finding->weight != rows[i].weight ||
            strstr(finding->text, rows[i].part) == NULL) {
            fail_msg("row %zu: %s", i, finding != NULL ? finding->text : "no finding");
        }
        lab_close(&lab);
    }
}

/** What the site says of direct I/O, what the plan asks for, and what the report then says. */
struct told {
    enum ng_answer direct;
    const char *asked, *record;
    bool doubted;
};

static const char *recorded(const struct lab *lab, const char *key) {
    for (size_t i = 0; i < lab->repeat.records.count; i++) {
        if (strcmp(lab->repeat.records.items[i].key, key) == 0) {
            return lab->repeat.records.items[i].value;
        }
    }
    return "";
}

static void what_is_not_known_of_direct_is_not_refused(void **state) {
    (void)state;
    static const struct told rows[] = {
        {NG_ANSWER_YES, "auto", "on (a trial write worked)", false},
        {NG_ANSWER_NO, "auto", "off (a trial write was refused)", false},
        {NG_ANSWER_UNKNOWN, "auto", "off (whether it works is unknown: no trial write could tell)",
            true},
        {NG_ANSWER_UNKNOWN, "true", "on (asked for)", false},
        {NG_ANSWER_UNKNOWN, "false", "off (switched off in the plan)", false},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        char yaml[120];
        snprintf(yaml, sizeof yaml,
            "{volume: repo, rw: write, bs: 1 MiB, size: 1000 MiB, direct: %s}", rows[i].asked);
        lab_open(&lab, &ng_fio, yaml);
        lab.site.direct = rows[i].direct;
        assert_true(parse(&lab, 0, document(&lab, "fio-3.33", &good, 1), ""));
        assert_string_equal(recorded(&lab, "direct I/O"), rows[i].record);
        assert_int_equal(lab_finding(&lab, "direct-unknown") != NULL, rows[i].doubted);
        lab_close(&lab);
    }
}

static void the_server_has_a_cache_as_well(void **state) {
    (void)state;
    static const struct {
        bool network;
        int64_t ram;
        int weight; /* -1: nothing is found */
        const char *part;
    } rows[] = {
        {true, INT64_C(16) << 30, NG_FINDING_WARNING,
            "256 MiB is below the server's RAM of 16 GiB"},
        {true, 128 << 20, -1, ""},
        {true, 0, NG_FINDING_NOTE, "the server's RAM is not known"},
        {false, INT64_C(16) << 30, -1, ""},
        {false, 0, -1, ""},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        for (int write = 0; write < 2; write++) {
            struct lab lab;
            lab_open(&lab, &ng_fio,
                write == 1 ? "{volume: repo, rw: write, bs: 1 MiB, size: 256 MiB}"
                           : "{volume: repo, rw: read, bs: 1 MiB, size: 256 MiB}");
            lab.site.network = rows[i].network;
            lab.site.server_ram = rows[i].ram;
            struct job job = {0};
            *(write == 1 ? &job.write : &job.read) =
                (struct side){.bytes = 256 * MEBI, .ios = 256, .runtime_ms = 10000};
            assert_true(parse(&lab, 0, document(&lab, "fio-3.33", &job, 1), ""));
            const struct ng_finding *finding = lab_finding(&lab, "server-cache");
            assert_int_equal(finding != NULL, rows[i].weight >= 0 && write == 0);
            if (finding != NULL) {
                assert_int_equal(finding->weight, rows[i].weight);
                assert_non_null(strstr(finding->text, rows[i].part));
            }
            lab_close(&lab);
        }
    }
}

static void a_depth_that_is_none(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_fio,
        "{volume: repo, rw: write, bs: 1 MiB, size: 1000 MiB, direct: false, iodepth: 8}");
    assert_true(parse(&lab, 0, document(&lab, "fio-3.33", &good, 1), ""));
    assert_non_null(lab_finding(&lab, "depth-not-real"));
    lab_close(&lab);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubts),
        cmocka_unit_test(the_page_cache_is_suspected),
        cmocka_unit_test(what_is_not_known_of_direct_is_not_refused),
        cmocka_unit_test(the_server_has_a_cache_as_well),
        cmocka_unit_test(a_depth_that_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
