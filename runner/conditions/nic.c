/* nic: rings, offloads, pause and coalescing of a network card are set as the plan states. */
#include <inttypes.h>
#include <string.h>

#include "runner/conditions/outcome.h"

struct params {
    struct ng_interface interface;
    int64_t rx, tx; /* ring sizes; 0: not asked */
    struct ng_pairs offload, pause, coalesce;
};

#define RING_MAX 1048576

static const struct ng_field fields[] = {
    {.name = "interface",
        .type = NG_FIELD_INTERFACE,
        .offset = offsetof(struct params, interface),
        .flags = NG_REQUIRED,
        .help = "the interface that ethtool is asked of"},
    {.name = "rx",
        .type = NG_FIELD_INT,
        .offset = offsetof(struct params, rx),
        .min = 1,
        .max = RING_MAX,
        .help = "size of the receive ring (ethtool -g)"},
    {.name = "tx",
        .type = NG_FIELD_INT,
        .offset = offsetof(struct params, tx),
        .min = 1,
        .max = RING_MAX,
        .help = "size of the transmit ring"},
    {.name = "offload",
        .type = NG_FIELD_PAIRS,
        .offset = offsetof(struct params, offload),
        .help = "features, on or off, by their long or short names (ethtool -k): \"gro: on\""},
    {.name = "pause",
        .type = NG_FIELD_PAIRS,
        .offset = offsetof(struct params, pause),
        .help = "flow control in force, on or off (ethtool -a): rx, tx, autoneg"},
    {.name = "coalesce",
        .type = NG_FIELD_PAIRS,
        .offset = offsetof(struct params, coalesce),
        .help = "interrupt coalescing (ethtool -c): \"rx-usecs: 20\", \"adaptive-rx: off\""},
};

/* "on" and "off", however YAML writes them; NULL for anything else. */
static const char *switch_of(const char *value) {
    const bool on = strcmp(value, "on") == 0 || strcmp(value, "true") == 0;
    const bool off = strcmp(value, "off") == 0 || strcmp(value, "false") == 0;
    return on ? "on" : off ? "off" : NULL;
}

static void check_switches(
    const struct ng_pairs *pairs, const char *const *keys, struct ng_diags *diags) {
    for (size_t i = 0; i < pairs->count; i++) {
        const struct ng_pair *pair = &pairs->items[i];
        if (switch_of(pair->value) == NULL) {
            ng_diag_error(diags, pair->pos, "value", "%s: expected on or off, found %s", pair->key,
                ng_diag_quote(diags, pair->value));
        }
        bool known = keys == NULL;
        for (size_t j = 0; keys != NULL && keys[j] != NULL; j++) {
            known = known || strcmp(pair->key, keys[j]) == 0;
        }
        if (!known) {
            ng_diag_error(diags, pair->pos, "unknown-key",
                "pause: expected rx, tx or autoneg, found %s", ng_diag_quote(diags, pair->key));
        }
    }
}

static void check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    static const char *const pauses[] = {"rx", "tx", "autoneg", NULL};
    (void)plan;
    const struct params *given = params;
    check_switches(&given->offload, NULL, diags);
    check_switches(&given->pause, pauses, diags);
    if (given->rx == 0 && given->tx == 0 && given->offload.count == 0 && given->pause.count == 0 &&
        given->coalesce.count == 0) {
        ng_diag_error(diags, ng_field_place(node, "interface"), "missing-key",
            "nic asks for nothing: state rx, tx, offload, pause or coalesce");
    }
}

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    const struct params *given = params;
    ng_collect_needs_interface(
        &by_host[ng_site_index(plan, given->interface.host)], given->interface.name);
}

/** One wanted value: what it is called, what is there, how it is set. */
struct want {
    const char *what;  /* "ring rx" */
    const char *value; /* wanted */
    const char *found; /* NULL: the driver says nothing of it */
    const char *why;   /* then */
    const char *note;  /* "fixed", "requested on", or "" */
    const char *set;   /* "ethtool -G eth4 rx 4096" */
};

static void judge(struct ng_outcome *outcome, const char *where, const struct want *want) {
    if (want->found == NULL || strcmp(want->found, "n/a") == 0) {
        ng_outcome_see(outcome, NG_UNKNOWN, "%s of %s is unknown: %s", want->what, where,
            want->found != NULL ? "the driver does not have it" : want->why);
        ng_outcome_advise(outcome,
            "take it out of the plan if this card does not have it, or write \"unknown: allow\"");
        return;
    }
    const bool same = strcmp(want->found, want->value) == 0;
    struct ng_arena *arena = outcome->site->arena;
    const char *note = want->note[0] != '\0' ? ng_arena_printf(arena, " (%s)", want->note) : "";
    ng_outcome_look(outcome, want->what, "%s%s", want->found, note);
    ng_outcome_see(outcome, same ? NG_HELD : NG_BROKEN, "%s of %s is %s%s%s%s", want->what, where,
        want->found, note, same ? "" : ", not ", same ? "" : want->value);
    if (strcmp(want->note, "fixed") == 0) {
        ng_outcome_advise(outcome, "the driver does not let it be changed: correct the plan");
    } else {
        ng_outcome_advise(outcome, "set it: %s", want->set);
    }
}

/** What all wants of one condition share. */
struct card {
    struct ng_outcome *outcome;
    struct ng_arena *arena;
    const struct ng_nic *nic;
    const char *interface;
    const char *where;
};

static void judge_ring(const struct card *card, const char *key, int64_t size) {
    if (size == 0) {
        return;
    }
    const char *most = ng_nic_value(&card->nic->ring_maximums, key);
    const struct want want = {
        .what = ng_arena_printf(card->arena, "ring %s", key),
        .value = ng_arena_printf(card->arena, "%" PRId64, size),
        .found = ng_nic_value(&card->nic->rings, key),
        .why = card->nic->rings.why != NULL ? card->nic->rings.why : "it is not printed",
        .note = most != NULL ? ng_arena_printf(card->arena, "at most %s", most) : "",
        .set =
            ng_arena_printf(card->arena, "ethtool -G %s %s %" PRId64, card->interface, key, size),
    };
    judge(card->outcome, card->where, &want);
}

static void judge_offload(const struct card *card, const struct ng_pair *pair) {
    const char *name = ng_feature_name(pair->key);
    const struct ng_nic_item *item = ng_nic_item(&card->nic->features, name);
    const struct want want = {
        .what = name,
        .value = switch_of(pair->value) != NULL ? switch_of(pair->value) : pair->value,
        .found = item != NULL ? item->value : NULL,
        .why =
            card->nic->features.why != NULL ? card->nic->features.why : "there is no such feature",
        .note = item != NULL ? item->note : "",
        .set =
            ng_arena_printf(card->arena, "ethtool -K %s %s %s", card->interface, name, pair->value),
    };
    judge(card->outcome, card->where, &want);
}

/* Where the ends negotiate, what they want is not what is in force. */
static void judge_pause(const struct card *card, const struct ng_pair *pair) {
    const struct ng_nic_list *list = &card->nic->pause;
    const bool whole = strcmp(pair->key, "autoneg") == 0;
    const char *autoneg = ng_nic_value(list, "autonegotiate");
    const char *negotiated =
        ng_nic_value(list, ng_arena_printf(card->arena, "%s-negotiated", pair->key));
    const char *wish = ng_nic_value(list, pair->key);
    const bool agreed = autoneg != NULL && strcmp(autoneg, "on") == 0 && negotiated != NULL;
    const struct want want = {
        .what = ng_arena_printf(card->arena, "pause %s", pair->key),
        .value = switch_of(pair->value) != NULL ? switch_of(pair->value) : pair->value,
        .found = whole    ? autoneg
                 : agreed ? negotiated
                          : wish,
        .why = list->why != NULL ? list->why : "it is not printed",
        .note = agreed && !whole && wish != NULL && strcmp(wish, negotiated) != 0
                    ? ng_arena_printf(card->arena, "%s wanted, the other end does not agree", wish)
                    : "",
        .set = ng_arena_printf(
            card->arena, "ethtool -A %s %s %s", card->interface, pair->key, pair->value),
    };
    judge(card->outcome, card->where, &want);
}

static void judge_coalesce(const struct card *card, const struct ng_pair *pair) {
    const char *plain = switch_of(pair->value);
    const struct want want = {
        .what = ng_arena_printf(card->arena, "coalesce %s", pair->key),
        .value = plain != NULL ? plain : pair->value,
        .found = ng_nic_value(&card->nic->coalesce, pair->key),
        .why = card->nic->coalesce.why != NULL ? card->nic->coalesce.why : "there is no such value",
        .note = "",
        .set = ng_arena_printf(
            card->arena, "ethtool -C %s %s %s", card->interface, pair->key, pair->value),
    };
    judge(card->outcome, card->where, &want);
}

static void judge_all(const struct card *card, const struct params *given) {
    judge_ring(card, "rx", given->rx);
    judge_ring(card, "tx", given->tx);
    for (size_t i = 0; i < given->offload.count; i++) {
        judge_offload(card, &given->offload.items[i]);
    }
    for (size_t i = 0; i < given->pause.count; i++) {
        judge_pause(card, &given->pause.items[i]);
    }
    for (size_t i = 0; i < given->coalesce.count; i++) {
        judge_coalesce(card, &given->coalesce.items[i]);
    }
}

static const char *pairs_words(
    struct ng_arena *arena, const char *before, const char *what, const struct ng_pairs *pairs) {
    const char *text = before;
    for (size_t i = 0; i < pairs->count; i++) {
        text = ng_arena_printf(arena, "%s%s%s%s %s", text, *text != '\0' ? ", " : "", what,
            pairs->items[i].key, pairs->items[i].value);
    }
    return text;
}

static const char *expectation(struct ng_arena *arena, const struct params *given) {
    const char *text = "";
    if (given->rx > 0) {
        text = ng_arena_printf(arena, "ring rx %" PRId64, given->rx);
    }
    if (given->tx > 0) {
        text = ng_arena_printf(
            arena, "%s%sring tx %" PRId64, text, *text != '\0' ? ", " : "", given->tx);
    }
    text = pairs_words(arena, text, "", &given->offload);
    text = pairs_words(arena, text, "pause ", &given->pause);
    return pairs_words(arena, text, "coalesce ", &given->coalesce);
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct params *given = params;
    const struct ng_host *host = given->interface.host;
    const struct ng_facts *facts = ng_site_facts(site, host);
    const char *name = given->interface.name;
    const char *where = ng_arena_printf(site->arena, "%s:%s", host->name, name);
    struct ng_outcome outcome = ng_outcome_begin(
        site, out, where, ng_arena_printf(site->arena, "ethtool on %s", host->name));
    ng_outcome_expect(&outcome, "%s: %s", where, expectation(site->arena, given));
    const struct ng_nic *nic = ng_nics_find(&facts->nics, name);
    if (facts->ethtool_why != NULL) {
        ng_outcome_see(
            &outcome, NG_UNKNOWN, "%s cannot be looked at: %s", where, facts->ethtool_why);
        ng_outcome_advise(&outcome, "install ethtool on %s", host->name);
    } else if (nic == NULL && ng_source_read(ng_frames_find(&facts->frames, "net")) &&
               ng_netifs_find(&facts->netifs, name) == NULL) {
        ng_outcome_see(&outcome, NG_BROKEN, "%s has no interface %s", host->name, name);
        ng_outcome_advise(&outcome, "correct the name: ip link on %s lists them", host->name);
    } else if (nic == NULL) {
        ng_outcome_see(&outcome, NG_UNKNOWN, "%s was not looked at", where);
        ng_outcome_advise(&outcome, "look by hand on %s: ethtool %s", host->name, name);
    } else {
        const struct card card = {&outcome, site->arena, nic, name, where};
        judge_all(&card, given);
    }
}

const struct ng_condition ng_condition_nic = {
    .kind = {.record = {.name = "nic",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct params),
                 .shorthand = "interface",
                 .help = "rings, offloads, pause and coalescing of a network card"},
        .check = check},
    .reads = NG_GROUP_CARDS | NG_GROUP_INTERFACES,
    .needs = needs,
    .evaluate = evaluate,
};
