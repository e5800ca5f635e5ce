/* mtu_match: both ends of a link are configured with the same MTU, and with the one the plan
 * states. */
#include <inttypes.h>
#include <string.h>

#include "runner/base/buf.h"
#include "runner/base/units.h"
#include "runner/conditions/outcome.h"

struct params {
    const struct ng_link *link;
};

static const struct ng_field fields[] = {
    {.name = "link",
        .type = NG_FIELD_LINK,
        .offset = offsetof(struct params, link),
        .flags = NG_REQUIRED,
        .help = "the link whose two ends are compared"},
};

/* The names of all interfaces, so that a typing error is seen at once. */
static const char *names(const struct ng_facts *facts, struct ng_arena *arena) {
    struct ng_buf out;
    ng_buf_init(&out, 400);
    for (size_t i = 0; i < facts->netifs.count; i++) {
        ng_buf_addf(&out, "%s%s", i == 0 ? "" : ", ", facts->netifs.items[i].name);
    }
    const char *text = ng_arena_strdup(arena, ng_buf_text(&out));
    ng_buf_release(&out);
    return text;
}

static void look(struct ng_outcome *outcome, const char *where, const struct ng_netif *netif) {
    char speed[NG_QUANTITY_TEXT] = "unknown";
    if (netif->speed > 0) {
        ng_rate_format_bits((double)netif->speed / 8, speed);
    }
    ng_outcome_look(outcome, where, "mtu %s, speed %s, duplex %s, state %s",
        netif->mtu > 0 ? ng_arena_printf(outcome->site->arena, "%" PRId64, netif->mtu) : "unknown",
        speed, netif->duplex, netif->operstate);
}

/* The MTU of one end, or 0 after the reason was told. */
static int64_t mtu_of(struct ng_outcome *outcome, const struct ng_link_end *end) {
    const struct ng_facts *facts = ng_site_facts(outcome->site, end->at.host);
    const char *host = end->at.host->name;
    const char *where = ng_arena_printf(outcome->site->arena, "%s:%s", host, end->at.name);
    const struct ng_source *source = ng_frames_find(&facts->frames, "net");
    const struct ng_netif *netif = ng_netifs_find(&facts->netifs, end->at.name);
    if (netif == NULL && facts->netifs.cut != NULL) {
        ng_outcome_see(outcome, NG_UNKNOWN, "whether %s has %s is unknown: %s", host, where,
            facts->netifs.cut);
        ng_outcome_advise(
            outcome, "read it by hand on %s: ip link show dev %s", host, end->at.name);
        return 0;
    }
    if (netif == NULL && !ng_source_read(source)) {
        ng_outcome_see(outcome, NG_UNKNOWN, "the interfaces of %s are unknown: %s", host,
            ng_source_why(&facts->frames, source, "/sys/class/net", outcome->site->arena));
        ng_outcome_advise(
            outcome, "read it by hand on %s: ip link show dev %s", host, end->at.name);
        return 0;
    }
    if (netif == NULL) {
        ng_outcome_see(outcome, NG_BROKEN, "%s has no interface %s, only %s", host, end->at.name,
            names(facts, outcome->site->arena));
        ng_outcome_advise(outcome, "correct the end %s of the link", where);
        return 0;
    }
    look(outcome, where, netif);
    if (netif->mtu <= 0) {
        ng_outcome_see(outcome, NG_UNKNOWN, "the MTU of %s could not be read", where);
        ng_outcome_advise(
            outcome, "read it by hand on %s: ip link show dev %s", host, end->at.name);
        return 0;
    }
    return netif->mtu;
}

/* `count` is 1 where both ends are one and the same interface. */
static void compare(
    struct ng_outcome *outcome, const struct ng_link *link, const int64_t mtu[2], size_t count) {
    const struct ng_link_end *ends = link->ends;
    for (size_t i = 0; i < count; i++) {
        if (mtu[i] == 0) {
            continue;
        }
        bool wrong = (link->mtu > 0 && mtu[i] != link->mtu) ||
                     (link->mtu == 0 && mtu[1 - i] != 0 && mtu[0] != mtu[1]);
        ng_outcome_see(outcome, wrong ? NG_BROKEN : NG_HELD, "%s:%s has MTU %" PRId64,
            ends[i].at.host->name, ends[i].at.name, mtu[i]);
        if (wrong && link->mtu > 0) {
            ng_outcome_advise(outcome,
                "set it: \"ip link set dev %s mtu %" PRId64
                "\" on %s, and on what lies between; or correct the link's mtu",
                ends[i].at.name, link->mtu, ends[i].at.host->name);
        } else if (wrong) {
            ng_outcome_advise(outcome,
                "give both ends the same MTU, or state the link's mtu to say which is right");
        }
    }
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct ng_link *link = ((const struct params *)params)->link;
    const struct ng_link_end *ends = link->ends;
    bool one_host = ends[0].at.host == ends[1].at.host;
    size_t count = one_host && strcmp(ends[0].at.name, ends[1].at.name) == 0 ? 1 : 2;
    struct ng_outcome outcome = ng_outcome_begin(site, out, link->name,
        ng_arena_printf(site->arena, "/sys/class/net on %s%s%s", ends[0].at.host->name,
            one_host ? "" : " and ", one_host ? "" : ends[1].at.host->name));
    if (link->mtu > 0) {
        ng_outcome_expect(
            &outcome, "MTU %" PRId64 " configured on both ends of %s", link->mtu, link->name);
    } else {
        ng_outcome_expect(&outcome, "the same MTU configured on both ends of %s", link->name);
    }
    int64_t mtu[2] = {mtu_of(&outcome, &ends[0])};
    mtu[1] = count == 2 ? mtu_of(&outcome, &ends[1]) : mtu[0];
    compare(&outcome, link, mtu, count);
    ng_outcome_look(&outcome, "path", "%s",
        "not proven: this compares what both ends are configured with, not what passes between");
}

const struct ng_condition ng_condition_mtu_match = {
    .kind = {.record = {.name = "mtu_match",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct params),
                 .shorthand = "link",
                 .help = "both ends of a link are configured with the same MTU"}},
    .evaluate = evaluate,
};
