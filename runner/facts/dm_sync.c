/* What keeps copies or parity in the device mapper: raid, mirror, striped. */
#include <string.h>

#include "runner/facts/dm.h"
#include "runner/facts/scan.h"

static bool letters(struct ng_span word, int64_t count, const char *known) {
    if (count < 1 || word.len != (size_t)count) {
        return false;
    }
    for (size_t i = 0; i < word.len; i++) {
        if (strchr(known, word.at[i]) == NULL) {
            return false;
        }
    }
    return true;
}

static bool is_action(struct ng_span word) {
    static const char *const known[] = {
        "idle", "frozen", "resync", "recover", "check", "repair", "reshape"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (ng_span_is(word, known[i])) {
            return true;
        }
    }
    return false;
}

/* TYPE N LETTERS DONE/TOTAL [ACTION MISMATCHES [OFFSET [JOURNAL]]] */
static bool parse_raid(struct ng_span rest, struct ng_arena *arena, struct ng_dm_sync *out) {
    struct ng_span level, health, word;
    if (!ng_span_word(&rest, &level) || !ng_span_count(&rest, &out->devices) ||
        !ng_span_word(&rest, &health) || !letters(health, out->devices, "AaD-") ||
        !ng_span_fraction(&rest, &out->done, &out->total)) {
        return false;
    }
    out->level = ng_span_dup(arena, level);
    out->health = ng_span_dup(arena, health);
    if (!ng_span_word(&rest, &word)) {
        return true;
    }
    if (!is_action(word)) {
        return false;
    }
    out->action = ng_span_dup(arena, word);
    if (!ng_span_count(&rest, &out->mismatches)) {
        return rest.len == 0;
    }
    int64_t offset;
    if (ng_span_count(&rest, &offset) && ng_span_word(&rest, &word) && word.len == 1) {
        out->journal = word.at[0];
    }
    return true;
}

/* The log: N TYPE [DEVICE... LETTERS], where N counts the words behind it. */
static bool parse_log(struct ng_span rest, struct ng_arena *arena, struct ng_dm_sync *out) {
    struct ng_span word, last = ng_span("", 0);
    int64_t count;
    if (!ng_span_count(&rest, &count) || count < 0 || count > NG_DM_DEVICES_MAX) {
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        if (!ng_span_word(&rest, &word)) {
            return false;
        }
        last = i == 0 ? last : word;
    }
    out->log = ng_span_dup(arena, last);
    return true;
}

/* N DEVICE... [DONE/TOTAL] COUNT LETTERS [LOG]; striped has no fraction and no log. */
static bool parse_legs(
    struct ng_span rest, struct ng_arena *arena, struct ng_dm_sync *out, bool mirror) {
    struct ng_span word;
    int64_t groups;
    if (!ng_span_count(&rest, &out->devices) || out->devices < 1 ||
        out->devices > NG_DM_DEVICES_MAX) {
        return false;
    }
    for (int64_t i = 0; i < out->devices; i++) {
        if (!ng_span_word(&rest, &word)) {
            return false;
        }
    }
    if (mirror && !ng_span_fraction(&rest, &out->done, &out->total)) {
        return false;
    }
    if (!ng_span_count(&rest, &groups) || groups < 1 || !ng_span_word(&rest, &word) ||
        !letters(word, out->devices, mirror ? "AFDSRU" : "AD")) {
        return false;
    }
    out->health = ng_span_dup(arena, word);
    return !mirror || parse_log(rest, arena, out);
}

bool ng_dm_sync_parse(
    const struct ng_dm_target *target, struct ng_arena *arena, struct ng_dm_sync *out) {
    *out = (struct ng_dm_sync){.level = target->target,
        .health = "",
        .done = -1,
        .total = -1,
        .mismatches = -1,
        .log = ""};
    if (target->status == NULL) {
        return false;
    }
    struct ng_span rest = ng_span(target->status, strlen(target->status));
    bool good = strcmp(target->target, "raid") == 0      ? parse_raid(rest, arena, out)
                : strcmp(target->target, "mirror") == 0  ? parse_legs(rest, arena, out, true)
                : strcmp(target->target, "striped") == 0 ? parse_legs(rest, arena, out, false)
                                                         : false;
    return good && out->done <= out->total;
}
