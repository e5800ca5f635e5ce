// Starts children and reports how they ended.
#include "runner/process/child.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runner/base/arena.h"
#include "runner/base/strv.h"
#include "runner/process/child_inner.h"

static void unlink_child(struct ng_child *child) {
    if (child->prev) {
        child->prev->next = child->next;
    } else if (child->loop->children == child) {
        child->loop->children = child->next;
    }
    if (child->next) {
        child->next->prev = child->prev;
    }
    child->prev = child->next = NULL;
}

static void link_child(struct ng_child *child) {
    child->next = child->loop->children;
    if (child->next) {
        child->next->prev = child;
    }
    child->loop->children = child;
}

static void on_closed(uv_handle_t *handle) {
    struct ng_child *child = handle->data;
    if (--child->handles == 0) {
        ng_tree_release(&child->tree);
        ng_buf_release(&child->out_kept);
        ng_buf_release(&child->err_kept);
        free(child->input);
        free(child);
    }
}

void ng_child_close_handle(uv_handle_t *handle) {
    if (handle->loop && !uv_is_closing(handle)) {
        uv_close(handle, on_closed);
    }
}

static void on_exit_status(uv_process_t *process, int64_t status, int number) {
    struct ng_child *child = process->data;
    child->exited = true;
    if (child->at == NG_CHILD_DONE) { // it was stuck, and came free after all
        unlink_child(child);
        ng_child_close_handle((uv_handle_t *)process);
        return;
    }
    if (child->asked) {
        child->end.status = number ? -number : (int)status;
    } else {
        child->end.how = number ? NG_CHILD_SIGNALLED : NG_CHILD_EXITED;
        child->end.status = number ? number : (int)status;
    }
    uv_timer_stop(&child->deadline);
    ng_ladder_exited(child);
}

static int spawn(struct ng_child *child, const struct ng_child_spec *spec, struct ng_stdio *io) {
    struct ng_strv argv = {0};
    struct ng_strv env = {0};
    ng_strv_pushv(&argv, spec->argv);
    ng_strv_pushv(&env, spec->env);
    ng_strv_push(&env, child->tree.entry);
    uv_process_options_t options = {
        .exit_cb = on_exit_status,
        .file = argv.items[0], // libuv's execvp looks it up in the PATH of `env`
        .args = argv.items,
        .env = env.items,
        .cwd = spec->cwd,
        .flags = UV_PROCESS_DETACHED,
        .stdio_count = (int)NG_COUNT(io->slots),
        .stdio = io->slots,
    };
    child->process.data = child;
    int rc = uv_spawn(&child->loop->uv, &child->process, &options);
    child->handles += child->process.loop ? 1 : 0; // it wants to be closed even after a failure
    ng_strv_release(&argv);
    ng_strv_release(&env);
    return rc;
}

/** Whether a folder of the child's PATH has an entry of this name, whatever it is. execvp says
 * "permission denied" also when there is none, but one of the folders must not be searched. */
static bool in_path(const char *const *env, const char *file) {
    const char *path = NULL;
    for (size_t i = 0; env[i] && !path; i++) {
        path = strncmp(env[i], "PATH=", 5) == 0 ? env[i] + 5 : NULL;
    }
    char full[PATH_MAX];
    for (const char *at = path; at && *at != '\0';) {
        int len = (int)strcspn(at, ":");
        int wrote = snprintf(full, sizeof full, "%.*s/%s", len, at, file);
        if (len > 0 && wrote < (int)sizeof full && access(full, F_OK) == 0) {
            return true;
        }
        at += len;
        at += *at == ':' ? 1 : 0;
    }
    return false;
}

static void explain(struct ng_child *child, const struct ng_child_spec *spec, int rc) {
    char *why = child->end.why;
    size_t room = sizeof child->end.why;
    const char *file = spec->argv[0];
    int number = spec->cwd && access(spec->cwd, X_OK) != 0 ? errno : 0;
    if (number) {
        snprintf(why, room, "the working folder %s: %s", spec->cwd, strerror(number));
    } else if (!strchr(file, '/') && (rc == UV_ENOENT || rc == UV_EACCES) &&
               !in_path(spec->env, file)) {
        snprintf(why, room, "%s: not found in PATH", file);
    } else if (rc == UV_EACCES) {
        snprintf(why, room, "%s: is there but not an executable file", file);
    } else {
        snprintf(why, room, "%s: %s", file, strerror(-rc));
    }
}

static bool launch(struct ng_child *child, const struct ng_child_spec *spec) {
    if (!spec->argv[0] || child->loop->closing) {
        snprintf(child->end.why, sizeof child->end.why, "%s",
            spec->argv[0] ? "the run is ending" : "there is no command");
        return false;
    }
    struct ng_stdio io;
    int rc = ng_stdio_open(child, spec, &io);
    if (rc != 0) {
        snprintf(child->end.why, sizeof child->end.why, "cannot make a pipe: %s", strerror(-rc));
    } else {
        rc = spawn(child, spec, &io);
        if (rc != 0) {
            explain(child, spec, rc);
        }
    }
    ng_stdio_close(&io);
    return rc == 0;
}

static void on_deadline(uv_timer_t *timer) {
    ng_ladder_end(timer->data, NG_CHILD_DEADLINE);
}

static void init_timer(struct ng_child *child, uv_timer_t *timer) {
    uv_timer_init(&child->loop->uv, timer);
    timer->data = child;
    child->handles++;
}

struct ng_child *ng_child_start(struct ng_loop *loop, const struct ng_child_spec *spec) {
    struct ng_child *child = ng_xmalloc(sizeof *child);
    memset(child, 0, sizeof *child);
    child->loop = loop;
    child->grace_ms = ng_loop_ms(spec->grace_ns);
    child->listen_port = spec->listen_port;
    child->ready_output = spec->ready_output;
    child->ready = spec->ready;
    child->ended = spec->ended;
    child->output = spec->output;
    child->held = spec->held;
    child->swept = spec->swept && !spec->held;
    child->context = spec->context;
    ng_buf_init(&child->out_kept, spec->out_cap);
    ng_buf_init(&child->err_kept, spec->err_cap);
    ng_tree_init(&child->tree, spec->marker, false, loop->since);
    init_timer(child, &child->deadline);
    init_timer(child, &child->step);
    init_timer(child, &child->beat);
    link_child(child);
    loop->running++;
    if (launch(child, spec)) {
        ng_ladder_started(child);
        uv_timer_start(&child->deadline, on_deadline, ng_loop_ms(spec->deadline_ns), 0);
        ng_stdio_feed(child, spec);
    } else {
        child->end.how = NG_CHILD_NOT_STARTED;
        ng_ladder_failed(child);
    }
    return child;
}

void ng_child_stop(struct ng_child *child) {
    ng_ladder_end(child, NG_CHILD_STOPPED);
}

static void take_output(struct ng_buf *kept, char **data, size_t *len, size_t *cut) {
    *len = kept->len;
    *cut = kept->cut;
    *data = ng_buf_detach(kept);
}

void ng_child_finish(struct ng_child *child) {
    struct ng_child_end *end = &child->end;
    child->at = NG_CHILD_DONE;
    child->loop->running--;
    take_output(&child->out_kept, &end->out, &end->out_len, &end->out_cut);
    take_output(&child->err_kept, &end->err, &end->err_len, &end->err_cut);
    ng_child_close_handle((uv_handle_t *)&child->deadline);
    ng_child_close_handle((uv_handle_t *)&child->step);
    ng_child_close_handle((uv_handle_t *)&child->beat);
    ng_child_close_handle((uv_handle_t *)&child->in);
    ng_child_close_handle((uv_handle_t *)&child->out);
    ng_child_close_handle((uv_handle_t *)&child->err);
    if (child->exited || end->how == NG_CHILD_NOT_STARTED) {
        unlink_child(child);
        ng_child_close_handle((uv_handle_t *)&child->process);
    } // else it is stuck: the handle stays, so that it is reaped should it end after all
    child->ended(child->context, end);
}

void ng_child_account(struct ng_child *child) {
    if (child->exited || child->accounted || child->at < NG_CHILD_RUNS) {
        return;
    }
    // The system call, unlike the function of the C library, also tells the usage; WNOWAIT leaves
    // the reaping to libuv.
    siginfo_t info = {0};
    struct rusage usage = {0};
    long rc =
        syscall(SYS_waitid, P_PID, child->process.pid, &info, WEXITED | WNOWAIT | WNOHANG, &usage);
    if (rc != 0 || info.si_pid != child->process.pid) {
        return;
    }
    child->accounted = true;
    child->end.user_ns = usage.ru_utime.tv_sec * NG_NS_PER_S + usage.ru_utime.tv_usec * 1000;
    child->end.system_ns = usage.ru_stime.tv_sec * NG_NS_PER_S + usage.ru_stime.tv_usec * 1000;
    child->end.max_rss = (int64_t)usage.ru_maxrss * 1024;
}

void ng_children_account(struct ng_loop *loop) {
    for (struct ng_child *child = loop->children; child; child = child->next) {
        ng_child_account(child);
    }
}

void ng_children_kill(struct ng_loop *loop) {
    for (struct ng_child *child = loop->children; child; child = child->next) {
        ng_ladder_kill(child);
    }
}

void ng_children_close(struct ng_loop *loop) {
    while (loop->children) {
        struct ng_child *child = loop->children;
        unlink_child(child);
        ng_child_close_handle((uv_handle_t *)&child->process);
    }
}
