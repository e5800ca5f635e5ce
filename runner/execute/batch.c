/* Requests run to their end on the loop. */
#include "runner/execute/batch.h"

#include <assert.h>
#include <string.h>

/* How long a server may take until it listens, and to end by itself after its client. */
#define READY_NS (10 * NG_NS_PER_S)
#define LINGER_NS (3 * NG_NS_PER_S)

/* One request on its way. */
struct flight {
    struct ng_run *run;
    struct ng_call *call; /* NULL once ended */
    struct ng_reply *reply;
    bool ready, ended;
};

struct ng_batch {
    struct ng_run *run;
    struct flight flights[NG_BATCH_MAX];
    size_t count;
    size_t waited; /* the flight whose event is waited for; count: all of them */
    bool stoppable;
    int stops_seen;  /* how many of the user's signals were passed on */
    bool time_is_up; /* the wait's own timer has fired */
};

static void flight_ready(void *context) {
    ((struct flight *)context)->ready = true;
}

static void flight_ended(void *context, struct ng_reply *reply) {
    struct flight *flight = context;
    *flight->reply = *reply; /* ownership of the outputs moves */
    memset(reply, 0, sizeof *reply);
    flight->ended = true;
    flight->call = NULL;
    if (flight->reply->end_ns > flight->run->result->duration_ns) {
        flight->run->result->duration_ns = flight->reply->end_ns;
    }
}

static void stop(struct flight *flight) {
    if (flight->call != NULL && !flight->ended) {
        ng_transport_stop(flight->run->transport, flight->call);
    }
}

static void stop_all(struct ng_batch *batch) {
    for (size_t i = 0; i < batch->count; i++) {
        stop(&batch->flights[i]);
    }
}

static bool all_ended(void *context) {
    const struct ng_batch *batch = context;
    for (size_t i = 0; i < batch->count; i++) {
        if (!batch->flights[i].ended) {
            return false;
        }
    }
    return true;
}

void ng_batch_lost(struct ng_run *run) {
    if (run->batch != NULL && !all_ended(run->batch)) {
        run->halt = run->lost;
        stop_all(run->batch);
    }
}

static void submit(
    struct ng_batch *batch, const struct ng_request *request, struct ng_reply *reply) {
    struct flight *flight = &batch->flights[batch->count++];
    memset(flight, 0, sizeof *flight);
    /* What has not ended is never taken for a success. */
    *reply = (struct ng_reply){.how = NG_ENDED_NOT_STARTED};
    flight->run = batch->run;
    flight->reply = reply;
    const struct ng_call_events events = {
        .ready = flight_ready, .ended = flight_ended, .context = flight};
    flight->call = ng_transport_submit(batch->run->transport, request, &events);
    if (batch->run->lost != NULL) {
        ng_batch_lost(batch->run);
    }
}

/* The user's signal: the first asks politely, each further one makes the ladder hurry. */
static void on_signal(void *context, int signal) {
    struct ng_batch *batch = context;
    batch->stops_seen++;
    const struct ng_progress *progress = batch->run->options.progress;
    if (batch->stops_seen == 1 && progress != NULL && progress->stopping != NULL) {
        progress->stopping(progress->context, signal);
    }
    if (batch->stoppable) {
        stop_all(batch);
    }
}

static void begin(struct ng_batch *batch) {
    ng_loop_on_signal(batch->run->loop, on_signal, batch);
    batch->run->batch = batch->stoppable ? batch : NULL;
}

static void finish(struct ng_batch *batch) {
    ng_loop_on_signal(batch->run->loop, NULL, NULL);
    batch->run->batch = NULL;
}

static bool one_ready(void *context) {
    const struct ng_batch *batch = context;
    const struct flight *flight = &batch->flights[batch->waited];
    return flight->ready || flight->ended || batch->time_is_up;
}

static bool one_ended(void *context) {
    const struct ng_batch *batch = context;
    return batch->flights[batch->waited].ended;
}

static bool all_ended_or_late(void *context) {
    return all_ended(context) || ((struct ng_batch *)context)->time_is_up;
}

static void time_is_up(void *context) {
    ((struct ng_batch *)context)->time_is_up = true;
}

/* Waits for `done`, at most `limit_ns`. */
static void wait_at_most(struct ng_batch *batch, bool (*done)(void *), int64_t limit_ns) {
    batch->time_is_up = false;
    struct ng_timer *timer = ng_timer_start(batch->run->loop, limit_ns, 0, time_is_up, batch);
    ng_loop_run(batch->run->loop, done, batch);
    ng_timer_stop(timer);
}

void ng_batch_run(struct ng_run *run, const struct ng_request *requests, size_t count,
    bool stoppable, struct ng_reply *replies) {
    struct ng_batch batch = {.run = run, .stoppable = stoppable};
    assert(count <= NG_BATCH_MAX);
    begin(&batch);
    for (size_t i = 0; i < count; i++) {
        submit(&batch, &requests[i], &replies[i]);
    }
    ng_loop_run(run->loop, all_ended, &batch);
    finish(&batch);
}

static bool succeeded(const struct ng_reply *reply) {
    return reply->how == NG_ENDED_EXITED && reply->status == 0;
}

static struct ng_request request_of(
    const struct ng_command *command, const char *purpose, int64_t left_ns) {
    return (struct ng_request){
        .host = command->host->name,
        .purpose = purpose,
        .argv = ng_strv_argv(&command->argv),
        .deadline_ns = command->deadline_ns < left_ns ? command->deadline_ns : left_ns,
        .listen_port = command->listen_port,
        .swept = true,
    };
}

/* Starts one command; false when the row ends here. */
static bool run_command(struct ng_batch *batch, const struct ng_command *command,
    const char *purpose, int64_t until_mono_ns, struct ng_reply *reply) {
    const int64_t left_ns = until_mono_ns - ng_clock_mono(ng_loop_clock(batch->run->loop));
    if (left_ns <= 0) {
        return false;
    }
    const struct ng_request request = request_of(command, purpose, left_ns);
    batch->waited = batch->count;
    submit(batch, &request, reply);
    const struct flight *flight = &batch->flights[batch->waited];
    if (command->background) {
        wait_at_most(batch, one_ready, READY_NS);
        return flight->ready; /* one that ended since makes its client fail */
    }
    ng_loop_run(batch->run->loop, one_ended, batch);
    return succeeded(reply);
}

size_t ng_batch_commands(struct ng_run *run, const char *purpose,
    const struct ng_commands *commands, int64_t until_mono_ns,
    struct ng_reply replies[NG_COMMANDS_MAX]) {
    struct ng_batch batch = {.run = run, .stoppable = true};
    begin(&batch);
    for (size_t i = 0; i < commands->count && !ng_run_halted(run); i++) {
        const struct ng_command *command = &commands->items[i];
        const char *what = ng_arena_printf(&run->arena, "%s: %s", purpose, command->role);
        if (!run_command(&batch, command, what, until_mono_ns, &replies[i])) {
            break;
        }
    }
    if (!all_ended(&batch)) {
        wait_at_most(&batch, all_ended_or_late, LINGER_NS);
        stop_all(&batch);
        ng_loop_run(run->loop, all_ended, &batch);
    }
    finish(&batch);
    return batch.count;
}

bool ng_batch_closing(struct ng_run *run, const char *purpose, const struct ng_command *command,
    int64_t until_mono_ns, struct ng_reply *reply) {
    const int64_t left_ns = until_mono_ns - ng_clock_mono(ng_loop_clock(run->loop));
    if (left_ns <= 0) {
        return false;
    }
    const struct ng_request request = request_of(command, purpose, left_ns);
    ng_batch_run(run, &request, 1, false, reply);
    return true;
}

static bool stopped_or_late(void *context) {
    const struct ng_batch *batch = context;
    return batch->time_is_up || ng_run_stopped(batch->run);
}

void ng_batch_pause(struct ng_run *run, int64_t ns) {
    struct ng_batch batch = {.run = run, .stoppable = true};
    begin(&batch);
    wait_at_most(&batch, stopped_or_late, ns);
    finish(&batch);
}
