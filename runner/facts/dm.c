/* `dmsetup table` and `dmsetup status`: which target each device-mapper device is made of. */
#include "runner/facts/dm.h"

#include <string.h>

#include "runner/base/buf.h"
#include "runner/base/text.h"
#include "runner/facts/scan.h"

struct dm_line {
    struct ng_span device, target, rest;
};

/* "START LENGTH TARGET ...", behind the name. */
static bool parse_rest(struct ng_span after, struct dm_line *out) {
    struct ng_span word;
    int64_t number;
    for (int i = 0; i < 2; i++) {
        if (!ng_span_word(&after, &word) || !ng_span_int(word, &number) || number < 0) {
            return false;
        }
    }
    if (!ng_span_word(&after, &out->target)) {
        return false;
    }
    out->rest = ng_span_trim(after);
    return true;
}

/* "NAME: START LENGTH TARGET ...", where a name may hold colons and blanks. False for what
 * continues the line before. */
static bool parse_line(struct ng_span line, struct dm_line *out) {
    struct ng_span after = line;
    if (line.len == 0 || line.at[0] == '\t' || line.at[0] == ' ') {
        return false;
    }
    while ((after = ng_span_after(after, ": ")).at != NULL) {
        out->device = ng_span(line.at, (size_t)(after.at - line.at) - 2);
        if (out->device.len > 0 && parse_rest(after, out)) {
            return true;
        }
    }
    return false;
}

static int hex_digit(char c) {
    const char *digits = "0123456789abcdef";
    const char *at = c == '\0' ? NULL : strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c);
    return at == NULL ? -1 : (int)(at - digits);
}

char *ng_dm_name(struct ng_arena *arena, const char *text, size_t len) {
    char *out = ng_arena_alloc(arena, len + 1);
    size_t used = 0;
    for (size_t i = 0; i < len; i++) {
        bool coded = len - i >= 4 && text[i] == '\\' && text[i + 1] == 'x';
        int high = coded ? hex_digit(text[i + 2]) : -1;
        int low = coded ? hex_digit(text[i + 3]) : -1;
        int value = high * 16 + low;
        if (high >= 0 && low >= 0 && value > 0) {
            out[used++] = (char)value;
            i += 3;
        } else {
            out[used++] = text[i];
        }
    }
    return out;
}

static bool same_name(const char *name, struct ng_span text, struct ng_arena *arena) {
    if (ng_span_is(text, name)) {
        return true;
    }
    return memchr(text.at, '\\', text.len) != NULL &&
           strcmp(ng_dm_name(arena, text.at, text.len), name) == 0;
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
    *target = (struct ng_dm_target){.device = ng_dm_name(arena, line.device.at, line.device.len),
        .target = ng_span_dup(arena, line.target),
        .table = ""};
    return target;
}

/* The first target of a device that has no status yet. Both commands print in the same order, so
 * that the search goes on where the last one ended. */
static struct ng_dm_target *match(
    struct ng_blocks *blocks, struct ng_arena *arena, struct dm_line line, size_t *cursor) {
    for (size_t n = 0; n < blocks->target_count; n++) {
        size_t i = (*cursor + n) % blocks->target_count;
        struct ng_dm_target *target = &blocks->targets[i];
        if (target->status == NULL && ng_span_is(line.target, target->target) &&
            same_name(target->device, line.device, arena)) {
            *cursor = i + 1;
            return target;
        }
    }
    return NULL;
}

static void append(struct ng_blocks *blocks, struct ng_buf *text, struct ng_span more) {
    if (text->len + more.len + 1 >= NG_TARGET_TEXT_MAX) {
        blocks->cut = "a target of the device mapper says more than can be kept";
        return;
    }
    ng_buf_addc(text, ' ');
    ng_buf_add(text, more.at, more.len);
}

/* What was gathered of the target before is complete. */
static void settle(
    struct ng_dm_target *target, struct ng_arena *arena, const struct ng_buf *text, bool status) {
    if (target != NULL) {
        const char **at = status ? &target->status : &target->table;
        *at = ng_arena_strdup(arena, ng_buf_text(text));
    }
}

void ng_dm_parse(
    struct ng_blocks *blocks, struct ng_arena *arena, const char *text, size_t len, bool status) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    struct ng_dm_target *target = NULL;
    struct ng_buf gathered;
    size_t cursor = 0;
    ng_buf_init(&gathered, NG_TARGET_TEXT_MAX);
    while (ng_span_line(&rest, &line)) {
        struct dm_line parts;
        if (!parse_line(line, &parts)) {
            struct ng_span more = ng_span_trim(line);
            if (target != NULL && more.len > 0) {
                append(blocks, &gathered, more);
            }
            continue;
        }
        settle(target, arena, &gathered, status);
        ng_buf_clear(&gathered);
        ng_buf_add(&gathered, parts.rest.at, parts.rest.len);
        target = status ? match(blocks, arena, parts, &cursor) : NULL;
        target = target != NULL ? target : add(blocks, arena, parts);
    }
    if (ng_span_cut(ng_span(text, len))) {
        blocks->cut = "what dmsetup printed ends in the middle of a line";
        target = status ? NULL : target; /* half of a status says less than none */
    }
    settle(target, arena, &gathered, status);
    ng_buf_release(&gathered);
}

bool ng_dm_volume(
    struct ng_arena *arena, const char *dm_name, const char **group, const char **volume) {
    struct ng_buf parts[2];
    size_t part = 0;
    ng_buf_init(&parts[0], 1024);
    ng_buf_init(&parts[1], 1024);
    bool good = true;
    for (const char *at = dm_name; *at != '\0'; at++) {
        if (at[0] != '-') {
            ng_buf_addc(&parts[part], *at);
        } else if (at[1] == '-') {
            ng_buf_addc(&parts[part], '-');
            at++;
        } else if (part == 0) {
            part = 1;
        } else {
            good = false; /* a layer of a volume: "vg-lv-real" */
        }
    }
    good = good && part == 1 && parts[0].len > 0 && parts[1].len > 0;
    if (good) {
        *group = ng_arena_strdup(arena, ng_buf_text(&parts[0]));
        *volume = ng_arena_strdup(arena, ng_buf_text(&parts[1]));
    }
    ng_buf_release(&parts[0]);
    ng_buf_release(&parts[1]);
    return good;
}

bool ng_dm_is_lvm(const struct ng_block *block) {
    return block != NULL && block->dm_uuid != NULL && strncmp(block->dm_uuid, "LVM-", 4) == 0;
}

const char *ng_dm_label(struct ng_arena *arena, const struct ng_block *block, const char *dm_name) {
    const char *group = "", *volume = "";
    const char *label = dm_name;
    if (ng_dm_is_lvm(block) && ng_dm_volume(arena, dm_name, &group, &volume)) {
        label = ng_arena_printf(arena, "%s/%s", group, volume);
    }
    return ng_text_clean_dup(arena, label, strlen(label), NG_TEXT_LINE, 400);
}
