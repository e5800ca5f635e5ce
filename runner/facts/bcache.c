/* bcache, as sysfs tells of it. */
#include "runner/facts/bcache.h"

#include <inttypes.h>
#include <string.h>

#include "runner/base/guard.h"
#include "runner/base/text.h"

bool ng_bcache_size(struct ng_span text, int64_t *out) {
    static const char letters[] = "kMGTPE";
    int64_t whole, tenths = 0;
    int power = 0;
    if (!ng_span_digits(&text, &whole)) {
        return false;
    }
    if (text.len >= 2 && text.at[0] == '.' && text.at[1] >= '0' && text.at[1] <= '9') {
        tenths = text.at[1] - '0';
        text = ng_span(text.at + 2, text.len - 2);
    }
    if (text.len == 1 && memchr(letters, text.at[0], sizeof letters - 1) != NULL) {
        power = (int)(strchr(letters, text.at[0]) - letters) + 1;
    } else if (text.len > 0) {
        return false;
    }
    int64_t unit = INT64_C(1) << (10 * power);
    if (whole > INT64_MAX / unit - 1) {
        return false;
    }
    *out = whole * unit + tenths * (unit / 10);
    return true;
}

static const char *clean(struct ng_arena *arena, struct ng_span text) {
    return ng_text_clean_dup(arena, text.at, text.len, NG_TEXT_LINE, 200);
}

static struct ng_bcache_device *device_of(
    struct ng_bcache *bcache, struct ng_arena *arena, struct ng_span name) {
    for (size_t i = bcache->count; i-- > 0;) {
        if (ng_span_is(name, bcache->devices[i].device)) {
            return &bcache->devices[i];
        }
    }
    if (bcache->count >= NG_BCACHE_SETS_MAX * NG_BCACHE_MEMBERS_MAX) {
        bcache->cut = "there are more devices of bcache than can be kept";
        return NULL;
    }
    bcache->devices = ng_arena_grow(
        arena, bcache->devices, bcache->count, &bcache->capacity, sizeof *bcache->devices);
    struct ng_bcache_device *device = &bcache->devices[bcache->count++];
    *device = (struct ng_bcache_device){.device = ng_span_dup(arena, name),
        .dirty = -1,
        .debug_dirty = -1,
        .cutoff = -1,
        .running = -1,
        .percent = -1,
        .hits = -1,
        .misses = -1,
        .bypassed = -1};
    return device;
}

/* The word in brackets of "writethrough [writeback] writearound none". */
static void set_mode(struct ng_bcache_device *device, struct ng_arena *arena, struct ng_span line) {
    device->modes = clean(arena, line);
    struct ng_span active = ng_span_after(line, "[");
    if (active.at != NULL && ng_span_has(active, ']')) {
        device->mode = clean(arena, ng_span_until(&active, ']'));
    }
}

static void set_size(int64_t *at, struct ng_span text) {
    int64_t size;
    *at = ng_bcache_size(text, &size) ? size : -1;
}

static void set_count(int64_t *at, struct ng_span text) {
    int64_t number;
    *at = ng_span_int(text, &number) && number >= 0 ? number : -1;
}

static void set_device(struct ng_bcache_device *device, struct ng_arena *arena, struct ng_span file,
    struct ng_span line) {
    const struct {
        const char *file;
        int64_t *at;
        bool size;
    } slots[] = {
        {"dirty_data", &device->dirty, true},
        {"sequential_cutoff", &device->cutoff, true},
        {"writeback_running", &device->running, false},
        {"writeback_percent", &device->percent, false},
        {"stats_total/cache_hits", &device->hits, false},
        {"stats_total/cache_misses", &device->misses, false},
        {"stats_total/bypassed", &device->bypassed, true},
    };
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        if (ng_span_is(file, slots[i].file)) {
            (slots[i].size ? set_size : set_count)(slots[i].at, line);
        }
    }
    if (ng_span_is(file, "cache_mode")) {
        set_mode(device, arena, line);
    } else if (ng_span_is(file, "state")) {
        device->state = clean(arena, line);
    } else if (ng_span_is(file, "writeback_rate_debug") && ng_span_begins(line, "dirty:")) {
        set_size(&device->debug_dirty, ng_span_trim(ng_span_after(line, "dirty:")));
    }
}

static struct ng_bcache_set *set_of(
    struct ng_bcache *bcache, struct ng_arena *arena, struct ng_span uuid) {
    for (size_t i = bcache->set_count; i-- > 0;) {
        if (ng_span_is(uuid, bcache->sets[i].uuid)) {
            return &bcache->sets[i];
        }
    }
    if (bcache->set_count >= NG_BCACHE_SETS_MAX) {
        bcache->cut = "there are more cache sets of bcache than can be kept";
        return NULL;
    }
    bcache->sets = ng_arena_grow(
        arena, bcache->sets, bcache->set_count, &bcache->set_capacity, sizeof *bcache->sets);
    struct ng_bcache_set *set = &bcache->sets[bcache->set_count++];
    *set = (struct ng_bcache_set){
        .uuid = ng_span_dup(arena, uuid), .read_threshold_us = -1, .write_threshold_us = -1};
    return set;
}

static struct ng_bcache_member *member_of(struct ng_bcache *bcache, struct ng_bcache_set *set,
    struct ng_arena *arena, struct ng_span name) {
    for (size_t i = set->count; i-- > 0;) {
        if (ng_span_is(name, set->members[i].name)) {
            return &set->members[i];
        }
    }
    if (set->count >= NG_BCACHE_MEMBERS_MAX) {
        bcache->cut = "a cache set of bcache has more members than can be kept";
        return NULL;
    }
    set->members =
        ng_arena_grow(arena, set->members, set->count, &set->capacity, sizeof *set->members);
    struct ng_bcache_member *member = &set->members[set->count++];
    *member = (struct ng_bcache_member){.name = ng_span_dup(arena, name), .io_errors = -1};
    return member;
}

/* "UUID/congested_read_threshold_us", "UUID/cache0/io_errors", "UUID/bdev0/dirty_data" */
static void parse_set(
    struct ng_bcache *bcache, struct ng_arena *arena, struct ng_span path, struct ng_span line) {
    struct ng_span whole = path;
    struct ng_span uuid = ng_span_until(&path, '/');
    struct ng_bcache_set *set = uuid.len == 0 ? NULL : set_of(bcache, arena, uuid);
    if (set == NULL) {
        return;
    }
    if (ng_span_is(path, "congested_read_threshold_us")) {
        set_count(&set->read_threshold_us, line);
    } else if (ng_span_is(path, "congested_write_threshold_us")) {
        set_count(&set->write_threshold_us, line);
    }
    bool backing = ng_span_begins(path, "bdev");
    struct ng_span name = ng_span_until(&path, '/');
    if (path.len == 0 || (!backing && !(ng_span_begins(name, "cache") && name.len > 5 &&
                                          name.at[5] >= '0' && name.at[5] <= '9'))) {
        return;
    }
    struct ng_bcache_member *member = member_of(bcache, set, arena, name);
    if (member != NULL && ng_span_is(path, "device")) {
        member->device = ng_span_dup(arena, line);
    } else if (member != NULL && ng_span_is(path, "io_errors")) {
        set_count(&member->io_errors, line);
    }
    if (backing && !ng_span_is(path, "device")) {
        struct ng_span both = ng_span(whole.at, uuid.len + 1 + name.len);
        struct ng_bcache_device *device = device_of(bcache, arena, both);
        if (device != NULL) {
            set_device(device, arena, path, line);
        }
    }
}

void ng_bcache_parse(
    struct ng_bcache *bcache, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    while (ng_span_line(&rest, &line)) {
        if (ng_span_begins(line, "!")) {
            continue; /* there, but not readable: stays unknown */
        }
        struct ng_span path = ng_span_until(&line, '\t');
        struct ng_span kind = ng_span_until(&path, '/');
        if (ng_span_is(kind, "bcache")) {
            parse_set(bcache, arena, path, ng_span_trim(line));
        } else if (ng_span_is(kind, "block")) {
            struct ng_span name = ng_span_until(&path, '/');
            if (name.len > 0 && ng_span_begins(path, "bcache/")) {
                (void)ng_span_until(&path, '/');
                struct ng_bcache_device *device = device_of(bcache, arena, name);
                if (device != NULL) {
                    set_device(device, arena, path, ng_span_trim(line));
                }
            }
        }
    }
}

const struct ng_bcache_device *ng_bcache_find(const struct ng_bcache *bcache, const char *device) {
    for (size_t i = 0; i < bcache->count; i++) {
        if (strcmp(bcache->devices[i].device, device) == 0) {
            return &bcache->devices[i];
        }
    }
    return NULL;
}

const struct ng_bcache_set *ng_bcache_set_of(const struct ng_bcache *bcache, const char *device) {
    for (size_t i = 0; i < bcache->set_count; i++) {
        const struct ng_bcache_set *set = &bcache->sets[i];
        for (size_t j = 0; j < set->count; j++) {
            if (set->members[j].device != NULL && strcmp(set->members[j].device, device) == 0) {
                return set;
            }
        }
    }
    return NULL;
}

int64_t ng_bcache_dirty(
    const struct ng_bcache_device *device, struct ng_arena *arena, const char **why) {
    bool clean_state = device->state != NULL && strcmp(device->state, "clean") == 0;
    if (device->dirty < 0) {
        *why = "dirty_data was not read";
        return clean_state ? 0 : -1;
    }
    /* the debug file is a moment older or younger, so that only "none" against "some" is told */
    if (device->dirty == 0 && device->debug_dirty > 0 && !clean_state) {
        *why = ng_arena_printf(arena,
            "dirty_data says 0, writeback_rate_debug says %" PRId64 " bytes", device->debug_dirty);
        return -1;
    }
    return device->dirty;
}
