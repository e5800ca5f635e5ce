/* Hosts that were not there all the time of a repeat. */
#include "runner/execute/guard_host.h"

#include <string.h>

/* A machine at work may be late by some seconds, and clocks drift. A repeat so short that the first
 * sample was still to come is judged by what was known before and after it. */
#define LATE_NS (5 * NG_NS_PER_S)

struct place {
    struct ng_run *run;
    const char *phase;
    const struct ng_repeat *repeat;
};

static void add(const struct place *place, size_t host, enum ng_held held, int64_t at_ns,
    int64_t until_ns, bool exact, const char *seen) {
    struct ng_run *run = place->run;
    ng_result_add_event(run->result,
        &(struct ng_event){.phase = place->phase,
            .repeat = place->repeat->number,
            .attempt = place->repeat->attempts,
            .guard = ng_arena_printf(&run->arena, "host-%s", run->plan->hosts[host].name),
            .held = held,
            .at_ns = at_ns,
            .until_ns = until_ns,
            .exact = exact,
            .seen = seen});
}

static double seconds(int64_t ns) {
    return (double)ns / NG_NS_PER_S;
}

/* A pause between two samples that is no pause of the sampler. */
static bool find_gap(const struct place *place, const struct ng_watched *watched) {
    const int64_t usual_ns = place->run->plan->watch_every_ns + LATE_NS;
    const struct ng_samples *samples = &watched->samples;
    for (size_t i = 1; i < samples->count; i++) {
        const int64_t from_ns = ng_watched_time(watched, i - 1);
        const int64_t to_ns = ng_watched_time(watched, i);
        if (to_ns - from_ns > usual_ns) {
            add(place, watched->host, NG_BROKEN, from_ns, to_ns, true,
                ng_arena_printf(&place->run->arena,
                    "%s gave no sign of life for %.1f s, where one was due every %.1f s",
                    place->run->plan->hosts[watched->host].name, seconds(to_ns - from_ns),
                    seconds(place->run->plan->watch_every_ns)));
            return true;
        }
    }
    return false;
}

/* The host's own clock against ours: one that stood still has counted less. */
static bool find_standstill(const struct place *place, const struct ng_watched *watched) {
    const struct ng_samples *samples = &watched->samples;
    const int64_t ours_ns = watched->ended_ns - watched->began_ns;
    const double theirs = samples->items[samples->count - 1].uptime - samples->items[0].uptime;
    const int64_t lost_ns = ours_ns - (int64_t)(theirs * NG_NS_PER_S);
    if (lost_ns <= 2 * place->run->plan->watch_every_ns + LATE_NS) {
        return false;
    }
    add(place, watched->host, NG_BROKEN, watched->began_ns, watched->ended_ns, false,
        ng_arena_printf(&place->run->arena,
            "%s stood still for %.1f s of the %.1f s that it was watched, by its own clock",
            place->run->plan->hosts[watched->host].name, seconds(lost_ns), seconds(ours_ns)));
    return true;
}

static void judge_watched(const struct place *place, const struct ng_watched *watched) {
    const struct ng_samples *samples = &watched->samples;
    const int64_t short_ns = 2 * place->run->plan->watch_every_ns + LATE_NS;
    if (samples->count == 0 || watched->why != NULL) {
        if (place->repeat->duration_ns > short_ns) {
            const int64_t since_ns = samples->count > 0
                                         ? ng_watched_time(watched, samples->count - 1)
                                         : watched->began_ns;
            add(place, watched->host, NG_UNKNOWN, since_ns, 0, samples->count > 0,
                ng_arena_printf(&place->run->arena, "what happened on %s is unknown: %s",
                    place->run->plan->hosts[watched->host].name,
                    watched->why != NULL ? watched->why : "there is no sample"));
        }
    } else if (!find_gap(place, watched)) {
        find_standstill(place, watched);
    }
}

void ng_guard_hosts(struct ng_run *run, const struct ng_facts *const *before,
    const struct ng_facts *const *after, const struct ng_watched *watched, size_t count,
    const char *phase, const struct ng_repeat *repeat) {
    const struct place place = {run, phase, repeat};
    for (size_t i = 0; i < run->plan->host_count; i++) {
        const char *was = before[i]->boot_id;
        const char *is = after[i]->boot_id;
        if (was != NULL && is != NULL && strcmp(was, is) != 0) {
            add(&place, i, NG_BROKEN, repeat->start_ns, run->result->duration_ns, false,
                ng_arena_printf(
                    &run->arena, "%s was started anew meanwhile", run->plan->hosts[i].name));
        }
    }
    for (size_t i = 0; i < count; i++) {
        judge_watched(&place, &watched[i]);
    }
}
