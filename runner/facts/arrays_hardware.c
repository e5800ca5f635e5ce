/* Logical disks of RAID controllers as arrays. They hide everything: only the maker's own tool
 * tells whether they rebuild or miss a disk, and none of them is asked. */
#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/arrays_sources.h"

/* A model of NULL: every disk of that vendor is a logical one. */
static const struct {
    const char *vendor, *model, *look;
} controllers[] = {
    {"3ware", NULL, "tw_cli /c0 show"},
    {"AVAGO", "MR", "storcli /c0 /vall show"},
    {"Adaptec", NULL, "arcconf getconfig 1"},
    {"Areca", NULL, "areca-cli vsf info"},
    {"BROADCOM", "MR", "storcli /c0 /vall show"},
    {"DELL", "PERC", "perccli /c0 /vall show"},
    {"DELL", "BOSS", "mvcli info -o vd"},
    {"HP", "LOGICAL VOLUME", "ssacli ctrl all show config"},
    {"HPE", "LOGICAL VOLUME", "ssacli ctrl all show config"},
    {"IBM", "ServeRAID", "storcli /c0 /vall show"},
    {"Intel", "RMS", "storcli /c0 /vall show"},
    {"LSI", "MR", "storcli /c0 /vall show"},
    {"LSI", "Logical Volume", "sas3ircu 0 status"},
    {"Lenovo", "RAID", "storcli /c0 /vall show"},
    {"SMC", "MR", "storcli /c0 /vall show"},
};

static bool begins(const char *text, const char *with) {
    return text != NULL && strncmp(text, with, strlen(with)) == 0;
}

static const char *tool_of(const struct ng_block *block) {
    for (size_t i = 0; i < NG_COUNT(controllers); i++) {
        if (begins(block->vendor, controllers[i].vendor) &&
            (controllers[i].model == NULL || begins(block->model, controllers[i].model))) {
            return controllers[i].look;
        }
    }
    return NULL;
}

void ng_arrays_of_hardware(struct ng_facts *facts, struct ng_arena *arena) {
    for (size_t i = 0; i < facts->blocks.count; i++) {
        const struct ng_block *block = &facts->blocks.items[i];
        const char *tool = tool_of(block);
        if (tool == NULL) {
            continue;
        }
        const char *seen = ng_arena_printf(arena, "a logical disk of %s %s", block->vendor,
            block->model == NULL ? "" : block->model);
        seen = ng_text_clean_dup(arena, seen, strlen(seen), NG_TEXT_LINE, 200);
        struct ng_array *array = ng_arrays_add(facts, arena, "hardware RAID",
            ng_text_clean_dup(arena, block->name, strlen(block->name), NG_TEXT_LINE, 100));
        array->block = block->name;
        array->seen = seen;
        array->busy_why = array->degraded_why = ng_arena_printf(
            arena, "%s, whose controller tells it only to its own tool: %s", seen, tool);
        ng_array_device(array, arena, block->name);
    }
}
