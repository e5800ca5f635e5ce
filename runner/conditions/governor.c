/* governor: who sets the speed of a host's processors is what the plan expects, on all of them. */
#include <string.h>

#include "runner/conditions/outcome.h"

struct params {
    const struct ng_host *host;
    const char *expect;
};

static const struct ng_field fields[] = {
    {.name = "host",
        .type = NG_FIELD_HOST,
        .offset = offsetof(struct params, host),
        .flags = NG_REQUIRED,
        .help = "the host whose processors are looked at"},
    {.name = "expect",
        .type = NG_FIELD_NAME,
        .offset = offsetof(struct params, expect),
        .fallback = "performance",
        .help = "the governor that all of them must have: performance, powersave, ondemand, "
                "schedutil ...; any only records"},
};

/* Drivers whose "powersave" is the normal dynamic way, with a preference beside it. */
static bool is_dynamic(const struct ng_cpu_policy *policy) {
    return policy->driver != NULL && (strcmp(policy->driver, "intel_pstate") == 0 ||
                                         strcmp(policy->driver, "amd-pstate-epp") == 0 ||
                                         strcmp(policy->driver, "amd_pstate_epp") == 0);
}

static const char *describe(struct ng_arena *arena, const struct ng_cpu_policy *policy) {
    return ng_arena_printf(arena, "%s%s%s%s%s",
        policy->governor != NULL ? policy->governor : "unknown",
        policy->driver != NULL ? " by " : "", policy->driver != NULL ? policy->driver : "",
        policy->preference != NULL ? ", preference " : "",
        policy->preference != NULL ? policy->preference : "");
}

static bool is_same(const struct ng_cpu_policy *a, const struct ng_cpu_policy *b) {
    const char *left = a->governor != NULL ? a->governor : "";
    const char *right = b->governor != NULL ? b->governor : "";
    return strcmp(left, right) == 0 && (a->driver == NULL) == (b->driver == NULL) &&
           (a->driver == NULL || strcmp(a->driver, b->driver) == 0);
}

/* "policy0", "policy0 and 7 more", for all from `first` on that are the same. */
static const char *who(struct ng_arena *arena, const struct ng_cpufreq *cpufreq, size_t first) {
    size_t more = 0;
    for (size_t i = first + 1; i < cpufreq->count; i++) {
        more += is_same(&cpufreq->items[first], &cpufreq->items[i]) ? 1 : 0;
    }
    return more == 0 ? cpufreq->items[first].name
                     : ng_arena_printf(arena, "%s and %zu more", cpufreq->items[first].name, more);
}

static void judge_policy(struct ng_outcome *outcome, const struct params *given,
    const struct ng_cpu_policy *policy, const char *names) {
    struct ng_arena *arena = outcome->site->arena;
    const char *text = describe(arena, policy);
    const char *host = given->host->name;
    ng_outcome_look(outcome, names, "%s", text);
    if (strcmp(given->expect, "any") == 0) {
        ng_outcome_see(outcome, NG_HELD, "%s on %s: %s", names, host, text);
    } else if (policy->governor == NULL) {
        ng_outcome_see(outcome, NG_UNKNOWN,
            "the governor of %s on %s could not be read (empty, or the driver was busy)", names,
            host);
        ng_outcome_advise(outcome,
            "look by hand on %s: cat /sys/devices/system/cpu/cpufreq/policy*/scaling_governor",
            host);
    } else if (strcmp(policy->governor, given->expect) != 0) {
        const bool normal = is_dynamic(policy) && strcmp(policy->governor, "powersave") == 0;
        ng_outcome_see(outcome, NG_BROKEN, "%s on %s: %s, not %s%s", names, host, text,
            given->expect,
            normal
                ? " (with this driver powersave is the normal dynamic mode, not the lowest speed)"
                : "");
        ng_outcome_advise(outcome,
            "set it on %s: for f in /sys/devices/system/cpu/cpufreq/policy*/scaling_governor; do "
            "echo %s > $f; done; or correct expect:",
            host, given->expect);
    } else {
        ng_outcome_see(outcome, NG_HELD, "%s on %s: %s", names, host, text);
    }
}

/* A limit below what the processor can do is told: the governor cannot pass it. */
static void look_limits(struct ng_outcome *outcome, const struct ng_cpufreq *cpufreq) {
    static const char *const answers[] = {"unknown", "off", "on"};
    size_t capped = 0;
    for (size_t i = 0; i < cpufreq->count; i++) {
        const struct ng_cpu_policy *policy = &cpufreq->items[i];
        if (policy->highest > 0 && policy->ability > 0 && policy->highest < policy->ability) {
            if (capped++ == 0) {
                ng_outcome_look(outcome, "capped", "%s at %lld of %lld MHz", policy->name,
                    (long long)(policy->highest / 1000), (long long)(policy->ability / 1000));
            }
        }
    }
    if (capped > 1) {
        ng_outcome_look(outcome, "capped in all", "%zu", capped);
    }
    ng_outcome_look(outcome, "turbo", "%s", answers[cpufreq->turbo]);
}

static void judge_none(
    struct ng_outcome *outcome, const struct ng_facts *facts, const struct params *given) {
    const char *host = given->host->name;
    const bool looked = facts->load.cpufreq.why == NULL ||
                        ng_frames_find(&facts->frames, "cpufreq")->state == NG_SOURCE_ABSENT;
    if (looked && facts->reason == NULL && facts->virtual_machine == NG_ANSWER_YES) {
        ng_outcome_see(outcome, NG_HELD,
            "not applicable: %s is a virtual machine, whose processors have no governor", host);
        return;
    }
    ng_outcome_see(outcome, strcmp(given->expect, "any") == 0 && looked ? NG_HELD : NG_UNKNOWN,
        "the governor of %s is unknown: %s", host,
        looked ? "no processor shows one" : facts->load.cpufreq.why);
    ng_outcome_advise(outcome,
        "look by hand on %s: ls /sys/devices/system/cpu/cpufreq; a container or a kernel without "
        "cpufreq shows nothing",
        host);
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct params *given = params;
    const struct ng_facts *facts = ng_site_facts(site, given->host);
    const struct ng_cpufreq *cpufreq = &facts->load.cpufreq;
    struct ng_outcome outcome = ng_outcome_begin(site, out, given->host->name,
        ng_arena_printf(site->arena, "/sys/devices/system/cpu/cpufreq on %s", given->host->name));
    if (strcmp(given->expect, "any") == 0) {
        ng_outcome_expect(&outcome, "the governors of %s, recorded", given->host->name);
    } else {
        ng_outcome_expect(
            &outcome, "governor %s on all processors of %s", given->expect, given->host->name);
    }
    if (cpufreq->count == 0 || facts->reason != NULL) {
        judge_none(&outcome, facts, given);
        return;
    }
    for (size_t i = 0; i < cpufreq->count; i++) {
        bool told = false;
        for (size_t j = 0; j < i && !told; j++) {
            told = is_same(&cpufreq->items[j], &cpufreq->items[i]);
        }
        if (!told) {
            judge_policy(&outcome, given, &cpufreq->items[i], who(site->arena, cpufreq, i));
        }
    }
    look_limits(&outcome, cpufreq);
    if (facts->container == NG_ANSWER_YES) {
        ng_outcome_see(&outcome, NG_UNKNOWN,
            "%s is a container: what it shows may not be the machine's", given->host->name);
        ng_outcome_advise(&outcome, "let the plan's host be the machine itself");
    }
}

const struct ng_condition ng_condition_governor = {
    .kind = {.record = {.name = "governor",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct params),
                 .shorthand = "host",
                 .help = "the processors of a host run as fast as the plan expects"}},
    .reads = NG_GROUP_IDENTITY | NG_GROUP_LOAD,
    .evaluate = evaluate,
};
