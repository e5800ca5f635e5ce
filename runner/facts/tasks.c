/* The processes of a host. */
#include "runner/facts/tasks.h"

#include <string.h>

#include "runner/facts/scan.h"

/* A name of 15 bytes that are all newlines is the worst that can stand in one record. */
enum { LINES_MAX = 16 };

/* What follows the last ")": state, parent, ... start time as the 22nd field of the record. */
static bool read_tail(struct ng_span tail, struct ng_task *task) {
    enum { PARENT = 4, START = 22 };
    struct ng_span word;
    if (!ng_span_word(&tail, &word) || word.len != 1) {
        return false;
    }
    task->state = word.at[0];
    task->start_ticks = -1;
    if (!ng_span_word(&tail, &word) || !ng_span_int(word, &task->parent)) {
        return false;
    }
    for (int field = PARENT + 1; field <= START && ng_span_word(&tail, &word); field++) {
        if (field == START && !ng_span_int(word, &task->start_ticks)) {
            return false;
        }
    }
    return true;
}

/* "PID (NAME) S PARENT ...": the name ends at the last ")" of the record. */
static bool read_record(struct ng_span record, struct ng_arena *arena, struct ng_task *task) {
    struct ng_span rest = record;
    if (!ng_span_digits(&rest, &task->id) || !ng_span_begins(rest, " (")) {
        return false;
    }
    const char *close = memrchr(rest.at, ')', rest.len);
    if (close == NULL) {
        return false;
    }
    struct ng_span name = ng_span(rest.at + 2, (size_t)(close - rest.at) - 2);
    struct ng_span tail = ng_span(close + 1, rest.len - (size_t)(close + 1 - rest.at));
    if (!ng_span_begins(tail, " ") || !read_tail(tail, task)) {
        return false;
    }
    task->name = ng_span_dup(arena, name);
    return true;
}

static void add(struct ng_tasks *tasks, struct ng_arena *arena, struct ng_task task) {
    if (tasks->count >= NG_TASKS_MAX) {
        tasks->bad++;
        return;
    }
    tasks->items =
        ng_arena_grow(arena, tasks->items, tasks->count, &tasks->capacity, sizeof *tasks->items);
    tasks->items[tasks->count++] = task;
}

/* A name may hold newlines: then the record goes on. Takes off `rest` what it used. */
static bool read_long(
    struct ng_span line, struct ng_span *rest, struct ng_arena *arena, struct ng_task *task) {
    struct ng_span more = *rest, next;
    for (int i = 1; i < LINES_MAX && ng_span_line(&more, &next); i++) {
        const size_t len = (size_t)(next.at - line.at) + next.len;
        if (read_record(ng_span(line.at, len), arena, task)) {
            *rest = more;
            return true;
        }
    }
    return false;
}

void ng_tasks_parse(struct ng_tasks *tasks, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len), line;
    while (ng_span_line(&rest, &line)) {
        struct ng_task task = {0};
        if (read_record(line, arena, &task) || read_long(line, &rest, arena, &task)) {
            add(tasks, arena, task);
        } else if (line.len > 0) {
            tasks->bad++;
        }
    }
}

void ng_tasks_words(struct ng_tasks *tasks, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len), line;
    while (ng_span_line(&rest, &line)) {
        struct ng_task_word word;
        if (ng_span_is(line, "!cut")) {
            tasks->words_cut = true;
            continue;
        }
        if (!ng_span_int(ng_span_until(&line, ':'), &word.id) ||
            !ng_span_int(ng_span_until(&line, ':'), &word.number)) {
            continue; /* the rest of a word that holds a newline */
        }
        if (tasks->word_count >= NG_TASK_WORDS_MAX) {
            tasks->words_cut = true;
            return;
        }
        word.text = ng_span_dup(arena, line);
        word.task = ng_tasks_find(tasks, word.id);
        tasks->words = ng_arena_grow(
            arena, tasks->words, tasks->word_count, &tasks->word_capacity, sizeof *tasks->words);
        tasks->words[tasks->word_count++] = word;
    }
}

const struct ng_task *ng_tasks_find(const struct ng_tasks *tasks, int64_t id) {
    for (size_t i = 0; i < tasks->count; i++) {
        if (tasks->items[i].id == id) {
            return &tasks->items[i];
        }
    }
    return NULL;
}

bool ng_tasks_complete(const struct ng_tasks *tasks) {
    const struct ng_task *second = ng_tasks_find(tasks, 2);
    return tasks->why == NULL && tasks->bad == 0 && second != NULL &&
           strcmp(second->name, "kthreadd") == 0;
}
