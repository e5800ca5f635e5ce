/* What fio is asked to do: exact commands, rules across fields, cost. */
#include "tests/unit/engines/lab.h"

#include "runner/engines/fio.h"

#define JOB "fio --output-format=json --eta=never --name=point --thread=1 "
#define FILES "--directory=/mnt/bench/nasgate-R1 --filename_format=data.$jobnum --fallocate=none "

static void assert_seedless(const char *found, const char *head, const char *tail) {
    const char *seed = strstr(found, "--randseed=");
    assert_non_null(seed);
    assert_int_equal(strncmp(found, head, strlen(head)), 0);
    assert_ptr_equal(seed, found + strlen(head));
    seed += strlen("--randseed=");
    size_t digits = strspn(seed, "0123456789");
    assert_in_range(digits, 1, 10);
    assert_string_equal(seed + digits, tail);
}

static void a_sequential_write(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_fio,
        "{volume: repo, rw: write, bs: 1 MiB, size: 64 MiB, iodepth: 16, jobs: 2, direct: true}");
    assert_int_equal(lab.commands.count, 2);
    assert_string_equal(
        lab_argv(&lab, 0), "rm -f -- /mnt/bench/nasgate-R1/data.0 /mnt/bench/nasgate-R1/data.1");
    assert_string_equal(lab.commands.items[0].role, "prepare");
    assert_false(lab.commands.items[0].measures);
    assert_seedless(lab_argv(&lab, 1),
        JOB "--rw=write --bs=1048576 --size=67108864 --numjobs=2 " FILES,
        " --ioengine=libaio --iodepth=16 --direct=1 --end_fsync=1");
    assert_true(lab.commands.items[1].measures);
    assert_ptr_equal(lab.commands.items[1].host, &lab.hosts[0]);
    lab_close(&lab);
}

static void a_timed_random_read(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_fio,
        "{volume: repo, rw: randread, bs: 4 KiB, size: 8 MiB, time: 30 s, ramp: 5 s, file: hot, "
        "ioengine: io_uring, rate: 80 Mbit/s}");
    assert_int_equal(lab.commands.count, 3);
    assert_non_null(strstr(lab_argv(&lab, 0), "--rw=read --bs=1048576 --size=8388608 "));
    assert_non_null(strstr(lab_argv(&lab, 0), " --create_only=1"));
    assert_string_equal(lab_argv(&lab, 1), "stat -c %s %b %B /mnt/bench/nasgate-R1/hot.0");
    const char *measure = lab_argv(&lab, 2);
    const char *options = strstr(measure, " --ioengine");
    assert_string_equal(options,
        " --ioengine=io_uring --iodepth=1 --direct=1 --time_based=1 --runtime=30 --ramp_time=5 "
        "--readonly --rate=10000000");
    assert_int_equal(lab.commands.items[2].deadline_ns, 95 * NG_NS_PER_S);
    lab_close(&lab);
}

static void a_mix_is_laid_out_but_not_readonly(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_fio,
        "{volume: repo, rw: randrw, bs: 4 KiB, size: 8 MiB, mix: 70%, jobs: 3, time: 3 s, "
        "direct: false, end_fsync: false, rate: 24 Mbit/s}");
    assert_int_equal(lab.commands.count, 3);
    const char *measure = lab_argv(&lab, 2);
    assert_null(strstr(measure, "--readonly"));
    assert_non_null(strstr(measure, "--direct=0"));
    assert_non_null(strstr(measure, "--end_fsync=0 --rwmixread=70 --rate=1000000"));
    lab_close(&lab);
}

static void the_seed_depends_on_the_repeat_only(void **state) {
    (void)state;
    struct lab lab;
    lab_open(&lab, &ng_fio, "{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB}");
    const char *first = lab_argv(&lab, 1);
    ng_commands_release(&lab.commands);
    lab.site.attempt = 2;
    assert_true(ng_fio_build(&lab.site, &lab.commands, NULL));
    assert_string_equal(first, lab_argv(&lab, 1));
    ng_commands_release(&lab.commands);
    lab.site.repeat = 2;
    assert_true(ng_fio_build(&lab.site, &lab.commands, NULL));
    assert_string_not_equal(first, lab_argv(&lab, 1));
    lab_close(&lab);
}

static void direct_follows_the_trial(void **state) {
    (void)state;
    struct lab lab;
    lab_load(&lab, &ng_fio, "{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB}");
    lab.site.direct = NG_ANSWER_NO;
    assert_true(ng_fio_build(&lab.site, &lab.commands, &lab.err));
    assert_non_null(strstr(lab_argv(&lab, 1), "--direct=0"));
    lab_close(&lab);

    lab_load(&lab, &ng_fio, "{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB, direct: true}");
    lab.site.direct = NG_ANSWER_NO;
    assert_false(ng_fio_build(&lab.site, &lab.commands, &lab.err));
    lab_assert_error(&lab, "direct: auto");
    assert_int_equal(lab.commands.count, 0);
    /* nothing was refused: fio itself will tell */
    lab.site.direct = NG_ANSWER_UNKNOWN;
    assert_true(ng_fio_build(&lab.site, &lab.commands, &lab.err));
    assert_non_null(strstr(lab_argv(&lab, 1), "--direct=1"));
    lab_close(&lab);

    lab_load(&lab, &ng_fio, "{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB}");
    lab.site.direct = NG_ANSWER_UNKNOWN;
    assert_true(ng_fio_build(&lab.site, &lab.commands, &lab.err));
    assert_non_null(strstr(lab_argv(&lab, 1), "--direct=0"));
    lab_close(&lab);
}

/* The largest that a plan may ask for is a time of some million years: no number wraps. */
static void no_size_is_too_large_for_a_time(void **state) {
    (void)state;
    static const char *const rows[] = {
        "{volume: repo, rw: write, bs: 512 B, size: 1024 TiB, jobs: 200, rate: 2 Mbit/s}",
        "{volume: repo, rw: randread, bs: 512 B, size: 1024 TiB, jobs: 200}",
        "{volume: repo, rw: rw, bs: 512 B, size: 1024 TiB, jobs: 256, time: 24 h, ramp: 1 h}",
    };
    const int64_t longest = INT64_C(7) * 24 * 3600 * NG_NS_PER_S;
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        struct ng_cost cost = {0};
        lab_open(&lab, &ng_fio, rows[i]);
        ng_fio.kind.estimate(lab.phase.params, &cost);
        assert_true(cost.time_ns > 0 && cost.time_ns <= longest);
        assert_true(cost.written > 0 && cost.footprint > 0);
        for (size_t j = 0; j < lab.commands.count; j++) {
            assert_true(lab.commands.items[j].deadline_ns > 0);
            assert_true(lab.commands.items[j].deadline_ns <= longest);
        }
        lab_close(&lab);
    }
}

static void folders_that_fio_would_split_are_refused(void **state) {
    (void)state;
    struct lab lab;
    lab_load(&lab, &ng_fio, "{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB}");
    lab.site.run_dir = "/mnt/a:b/nasgate-R1";
    assert_false(ng_fio_build(&lab.site, &lab.commands, &lab.err));
    lab_assert_error(&lab, "list of folders");
    lab.site.run_dir = NULL;
    assert_false(ng_fio_build(&lab.site, &lab.commands, &lab.err));
    lab_close(&lab);
}

static void a_timeout_of_the_phase_bounds_the_measurement(void **state) {
    (void)state;
    struct lab lab;
    lab_load(&lab, &ng_fio, "{volume: repo, rw: read, bs: 4 KiB, size: 8 MiB}");
    lab.phase.timeout_ns = 7 * NG_NS_PER_S;
    assert_true(ng_fio_build(&lab.site, &lab.commands, &lab.err));
    assert_int_equal(lab.commands.items[2].deadline_ns, 7 * NG_NS_PER_S);
    assert_true(lab.commands.items[0].deadline_ns > 7 * NG_NS_PER_S);
    lab_close(&lab);
}

static void rules_across_fields(void **state) {
    (void)state;
    static const struct {
        const char *yaml, *rules;
    } rows[] = {
        {"{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB}", ""},
        {"{volume: repo, rw: write, bs: 3 MiB, size: 8 MiB}", "whole-blocks"},
        {"{volume: repo, rw: write, bs: 1000 B, size: 8000 B}", "direct-block"},
        {"{volume: repo, rw: write, bs: 1000 B, size: 8000 B, direct: false}", "direct-off"},
        {"{volume: repo, rw: write, bs: 512 B, size: 8 MiB}", "direct-block"},
        {"{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB, time: 1500 ms}", "whole-seconds"},
        {"{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB, time: 2 s, ramp: 1500 ms}",
            "whole-seconds"},
        {"{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB, ramp: 2 s}", "ramp-without-time"},
        {"{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB, mix: 50%}", "mix-without-both"},
        {"{volume: repo, rw: rw, bs: 4 KiB, size: 8 MiB, mix: 33.3%}", "whole-percent"},
        {"{volume: repo, rw: rw, bs: 4 KiB, size: 8 MiB, rate: 8 bit/s}", "rate-too-low"},
        {"{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB, ioengine: psync, iodepth: 4}",
            "depth-without-async"},
        {"{volume: repo, rw: randread, bs: 4 KiB, size: 1 GiB}", "no-time-limit"},
        {"{volume: repo, rw: randread, bs: 4 KiB, size: 1 GiB, time: 5 s}", ""},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct lab lab;
        lab_load(&lab, &ng_fio, rows[i].yaml);
        if (strcmp(lab_rules(&lab), rows[i].rules) != 0) {
            fail_msg("%s: %s", rows[i].yaml, lab_rules(&lab));
        }
        lab_close(&lab);
    }
}

static void ranges_are_in_base_units(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "{volume: repo, rw: write, bs: 4 KiB}",
        "{volume: repo, rw: write, bs: 256 B, size: 8 MiB}",
        "{volume: repo, rw: write, bs: 1 GiB, size: 8 GiB}",
        "{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB, time: 25 h}",
        "{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB, time: 500 ms}",
        "{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB, iodepth: 1025}",
        "{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB, jobs: 257}",
        "{volume: repo, rw: rw, bs: 4 KiB, size: 8 MiB, mix: 100%}",
        "{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB, file: ../x}",
        "{volume: repo, rw: seqwrite, bs: 4 KiB, size: 8 MiB}",
    };
    for (size_t i = 0; i < NG_COUNT(wrong); i++) {
        struct lab lab;
        lab_load(&lab, &ng_fio, wrong[i]);
        if (lab.diags.errors != 1) {
            fail_msg("%s: %zu errors", wrong[i], lab.diags.errors);
        }
        lab_close(&lab);
    }
    struct lab lab;
    lab_load(&lab, &ng_fio, "{volume: repo, rw: write, bs: 4 KiB, size: 8 MiB, time: 24 h}");
    assert_int_equal(lab.diags.errors, 0);
    lab_close(&lab);
}

static void costs(void **state) {
    (void)state;
    struct lab lab;
    struct ng_cost cost = {0};
    lab_load(&lab, &ng_fio, "{volume: repo, rw: write, bs: 1 MiB, size: 100 MiB, jobs: 2}");
    ng_fio.kind.estimate(lab.phase.params, &cost);
    assert_true(cost.time_is_guess);
    assert_int_equal(cost.written, 200 << 20);
    assert_int_equal(cost.footprint, 200 << 20);
    lab_close(&lab);

    lab_load(&lab, &ng_fio, "{volume: repo, rw: write, bs: 1 MiB, size: 1 MiB, time: 10 s}");
    cost = (struct ng_cost){0};
    ng_fio.kind.estimate(lab.phase.params, &cost);
    assert_false(cost.time_is_guess);
    assert_int_equal(cost.time_ns, 10 * NG_NS_PER_S);
    assert_int_equal(cost.footprint, 1 << 20);
    assert_true(cost.written > cost.footprint);
    lab_close(&lab);

    lab_load(&lab, &ng_fio, "{volume: repo, rw: read, bs: 1 MiB, size: 1 MiB, time: 10 s}");
    cost = (struct ng_cost){0};
    ng_fio.kind.estimate(lab.phase.params, &cost);
    assert_int_equal(cost.written, 1 << 20);
    lab_close(&lab);
}

static void what_is_measured_follows_the_direction(void **state) {
    (void)state;
    struct lab lab;
    lab_load(&lab, &ng_fio, "{volume: repo, rw: randread, bs: 1 MiB, size: 1 MiB}");
    const struct ng_kind *kind = &ng_fio.kind;
    assert_true(kind->measures(lab.phase.params, ng_kind_metric(kind, "read.bw")));
    assert_false(kind->measures(lab.phase.params, ng_kind_metric(kind, "write.lat.p99.9")));
    assert_true(kind->measures(lab.phase.params, ng_kind_metric(kind, "runtime")));
    assert_ptr_equal(kind->volume(lab.phase.params), &lab.volumes[0]);
    assert_ptr_equal(ng_fio.link(lab.phase.params), &lab.links[0]);
    lab_close(&lab);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sequential_write),
        cmocka_unit_test(a_timed_random_read),
        cmocka_unit_test(a_mix_is_laid_out_but_not_readonly),
        cmocka_unit_test(the_seed_depends_on_the_repeat_only),
        cmocka_unit_test(direct_follows_the_trial),
        cmocka_unit_test(no_size_is_too_large_for_a_time),
        cmocka_unit_test(folders_that_fio_would_split_are_refused),
        cmocka_unit_test(a_timeout_of_the_phase_bounds_the_measurement),
        cmocka_unit_test(rules_across_fields),
        cmocka_unit_test(ranges_are_in_base_units),
        cmocka_unit_test(costs),
        cmocka_unit_test(what_is_measured_follows_the_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
