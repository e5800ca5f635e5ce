/* What a host is asked for, and the argv that asks it. */
#include "runner/facts/collect.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "runner/facts/sysctl.h"

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

void ng_collect_needs_command(
    struct ng_collect_needs *needs, const char *tool, const char *const *words, size_t count) {
    struct ng_strv *commands = &needs->commands;
    if (!is_plain_tool(tool) || count == 0 ||
        commands->count + count + 2 > NG_COLLECT_COMMAND_WORDS_MAX) {
        return;
    }
    for (size_t i = 0; i < commands->count; i += 2 + strtoul(commands->items[i + 1], NULL, 10)) {
        if (strcmp(commands->items[i], tool) == 0) {
            return;
        }
    }
    ng_strv_push(commands, tool);
    ng_strv_pushf(commands, "%zu", count);
    for (size_t i = 0; i < count; i++) {
        ng_strv_push(commands, words[i]);
    }
}

static void push_commands(struct ng_strv *argv, const struct ng_strv *commands) {
    for (size_t i = 0; i < commands->count;) {
        const size_t words = 2 + strtoul(commands->items[i + 1], NULL, 10);
        ng_strv_push(argv, "-T");
        for (size_t j = 0; j < words; j++) {
            ng_strv_push(argv, commands->items[i++]);
        }
    }
}

/* Dots and dashes alone are no names, and "-x" would be an option. */
static bool is_plain_interface(const char *name) {
    size_t len = strlen(name);
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:@+-";
    return len > 0 && len <= 15 && strspn(name, allowed) == len && name[0] != '-' &&
           strspn(name, ".") != len;
}

void ng_collect_needs_interface(struct ng_collect_needs *needs, const char *interface) {
    if (needs->interfaces.count < NG_COLLECT_INTERFACES_MAX && is_plain_interface(interface)) {
        push_once(&needs->interfaces, interface);
    }
}

static bool is_plain_address(const char *address) {
    unsigned char bytes[sizeof(struct in6_addr)];
    return inet_pton(AF_INET, address, bytes) == 1 || inet_pton(AF_INET6, address, bytes) == 1;
}

void ng_collect_needs_peer(struct ng_collect_needs *needs, const char *address) {
    if (needs->peers.count < NG_COLLECT_PEERS_MAX && is_plain_address(address)) {
        push_once(&needs->peers, address);
    }
}

void ng_collect_needs_sysctl(struct ng_collect_needs *needs, const char *name) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const char *path = ng_sysctl_path(&arena, name);
    if (path != NULL && needs->sysctls.count < NG_COLLECT_SYSCTLS_MAX) {
        push_once(&needs->sysctls, path);
    }
    ng_arena_release(&arena);
}

void ng_collect_needs_want(struct ng_collect_needs *needs, enum ng_collect_want want) {
    static const char *const words[] = {
        [NG_WANT_TASKS] = "tasks", [NG_WANT_SAMBA] = "samba", [NG_WANT_NFSD] = "nfsd"};
    push_once(&needs->wants, words[want]);
    if (want == NG_WANT_SAMBA) { /* when smbd began */
        push_once(&needs->wants, words[NG_WANT_TASKS]);
    }
}

bool ng_collect_job_is_name(const char *name) {
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+@:-*";
    const size_t len = strlen(name);
    return len > 0 && len <= NG_COLLECT_JOB_LEN && strspn(name, allowed) == len && name[0] != '-' &&
           strspn(name, "*.") != len;
}

/* Command lines are searched for the longest piece without a "*"; what a "*" stands for is decided
 * at home. A comma before it: no word of our own command lines is the name of a job. */
void ng_collect_needs_job(struct ng_collect_needs *needs, const char *name) {
    const char *best = name;
    size_t best_len = 0;
    char word[NG_COLLECT_JOB_LEN + 2] = ",";
    ng_collect_needs_want(needs, NG_WANT_TASKS);
    if (!ng_collect_job_is_name(name) || needs->jobs.count >= NG_COLLECT_JOBS_MAX) {
        return;
    }
    for (const char *at = name; *at != '\0';) {
        const size_t len = strcspn(at, "*");
        if (len > best_len) {
            best = at;
            best_len = len;
        }
        at += len + strspn(at + len, "*");
    }
    memcpy(word + 1, best, best_len);
    word[1 + best_len] = '\0';
    push_once(&needs->jobs, word);
}

void ng_collect_needs_release(struct ng_collect_needs *needs) {
    ng_strv_release(&needs->paths);
    ng_strv_release(&needs->tools);
    ng_strv_release(&needs->commands);
    ng_strv_release(&needs->interfaces);
    ng_strv_release(&needs->peers);
    ng_strv_release(&needs->sysctls);
    ng_strv_release(&needs->wants);
    ng_strv_release(&needs->jobs);
}

static void push_all(struct ng_strv *argv, const char *option, const struct ng_strv *words) {
    for (size_t i = 0; i < words->count; i++) {
        ng_strv_push(argv, option);
        ng_strv_push(argv, words->items[i]);
    }
}

static void push_left_out(struct ng_strv *argv, unsigned left_out) {
    static const char *const words[] = {
#define X(name, word, help) word,
        NG_COLLECT_GROUPS(X)
#undef X
    };
    for (size_t i = 0; i < NG_COUNT(words); i++) {
        if ((left_out >> i & 1U) != 0) {
            ng_strv_push(argv, "-x");
            ng_strv_push(argv, words[i]);
        }
    }
}

void ng_collect_argv(
    const struct ng_collect_needs *needs, const char *token, struct ng_strv *argv) {
    ng_strv_push(argv, "/bin/sh");
    ng_strv_push(argv, "-s");
    ng_strv_push(argv, "--");
    ng_strv_push(argv, token);
    push_all(argv, "-p", &needs->paths);
    push_all(argv, "-t", &needs->tools);
    push_commands(argv, &needs->commands);
    push_all(argv, "-i", &needs->interfaces);
    if (needs->all_cards) {
        ng_strv_push(argv, "-i");
        ng_strv_push(argv, "/"); /* no name of an interface has one */
    }
    push_all(argv, "-r", &needs->peers);
    push_all(argv, "-s", &needs->sysctls);
    push_all(argv, "-w", &needs->wants);
    push_all(argv, "-j", &needs->jobs);
    push_left_out(argv, needs->left_out);
}
