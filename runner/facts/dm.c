/* `dmsetup table` and `dmsetup status`: which target each device-mapper device is made of. */
#include <string.h>

#include "runner/facts/block.h"
#include "runner/facts/scan.h"

struct dm_line {
    struct ng_span device, target, rest;
};

/* "NAME: START LENGTH TARGET ...". False for what continues the line before. */
static bool parse_line(struct ng_span line, struct dm_line *out) {
    struct ng_span after = ng_span_after(line, ": ");
    struct ng_span word;
    int64_t number;
    if (after.at == NULL || line.at[0] == '\t' || line.at[0] == ' ') {
        return false;
    }
    out->device = ng_span(line.at, (size_t)(after.at - line.at) - 2);
    if (!ng_span_word(&after, &word) || !ng_span_int(word, &number) ||
        !ng_span_word(&after, &word) || !ng_span_int(word, &number) ||
        !ng_span_word(&after, &out->target)) {
        return false;
    }
    out->rest = ng_span_trim(after);
    return true;
}

static struct ng_dm_target *add(
    struct ng_blocks *blocks, struct ng_arena *arena, struct dm_line line) {
    if (blocks->target_count >= NG_BLOCKS_MAX) {
        blocks->cut = "there are more targets of the device mapper than can be kept";
        return NULL;
    }
    blocks->targets = ng_arena_grow(arena, blocks->targets, blocks->target_count,
        &blocks->target_capacity, sizeof *blocks->targets);
    struct ng_dm_target *target = &blocks->targets[blocks->target_count++];
    *target = (struct ng_dm_target){.device = ng_span_dup(arena, line.device),
        .target = ng_span_dup(arena, line.target),
        .table = ""};
    return target;
}

/* The first target of a device that has no status yet: both commands print in the same order. */
static struct ng_dm_target *match(struct ng_blocks *blocks, struct dm_line line) {
    for (size_t i = 0; i < blocks->target_count; i++) {
        struct ng_dm_target *target = &blocks->targets[i];
        if (target->status == NULL && ng_span_is(line.device, target->device) &&
            ng_span_is(line.target, target->target)) {
            return target;
        }
    }
    return NULL;
}

void ng_dm_parse(
    struct ng_blocks *blocks, struct ng_arena *arena, const char *text, size_t len, bool status) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    struct ng_dm_target *target = NULL;
    while (ng_span_line(&rest, &line)) {
        struct dm_line parts;
        if (parse_line(line, &parts)) {
            target = status ? match(blocks, parts) : NULL;
            if (target == NULL) {
                target = add(blocks, arena, parts);
            }
            if (target != NULL) {
                const char **at = status ? &target->status : &target->table;
                *at = ng_span_dup(arena, parts.rest);
            }
            continue;
        }
        struct ng_span more = ng_span_trim(line);
        if (target != NULL && more.len > 0) {
            const char **at = status ? &target->status : &target->table;
            size_t have = strlen(*at);
            if (have + more.len >= NG_TARGET_TEXT_MAX) {
                blocks->cut = "a target of the device mapper says more than can be kept";
            } else {
                *at = ng_arena_printf(arena, "%s %.*s", *at, (int)more.len, more.at);
            }
        }
    }
}
