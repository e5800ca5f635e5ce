/* What one path is, as the collector's tests, stat and df tell it. */
#include "runner/facts/path.h"

#include <string.h>

#include "runner/facts/scan.h"

static enum ng_answer answer_of(struct ng_span value) {
    return ng_span_is(value, "yes")  ? NG_ANSWER_YES
           : ng_span_is(value, "no") ? NG_ANSWER_NO
                                     : NG_ANSWER_UNKNOWN;
}

/* What ls said of a path that a test did not find: only these two texts mean that it is not there.
 */
static void set_error(struct ng_path *path, struct ng_arena *arena, struct ng_span text) {
    if (ng_span_after(text, "No such file or directory").at != NULL ||
        ng_span_after(text, "Not a directory").at != NULL) {
        path->exists = NG_ANSWER_NO;
        return;
    }
    text.len = text.len > 300 ? 300 : text.len;
    path->why =
        text.len == 0 ? "it was not found and there is no reason why" : ng_span_dup(arena, text);
}

/* "BLOCKSIZE BLOCKS FREE AVAILABLE [INODES FREE]" */
static void set_space(struct ng_path *path, struct ng_span rest) {
    int64_t numbers[6] = {-1, -1, -1, -1, -1, -1};
    size_t count = 0;
    struct ng_span word;
    while (count < NG_COUNT(numbers) && ng_span_word(&rest, &word) &&
           ng_span_int(word, &numbers[count]) && numbers[count] >= 0) {
        count++;
    }
    int64_t total, unused, available;
    if (count < 4 || __builtin_mul_overflow(numbers[0], numbers[1], &total) ||
        __builtin_mul_overflow(numbers[0], numbers[2], &unused) ||
        __builtin_mul_overflow(numbers[0], numbers[3], &available)) {
        return;
    }
    path->total = total;
    path->available = available;
    path->reserved = unused > available ? unused - available : 0;
    if (count == NG_COUNT(numbers)) {
        path->files = numbers[4];
        path->free_files = numbers[5];
    }
}

void ng_path_parse(struct ng_path *path, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    while (ng_span_line(&rest, &line)) {
        struct ng_span value = line;
        struct ng_span key = ng_span_until(&value, ' ');
        if (ng_span_is(key, "exists")) {
            path->exists = answer_of(value);
        } else if (ng_span_is(key, "directory")) {
            path->directory = answer_of(value);
        } else if (ng_span_is(key, "writable")) {
            path->writable = answer_of(value);
        } else if (ng_span_is(key, "real") && ng_span_begins(value, "/")) {
            path->real = ng_span_dup(arena, value);
        } else if (ng_span_is(key, "error")) {
            set_error(path, arena, value);
        } else if (ng_span_is(key, "device")) {
            if (!ng_span_int(value, &path->device)) {
                path->device = -1;
            }
        } else if (ng_span_is(key, "space")) {
            set_space(path, value);
        } else if (ng_span_is(key, "Filesystem")) {
            (void)ng_df_parse(line.at, line.len + rest.len + 1, &path->available, &path->total);
            return;
        }
    }
}

static bool is_capacity(struct ng_span word) {
    return ng_span_is(word, "-") || (word.len >= 2 && word.at[word.len - 1] == '%');
}

/* Device names and mount points may hold blanks, so numbers are counted leftwards from the "NN%".
 */
static bool df_line(struct ng_span line, int64_t *available, int64_t *total) {
    int64_t last[3] = {-1, -1, -1};
    struct ng_span word;
    while (ng_span_word(&line, &word)) {
        if (is_capacity(word) && last[0] >= 0 && last[1] >= 0 && last[2] >= 0) {
            return !__builtin_mul_overflow(last[0], 1024, total) &&
                   !__builtin_mul_overflow(last[2], 1024, available);
        }
        last[0] = last[1];
        last[1] = last[2];
        if (!ng_span_int(word, &last[2])) {
            last[2] = -1;
        }
    }
    return false;
}

bool ng_df_parse(const char *text, size_t len, int64_t *available, int64_t *total) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    int64_t free_bytes, all_bytes;
    (void)ng_span_line(&rest, &line); /* the header */
    while (ng_span_line(&rest, &line)) {
        if (df_line(line, &free_bytes, &all_bytes)) {
            *available = free_bytes;
            *total = all_bytes;
            return true;
        }
    }
    return false;
}

void ng_device_split(int64_t device, unsigned *major, unsigned *minor) {
    uint64_t number = (uint64_t)device;
    *major = (unsigned)(((number >> 8) & 0xfff) | ((number >> 32) & 0xfffff000U));
    *minor = (unsigned)((number & 0xff) | ((number >> 12) & 0xffffff00U));
}
