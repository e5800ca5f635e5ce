// The event loop: signals, timers, and the order in which all of it ends.
#include "runner/process/loop.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runner/base/arena.h"
#include "runner/process/loop_inner.h"
#include "runner/process/procfs.h"

uint64_t ng_loop_ms(int64_t ns) {
    return ns <= 0 ? 0 : (uint64_t)((ns - 1) / NG_NS_PER_MS + 1);
}

static void on_child_signal(uv_signal_t *watch, int number) {
    (void)number;
    ng_children_account(watch->data);
}

static void on_signal(uv_signal_t *watch, int number) {
    ng_loop_tell_signal(watch->data, number);
}

static bool is_ignored(int number) {
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static int watch_signal(struct ng_loop *loop, uv_signal_t *watch, uv_signal_cb told, int number) {
    int rc = uv_signal_init(&loop->uv, watch);
    if (rc != 0) {
        return rc;
    }
    watch->data = loop;
    return uv_signal_start(watch, told, number);
}

// uv_run fires timers before it waits as well as after: what they did may be all that was waited
// for, and then the wait would last until something else happens.
static void before_wait(uv_prepare_t *prepare) {
    struct ng_loop *loop = prepare->data;
    if (loop->done && loop->done(loop->done_context)) {
        uv_stop(&loop->uv);
    }
}

static int watch_waits(struct ng_loop *loop) {
    int rc = uv_prepare_init(&loop->uv, &loop->before_wait);
    if (rc != 0) {
        return rc;
    }
    loop->before_wait.data = loop;
    return uv_prepare_start(&loop->before_wait, before_wait);
}

static bool none_runs(void *context) {
    return ((struct ng_loop *)context)->running == 0;
}

static void close_rest(uv_handle_t *handle, void *context) {
    (void)context;
    if (!uv_is_closing(handle)) {
        uv_close(handle, NULL);
    }
}

static void close_loop(struct ng_loop *loop) {
    uv_walk(&loop->uv, close_rest, NULL);
    while (uv_run(&loop->uv, UV_RUN_DEFAULT) != 0) {}
    (void)uv_loop_close(&loop->uv);
    free(loop);
}

/** Descriptors that a careless parent left open to us do not go on to children: they may be locks,
 *  or pipes at whose end somebody waits. */
static void keep_descriptors(void) {
    const unsigned close_range_cloexec = 1U << 2;
    if (syscall(SYS_close_range, 3, ~0U, close_range_cloexec) != 0) {
        uv_disable_stdio_inheritance(); // before Linux 5.11: the low ones, up to the first gap
    }
}

struct ng_loop *ng_loop_new(struct ng_err *err) {
    struct ng_loop *loop = ng_xmalloc(sizeof *loop);
    memset(loop, 0, sizeof *loop);
    int rc = uv_loop_init(&loop->uv);
    if (rc != 0) {
        free(loop);
        ng_err_set(err, NG_ERR_INTERNAL, "cannot make an event loop: %s", uv_strerror(rc));
        return NULL;
    }
    rc = watch_signal(loop, &loop->child_watch, on_child_signal, SIGCHLD);
    if (rc == 0 && !is_ignored(SIGHUP)) { // by nohup
        rc = watch_signal(loop, &loop->watch_hup, on_signal, SIGHUP);
    }
    rc = rc ? rc : watch_signal(loop, &loop->watch_int, on_signal, SIGINT);
    rc = rc ? rc : watch_signal(loop, &loop->watch_term, on_signal, SIGTERM);
    rc = rc ? rc : watch_waits(loop);
    if (rc != 0) {
        close_loop(loop);
        ng_err_set(err, NG_ERR_INTERNAL, "cannot watch for signals: %s", uv_strerror(rc));
        return NULL;
    }
    // A child that closes its input early, and a file beyond the limit of its size, must be error
    // codes for us, not our death. libuv gives children the defaults back.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    keep_descriptors();
    struct ng_proc self;
    loop->since = ng_proc_read(getpid(), &self) ? self.start : 0;
    loop->clock = ng_clock_real();
    return loop;
}

static void stop_timers(struct ng_loop *loop) {
    struct ng_timer *next = NULL;
    for (struct ng_timer *timer = loop->timers; timer; timer = next) {
        next = timer->next;
        ng_timer_stop(timer);
    }
}

void ng_loop_free(struct ng_loop *loop) {
    if (!loop) {
        return;
    }
    ng_loop_on_signal(loop, NULL, NULL);
    loop->closing = true;
    if (loop->by_hand) {
        stop_timers(loop);
        free(loop);
        return;
    }
    ng_children_kill(loop);
    ng_loop_run(loop, none_runs, loop);
    ng_children_close(loop);
    stop_timers(loop);
    close_loop(loop);
}

void ng_loop_run(struct ng_loop *loop, bool (*done)(void *context), void *context) {
    if (loop->by_hand) {
        ng_loop_hand_run(loop, done, context);
        return;
    }
    loop->done = done;
    loop->done_context = context;
    while (!done(context)) {
        uv_run(&loop->uv, UV_RUN_ONCE);
    }
    loop->done = NULL;
}

int ng_loop_signal(const struct ng_loop *loop) {
    return loop->signal;
}

int64_t ng_loop_signal_mono(const struct ng_loop *loop) {
    return loop->signal_mono;
}

void ng_loop_tell_signal(struct ng_loop *loop, int signal) {
    if (loop->signal == 0) {
        loop->signal = signal;
        loop->signal_mono = ng_clock_mono(&loop->clock);
    }
    if (loop->told) {
        loop->told(loop->told_context, signal);
    }
}

void ng_loop_on_signal(
    struct ng_loop *loop, void (*told)(void *context, int signal), void *context) {
    loop->told = told;
    loop->told_context = context;
}

const struct ng_clock *ng_loop_clock(const struct ng_loop *loop) {
    return &loop->clock;
}

static void on_timer(uv_timer_t *handle) {
    struct ng_timer *timer = handle->data;
    timer->fire(timer->context);
}

static void on_timer_closed(uv_handle_t *handle) {
    free(handle->data);
}

struct ng_timer *ng_timer_start(struct ng_loop *loop, int64_t after_ns, int64_t every_ns,
    void (*fire)(void *context), void *context) {
    struct ng_timer *timer = ng_xmalloc(sizeof *timer);
    *timer =
        (struct ng_timer){.loop = loop, .next = loop->timers, .fire = fire, .context = context};
    if (loop->timers) {
        loop->timers->prev = timer;
    }
    loop->timers = timer;
    if (loop->by_hand) {
        timer->due_ns = ng_clock_mono(&loop->clock) + (after_ns > 0 ? after_ns : 0);
        timer->every_ns = every_ns;
        return timer;
    }
    uv_timer_init(&loop->uv, &timer->handle);
    timer->handle.data = timer;
    uv_update_time(&loop->uv); // the wait counts from now, not from when the loop last woke
    uv_timer_start(&timer->handle, on_timer, ng_loop_ms(after_ns), ng_loop_ms(every_ns));
    return timer;
}

void ng_timer_stop(struct ng_timer *timer) {
    if (!timer) {
        return;
    }
    if (timer->prev) {
        timer->prev->next = timer->next;
    } else {
        timer->loop->timers = timer->next;
    }
    if (timer->next) {
        timer->next->prev = timer->prev;
    }
    if (timer->loop->by_hand) {
        free(timer);
        return;
    }
    uv_timer_stop(&timer->handle);
    uv_close((uv_handle_t *)&timer->handle, on_timer_closed);
}
