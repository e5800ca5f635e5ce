/* /proc/self/mountinfo: what is really mounted where. */
#include "runner/facts/mountinfo.h"

#include <string.h>

#include "runner/base/buf.h"
#include "runner/facts/scan.h"

static bool is_octal(char c) {
    return c >= '0' && c <= '7';
}

char *ng_mount_decode(struct ng_arena *arena, const char *bytes, size_t len) {
    const struct ng_span span = ng_span(bytes, len);
    char *text = ng_span_dup(arena, span);
    size_t to = 0;
    for (size_t i = 0; i < span.len; i++) {
        const char *at = text + i;
        if (at[0] == '\\' && i + 3 < span.len && at[1] >= '0' && at[1] <= '3' && is_octal(at[2]) &&
            is_octal(at[3])) {
            int value = (at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0');
            if (value != 0) {
                text[to++] = (char)value;
                i += 3;
                continue;
            }
        }
        text[to++] = at[0];
    }
    text[to] = '\0';
    return text;
}

static char *decode(struct ng_arena *arena, struct ng_span span) {
    return ng_mount_decode(arena, span.at, span.len);
}

static bool parse_number(struct ng_span span, int64_t max, int64_t *out) {
    return ng_span_int(span, out) && *out >= 0 && *out <= max;
}

static bool parse_numbers(struct ng_span *line, struct ng_mount *mount) {
    int64_t id, parent, major, minor;
    if (!parse_number(ng_span_until(line, ' '), INT32_MAX, &id) ||
        !parse_number(ng_span_until(line, ' '), INT32_MAX, &parent)) {
        return false;
    }
    struct ng_span device = ng_span_until(line, ' ');
    if (!parse_number(ng_span_until(&device, ':'), UINT32_MAX, &major) ||
        !parse_number(device, UINT32_MAX, &minor)) {
        return false;
    }
    mount->id = (int)id;
    mount->parent = (int)parent;
    mount->major = (unsigned)major;
    mount->minor = (unsigned)minor;
    return true;
}

/* Fields are split on single blanks: a source may be empty, and the last field may hold blanks. */
static bool parse_line(struct ng_span line, struct ng_arena *arena, struct ng_mount *mount) {
    if (!parse_numbers(&line, mount)) {
        return false;
    }
    struct ng_span root = ng_span_until(&line, ' ');
    struct ng_span point = ng_span_until(&line, ' ');
    struct ng_span options = ng_span_until(&line, ' ');
    if (root.len == 0 || point.len == 0 || point.at[0] != '/' || options.len == 0) {
        return false;
    }
    for (;;) {
        if (line.len == 0) {
            return false;
        }
        if (ng_span_is(ng_span_until(&line, ' '), "-")) {
            break;
        }
    }
    struct ng_span type = ng_span_until(&line, ' ');
    if (type.len == 0 || line.len == 0) {
        return false;
    }
    struct ng_span source = ng_span_until(&line, ' ');
    mount->root = decode(arena, root);
    mount->point = decode(arena, point);
    mount->options = ng_span_dup(arena, options);
    mount->type = ng_span_dup(arena, type);
    mount->source = decode(arena, source);
    mount->super_options = ng_span_dup(arena, line);
    return true;
}

void ng_mounts_parse(
    struct ng_mounts *mounts, struct ng_arena *arena, const char *text, size_t len) {
    *mounts = (struct ng_mounts){0};
    struct ng_mount *items = NULL;
    size_t capacity = 0;
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    while (ng_span_line(&rest, &line)) {
        struct ng_mount mount = {0};
        if (line.len == 0) {
            continue;
        }
        if (mounts->count >= NG_MOUNTS_MAX || !parse_line(line, arena, &mount)) {
            mounts->bad++;
            continue;
        }
        items = ng_arena_grow(arena, items, mounts->count, &capacity, sizeof *items);
        items[mounts->count++] = mount;
    }
    mounts->items = items;
}

static size_t path_len(const char *path) {
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/') {
        len--;
    }
    return len;
}

static bool covers(const char *point, const char *path, size_t len) {
    size_t point_len = path_len(point);
    if (point_len == 1) {
        return true;
    }
    return point_len <= len && memcmp(point, path, point_len) == 0 &&
           (point_len == len || path[point_len] == '/');
}

const struct ng_mount *ng_mounts_find(const struct ng_mounts *mounts, const char *path) {
    const struct ng_mount *best = NULL;
    size_t len = path_len(path);
    if (path[0] != '/') {
        return NULL;
    }
    for (size_t i = 0; i < mounts->count; i++) {
        const struct ng_mount *mount = &mounts->items[i];
        if (covers(mount->point, path, len) &&
            (best == NULL || path_len(mount->point) >= path_len(best->point))) {
            best = mount;
        }
    }
    return best;
}

bool ng_mounts_is_point(const struct ng_mounts *mounts, const char *path) {
    const struct ng_mount *mount = ng_mounts_find(mounts, path);
    return mount != NULL && path_len(mount->point) == path_len(path);
}

static const struct ng_mount *with_id(const struct ng_mounts *mounts, int id) {
    for (size_t i = 0; i < mounts->count; i++) {
        if (mounts->items[i].id == id) {
            return &mounts->items[i];
        }
    }
    return NULL;
}

/* Whether `other` is this mount or one that it lies on. *whole: the chain ends at a root. */
static bool lies_on(const struct ng_mounts *mounts, const struct ng_mount *mount,
    const struct ng_mount *other, bool *whole) {
    enum { DEPTH_MAX = 64 };
    *whole = false;
    for (int i = 0; i < DEPTH_MAX && mount != NULL; i++) {
        if (mount == other) {
            return true;
        }
        *whole = strcmp(mount->point, "/") == 0;
        mount = mount->parent == mount->id ? NULL : with_id(mounts, mount->parent);
    }
    return false;
}

const struct ng_mount *ng_mounts_hidden_by(
    const struct ng_mounts *mounts, const struct ng_mount *mount) {
    const size_t len = path_len(mount->point);
    for (size_t i = mounts->count; i > 0; i--) {
        const struct ng_mount *other = &mounts->items[i - 1];
        bool whole;
        if (path_len(other->point) < len && covers(other->point, mount->point, len) &&
            !lies_on(mounts, mount, other, &whole) && whole) {
            return other;
        }
    }
    return NULL;
}

size_t ng_mounts_stacked(const struct ng_mounts *mounts, const struct ng_mount *mount) {
    size_t count = 0;
    for (size_t i = 0; i < mounts->count; i++) {
        count += strcmp(mounts->items[i].point, mount->point) == 0 ? 1 : 0;
    }
    return count;
}

/* Takes the next option off a list; commas inside double quotes belong to it. */
static struct ng_span next_option(struct ng_span *list) {
    bool quoted = false;
    size_t len = 0;
    while (len < list->len && (quoted || list->at[len] != ',')) {
        quoted = list->at[len] == '"' ? !quoted : quoted;
        len++;
    }
    struct ng_span option = ng_span(list->at, len);
    size_t used = len < list->len ? len + 1 : len;
    *list = ng_span(list->at + used, list->len - used);
    return option;
}

static bool find_option(
    const char *options, const char *name, struct ng_arena *arena, const char **value) {
    struct ng_span list = ng_span(options, strlen(options));
    while (list.len > 0) {
        struct ng_span text = next_option(&list);
        if (ng_span_is(ng_span_until(&text, '='), name)) {
            if (text.len >= 2 && text.at[0] == '"' && text.at[text.len - 1] == '"') {
                text = ng_span(text.at + 1, text.len - 2);
            }
            *value = ng_span_dup(arena, text);
            return true;
        }
    }
    return false;
}

bool ng_mount_option(
    const struct ng_mount *mount, const char *name, struct ng_arena *arena, const char **value) {
    return find_option(mount->options, name, arena, value) ||
           find_option(mount->super_options, name, arena, value);
}

static bool is_listed(const char *options, struct ng_span wanted) {
    struct ng_span list = ng_span(options, strlen(options));
    while (list.len > 0) {
        struct ng_span option = next_option(&list);
        if (option.len == wanted.len && memcmp(option.at, wanted.at, wanted.len) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_flag(const char *options, const char *flag) {
    return is_listed(options, ng_span(flag, strlen(flag)));
}

bool ng_mount_is_deleted(const struct ng_mount *mount) {
    static const char mark[] = "//deleted";
    const size_t len = strlen(mount->root);
    return len >= sizeof mark - 1 && strcmp(mount->root + len - (sizeof mark - 1), mark) == 0;
}

bool ng_mount_read_only(const struct ng_mount *mount) {
    return has_flag(mount->options, "ro") || has_flag(mount->super_options, "ro");
}

/* Adds the options of a list, without those that stand in `told` already. */
static void add_safe(struct ng_buf *out, const char *options, const char *told) {
    static const char *const secret[] = {
        "username", "user", "domain", "password", "password2", "pass", "cruid"};
    struct ng_span list = ng_span(options, strlen(options));
    while (list.len > 0) {
        struct ng_span option = next_option(&list);
        /* the mount says rw or ro itself, and a read-only one may lie on a file system that is not
         */
        if (is_listed(told, option) || (told[0] != '\0' && ng_span_is(option, "rw"))) {
            continue;
        }
        struct ng_span value = option;
        struct ng_span name = ng_span_until(&value, '=');
        bool masked = false;
        for (size_t i = 0; i < NG_COUNT(secret) && name.len < option.len; i++) {
            masked = masked || ng_span_is(name, secret[i]);
        }
        ng_buf_adds(out, out->len == 0 ? "" : ",");
        ng_buf_add(out, option.at, masked ? name.len : option.len);
        ng_buf_adds(out, masked ? "=***" : "");
    }
}

const char *ng_mount_options_safe(const struct ng_mount *mount, struct ng_arena *arena) {
    struct ng_buf out;
    ng_buf_init(&out, 4096);
    add_safe(&out, mount->options, "");
    add_safe(&out, mount->super_options, mount->options);
    const char *text = ng_arena_strdup(arena, ng_buf_text(&out));
    ng_buf_release(&out);
    return text;
}
