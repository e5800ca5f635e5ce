/**
 * vocabulary_fixture.h - a small vocabulary for the tests of the language, with words of the real
 * engines and preconditions, and short ways to load a plan and to read its messages.
 */
#ifndef NG_TESTS_LANGUAGE_VOCABULARY_FIXTURE_H
#define NG_TESTS_LANGUAGE_VOCABULARY_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "plans/language/load.h"
#include "plans/language/plan.h"
#include "runner/base/guard.h"

/* Dimension and spelling. */
#define RATE {1, -1}, NG_SPELLING_PLAIN
#define WIRE {1, -1}, NG_SPELLING_BITS
#define TIME {0, 1}, NG_SPELLING_PLAIN
#define IOPS {0, -1}, NG_SPELLING_PLAIN
#define NONE {0, 0}, NG_SPELLING_PLAIN
#define SHARE {0, 0}, NG_SPELLING_SHARE

struct fio_params {
    const struct ng_volume *volume;
    int rw;
    int64_t bs, size, time_ns, iodepth, rate;
    int direct;
    bool end_fsync;
    double mix;
};

static const char *const fio_rws[] = {
    "read", "write", "randread", "randwrite", "rw", "randrw", NULL};
static const char *const fio_directs[] = {"auto", "true", "false", NULL};

static const struct ng_field fio_fields[] = {
    {.name = "volume",
        .type = NG_FIELD_VOLUME,
        .offset = offsetof(struct fio_params, volume),
        .flags = NG_REQUIRED,
        .help = "where the I/O is done"},
    {.name = "rw",
        .type = NG_FIELD_CHOICE,
        .offset = offsetof(struct fio_params, rw),
        .flags = NG_REQUIRED,
        .choices = fio_rws,
        .help = "what is done"},
    {.name = "bs",
        .type = NG_FIELD_SIZE,
        .offset = offsetof(struct fio_params, bs),
        .min = 512,
        .max = 256.0 * 1024 * 1024,
        .fallback = "4 KiB",
        .help = "block size"},
    {.name = "size",
        .type = NG_FIELD_SIZE,
        .offset = offsetof(struct fio_params, size),
        .flags = NG_REQUIRED,
        .min = 512,
        .max = 1e15,
        .help = "size of the file"},
    {.name = "time",
        .type = NG_FIELD_DURATION,
        .offset = offsetof(struct fio_params, time_ns),
        .min = 1e9,
        .max = 86400e9,
        .help = "how long"},
    {.name = "iodepth",
        .type = NG_FIELD_INT,
        .offset = offsetof(struct fio_params, iodepth),
        .min = 1,
        .max = 1024,
        .fallback = "1",
        .help = "I/Os in flight"},
    {.name = "direct",
        .type = NG_FIELD_CHOICE,
        .offset = offsetof(struct fio_params, direct),
        .choices = fio_directs,
        .fallback = "auto",
        .help = "past the page cache | or not"},
    {.name = "end_fsync",
        .type = NG_FIELD_BOOL,
        .offset = offsetof(struct fio_params, end_fsync),
        .fallback = "true",
        .help = "fsync at the end"},
    {.name = "mix",
        .type = NG_FIELD_PERCENT,
        .offset = offsetof(struct fio_params, mix),
        .min = 0.01,
        .max = 0.99,
        .help = "share of reads"},
    {.name = "rate",
        .type = NG_FIELD_RATE,
        .offset = offsetof(struct fio_params, rate),
        .help = "cap"},
};

static const struct ng_metric_def fio_metrics[] = {
    {"read.bw", RATE, NG_BETTER_HIGHER, "bytes read per second", "read.bw_bytes"},
    {"read.iops", IOPS, NG_BETTER_HIGHER, "reads per second", "read.iops"},
    {"read.lat.p99", TIME, NG_BETTER_LOWER, "99th percentile", "read.clat_ns"},
    {"write.bw", RATE, NG_BETTER_HIGHER, "bytes written per second", "write.bw_bytes"},
    {"write.iops", IOPS, NG_BETTER_HIGHER, "writes per second", "write.iops"},
    {"write.lat.p99", TIME, NG_BETTER_LOWER, "99th percentile", "write.clat_ns"},
};

static inline bool fio_measures(const void *params, const struct ng_metric_def *metric) {
    const char *rw = fio_rws[((const struct fio_params *)params)->rw];
    bool reads = strstr(rw, "rw") || strstr(rw, "read");
    bool writes = strstr(rw, "rw") || strstr(rw, "write");
    return metric->name[0] == 'r' ? reads : writes;
}

static inline void fio_check(const struct ng_plan *plan, const void *params,
    const struct ng_node *node, struct ng_diags *diags) {
    const struct fio_params *p = params;
    assert_non_null(plan);
    assert_non_null(p->volume->on); /* never called with half a topology */
    if (p->bs > 0 && p->size % p->bs != 0) {
        ng_diag_error(diags, ng_field_place(node, "size"), "whole-blocks",
            "size is no whole number of blocks: %lld bytes in blocks of %lld leave %lld over",
            (long long)p->size, (long long)p->bs, (long long)(p->size % p->bs));
    }
}

static const struct ng_kind fio_kind = {
    .record = {"fio", fio_fields, NG_COUNT(fio_fields), sizeof(struct fio_params), NULL,
        "reads and writes files on a volume"},
    .metrics = fio_metrics,
    .metric_count = NG_COUNT(fio_metrics),
    .check = fio_check,
    .measures = fio_measures,
};

struct link_params {
    const struct ng_link *link;
    const struct ng_host *from;
    int64_t streams, time_ns, count, size;
};

static const struct ng_field iperf3_fields[] = {
    {.name = "link",
        .type = NG_FIELD_LINK,
        .offset = offsetof(struct link_params, link),
        .flags = NG_REQUIRED,
        .help = "the link to measure"},
    {.name = "from",
        .type = NG_FIELD_HOST,
        .offset = offsetof(struct link_params, from),
        .help = "the host that sends"},
    {.name = "streams",
        .type = NG_FIELD_INT,
        .offset = offsetof(struct link_params, streams),
        .min = 1,
        .max = 128,
        .fallback = "1",
        .help = "connections at the same time"},
    {.name = "time",
        .type = NG_FIELD_DURATION,
        .offset = offsetof(struct link_params, time_ns),
        .min = 1e9,
        .max = 3600e9,
        .fallback = "10 s",
        .help = "how long"},
};

static const struct ng_metric_def iperf3_metrics[] = {
    {"throughput", WIRE, NG_BETTER_HIGHER, "goodput", "end.sum_received"},
    {"retransmits", NONE, NG_BETTER_LOWER, "segments sent again", "end.sum_sent"},
};

static const struct ng_kind iperf3_kind = {
    .record = {"iperf3", iperf3_fields, NG_COUNT(iperf3_fields), sizeof(struct link_params), "link",
        "TCP over a link"},
    .metrics = iperf3_metrics,
    .metric_count = NG_COUNT(iperf3_metrics),
};

static const struct ng_field ping_fields[] = {
    {.name = "link",
        .type = NG_FIELD_LINK,
        .offset = offsetof(struct link_params, link),
        .flags = NG_REQUIRED,
        .help = "the link to measure"},
    {.name = "count",
        .type = NG_FIELD_INT,
        .offset = offsetof(struct link_params, count),
        .min = 1,
        .max = 10000,
        .fallback = "10",
        .help = "packets to send"},
    {.name = "size",
        .type = NG_FIELD_SIZE,
        .offset = offsetof(struct link_params, size),
        .max = 65507,
        .fallback = "56 B",
        .help = "payload"},
};

static const struct ng_metric_def ping_metrics[] = {
    {"rtt.avg", TIME, NG_BETTER_LOWER, "mean round trip", "rtt"},
    {"rtt.max", TIME, NG_BETTER_LOWER, "longest round trip", "rtt"},
    {"loss", SHARE, NG_BETTER_LOWER, "share without a reply", "1 - received / transmitted"},
};

static const struct ng_kind ping_kind = {
    .record = {"ping", ping_fields, NG_COUNT(ping_fields), sizeof(struct link_params), "link",
        "round trips over a link"},
    .metrics = ping_metrics,
    .metric_count = NG_COUNT(ping_metrics),
};

struct condition_params {
    const struct ng_volume *volume;
    const struct ng_link *link;
    int64_t at_least;
    struct ng_texts need;
    struct ng_pairs pairs;
    const struct ng_host *host;
};

static const struct ng_field free_space_fields[] = {
    {.name = "volume",
        .type = NG_FIELD_VOLUME,
        .offset = offsetof(struct condition_params, volume),
        .flags = NG_REQUIRED,
        .help = "the volume"},
    {.name = "at_least",
        .type = NG_FIELD_SIZE,
        .offset = offsetof(struct condition_params, at_least),
        .flags = NG_REQUIRED,
        .min = 1,
        .max = 1e18,
        .help = "how much must be available to the user that the run works as"},
};

static const struct ng_field mounted_fields[] = {
    {.name = "volume",
        .type = NG_FIELD_VOLUME,
        .offset = offsetof(struct condition_params, volume),
        .flags = NG_REQUIRED,
        .help = "the volume"},
};

static const struct ng_field mtu_match_fields[] = {
    {.name = "link",
        .type = NG_FIELD_LINK,
        .offset = offsetof(struct condition_params, link),
        .flags = NG_REQUIRED,
        .help = "the link"},
};

static const struct ng_field tools_fields[] = {
    {.name = "host",
        .type = NG_FIELD_HOST,
        .offset = offsetof(struct condition_params, host),
        .help = "where; everywhere without it"},
    {.name = "need",
        .type = NG_FIELD_TEXTS,
        .offset = offsetof(struct condition_params, need),
        .flags = NG_REQUIRED,
        .help = "names of tools"},
};

static const struct ng_kind free_space_kind = {
    .record = {"free_space", free_space_fields, NG_COUNT(free_space_fields),
        sizeof(struct condition_params), "volume", "space on a volume"}};
static const struct ng_kind mounted_kind = {
    .record = {"mounted", mounted_fields, NG_COUNT(mounted_fields), sizeof(struct condition_params),
        "volume", "the right mount"}};
static const struct ng_kind mtu_match_kind = {
    .record = {"mtu_match", mtu_match_fields, NG_COUNT(mtu_match_fields),
        sizeof(struct condition_params), "link", "the same MTU at both ends"}};
static const struct ng_kind tools_kind = {
    .record = {"tools", tools_fields, NG_COUNT(tools_fields), sizeof(struct condition_params),
        "need", "the tools are there"}};

/* Only their names matter here; test_scripts.c is about scripts. */
static const struct ng_kind command_kind = {
    .record = {"command", ping_fields, NG_COUNT(ping_fields), sizeof(struct link_params), "link",
        "runs a command"}};
static const struct ng_kind lua_kind = {.record = {"lua", ping_fields, NG_COUNT(ping_fields),
                                            sizeof(struct link_params), "link", "runs a script"}};

static const struct ng_kind *const fixture_engines[] = {
    &command_kind, &fio_kind, &iperf3_kind, &lua_kind, &ping_kind};
static const struct ng_kind *const fixture_conditions[] = {
    &free_space_kind, &mounted_kind, &mtu_match_kind, &tools_kind};

static const struct ng_metric_def fixture_telemetry[] = {
    {.name = "load1", .meaning = "load average", .source = "/proc/loadavg"}};

static const struct ng_vocabulary fixture_vocabulary = {.telemetry = fixture_telemetry,
    .telemetry_count = NG_COUNT(fixture_telemetry),
    .engines = fixture_engines,
    .engine_count = NG_COUNT(fixture_engines),
    .conditions = fixture_conditions,
    .condition_count = NG_COUNT(fixture_conditions)};

/** A loaded plan with its messages as text. */
struct loaded {
    struct ng_arena arena;
    struct ng_diags diags;
    struct ng_plan *plan;
    struct ng_buf text;
};

static inline void fixture_load(struct loaded *loaded, const char *file, const char *text,
    size_t len, const struct ng_setting *settings, size_t count) {
    *loaded = (struct loaded){0};
    ng_arena_init(&loaded->arena);
    loaded->diags.arena = &loaded->arena;
    const struct ng_load_options options = {
        .vocabulary = &fixture_vocabulary, .settings = settings, .setting_count = count};
    loaded->plan = ng_plan_load_text(file, text, len, &options, &loaded->diags);
    ng_diags_sort(&loaded->diags);
    ng_buf_init(&loaded->text, 1 << 20);
    ng_diags_format(&loaded->diags, &loaded->text);
    assert_int_equal(loaded->plan == NULL, loaded->diags.errors > 0);
}

static inline void fixture_release(struct loaded *loaded) {
    ng_plan_free(loaded->plan);
    ng_buf_release(&loaded->text);
    ng_arena_release(&loaded->arena);
}

/* What most plans of the tests begin with. */
#define FIXTURE_HEAD                                                                               \
    "nasgate: 1\n"                                                                                 \
    "name: t\n"                                                                                    \
    "topology:\n"                                                                                  \
    "  hosts: {a: local, b: {via: local}}\n"                                                       \
    "  links:\n"                                                                                   \
    "    fiber: {ends: [\"a:eth0\", {at: \"b:eth1\", address: 10.0.0.2}], mtu: 9000, speed: 10 "   \
    "Gbit/s}\n"                                                                                    \
    "    bare: {ends: [\"a:eth0\", \"b:eth1\"]}\n"                                                 \
    "  volumes:\n"                                                                                 \
    "    repo: {on: a, path: /mnt/x, link: fiber, array: {disks: 5}}\n"                            \
    "    plain: {on: a, path: /mnt/y}\n"

#endif
