/* What a host is asked for, and the argv that asks it. */
#include "runner/facts/collect.h"

#include <stdbool.h>
#include <string.h>

static void push_once(struct ng_strv *list, const char *text) {
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i], text) == 0) {
            return;
        }
    }
    ng_strv_push(list, text);
}

static bool is_plain_path(const char *path) {
    for (const char *at = path; *at != '\0'; at++) {
        if ((unsigned char)*at < 0x20 || *at == 0x7f) {
            return false;
        }
    }
    return path[0] == '/' && strlen(path) < 4096;
}

static bool is_plain_tool(const char *tool) {
    size_t len = strlen(tool);
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-";
    return len > 0 && len <= NG_COLLECT_TOOL_LEN && strspn(tool, allowed) == len &&
           tool[0] != '-' && tool[0] != '.' && tool[0] != '+';
}

void ng_collect_needs_path(struct ng_collect_needs *needs, const char *path) {
    if (needs->paths.count < NG_COLLECT_PATHS_MAX && is_plain_path(path)) {
        push_once(&needs->paths, path);
    }
}

void ng_collect_needs_tool(struct ng_collect_needs *needs, const char *tool) {
    if (needs->tools.count < NG_COLLECT_TOOLS_MAX && is_plain_tool(tool)) {
        push_once(&needs->tools, tool);
    }
}

void ng_collect_needs_release(struct ng_collect_needs *needs) {
    ng_strv_release(&needs->paths);
    ng_strv_release(&needs->tools);
}

void ng_collect_argv(
    const struct ng_collect_needs *needs, const char *token, struct ng_strv *argv) {
    ng_strv_push(argv, "/bin/sh");
    ng_strv_push(argv, "-s");
    ng_strv_push(argv, "--");
    ng_strv_push(argv, token);
    for (size_t i = 0; i < needs->paths.count; i++) {
        ng_strv_push(argv, "-p");
        ng_strv_push(argv, needs->paths.items[i]);
    }
    for (size_t i = 0; i < needs->tools.count; i++) {
        ng_strv_push(argv, "-t");
        ng_strv_push(argv, needs->tools.items[i]);
    }
}
