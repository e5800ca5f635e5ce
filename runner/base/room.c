/* Names the file system of a file that could not be written. */
#include "runner/base/room.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>

#include "runner/base/arena.h"
#include "runner/base/buf.h"
#include "runner/base/files.h"
#include "runner/base/text.h"

enum { MOUNTS_CAP = 4 << 20, PLACE_CAP = 700, SOURCE_CAP = 200, TYPE_CAP = 40, POINT_CAP = 300 };

/* The nearest folder that is there: the file itself may not have come to be. */
static bool nearest(const char *path, struct stat *status, struct statvfs *room) {
    char *folder = ng_xstrdup(path);
    bool found = false;
    for (char *end = strrchr(folder, '/'); end != NULL && !found; end = strrchr(folder, '/')) {
        *(end == folder ? end + 1 : end) = '\0';
        found = stat(folder, status) == 0 && statvfs(folder, room) == 0;
        if (end == folder) {
            break;
        }
    }
    if (!found && path[0] != '/') {
        found = stat(".", status) == 0 && statvfs(".", room) == 0;
    }
    free(folder);
    return found;
}

/* "98:0" */
static bool is_device(const char *word, dev_t device) {
    char *end = NULL;
    const unsigned long high = strtoul(word, &end, 10);
    return *end == ':' && high == major(device) && strtoul(end + 1, NULL, 10) == minor(device);
}

/* "36 35 98:0 ROOT MOUNT OPTIONS [TAG]... - TYPE SOURCE OPTIONS", its blanks written as \040. */
static bool read_line(char *line, dev_t device, struct ng_buf *out) {
    char *words[6] = {NULL}, *type, *source, *rest = NULL;
    char *end = strstr(line, " - ");
    if (end == NULL) {
        return false;
    }
    *end = '\0';
    words[0] = strtok_r(line, " ", &rest);
    for (size_t i = 1; i < 6 && words[i - 1] != NULL; i++) {
        words[i] = strtok_r(NULL, " ", &rest);
    }
    type = strtok_r(end + 3, " ", &rest);
    source = type != NULL ? strtok_r(NULL, " ", &rest) : NULL;
    if (words[5] == NULL || source == NULL || !is_device(words[2], device)) {
        return false;
    }
    ng_buf_clear(out);
    ng_text_clean(out, source, strlen(source), NG_TEXT_LINE, SOURCE_CAP);
    ng_buf_adds(out, " (");
    ng_text_clean(out, type, strlen(type), NG_TEXT_LINE, TYPE_CAP);
    ng_buf_adds(out, ") on ");
    ng_text_clean(out, words[4], strlen(words[4]), NG_TEXT_LINE, POINT_CAP);
    return true;
}

/* The mount that was made last covers the others. */
static void add_mount(dev_t device, struct ng_buf *out) {
    char *text = NULL, *rest = NULL;
    size_t len = 0;
    ng_buf_addf(out, "device %u:%u", major(device), minor(device));
    if (!ng_file_read("/proc/self/mountinfo", MOUNTS_CAP, &text, &len, NULL)) {
        return;
    }
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        (void)read_line(line, device, out);
    }
    free(text);
}

/* Who must not be told the path is not told the mount either: both name users and machines. */
static void add_place(const char *path, const char *shown, dev_t device, struct ng_buf *out) {
    if (strcmp(path, shown) == 0) {
        add_mount(device, out);
        ng_buf_adds(out, " has");
    } else {
        ng_buf_adds(out, "the disk of the bundle is full, it has");
    }
}

bool ng_room_failed(struct ng_err *err, int number, const char *path, const char *shown) {
    struct stat status;
    struct statvfs room;
    struct ng_buf place;
    if ((number != ENOSPC && number != EDQUOT) || !nearest(path, &status, &room)) {
        return ng_err_set_errno(err, NG_ERR_FILE, number, "cannot write %s", shown);
    }
    ng_buf_init(&place, PLACE_CAP);
    add_place(path, shown, status.st_dev, &place);
    const bool files = room.f_favail > 0 || room.f_files == 0; /* some have no fixed number */
    ng_err_set(err, NG_ERR_FULL,
        "cannot write %s: %s: %s %" PRIuMAX " KiB left%s: make room there, or write elsewhere",
        shown, strerror(number), ng_buf_text(&place),
        (uintmax_t)room.f_bavail * room.f_frsize / 1024, files ? "" : ", and no more files");
    ng_buf_release(&place);
    return false;
}
