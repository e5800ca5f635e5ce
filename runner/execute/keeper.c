/* Binds the run's folders on volumes to the run. */
#include "runner/execute/keeper.h"

#include <string.h>

#include "runner/execute/volume.h"

#define LIFE_NS (366 * 86400 * NG_NS_PER_S) /* a whole run and more */
#define START_NS (30 * NG_NS_PER_S)
#define GRACE_NS (60 * NG_NS_PER_S) /* deleting many GiB takes time on some file systems */

struct ng_keeper {
    struct ng_run *run;
    struct ng_volume_state *state;
    struct ng_call *call;
    struct ng_reply reply; /* once ended */
    bool ready, asked, ended;
};

static void on_ready(void *context) {
    ((struct ng_keeper *)context)->ready = true;
}

static void on_ended(void *context, struct ng_reply *reply) {
    struct ng_keeper *keeper = context;
    struct ng_volume_state *state = keeper->state;
    keeper->reply = *reply; /* ownership of the outputs moves */
    memset(reply, 0, sizeof *reply);
    keeper->ended = true;
    if (keeper->reply.end_ns > keeper->run->result->duration_ns) {
        keeper->run->result->duration_ns = keeper->reply.end_ns;
    }
    /* Not one that tells what became of the folder when it is asked. STOPPED without having been
     * asked: the evidence of a run that was killed ends there. */
    const enum ng_ended_how how = keeper->reply.how;
    const bool told = ng_volume_answer(&keeper->run->arena, &keeper->reply, "done", NULL) != NULL;
    const bool gone =
        how != NG_ENDED_NOT_STARTED && (keeper->asked ? !told : how != NG_ENDED_STOPPED);
    if (gone && state->failed == NULL) {
        state->failed = ng_arena_printf(&keeper->run->arena,
            "volume %s: the run's folder on host %s is gone: %s", state->volume->name,
            state->volume->on->name,
            keeper->reply.why[0] != '\0' ? keeper->reply.why : "what kept it was ended there");
    }
}

static void start(struct ng_run *run, struct ng_volume_state *state) {
    const char *name = ng_arena_printf(&run->arena, "nasgate-%s", run->result->run_id);
    const char *const argv[] = {
        "/bin/sh", "-s", "--", "keep", state->volume->path, name, run->result->run_id, NULL};
    const struct ng_request request = {
        .host = state->volume->on->name,
        .purpose = ng_arena_printf(&run->arena, "volume %s: keep", state->volume->name),
        .argv = argv,
        .stdin_data = (const char *)ng_volume_sh,
        .stdin_len = ng_volume_sh_len,
        .deadline_ns = LIFE_NS,
        .grace_ns = GRACE_NS,
        .background = true,
    };
    struct ng_keeper *keeper = ng_arena_alloc(&run->arena, sizeof *keeper);
    *keeper = (struct ng_keeper){.run = run, .state = state};
    state->keeper = keeper;
    const struct ng_call_events events = {.ready = on_ready, .ended = on_ended, .context = keeper};
    keeper->call = ng_transport_submit(run->transport, &request, &events);
}

struct wait {
    const struct ng_run *run;
    bool late;
};

static void on_late(void *context) {
    ((struct wait *)context)->late = true;
}

static bool all_up(void *context) {
    const struct wait *wait = context;
    for (size_t i = 0; i < wait->run->plan->volume_count; i++) {
        const struct ng_keeper *keeper = wait->run->volumes[i].keeper;
        if (keeper != NULL && !keeper->ready && !keeper->ended) {
            return wait->late || ng_run_stopped(wait->run);
        }
    }
    return true;
}

void ng_keepers_start(struct ng_run *run) {
    struct wait wait = {.run = run};
    for (size_t i = 0; i < run->plan->volume_count; i++) {
        if (run->volumes[i].used) {
            start(run, &run->volumes[i]);
        }
    }
    struct ng_timer *timer = ng_timer_start(run->loop, START_NS, 0, on_late, &wait);
    ng_loop_run(run->loop, all_up, &wait);
    ng_timer_stop(timer);
}

static bool all_ended(void *context) {
    const struct ng_run *run = context;
    for (size_t i = 0; i < run->plan->volume_count; i++) {
        const struct ng_keeper *keeper = run->volumes[i].keeper;
        if (keeper != NULL && !keeper->ended) {
            return false;
        }
    }
    return true;
}

void ng_keepers_stop(struct ng_run *run) {
    for (size_t i = 0; i < run->plan->volume_count; i++) {
        struct ng_keeper *keeper = run->volumes[i].keeper;
        if (keeper != NULL && !keeper->ended) {
            keeper->asked = true;
            ng_transport_stop(run->transport, keeper->call);
        }
    }
    ng_loop_run(run->loop, all_ended, run);
    for (size_t i = 0; i < run->plan->volume_count; i++) {
        struct ng_volume_state *state = &run->volumes[i];
        if (state->keeper != NULL) {
            struct ng_reply *reply = &state->keeper->reply;
            const char *how = ng_volume_answer(&run->arena, reply, "removed", NULL);
            if (how != NULL && strcmp(how, "yes") == 0) {
                state->made = false;
            }
            ng_reply_release(reply);
            state->keeper = NULL;
        }
    }
}
