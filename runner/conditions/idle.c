/* idle: a host is quiet before anything is measured: its load, tasks that wait for disks, bytes on
 * its disks and interfaces within some seconds. Catches the jobs that no list of names knows. */
#include <string.h>

#include "runner/base/units.h"
#include "runner/conditions/outcome.h"
#include "runner/conditions/window.h"
#include "runner/facts/jobs.h"

struct params {
    const struct ng_host *host;
    double load_below;
    int64_t waiting_below;
    int64_t disk_below, net_below; /* bit/s */
    int64_t window_ns;
};

static const struct ng_field fields[] = {
    {.name = "host",
        .type = NG_FIELD_HOST,
        .offset = offsetof(struct params, host),
        .flags = NG_REQUIRED,
        .help = "the host that must be quiet"},
    {.name = "load_below",
        .type = NG_FIELD_NUMBER,
        .offset = offsetof(struct params, load_below),
        .min = 0.01,
        .max = 100000,
        .help = "the load average of the last minute; half the number of its processors, and 1 at "
                "least, where the plan says nothing"},
    {.name = "dstate_below",
        .type = NG_FIELD_INT,
        .offset = offsetof(struct params, waiting_below),
        .min = 1,
        .max = 100000,
        .fallback = "1",
        .help = "tasks in state D (waiting for a disk or a server) at both ends of the window"},
    {.name = "disk_below",
        .type = NG_FIELD_RATE,
        .offset = offsetof(struct params, disk_below),
        .min = 1,
        .max = 1e14,
        .fallback = "1 MB/s",
        .help = "bytes read and written on all of its disks"},
    {.name = "net_below",
        .type = NG_FIELD_RATE,
        .offset = offsetof(struct params, net_below),
        .min = 1,
        .max = 1e14,
        .fallback = "1 MB/s",
        .help = "bytes received and sent on its busiest interface"},
    {.name = "window",
        .type = NG_FIELD_DURATION,
        .offset = offsetof(struct params, window_ns),
        .min = 1e9,
        .max = 60e9,
        .fallback = "2 s",
        .help = "how long it is watched, in whole seconds"},
};

enum { WAITING_SHOWN = 8 };

static int64_t seconds_of(const struct params *given) {
    return (given->window_ns + 999999999) / 1000000000;
}

static const char *name_of(struct ng_arena *arena, const struct params *given) {
    return ng_arena_printf(arena, "idle %lld s", (long long)seconds_of(given));
}

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    const struct params *given = params;
    ng_collect_needs_want(&by_host[ng_site_index(plan, given->host)], NG_WANT_TASKS);
}

static void probes(
    const struct ng_condition_site *site, const void *params, struct ng_probe_list *wanted) {
    const struct params *given = params;
    if (ng_site_facts(site, given->host)->reason != NULL) {
        return;
    }
    const char *const argv[] = {"/bin/sh", "-c", (const char *)ng_idle_sh, "idle",
        ng_arena_printf(wanted->arena, "%lld", (long long)seconds_of(given)), NULL};
    ng_probe_want(wanted, given->host, name_of(wanted->arena, given),
        (seconds_of(given) + 15) * INT64_C(1000000000), argv);
}

static const char *rate_words(struct ng_arena *arena, double bytes_per_s) {
    char text[NG_QUANTITY_TEXT];
    return ng_arena_strdup(arena,
        ng_quantity_format((struct ng_quantity){.value = bytes_per_s, .dim = NG_DIM_RATE}, text));
}

/* What may be the cause: by name, where the processes are known. */
static void advise_quiet(struct ng_outcome *outcome, const struct params *given) {
    struct ng_arena *arena = outcome->site->arena;
    const char *jobs = ng_jobs_known(&ng_site_facts(outcome->site, given->host)->load.tasks, arena);
    ng_outcome_advise(outcome, "wait until %s is quiet, or end what keeps it busy%s%s",
        given->host->name, *jobs != '\0' ? "; these run: " : "", jobs);
}

static void judge_load(
    struct ng_outcome *outcome, const struct params *given, const struct ng_window *window) {
    const struct ng_facts *facts = ng_site_facts(outcome->site, given->host);
    const double own = facts->cores > 2 ? facts->cores / 2.0 : 1;
    const double limit = given->load_below > 0 ? given->load_below : own;
    if (window->load.one < 0) {
        ng_outcome_see(outcome, NG_UNKNOWN, "the load of %s is unknown", given->host->name);
        ng_outcome_advise(outcome, "look by hand on %s: cat /proc/loadavg", given->host->name);
        return;
    }
    ng_outcome_look(outcome, "load", "%.2f %.2f %.2f", window->load.one, window->load.five,
        window->load.fifteen);
    ng_outcome_see(outcome, window->load.one < limit ? NG_HELD : NG_BROKEN, "load %.2f%s%.4g on %s",
        window->load.one, window->load.one < limit ? " is below " : ", not below ", limit,
        given->host->name);
    advise_quiet(outcome, given);
}

static void judge_waiting(
    struct ng_outcome *outcome, const struct params *given, const struct ng_window *window) {
    struct ng_arena *arena = outcome->site->arena;
    const char *list = "";
    for (size_t i = 0; i < window->waiting_count && i < WAITING_SHOWN; i++) {
        list = ng_arena_printf(arena, "%s%s%s", list, i == 0 ? "" : ", ", window->waiting[i].name);
    }
    ng_outcome_look(outcome, "tasks in state D at both ends", "%zu%s%s", window->waiting_count,
        *list != '\0' ? ": " : "", list);
    if ((int64_t)window->waiting_count >= given->waiting_below) {
        ng_outcome_see(outcome, NG_BROKEN, "%zu task(s) wait in state D on %s: %s%s",
            window->waiting_count, given->host->name, list,
            window->waiting_count > WAITING_SHOWN ? " ..." : "");
        ng_outcome_advise(outcome,
            "see what they wait for on %s (/proc/PID/wchan, dmesg); where some driver keeps one "
            "for "
            "ever, write dstate_below: %zu",
            given->host->name, window->waiting_count + 1);
    } else if (window->all_tasks != NG_ANSWER_YES) {
        ng_outcome_see(outcome, NG_UNKNOWN,
            "not all tasks of %s can be seen: it is a container, or hidepid hides them",
            given->host->name);
        ng_outcome_advise(outcome, "let the plan's host be the machine itself, and its login see "
                                   "all processes");
    } else {
        ng_outcome_see(outcome, NG_HELD, "%zu task(s) wait in state D", window->waiting_count);
    }
}

static void judge_flow(struct ng_outcome *outcome, const struct params *given,
    const struct ng_window_flow *flow, int64_t below, const char *what) {
    struct ng_arena *arena = outcome->site->arena;
    const double limit = (double)below / 8;
    if (flow->rate < 0) {
        ng_outcome_see(
            outcome, NG_UNKNOWN, "what goes over the %s of %s is unknown", what, given->host->name);
        ng_outcome_advise(
            outcome, "look by hand on %s: cat /proc/diskstats /proc/net/dev", given->host->name);
        return;
    }
    const bool quiet = flow->rate < limit;
    ng_outcome_look(outcome, what, "%s over %zu, most on %s", rate_words(arena, flow->rate),
        flow->devices, flow->busiest);
    ng_outcome_see(outcome, quiet ? NG_HELD : NG_BROKEN, "%s on the %s%s%s%s%s%s",
        rate_words(arena, flow->rate), what, quiet ? "" : ", not below ",
        quiet ? "" : rate_words(arena, limit), quiet ? "" : " (most on ",
        quiet ? "" : flow->busiest, quiet ? "" : ")");
    advise_quiet(outcome, given);
}

static void look_cpu(struct ng_outcome *outcome, const struct ng_window *window) {
    if (window->cpu >= 0) {
        ng_outcome_look(outcome, "processors",
            "%.0f%% busy, %.0f%% waiting for disks, %.0f%% stolen", window->cpu * 100,
            window->iowait * 100, window->steal * 100);
    }
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct params *given = params;
    const char *host = given->host->name;
    struct ng_arena *arena = site->arena;
    struct ng_outcome outcome = ng_outcome_begin(site, out, host,
        ng_arena_printf(
            arena, "/proc/loadavg, diskstats, net/dev and PID/stat on %s, twice", host));
    ng_outcome_expect(&outcome,
        "%s quiet for %lld s: %s load, fewer than %lld tasks in state D, disks below %s, "
        "interfaces below %s",
        host, (long long)seconds_of(given),
        given->load_below > 0 ? ng_arena_printf(arena, "less than %.4g", given->load_below)
                              : "little",
        (long long)given->waiting_below, rate_words(arena, (double)given->disk_below / 8),
        rate_words(arena, (double)given->net_below / 8));
    const struct ng_probe_result *answer =
        ng_probe_find(site->probes, given->host, name_of(arena, given));
    struct ng_window window = {.why = "it was not watched"};
    if (answer != NULL && answer->failed == NULL) {
        ng_window_parse(&window, arena, (double)seconds_of(given), answer->out, answer->out_len);
    } else if (answer != NULL) {
        window.why = answer->failed;
    } else if (ng_site_facts(site, given->host)->reason != NULL) {
        window.why = ng_site_facts(site, given->host)->reason;
    }
    if (window.why != NULL) {
        ng_outcome_see(&outcome, NG_UNKNOWN, "what %s does is unknown: %s", host, window.why);
        ng_outcome_advise(&outcome, "look by hand on %s: uptime, iostat 2", host);
        return;
    }
    ng_outcome_look(&outcome, "watched for", "%.2f s", window.seconds);
    judge_load(&outcome, given, &window);
    judge_waiting(&outcome, given, &window);
    judge_flow(&outcome, given, &window.disks, given->disk_below, "disks");
    judge_flow(&outcome, given, &window.net, given->net_below, "interfaces");
    look_cpu(&outcome, &window);
}

const struct ng_condition ng_condition_idle = {
    .kind = {.record = {.name = "idle",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct params),
                 .shorthand = "host",
                 .help = "a host is quiet before anything is measured"}},
    .reads = NG_GROUP_IDENTITY,
    .needs = needs,
    .probes = probes,
    .evaluate = evaluate,
};
