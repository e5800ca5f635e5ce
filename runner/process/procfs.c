// Reads what /proc says of one process and ends exactly that process.
#include "runner/process/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { STAT_MAX = 1024, ENVIRON_MAX = 8 * 1024 * 1024 };

static int open_of(pid_t pid, const char *file) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, file);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static ssize_t read_some(int fd, char *data, size_t room) {
    ssize_t got;
    do {
        got = read(fd, data, room);
    } while (got < 0 && errno == EINTR);
    return got;
}

/** Reads a small file of a process into a string; what is longer than `room` is cut. */
static bool read_text(pid_t pid, const char *file, char *text, size_t room) {
    int fd = open_of(pid, file);
    if (fd < 0) {
        return false;
    }
    ssize_t got = read_some(fd, text, room - 1);
    close(fd);
    if (got < 0) {
        return false;
    }
    text[got] = '\0';
    return true;
}

static void copy_name(const char *from, size_t len, char out[NG_PROC_NAME]) {
    size_t n = 0;
    for (; n < len && n + 1 < NG_PROC_NAME; n++) {
        out[n] = from[n] > ' ' && from[n] <= '~' ? from[n] : '?';
    }
    out[n] = '\0';
}

bool ng_proc_parse(const char *stat, struct ng_proc *out) {
    const char *open = strchr(stat, '(');
    const char *close = strrchr(stat, ')');
    if (!open || !close || close < open || close[1] != ' ' || close[2] == '\0') {
        return false;
    }
    *out = (struct ng_proc){.pid = (pid_t)strtol(stat, NULL, 10), .state = close[2]};
    copy_name(open + 1, (size_t)(close - open - 1), out->name);
    const char *at = close + 3;
    for (int field = 4; field <= 22; field++) {
        char *end = NULL;
        long long value = strtoll(at, &end, 10);
        if (end == at) {
            return false;
        }
        at = end;
        if (field == 4) {
            out->ppid = (pid_t)value;
        } else if (field == 20) {
            out->threads = (int)value;
        } else if (field == 22) {
            out->start = (uint64_t)value;
        }
    }
    return out->pid > 0;
}

bool ng_proc_read(pid_t pid, struct ng_proc *out) {
    char text[STAT_MAX];
    return read_text(pid, "stat", text, sizeof text) && ng_proc_parse(text, out);
}

bool ng_proc_ended(const struct ng_proc *proc) {
    return proc->state == 'X' || proc->state == 'x' || (proc->state == 'Z' && proc->threads <= 1);
}

/** A comparison of entries against one wanted entry that is fed byte by byte. */
struct match {
    const char *want;
    size_t len;
    size_t same; /* bytes of the current entry that are equal so far */
    bool differs;
    bool prefix;
    bool found;
};

static void match_feed(struct match *match, const char *data, size_t len) {
    for (size_t i = 0; i < len && !match->found; i++) {
        if (data[i] == '\0') {
            match->found = !match->differs && match->same == match->len;
            match->same = 0;
            match->differs = false;
        } else if (!match->differs) {
            match->differs = match->same == match->len || data[i] != match->want[match->same];
            match->same += match->differs ? 0 : 1;
            match->found = match->prefix && !match->differs && match->same == match->len;
        }
    }
}

bool ng_proc_has_entry(pid_t pid, const char *entry, bool prefix) {
    int fd = open_of(pid, "environ");
    if (fd < 0) {
        return false;
    }
    struct match match = {.want = entry, .len = strlen(entry), .prefix = prefix};
    char data[4096];
    size_t total = 0;
    while (!match.found && total < ENVIRON_MAX) {
        ssize_t got = read_some(fd, data, sizeof data);
        if (got <= 0) {
            match_feed(&match, "", 1); // the last entry may lack its NUL
            break;
        }
        match_feed(&match, data, (size_t)got);
        total += (size_t)got;
    }
    close(fd);
    return match.found;
}

const char *ng_proc_about(const struct ng_proc *proc, char out[NG_PROC_ABOUT]) {
    char wchan[64] = "";
    read_text(proc->pid, "wchan", wchan, sizeof wchan);
    bool known = wchan[0] != '\0' && strcmp(wchan, "0") != 0;
    snprintf(out, NG_PROC_ABOUT, "%s (pid %ld) is in state %c, waiting in %s", proc->name,
        (long)proc->pid, proc->state, known ? wchan : "an unknown place");
    return out;
}

bool ng_proc_signal(const struct ng_proc *proc, int number) {
    // The descriptor pins the process; only then is it certain that the start time is its own.
    int fd = (int)syscall(SYS_pidfd_open, proc->pid, 0);
    if (fd < 0 && errno != ENOSYS && errno != EPERM) {
        return false;
    }
    struct ng_proc now;
    bool same = ng_proc_read(proc->pid, &now) && now.start == proc->start;
    bool sent = false;
    errno = ESRCH;
    if (same) {
        sent = (fd >= 0 ? (int)syscall(SYS_pidfd_send_signal, fd, number, NULL, 0)
                        : kill(proc->pid, number)) == 0;
    }
    int why = errno;
    if (fd >= 0) {
        close(fd);
    }
    errno = why;
    return sent;
}
