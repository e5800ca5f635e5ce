/**
 * fio_lab.h - for tests of the fio engine: documents as fio prints them, and whole sets of replies.
 */
#ifndef NG_TESTS_ENGINES_FIO_LAB_H
#define NG_TESTS_ENGINES_FIO_LAB_H

#include "tests/unit/engines/lab.h"

#include "runner/base/jsonscan.h"
#include "runner/engines/fio.h"

#define WRITE "{volume: repo, rw: write, bs: 1 MiB, size: 1000 MiB}"
#define MEBI 1048576.0
#define WRITTEN(b, n, ms) .write = {.bytes = (b), .ios = (n), .runtime_ms = (ms)}

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

static inline const char *side_text(
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

static inline const char *document(
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
static inline size_t replies_of(struct lab *lab, struct ng_reply replies[NG_COMMANDS_MAX],
    int status, const char *out, const char *err) {
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

static inline bool parse(struct lab *lab, int status, const char *out, const char *err) {
    struct ng_reply replies[NG_COMMANDS_MAX];
    size_t count = replies_of(lab, replies, status, out, err);
    return lab_parse(lab, replies, count);
}

#endif
