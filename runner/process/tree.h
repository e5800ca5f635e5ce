/**
 * tree.h - all that one child started, however it hid: found by parentage and by marker.
 *
 * Members are the descendants of the child by /proc, the descendants of members found before, and
 * every process whose starting environment has the marker, so that setsid and a double fork do not
 * hide one. A member is remembered by pid and start time. Only environments of processes that are
 * younger than the tree's `since` are read: all members are, and an old process that hangs must
 * not make us hang as well.
 */
#ifndef NG_PROCESS_TREE_H
#define NG_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "runner/process/procfs.h"

/** The variable that marks children. */
#define NG_TREE_VARIABLE "NASGATE_CHILD"

struct ng_tree_member {
    struct ng_proc proc; /* as last seen */
    bool alive;          /* in the last scan */
    bool asked;          /* SIGINT was sent */
    bool killed;         /* SIGKILL was sent */
    int refused;         /* errno when it could not be sent */
};

struct ng_tree {
    char *entry; /* NASGATE_CHILD=MARKER */
    bool prefix; /* the entry may go on */
    uint64_t since;
    struct ng_tree_member *members; /* as many as the kernel has pids, so bounded */
    size_t count, room;
};

/** `since`: start time in ticks (ng_proc.start) of the process that will start the members. */
void ng_tree_init(struct ng_tree *tree, const char *marker, bool prefix, uint64_t since);
void ng_tree_release(struct ng_tree *tree);

/**
 * Looks at all processes once and returns how many members are alive. `root` is the child itself,
 * which is no member, or 0 once it was reaped and its pid means nothing any more. We ourselves are
 * never a member. Without a readable /proc nothing is found.
 */
size_t ng_tree_scan(struct ng_tree *tree, pid_t root);
/** Sends SIGINT to the members alive, once to each. */
void ng_tree_ask(struct ng_tree *tree);
/** Sends SIGKILL to the members alive; returns how many got it for the first time. */
size_t ng_tree_kill(struct ng_tree *tree);
/** A member that was alive in the last scan, or NULL. Borrowed until the next scan. */
const struct ng_tree_member *ng_tree_survivor(const struct ng_tree *tree);

#endif
