/* fuzz_iperf3.c - any bytes as iperf3's output must give a result or an error, never harm. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runner/engines/iperf3.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct ng_host host = {.name = "host"};
    static const struct ng_link link = {.name = "link",
        .ends = {{{&host, "lo"}, "127.0.0.1"}, {{&host, "lo"}, "127.0.0.1"}},
        .speed = 1000};
    const struct ng_iperf3_params params = {
        .link = &link, .streams = 1, .time_ns = 1000000000, .udp = size > 0 && (data[0] & 1)};
    const struct ng_phase phase = {.name = "p", .kind = &ng_iperf3.kind, .params = &params};
    struct ng_arena arena = {0};
    const struct ng_site site = {.arena = &arena, .phase = &phase, .repeat = 1, .attempt = 1};
    const struct ng_commands commands = {0};
    char *out = malloc(size + 1);
    if (out == NULL) {
        return 0;
    }
    memcpy(out, data, size);
    out[size] = '\0';
    /* both ends say the same: the server's document is read as well */
    const struct ng_reply reply = {.how = NG_ENDED_EXITED, .out = out, .out_len = size};
    const struct ng_reply replies[] = {reply, reply};
    struct ng_repeat repeat = {0};
    struct ng_err err = {0};
    bool transient = false;
    ng_iperf3_parse(&site, &commands, replies, 2, &repeat, &transient, &err);
    free(out);
    ng_arena_release(&arena);
    return 0;
}
