/* Fuzzes lists of processes and their words. */
#include <stdint.h>

#include "runner/facts/tasks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    const char *text = size > 0 ? (const char *)data : "";
    ng_arena_init(&arena);
    struct ng_tasks tasks = {0};
    ng_tasks_parse(&tasks, &arena, text, size);
    ng_tasks_words(&tasks, &arena, text, size);
    (void)ng_tasks_complete(&tasks);
    (void)ng_tasks_match(&tasks, &arena, "backup*");
    ng_arena_release(&arena);
    return 0;
}
