/**
 * case_parts.h - hosts, preconditions, phases and repeats from which whole results are put
 * together.
 */
#ifndef NG_TESTS_WRITERS_CASE_PARTS_H
#define NG_TESTS_WRITERS_CASE_PARTS_H

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/clock.h"
#include "runner/base/guard.h"
#include "runner/result/judge.h"
#include "runner/result/result.h"
#include "runner/result/verdict.h"

enum { MB = 1000 * 1000, LONG_NAME = 10000 };

static const struct ng_metric_def throughput = {
    "throughput", {1, -1}, NG_SPELLING_BITS, NG_BETTER_HIGHER, "", ""};
static const struct ng_metric_def retransmits = {
    "retransmits", {0, 0}, NG_SPELLING_PLAIN, NG_BETTER_LOWER, "", ""};
static const struct ng_metric_def write_bw = {
    "write.bw", {1, -1}, NG_SPELLING_PLAIN, NG_BETTER_HIGHER, "", ""};
static const struct ng_metric_def write_iops = {
    "write.iops", {0, -1}, NG_SPELLING_PLAIN, NG_BETTER_HIGHER, "", ""};
static const struct ng_metric_def read_bw = {
    "read.bw", {1, -1}, NG_SPELLING_PLAIN, NG_BETTER_HIGHER, "", ""};
static const struct ng_metric_def read_iops = {
    "read.iops", {0, -1}, NG_SPELLING_PLAIN, NG_BETTER_HIGHER, "", ""};
static const struct ng_metric_def read_p99 = {
    "read.lat.p99", {0, 1}, NG_SPELLING_PLAIN, NG_BETTER_LOWER, "", ""};

static struct ng_result *case_base(const char *name) {
    struct ng_result *result = ng_result_new();
    struct ng_arena *arena = &result->arena;
    result->run_id = ng_arena_printf(arena, "20261130T113000Z-%s", name);
    result->version = "0.1.0";
    result->plan_name = "backup-path-10g";
    result->plan_title = "Backup server to NAS over the 10G fiber";
    result->plan_file = "plans/backup-path-10g.yaml";
    result->plan_digest = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    result->seed = 18446744073709551615U;
    result->started_wall_ns = INT64_C(1796038200123456789);
    result->ended_wall_ns = result->started_wall_ns + 200 * NG_NS_PER_S;
    result->duration_ns = 200 * NG_NS_PER_S;
    result->complete = true;
    ng_records_add(arena, &result->params, "nas", "root@nas");
    ng_records_add(arena, &result->params, "size", "30 GiB");
    struct ng_host_result *host = ng_result_add_host(result);
    host->name = "backup";
    host->via = "local";
    ng_records_add(arena, &host->environment, "kernel", "Linux 6.1.0-18-amd64");
    ng_records_add(arena, &host->environment, "memory", "62.7 GiB");
    ng_records_add(arena, &host->environment, "fio", "3.33");
    return result;
}

static void case_fact(struct ng_result *result, struct ng_states *states, const char *section,
    const char *about, const char *key, const char *value, const char *why, const char *source) {
    *ng_states_add(&result->arena, states) =
        (struct ng_state_item){section, about, key, value, why, source};
}

/** What was known of the host and of the volume on it. */
static void case_state(struct ng_result *result) {
    struct ng_states *host = &result->hosts[0].state;
    case_fact(result, host, "platform", "", "kernel", "Linux 6.1.0-18-amd64", NULL, "uname");
    case_fact(result, host, "platform", "", "model", NULL, "no file that tells it is there",
        "/sys/class/dmi/id");
    case_fact(result, host, "arrays", "LVM", "arrays", NULL, "lvs needs root", "lvs");
    case_fact(result, host, "links", "enp3s0f0", "mtu", "9000", NULL, "/sys/class/net");
    case_fact(result, host, "links", "enp3s0f0", "speed", "10 Gbit/s", NULL, "/sys/class/net");
    case_fact(result, host, "links", "enp3s0f0", "driver", "ixgbe 5.1.0-k", NULL, "ethtool");
    struct ng_volume_result *volume = ng_result_add_volume(result);
    volume->name = "repo";
    volume->host = "backup";
    volume->path = "/mnt/bench";
    case_fact(result, &volume->state, "mounts", "/mnt/bench", "mount",
        "nfs4 nas:/volume1/bench on /mnt/bench", NULL, "/proc/self/mountinfo");
    case_fact(result, &volume->state, "mounts", "/mnt/bench", "options",
        "rw,vers=4.1,rsize=1048576", NULL, "/proc/self/mountinfo");
    case_fact(result, &volume->state, "mounts", "/mnt/bench", "available", NULL,
        "statfs did not answer in 3 s", "statfs");
}

static void case_end(struct ng_result *result) {
    result->exit_code = ng_result_exit(result);
    result->verdict = ng_exit_words(result->exit_code);
}

static struct ng_condition_result *case_condition(
    struct ng_result *result, const char *id, const char *kind, int line, enum ng_held held) {
    struct ng_condition_result *condition = ng_result_add_condition(result);
    condition->id = id;
    condition->kind = kind;
    condition->subject = "fiber";
    condition->line = line;
    condition->held = held;
    return condition;
}

/** Both preconditions of an ordinary run. */
static void case_held(struct ng_result *result) {
    struct ng_condition_result *mtu =
        case_condition(result, "mtu_match-fiber", "mtu_match", 21, NG_HELD);
    mtu->expected = "MTU 9000 on both ends of fiber";
    mtu->seen = "enp3s0f0 on backup 9000, eth4 on nas 9000";
    mtu->source = "/sys/class/net/*/mtu";
    ng_records_add(&result->arena, &mtu->looked_at, "backup:enp3s0f0 mtu", "9000");
    ng_records_add(&result->arena, &mtu->looked_at, "nas:eth4 mtu", "9000");
    struct ng_condition_result *cache =
        case_condition(result, "cache_state-repo", "cache_state", 24, NG_HELD);
    cache->subject = "repo";
    cache->expected = "the cache state is known";
    cache->seen = "no bcache, no dm cache; block write cache is \"write back\"";
    cache->source = "/sys/block/*/queue/write_cache on nas";
    ng_records_add(&result->arena, &cache->looked_at, "md2 write_cache", "write back");
}

static struct ng_phase_result *case_phase(struct ng_result *result, const char *name,
    const char *engine, const char *subject, int line, int repeats) {
    struct ng_phase_result *phase = ng_result_add_phase(result);
    phase->name = name;
    phase->engine = engine;
    phase->subject = subject;
    phase->line = line;
    phase->planned_repeats = repeats;
    return phase;
}

static struct ng_repeat *case_repeat(struct ng_result *result, struct ng_phase_result *phase) {
    struct ng_repeat *repeat = ng_phase_add_repeat(&result->arena, phase);
    repeat->valid = true;
    repeat->attempts = 1;
    repeat->start_ns = (int64_t)(5 + 12 * repeat->number) * NG_NS_PER_S;
    repeat->duration_ns = 10 * NG_NS_PER_S + 1500000 * repeat->number;
    ng_repeat_add_evidence(&result->arena, repeat, (unsigned)(repeat->number * 2 + 1));
    ng_repeat_add_evidence(&result->arena, repeat, (unsigned)(repeat->number * 2 + 2));
    return repeat;
}

/** As the loader would decide for the texts of these cases. */
static enum ng_spelling case_spelling(const char *text, struct ng_dim dim) {
    if (ng_dim_equal(dim, NG_DIM_NONE)) {
        return strstr(text, "cv(") != NULL ? NG_SPELLING_SHARE : NG_SPELLING_PLAIN;
    }
    return strstr(text, "bit/s") != NULL || strstr(text, "throughput") != NULL ? NG_SPELLING_BITS
                                                                               : NG_SPELLING_PLAIN;
}

static struct ng_judged *case_judged(struct ng_result *result, struct ng_phase_result *phase,
    const char *text, enum ng_comparison comparison, struct ng_dim dim, double left, double limit,
    double high) {
    struct ng_judged *judged = ng_phase_add_judged(&result->arena, phase);
    judged->text = text;
    judged->line = phase->line + (int)phase->judged_count + 1;
    judged->gates = true;
    judged->dim = dim;
    judged->spelling = case_spelling(text, dim);
    judged->left = left;
    judged->limit = limit;
    judged->high = high;
    judged->within = comparison == NG_CMP_WITHIN;
    judged->comparison = ng_comparison_text(comparison);
    judged->margin = ng_margin(comparison, left, limit, high);
    judged->held = ng_comparison_holds(comparison, left, limit, high) ? NG_HELD : NG_BROKEN;
    return judged;
}

static void case_verdict(
    struct ng_phase_result *phase, enum ng_verdict verdict, const char *reason) {
    phase->verdict = verdict;
    phase->reason = reason;
}

/** The wire: one repeat of iperf3. */
static void case_wire(struct ng_result *result) {
    struct ng_arena *arena = &result->arena;
    struct ng_phase_result *phase = case_phase(result, "wire-out", "iperf3", "fiber", 34, 1);
    struct ng_repeat *repeat = case_repeat(result, phase);
    ng_repeat_measure(arena, repeat, &throughput, 9.41e9 / 8);
    ng_repeat_measure(arena, repeat, &retransmits, 12);
    static const double gbit[] = {9.38, 9.41, 9.42, 9.41, 9.27, 9.43, 9.42, 9.41, 9.44, 9.41};
    double samples[NG_COUNT(gbit)];
    for (size_t i = 0; i < NG_COUNT(gbit); i++) {
        samples[i] = gbit[i] * 1e9 / 8;
    }
    ng_repeat_sample(arena, repeat, &throughput, NG_NS_PER_S, samples, NG_COUNT(samples));
    ng_records_add(arena, &repeat->records, "iperf3", "3.12");
    ng_records_add(arena, &repeat->records, "link.speed", "10 Gbit/s");
    case_judged(result, phase, "throughput >= 90% of link.fiber.speed", NG_CMP_GE, NG_DIM_RATE,
        9.41e9 / 8, 9e9 / 8, (double)NAN);
    case_judged(result, phase, "retransmits <= 100", NG_CMP_LE, NG_DIM_NONE, 12, 100, (double)NAN);
    case_verdict(phase, NG_VERDICT_PASS,
        "all 2 thresholds hold; the nearest: throughput 9.41 Gbit/s holds >= 9 Gbit/s (90% of "
        "link.fiber.speed) with 4.6% to spare");
}

/** Three repeats of a sequential write with a median of `median`. */
static struct ng_phase_result *case_write(
    struct ng_result *result, double median, double spread, double limit) {
    struct ng_arena *arena = &result->arena;
    struct ng_phase_result *phase = case_phase(result, "seq-write", "fio", "repo", 40, 3);
    for (int i = -1; i <= 1; i++) {
        struct ng_repeat *repeat = case_repeat(result, phase);
        double bw = median + spread * i;
        ng_repeat_measure(arena, repeat, &write_bw, bw);
        ng_repeat_measure(arena, repeat, &write_iops, bw / 1048576);
        ng_records_add(arena, &repeat->records, "fio", "3.33");
        ng_records_add(arena, &repeat->records, "direct I/O", i < 1 ? "yes" : "no (refused)");
        ng_records_add(arena, &repeat->records, "disks", "5");
        ng_records_add(arena, &repeat->records, "link.speed", "10 Gbit/s");
    }
    case_judged(result, phase, "write.bw >= 95% of baseline", NG_CMP_GE, NG_DIM_RATE, median, limit,
        (double)NAN);
    return phase;
}

static void case_read(struct ng_result *result) {
    struct ng_arena *arena = &result->arena;
    struct ng_phase_result *phase = case_phase(result, "rand-read", "fio", "repo", 48, 1);
    struct ng_repeat *repeat = case_repeat(result, phase);
    ng_repeat_measure(arena, repeat, &read_bw, 1391.0 * 4096);
    ng_repeat_measure(arena, repeat, &read_iops, 1391);
    ng_repeat_measure(arena, repeat, &read_p99, 0.0123);
    ng_records_add(arena, &repeat->records, "disks", "5");
    ng_repeat_find(arena, repeat, NG_FINDING_WARNING, "small-working-set",
        "the file of 2 GiB fits into the 62.7 GiB of RAM of backup");
    case_judged(result, phase, "read.iops > 1000", NG_CMP_GT, NG_DIM_IOPS, 1391, 1000, (double)NAN);
    case_judged(
        result, phase, "read.lat.p99 < 20 ms", NG_CMP_LT, NG_DIM_TIME, 0.0123, 0.020, (double)NAN);
    case_verdict(phase, NG_VERDICT_PASS, "all 2 thresholds hold");
}

#endif
