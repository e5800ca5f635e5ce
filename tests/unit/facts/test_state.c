/* The state of a host as rows: what is known, what is not and why, bounds, one path's share. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "runner/facts/collect.h"
#include "runner/facts/state.h"

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

#define F(name, text) "\nt B " name "\n" text "\nt E " name " 0\n"
#define A(name) "\nt A " name " 0\n"
#define L(name) "\nt L " name " 8\n"
#define END "\nt Z end\n"
#define MOUNTS                                                                                     \
    F("mountinfo", "1 0 8:1 / / rw,noatime - ext4 /dev/sda1 rw\n"                                  \
                   "2 1 0:5 / /proc rw - proc proc rw\n"                                           \
                   "3 1 9:2 / /volume1 rw - btrfs /dev/md2 rw,space_cache\n"                       \
                   "4 1 0:9 / /mnt/far rw - nfs4 nas:/volume1/x rw,vers=4.1,password=hush\n")
#define BLOCK                                                                                      \
    F("block",                                                                                     \
        "block/sda/dev\t8:0\nblock/sda/size\t2000\nblock/sda/queue/rotational\t1\n"                \
        "block/sda/queue/write_cache\twrite back\nblock/sda/part/sda1/dev\t8:1\n"                  \
        "block/sda/part/sda3/dev\t8:3\nblock/sdb/dev\t8:16\nblock/sdb/part/sdb3/dev\t8:19\n"       \
        "block/md2/dev\t9:2\nblock/md2/md/level\traid1\n"                                          \
        "block/md2/slaves/sda3\t\nblock/md2/slaves/sdb3\t\n"                                       \
        "block/sdz/dev\t65:144\nblock/sdz/part/sdz1/dev\t65:145\n")

static struct ng_facts *parse(const char *text) {
    return ng_facts_parse(&arena, "nas", "t", text, strlen(text));
}

static const struct ng_state_row *find(const struct ng_state *state, enum ng_state_section section,
    const char *about, const char *key) {
    for (size_t i = 0; i < state->count; i++) {
        const struct ng_state_row *row = &state->rows[i];
        if (row->section == section && strcmp(row->about, about) == 0 &&
            strcmp(row->key, key) == 0) {
            return row;
        }
    }
    return NULL;
}

static void says(const struct ng_state *state, enum ng_state_section section, const char *about,
    const char *key, const char *value) {
    const struct ng_state_row *row = find(state, section, about, key);
    if (row == NULL || row->value == NULL || strcmp(row->value, value) != 0) {
        fail_msg("%s %s %s: %s", ng_state_word(section), about, key,
            row == NULL          ? "no row"
            : row->value == NULL ? row->why
                                 : row->value);
    }
    assert_null(row->why);
}

static void is_unknown(const struct ng_state *state, enum ng_state_section section,
    const char *about, const char *key, const char *why) {
    const struct ng_state_row *row = find(state, section, about, key);
    if (row == NULL || row->why == NULL || strstr(row->why, why) == NULL) {
        fail_msg("%s %s %s: %s", ng_state_word(section), about, key,
            row == NULL        ? "no row"
            : row->why == NULL ? row->value
                               : row->why);
    }
    assert_null(row->value);
}

static void a_host(void **unused) {
    (void)unused;
    const struct ng_facts *facts = parse(
        F("uname", "Linux 6.1.0 x86_64\n") F("id", "0\n") F("markers", "modules\n") F("os-release",
            "PRETTY_NAME=\"Debian 12\"\n") F("meminfo", "MemTotal: 2048 kB\nCached: 1024 kB\n")
            F("loadavg", "0.19 0.2 0.3 1/2 3\n") F("clock", "1796048222.5\n") MOUNTS BLOCK F("net",
                "eth0/mtu\t9000\neth0/speed\t10000\neth0/duplex\tfull\neth0/operstate\tup\n"
                "eth0/device\t\neth0/statistics/rx_errors\t7\nlo/mtu\t65536\n") A("addresses")
                F("sysctls", "vm/dirty_ratio:20\n!vm/dirty_bytes:\n") A("tool.fio.path") END);
    const struct ng_state *state = ng_state_of_host(&arena, facts);
    says(state, NG_STATE_PLATFORM, "", "platform", "Linux");
    says(state, NG_STATE_PLATFORM, "", "os", "Debian 12");
    says(state, NG_STATE_PLATFORM, "", "privilege", "root");
    says(state, NG_STATE_PLATFORM, "", "clock", "2026-11-30T14:17:02Z");
    is_unknown(state, NG_STATE_PLATFORM, "", "model", "no file that tells it");
    says(state, NG_STATE_CACHES, "", "page cache", "1 MiB");
    says(state, NG_STATE_LOAD, "", "load of 1, 5, 15 min", "0.19 0.2 0.3");
    says(state, NG_STATE_MOUNTS, "/", "mount", "ext4 /dev/sda1 on /");
    assert_null(find(state, NG_STATE_MOUNTS, "/proc", "mount"));
    const struct ng_state_row *far = find(state, NG_STATE_MOUNTS, "/mnt/far", "options");
    assert_non_null(far);
    assert_null(strstr(far->value, "hush")); /* no secret reaches a report */
    says(state, NG_STATE_LINKS, "eth0", "mtu", "9000");
    says(state, NG_STATE_LINKS, "eth0", "speed", "10 Gbit/s");
    says(state, NG_STATE_LINKS, "eth0", "errors since boot", "rx_errors 7");
    is_unknown(state, NG_STATE_LINKS, "eth0", "addresses", "there is no ip addr");
    assert_null(find(state, NG_STATE_LINKS, "lo", "mtu"));
    says(state, NG_STATE_SETTINGS, "", "vm/dirty_ratio", "20");
    is_unknown(state, NG_STATE_SETTINGS, "", "vm/dirty_bytes", "cannot be read");
    says(state, NG_STATE_TOOLS, "", "fio", "not installed");
}

static void sections_follow_each_other(void **unused) {
    (void)unused;
    const struct ng_state *state = ng_state_of_host(&arena, parse(MOUNTS BLOCK END));
    for (size_t i = 1; i < state->count; i++) {
        assert_true(state->rows[i - 1].section <= state->rows[i].section);
    }
    for (size_t i = 0; i < state->count; i++) {
        const struct ng_state_row *row = &state->rows[i];
        assert_true((row->value == NULL) != (row->why == NULL));
        assert_non_null(row->about);
        assert_non_null(row->source);
    }
}

static void a_host_that_cannot_be_asked(void **unused) {
    (void)unused;
    const struct ng_facts *facts = ng_facts_none(&arena, "nas", "ssh: no route to host");
    const struct ng_state *state = ng_state_of_host(&arena, facts);
    assert_int_equal(state->count, 1);
    is_unknown(state, NG_STATE_PLATFORM, "", "state", "no route to host");
    state = ng_state_of_path(&arena, facts, "/volume1");
    assert_int_equal(state->count, 1);
    is_unknown(state, NG_STATE_PLATFORM, "", "state", "no route to host");
}

/* Every source is silent: each says so, none is left out, nothing is taken for none. */
static void silence_is_unknown(void **unused) {
    (void)unused;
    const struct ng_state *state =
        ng_state_of_host(&arena, parse(L("block") L("net") L("sysctls") L("clock") END));
    is_unknown(state, NG_STATE_PLATFORM, "", "platform", "signs");
    is_unknown(state, NG_STATE_PLATFORM, "", "clock", "did not answer in 8 s");
    is_unknown(state, NG_STATE_MOUNTS, "", "mounts", "mountinfo");
    is_unknown(state, NG_STATE_CACHES, "", "block devices", "did not answer in 8 s");
    is_unknown(state, NG_STATE_CACHES, "", "page cache", "meminfo");
    is_unknown(state, NG_STATE_LINKS, "", "interfaces", "did not answer in 8 s");
    is_unknown(state, NG_STATE_SETTINGS, "", "settings", "did not answer in 8 s");
    is_unknown(state, NG_STATE_LOAD, "", "load of 1, 5, 15 min", "loadavg");
}

static void what_is_cut_off_is_said(void **unused) {
    (void)unused;
    const struct ng_state *state = ng_state_of_host(&arena, parse(F("uname", "Linux 6.1\n")));
    assert_non_null(find(state, NG_STATE_PLATFORM, "", "the rest"));
}

static struct ng_array *add_array(struct ng_facts *facts, const char *name, const char *device) {
    struct ng_array *array = ng_arrays_add(facts, &arena, "md", name);
    array->level = "raid1";
    array->busy = array->degraded = NG_ANSWER_NO;
    ng_array_device(array, &arena, device);
    return array;
}

static void arrays_and_what_they_are_at(void **unused) {
    (void)unused;
    struct ng_facts *facts = parse(END);
    facts->arrays = (struct ng_arrays){0};
    struct ng_array *busy = add_array(facts, "md2", "sda3");
    busy->busy = NG_ANSWER_YES;
    busy->busy_why = "is in check, 12.5 %";
    busy->percent = 12.5;
    busy->left_ns = INT64_C(90) * 60 * 1000000000;
    struct ng_array *odd = add_array(facts, "tank", "sdb");
    odd->degraded = NG_ANSWER_UNKNOWN;
    odd->degraded_why = "its state \"FOGGY\" is not known";
    ng_arrays_gap(facts, &arena, "LVM", "lvs", "lvs needs root");
    const struct ng_state *state = ng_state_of_host(&arena, facts);
    says(state, NG_STATE_ARRAYS, "md2", "health", "whole");
    says(state, NG_STATE_ARRAYS, "md2", "devices", "sda3");
    says(state, NG_STATE_ACTIVITY, "md2", "work", "is in check, 12.5 %");
    says(state, NG_STATE_ACTIVITY, "md2", "done", "12.5%");
    says(state, NG_STATE_ACTIVITY, "md2", "left", "1 h 30 m");
    says(state, NG_STATE_ACTIVITY, "tank", "work", "none");
    is_unknown(state, NG_STATE_ARRAYS, "tank", "health", "FOGGY");
    is_unknown(state, NG_STATE_ARRAYS, "LVM", "arrays", "needs root");
    assert_null(find(state, NG_STATE_ARRAYS, "", "arrays"));
}

/* A volume: its mount, the disks below it, arrays on the same disks and not the others. */
static void one_path(void **unused) {
    (void)unused;
    struct ng_facts *facts = parse(MOUNTS BLOCK F("path.1.name", "/volume1/bench")
            F("path.1.test", "exists yes\ndirectory yes\nreal /volume1/bench\nwritable no\n")
                F("path.1.stat", "device 2305\nspace 4096 1000 500 500\n") END);
    facts->arrays = (struct ng_arrays){0};
    add_array(facts, "md0", "sda1");
    add_array(facts, "md9", "sdz1");
    add_array(facts, "md8", "sdx1"); /* a device that nothing tells of */
    const struct ng_state *state = ng_state_of_path(&arena, facts, "/volume1/bench");
    says(state, NG_STATE_MOUNTS, "/volume1/bench", "mount", "btrfs /dev/md2 on /volume1");
    says(state, NG_STATE_MOUNTS, "/volume1/bench", "writable", "no");
    says(state, NG_STATE_MOUNTS, "/volume1/bench", "available", "2000 KiB");
    says(state, NG_STATE_MOUNTS, "md2", "device", "md array, raid1");
    says(state, NG_STATE_CACHES, "sda", "own write cache", "write back");
    is_unknown(state, NG_STATE_CACHES, "sdb", "own write cache", "does not tell");
    says(state, NG_STATE_ARRAYS, "md0", "health", "whole"); /* on the same disk, by a partition */
    assert_null(find(state, NG_STATE_ARRAYS, "md9", "health"));
    says(state, NG_STATE_ARRAYS, "md8", "health", "whole"); /* it may lie on these */
}

static void a_path_on_another_machine(void **unused) {
    (void)unused;
    const struct ng_state *state =
        ng_state_of_path(&arena, parse(MOUNTS BLOCK L("path.1.test") END), "/mnt/far");
    says(state, NG_STATE_MOUNTS, "/mnt/far", "mount", "nfs4 nas:/volume1/x on /mnt/far");
    is_unknown(state, NG_STATE_MOUNTS, "/mnt/far", "path", "not looked at");
}

static void rows_are_bounded_and_clean(void **unused) {
    (void)unused;
    struct ng_facts *facts = parse(END);
    facts->arrays = (struct ng_arrays){0};
    for (int i = 0; i < NG_STATE_ROWS_MAX; i++) {
        add_array(facts, ng_arena_printf(&arena, "md%d", i), "sda3");
    }
    char *long_text = ng_arena_alloc(&arena, 9000);
    memset(long_text, 'x', 8999);
    memcpy(long_text, "\x1b[31m\n", 6);
    facts->arrays.items[0].seen = long_text;
    const struct ng_state *state = ng_state_of_host(&arena, facts);
    size_t rows = 0;
    for (size_t i = 0; i < state->count; i++) {
        rows += state->rows[i].section == NG_STATE_ARRAYS;
    }
    assert_int_equal(rows, NG_STATE_ROWS_MAX + 1);
    is_unknown(state, NG_STATE_ARRAYS, "", "more", "facts more than the");
    const struct ng_state_row *seen = find(state, NG_STATE_ARRAYS, "md0", "seen");
    assert_non_null(seen);
    assert_true(strlen(seen->value) <= NG_STATE_TEXT_MAX);
    assert_null(strpbrk(seen->value, "\x1b\n"));
}

#define E(name, text)                                                                              \
    "\nt B " name "\n"                                                                             \
    "\nt E " name " 1\n" F(name ".err", text)

/* What a driver has not is known, what could not be asked is not. */
static void cards(void **unused) {
    (void)unused;
    const struct ng_state *state = ng_state_of_host(&arena,
        parse(F("ethtool", "/sbin/ethtool\n") A("qdiscs") F("nic.1.name", "eth0")
                E("nic.1.pause", "netlink error: Operation not supported\n") E("nic.1.coalesce",
                    "netlink error: Operation not permitted\n") L("nic.1.driver") END));
    says(state, NG_STATE_LINKS, "eth0", "pause", "its driver has none");
    is_unknown(state, NG_STATE_LINKS, "eth0", "coalescing", "not permitted");
    is_unknown(state, NG_STATE_LINKS, "eth0", "driver", "did not answer in 8 s");
    is_unknown(state, NG_STATE_LINKS, "", "queueing disciplines", "there is no tc");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(cards, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_host, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sections_follow_each_other, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_host_that_cannot_be_asked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(silence_is_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_cut_off_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(arrays_and_what_they_are_at, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_path, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_path_on_another_machine, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_are_bounded_and_clean, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
