/* Settings of the kernel, read from /proc/sys. */
#include "runner/facts/sysctl.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/scan.h"

void ng_sysctls_parse(
    struct ng_sysctls *sysctls, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span_lines(text, len);
    struct ng_span line;
    while (ng_span_line(&rest, &line) && sysctls->count < NG_SYSCTLS_MAX) {
        bool unreadable = ng_span_begins(line, "!");
        if (unreadable) {
            line = ng_span(line.at + 1, line.len - 1);
        }
        struct ng_span path = ng_span_until(&line, ':');
        struct ng_span value = ng_span_trim(line);
        if (path.len == 0) {
            continue;
        }
        sysctls->items = ng_arena_grow(
            arena, sysctls->items, sysctls->count, &sysctls->capacity, sizeof *sysctls->items);
        sysctls->items[sysctls->count++] = (struct ng_sysctl){
            .path = ng_span_dup(arena, path),
            .value = unreadable ? NULL
                     : value.len == 0
                         ? ""
                         : ng_text_clean_dup(arena, value.at, value.len, NG_TEXT_LINE, 1000),
        };
    }
}

const struct ng_sysctl *ng_sysctls_find(const struct ng_sysctls *sysctls, const char *path) {
    for (size_t i = 0; i < sysctls->count; i++) {
        if (strcmp(sysctls->items[i].path, path) == 0) {
            return &sysctls->items[i];
        }
    }
    return NULL;
}

static bool is_plain(const char *name) {
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.@/+-";
    size_t len = strlen(name);
    return len > 0 && len <= NG_SYSCTL_NAME_MAX && strspn(name, allowed) == len;
}

const char *ng_sysctl_path(struct ng_arena *arena, const char *name) {
    if (!is_plain(name)) {
        return NULL;
    }
    char *path = ng_arena_strdup(arena, name);
    bool swapped = name[strcspn(name, "./")] == '.';
    for (char *at = path; swapped && *at != '\0'; at++) {
        *at = *at == '.' ? '/' : *at == '/' ? '.' : *at;
    }
    for (const char *part = path;; part++) {
        size_t len = strcspn(part, "/");
        if (len == 0 || (len == 1 && part[0] == '.') || (len == 2 && strncmp(part, "..", 2) == 0)) {
            return NULL;
        }
        part += len;
        if (*part == '\0') {
            return path;
        }
    }
}

bool ng_sysctl_equal(const char *a, const char *b) {
    struct ng_span left = ng_span(a, strlen(a));
    struct ng_span right = ng_span(b, strlen(b));
    struct ng_span x, y;
    for (;;) {
        bool more = ng_span_word(&left, &x);
        if (more != ng_span_word(&right, &y)) {
            return false;
        }
        if (!more) {
            return true;
        }
        int64_t m, n;
        bool numbers = ng_span_int(x, &m) && ng_span_int(y, &n);
        if (numbers ? m != n : x.len != y.len || memcmp(x.at, y.at, x.len) != 0) {
            return false;
        }
    }
}
