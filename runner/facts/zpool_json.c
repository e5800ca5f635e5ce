/* The JSON of `zpool status -j` (2.3 and later). Numbers are strings unless --json-int was asked.
 */
#include <jansson.h>
#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/zpool_parts.h"

enum { DEPTH_MAX = 8 };

static const char *text_of(const json_t *object, const char *key, struct ng_arena *arena) {
    const json_t *value = json_object_get(object, key);
    if (json_is_integer(value)) {
        return ng_arena_printf(arena, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    }
    const char *text = json_string_value(value);
    return text == NULL ? NULL : ng_text_clean_dup(arena, text, strlen(text), NG_TEXT_LINE, 400);
}

static bool is(const char *text, const char *word) {
    return text != NULL && strcmp(text, word) == 0;
}

/* A counter, a time or a flag that says something: "0", "-" and what is not there do not. */
static bool is_set(const char *text) {
    return text != NULL && text[0] != '\0' && !is(text, "0") && !is(text, "-") && !is(text, "NONE");
}

/* The kernel's words for what the text calls otherwise. */
static const char *state_of(const json_t *object, struct ng_arena *arena) {
    const char *state = text_of(object, "state", arena);
    return state == NULL            ? ""
           : is(state, "HEALTHY")   ? "ONLINE"
           : is(state, "CANT_OPEN") ? "UNAVAIL"
                                    : state;
}

static void add_work(struct ng_zpool *pool, struct ng_arena *arena, const char *action,
    const char *name, bool paused) {
    struct ng_zpool_work *work =
        ng_zpool_work_add(pool, arena, action, ng_span(name, strlen(name)));
    if (work != NULL) {
        work->paused = paused;
    }
}

/* One job by its state: words of dsl_scan_state_t and of the rebuild. */
static void read_job(struct ng_zpool *pool, struct ng_arena *arena, const char *action,
    const char *name, const char *state, bool paused) {
    static const char *const idle[] = {"NONE", "FINISHED", "CANCELED", "COMPLETE", "COMPLETED"};
    static const char *const busy[] = {"SCANNING", "ERRORSCRUBBING", "ACTIVE"};
    for (size_t i = 0; i < NG_COUNT(busy); i++) {
        if (is(state, busy[i])) {
            add_work(pool, arena, action, name, paused);
            return;
        }
    }
    for (size_t i = 0; i < NG_COUNT(idle); i++) {
        if (is(state, idle[i])) {
            return;
        }
    }
    const char *odd =
        ng_arena_printf(arena, "the state of its %s is \"%s\"", action, state == NULL ? "" : state);
    ng_zpool_odd(pool, arena, ng_span(odd, strlen(odd)));
}

static void keep_last(struct ng_zpool *pool, struct ng_arena *arena, const json_t *object,
    const char *name, const char *prefix) {
    const char *state = text_of(object, ng_arena_printf(arena, "%sstate", prefix), arena);
    const char *start = text_of(object, ng_arena_printf(arena, "%sstart_time", prefix), arena);
    const char *end = text_of(object, ng_arena_printf(arena, "%send_time", prefix), arena);
    if (is_set(state)) {
        const char *line = ng_arena_printf(arena, "%s %s, started %s, ended %s", name, state,
            start == NULL ? "-" : start, end == NULL ? "-" : end);
        ng_zpool_last(pool, arena, ng_span(line, strlen(line)));
    }
}

static void read_scan(struct ng_zpool *pool, struct ng_arena *arena, const json_t *scan) {
    const char *function = text_of(scan, "function", arena);
    const char *state = text_of(scan, "state", arena);
    if (!json_is_object(scan) || state == NULL) {
        return;
    }
    pool->scans_known = true;
    bool resilver = is(function, "RESILVER");
    if (!resilver && !is(function, "SCRUB") && !is(function, "ERRORSCRUB") &&
        !is(function, "NONE") && is_set(state)) {
        const char *odd =
            ng_arena_printf(arena, "its scan is a \"%s\"", function == NULL ? "" : function);
        ng_zpool_odd(pool, arena, ng_span(odd, strlen(odd)));
    }
    read_job(pool, arena, resilver ? "resilver" : "scrub", "scan_stats", state,
        !resilver && is_set(text_of(scan, "scrub_pause", arena)));
    keep_last(pool, arena, scan, resilver ? "resilver" : "scrub", "");
    const char *error_state = text_of(scan, "err_scrub_state", arena);
    if (error_state != NULL) {
        read_job(pool, arena, "scrub", "error scrub", error_state,
            is_set(text_of(scan, "err_scrub_pause", arena)));
        keep_last(pool, arena, scan, "error scrub", "err_scrub_");
    }
}

/* removal_stats, raidz_expand_stats, rebuild_stats: NULL where there are none. */
static void read_stats(
    struct ng_zpool *pool, struct ng_arena *arena, const json_t *stats, const char *action) {
    if (json_is_object(stats)) {
        read_job(pool, arena, action, action, text_of(stats, "state", arena), false);
        keep_last(pool, arena, stats, action, "");
    }
}

static void read_checkpoint(struct ng_zpool *pool, struct ng_arena *arena, const json_t *stats) {
    const char *state = text_of(stats, "state", arena);
    if (state != NULL && strstr(state, "DISCARDING") != NULL) {
        add_work(pool, arena, "discard", state, false);
    } else if (state != NULL && strstr(state, "EXISTS") != NULL) {
        ng_zpool_warn(pool, arena, "it has a checkpoint");
    } else if (is_set(state)) {
        const char *odd = ng_arena_printf(arena, "the state of its checkpoint is \"%s\"", state);
        ng_zpool_odd(pool, arena, ng_span(odd, strlen(odd)));
    }
}

static void read_marks(struct ng_zpool *pool, struct ng_arena *arena, const json_t *object,
    const struct ng_zpool_vdev *vdev) {
    static const struct {
        const char *key, *action;
    } flags[] = {
        {"removing", "remove"}, {"resilvering", "resilver"}, {"resilver_deferred", "resilver"}};
    static const struct {
        const char *key, *action;
    } states[] = {
        {"init_state", "initialize"}, {"initialize_state", "initialize"}, {"trim_state", "trim"}};
    for (size_t i = 0; i < NG_COUNT(flags); i++) {
        if (is_set(text_of(object, flags[i].key, arena)) ||
            json_is_true(json_object_get(object, flags[i].key))) {
            add_work(pool, arena, flags[i].action, vdev->name, false);
        }
    }
    for (size_t i = 0; i < NG_COUNT(states); i++) {
        const char *state = text_of(object, states[i].key, arena);
        if (state != NULL &&
            (strstr(state, "ACTIVE") != NULL || strstr(state, "SUSPENDED") != NULL)) {
            add_work(pool, arena, states[i].action, vdev->name, strstr(state, "ACTIVE") == NULL);
        }
    }
}

static void read_vdev(struct ng_zpool *pool, struct ng_arena *arena, const char *key,
    const json_t *object, enum ng_zpool_class class, int depth) {
    const char *type = text_of(object, "vdev_type", arena);
    const char *path = text_of(object, "path", arena);
    const char *name = text_of(object, "name", arena);
    const char *note = text_of(object, "aux", arena);
    struct ng_zpool_vdev *vdev = ng_zpool_vdev_add(pool, arena);
    if (vdev == NULL) {
        return;
    }
    bool has_children = json_is_object(json_object_get(object, "vdevs"));
    const char *shown = path != NULL ? path
                        : name != NULL
                            ? name
                            : ng_text_clean_dup(arena, key, strlen(key), NG_TEXT_LINE, 400);
    vdev->name = has_children && name != NULL ? name : shown;
    vdev->state = state_of(object, arena);
    vdev->note = note == NULL ? "" : note;
    vdev->class = class;
    vdev->top = depth == 1;
    vdev->group = has_children || is(type, "indirect") || is(type, "hole") || is(type, "missing") ||
                  is(type, "root") || is(type, "dspare");
    vdev->erred = is_set(text_of(object, "read_errors", arena)) ||
                  is_set(text_of(object, "write_errors", arena)) ||
                  is_set(text_of(object, "checksum_errors", arena));
    /* the pool's own row has no state here */
    if (depth == 0 && vdev->group && vdev->state[0] == '\0') {
        vdev->state = pool->state == NULL ? "" : pool->state;
    }
    read_marks(pool, arena, object, vdev);
    read_stats(pool, arena, json_object_get(object, "rebuild_stats"), "resilver");
}

static void read_vdevs(struct ng_zpool *pool, struct ng_arena *arena, json_t *list,
    enum ng_zpool_class class, int depth) {
    const char *key;
    json_t *child;
    if (depth >= DEPTH_MAX) {
        pool->cut = true;
        return;
    }
    json_object_foreach(list, key, child) {
        if (json_is_object(child)) {
            read_vdev(pool, arena, key, child, class, depth);
            read_vdevs(pool, arena, json_object_get(child, "vdevs"), class, depth + 1);
        }
    }
}

static void read_pool(struct ng_zpool *pool, struct ng_arena *arena, json_t *object) {
    static const char *const classes[] = {"dedup", "special", "logs", "l2cache", "spares"};
    const char *state = state_of(object, arena);
    const char *count = text_of(object, "error_count", arena);
    pool->state = state[0] == '\0' ? NULL : state;
    pool->status = text_of(object, "status", arena);
    if (count != NULL) {
        pool->errors = is(count, "0") ? "No known data errors"
                                      : ng_arena_printf(arena, "%s data errors", count);
    }
    read_scan(pool, arena, json_object_get(object, "scan_stats"));
    read_stats(pool, arena, json_object_get(object, "removal_stats"), "remove");
    read_stats(pool, arena, json_object_get(object, "raidz_expand_stats"), "expand");
    read_checkpoint(pool, arena, json_object_get(object, "checkpoint_stats"));
    read_vdevs(pool, arena, json_object_get(object, "vdevs"), NG_ZPOOL_DATA, 0);
    for (size_t i = 0; i < NG_COUNT(classes); i++) {
        enum ng_zpool_class class = NG_ZPOOL_DATA;
        (void)ng_zpool_class_of(ng_span(classes[i], strlen(classes[i])), &class);
        read_vdevs(pool, arena, json_object_get(object, classes[i]), class, 1);
    }
}

void ng_zpools_parse_json(
    struct ng_zpools *pools, struct ng_arena *arena, const char *text, size_t len) {
    json_error_t error;
    json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &error);
    json_t *list = json_object_get(root, "pools");
    const char *key;
    json_t *object;
    if (!json_is_object(list)) {
        pools->why = root == NULL ? "the JSON of zpool status is cut off or damaged"
                                  : "the JSON of zpool status has no pools";
        json_decref(root);
        return;
    }
    pools->none = json_object_size(list) == 0;
    json_object_foreach(list, key, object) {
        struct ng_zpool *pool = ng_zpools_add(pools, arena, ng_span(key, strlen(key)));
        if (pool != NULL && json_is_object(object)) {
            read_pool(pool, arena, object);
        }
    }
    json_decref(root);
}
