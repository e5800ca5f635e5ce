/* When a fio result is believed, and what is said when it is not. Documents are made here. */
#include "tests/unit/engines/lab.h"

#include "runner/base/jsonscan.h"
#include "runner/engines/fio.h"

#define WRITE "{volume: repo, rw: write, bs: 1 MiB, size: 1000 MiB}"
#define MEBI 1048576.0

/** One direction of one job in a document. */
struct side {
    double bytes, ios, runtime_ms;
    int short_ios, drop_ios;
    double samples, deviation;
    double bw, iops; /* printed; 0: what fits */
};

struct job {
    const char *name;
    int error, total_err;
    struct side read, write;
    double user, kernel;
    double slower; /* factor on latencies; 0: 1 */
};

static const char *side_text(
    struct ng_arena *arena, const char *word, const struct side *side, double slower) {
    double seconds = side->runtime_ms > 0 ? side->runtime_ms / 1000 : 1;
    double bw = side->bw > 0 ? side->bw : side->bytes / seconds;
    double iops = side->iops > 0 ? side->iops : side->ios / seconds;
    const char *percentiles =
        side->ios > 0
            ? ng_arena_printf(arena,
                  ",\"percentile\":{\"0.00\":0,\"0.00\":0,\"50.000000\":%.0f,\"95.000000\":%.0f,"
                  "\"99.000000\":%.0f,\"99.900000\":%.0f}",
                  1000 * slower, 2000 * slower, 3000 * slower, 4000 * slower)
            : "";
    return ng_arena_printf(arena,
        "\"%s\":{\"io_bytes\":%.0f,\"io_kbytes\":%.0f,\"bw_bytes\":%.0f,\"bw\":%.0f,\"iops\":%f,"
        "\"runtime\":%.0f,\"total_ios\":%.0f,\"short_ios\":%d,\"drop_ios\":%d,\"bw_mean\":100,"
        "\"bw_dev\":%f,\"bw_samples\":%.0f,\"clat_ns\":{\"min\":1,\"max\":%.0f,\"mean\":%.0f,"
        "\"N\":%.0f%s}}",
        word, side->bytes, side->bytes / 1024, bw, bw / 1024, iops, side->runtime_ms, side->ios,
        side->short_ios, side->drop_ios, side->deviation, side->samples, 9000 * slower,
        1500 * slower, side->ios, percentiles);
}

static const char *document(
    struct lab *lab, const char *version, const struct job *jobs, size_t count) {
    struct ng_arena *arena = &lab->arena;
    const char *text = ng_arena_printf(arena, "{\"fio version\":\"%s\",\"jobs\":[", version);
    for (size_t i = 0; i < count; i++) {
        double slower = jobs[i].slower > 0 ? jobs[i].slower : 1;
        text = ng_arena_printf(arena,
            "%s%s{\"jobname\":\"%s\",\"error\":%d,\"total_err\":%d,\"elapsed\":3,%s,%s,"
            "\"usr_cpu\":%f,\"sys_cpu\":%f}",
            text, i > 0 ? "," : "", jobs[i].name != NULL ? jobs[i].name : "point", jobs[i].error,
            jobs[i].total_err, side_text(arena, "read", &jobs[i].read, slower),
            side_text(arena, "write", &jobs[i].write, slower), jobs[i].user, jobs[i].kernel);
    }
    return ng_arena_printf(arena, "%s]}\n", text);
}

static const struct job good = {
    .write = {.bytes = 1000 * MEBI, .ios = 1000, .runtime_ms = 10000}, .user = 5, .kernel = 20};

/** Replies in which all before the measurement went well. */
static size_t replies_of(struct lab *lab, struct ng_reply replies[NG_COMMANDS_MAX], int status,
    const char *out, const char *err) {
    size_t count = lab->commands.count;
    const struct job nothing = {.name = "point"};
    const struct ng_fio_params *params = lab->phase.params;
    for (size_t i = 0; i + 1 < count; i++) {
        replies[i] = lab_reply(lab, 0, "", "");
    }
    if (count == 3) {
        replies[0] = lab_reply(lab, 0, document(lab, "fio-3.33", &nothing, 1), "");
        const char *line = ng_arena_printf(&lab->arena, "%lld %lld 512\n", (long long)params->size,
            (long long)(params->size / 512));
        const char *lines = "";
        for (int64_t i = 0; i < params->jobs; i++) {
            lines = ng_arena_printf(&lab->arena, "%s%s", lines, line);
        }
        replies[1] = lab_reply(lab, 0, lines, "");
    }
    replies[count - 1] = lab_reply(lab, status, out, err);
    return count;
}

static bool parse(struct lab *lab, int status, const char *out, const char *err) {
    struct ng_reply replies[NG_COMMANDS_MAX];
    size_t count = replies_of(lab, replies, status, out, err);
    return lab_parse(lab, replies, count);
}

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

#define WRITTEN(b, n, ms) .write = {.bytes = (b), .ios = (n), .runtime_ms = (ms)}

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
        cmocka_unit_test(doubts),
        cmocka_unit_test(the_page_cache_is_suspected),
        cmocka_unit_test(what_is_not_known_of_direct_is_not_refused),
        cmocka_unit_test(the_server_has_a_cache_as_well),
        cmocka_unit_test(a_depth_that_is_none),
        cmocka_unit_test(no_latency_is_not_zero_latency),
        cmocka_unit_test(a_negative_latency_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
