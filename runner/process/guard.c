// The process that outlives a kill -9 of ours just long enough to end what we had started.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runner/base/arena.h"
#include "runner/base/buf.h"
#include "runner/base/files.h"
#include "runner/process/child.h"
#include "runner/process/tree.h"

struct ng_guard {
    pid_t pid;
    int pipe; /* the end that only we hold: its closing is the message */
};

enum { FD_LIMIT = 65536, MARKER_ROOM = 4096, PATH_ROOM = 8192 };

/** Everything but the pipe, so that nobody who waits for an end of file waits for the guard. */
static void close_others(int keep) {
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd <= 2 && null >= 0; fd++) {
        dup2(null, fd);
    }
    bool done = (keep <= 3 || syscall(SYS_close_range, 3, keep - 1, 0) == 0) &&
                syscall(SYS_close_range, keep + 1, ~0U, 0) == 0;
    for (int fd = 3; !done && fd < FD_LIMIT; fd++) { // before Linux 5.9
        if (fd != keep) {
            close(fd);
        }
    }
}

/** What ends a runner must not end its guard. */
static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};

static void leave_company(const sigset_t *before) {
    for (size_t i = 0; i < NG_COUNT(ignored); i++) {
        signal(ignored[i], SIG_IGN);
    }
    sigprocmask(SIG_SETMASK, before, NULL);
    setsid();
    prctl(PR_SET_NAME, "ng-guard");
    if (chdir("/") != 0) {
        return; // then a folder stays busy for as long as the run
    }
}

/**
 * Ends all that carry the marker until `quiet` looks in a row found none, or until time is up: in
 * the first `patience_ns` by SIGINT, so that what has something to put in order can.
 */
static void sweep(const char *run_id, uint64_t since, int quiet, int64_t patience_ns) {
    struct ng_buf marker;
    struct ng_tree tree;
    ng_buf_init(&marker, MARKER_ROOM);
    ng_buf_addf(&marker, "%s.", run_id); // with the dot, or run 1 would end run 12 as well
    ng_tree_init(&tree, ng_buf_text(&marker), true, since);
    ng_buf_release(&marker);
    const int64_t every_ns = 100 * NG_NS_PER_MS;
    const struct timespec pause = {.tv_nsec = (long)every_ns};
    int found_none = 0;
    for (int64_t spent = 0; spent < NG_GUARD_SWEEP_NS; spent += every_ns) {
        found_none = ng_tree_scan(&tree, 0) == 0 ? found_none + 1 : 0;
        if (found_none == quiet) {
            break;
        }
        if (spent < patience_ns) {
            ng_tree_ask(&tree);
        } else {
            ng_tree_kill(&tree);
        }
        nanosleep(&pause, NULL);
    }
    ng_tree_release(&tree);
}

/** What the run had for temporary files goes too, since nobody else knows of it any more. */
static void remove_scratch(const char *run_id) {
    const char *base = getenv("TMPDIR");
    base = base && base[0] == '/' ? base : "/tmp"; // as ng_dir_create_temp
    struct ng_buf stem;
    ng_buf_init(&stem, MARKER_ROOM);
    ng_buf_addf(&stem, NG_SCRATCH_STEM "-", run_id);
    DIR *dir = opendir(base);
    const struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) {
        struct ng_buf path;
        ng_buf_init(&path, PATH_ROOM);
        ng_buf_addf(&path, "%s/%s", base, entry->d_name);
        if (strncmp(entry->d_name, ng_buf_text(&stem), stem.len) == 0 &&
            !ng_dir_remove(ng_buf_text(&path), NULL)) {
            // There is nobody left to tell.
        }
        ng_buf_release(&path);
    }
    if (dir) {
        closedir(dir);
    }
    ng_buf_release(&stem);
}

NG_NORETURN static void guard_main(int end, const char *run_id, const sigset_t *before) {
    leave_company(before);
    int pipe = fcntl(end, F_DUPFD_CLOEXEC, 3); // clear of the standard descriptors
    if (pipe < 0) {
        _exit(1); // told by nobody, as with any death of the guard: the run goes on without it
    }
    close_others(pipe);
    struct ng_proc self;
    uint64_t since = ng_proc_read(getpid(), &self) ? self.start : 0;
    char word = 0;
    ssize_t got;
    do {
        got = read(pipe, &word, 1);
    } while (got < 0 && errno == EINTR);
    // Should a look at /proc hang on a process that is itself stuck, the alarm ends us.
    alarm(2 * (unsigned)(NG_GUARD_SWEEP_NS / NG_NS_PER_S));
    if (got == 1 && word == 'q') {
        sweep(run_id, since, 1, 0);
    } else {
        // A child may just now be between fork and exec, where it does not carry the marker yet:
        // hence a second look.
        sweep(run_id, since, 2, NG_GUARD_PATIENCE_NS);
    }
    remove_scratch(run_id);
    _exit(0);
}

/** Forks; in the guard it does not return. A Ctrl-C that comes before the guard ignores it waits.
 */
static pid_t fork_guard(const int ends[2], const char *run_id) {
    sigset_t held;
    sigset_t before;
    sigemptyset(&held);
    for (size_t i = 0; i < NG_COUNT(ignored); i++) {
        sigaddset(&held, ignored[i]);
    }
    sigprocmask(SIG_BLOCK, &held, &before);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[1]);
        guard_main(ends[0], run_id, &before);
    }
    int number = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = number;
    return pid;
}

struct ng_guard *ng_guard_new(const char *run_id, struct ng_err *err) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        ng_err_set_errno(err, NG_ERR_INTERNAL, errno, "cannot make a pipe for the guard process");
        return NULL;
    }
    pid_t pid = fork_guard(ends, run_id);
    int number = errno;
    close(ends[0]);
    if (pid < 0) {
        close(ends[1]);
        ng_err_set_errno(err, NG_ERR_INTERNAL, number, "cannot start the guard process");
        return NULL;
    }
    struct ng_guard *guard = ng_xmalloc(sizeof *guard);
    *guard = (struct ng_guard){.pid = pid, .pipe = ends[1]};
    signal(SIGPIPE, SIG_IGN); // should the guard be gone when we say farewell
    return guard;
}

void ng_guard_release(struct ng_guard *guard) {
    if (!guard) {
        return;
    }
    ssize_t sent;
    do {
        sent = write(guard->pipe, "q", 1);
    } while (sent < 0 && errno == EINTR);
    close(guard->pipe);
    pid_t got;
    do {
        got = waitpid(guard->pid, NULL, 0);
    } while (got < 0 && errno == EINTR);
    free(guard);
}
