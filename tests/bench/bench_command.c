/* Runs a command N times through record -> local, one after the other, and prints seconds per
 * command. */
#include <stdio.h>
#include <stdlib.h>

#include "runner/base/files.h"
#include "runner/process/loop.h"
#include "runner/transport/local.h"
#include "runner/transport/record.h"

struct bench {
    struct ng_transport *transport;
    struct ng_request request;
    long left;
    bool failed;
};

static void submit(struct bench *bench);

static void ended(void *context, struct ng_reply *reply) {
    struct bench *bench = context;
    if (reply->how != NG_ENDED_EXITED || reply->status != 0) {
        fprintf(stderr, "the command %s: %s\n", ng_ended_word(reply->how), reply->why);
        bench->failed = true;
    }
    ng_reply_release(reply);
    bench->left--;
    if (bench->left > 0 && !bench->failed) {
        submit(bench);
    }
}

static void submit(struct bench *bench) {
    const struct ng_call_events events = {.ended = ended, .context = bench};
    ng_transport_submit(bench->transport, &bench->request, &events);
}

static bool done(void *context) {
    const struct bench *bench = context;
    return bench->left <= 0 || bench->failed;
}

static bool measure(long count, const char *const *argv, const char *dir, struct ng_err *err) {
    const struct ng_clock clock = ng_clock_real();
    struct ng_loop *loop = ng_loop_new(err);
    if (loop == NULL) {
        return false;
    }
    struct ng_transport *local = ng_local_new(loop, "bench", err);
    const struct ng_evidence_head head = {.run_id = "bench", .seed = 1};
    struct ng_transport *record =
        local != NULL ? ng_record_new(local, dir, &head, &clock, ng_clock_mono(&clock), err) : NULL;
    bool ok = record != NULL;
    if (ok) {
        struct bench bench = {
            .transport = record,
            .request = {.host = "here",
                .purpose = "bench",
                .argv = argv,
                .deadline_ns = 60 * NG_NS_PER_S},
            .left = count,
        };
        const int64_t start = ng_clock_mono(&clock);
        submit(&bench);
        ng_loop_run(loop, done, &bench);
        const int64_t end = ng_clock_mono(&clock);
        ok = !bench.failed && !ng_record_failed(record, err);
        printf("%.9f\n", (double)(end - start) / (double)NG_NS_PER_S / (double)count);
        ng_transport_free(record);
    }
    ng_loop_free(loop);
    return ok;
}

int main(int argc, char **argv) {
    struct ng_err err = {0};
    if (argc < 4) {
        fprintf(stderr, "usage: bench_command COUNT EMPTY-FOLDER COMMAND [ARGUMENT ...]\n");
        return 2;
    }
    const long count = strtol(argv[1], NULL, 10);
    if (count < 1 || count > 100000) {
        fprintf(stderr, "COUNT is 1 .. 100000\n");
        return 2;
    }
    if (!measure(count, (const char *const *)&argv[3], argv[2], &err)) {
        fprintf(stderr, "bench_command: %s\n", err.text);
        return 1;
    }
    return 0;
}
