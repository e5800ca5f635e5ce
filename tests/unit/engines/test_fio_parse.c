/* When a fio result is believed, and what is said when it is not. Documents are made here. */
#include "tests/unit/engines/fio_lab.h"

static void a_good_result(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_fio, WRITE);
    assert_true(parse(&lab, 0, document(&lab, "fio-3.33", &good, 1), ""));
    lab_assert_near(lab_value(&lab, "write.bw"), 100 * MEBI);
    lab_assert_near(lab_value(&lab, "write.iops"), 100);
    lab_assert_near(lab_value(&lab, "write.bytes"), 1000 * MEBI);
    lab_assert_near(lab_value(&lab, "write.lat.mean"), 1.5e-6);
    lab_assert_near(lab_value(&lab, "write.lat.p50"), 1e-6);
    lab_assert_near(lab_value(&lab, "write.lat.p95"), 2e-6);
    lab_assert_near(lab_value(&lab, "write.lat.p99"), 3e-6);
    lab_assert_near(lab_value(&lab, "write.lat.p99.9"), 4e-6);
    lab_assert_near(lab_value(&lab, "write.lat.max"), 9e-6);
    lab_assert_near(lab_value(&lab, "runtime"), 10);
    lab_assert_near(lab_value(&lab, "cpu.user"), 0.05);
    lab_assert_near(lab_value(&lab, "cpu.system"), 0.2);
    assert_false(lab_has(&lab, "read.bw"));
    assert_int_equal(lab.repeat.finding_count, 0);
    assert_false(lab.repeat.partial);
    lab_close(&lab);
}

static void text_around_the_document_is_no_matter(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_fio, WRITE);
    struct job first = good;
    first.write.bytes /= 2;
    const char *text = ng_arena_printf(&lab.arena,
        "note: both iodepth >= 1 and synchronous I/O engine are selected\n\n%s\n%s\ntail\n",
        document(&lab, "fio-3.33", &first, 1), document(&lab, "fio-3.42-6-g219f", &good, 1));
    assert_true(parse(&lab, 0, text, "a warning"));
    lab_assert_near(lab_value(&lab, "write.bytes"), 1000 * MEBI); /* the last one wins */
    lab_close(&lab);
}

static void several_jobs_are_added_up(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_fio, "{volume: repo, rw: randread, bs: 4 KiB, size: 4096 KiB, jobs: 2}");
    const struct job jobs[] = {
        {.read = {.bytes = 4 * MEBI, .ios = 1024, .runtime_ms = 1000}, .user = 40, .kernel = 10},
        {.read = {.bytes = 4 * MEBI, .ios = 1024, .runtime_ms = 2000}, .user = 30, .slower = 3},
    };
    assert_true(parse(&lab, 0, document(&lab, "fio-3.33", jobs, 2), ""));
    lab_assert_near(lab_value(&lab, "read.bw"), 4 * MEBI); /* by the longest runtime */
    lab_assert_near(lab_value(&lab, "read.iops"), 1024);
    lab_assert_near(lab_value(&lab, "read.lat.mean"), 3e-6);
    lab_assert_near(lab_value(&lab, "read.lat.p99"), 9e-6); /* the slowest job's */
    lab_assert_near(lab_value(&lab, "cpu.user"), 0.7);
    lab_close(&lab);
}

/** A change to the good job that must not be believed. */
struct refusal {
    const char *part; /* of the error */
    int status;
    struct job job;
    const char *err;
};

static void what_is_not_believed(void **state) {
    (void)state;
    static const struct refusal rows[] = {
        {"ENOSPC", 1, {.error = 28, WRITTEN(3 * MEBI, 3, 200)}, ""},
        {"volume is full", 0, {.error = 28, WRITTEN(3 * MEBI, 3, 200)}, ""},
        {"EIO", 1, {.error = 5, WRITTEN(3 * MEBI, 3, 200)}, ""},
        {"multiple of 4 KiB", 1, {.error = 22}, "fio: destination does not support O_DIRECT"},
        {"error 4711", 1, {.error = 4711}, ""},
        {"over 2 errors", 0, {.total_err = 2, WRITTEN(1000 * MEBI, 1000, 10000)}, ""},
        {"did no writes", 0, {WRITTEN(0, 0, 0)}, ""},
        {"did no writes", 0, {WRITTEN(1000 * MEBI, 1000, 0)}, ""},
        {"of the 1048576000 bytes", 0, {WRITTEN(999 * MEBI, 999, 10000)}, ""},
        {"nobody asked for", 0,
            {.read = {.bytes = 4096, .ios = 1, .runtime_ms = 5}, WRITTEN(1000 * MEBI, 1000, 10000)},
            ""},
        {"a job other where point", 0, {.name = "other", WRITTEN(1000 * MEBI, 1000, 10000)}, ""},
        {"by a signal", 128, {WRITTEN(500 * MEBI, 500, 5000)}, ""},
        {"killed by a signal", 0, {WRITTEN(1000 * MEBI, 1000, 10000)},
            "fio: pid=12, got signal=9\n"},
        {"status 134: double free", 134, {WRITTEN(1000 * MEBI, 1000, 10000)}, "double free\n"},
        {"1 short and 0 dropped", 0,
            {.write = {.bytes = 1000 * MEBI, .ios = 1000, .runtime_ms = 10000, .short_ios = 1}},
            ""},
        {"reports a measurement of 10.800 s, but the command ran for 10.000 s only", 0,
            {WRITTEN(1000 * MEBI, 1000, 10800)}, ""},
        {"not of this run", 0, {WRITTEN(1000 * MEBI, 1000, 1e18)}, ""},
        {"0 short and 2 dropped", 0,
            {.write = {.bytes = 1000 * MEBI, .ios = 1000, .runtime_ms = 10000, .drop_ios = 2}}, ""},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        lab_open(&lab, &ng_fio, WRITE);
        assert_false(
            parse(&lab, rows[i].status, document(&lab, "fio-3.33", &rows[i].job, 1), rows[i].err));
        lab_assert_error(&lab, rows[i].part);
        assert_false(lab.transient);
        lab_close(&lab);
    }
}

static void no_document_or_another_one(void **state) {
    (void)state;
    static const struct {
        int status;
        const char *out, *err, *part;
    } rows[] = {
        {0, "", "fio: time_based requires a runtime/timeout setting\n", "time_based requires"},
        {1, "", "fio: unrecognized option '--bad=1'\n", "unrecognized option"},
        {0, "{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":", "", "cut-off result"},
        {0, "{\"start\":{}}", "", "not fio's"},
        {0, "{\"fio version\":\"fio-3.33\"}", "", "no list of jobs"},
        {0, "{\"fio version\":\"fio-2.17\",\"jobs\":[]}", "", "3.2 or later"},
        {0, "{\"fio version\":\"fio-3.1\",\"jobs\":[]}", "", "3.2 or later"},
        {0, "{\"fio version\":\"fio-git\",\"jobs\":[]}", "", "not understood"},
        {0, "{\"fio version\":\"fio-3.33\",\"jobs\":[]}", "", "0 jobs where 1"},
        {0, "{\"fio version\":\"fio-3.33\",\"jobs\":[7]}", "", "no \"jobname\""},
        {0,
            "{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"point\",\"error\":0,"
            "\"read\":{\"io_bytes\":nan}}]}",
            "", "lacks io_bytes"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        lab_open(&lab, &ng_fio, WRITE);
        assert_false(parse(&lab, rows[i].status, rows[i].out, rows[i].err));
        lab_assert_error(&lab, rows[i].part);
        assert_int_equal(lab.repeat.measure_count, 0);
        lab_close(&lab);
    }
}

static void a_timed_run_must_have_run(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_fio, "{volume: repo, rw: rw, bs: 1 MiB, size: 10 MiB, time: 10 s}");
    struct job job = {.read = {.bytes = 50 * MEBI, .ios = 50, .runtime_ms = 9100},
        .write = {.bytes = 40 * MEBI, .ios = 40, .runtime_ms = 9000}};
    assert_true(parse(&lab, 0, document(&lab, "fio-3.33", &job, 1), ""));
    lab_assert_near(lab_value(&lab, "runtime"), 9.1);
    job.read.runtime_ms = job.write.runtime_ms = 8900;
    assert_false(parse(&lab, 0, document(&lab, "fio-3.33", &job, 1), ""));
    lab_assert_error(&lab, "8.900 s of the 10 s");
    assert_true(lab.repeat.partial);
    lab_close(&lab);
}

static void the_end_decides(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_fio, WRITE);
    struct ng_reply replies[NG_COMMANDS_MAX];
    struct job part = good;
    part.write.bytes /= 2;
    part.write.ios /= 2;
    part.write.runtime_ms /= 2;
    size_t count = replies_of(&lab, replies, 0, document(&lab, "fio-3.33", &part, 1), "");
    struct ng_reply *last = &replies[count - 1];

    last->how = NG_ENDED_DEADLINE;
    assert_false(lab_parse(&lab, replies, count));
    lab_assert_error(&lab, "deadline");
    assert_int_equal(lab.err.kind, NG_ERR_DEADLINE);
    assert_true(lab.repeat.partial);
    lab_assert_near(lab_value(&lab, "write.bw"), 100 * MEBI);

    last->how = NG_ENDED_STOPPED;
    assert_false(lab_parse(&lab, replies, count));
    assert_int_equal(lab.err.kind, NG_ERR_STOPPED);
    assert_true(lab.repeat.partial);

    last->how = NG_ENDED_STUCK;
    memcpy(last->why, "state D in nfs_wait", 20);
    assert_false(lab_parse(&lab, replies, count));
    lab_assert_error(&lab, "stuck in the kernel and cannot be ended: state D");
    assert_false(lab.repeat.partial);

    last->how = NG_ENDED_NOT_STARTED;
    assert_false(lab_parse(&lab, replies, count));
    assert_int_equal(lab.err.kind, NG_ERR_HOST);

    last->how = NG_ENDED_EXITED;
    last->out_cut = 5;
    assert_false(lab_parse(&lab, replies, count));
    assert_int_equal(lab.err.kind, NG_ERR_LIMIT);

    assert_false(lab_parse(&lab, replies, count - 1));
    lab_close(&lab);
}

static void nothing_is_salvaged_from_the_ramp(void **state) {
    (void)state;
    struct lab lab;
    lab_open(
        &lab, &ng_fio, "{volume: repo, rw: write, bs: 1 MiB, size: 10 MiB, time: 9 s, ramp: 9 s}");
    struct ng_reply replies[NG_COMMANDS_MAX];
    size_t count = replies_of(&lab, replies, 0, document(&lab, "fio-3.33", &good, 1), "");
    replies[count - 1].how = NG_ENDED_STOPPED;
    replies[count - 1].end_ns = 9 * NG_NS_PER_S;
    assert_false(lab_parse(&lab, replies, count));
    assert_false(lab.repeat.partial);
    assert_int_equal(lab.repeat.measure_count, 0);
    lab_close(&lab);
}

static void the_file_must_be_whole(void **state) {
    (void)state;
    static const struct {
        int prepare, stat;
        const char *lines, *err, *part;
        bool transient;
    } rows[] = {
        {0, 0, "1048576 16 512\n", "", "has holes", true},
        {0, 0, "1048575 2048 512\n", "", "1048575 of 1048576 bytes", false},
        {0, 0, "rubbish\n", "", "told nothing", false},
        {0, 0, "", "", "told nothing", false},
        {0, 0, "1048576 2048 512", "", "told nothing", false},
        {0, 1, "", "stat: cannot statx: No such file or directory\n", "No such file", false},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        lab_open(&lab, &ng_fio, "{volume: repo, rw: read, bs: 1 MiB, size: 1 MiB}");
        struct ng_reply replies[NG_COMMANDS_MAX];
        size_t count = replies_of(&lab, replies, 0, "", "");
        replies[1] = lab_reply(&lab, rows[i].stat, rows[i].lines, rows[i].err);
        assert_false(lab_parse(&lab, replies, rows[i].stat != 0 ? 2 : count));
        lab_assert_error(&lab, rows[i].part);
        assert_int_equal(lab.transient, rows[i].transient);
        lab_close(&lab);
    }
}

static void a_failed_layout_says_why(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_fio, "{volume: repo, rw: read, bs: 1 MiB, size: 1 MiB}");
    const struct job full = {.error = 28};
    struct ng_reply reply = lab_reply(&lab, 1, document(&lab, "fio-3.33", &full, 1), "");
    assert_false(lab_parse(&lab, &reply, 1));
    lab_assert_error(&lab, "could not lay out the file: error 28 (ENOSPC): the volume is full");
    lab_close(&lab);

    lab_open(&lab, &ng_fio, WRITE);
    reply = lab_reply(&lab, 1, "", "rm: cannot remove 'x': Read-only file system\n");
    assert_false(lab_parse(&lab, &reply, 1));
    lab_assert_error(&lab, "Read-only file system");
    lab_close(&lab);
}

static void no_latency_is_not_zero_latency(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_fio, WRITE);
    const char *text =
        "{\"fio version\":\"fio-3.33\",\"jobs\":[{\"jobname\":\"point\",\"error\":0,"
        "\"read\":{\"io_bytes\":0,\"total_ios\":0,\"runtime\":0,\"bw_bytes\":0,\"iops\":0},"
        "\"write\":{\"io_bytes\":1048576000,\"total_ios\":1000,\"runtime\":10000,"
        "\"bw_bytes\":104857600,\"iops\":1e2,\"clat_ns\":{\"N\":0,\"mean\":0,\"max\":0}}}]}";
    assert_true(parse(&lab, 0, text, ""));
    assert_true(lab_has(&lab, "write.bw"));
    assert_false(lab_has(&lab, "write.lat.mean"));
    assert_false(lab_has(&lab, "write.lat.p99"));
    assert_false(lab_has(&lab, "write.lat.max"));
    assert_false(lab_has(&lab, "cpu.user"));
    lab_close(&lab);
}

static void a_negative_latency_is_none(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_fio, WRITE);
    struct job job = good;
    job.slower = 1;
    char *text = ng_arena_strdup(&lab.arena, document(&lab, "fio-3.33", &job, 1));
    char *mean = strstr(strstr(text, "\"write\""), "\"mean\":1500");
    assert_non_null(mean);
    memcpy(mean, "\"mean\":-500", strlen("\"mean\":-500"));
    assert_true(parse(&lab, 0, text, ""));
    assert_false(lab_has(&lab, "write.lat.mean"));
    assert_true(lab_has(&lab, "write.lat.max"));
    lab_close(&lab);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_result),
        cmocka_unit_test(text_around_the_document_is_no_matter),
        cmocka_unit_test(several_jobs_are_added_up),
        cmocka_unit_test(what_is_not_believed),
        cmocka_unit_test(no_document_or_another_one),
        cmocka_unit_test(a_timed_run_must_have_run),
        cmocka_unit_test(the_end_decides),
        cmocka_unit_test(nothing_is_salvaged_from_the_ramp),
        cmocka_unit_test(the_file_must_be_whole),
        cmocka_unit_test(a_failed_layout_says_why),
        cmocka_unit_test(no_latency_is_not_zero_latency),
        cmocka_unit_test(a_negative_latency_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
