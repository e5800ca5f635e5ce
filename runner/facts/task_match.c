/* Whether a job of a given name runs. */
#include <fnmatch.h>
#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/tasks.h"

enum { COMM_MAX = 15 }; /* bytes that the kernel keeps of a process's name */

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* "backup.sh" is the job "backup" as well. */
static bool is_name(const char *name, const char *text) {
    static const char *const endings[] = {
        ".sh", ".bash", ".py", ".pl", ".php", ".rb", ".js", ".lua", ".jar"};
    const size_t len = strlen(text);
    char stem[256];
    if (*text == '\0') {
        return false;
    }
    if (fnmatch(name, text, 0) == 0) {
        return true;
    }
    for (size_t i = 0; i < NG_COUNT(endings); i++) {
        const size_t end = strlen(endings[i]);
        if (len > end && len < sizeof stem && strcmp(text + len - end, endings[i]) == 0) {
            memcpy(stem, text, len - end);
            stem[len - end] = '\0';
            return fnmatch(name, stem, 0) == 0;
        }
    }
    return false;
}

/* A process's own name; of a longer name the kernel keeps 15 bytes. */
static bool is_comm(const char *name, const char *comm) {
    if (is_name(name, comm)) {
        return true;
    }
    return strlen(comm) == COMM_MAX && strlen(name) > COMM_MAX && strpbrk(name, "*?[") == NULL &&
           strncmp(comm, name, COMM_MAX) == 0;
}

/* Programs that run another one or a script: a name among their words is what runs. */
static bool runs_others(const char *program) {
    static const char *const names[] = {"sh", "bash", "dash", "ash", "ksh", "zsh", "busybox", "env",
        "nice", "ionice", "sudo", "nohup", "setsid", "timeout", "flock", "chrt", "taskset",
        "python*", "perl*", "php*", "ruby*", "node", "nodejs", "java", "lua*", "tclsh*",
        "systemd-run", "start-stop-daemon", "chroot", "unshare", "su", "runuser", "time"};
    for (size_t i = 0; i < NG_COUNT(names); i++) {
        if (fnmatch(names[i], program, 0) == 0) {
            return true;
        }
    }
    return false;
}

/* The program of a process, which a login shell writes with a "-" before it. */
static const char *program_of(const struct ng_tasks *tasks, int64_t id) {
    for (size_t i = 0; i < tasks->word_count; i++) {
        if (tasks->words[i].id == id && tasks->words[i].number == 1) {
            const char *base = base_name(tasks->words[i].text);
            return base[0] == '-' ? base + 1 : base;
        }
    }
    return "";
}

static const char *shown(struct ng_arena *arena, const char *text) {
    return ng_text_clean_dup(arena, text, strlen(text), NG_TEXT_LINE, 80);
}

static struct ng_task_match match_words(
    const struct ng_tasks *tasks, struct ng_arena *arena, const char *name) {
    for (size_t i = 0; i < tasks->word_count; i++) {
        const struct ng_task_word *word = &tasks->words[i];
        const struct ng_task *task = word->task;
        const char *program = program_of(tasks, word->id);
        if (task == NULL || task->state == 'Z' || word->text[0] == '-') {
            continue;
        }
        if (word->number == 1 && is_name(name, program)) {
            return (struct ng_task_match){task, shown(arena, program)};
        }
        if (word->number > 1 && runs_others(program) && is_name(name, base_name(word->text))) {
            return (struct ng_task_match){
                task, ng_arena_printf(arena, "%s run by %s", shown(arena, base_name(word->text)),
                          shown(arena, program))};
        }
    }
    return (struct ng_task_match){0};
}

struct ng_task_match ng_tasks_match(
    const struct ng_tasks *tasks, struct ng_arena *arena, const char *name) {
    for (size_t i = 0; i < tasks->count; i++) {
        const struct ng_task *task = &tasks->items[i];
        if (task->state != 'Z' && is_comm(name, task->name)) {
            return (struct ng_task_match){task, shown(arena, task->name)};
        }
    }
    return match_words(tasks, arena, name);
}
