/* The commands as the engines build them, run for real: fio on a small file, iperf3 and ping on
 * loopback. */
#include "tests/unit/engines/lab.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runner/base/files.h"
#include "runner/engines/fio.h"
#include "runner/engines/iperf3.h"
#include "runner/engines/ping.h"
#include "runner/process/loop.h"
#include "runner/transport/local.h"

/** The real transport, and one reply for each command. */
struct live {
    struct ng_loop *loop;
    struct ng_transport *transport;
    struct ng_reply replies[NG_COMMANDS_MAX];
    bool ready[NG_COMMANDS_MAX], ended[NG_COMMANDS_MAX];
    struct ng_call *calls[NG_COMMANDS_MAX];
    size_t count, current;
};

struct slot {
    struct live *live;
    size_t index;
};

static void on_ready(void *context) {
    struct slot *slot = context;
    slot->live->ready[slot->index] = true;
}

static void on_ended(void *context, struct ng_reply *reply) {
    struct slot *slot = context;
    slot->live->replies[slot->index] = *reply;
    *reply = (struct ng_reply){0};
    slot->live->ended[slot->index] = true;
}

static bool current_is_ready(void *context) {
    const struct live *live = context;
    return live->ready[live->current] || live->ended[live->current];
}

static bool current_has_ended(void *context) {
    const struct live *live = context;
    return live->ended[live->current];
}

/** Runs the lab's commands in order; returns whether the engine believes what came back. */
static bool run(struct lab *lab, struct live *live) {
    struct slot slots[NG_COMMANDS_MAX];
    live->loop = ng_loop_new(&lab->err);
    assert_non_null(live->loop);
    live->transport = ng_local_new(live->loop, "LIVE", &lab->err);
    assert_non_null(live->transport);
    for (size_t i = 0; i < lab->commands.count; i++) {
        const struct ng_command *command = &lab->commands.items[i];
        slots[i] = (struct slot){live, i};
        const struct ng_request request = {.host = command->host->name,
            .purpose = command->role,
            .argv = ng_strv_argv(&command->argv),
            .deadline_ns = command->deadline_ns,
            .listen_port = command->listen_port};
        const struct ng_call_events events = {
            .ready = on_ready, .ended = on_ended, .context = &slots[i]};
        live->calls[i] = ng_transport_submit(live->transport, &request, &events);
        live->count = i + 1;
        live->current = i;
        ng_loop_run(live->loop, command->background ? current_is_ready : current_has_ended, live);
        if (live->ended[i] &&
            (live->replies[i].how != NG_ENDED_EXITED || live->replies[i].status != 0)) {
            break;
        }
    }
    for (live->current = 0; live->current < live->count; live->current++) {
        ng_loop_run(live->loop, current_has_ended, live);
    }
    return lab_parse(lab, live->replies, live->count);
}

static void finish(struct live *live) {
    for (size_t i = 0; i < live->count; i++) {
        ng_reply_release(&live->replies[i]);
    }
    ng_transport_free(live->transport);
    ng_loop_free(live->loop);
}

static void need(const char *tool) {
    char path[4096];
    const char *dirs = getenv("PATH");
    while (dirs != NULL && *dirs != '\0') {
        size_t len = strcspn(dirs, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)len, dirs, tool);
        if (access(path, X_OK) == 0) {
            return;
        }
        dirs += len + (dirs[len] == ':');
    }
    print_message("skipped: %s is not installed\n", tool);
    skip();
}

static bool run_fio(const char *yaml, const char *dir, struct lab *lab) {
    struct live live = {0};
    lab_load(lab, &ng_fio, yaml);
    assert_int_equal(lab->diags.errors, 0);
    lab->links[0].speed = 0; /* this machine's page cache knows no link */
    lab->site.run_dir = dir;
    lab->site.direct = NG_ANSWER_NO;
    assert_true(ng_fio_build(&lab->site, &lab->commands, &lab->err));
    bool ok = run(lab, &live);
    finish(&live);
    return ok;
}

static void fio_for_real(void **state) {
    (void)state;
    need("fio");
    char *dir = NULL;
    assert_true(ng_dir_create_temp("nasgate-test", &dir, NULL));
    static const struct {
        const char *yaml, *metric;
        double bytes;
    } rows[] = {
        {"{volume: repo, rw: write, bs: 64 KiB, size: 4 MiB, jobs: 2}", "write.bytes", 8388608},
        {"{volume: repo, rw: read, bs: 64 KiB, size: 4 MiB, jobs: 2}", "read.bytes", 8388608},
        {"{volume: repo, rw: randread, bs: 4 KiB, size: 4100 KiB, ioengine: psync}", "read.bytes",
            4198400},
        {"{volume: repo, rw: randwrite, bs: 4 KiB, size: 1 MiB, file: other}", "write.bytes",
            1048576},
        {"{volume: repo, rw: write, bs: 4 KiB, size: 1 MiB, file: other}", "write.bytes", 1048576},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        if (!run_fio(rows[i].yaml, dir, &lab)) {
            fail_msg("%s: %s", rows[i].yaml, lab.err.text);
        }
        assert_true(lab_value(&lab, rows[i].metric) == rows[i].bytes);
        assert_true(lab_value(&lab, "runtime") >= 0);
        assert_non_null(lab_finding(&lab, "page-cache"));
        lab_close(&lab);
    }
    struct lab lab;
    assert_true(run_fio(
        "{volume: repo, rw: randrw, bs: 4 KiB, size: 4 MiB, mix: 70%, time: 1 s}", dir, &lab));
    lab_assert_near(round(lab_value(&lab, "runtime")), 1);
    assert_true(lab_value(&lab, "read.iops") > lab_value(&lab, "write.iops"));
    assert_true(lab_value(&lab, "read.lat.p99") >= lab_value(&lab, "read.lat.p50"));
    lab_close(&lab);
    assert_true(ng_dir_remove(dir, NULL));
    free(dir);
}

static void fio_without_its_folder(void **state) {
    (void)state;
    need("fio");
    struct lab lab;
    assert_false(run_fio(
        "{volume: repo, rw: write, bs: 64 KiB, size: 4 MiB}", "/nonexistent/nasgate-R1", &lab));
    lab_assert_error(&lab, "fio");
    assert_int_equal(lab.repeat.measure_count, 0);
    lab_close(&lab);
    assert_false(run_fio(
        "{volume: repo, rw: read, bs: 64 KiB, size: 4 MiB}", "/nonexistent/nasgate-R1", &lab));
    assert_int_equal(lab.repeat.measure_count, 0);
    lab_close(&lab);
}

static void iperf3_for_real(void **state) {
    (void)state;
    need("iperf3");
    static const char *const rows[] = {
        "{link: loop, time: 2 s, streams: 2}",
        "{link: loop, time: 1 s, omit: 1 s, reverse: true}",
        "{link: loop, time: 1 s, bidir: true}",
        "{link: loop, time: 1 s, udp: true, rate: 20 Mbit/s, window: 128 KiB}",
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        struct live live = {0};
        lab_load(&lab, &ng_iperf3, rows[i]);
        lab.site.seed = (uint64_t)getpid(); /* tests of other processes may run at the same time */
        assert_true(ng_iperf3_build(&lab.site, &lab.commands, &lab.err));
        if (!run(&lab, &live)) {
            fail_msg("%s: %s", rows[i], lab.err.text);
        }
        assert_true(lab_value(&lab, "throughput") > 1e6);
        for (size_t m = 0; m < ng_iperf3.kind.metric_count; m++) {
            const struct ng_metric_def *metric = &ng_iperf3.kind.metrics[m];
            if (ng_iperf3.kind.measures(lab.phase.params, metric) != lab_has(&lab, metric->name)) {
                fail_msg("%s: %s", rows[i], metric->name);
            }
        }
        finish(&live);
        lab_close(&lab);
    }
}

static void iperf3_with_a_wrong_address(void **state) {
    (void)state;
    need("iperf3");
    struct lab lab;
    struct live live = {0};
    lab_load(&lab, &ng_iperf3, "{link: loop, time: 1 s}");
    lab.site.seed = (uint64_t)getpid();
    lab.site.address[1] = "203.0.113.1"; /* for documentation: nobody's */
    assert_true(ng_iperf3_build(&lab.site, &lab.commands, NULL));
    assert_false(run(&lab, &live));
    lab_assert_error(&lab, "not one of this host's");
    assert_false(lab.transient);
    assert_int_equal(live.count, 1);
    finish(&live);
    lab_close(&lab);
}

static void ping_for_real(void **state) {
    (void)state;
    need("ping");
    struct lab lab;
    struct live live = {0};
    lab_open(&lab, &ng_ping, "{link: loop, count: 3, size: 1000 B, df: true}");
    if (!run(&lab, &live)) {
        if (strstr(lab.err.text, "permitted") != NULL) {
            print_message("skipped: %s\n", lab.err.text);
            skip();
        }
        fail_msg("%s", lab.err.text);
    }
    assert_true(lab_value(&lab, "loss") == 0);
    assert_true(lab_value(&lab, "rtt.max") >= lab_value(&lab, "rtt.min"));
    assert_true(lab_value(&lab, "rtt.mdev") >= 0);
    finish(&live);
    lab_close(&lab);
}

static void ping_that_is_refused(void **state) {
    (void)state;
    need("ping");
    struct lab lab;
    struct live live = {0};
    lab_load(&lab, &ng_ping, "{link: loop, count: 1}");
    lab.site.address[0] = "203.0.113.77"; /* no end of this machine's: it cannot start there */
    assert_true(ng_ping.build(&lab.site, &lab.commands, NULL));
    assert_false(run(&lab, &live));
    lab_assert_error(&lab, "ping to 127.0.0.1 failed with status 2");
    finish(&live);
    lab_close(&lab);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fio_for_real),
        cmocka_unit_test(fio_without_its_folder),
        cmocka_unit_test(iperf3_for_real),
        cmocka_unit_test(iperf3_with_a_wrong_address),
        cmocka_unit_test(ping_for_real),
        cmocka_unit_test(ping_that_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
