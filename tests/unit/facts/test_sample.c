/* The sampler's output becomes samples, and facts at the time of each; the sampler itself runs in
 * every shell that is there. */
#include "runner/facts/sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/facts/cache.h"
#include "runner/facts/collect.h"

#define MD_IDLE                                                                                    \
    "Personalities : [raid1] \nmd0 : active raid1 sdb1[1] sda1[0]\n      1000 blocks super 1.2 "   \
    "[2/2] [UU]\n\nunused devices: <none>"
#define MD_CHECK                                                                                   \
    "Personalities : [raid1] \nmd0 : active raid1 sdb1[1] sda1[0]\n      1000 blocks super 1.2 "   \
    "[2/2] [UU]\n      [==>...]  check = 12.6% (126/1000) finish=1.2min speed=10K/sec\n\nunused "  \
    "devices: <none>"

static const char before_text[] =
    "\nT B mdstat\n" MD_IDLE "\nT E mdstat 0\n"
    "\nT B md\nmd0/array_state\tclean\nmd0/sync_action\tidle\nmd0/degraded\t0\nmd0/raid_disks\t2\n"
    "md0/level\traid1\nmd0/last_sync_action\tcheck\n\nT E md 0\n"
    "\nT B mountinfo\n22 1 8:1 / / rw - ext4 /dev/sda1 rw\n\nT E mountinfo 0\n"
    "\nT B net\neth0/mtu\t9000\neth0/operstate\tup\neth0/speed\t10000\neth1/mtu\t1500\n\nT E net "
    "0\n"
    "\nT Z end\n";

static const char samples_text[] =
    "banner of a login shell\n\nT H 1\n"
    "\nT S 100.50\nL 0.10 0.20 0.30 1/200 4711\nC cpu  100 0 50 850 0 0 0 0 0 0\nB 0\n"
    "P some avg10=0.00 avg60=0.00 avg300=0.00 total=1000\n"
    "D sda 10 0 8 5 20 0 16 7 0 1 2\nD sdb 10 0 8 5 20 0 16 7 0 1 2\n"
    "N eth0 1000 2000 0 0 0 0\nN lo - - - - - -\n"
    "\nT B mountinfo\n22 1 8:1 / / rw - ext4 /dev/sda1 rw\nT E mountinfo 0\n"
    "\nT B mdstat\n" MD_IDLE "\nT E mdstat 0\n"
    "\nT S 101.50\nL 2.50 0.20 0.30 1/200 4711\nC cpu  150 0 100 850 50 0 0 0 0 0\nB 3\n"
    "D sda 10 0 108 5 20 0 216 7 0 1 2\nD sdb 10 0 8 5 20 0 16 7 0 1 2\n"
    "N eth0 1500 2600 1 0 2 0\n"
    "\nT B mdstat\n" MD_CHECK "\nT E mdstat 0\n"
    "\nT B md\nmd0/array_state\tclean\nmd0/sync_action\tcheck\n\nT E md 0\n"
    "\nT S 102.50\nL nonsense\nB -\n"
    "\nT B net\neth0/mtu\t1500\neth2/mtu\t1280\n!eth0/speed\t\n\nT E net 0\n"
    "\nT Z end\nT S 103\n";

static struct ng_arena arena;

static int set_up(void **state) {
    (void)state;
    ng_arena_init(&arena);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ng_arena_release(&arena);
    return 0;
}

static struct ng_samples parse(const char *text) {
    struct ng_samples samples;
    ng_samples_parse(&samples, &arena, "T", text, strlen(text));
    return samples;
}

static void counters_of_each_sample(void **state) {
    (void)state;
    const struct ng_samples samples = parse(samples_text);
    assert_int_equal(samples.count, 3);
    assert_true(samples.ended);
    assert_false(samples.forks);
    const struct ng_sample *one = &samples.items[0], *two = &samples.items[1];
    assert_true(one->uptime == 100.5 && two->load1 == 2.5);
    assert_int_equal(one->cpu_busy, 150);
    assert_int_equal(one->cpu_total, 1000);
    assert_int_equal(two->cpu_busy, 250); /* iowait is no work */
    assert_int_equal(two->cpu_total, 1150);
    assert_int_equal(two->blocked, 3);
    assert_int_equal(one->io_stall_us, 1000);
    assert_int_equal(two->io_stall_us, -1);
    assert_int_equal(one->disk_read, 2 * 8 * 512);
    assert_int_equal(two->disk_written - one->disk_written, 200 * 512);
    assert_int_equal(two->rx_bytes, 1500);
    assert_int_equal(two->net_errors, 1);
    assert_int_equal(two->net_drops, 2);
    assert_true(samples.items[2].load1 == -1);
    assert_int_equal(samples.items[2].blocked, -1);
    assert_int_equal(samples.items[2].rx_bytes, -1);
}

static void facts_at_a_sample(void **state) {
    (void)state;
    const struct ng_facts *before =
        ng_facts_parse(&arena, "nas", "T", before_text, sizeof before_text - 1);
    const struct ng_samples samples = parse(samples_text);
    const struct ng_facts *first = ng_samples_facts(&samples, 0, before, &arena);
    const struct ng_facts *second = ng_samples_facts(&samples, 1, before, &arena);
    const struct ng_facts *third = ng_samples_facts(&samples, 2, before, &arena);
    assert_int_equal(before->md.arrays[0].busy, NG_ANSWER_NO);
    assert_int_equal(first->md.arrays[0].busy, NG_ANSWER_NO);
    assert_int_equal(second->md.arrays[0].busy, NG_ANSWER_YES);
    assert_string_equal(second->md.arrays[0].action, "check");
    /* what the patch does not speak of stays */
    assert_string_equal(second->md.arrays[0].sysfs.last_sync_action, "check");
    assert_string_equal(second->md.arrays[0].sysfs.degraded, "0");
    assert_int_equal(third->md.arrays[0].busy, NG_ANSWER_YES);
    assert_int_equal(ng_netifs_find(&second->netifs, "eth0")->mtu, 9000);
    assert_int_equal(ng_netifs_find(&third->netifs, "eth0")->mtu, 1500);
    assert_int_equal(ng_netifs_find(&third->netifs, "eth0")->speed, 0);
    assert_int_equal(ng_netifs_find(&third->netifs, "eth1")->mtu, 1500);
    assert_int_equal(ng_netifs_find(&third->netifs, "eth2")->mtu, 1280);
    assert_null(third->mounts_why);
}

/* A source that was not known before is not made up from the part that is sampled. */
static void unknown_stays_unknown(void **state) {
    (void)state;
    const struct ng_facts *before = ng_facts_none(&arena, "nas", "the host is silent");
    const struct ng_samples samples = parse(samples_text);
    const struct ng_facts *facts = ng_samples_facts(&samples, 2, before, &arena);
    assert_int_equal(facts->md.count, 0);
    assert_non_null(facts->mounts_why);
    assert_null(ng_netifs_find(&facts->netifs, "eth0"));
}

/* Samples see which devices lie below a volume: with others, the table from before tells nothing.
 */
static void layers_at_a_sample(void **state) {
    (void)state;
    static const char before_layers[] =
        "\nT B block\nblock/dm-0/dev\t253:0\nblock/dm-0/dm/name\tvg-data\n"
        "block/dm-0/slaves/dm-1\t\nblock/dm-0/slaves/dm-2\t\nblock/sda/dev\t8:0\n\nT E block 0\n"
        "\nT B dmtable\nvg-data: 0 9 linear 8:0 0\n\nT E dmtable 0\n\nT Z end\n";
    static const struct {
        const char *below;
        enum ng_cache mode;
        const char *why;
    } rows[] = {
        {"dm-1 dm-2", NG_CACHE_NONE, NULL},
        {"dm-2 dm-1", NG_CACHE_NONE, NULL}, /* each shell has its own order */
        {"dm-1", NG_CACHE_UNKNOWN, "below it were dm-1 dm-2, then dm-1: its table was replaced"},
        {"dm-1 dm-2 dm-3", NG_CACHE_UNKNOWN, "then dm-1 dm-2 dm-3:"},
        {"sda dm-2", NG_CACHE_UNKNOWN, "then sda dm-2:"},
        {"", NG_CACHE_UNKNOWN, "then none:"},
    };
    const struct ng_facts *before =
        ng_facts_parse(&arena, "nas", "T", before_layers, sizeof before_layers - 1);
    struct ng_sample_needs needs;
    ng_sample_needs_all(before, &arena, &needs);
    assert_int_equal(needs.label_count, 1);
    assert_string_equal(needs.labels[0], "block/dm-0/slaves");
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_samples samples = parse(ng_arena_printf(&arena,
            "\nT H 1\n\nT S 1.0\n\nT B block\nblock/dm-0/slaves\t%s\n\nT E block 0\n\nT Z end\n",
            rows[i].below));
        const struct ng_facts *facts = ng_samples_facts(&samples, 0, before, &arena);
        struct ng_cache_layer layer;
        ng_cache_of_block(facts, ng_blocks_find(&facts->blocks, "dm-0"), &arena, &layer);
        assert_int_equal(layer.mode, rows[i].mode);
        if (rows[i].why != NULL) {
            assert_non_null(strstr(layer.why, rows[i].why));
        }
    }
}

/* However the output is cut, there are only whole changes, and nothing says that it ended. */
static void cut_at_every_byte(void **state) {
    (void)state;
    const size_t end = (size_t)(strstr(samples_text, "\nT Z") - samples_text);
    for (size_t len = 0; len < end; len++) {
        char *part = ng_arena_strndup(&arena, samples_text, len);
        const struct ng_samples samples = parse(part);
        assert_false(samples.ended);
        for (size_t i = 0; i < samples.change_count; i++) {
            assert_true(samples.changes[i].sample < samples.count);
            assert_null(strstr(samples.changes[i].text, "T E"));
        }
    }
}

static void the_argv(void **state) {
    (void)state;
    const struct ng_facts *facts =
        ng_facts_parse(&arena, "nas", "T", before_text, sizeof before_text - 1);
    struct ng_sample_needs needs;
    struct ng_strv argv = {0};
    ng_sample_needs_all(facts, &arena, &needs);
    ng_sample_argv(&needs, "T", 250000000, &argv);
    const char *const *words = ng_strv_argv(&argv);
    assert_string_equal(words[0], "sh");
    assert_string_equal(words[4], "T");
    assert_string_equal(words[5], "0.250");
    assert_string_equal(words[argv.count - 1], "-m");
    assert_int_equal(needs.array_count, 1);
    assert_int_equal(needs.nic_count, 2);
    ng_strv_release(&argv);
}

/* The script in a shell, ended by SIGTERM after some samples. */
static void run_in(const char *shell) {
    char command[1024];
    char output[1 << 16];
    snprintf(command, sizeof command,
        "command -v %.20s >/dev/null || exit 9; d=$(mktemp -d) && cd \"$d\" && { %s -s -- T 0.05 "
        "-i lo -m <'%s/runner/facts/sampler.sh' >out & p=$!; n=0; until [ \"$(grep -c '^T S' "
        "out)\" "
        "-ge 3 ] || [ $n -gt 300 ]; do n=$((n+1)); sleep 0.1; done; kill -TERM $p; wait $p; rc=$?; "
        "cat out; ls >&2; cd / && rm -r \"$d\"; exit $rc; }",
        shell, shell, NG_SOURCE_DIR);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    const size_t len = fread(output, 1, sizeof output - 1, pipe);
    output[len] = '\0';
    const int status = pclose(pipe);
    if (status == 9 << 8) {
        print_message("%s is not installed: not tried\n", shell);
        return;
    }
    assert_int_equal(status, 0);
    const struct ng_samples samples = parse(output);
    assert_true(samples.ended);
    assert_true(samples.count >= 3);
    assert_int_equal(samples.forks, strcmp(shell, "dash") == 0);
    assert_true(samples.items[0].uptime > 0 && samples.items[0].load1 >= 0);
    assert_true(samples.items[2].uptime >= samples.items[1].uptime);
    assert_true(samples.items[0].cpu_total > 0);
    assert_true(samples.items[0].rx_bytes >= 0);
    assert_true(samples.change_count >= 2); /* mounts and lo, once each where nothing changes */
    assert_int_equal(samples.changes[0].sample, 0);
    assert_string_equal(samples.changes[0].source, "mountinfo");
}

static void shells(void **state) {
    (void)state;
    run_in("bash");
    run_in("dash");
    run_in("busybox ash");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(counters_of_each_sample),
        TEST(facts_at_a_sample),
        TEST(layers_at_a_sample),
        TEST(unknown_stays_unknown),
        TEST(cut_at_every_byte),
        TEST(the_argv),
        TEST(shells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
