/* Pings as probes. */
#include "runner/conditions/ping_ask.h"

#include <inttypes.h>
#include <string.h>

#include "runner/base/clock.h"

/* Three packets, 0.2 s apart, and a second for the last answer; the rest is for a slow start. */
#define PING_NS (8 * NG_NS_PER_S)

/* "ping 10.0.0.2", "proof 8972 10.0.0.2", "try 1472 10.0.0.2" */
static const char *name_of(
    struct ng_arena *arena, const char *kind, const char *address, int64_t size) {
    return ng_arena_printf(arena, "%s %" PRId64 " %s", kind, size, address);
}

void ng_want_ping(struct ng_probe_list *wanted, const struct ng_host *host, const char *address) {
    const char *const argv[] = {"ping", "-n", "-c", "3", "-i", "0.2", "-W", "1", address, NULL};
    ng_probe_want(wanted, host, ng_arena_printf(wanted->arena, "ping %s", address), PING_NS, argv);
}

void ng_want_proof(
    struct ng_probe_list *wanted, const struct ng_host *host, const char *address, int64_t size) {
    const char *bytes = ng_arena_printf(wanted->arena, "%" PRId64, size);
    const char *const argv[] = {
        "ping", "-n", "-c", "3", "-i", "0.2", "-W", "1", "-M", "do", "-s", bytes, address, NULL};
    ng_probe_want(wanted, host, name_of(wanted->arena, "proof", address, size), PING_NS, argv);
}

void ng_want_try(
    struct ng_probe_list *wanted, const struct ng_host *host, const char *address, int64_t size) {
    const char *bytes = ng_arena_printf(wanted->arena, "%" PRId64, size);
    const char *const argv[] = {
        "ping", "-n", "-c", "1", "-W", "1", "-M", "do", "-s", bytes, address, NULL};
    ng_probe_want(wanted, host, name_of(wanted->arena, "try", address, size), PING_NS, argv);
}

bool ng_try_size(const char *name, const char *address, int64_t *size) {
    static const char head[] = "try ";
    int64_t value = 0;
    if (strncmp(name, head, strlen(head)) != 0) {
        return false;
    }
    const char *at = name + strlen(head);
    for (; *at >= '0' && *at <= '9' && value < 1000000; at++) {
        value = value * 10 + (*at - '0');
    }
    *size = value;
    return *at == ' ' && strcmp(at + 1, address) == 0;
}

static bool said(const struct ng_condition_site *site, const struct ng_host *host, const char *name,
    struct ng_ping_probe *probe, const char **why) {
    const struct ng_probe_result *result = ng_probe_find(site->probes, host, name);
    *why = result != NULL ? result->failed : NULL;
    if (result == NULL || result->failed != NULL) {
        return false;
    }
    ng_ping_probe_read(
        probe, site->arena, result->out, result->out_len, result->err, result->err_len);
    return true;
}

bool ng_ping_said(const struct ng_condition_site *site, const struct ng_host *host,
    const char *address, struct ng_ping_probe *probe, const char **why) {
    return said(site, host, ng_arena_printf(site->arena, "ping %s", address), probe, why);
}

bool ng_proof_said(const struct ng_condition_site *site, const struct ng_host *host,
    const char *address, int64_t size, struct ng_ping_probe *probe, const char **why) {
    return said(site, host, name_of(site->arena, "proof", address, size), probe, why);
}

bool ng_try_said(const struct ng_condition_site *site, const struct ng_host *host,
    const char *address, int64_t size, struct ng_ping_probe *probe, const char **why) {
    return said(site, host, name_of(site->arena, "try", address, size), probe, why);
}
