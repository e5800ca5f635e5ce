/* Our own probe of a path, on hosts that are the runner's machine. */
#include "runner/conditions/mtu_own.h"

#include <inttypes.h>
#include <string.h>

#include "runner/base/clock.h"
#include "runner/facts/scan.h"

#define OWN_NS (8 * NG_NS_PER_S)

static const char *name_of(struct ng_arena *arena, const char *address, int64_t size) {
    return ng_arena_printf(arena, "udp %" PRId64 " %s", size, address);
}

void ng_own_want(
    struct ng_probe_list *wanted, const struct ng_host *host, const char *address, int64_t size) {
    if (host->via != NG_VIA_LOCAL || strchr(address, '%') != NULL) {
        return;
    }
    /* The kernel's word for the program that starts it: this very one, wherever it lies. */
    const char *const argv[] = {"/proc/self/exe", "probe-mtu", address,
        ng_arena_printf(wanted->arena, "%" PRId64, size), NULL};
    ng_probe_want(wanted, host, name_of(wanted->arena, address, size), OWN_NS, argv);
}

enum ng_own ng_own_said(const struct ng_condition_site *site, const struct ng_host *host,
    const char *address, int64_t size, int64_t *mtu) {
    const struct ng_probe_result *said =
        ng_probe_find(site->probes, host, name_of(site->arena, address, size));
    *mtu = 0;
    if (said == NULL || said->failed != NULL) {
        return NG_OWN_UNKNOWN;
    }
    struct ng_span rest = ng_span(said->out, said->out_len);
    struct ng_span line, word;
    if (!ng_span_line(&rest, &line) || !ng_span_word(&line, &word)) {
        return NG_OWN_UNKNOWN;
    }
    if (ng_span_is(word, "too-long")) {
        struct ng_span number;
        if (!ng_span_word(&line, &number) || !ng_span_int(number, mtu)) {
            *mtu = 0;
        }
        return NG_OWN_TOO_LONG;
    }
    return ng_span_is(word, "passes")   ? NG_OWN_PASSES
           : ng_span_is(word, "silent") ? NG_OWN_SILENT
                                        : NG_OWN_UNKNOWN;
}
