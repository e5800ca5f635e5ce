/* Waits until preconditions hold that come to hold by themselves. */
#include "runner/execute/await.h"

#include <string.h>

#include "runner/conditions/condition.h"
#include "runner/execute/batch.h"
#include "runner/execute/gather.h"

#define OFTEN_NS (5 * NG_NS_PER_S)
#define SELDOM_NS (30 * NG_NS_PER_S)

/* One precondition: how it looks now, and since when it is waited for. */
struct item {
    bool stops;
    bool waits;   /* it stops, and `wait` says for what */
    bool mended;  /* it stops, and the end of what others wait for puts an end to that */
    bool awaited; /* it was found to wait when this wait began */
    struct ng_condition_wait wait;
    int64_t began_ns; /* -1: never */
};

struct await {
    struct ng_run *run;
    const struct ng_preflight *preflight;
    struct item *items; /* by index of the preconditions */
};

/* The end of the last reply: the same in a replay. */
static int64_t now(const struct await *await) {
    return await->run->result->duration_ns;
}

int64_t ng_await_pause(int64_t left_ns, int64_t at_most_ns, int64_t remaining_ns) {
    const int64_t least = at_most_ns / 20 < OFTEN_NS ? at_most_ns / 20 : OFTEN_NS;
    int64_t pause = left_ns < 0 ? remaining_ns / 8 : left_ns / 4;
    pause = pause > SELDOM_NS ? SELDOM_NS : pause;
    pause = pause < least ? least : pause;
    pause = pause > remaining_ns ? remaining_ns : pause;
    return pause < NG_NS_PER_MS ? NG_NS_PER_MS : pause;
}

static int64_t remaining(const struct await *await, const struct item *item) {
    return item->began_ns < 0 ? item->wait.at_most_ns
                              : item->wait.at_most_ns - (now(await) - item->began_ns);
}

/* Looks at one precondition over `facts`; texts live in `arena`. */
static void look(struct await *await, size_t index, const struct ng_facts *const *facts,
    struct ng_arena *arena, struct ng_condition_result *out) {
    const struct ng_precondition *given = &await->preflight->items[index];
    const struct ng_condition *condition = ng_condition_of(given->kind);
    const struct ng_condition_site site = {.arena = arena,
        .plan = await->run->plan,
        .facts = facts,
        .items = await->preflight->items,
        .item_count = await->preflight->count,
        .probes = &await->run->probes,
        .seed = await->run->result->seed};
    struct item *item = &await->items[index];
    struct ng_condition_wait wait = {0};
    *out = (struct ng_condition_result){.held = NG_UNKNOWN,
        .id = given->id,
        .kind = given->kind->record.name,
        .allow_unknown = given->allow_unknown};
    condition->evaluate(&site, given->params, out);
    item->stops = ng_condition_stops(out);
    item->waits =
        item->stops && condition->wait != NULL && condition->wait(&site, given->params, &wait);
    item->mended = item->stops && !item->waits && condition->mends != NULL &&
                   condition->mends(&site, given->params);
    if (item->waits) {
        item->wait = wait;
    }
}

/* Of several that are waited for, the first is told. */
static void tell(const struct await *await, size_t index, const struct ng_condition_result *seen) {
    const struct ng_progress *progress = await->run->options.progress;
    const struct item *item = &await->items[index];
    for (size_t i = 0; i < index; i++) {
        if (await->items[i].awaited && await->items[i].stops) {
            return;
        }
    }
    if (progress != NULL && progress->waiting != NULL) {
        progress->waiting(
            progress->context, seen, item->waits ? item->wait.left_ns : -1, remaining(await, item));
    }
}

/* Whether the run may wait: something can be waited for, and nothing else stops it but what that
 * mends. */
static bool may_wait(struct await *await) {
    struct ng_arena arena;
    size_t waiting = 0;
    bool others = false;
    ng_arena_init(&arena);
    for (size_t i = 0; i < await->preflight->count; i++) {
        struct ng_condition_result seen;
        struct item *item = &await->items[i];
        look(await, i, await->run->facts, &arena, &seen);
        item->awaited = item->waits && remaining(await, item) > 0;
        waiting += item->awaited ? 1 : 0;
        others = others || (item->stops && !item->awaited && !item->mended);
    }
    ng_arena_release(&arena);
    return waiting > 0 && !others;
}

/* Says what those that are still waited for need of a host; false: nothing. */
static bool need(struct await *await, size_t host, struct ng_collect_needs *needs) {
    const struct ng_plan *plan = await->run->plan;
    bool any = false;
    unsigned reads = 0;
    for (size_t i = 0; i < await->preflight->count; i++) {
        const struct ng_precondition *given = &await->preflight->items[i];
        const struct ng_condition *condition = ng_condition_of(given->kind);
        const struct item *item = &await->items[i];
        if (item->awaited && item->stops && item->wait.host == &plan->hosts[host]) {
            any = true;
            reads |= condition->reads;
            if (condition->needs != NULL) {
                condition->needs(plan, given->params, needs);
            }
        }
    }
    ng_condition_leave_out(plan, reads, needs);
    return any;
}

static void ask_again(struct await *await, struct ng_arena *arena, const struct ng_facts **facts) {
    const size_t hosts = await->run->plan->host_count;
    for (size_t host = 0; host < hosts && !ng_run_halted(await->run); host++) {
        struct ng_collect_needs *needs = ng_arena_array(arena, hosts, sizeof *needs);
        if (need(await, host, needs)) {
            ng_gather_host(await->run, host, needs, "facts", arena, facts);
        }
        for (size_t i = 0; i < hosts; i++) {
            ng_collect_needs_release(&needs[i]);
        }
    }
}

/* One more look at what is waited for. An answer that says nothing (a host that was out of reach
 * for a moment) is none: the wait goes on. */
static void look_again(struct await *await) {
    const size_t hosts = await->run->plan->host_count;
    struct ng_arena arena;
    ng_arena_init(&arena);
    const struct ng_facts **facts = ng_arena_array(&arena, hosts, sizeof *facts);
    memcpy(facts, await->run->facts, hosts * sizeof *facts);
    ask_again(await, &arena, facts);
    for (size_t i = 0; i < await->preflight->count && !ng_run_halted(await->run); i++) {
        struct item *item = &await->items[i];
        struct ng_condition_result seen;
        if (!item->stops) {
            continue;
        }
        if (item->awaited) {
            look(await, i, facts, &arena, &seen);
        }
        await->run->waited_ns[i] = now(await) - item->began_ns;
        if (item->awaited && item->stops) {
            tell(await, i, &seen);
        }
    }
    ng_arena_release(&arena);
}

/* How long until the next look; 0 when nothing is waited for or some time is over. */
static int64_t pause_of(const struct await *await) {
    int64_t shortest = INT64_MAX;
    for (size_t i = 0; i < await->preflight->count; i++) {
        const struct item *item = &await->items[i];
        if (!item->awaited || !item->stops) {
            continue;
        }
        const int64_t left = remaining(await, item);
        if (left <= 0) {
            return 0;
        }
        const int64_t pause = ng_await_pause(item->wait.left_ns, item->wait.at_most_ns, left);
        shortest = pause < shortest ? pause : shortest;
    }
    return shortest == INT64_MAX ? 0 : shortest;
}

/* Begins the time of those that are waited for from now on, and says so. */
static void begin(struct await *await) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    for (size_t i = 0; i < await->preflight->count; i++) {
        struct item *item = &await->items[i];
        struct ng_condition_result seen;
        if (item->stops && item->began_ns < 0) {
            item->began_ns = now(await);
        }
        if (!item->stops || !item->awaited) {
            continue;
        }
        look(await, i, await->run->facts, &arena, &seen);
        tell(await, i, &seen);
    }
    ng_arena_release(&arena);
}

/* Until all that is waited for holds, or the time of one of it is over. */
static void wait_once(struct await *await) {
    int64_t pause;
    begin(await);
    while ((pause = pause_of(await)) > 0 && !ng_run_halted(await->run)) {
        ng_batch_pause(await->run, pause);
        if (!ng_run_halted(await->run)) {
            look_again(await);
        }
    }
}

void ng_await(struct ng_run *run, const struct ng_preflight *preflight) {
    struct await await = {.run = run,
        .preflight = preflight,
        .items = ng_arena_array(&run->arena, preflight->count, sizeof *await.items)};
    const struct ng_progress *progress = run->options.progress;
    run->waited_ns = ng_arena_array(&run->arena, preflight->count, sizeof *run->waited_ns);
    for (size_t i = 0; i < preflight->count; i++) {
        await.items[i].began_ns = -1;
    }
    for (int round = 0; round < NG_AWAIT_ROUNDS_MAX && may_wait(&await); round++) {
        wait_once(&await);
        if (ng_run_halted(run)) {
            return;
        }
        if (progress != NULL && progress->step != NULL) {
            progress->step(progress->context, "collecting facts again");
        }
        ng_preflight_collect(run, preflight);
        if (ng_run_halted(run)) {
            return;
        }
    }
}
