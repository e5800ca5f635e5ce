/* Pings as probes. */
#include "runner/conditions/ping_ask.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runner/base/clock.h"

/* Three packets, 0.2 s apart, and a second for the last answer; the rest is for a slow start. */
#define PING_NS (8 * NG_NS_PER_S)

static const char *ping_name(struct ng_arena *arena, const char *address, int64_t size) {
    return size > 0 ? ng_arena_printf(arena, "ping %" PRId64 " %s", size, address)
                    : ng_arena_printf(arena, "ping %s", address);
}

void ng_want_ping(
    struct ng_probe_list *wanted, const struct ng_host *host, const char *address, int64_t size) {
    const char *bytes = ng_arena_printf(wanted->arena, "%" PRId64, size);
    const char *const small[] = {"ping", "-n", "-c", "3", "-i", "0.2", "-W", "1", address, NULL};
    const char *const whole[] = {
        "ping", "-n", "-c", "3", "-i", "0.2", "-W", "1", "-M", "do", "-s", bytes, address, NULL};
    ng_probe_want(
        wanted, host, ping_name(wanted->arena, address, size), PING_NS, size > 0 ? whole : small);
}

bool ng_ping_said(const struct ng_condition_site *site, const struct ng_host *host,
    const char *address, int64_t size, struct ng_ping_probe *probe, const char **why) {
    const struct ng_probe_result *said =
        ng_probe_find(site->probes, host, ping_name(site->arena, address, size));
    *why = said != NULL ? said->failed : NULL;
    if (said == NULL || said->failed != NULL) {
        return false;
    }
    ng_ping_probe_read(probe, site->arena, said->out, said->out_len, said->err, said->err_len);
    return true;
}

bool ng_ping_size_of(const char *name, const char *address, int64_t *size) {
    static const char head[] = "ping ";
    int64_t value = 0;
    if (strncmp(name, head, strlen(head)) != 0) {
        return false;
    }
    const char *at = name + strlen(head);
    for (; *at >= '0' && *at <= '9' && value < 1000000; at++) {
        value = value * 10 + (*at - '0');
    }
    *size = value;
    return value > 0 && *at == ' ' && strcmp(at + 1, address) == 0;
}
