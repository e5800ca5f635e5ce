/**
 * tasks.h - the processes of a host: who runs, who waits without being interruptible.
 */
#ifndef NG_FACTS_TASKS_H
#define NG_FACTS_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"

enum { NG_TASKS_MAX = 65536, NG_TASK_WORDS_MAX = 512 };

/** A process or a thread. */
struct ng_task {
    int64_t id;
    const char *name; /* comm as it is: may hold blanks, brackets and newlines */
    char state;       /* 'D': waits for the disk or a server */
    int64_t parent;
    int64_t start_ticks; /* 1/100 s after boot; -1: unknown */
};

/** A word of a process's command line. */
struct ng_task_word {
    int64_t id;
    int64_t number;             /* 1: the program */
    const struct ng_task *task; /* NULL: it is gone */
    const char *text;
};

struct ng_tasks {
    struct ng_task *items;
    size_t count, capacity;
    size_t bad; /* lines that were not understood */
    struct ng_task_word *words;
    size_t word_count, word_capacity;
    bool words_cut;
    const char *why; /* why the processes are unknown, or NULL */
};

/** Files /proc/PID/stat, one after another. */
void ng_tasks_parse(struct ng_tasks *tasks, struct ng_arena *arena, const char *text, size_t len);
/** After the tasks. Lines `PID:NUMBER:WORD` of those command lines that hold a name that was asked
 * for: the program, and the words that hold the name; `!cut` where there were more. */
void ng_tasks_words(struct ng_tasks *tasks, struct ng_arena *arena, const char *text, size_t len);
const struct ng_task *ng_tasks_find(const struct ng_tasks *tasks, int64_t id);
/** Whether the processes of the whole machine are there: the kernel's own, of which kthreadd is
 * process 2, are hidden from containers and behind hidepid. */
bool ng_tasks_complete(const struct ng_tasks *tasks);

/** What was found of a job. */
struct ng_task_match {
    const struct ng_task *task; /* NULL: nothing */
    const char *how;            /* "rsync", "backup.sh run by bash" */
};
/**
 * Looks for a job by the exact name of its process, of its program or of the script that an
 * interpreter or a wrapper (sh, python3, nice, sudo ...) runs, with or without an ending such as
 * ".sh"; never by a piece of a path. A `*` stands for any characters. Names that the kernel cuts
 * at 15 bytes are compared so far, and by their programs.
 */
struct ng_task_match ng_tasks_match(
    const struct ng_tasks *tasks, struct ng_arena *arena, const char *name);

#endif
