/* page_cache: the page cache of named hosts can be dropped before phases. */
#include "runner/conditions/page_cache.h"

#include <string.h>

#include "runner/conditions/outcome.h"
#include "runner/facts/host.h"
#include "runner/facts/scan.h"

static const char *const drops[] = {"before-phase", "before-repeat", NULL};

static const struct ng_field fields[] = {
    {.name = "hosts",
        .type = NG_FIELD_TEXTS,
        .offset = offsetof(struct ng_page_cache_params, hosts),
        .flags = NG_REQUIRED,
        .help = "the hosts whose page cache is dropped: usually client and server; needs root, or "
                "privilege: sudo"},
    {.name = "drop",
        .type = NG_FIELD_CHOICE,
        .offset = offsetof(struct ng_page_cache_params, drop),
        .choices = drops,
        .fallback = "before-phase",
        .help = "when: before the first repeat of a phase, or before each of them"},
    {.name = "phases",
        .type = NG_FIELD_TEXTS,
        .offset = offsetof(struct ng_page_cache_params, phases),
        .help = "before these phases only; without it before all that work on a volume"},
};

const char ng_page_cache_script[] =
    "cached() { while read -r key value rest; do [ \"$key\" = Cached: ] || continue\n"
    "echo \"$1 $value\"; return; done </proc/meminfo; }\n"
    "cached before; sync; echo 3 >/proc/sys/vm/drop_caches && echo dropped; cached after";

struct ng_page_dropped ng_page_cache_read(const char *text, size_t len) {
    struct ng_page_dropped out = {.before = -1, .after = -1};
    struct ng_span rest = ng_span(text, len), line, key;
    while (ng_span_line(&rest, &line)) {
        int64_t kib;
        if (!ng_span_word(&line, &key)) {
            continue;
        }
        out.dropped = out.dropped || ng_span_is(key, "dropped");
        if (ng_span_int(ng_span_trim(line), &kib) && kib >= 0 && kib <= INT64_MAX / 1024) {
            out.before = ng_span_is(key, "before") ? kib * 1024 : out.before;
            out.after = ng_span_is(key, "after") ? kib * 1024 : out.after;
        }
    }
    return out;
}

bool ng_page_cache_applies(
    const struct ng_page_cache_params *params, const struct ng_phase *phase, int repeat) {
    bool named = params->phases.count == 0 && phase->kind->volume != NULL &&
                 phase->kind->volume(phase->params) != NULL;
    for (size_t i = 0; i < params->phases.count; i++) {
        named = named || strcmp(params->phases.items[i], phase->name) == 0;
    }
    return named && (repeat == 1 || params->drop == NG_PAGE_BEFORE_REPEAT);
}

static void check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    (void)node;
    const struct ng_texts *hosts = &((const struct ng_page_cache_params *)params)->hosts;
    for (size_t i = 0; i < hosts->count; i++) {
        if (ng_plan_host(plan, hosts->items[i]) == NULL) {
            ng_diag_error(diags, hosts->places[i], "unknown-name", "hosts: unknown host %s",
                ng_diag_quote(diags, hosts->items[i]));
        }
    }
}

static void judge_host(struct ng_outcome *outcome, const struct ng_host *host) {
    const struct ng_facts *facts = ng_site_facts(outcome->site, host);
    struct ng_arena *arena = outcome->site->arena;
    ng_outcome_look(outcome, ng_arena_printf(arena, "page cache of %s", host->name),
        "memory %s, of which %s cached",
        facts->ram > 0 ? ng_size_words(arena, facts->ram) : "unknown",
        facts->ram_cached >= 0 ? ng_size_words(arena, facts->ram_cached) : "unknown");
    if (facts->reason != NULL || facts->load.drop_caches == NG_ANSWER_UNKNOWN) {
        ng_outcome_see(outcome, NG_UNKNOWN,
            "whether the page cache of %s can be dropped is unknown: %s", host->name,
            facts->reason != NULL ? facts->reason : "it was not looked at");
        ng_outcome_advise(outcome, "see that commands run on %s", host->name);
    } else if (facts->load.drop_caches == NG_ANSWER_NO) {
        const bool root = facts->root == NG_ANSWER_YES;
        ng_outcome_see(outcome, NG_BROKEN, "the page cache of %s cannot be dropped: %s", host->name,
            root ? "/proc/sys/vm/drop_caches is not there or not writable, as in a container"
                 : "that is for root");
        ng_outcome_advise(outcome,
            root ? "let the plan's host %s be the machine itself"
                 : "write \"privilege: sudo\" for host %s, or log in as root",
            host->name);
    } else {
        ng_outcome_see(outcome, NG_HELD, "the page cache of %s can be dropped%s", host->name,
            ng_host_marked(facts, "arc")
                ? " (the ARC of ZFS is none: it only shrinks a little when that is done)"
                : "");
    }
}

static void judge_phases(struct ng_outcome *outcome, const struct ng_page_cache_params *given) {
    for (size_t i = 0; i < given->phases.count; i++) {
        if (ng_plan_phase(outcome->site->plan, given->phases.items[i]) == NULL) {
            ng_outcome_see(outcome, NG_BROKEN, "the plan has no phase %s", given->phases.items[i]);
            ng_outcome_advise(outcome, "correct phases:");
        }
    }
}

static const char *list(struct ng_arena *arena, const struct ng_texts *texts) {
    const char *text = "";
    for (size_t i = 0; i < texts->count; i++) {
        text = ng_arena_printf(arena, "%s%s%s", text, i == 0 ? "" : ", ", texts->items[i]);
    }
    return text;
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct ng_page_cache_params *given = params;
    const char *hosts = list(site->arena, &given->hosts);
    struct ng_outcome outcome = ng_outcome_begin(
        site, out, hosts, ng_arena_printf(site->arena, "/proc/sys/vm/drop_caches on %s", hosts));
    ng_outcome_expect(&outcome, "the page cache of %s can be dropped before %s of %s", hosts,
        given->drop == NG_PAGE_BEFORE_REPEAT ? "each repeat" : "the first repeat",
        given->phases.count > 0 ? list(site->arena, &given->phases) : "every phase on a volume");
    for (size_t i = 0; i < given->hosts.count; i++) {
        const struct ng_host *host = ng_plan_host(site->plan, given->hosts.items[i]);
        if (host != NULL) {
            judge_host(&outcome, host);
        }
    }
    judge_phases(&outcome, given);
    if (out->seen[0] == '\0') {
        ng_outcome_see(&outcome, NG_HELD, "no host is named");
    }
}

const struct ng_condition ng_condition_page_cache = {
    .kind = {.record = {.name = "page_cache",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct ng_page_cache_params),
                 .shorthand = "hosts",
                 .help = "the page cache of hosts is dropped before phases, recorded"},
        .check = check},
    .reads = NG_GROUP_IDENTITY,
    .evaluate = evaluate,
};
