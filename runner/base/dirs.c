/** dirs.c - creating folders and looking into them. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runner/base/arena.h"
#include "runner/base/buf.h"
#include "runner/base/files.h"

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/** mkdir that is content with an existing folder, whatever mkdir calls that (EEXIST, EROFS, ...).
 */
static bool make(const char *path, struct ng_err *err) {
    if (mkdir(path, 0777) == 0) {
        return true;
    }
    int number = errno;
    if (is_folder(path)) {
        return true;
    }
    if (number == EEXIST) {
        return ng_err_set(
            err, NG_ERR_FILE, "cannot create the folder %s: there is something else", path);
    }
    return ng_err_set_errno(err, NG_ERR_FILE, number, "cannot create the folder %s", path);
}

bool ng_dir_create(const char *path, struct ng_err *err) {
    if (*path == '\0' || strlen(path) >= PATH_MAX) {
        return ng_err_set(err, NG_ERR_FILE,
            "cannot create a folder: its path is empty or longer than %d bytes", PATH_MAX - 1);
    }
    char *part = ng_xstrdup(path);
    bool ok = true;
    for (char *slash = strchr(part + 1, '/'); ok && slash != NULL; slash = strchr(slash + 1, '/')) {
        if (slash[-1] != '/') {
            *slash = '\0';
            ok = make(part, err);
            *slash = '/';
        }
    }
    free(part);
    return ok && make(path, err);
}

bool ng_dir_create_new(const char *path, struct ng_err *err) {
    if (mkdir(path, 0777) == 0) {
        return true;
    }
    return ng_err_set_errno(err, NG_ERR_FILE, errno, "cannot create the folder %s", path);
}

bool ng_dir_is_empty(const char *path, bool *empty, struct ng_err *err) {
    DIR *dir = opendir(path);
    if (dir == NULL) {
        return ng_err_set_errno(err, NG_ERR_FILE, errno, "cannot look into the folder %s", path);
    }
    bool found = false;
    const struct dirent *entry;
    errno = 0;
    while (!found && (entry = readdir(dir)) != NULL) {
        found = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    int number = found ? 0 : errno;
    closedir(dir);
    if (number != 0) {
        return ng_err_set_errno(err, NG_ERR_FILE, number, "cannot look into the folder %s", path);
    }
    *empty = !found;
    return true;
}

bool ng_dir_create_temp(const char *stem, char **path, struct ng_err *err) {
    const char *base = getenv("TMPDIR");
    if (base == NULL || base[0] != '/') {
        base = "/tmp";
    }
    struct ng_buf name;
    ng_buf_init(&name, PATH_MAX);
    ng_buf_addf(&name, "%s/%s-XXXXXX", base, stem);
    if (name.cut > 0 || strchr(stem, '/') != NULL || mkdtemp(name.data) == NULL) {
        int number = name.cut > 0 ? ENAMETOOLONG : strchr(stem, '/') != NULL ? EINVAL : errno;
        ng_buf_release(&name);
        return ng_err_set_errno(
            err, NG_ERR_FILE, number, "cannot create a private folder in %s", base);
    }
    *path = ng_buf_detach(&name);
    return true;
}
