/* The list of recordings: each is consumed by a test that names it, or the reader that its text
 * would reach refuses it. Skipped where the recordings are absent. */
#include "tests/unit/facts/parse.h"

#include "runner/base/jsonscan.h"
#include "runner/facts/block.h"
#include "runner/facts/cpufreq.h"
#include "runner/facts/ethtool.h"
#include "runner/facts/mdstat.h"
#include "runner/facts/mountinfo.h"
#include "runner/facts/netif.h"
#include "runner/facts/path.h"
#include "runner/facts/scan.h"

/* True: not one value was taken from the text, or all of them are unknown for a reason. */
typedef bool refuses(const char *text, size_t len);

/* `mount` and /etc/mtab are ambiguous, /proc/mounts says less than mountinfo: one line that is not
 * understood makes every look-up unknown. */
static bool mountinfo_refuses(const char *text, size_t len) {
    struct ng_mounts mounts;
    ng_mounts_parse(&mounts, &arena, text, len);
    return mounts.bad > 0 && mounts.count == 0;
}

/* cpupower's texts differ by version; the files in sysfs are read. */
static bool cpufreq_refuses(const char *text, size_t len) {
    struct ng_cpufreq cpufreq = {0};
    ng_cpufreq_parse(&cpufreq, &arena, text, len);
    return cpufreq.count == 0 && cpufreq.turbo == NG_ANSWER_UNKNOWN;
}

/* Names with blanks cannot be told apart in lsblk's list; /sys/block is read. */
static bool block_refuses(const char *text, size_t len) {
    struct ng_blocks blocks = {0};
    ng_blocks_parse(&blocks, &arena, text, len);
    return blocks.count == 0 && blocks.work_count == 0;
}

/* State, MTU and counters are read in sysfs; of `ip` only addresses and routes. */
static bool addresses_refuse(const char *text, size_t len) {
    struct ng_netifs netifs = {0};
    ng_netifs_addresses(&netifs, &arena, text, len);
    for (size_t i = 0; i < netifs.count; i++) {
        if (netifs.items[i].address_count > 0 || netifs.items[i].mtu > 0) {
            return false;
        }
    }
    return true;
}

static bool interfaces_refuse(const char *text, size_t len) {
    struct ng_netifs netifs = {0};
    ng_netifs_parse(&netifs, &arena, text, len);
    return netifs.count == 0;
}

static bool settings_refuse(const char *text, size_t len) {
    struct ng_nic_settings settings;
    ng_ethtool_settings(&settings, text, len);
    return settings.why != NULL && settings.speed == 0;
}

static bool md_refuses(const char *text, size_t len) {
    struct ng_md md = {0};
    ng_mdstat_parse(&md, &arena, text, len);
    ng_md_judge(&md, &arena, NG_PLATFORM_DSM);
    return md.kind == NG_MD_UNKNOWN && md.reason != NULL;
}

/* An engine takes documents of JSON, and there is none. */
static bool engines_refuse(const char *text, size_t len) {
    struct ng_jsonscan scan;
    ng_jsonscan_init(&scan, text, len);
    const bool none = scan.count == 0;
    ng_jsonscan_release(&scan);
    return none;
}

/* By the beginning of the file's name; sorted. */
static const struct {
    const char *begins;
    refuses *by;
} refused[] = {
    {"ethtool/priv-flags", settings_refuse},
    {"ethtool/timestamping", settings_refuse},
    {"fio/fio217-clat-hist.log", engines_refuse},
    {"fio/fio339-bw-5col.log", engines_refuse},
    {"ip/link-", addresses_refuse},
    {"ip/neigh-", addresses_refuse},
    {"iperf2/", engines_refuse},
    {"mounts/mount-", mountinfo_refuses},
    {"mounts/mtab-", mountinfo_refuses},
    {"mounts/proc-mounts-", mountinfo_refuses},
    {"other/cpupower-", cpufreq_refuses},
    {"other/lsblk-", block_refuses},
    {"other/ovs-vsctl-", interfaces_refuse},
    {"synology/mdadm-examine-", md_refuses},
};

/* The tests that conclude something from recordings. */
static const char *const readers[] = {
    "tests/unit/base/test_recordings.c",
    "tests/unit/engines/test_corpus.c",
    "tests/unit/facts/test_busy.c",
    "tests/unit/facts/test_caches_corpus.c",
    "tests/unit/facts/test_corpus.c",
    "tests/unit/facts/test_index.c",
    "tests/unit/facts/test_links_corpus.c",
    "tests/unit/facts/test_nfs.c",
    "tests/unit/facts/test_smb.c",
    "tests/unit/facts/test_store_corpus.c",
};

static const char *source_of(const char *reader) {
    char *text;
    size_t len;
    const char *path = ng_arena_printf(&arena, "%s/%s", NG_SOURCE_DIR, reader);
    if (!ng_file_read(path, 1 << 20, &text, &len, NULL)) {
        fail_msg("cannot read %s", path);
    }
    const char *copy = ng_arena_strndup(&arena, text, len);
    free(text);
    return copy;
}

/* Names are written whole, or without what all of a table have in common: "settings-no-data.txt"
 * as "no-data" behind "settings-%s". */
static bool names(const char *source, const char *file) {
    if (strstr(source, ng_arena_printf(&arena, "\"%s\"", file)) != NULL) {
        return true;
    }
    const char *base = strchr(file, '/') + 1;
    const char *stem = ng_arena_strndup(&arena, base, strcspn(base, "."));
    if (strrchr(base, '.') != NULL) {
        stem = ng_arena_strndup(&arena, base, (size_t)(strrchr(base, '.') - base));
    }
    if (strstr(source, ng_arena_printf(&arena, "\"%s\"", base)) != NULL ||
        strstr(source, ng_arena_printf(&arena, "\"%s\"", stem)) != NULL) {
        return true;
    }
    const char *dash = strchr(stem, '-');
    return dash != NULL && strstr(source, ng_arena_printf(&arena, "\"%s\"", dash + 1)) != NULL &&
           strstr(source, ng_arena_printf(&arena, "%.*s-%%s", (int)(dash - stem), stem)) != NULL;
}

static bool is_consumed(const char *const *sources, const char *file) {
    for (size_t i = 0; i < NG_COUNT(readers); i++) {
        if (names(sources[i], file)) {
            return true;
        }
    }
    return false;
}

/* NULL: consumed, or refused as it should be. */
static const char *trouble_with(const char *const *sources, const char *file) {
    for (size_t i = 0; i < NG_COUNT(refused); i++) {
        if (strncmp(file, refused[i].begins, strlen(refused[i].begins)) == 0) {
            size_t len;
            const char *text = recording(file, &len);
            return refused[i].by(text, len) ? NULL : "it should be refused, and values were taken";
        }
    }
    return is_consumed(sources, file) ? NULL : "no test concludes anything from it";
}

static void every_recording_is_consumed_or_refused(void **state) {
    (void)state;
    size_t len, bad = 0, seen = 0;
    const char *index = recording("INDEX.tsv", &len);
    const char *sources[NG_COUNT(readers)];
    for (size_t i = 0; i < NG_COUNT(readers); i++) {
        sources[i] = source_of(readers[i]);
    }
    struct ng_span rest = ng_span(index, len), line;
    (void)ng_span_line(&rest, &line); /* the head */
    while (ng_span_line(&rest, &line)) {
        const char *file = ng_span_dup(&arena, ng_span_until(&line, '\t'));
        const char *trouble = trouble_with(sources, file);
        if (trouble != NULL) {
            print_message("%s: %s\n", file, trouble);
            bad++;
        }
        seen++;
    }
    print_message("%zu recordings\n", seen);
    assert_int_equal(bad, 0);
}

/* The test finds what nobody knows, and what nobody refuses. */
static void an_unknown_recording_is_found(void **state) {
    (void)state;
    const char *const sources[NG_COUNT(readers)] = {
        "\"a/b.txt\" \"x-%s\" \"c\"", "", "", "", "", "", "", "", "", ""};
    assert_null(trouble_with(sources, "a/b.txt"));
    assert_null(trouble_with(sources, "a/x-c.txt"));
    assert_non_null(trouble_with(sources, "a/y-c.txt"));
    assert_non_null(trouble_with(sources, "a/d.txt"));
    for (size_t i = 1; i < NG_COUNT(refused); i++) {
        assert_true(strcmp(refused[i - 1].begins, refused[i].begins) < 0);
    }
    assert_false(mountinfo_refuses("1 0 8:1 / / rw - ext4 /dev/sda1 rw\n", 35));
    assert_false(cpufreq_refuses("cpufreq/policy0/scaling_governor:performance\n", 45));
    assert_false(block_refuses("block/sda/dev\t8:0\n", 18));
    assert_false(addresses_refuse("4: eth0    inet 203.0.113.7/24 x\n", 33));
    assert_false(interfaces_refuse("eth0/mtu\t1500\n", 14));
    assert_false(settings_refuse("\tSpeed: 1000Mb/s\n", 17));
    assert_false(engines_refuse("{}", 2));
}

/* A name that is longer than its column, another column of types. */
static void recorded_df(void **state) {
    (void)state;
    size_t len;
    int64_t available = -1, total = -1;
    const char *text = recording("other/df-long-device-name.txt", &len);
    assert_true(ng_df_parse(text, len, &available, &total));
    assert_true(total == INT64_C(6030784) * 1024 && available == INT64_C(4571556) * 1024);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_recording_is_consumed_or_refused),
        TEST(an_unknown_recording_is_found),
        TEST(recorded_df),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
