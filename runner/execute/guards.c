/* Preconditions looked at again while and after a repeat is measured. */
#include "runner/execute/guards.h"

#include <stdlib.h>
#include <string.h>

#include "runner/conditions/condition.h"
#include "runner/execute/batch.h"
#include "runner/execute/gather.h"
#include "runner/execute/guard_host.h"
#include "runner/execute/probes.h"

/* How often the hosts are asked while guards are waited for. */
#define AWAIT_NS (10 * NG_NS_PER_S)

struct guard {
    const struct ng_precondition *item;
    bool open;                        /* an event of this repeat is still going on */
    size_t event;                     /* its index in the result */
    const struct ng_records *earlier; /* what it kept at the last look that came to an end; NULL:
                                         there was none */
    const struct ng_records *kept;    /* the same of the look that goes on */
};

struct ng_guards {
    struct ng_run *run;
    const struct ng_preflight *preflight;
    struct guard *items;
    size_t count;
    struct ng_collect_needs *needs; /* by index of plan->hosts */
    struct ng_arena arenas[2];      /* of the facts before and after a repeat, in turn */
    int turn;
    const struct ng_facts **before;         /* what is known now */
    const struct ng_probe_results *answers; /* to those that ask again, as it was known then */
};

/* What of a look is new. */
enum look_kind {
    LOOK_AT_START,  /* nothing: what was known when the repeat began */
    LOOK_AT_SAMPLE, /* what a sample tells of the facts; probes were asked at the look before */
    LOOK_ANEW,      /* facts are collected and probes asked anew */
};

/* One look at all guards. */
struct look {
    enum look_kind kind;
    struct ng_guards *guards;
    const struct ng_facts *const *facts;
    const struct ng_probe_results *answers;
    struct ng_arena arena; /* for texts; released with the look */
    int64_t at_ns;
    struct ng_repeat *repeat;
    const char *phase;
};

struct ng_guards *ng_guards_new(struct ng_run *run, const struct ng_preflight *preflight) {
    struct ng_guards *guards = ng_xmalloc(sizeof *guards);
    *guards = (struct ng_guards){.run = run, .preflight = preflight};
    guards->items = ng_arena_array(&run->arena, preflight->count, sizeof *guards->items);
    guards->needs = ng_arena_array(&run->arena, run->plan->host_count, sizeof *guards->needs);
    guards->before = ng_arena_array(&run->arena, run->plan->host_count, sizeof *guards->before);
    for (size_t i = 0; i < run->plan->host_count; i++) {
        guards->before[i] = run->facts[i];
    }
    unsigned reads = 0;
    for (size_t i = 0; i < preflight->count; i++) {
        const struct ng_precondition *item = &preflight->items[i];
        const struct ng_condition *condition = ng_condition_of(item->kind);
        if (item->when == NG_WHEN_BEFORE) {
            continue;
        }
        guards->items[guards->count++] = (struct guard){.item = item, .earlier = run->kept[i]};
        reads |= condition->reads;
        if (condition->needs != NULL) {
            condition->needs(run->plan, item->params, guards->needs);
        }
    }
    ng_condition_leave_out(run->plan, reads, guards->needs);
    guards->answers = &run->probes;
    ng_arena_init(&guards->arenas[0]);
    ng_arena_init(&guards->arenas[1]);
    return guards;
}

void ng_guards_free(struct ng_guards *guards) {
    if (guards == NULL) {
        return;
    }
    for (size_t i = 0; i < guards->run->plan->host_count; i++) {
        ng_collect_needs_release(&guards->needs[i]);
    }
    ng_arena_release(&guards->arenas[0]);
    ng_arena_release(&guards->arenas[1]);
    free(guards);
}

size_t ng_guards_count(const struct ng_guards *guards) {
    return guards == NULL ? 0 : guards->count;
}

static struct ng_condition_site site_of(
    const struct ng_guards *guards, const struct ng_facts *const *facts, struct ng_arena *arena) {
    return (struct ng_condition_site){.arena = arena,
        .plan = guards->run->plan,
        .facts = facts,
        .probes = &guards->run->probes,
        .items = guards->preflight->items,
        .item_count = guards->preflight->count,
        .seed = guards->run->result->seed};
}

static bool holds(const struct ng_condition_result *out) {
    return out->held == NG_HELD || (out->held == NG_UNKNOWN && out->allow_unknown);
}

static struct ng_condition_result evaluate(
    const struct look *look, struct guard *guard, struct ng_arena *arena, unsigned *rests_on) {
    struct ng_condition_site site = site_of(look->guards, look->facts, arena);
    guard->kept = NULL;
    *rests_on = 0;
    if (ng_condition_of(guard->item->kind)->asks_again) {
        site.probes = look->answers;
        site.earlier = guard->earlier;
        site.kept = &guard->kept;
        site.rests_on = rests_on;
    }
    struct ng_condition_result out = {
        .held = NG_UNKNOWN, .allow_unknown = guard->item->allow_unknown, .seen = ""};
    ng_condition_of(guard->item->kind)->evaluate(&site, guard->item->params, &out);
    return out;
}

/* Whether an outcome says something of this moment. While samples are looked at, answers and what
 * was recorded are of one and the same look: a script that compares them finds that nothing moves,
 * and one that asks compares old answers with new facts. What was known to be broken when a repeat
 * began is that, unless it is the comparison with a time before. */
static bool is_news(
    const struct look *look, unsigned rests_on, const struct ng_condition_result *out) {
    switch (look->kind) {
    case LOOK_AT_START:
        return rests_on == NG_RESTS_ON_PROBES && out->held == NG_BROKEN;
    case LOOK_AT_SAMPLE:
        return rests_on == 0;
    case LOOK_ANEW:
        break;
    }
    return true;
}

static struct ng_event event_of(
    const struct look *look, const struct guard *guard, const struct ng_condition_result *out) {
    struct ng_event event = {.phase = look->phase,
        .repeat = look->repeat->number,
        .attempt = look->repeat->attempts,
        .guard = guard->item->id,
        .held = out->held,
        .at_ns = look->at_ns,
        .until_ns = 0,
        .exact = look->kind != LOOK_ANEW,
        .seen = out->seen != NULL ? out->seen : "",
        .remedy = out->remedy};
    if (ng_condition_of(guard->item->kind)->asks_again) {
        event.looked_at = out->looked_at;
    }
    return event;
}

static void open_event(
    const struct look *look, struct guard *guard, const struct ng_condition_result *out) {
    struct ng_result *result = look->guards->run->result;
    const struct ng_event event = event_of(look, guard, out);
    guard->open = true;
    guard->event = result->event_count;
    ng_result_add_event(result, &event);
}

static const struct ng_records *copy_records(
    struct ng_arena *arena, const struct ng_records *records) {
    if (records == NULL) {
        return NULL;
    }
    struct ng_records *copy = ng_arena_alloc(arena, sizeof *copy);
    for (size_t i = 0; i < records->count; i++) {
        ng_records_add(arena, copy, records->items[i].key, "%s", records->items[i].value);
    }
    return copy;
}

/* What guards kept at a look over all that was asked anew is for the next one; it lives as long as
 * the facts of that look. One that came to no end is still compared with the look before. */
static void keep(struct ng_guards *guards) {
    struct ng_arena *arena = &guards->arenas[1 - guards->turn];
    for (size_t i = 0; i < guards->count; i++) {
        if (guards->items[i].kept != NULL) {
            guards->items[i].earlier = copy_records(arena, guards->items[i].kept);
        }
    }
}

/* Compares every guard with what it was at the look before. */
static void look_at_all(struct look *look) {
    struct ng_guards *guards = look->guards;
    ng_arena_init(&look->arena);
    for (size_t i = 0; i < guards->count; i++) {
        struct guard *guard = &guards->items[i];
        unsigned rests_on;
        const struct ng_condition_result out = evaluate(look, guard, &look->arena, &rests_on);
        if (!is_news(look, rests_on, &out)) {
            continue;
        }
        if (!holds(&out) && !guard->open) {
            open_event(look, guard, &out);
        } else if (!holds(&out) && out.held == NG_BROKEN &&
                   guards->run->result->events[guard->event].held == NG_UNKNOWN) {
            const struct ng_event then = event_of(look, guard, &out);
            ng_result_settle_event(guards->run->result, guard->event, &then);
        } else if (holds(&out) && guard->open) {
            guard->open = false;
            guards->run->result->events[guard->event].until_ns = look->at_ns;
        }
    }
    if (look->kind == LOOK_ANEW) {
        keep(guards);
    }
    ng_arena_release(&look->arena);
}

/* A sample by which some source had changed. */
struct moment {
    int64_t at_ns;
    const struct ng_watched *watched;
    size_t sample;
};

static int by_time(const void *left, const void *right) {
    const struct moment *a = left;
    const struct moment *b = right;
    if (a->at_ns != b->at_ns) {
        return a->at_ns < b->at_ns ? -1 : 1;
    }
    return a->watched->host < b->watched->host ? -1 : a->watched->host > b->watched->host;
}

static size_t moments_of(struct ng_arena *arena, const struct ng_watched *watched, size_t count,
    const struct moment **out) {
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        total += watched[i].samples.change_count;
    }
    struct moment *moments = ng_arena_array(arena, total, sizeof *moments);
    total = 0;
    for (size_t i = 0; i < count; i++) {
        const struct ng_samples *samples = &watched[i].samples;
        for (size_t j = 0; j < samples->change_count; j++) {
            const size_t sample = samples->changes[j].sample;
            if (j == 0 || sample != samples->changes[j - 1].sample) {
                moments[total++] =
                    (struct moment){ng_watched_time(&watched[i], sample), &watched[i], sample};
            }
        }
    }
    if (total > 0) {
        qsort(moments, total, sizeof *moments, by_time);
    }
    *out = moments;
    return total;
}

/* Goes through the samples of all hosts in the order of their times. */
static void look_while(
    struct look *look, const struct ng_watched *watched, size_t count, struct ng_arena *arena) {
    const struct ng_plan *plan = look->guards->run->plan;
    const struct ng_facts **facts = ng_arena_array(arena, plan->host_count, sizeof *facts);
    struct ng_arena *arenas = ng_arena_array(arena, 2 * plan->host_count, sizeof *arenas);
    int *turns = ng_arena_array(arena, plan->host_count, sizeof *turns);
    const struct moment *moments = NULL;
    const size_t total = moments_of(arena, watched, count, &moments);
    for (size_t i = 0; i < plan->host_count; i++) {
        facts[i] = look->guards->before[i];
        ng_arena_init(&arenas[2 * i]);
        ng_arena_init(&arenas[2 * i + 1]);
    }
    look->facts = facts;
    look->kind = LOOK_AT_START;
    look->at_ns = look->repeat->start_ns;
    look_at_all(look);
    look->kind = LOOK_AT_SAMPLE;
    for (size_t i = 0; i < total; i++) {
        const size_t host = moments[i].watched->host;
        struct ng_arena *mine = &arenas[2 * host + (size_t)turns[host]];
        turns[host] = 1 - turns[host];
        ng_arena_release(mine);
        ng_arena_init(mine);
        facts[host] = ng_samples_facts(
            &moments[i].watched->samples, moments[i].sample, look->guards->before[host], mine);
        look->at_ns = moments[i].at_ns;
        look_at_all(look);
    }
    for (size_t i = 0; i < 2 * plan->host_count; i++) {
        ng_arena_release(&arenas[i]);
    }
}

/* What began and ended between two looks leaves a trace. */
static void look_for_traces(
    struct look *look, const struct ng_facts *const *after, size_t first_event) {
    struct ng_guards *guards = look->guards;
    const struct ng_result *result = guards->run->result;
    ng_arena_init(&look->arena);
    const struct ng_condition_site then = site_of(guards, guards->before, &look->arena);
    const struct ng_condition_site now = site_of(guards, after, &look->arena);
    for (size_t i = 0; i < guards->count; i++) {
        struct guard *guard = &guards->items[i];
        const struct ng_condition *condition = ng_condition_of(guard->item->kind);
        bool seen = guard->open || condition->trace == NULL;
        for (size_t j = first_event; j < result->event_count && !seen; j++) {
            seen = strcmp(result->events[j].guard, guard->item->id) == 0;
        }
        if (seen) {
            continue;
        }
        const char *was = condition->trace(&then, guard->item->params);
        const char *is = condition->trace(&now, guard->item->params);
        if (strcmp(was, is) != 0) {
            open_event(look, guard,
                &(struct ng_condition_result){.held = NG_BROKEN,
                    .seen = ng_arena_printf(&look->arena,
                        "it holds before and after, but something began and ended between: %s "
                        "before, %s after",
                        was, is)});
            guards->run->result->events[guard->event].until_ns = look->at_ns;
            guard->open = false;
        }
    }
    ng_arena_release(&look->arena);
}

/* Asks anew what was answered before the repeat. */
static const struct ng_probe_results *ask_again(struct ng_guards *guards, const char *purpose,
    const struct ng_facts *const *facts, struct ng_arena *arena) {
    struct ng_prober *probers = ng_arena_array(arena, guards->count, sizeof *probers);
    struct ng_probe_results *results = ng_arena_alloc(arena, sizeof *results);
    struct ng_probing probing = {.purpose = ng_arena_printf(arena, "probe after %s", purpose),
        .probers = probers,
        .facts = facts,
        .results = results,
        .arena = arena};
    for (size_t i = 0; i < guards->count; i++) {
        struct guard *guard = &guards->items[i];
        if (ng_condition_of(guard->item->kind)->asks_again) {
            guard->earlier = copy_records(arena, guard->earlier); /* its own arena may go next */
            probers[probing.count++] = (struct ng_prober){guard->item, guard->earlier};
        }
    }
    ng_probes_ask(guards->run, &probing);
    return results;
}

/* The facts that were collected last are those of before the next repeat. */
static const struct ng_facts **collect(
    struct ng_guards *guards, const char *purpose, const struct ng_probe_results **answers) {
    struct ng_run *run = guards->run;
    struct ng_arena *arena = &guards->arenas[guards->turn];
    guards->turn = 1 - guards->turn;
    ng_arena_release(arena);
    ng_arena_init(arena);
    const struct ng_facts **facts = ng_arena_array(arena, run->plan->host_count, sizeof *facts);
    ng_gather(
        run, guards->needs, ng_arena_printf(&run->arena, "facts after %s", purpose), arena, facts);
    *answers = ask_again(guards, purpose, facts, arena);
    return facts;
}

/* Says what broke, as a doubt about the repeat's numbers. */
static size_t add_findings(struct ng_guards *guards, struct ng_repeat *repeat, size_t first_event) {
    struct ng_run *run = guards->run;
    const struct ng_result *result = run->result;
    for (size_t i = first_event; i < result->event_count; i++) {
        const struct ng_event *event = &result->events[i];
        char text[NG_EVENT_TEXT];
        ng_repeat_find(&run->result->arena, repeat, NG_FINDING_INCONCLUSIVE, "guard-broke", "%s",
            ng_event_words(event, repeat->start_ns, text));
    }
    for (size_t i = 0; i < guards->count && run->broken == NULL; i++) {
        const struct guard *guard = &guards->items[i];
        for (size_t j = first_event; j < result->event_count && run->broken == NULL; j++) {
            if (guard->item->on_broken == NG_ON_BROKEN_STOP &&
                strcmp(result->events[j].guard, guard->item->id) == 0) {
                run->broken = ng_arena_printf(
                    &run->arena, "%s broke and says on_broken: stop", guard->item->id);
            }
        }
    }
    return result->event_count - first_event;
}

size_t ng_guards_judge(struct ng_guards *guards, const struct ng_phase *phase,
    const struct ng_watched *watched, size_t count, struct ng_repeat *repeat) {
    struct ng_run *run = guards->run;
    const size_t first_event = run->result->event_count;
    struct ng_arena arena;
    ng_arena_init(&arena);
    const struct ng_probe_results *answers = NULL;
    const struct ng_facts **after = collect(guards, phase->name, &answers);
    const int64_t now_ns = run->result->duration_ns;
    if (!ng_run_halted(run)) {
        struct look look = {
            .guards = guards, .answers = guards->answers, .repeat = repeat, .phase = phase->name};
        for (size_t i = 0; i < guards->count; i++) {
            guards->items[i].open = false;
        }
        ng_guard_hosts(run, guards->before, after, watched, count, phase->name, repeat);
        look_while(&look, watched, count, &arena);
        look.facts = after;
        look.answers = answers;
        look.kind = LOOK_ANEW;
        look.at_ns = now_ns;
        look_at_all(&look);
        look_for_traces(&look, after, first_event);
    }
    for (size_t i = 0; i < run->plan->host_count; i++) {
        guards->before[i] = after[i];
    }
    guards->answers = answers;
    ng_arena_release(&arena);
    return add_findings(guards, repeat, first_event);
}

/* With `anew`, at a look of its own, with which the next one is compared: else one error that was
 * counted once would be counted again at each. */
static bool all_hold(struct ng_guards *guards, bool anew) {
    struct look look = {.guards = guards, .facts = guards->before, .answers = guards->answers};
    bool all = true;
    ng_arena_init(&look.arena);
    for (size_t i = 0; i < guards->count; i++) {
        unsigned rests_on;
        const struct ng_condition_result out =
            evaluate(&look, &guards->items[i], &look.arena, &rests_on);
        all = holds(&out) && all;
    }
    if (anew) {
        keep(guards);
    }
    ng_arena_release(&look.arena);
    return all;
}

bool ng_guards_await(struct ng_guards *guards, const char *purpose, int64_t at_most_ns) {
    struct ng_run *run = guards->run;
    const struct ng_clock *clock = ng_loop_clock(run->loop);
    const int64_t until_ns = ng_clock_mono(clock) + at_most_ns;
    for (bool anew = false; !all_hold(guards, anew); anew = true) {
        const int64_t left_ns = until_ns - ng_clock_mono(clock);
        if (left_ns <= 0 || ng_run_halted(run)) {
            return false;
        }
        ng_batch_pause(run, left_ns < AWAIT_NS ? left_ns : AWAIT_NS);
        const struct ng_facts **facts = collect(guards, purpose, &guards->answers);
        for (size_t i = 0; i < run->plan->host_count; i++) {
            guards->before[i] = facts[i];
        }
    }
    for (size_t i = 0; i < guards->count; i++) {
        struct guard *guard = &guards->items[i];
        if (guard->open) {
            run->result->events[guard->event].until_ns = run->result->duration_ns;
            guard->open = false;
        }
    }
    return !ng_run_halted(run);
}
