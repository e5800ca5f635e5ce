/** files.c - reading a file whole and replacing one atomically. */
#include "runner/base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/base/arena.h"
#include "runner/base/buf.h"
#include "runner/base/room.h"

enum { READ_STEP = 65536, NAME_TRIES = 16, TEMP_NAME = 48 };

static bool check_regular(int fd, const char *path, size_t cap, struct ng_err *err) {
    struct stat status;
    if (fstat(fd, &status) != 0) {
        return ng_err_set_errno(err, NG_ERR_FILE, errno, "cannot read %s", path);
    }
    if (S_ISDIR(status.st_mode)) {
        return ng_err_set(err, NG_ERR_FILE, "cannot read %s: it is a folder, not a file", path);
    }
    if (!S_ISREG(status.st_mode)) {
        return ng_err_set(err, NG_ERR_FILE,
            "cannot read %s: it is a device, pipe or socket, not a regular file", path);
    }
    if (status.st_size > 0 && (uintmax_t)status.st_size > cap) {
        return ng_err_set(err, NG_ERR_LIMIT, "%s has %jd bytes; at most %zu are allowed", path,
            (intmax_t)status.st_size, cap);
    }
    return true;
}

/** Reads to the end: the size that fstat tells is no promise (files grow, those of /proc say 0). */
static bool read_all(int fd, const char *path, struct ng_buf *out, struct ng_err *err) {
    char *step = ng_xmalloc(READ_STEP);
    ssize_t got;
    do {
        got = read(fd, step, READ_STEP);
        if (got > 0) {
            ng_buf_add(out, step, (size_t)got);
        }
    } while ((got > 0 && out->cut == 0) || (got < 0 && errno == EINTR));
    int number = errno;
    free(step);
    if (got < 0) {
        return ng_err_set_errno(err, NG_ERR_FILE, number, "cannot read %s", path);
    }
    if (out->cut > 0) {
        return ng_err_set(
            err, NG_ERR_LIMIT, "%s has more than the %zu bytes that are allowed", path, out->cap);
    }
    return true;
}

bool ng_file_read(const char *path, size_t cap, char **data, size_t *len, struct ng_err *err) {
    /* O_NONBLOCK: opening a FIFO without a writer must not hang. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        return ng_err_set_errno(err, NG_ERR_FILE, errno, "cannot read %s", path);
    }
    struct ng_buf content;
    ng_buf_init(&content, cap);
    bool ok = check_regular(fd, path, cap, err) && read_all(fd, path, &content, err);
    close(fd);
    if (ok) {
        *len = content.len;
        *data = ng_buf_detach(&content);
    }
    ng_buf_release(&content);
    return ok;
}

static bool write_all(int fd, const char *data, size_t len) {
    while (len > 0) {
        ssize_t written = write(fd, data, len);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        if (written > 0) {
            data += written;
            len -= (size_t)written;
        }
    }
    return true;
}

/** Some network file systems cannot sync folders; their rename is as durable as it gets. */
static bool sync_folder(int dir) {
    return fsync(dir) == 0 || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP;
}

/** Creates a file that did not exist; its name goes to `name`. */
static int create_temp(int dir, char name[TEMP_NAME]) {
    for (int i = 0; i < NAME_TRIES; i++) {
        uint64_t random = 0;
        if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) {
            return -1;
        }
        snprintf(name, TEMP_NAME, ".nasgate-%016" PRIx64 ".tmp", random);
        int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
    return -1;
}

/** True for a regular file with exactly these bytes. */
static bool holds(int dir, const char *name, const char *data, size_t len) {
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    struct stat status;
    struct ng_buf content;
    ng_buf_init(&content, len);
    const bool same = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                      (uintmax_t)status.st_size == len && read_all(fd, name, &content, NULL) &&
                      content.len == len && memcmp(ng_buf_text(&content), data, len) == 0;
    ng_buf_release(&content);
    close(fd);
    return same;
}

/** All steps within the open folder; errno tells what went wrong. */
static bool replace(int dir, const char *name, const char *data, size_t len, bool sync) {
    char temp[TEMP_NAME];
    int fd = create_temp(dir, temp);
    if (fd < 0) {
        return false;
    }
    bool ok = write_all(fd, data, len) && (!sync || fsync(fd) == 0);
    int number = errno;
    if (close(fd) != 0 && ok) { /* NFS tells a full disk only now */
        ok = false;
        number = errno;
    }
    if (ok && renameat(dir, temp, dir, name) != 0) {
        ok = false;
        number = errno;
    }
    if (!ok) {
        unlinkat(dir, temp, 0);
        errno = number;
        return false;
    }
    return !sync || sync_folder(dir);
}

static bool write_file(
    const char *path, const void *data, size_t len, bool sync, struct ng_err *err) {
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    if (*name == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        return ng_err_set(err, NG_ERR_FILE, "cannot write \"%s\": it names no file", path);
    }
    char *folder = ng_xstrdup(slash == NULL ? "." : slash == path ? "/" : path);
    if (slash != NULL && slash != path) {
        folder[slash - path] = '\0';
    }
    int dir = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (dir < 0) {
        return ng_err_set_errno(err, NG_ERR_FILE, errno, "cannot write %s: its folder", path);
    }
    bool ok =
        (!sync && len > 0 && holds(dir, name, data, len)) || replace(dir, name, data, len, sync);
    int number = errno;
    close(dir);
    return ok || ng_room_failed(err, number, path, path);
}

bool ng_file_write_atomic(const char *path, const void *data, size_t len, struct ng_err *err) {
    return write_file(path, data, len, true, err);
}

bool ng_file_write_quick(const char *path, const void *data, size_t len, struct ng_err *err) {
    return write_file(path, data, len, false, err);
}

bool ng_file_is_within(const char *path, const char *folder) {
    char *whole = realpath(path, NULL);
    char *root = realpath(folder, NULL);
    bool within = false;
    if (whole != NULL && root != NULL) {
        const size_t len = strcmp(root, "/") == 0 ? 0 : strlen(root);
        within = strncmp(whole, root, len) == 0 && whole[len] == '/';
    }
    free(whole);
    free(root);
    return within;
}
