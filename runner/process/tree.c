// Finds the processes that a child started, by parentage and by marker, and ends them.
#include "runner/process/tree.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "runner/base/arena.h"
#include "runner/base/strv.h"

/** All processes of one look at /proc, sorted by pid. */
struct snapshot {
    struct ng_proc *items;
    bool *in; /* belongs to the tree */
    size_t count, room;
};

void ng_tree_init(struct ng_tree *tree, const char *marker, bool prefix, uint64_t since) {
    struct ng_buf entry;
    ng_buf_init(&entry, 4096);
    ng_buf_addf(&entry, "%s=%s", NG_TREE_VARIABLE, marker);
    *tree = (struct ng_tree){.entry = ng_buf_detach(&entry), .prefix = prefix, .since = since};
}

void ng_tree_release(struct ng_tree *tree) {
    free(tree->entry);
    free(tree->members);
    *tree = (struct ng_tree){0};
}

static int by_pid(const void *a, const void *b) {
    const struct ng_proc *left = a;
    const struct ng_proc *right = b;
    return (left->pid > right->pid) - (left->pid < right->pid);
}

static void snapshot_add(struct snapshot *shot, const struct ng_proc *proc) {
    if (shot->count == shot->room) {
        shot->room = shot->room ? shot->room * 2 : 256;
        shot->items = ng_xrealloc(shot->items, shot->room * sizeof *shot->items);
    }
    shot->items[shot->count++] = *proc;
}

static void snapshot_take(struct snapshot *shot) {
    *shot = (struct snapshot){0};
    DIR *dir = opendir("/proc");
    if (dir) {
        const struct dirent *entry;
        while ((entry = readdir(dir)) != NULL) {
            char *end = NULL;
            long pid = strtol(entry->d_name, &end, 10);
            struct ng_proc proc;
            if (*end == '\0' && pid > 0 && ng_proc_read((pid_t)pid, &proc)) {
                snapshot_add(shot, &proc);
            }
        }
        closedir(dir);
    }
    if (shot->count > 0) {
        qsort(shot->items, shot->count, sizeof *shot->items, by_pid);
    }
    shot->in = ng_xmalloc(shot->count * sizeof *shot->in);
    for (size_t i = 0; i < shot->count; i++) {
        shot->in[i] = false;
    }
}

static size_t snapshot_find(const struct snapshot *shot, pid_t pid) {
    struct ng_proc key = {.pid = pid};
    const struct ng_proc *found =
        shot->count == 0 ? NULL
                         : bsearch(&key, shot->items, shot->count, sizeof *shot->items, by_pid);
    return found ? (size_t)(found - shot->items) : shot->count;
}

/** Marks what is known without parentage: the child, members of before, carriers of the marker. */
static void mark_seeds(const struct ng_tree *tree, struct snapshot *shot, pid_t root) {
    size_t at = root > 0 ? snapshot_find(shot, root) : shot->count;
    if (at < shot->count) {
        shot->in[at] = true;
    }
    for (size_t i = 0; i < tree->count; i++) {
        at = snapshot_find(shot, tree->members[i].proc.pid);
        if (at < shot->count && shot->items[at].start == tree->members[i].proc.start) {
            shot->in[at] = true;
        }
    }
    for (size_t i = 0; i < shot->count; i++) {
        const struct ng_proc *proc = &shot->items[i];
        bool ours = proc->pid == getpid(); // we may be a child of another run ourselves
        if (!shot->in[i] && !ours && proc->start >= tree->since && !ng_proc_ended(proc)) {
            shot->in[i] = ng_proc_has_entry(proc->pid, tree->entry, tree->prefix);
        }
    }
}

/** Marks the children of what is marked until nothing new comes; pids wrap, so order says nothing.
 */
static void mark_descendants(struct snapshot *shot) {
    bool more = true;
    while (more) {
        more = false;
        for (size_t i = 0; i < shot->count; i++) {
            size_t parent = shot->in[i] ? shot->count : snapshot_find(shot, shot->items[i].ppid);
            if (parent < shot->count && shot->in[parent]) {
                shot->in[i] = true;
                more = true;
            }
        }
    }
}

static struct ng_tree_member *member_of(struct ng_tree *tree, const struct ng_proc *proc) {
    for (size_t i = 0; i < tree->count; i++) {
        struct ng_tree_member *member = &tree->members[i];
        if (member->proc.pid == proc->pid && member->proc.start == proc->start) {
            return member;
        }
    }
    if (tree->count == tree->room) {
        tree->room = tree->room ? tree->room * 2 : 16;
        tree->members = ng_xrealloc(tree->members, tree->room * sizeof *tree->members);
    }
    struct ng_tree_member *member = &tree->members[tree->count++];
    *member = (struct ng_tree_member){0};
    return member;
}

size_t ng_tree_scan(struct ng_tree *tree, pid_t root) {
    struct snapshot shot;
    snapshot_take(&shot);
    mark_seeds(tree, &shot, root);
    mark_descendants(&shot);
    for (size_t i = 0; i < tree->count; i++) {
        tree->members[i].alive = false;
    }
    size_t alive = 0;
    for (size_t i = 0; i < shot.count; i++) {
        const struct ng_proc *proc = &shot.items[i];
        if (shot.in[i] && proc->pid != root && proc->pid != getpid() && !ng_proc_ended(proc)) {
            struct ng_tree_member *member = member_of(tree, proc);
            member->proc = *proc;
            member->alive = true;
            alive++;
        }
    }
    free(shot.items);
    free(shot.in);
    return alive;
}

void ng_tree_ask(struct ng_tree *tree) {
    for (size_t i = 0; i < tree->count; i++) {
        struct ng_tree_member *member = &tree->members[i];
        if (member->alive && !member->asked) {
            member->asked = ng_proc_signal(&member->proc, SIGINT);
        }
    }
}

size_t ng_tree_kill(struct ng_tree *tree) {
    size_t first = 0;
    for (size_t i = 0; i < tree->count; i++) {
        struct ng_tree_member *member = &tree->members[i];
        if (!member->alive || member->killed) {
            continue;
        }
        member->killed = ng_proc_signal(&member->proc, SIGKILL);
        member->refused = member->killed ? 0 : errno;
        member->alive = member->killed || member->refused != ESRCH;
        first += member->killed ? 1 : 0;
    }
    return first;
}

const struct ng_tree_member *ng_tree_survivor(const struct ng_tree *tree) {
    for (size_t i = 0; i < tree->count; i++) {
        if (tree->members[i].alive) {
            return &tree->members[i];
        }
    }
    return NULL;
}
