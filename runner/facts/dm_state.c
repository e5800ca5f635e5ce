/* What other targets of the device mapper are at work with by themselves, or are broken by. */
#include <inttypes.h>
#include <string.h>

#include "runner/facts/dm.h"
#include "runner/facts/scan.h"

static double share(int64_t done, int64_t total) {
    return total > 0 ? 100 * (double)done / (double)total : -1;
}

static bool has_word(struct ng_span rest, const char *wanted) {
    struct ng_span word;
    while (ng_span_word(&rest, &word)) {
        if (ng_span_is(word, wanted)) {
            return true;
        }
    }
    return false;
}

static void idle(struct ng_dm_state *out) {
    out->busy = NG_ANSWER_NO;
    out->broken = NG_ANSWER_NO;
}

static void broken(struct ng_dm_state *out, const char *why) {
    out->busy = NG_ANSWER_NO;
    out->broken = NG_ANSWER_YES;
    out->why = why;
}

/* TXN USED/TOTAL USED/TOTAL HELD rw|ro|out_of_data_space ... needs_check|- */
static bool pool(struct ng_span rest, struct ng_dm_state *out) {
    int64_t transaction, used, total;
    if (!ng_span_count(&rest, &transaction) || !ng_span_fraction(&rest, &used, &total) ||
        !ng_span_fraction(&rest, &used, &total)) {
        return false;
    }
    idle(out);
    if (has_word(rest, "out_of_data_space")) {
        broken(out, "is out of data space");
    } else if (has_word(rest, "ro")) {
        broken(out, "has gone read-only");
    } else if (has_word(rest, "needs_check")) {
        broken(out, "needs a check of its metadata");
    } else if (!has_word(rest, "rw")) {
        return false;
    }
    return true;
}

/* USED/TOTAL METADATA: a merge is done when only metadata is left. */
static bool snapshot(
    struct ng_span rest, struct ng_arena *arena, struct ng_dm_state *out, bool merge) {
    int64_t used, total, metadata;
    if (ng_span_is(rest, "Invalid") || ng_span_is(rest, "Merge failed") ||
        ng_span_is(rest, "Overflow")) {
        broken(out, ng_arena_printf(arena, "says \"%.*s\"", (int)rest.len, rest.at));
        return true;
    }
    if (!ng_span_fraction(&rest, &used, &total)) {
        return false;
    }
    idle(out);
    if (!merge) {
        return true;
    }
    if (!ng_span_count(&rest, &metadata)) {
        return false;
    }
    if (used != metadata) {
        out->busy = NG_ANSWER_YES;
        out->action = "merge";
        out->why = ng_arena_printf(arena, "is merged into its origin, %" PRId64 " KiB left",
            used > metadata ? (used - metadata) / 2 : 0);
    }
    return true;
}

/* BLOCK USED/TOTAL REGION DONE/TOTAL RUNNING N FEATURE... */
static bool copying(struct ng_span rest, struct ng_arena *arena, struct ng_dm_state *out) {
    int64_t size, used, room, done, total, running;
    if (!ng_span_count(&rest, &size) || !ng_span_fraction(&rest, &used, &room) ||
        !ng_span_count(&rest, &size) || !ng_span_fraction(&rest, &done, &total) ||
        !ng_span_count(&rest, &running) || done > total) {
        return false;
    }
    idle(out);
    if (has_word(rest, "ro")) {
        broken(out, "has gone read-only");
    }
    if (running > 0 || (done < total && !has_word(rest, "no_hydration"))) {
        out->busy = NG_ANSWER_YES;
        out->action = "copy";
        out->percent = share(done, total);
        out->why = ng_arena_printf(arena, "copies its source, %.1f%%", out->percent);
    }
    return true;
}

/* MISMATCHES SECTORS RECALCULATED|- */
static bool integrity(struct ng_span rest, struct ng_arena *arena, struct ng_dm_state *out) {
    int64_t mismatches, all, done;
    if (!ng_span_count(&rest, &mismatches) || !ng_span_count(&rest, &all)) {
        return false;
    }
    idle(out);
    if (ng_span_is(ng_span_trim(rest), "-") || rest.len == 0) {
        return true;
    }
    if (!ng_span_count(&rest, &done)) {
        return false;
    }
    if (done < all) {
        out->busy = NG_ANSWER_YES;
        out->action = "recalculation";
        out->percent = share(done, all);
        out->why = ng_arena_printf(arena, "calculates its checksums, %.1f%%", out->percent);
    }
    return true;
}

/* DEVICE MODE RECOVERING|- INDEX ... */
static bool vdo(struct ng_span rest, struct ng_dm_state *out) {
    struct ng_span words[3];
    for (size_t i = 0; i < 3; i++) {
        if (!ng_span_word(&rest, &words[i])) {
            return false;
        }
    }
    idle(out);
    if (ng_span_is(words[1], "read-only")) {
        broken(out, "has gone read-only");
    } else if (ng_span_is(words[1], "recovering") || ng_span_is(words[2], "recovering")) {
        out->busy = NG_ANSWER_YES;
        out->action = "recovery";
        out->why = "is recovering";
    } else if (!ng_span_is(words[1], "normal") || !ng_span_is(words[2], "-")) {
        return false;
    }
    return true;
}

static bool is_state_target(const char *target) {
    static const char *const known[] = {
        "thin-pool", "thin", "snapshot", "snapshot-merge", "clone", "integrity", "vdo"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i], target) == 0) {
            return true;
        }
    }
    return false;
}

bool ng_dm_state_parse(
    const struct ng_dm_target *target, struct ng_arena *arena, struct ng_dm_state *out) {
    const char *word = target->target;
    *out = (struct ng_dm_state){.percent = -1, .why = ""};
    if (!is_state_target(word)) {
        return false;
    }
    bool good = false;
    const char *text = target->status == NULL ? "" : target->status;
    struct ng_span rest = ng_span(text, strlen(text));
    if (ng_span_is(rest, "Fail") || ng_span_is(rest, "Error")) {
        broken(out, ng_arena_printf(arena, "says \"%s\"", text));
        return true;
    }
    if (strcmp(word, "thin-pool") == 0) {
        good = pool(rest, out);
    } else if (strcmp(word, "thin") == 0) {
        good = rest.len > 0;
        if (good) {
            idle(out);
        }
    } else if (strncmp(word, "snapshot", 8) == 0) {
        good = snapshot(rest, arena, out, strcmp(word, "snapshot-merge") == 0);
    } else if (strcmp(word, "clone") == 0) {
        good = copying(rest, arena, out);
    } else if (strcmp(word, "integrity") == 0) {
        good = integrity(rest, arena, out);
    } else {
        good = vdo(rest, out);
    }
    if (!good) {
        *out = (struct ng_dm_state){.percent = -1,
            .why = text[0] == '\0' ? "its status was not printed" : "its status is not understood"};
    }
    return true;
}
