/* clock_offset: the clocks of hosts agree with the runner's. */
#include <inttypes.h>
#include <string.h>

#include "runner/base/clock.h"
#include "runner/base/units.h"
#include "runner/conditions/outcome.h"

#define DATE_NS (8 * NG_NS_PER_S)

struct params {
    struct ng_texts hosts;
    int64_t at_most;
};

static const struct ng_field fields[] = {
    {.name = "hosts",
        .type = NG_FIELD_TEXTS,
        .offset = offsetof(struct params, hosts),
        .help = "whose clocks are read; those of all hosts where this is left out"},
    {.name = "at_most",
        .type = NG_FIELD_DURATION,
        .offset = offsetof(struct params, at_most),
        .min = 1e6,
        .max = 86400e9,
        .fallback = "1 s",
        .help = "how far a clock may be from the runner's"},
};

static void check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    const struct params *given = params;
    for (size_t i = 0; i < given->hosts.count; i++) {
        struct ng_pos pos =
            given->hosts.places != NULL ? given->hosts.places[i] : ng_field_place(node, "hosts");
        if (ng_plan_host(plan, given->hosts.items[i]) == NULL) {
            ng_diag_error(diags, pos, "unknown-name", "hosts: there is no host %s",
                ng_diag_quote(diags, given->hosts.items[i]));
        }
    }
}

static bool is_meant(const struct params *given, const struct ng_host *host) {
    for (size_t i = 0; i < given->hosts.count; i++) {
        if (strcmp(given->hosts.items[i], host->name) == 0) {
            return true;
        }
    }
    return given->hosts.count == 0;
}

static void probes(
    const struct ng_condition_site *site, const void *params, struct ng_probe_list *wanted) {
    static const char *const date[] = {"date", "-u", "+%s.%N", NULL};
    for (size_t i = 0; i < site->plan->host_count; i++) {
        const struct ng_host *host = &site->plan->hosts[i];
        if (is_meant(params, host) && site->facts[i]->reason == NULL) {
            ng_probe_want(wanted, host, "clock", DATE_NS, date);
        }
    }
}

/* "-1.2 s", "+12 ms" */
static const char *words(struct ng_arena *arena, int64_t ns) {
    char text[NG_QUANTITY_TEXT];
    const double seconds = (double)ns / 1e9;
    ng_quantity_format(
        (struct ng_quantity){.value = seconds < 0 ? -seconds : seconds, .dim = NG_DIM_TIME}, text);
    return ng_arena_printf(arena, "%s%s", ns < 0 ? "-" : "+", text);
}

/* It was read at some moment between question and answer: the offset lies between two bounds. */
static void judge(
    struct ng_outcome *outcome, const struct ng_host *host, const struct params *given) {
    struct ng_arena *arena = outcome->site->arena;
    const struct ng_facts *facts = ng_site_facts(outcome->site, host);
    const struct ng_probe_result *said = ng_probe_find(outcome->site->probes, host, "clock");
    struct ng_wallclock clock;
    if (said == NULL || said->failed != NULL ||
        !ng_wallclock_parse(&clock, said->out, said->out_len)) {
        const char *why = facts->reason != NULL  ? facts->reason
                          : said == NULL         ? "it was not asked for"
                          : said->failed != NULL ? said->failed
                                                 : "date printed no time";
        ng_outcome_see(outcome, NG_UNKNOWN, "the clock of %s is unknown: %s", host->name, why);
        ng_outcome_advise(outcome, "look by hand on %s: date -u +%%s", host->name);
        return;
    }
    const int64_t low = clock.ns - said->answered_ns;
    const int64_t high = clock.ns + clock.step - 1 - said->asked_ns;
    const int64_t most = given->at_most;
    const bool beyond = low > most || high < -most;
    const bool within = low >= -most && high <= most;
    ng_outcome_look(
        outcome, host->name, "between %s and %s", words(arena, low), words(arena, high));
    ng_outcome_see(outcome,
        beyond   ? NG_BROKEN
        : within ? NG_HELD
                 : NG_UNKNOWN,
        "the clock of %s is %s .. %s from the runner's", host->name, words(arena, low),
        words(arena, high));
    if (beyond) {
        ng_outcome_advise(outcome,
            "let %s follow a time server (chrony, systemd-timesyncd, NTP in "
            "the NAS settings)",
            host->name);
    } else {
        ng_outcome_advise(outcome,
            "the answer took %s, or %s knows no fractions of a second: allow more with at_most",
            words(arena, said->answered_ns - said->asked_ns) + 1, host->name);
    }
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct params *given = params;
    const char *subject = given->hosts.count == 1 ? given->hosts.items[0] : "hosts";
    struct ng_outcome outcome =
        ng_outcome_begin(site, out, subject, "date on each host, against the runner's clock");
    ng_outcome_expect(
        &outcome, "clocks within %s of the runner's", words(site->arena, given->at_most) + 1);
    for (size_t i = 0; i < site->plan->host_count; i++) {
        if (is_meant(given, &site->plan->hosts[i])) {
            judge(&outcome, &site->plan->hosts[i], given);
        }
    }
}

const struct ng_condition ng_condition_clock_offset = {
    .kind = {.record = {.name = "clock_offset",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct params),
                 .shorthand = "hosts",
                 .help = "the clocks of hosts agree with the runner's"},
        .check = check},
    .reads = NG_GROUP_CLOCK,
    .probes = probes,
    .evaluate = evaluate,
};
