/* From what md prints to the answers about each array, and about md as a whole. */
#include <string.h>

#include "runner/facts/md_parts.h"

void ng_md_say(struct ng_arena *arena, const char **why, const char *text) {
    *why = (*why)[0] == '\0' ? ng_arena_strdup(arena, text)
                             : ng_arena_printf(arena, "%s; %s", *why, text);
}

static bool lists_any(const struct ng_md *md) {
    for (size_t i = 0; i < md->count; i++) {
        if (md->arrays[i].listed || !ng_md_is(md->arrays[i].sysfs.array_state, "clear")) {
            return true;
        }
    }
    return false;
}

static void judge_kind(struct ng_md *md, enum ng_platform platform) {
    if (md->kind != NG_MD_LINUX) {
        return;
    }
    if (platform == NG_PLATFORM_UNRAID) {
        md->kind = NG_MD_UNKNOWN;
        md->reason = "the host is an Unraid, but /proc/mdstat is not in Unraid's format";
    } else if (md->dropped > 0) {
        md->kind = NG_MD_UNKNOWN;
        md->reason = "there are more arrays than can be read";
    } else if (!lists_any(md) && !md->ended) {
        md->kind = NG_MD_UNKNOWN;
        md->reason = "/proc/mdstat lists no array, but its last line is missing: it is cut off";
    } else if (!lists_any(md)) {
        bool always = platform == NG_PLATFORM_DSM || platform == NG_PLATFORM_QTS;
        md->kind = always ? NG_MD_UNKNOWN : NG_MD_NONE;
        md->reason = always ? "/proc/mdstat lists no array, but this platform always has some"
                            : "/proc/mdstat lists no array";
    }
}

static void judge_array(const struct ng_md *md, struct ng_md_array *array, struct ng_arena *arena,
    enum ng_platform platform) {
    array->busy = array->degraded = NG_ANSWER_UNKNOWN;
    array->busy_why = array->degraded_why = "";
    array->action = array->waiting = array->warning = NULL;
    array->percent = -1;
    array->left_ns = -1;
    if (array->listed) {
        ng_md_judge_busy(array, arena);
        ng_md_judge_degraded(array, arena, platform);
    } else if (md->kind != NG_MD_LINUX || ng_md_is(array->sysfs.array_state, "clear")) {
        ng_md_judge_sysfs(array, arena, platform);
    } else {
        array->busy_why = array->degraded_why = "it is in sysfs, but not in /proc/mdstat";
    }
}

void ng_md_judge(struct ng_md *md, struct ng_arena *arena, enum ng_platform platform) {
    for (size_t i = 0; i < md->count; i++) {
        judge_array(md, &md->arrays[i], arena, platform);
    }
    judge_kind(md, platform);
}

static void doubt(enum ng_answer *answer, const char **why, const char *reason) {
    if (*answer == NG_ANSWER_NO) {
        *answer = NG_ANSWER_UNKNOWN;
        *why = reason;
    }
}

void ng_md_doubt(struct ng_md *md, const char *why) {
    for (size_t i = 0; i < md->count; i++) {
        doubt(&md->arrays[i].busy, &md->arrays[i].busy_why, why);
        doubt(&md->arrays[i].degraded, &md->arrays[i].degraded_why, why);
    }
}
