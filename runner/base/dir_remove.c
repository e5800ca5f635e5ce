/** dir_remove.c - removing a tree, and nothing that lies outside of it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/base/arena.h"
#include "runner/base/files.h"

enum { ENTRIES_MAX = 100000, DEPTH_MAX = 100 };

struct removal {
    const char *path; /* of the whole, for messages */
    dev_t device;
    int left; /* entries that may still be removed */
    struct ng_err *err;
};

static bool fail(const struct removal *removal, int number, const char *name) {
    return ng_err_set_errno(
        removal->err, NG_ERR_FILE, number, "cannot remove %s: entry \"%s\"", removal->path, name);
}

/** True if something else is mounted on the folder. The device tells it, except for bind mounts. */
static bool is_mount(int fd, dev_t device) {
    struct stat status;
    if (fstat(fd, &status) != 0 || status.st_dev != device) {
        return true;
    }
    struct statx more;
    return statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &more) == 0 &&
           (more.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

static bool empty_folder(struct removal *removal, int fd, int depth);

static bool remove_folder(struct removal *removal, int parent, const char *name, int depth) {
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return fail(removal, errno, name);
    }
    if (is_mount(fd, removal->device)) {
        close(fd);
        return ng_err_set(removal->err, NG_ERR_FILE,
            "cannot remove %s: something is mounted on its folder \"%s\"; unmount it first",
            removal->path, name);
    }
    if (!empty_folder(removal, fd, depth + 1)) { /* closes fd */
        return false;
    }
    return unlinkat(parent, name, AT_REMOVEDIR) == 0 || fail(removal, errno, name);
}

static bool remove_entry(struct removal *removal, int parent, const char *name, int depth) {
    if (removal->left <= 0) {
        return ng_err_set(removal->err, NG_ERR_LIMIT,
            "cannot remove %s: it has more than %d entries; the rest is still there", removal->path,
            (int)ENTRIES_MAX);
    }
    removal->left--;
    struct stat status;
    if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        return errno == ENOENT || fail(removal, errno, name);
    }
    if (S_ISDIR(status.st_mode)) {
        return remove_folder(removal, parent, name, depth);
    }
    return unlinkat(parent, name, 0) == 0 || errno == ENOENT || fail(removal, errno, name);
}

/** Removes what one pass over the folder finds; *found counts it. */
static bool remove_pass(struct removal *removal, DIR *dir, int depth, int *found) {
    *found = 0;
    const struct dirent *entry;
    for (errno = 0; (entry = readdir(dir)) != NULL; errno = 0) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        if (!remove_entry(removal, dirfd(dir), entry->d_name, depth)) {
            return false;
        }
        (*found)++;
    }
    return errno == 0 || fail(removal, errno, ".");
}

/** Takes `fd` over. Passes are repeated because removing while reading may make readdir skip
 * entries on network file systems; the count of entries bounds them. */
static bool empty_folder(struct removal *removal, int fd, int depth) {
    if (depth > DEPTH_MAX) {
        close(fd);
        return ng_err_set(removal->err, NG_ERR_LIMIT,
            "cannot remove %s: its folders are nested deeper than %d", removal->path,
            (int)DEPTH_MAX);
    }
    DIR *dir = fdopendir(fd);
    if (dir == NULL) {
        int number = errno;
        close(fd);
        return fail(removal, number, ".");
    }
    int found;
    bool ok;
    do {
        rewinddir(dir);
        ok = remove_pass(removal, dir, depth, &found);
    } while (ok && found > 0);
    closedir(dir);
    return ok;
}

/** Without slashes at the end, which would make the system follow a link. NULL for what can never
 * be a folder of ours: "", "/", and what ends with "." or "..". */
static char *plain_path(const char *path) {
    size_t len = strlen(path);
    while (len > 0 && path[len - 1] == '/') {
        len--;
    }
    char *plain = ng_xstrdup(path);
    plain[len] = '\0';
    const char *slash = strrchr(plain, '/');
    const char *name = slash == NULL ? plain : slash + 1;
    if (*name == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        free(plain);
        return NULL;
    }
    return plain;
}

static bool remove_tree(struct removal *removal, const char *plain) {
    int fd = open(plain, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        int number = errno;
        if (number == ENOENT) {
            return true;
        }
        return ng_err_set_errno(removal->err, NG_ERR_FILE, number, "cannot remove %s%s", plain,
            number == ENOTDIR || number == ELOOP ? ": it is not a folder of its own" : "");
    }
    struct stat status;
    if (fstat(fd, &status) != 0) {
        int number = errno;
        close(fd);
        return fail(removal, number, ".");
    }
    removal->device = status.st_dev;
    if (is_mount(fd, removal->device)) {
        close(fd);
        return ng_err_set(removal->err, NG_ERR_FILE,
            "cannot remove %s: something is mounted on it; unmount it first", plain);
    }
    if (!empty_folder(removal, fd, 1)) {
        return false;
    }
    return rmdir(plain) == 0 || errno == ENOENT ||
           ng_err_set_errno(removal->err, NG_ERR_FILE, errno, "cannot remove %s", plain);
}

bool ng_dir_remove(const char *path, struct ng_err *err) {
    char *plain = plain_path(path);
    if (plain == NULL) {
        return ng_err_set(
            err, NG_ERR_FILE, "refused to remove \"%s\": it cannot be a folder of ours", path);
    }
    struct removal removal = {.path = plain, .left = ENTRIES_MAX, .err = err};
    bool ok = remove_tree(&removal, plain);
    free(plain);
    return ok;
}
