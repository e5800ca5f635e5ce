/* The proof that packets of a link's MTU pass from one end to the other. */
#include "runner/conditions/mtu_path.h"

#include <inttypes.h>
#include <string.h>

#include "runner/conditions/mtu_own.h"
#include "runner/conditions/mtu_search.h"
#include "runner/conditions/ping_ask.h"

enum { SMALL = 56 }; /* bytes of payload that pass everywhere */

/** One direction while it is looked at. */
struct way {
    const struct ng_condition_site *site;
    const struct ng_end *from, *to;
    int64_t mtu;
    int64_t headers;  /* bytes that a payload does not have */
    const char *name; /* "client to nas" */
    const struct ng_route *route;
};

static struct way way_of(const struct ng_condition_site *site, const struct ng_end *from,
    const struct ng_end *to, int64_t mtu) {
    return (struct way){.site = site,
        .from = from,
        .to = to,
        .mtu = mtu,
        .headers = to->address != NULL && strchr(to->address, ':') != NULL ? 48 : 28,
        .name = ng_arena_printf(site->arena, "%s to %s", from->host->name, to->host->name),
        .route = ng_end_route(site, from, to)};
}

enum fate { FATE_UNKNOWN, FATE_PASSES, FATE_FAILS, FATE_SOME };

/** What is known of packets of one size. */
struct size {
    enum fate fate;
    const char *why; /* of UNKNOWN */
    struct ng_ping_probe ping;
    enum ng_own own;
    int64_t refused; /* the MTU that a refusal named; 0: none */
};

/* What ping says; answers need the way back as well. */
static enum fate ping_fate(struct size *size) {
    if (size->ping.no_option) {
        size->why = "its ping has no -M, so it cannot forbid fragments";
        return FATE_UNKNOWN;
    }
    if (ng_ping_probe_all(&size->ping)) {
        return FATE_PASSES;
    }
    if (ng_ping_probe_none(&size->ping)) {
        return FATE_FAILS;
    }
    if (size->ping.answers > 0) {
        return FATE_SOME;
    }
    size->why = size->ping.message != NULL ? size->ping.message : "ping printed no counts";
    return FATE_UNKNOWN;
}

/* `mtu` 0 is the small one. */
static struct size size_of(const struct way *way, int64_t mtu) {
    struct size size = {.fate = FATE_UNKNOWN, .ping = {.sent = -1, .answers = -1}};
    const struct ng_host *host = way->from->host;
    const char *address = way->to->address;
    const int64_t payload = mtu == 0 ? SMALL : mtu - way->headers;
    int64_t told = 0;
    const bool said = mtu == 0
                          ? ng_ping_said(way->site, host, address, &size.ping, &size.why)
                          : ng_proof_said(way->site, host, address, payload, &size.ping, &size.why);
    if (said) {
        size.fate = ping_fate(&size);
    } else if (size.why == NULL) {
        size.why = "it was not asked";
    }
    size.own = ng_own_said(way->site, host, address, payload, &told);
    size.refused = size.ping.mtu > 0 ? size.ping.mtu : told;
    return size;
}

/* The path MTU that the kernel remembers from before the probes, and that is too small; else 0.
 * What ping says then is what it remembers, not what the path does. */
static int64_t remembered(const struct way *way) {
    const struct ng_route *route = way->route;
    return route->learned && route->mtu > 0 && route->mtu < way->mtu ? route->mtu : 0;
}

/* Both kinds of probe together. Our own one proves the way there alone, and its silence counts only
 * where a small one is answered. */
static enum fate fate_of(const struct way *way, const struct size *size) {
    const bool heard = size_of(way, 0).own == NG_OWN_PASSES;
    if (size->fate == FATE_PASSES || size->own == NG_OWN_PASSES) {
        return FATE_PASSES;
    }
    if (size->own == NG_OWN_TOO_LONG || (size->own == NG_OWN_SILENT && heard)) {
        return FATE_FAILS;
    }
    return size->fate;
}

static struct ng_mtu_search search_of(const struct way *way, const struct size *full) {
    struct ng_mtu_search search = {
        .passes = NG_MTU_LEAST, .fails = way->mtu, .hint = full->refused};
    const struct ng_probe_results *results = way->site->probes;
    for (size_t i = 0; results != NULL && i < results->count; i++) {
        const struct ng_probe_result *result = &results->items[i];
        struct ng_ping_probe ping;
        const char *why;
        int64_t payload;
        if (result->host == way->from->host &&
            ng_try_size(result->name, way->to->address, &payload)) {
            const bool passed =
                ng_try_said(way->site, result->host, way->to->address, payload, &ping, &why) &&
                ping.answers > 0;
            ng_mtu_search_tell(&search, payload + way->headers, passed);
        }
    }
    return search;
}

static void want_own(const struct way *way, struct ng_probe_list *wanted, int64_t payload) {
    ng_own_want(wanted, way->from->host, way->to->address, payload);
}

void ng_mtu_path_probes(const struct ng_condition_site *site, const struct ng_end *from,
    const struct ng_end *to, int64_t mtu, struct ng_probe_list *wanted) {
    if (to->address == NULL || from->facts->reason != NULL) {
        return;
    }
    if (!ng_route_was_asked(site, from, to)) {
        ng_want_route(site, wanted, from, to); /* first: probes change what a kernel remembers */
        return;
    }
    const struct way way = way_of(site, from, to, mtu);
    const enum ng_way kind = ng_end_way(from, way.route);
    if (kind != NG_WAY_LINK && kind != NG_WAY_UNKNOWN) {
        return;
    }
    ng_want_ping(wanted, from->host, to->address);
    want_own(&way, wanted, SMALL);
    const enum fate small = size_of(&way, 0).fate;
    if (small != FATE_PASSES && small != FATE_SOME && size_of(&way, 0).own != NG_OWN_PASSES) {
        return;
    }
    ng_want_proof(wanted, from->host, to->address, mtu - way.headers);
    ng_want_proof(wanted, from->host, to->address, mtu + 1 - way.headers);
    want_own(&way, wanted, mtu - way.headers);
    want_own(&way, wanted, mtu + 1 - way.headers);
    const struct size full = size_of(&way, mtu);
    if (fate_of(&way, &full) == FATE_FAILS && full.fate == FATE_FAILS && remembered(&way) == 0) {
        const struct ng_mtu_search search = search_of(&way, &full);
        int64_t next[NG_MTU_AT_ONCE];
        const size_t count = ng_mtu_search_next(&search, next);
        for (size_t i = 0; i < count; i++) {
            ng_want_try(wanted, from->host, to->address, next[i] - way.headers);
        }
    }
}

static struct ng_mtu_path say(enum ng_proof proof, const char *seen, const char *remedy) {
    return (struct ng_mtu_path){.proof = proof, .seen = seen, .remedy = remedy};
}

/* What stands in the way of any proof; false when nothing does. */
static bool hindered(const struct way *way, struct ng_mtu_path *out) {
    struct ng_arena *arena = way->site->arena;
    if (way->from->facts->reason != NULL) {
        *out = say(NG_PROOF_UNKNOWN,
            ng_arena_printf(arena, "%s: not proven: %s", way->name, way->from->facts->reason),
            ng_arena_printf(arena, "see why %s cannot be asked", way->from->host->name));
        return true;
    }
    if (way->to->address == NULL) {
        *out = say(NG_PROOF_UNKNOWN,
            ng_arena_printf(arena, "%s: not proven: the address of %s is unknown: %s", way->name,
                way->to->where, way->to->address_why),
            ng_arena_printf(arena, "state the address of %s in the link's ends", way->to->where));
        return true;
    }
    const enum ng_way kind = ng_end_way(way->from, way->route);
    if (kind == NG_WAY_LINK || kind == NG_WAY_UNKNOWN) {
        return false;
    }
    *out = say(NG_PROOF_UNKNOWN,
        ng_arena_printf(arena,
            "%s: not proven: traffic to %s does not take the link (%s), so probes say nothing of "
            "it",
            way->name, way->to->address, ng_route_words(arena, way->route)),
        ng_arena_printf(arena, "correct the route: \"ip route get %s\" on %s must name %s",
            way->to->address, way->from->host->name, way->from->interface));
    return true;
}

/* Even small packets are not answered: nothing can be told apart. */
static bool deaf(const struct way *way, struct ng_mtu_path *out) {
    const struct size small = size_of(way, 0);
    if (small.fate == FATE_PASSES || small.fate == FATE_SOME || small.own == NG_OWN_PASSES) {
        return false;
    }
    struct ng_arena *arena = way->site->arena;
    const char *why = small.ping.message != NULL ? small.ping.message
                      : small.why != NULL        ? small.why
                                                 : "even a small ping was not answered";
    *out = say(NG_PROOF_UNKNOWN, ng_arena_printf(arena, "%s: not proven: %s", way->name, why),
        ng_arena_printf(arena,
            "see that \"ping %s\" works on %s: install iputils-ping there, and let %s answer echo "
            "requests",
            way->to->address, way->from->host->name, way->to->host->name));
    return true;
}

static struct ng_mtu_path fails(const struct way *way, const struct size *full) {
    struct ng_arena *arena = way->site->arena;
    const struct ng_mtu_search search = search_of(way, full);
    const char *who =
        full->ping.reporter != NULL ? ng_arena_printf(arena, ", %s says so", full->ping.reporter)
        : full->ping.local
            ? ng_arena_printf(arena, ", %s itself refuses them", way->from->host->name)
        : full->own == NG_OWN_TOO_LONG ? ""
                                       : ", they vanish without a word";
    const char *passes = search.passes > NG_MTU_LEAST
                             ? ng_arena_printf(arena, "%" PRId64 " do", search.passes)
                             : "how much passes was not found";
    return say(NG_PROOF_NO,
        ng_arena_printf(arena, "%s: packets of %" PRId64 " bytes do not pass%s; %s", way->name,
            way->mtu, who, passes),
        ng_arena_printf(arena,
            "let every switch and bridge between %s and %s pass %" PRId64
            " bytes (switches often want 9216), or correct the link's mtu",
            way->from->where, way->to->where, way->mtu));
}

static struct ng_mtu_path larger_pass(const struct way *way) {
    return say(NG_PROOF_NO,
        ng_arena_printf(way->site->arena,
            "%s: packets of %" PRId64 " bytes pass as well, whole: the MTU is larger than %" PRId64,
            way->name, way->mtu + 1, way->mtu),
        ng_arena_printf(
            way->site->arena, "see what MTU the path really has, and state it as the link's mtu"));
}

static struct ng_mtu_path forgetful(const struct way *way, int64_t mtu) {
    struct ng_arena *arena = way->site->arena;
    return say(NG_PROOF_UNKNOWN,
        ng_arena_printf(arena,
            "%s: not proven: %s remembers a path MTU of %" PRId64
            " from earlier traffic, for %" PRId64 " s more",
            way->name, way->from->host->name, mtu, way->route->expires_s),
        ng_arena_printf(arena,
            "run \"ip route flush cache\" as root on %s, or wait: the remembered value also slows "
            "the tests down",
            way->from->host->name));
}

struct ng_mtu_path ng_mtu_path_judge(const struct ng_condition_site *site,
    const struct ng_end *from, const struct ng_end *to, int64_t mtu) {
    const struct way way = way_of(site, from, to, mtu);
    struct ng_mtu_path out;
    if (hindered(&way, &out) || deaf(&way, &out)) {
        return out;
    }
    const struct size full = size_of(&way, mtu);
    const struct size over = size_of(&way, mtu + 1);
    const enum fate fate = fate_of(&way, &full);
    const enum fate beyond = fate_of(&way, &over);
    if (full.fate != FATE_PASSES && full.own == NG_OWN_UNKNOWN && remembered(&way) > 0) {
        return forgetful(&way, remembered(&way));
    }
    if (fate == FATE_FAILS) {
        return fails(&way, &full);
    }
    if (beyond == FATE_PASSES || beyond == FATE_SOME) {
        return larger_pass(&way);
    }
    struct ng_arena *arena = site->arena;
    const char *install = ng_arena_printf(arena,
        "install iputils-ping on %s; or write \"directions: one\" if the other one is enough",
        from->host->name);
    if (fate == FATE_SOME) {
        return say(NG_PROOF_UNKNOWN,
            ng_arena_printf(arena,
                "%s: not proven: %d of %d packets of %" PRId64
                " bytes came back: the path loses packets",
                way.name, full.ping.answers, full.ping.sent, mtu),
            "find the loss: the counters of both ends and of the switch tell where");
    }
    if (fate == FATE_UNKNOWN || beyond == FATE_UNKNOWN) {
        return say(NG_PROOF_UNKNOWN,
            ng_arena_printf(
                arena, "%s: not proven: %s", way.name, fate == FATE_UNKNOWN ? full.why : over.why),
            install);
    }
    return say(NG_PROOF_YES,
        ng_arena_printf(arena, "%s: packets of %" PRId64 " bytes pass whole, larger ones do not%s",
            way.name, mtu,
            full.fate == FATE_FAILS ? " (but answers of that size do not come back)" : ""),
        NULL);
}
