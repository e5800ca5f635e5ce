/**
 * sysctl.h - settings of the kernel, read from /proc/sys.
 */
#ifndef NG_FACTS_SYSCTL_H
#define NG_FACTS_SYSCTL_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/arena.h"

enum { NG_SYSCTLS_MAX = 512, NG_SYSCTL_NAME_MAX = 120 };

struct ng_sysctl {
    const char *path;  /* below /proc/sys: "net/core/rmem_max" */
    const char *value; /* trimmed and clean, tabs as blanks; NULL: there but not readable */
};

struct ng_sysctls {
    struct ng_sysctl *items;
    size_t count, capacity;
};

/** Lines `PATH:VALUE`, `!PATH:` for what could not be read. What is absent has no line. */
void ng_sysctls_parse(
    struct ng_sysctls *sysctls, struct ng_arena *arena, const char *text, size_t len);
const struct ng_sysctl *ng_sysctls_find(const struct ng_sysctls *sysctls, const char *path);

/**
 * The path of a name as sysctl(8) reads it: dots become slashes, and slashes dots
 * ("net.ipv4.conf.eth0/100.rp_filter"); a name whose first separator is a slash is a path already.
 * NULL for what is no name: other bytes than [A-Za-z0-9_.@/+-], an empty part, "..", or longer
 * than NG_SYSCTL_NAME_MAX.
 */
const char *ng_sysctl_path(struct ng_arena *arena, const char *name);
/** Whether two values say the same: lists of whole numbers by their numbers, whatever stands
 * between them; all else by their words. */
bool ng_sysctl_equal(const char *a, const char *b);

#endif
