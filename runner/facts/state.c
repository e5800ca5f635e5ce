/* The state of a host: the table of describers, and the rows that they add. */
#include "runner/facts/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "runner/base/text.h"
#include "runner/base/units.h"
#include "runner/facts/arrays_share.h"
#include "runner/facts/state_parts.h"

/* A new source of facts is one describer and one row here. */
static ng_state_describer *const describers[] = {
    ng_state_platform,
    ng_state_mounts,
    ng_state_arrays,
    ng_state_caches,
    ng_state_zfs,
    ng_state_servers,
    ng_state_links,
    ng_state_nics,
    ng_state_settings,
    ng_state_load,
    ng_state_busy,
    ng_state_tools,
};

/* Longer than what is kept, so that the cut is made by ng_text_clean, on a border of UTF-8. */
enum { RAW_MAX = 4096 };

const char *ng_state_word(enum ng_state_section section) {
    static const char *const words[] = {
#define X(name, word) word,
        NG_STATE_SECTIONS(X)
#undef X
    };
    return section < NG_STATE_SECTION_COUNT ? words[section] : "";
}

static const char *clean(struct ng_arena *arena, const char *text) {
    return ng_text_clean_dup(arena, text, strnlen(text, RAW_MAX), NG_TEXT_LINE, NG_STATE_TEXT_MAX);
}

/* A row without its value; NULL when the section is full. */
static struct ng_state_row *add(const struct ng_state_thing *thing, const char *key) {
    struct ng_state *state = thing->state;
    if (state->counts[thing->section] >= NG_STATE_ROWS_MAX) {
        state->dropped[thing->section]++;
        return NULL;
    }
    state->counts[thing->section]++;
    state->rows = ng_arena_grow(
        state->arena, state->rows, state->count, &state->capacity, sizeof *state->rows);
    struct ng_state_row *row = &state->rows[state->count++];
    *row = (struct ng_state_row){.section = thing->section,
        .about = clean(state->arena, thing->about != NULL ? thing->about : ""),
        .key = clean(state->arena, key),
        .source = clean(state->arena, thing->source != NULL ? thing->source : "")};
    return row;
}

NG_PRINTF(2, 0)
static const char *format_text(struct ng_arena *arena, const char *format, va_list args) {
    char text[RAW_MAX];
    vsnprintf(text, sizeof text, format, args);
    return clean(arena, text);
}

void ng_state_known(const struct ng_state_thing *thing, const char *key, const char *format, ...) {
    struct ng_state_row *row = add(thing, key);
    va_list args;
    va_start(args, format);
    if (row != NULL) {
        row->value = format_text(thing->state->arena, format, args);
    }
    va_end(args);
}

void ng_state_unknown(
    const struct ng_state_thing *thing, const char *key, const char *format, ...) {
    struct ng_state_row *row = add(thing, key);
    va_list args;
    va_start(args, format);
    if (row != NULL) {
        row->why = format_text(thing->state->arena, format, args);
    }
    va_end(args);
}

void ng_state_text(
    const struct ng_state_thing *thing, const char *key, const char *value, const char *why) {
    if (value != NULL) {
        ng_state_known(thing, key, "%s", value);
    } else {
        ng_state_unknown(thing, key, "%s", why != NULL ? why : "it was not told");
    }
}

void ng_state_answer(
    const struct ng_state_thing *thing, const char *key, enum ng_answer answer, const char *why) {
    const char *value = answer == NG_ANSWER_YES ? "yes" : answer == NG_ANSWER_NO ? "no" : NULL;
    ng_state_text(thing, key, value, why);
}

void ng_state_size(
    const struct ng_state_thing *thing, const char *key, int64_t bytes, const char *why) {
    char text[NG_QUANTITY_TEXT];
    const struct ng_quantity size = {.value = (double)bytes, .dim = NG_DIM_SIZE};
    ng_state_text(thing, key, bytes >= 0 ? ng_quantity_format(size, text) : NULL, why);
}

static struct ng_state *begin(struct ng_arena *arena) {
    struct ng_state *state = ng_arena_alloc(arena, sizeof *state);
    state->arena = arena;
    return state;
}

/* Brings the rows into the order of their sections, says how many of each were dropped. */
static const struct ng_state *finish(struct ng_state *state) {
    const size_t most = state->count + NG_STATE_SECTION_COUNT;
    struct ng_state_row *rows = ng_arena_array(state->arena, most, sizeof *rows);
    size_t count = 0;
    for (int section = 0; section < NG_STATE_SECTION_COUNT; section++) {
        for (size_t i = 0; i < state->count; i++) {
            if (state->rows[i].section == (enum ng_state_section)section) {
                rows[count++] = state->rows[i];
            }
        }
        if (state->dropped[section] > 0) {
            rows[count++] = (struct ng_state_row){.section = (enum ng_state_section)section,
                .about = "",
                .key = "more",
                .source = "",
                .why = ng_arena_printf(state->arena, "%zu facts more than the %d that are kept",
                    state->dropped[section], (int)NG_STATE_ROWS_MAX)};
        }
    }
    state->rows = rows;
    state->count = count;
    state->capacity = most;
    return state;
}

/* What holds for all of it: nothing was answered, or not all. */
static void describe_reach(struct ng_state *state, const struct ng_facts *facts) {
    const struct ng_state_thing host = {state, NG_STATE_PLATFORM, "", "the collector"};
    if (facts->reason != NULL) {
        ng_state_unknown(&host, "state", "%s", facts->reason);
    } else if (facts->frames.reason != NULL) {
        ng_state_unknown(&host, "the rest", "%s", facts->frames.reason);
    }
}

const struct ng_state *ng_state_of_host(struct ng_arena *arena, const struct ng_facts *facts) {
    struct ng_state *state = begin(arena);
    describe_reach(state, facts);
    for (size_t i = 0; i < NG_COUNT(describers) && facts->reason == NULL; i++) {
        describers[i](state, facts);
    }
    return finish(state);
}

static void describe_stack(struct ng_state *state, const struct ng_facts *facts, const char *path,
    const struct ng_mount *mount) {
    struct ng_stack stack;
    struct ng_share share;
    ng_blocks_stack(&facts->blocks, &facts->mounts, mount, state->arena, &stack);
    for (size_t i = 0; i < stack.count; i++) {
        ng_state_block(state, facts, stack.items[i]);
    }
    if (stack.gap != NULL) {
        const struct ng_state_thing below = {state, NG_STATE_MOUNTS, mount->point, "/sys/block"};
        ng_state_unknown(
            &below, "disks below", "%s", facts->blocks.why != NULL ? facts->blocks.why : stack.gap);
    }
    ng_arrays_share_path(facts, path, state->arena, &share);
    for (size_t i = 0; i < facts->arrays.count; i++) {
        if (share.items[i].disks != NG_ANSWER_NO) { /* unknown: it may lie on these as well */
            ng_state_array(state, &facts->arrays.items[i]);
        }
    }
    ng_state_array_gaps(state, facts);
}

const struct ng_state *ng_state_of_path(
    struct ng_arena *arena, const struct ng_facts *facts, const char *path) {
    struct ng_state *state = begin(arena);
    if (facts->reason != NULL) {
        describe_reach(state, facts);
        return finish(state);
    }
    ng_state_path(state, facts, path);
    const struct ng_mount *mount = ng_facts_mount(facts, path);
    if (mount != NULL && !ng_mount_is_network(mount) && !ng_mount_is_virtual(mount)) {
        describe_stack(state, facts, path, mount);
    }
    return finish(state);
}
