/* What LVM's letters and words say of a volume: at work, not whole. */
#include <string.h>

#include "runner/base/guard.h"
#include "runner/facts/lvm.h"

static char letter(const struct ng_lvm_volume *volume, size_t place) {
    return strlen(volume->attr) > place ? volume->attr[place] : '-';
}

bool ng_lvm_is_copied(const struct ng_lvm_volume *volume) {
    char type = letter(volume, 0);
    /* raid0 keeps no copies, and neither does a volume that is only named by a letter of raid */
    return strcmp(volume->type, "mirror") == 0 || strcmp(volume->type, "pvmove") == 0 ||
           (strncmp(volume->type, "raid", 4) == 0 && strncmp(volume->type, "raid0", 5) != 0) ||
           (volume->type[0] == '\0' && strchr("rRmMp", type) != NULL);
}

/* By the word that LVM has for what a RAID does. */
static enum ng_answer busy_by_action(
    const char *action, struct ng_arena *arena, const char **what, const char **why) {
    static const char *const known[] = {
        "resync", "recover", "check", "repair", "reshape", "frozen"};
    for (size_t i = 0; i < NG_COUNT(known); i++) {
        if (strcmp(action, known[i]) == 0) {
            *what = strcmp(action, "recover") == 0 ? "recovery" : known[i];
            *why = ng_arena_printf(arena, "lvs says %s", action);
            return NG_ANSWER_YES;
        }
    }
    *why = ng_arena_printf(arena, "raid_sync_action \"%s\" is not known", action);
    return NG_ANSWER_UNKNOWN;
}

/* By the letters of lv_attr. */
static const char *busy_letter(const struct ng_lvm_volume *volume, const char **why) {
    switch (letter(volume, 0)) {
    case 'p':
        *why = "is moved between devices (pvmove)";
        return "pvmove";
    case 'c':
        *why = "is converted";
        return "conversion";
    case 'O':
    case 'S':
        *why = "a snapshot is merged into it";
        return "merge";
    default:
        break;
    }
    if (letter(volume, 8) == 's') {
        *why = "is reshaped";
        return "reshape";
    }
    return NULL;
}

enum ng_answer ng_lvm_busy(const struct ng_lvm_volume *volume, struct ng_arena *arena,
    const char **what, const char **why) {
    bool copied = ng_lvm_is_copied(volume);
    bool active = letter(volume, 4) != '-';
    *what = NULL;
    *why = "";
    if (strlen(volume->attr) < 9) {
        *why = "lv_attr was not told";
        return NG_ANSWER_UNKNOWN;
    }
    *what = busy_letter(volume, why);
    if (*what != NULL) {
        return active ? NG_ANSWER_YES : NG_ANSWER_NO;
    }
    if (volume->action[0] != '\0' && strcmp(volume->action, "idle") != 0) {
        return busy_by_action(volume->action, arena, what, why);
    }
    if (copied && volume->sync >= 0 && volume->sync < 100) {
        *what = "resync";
        *why = ng_arena_printf(arena, "is in sync by %.2f%% only", volume->sync);
        return NG_ANSWER_YES;
    }
    if (copied && active && volume->sync < 0) {
        *why = "its sync_percent was not told";
        return NG_ANSWER_UNKNOWN;
    }
    return NG_ANSWER_NO;
}

/* The ninth letter; NULL for one that is no harm. */
static const char *health_words(char health) {
    switch (health) {
    case 'p':
        return "partial: a device of it is missing";
    case 'r':
        return "a device of it needs a refresh";
    case 'F':
        return "it has failed";
    case 'D':
        return "its pool is out of data space";
    case 'M':
        return "the metadata of its pool is read-only";
    case 'E':
        return "its cache device has an error";
    case 'X':
        return "unknown";
    default:
        return NULL; /* m: mismatches, w: write-mostly, s: reshapes, R: to be cleaned up */
    }
}

enum ng_answer ng_lvm_degraded(
    const struct ng_lvm_volume *volume, struct ng_arena *arena, const char **why) {
    static const char *const harmless[] = {
        "mismatches exist", "writemostly", "healthy", "reshaping", "remove after reshape"};
    *why = "";
    if (strlen(volume->attr) < 9) {
        *why = "lv_attr was not told";
        return NG_ANSWER_UNKNOWN;
    }
    char state = letter(volume, 4), health = letter(volume, 8);
    const char *words = health_words(health);
    if (strchr("ISmM", state) != NULL) {
        *why = "its snapshot is invalid or a merge has failed";
        return NG_ANSWER_YES;
    }
    if (words != NULL) {
        *why = words;
        return health == 'X' ? NG_ANSWER_UNKNOWN : NG_ANSWER_YES;
    }
    if (letter(volume, 0) == 'I') {
        *why = "an image of it is out of sync";
        return NG_ANSWER_YES;
    }
    bool fine = volume->health[0] == '\0';
    for (size_t i = 0; i < NG_COUNT(harmless); i++) {
        fine = fine || strcmp(volume->health, harmless[i]) == 0;
    }
    if (!fine) {
        *why = ng_arena_printf(arena, "lv_health_status: %s", volume->health);
        return NG_ANSWER_YES;
    }
    return NG_ANSWER_NO;
}
