/* LVM's reports, in JSON or in lines. */
#include "runner/facts/lvm.h"

#include <string.h>

#include "runner/base/jsonscan.h"
#include "runner/base/text.h"
#include "runner/base/units.h"
#include "runner/facts/scan.h"

static const char *clean(struct ng_arena *arena, struct ng_span text) {
    text = ng_span_trim(text);
    return ng_text_clean_dup(arena, text.at, text.len, NG_TEXT_LINE, 400);
}

/* A whole number of bytes, which some versions print with a "B" behind. */
static int64_t whole(struct ng_span text) {
    int64_t number;
    text = ng_span_trim(text);
    if (!ng_span_digits(&text, &number) || (text.len > 0 && !ng_span_is(text, "B"))) {
        return -1;
    }
    return number;
}

/* "12.34"; a comma is what a locale makes of the dot. */
static double percent(struct ng_span text) {
    char digits[32];
    double value;
    text = ng_span_trim(text);
    if (text.len == 0 || text.len >= sizeof digits) {
        return -1;
    }
    for (size_t i = 0; i < text.len; i++) {
        digits[i] = text.at[i] == ',' ? '.' : text.at[i];
    }
    bool good = ng_number_scan(digits, text.len, &value) == text.len && value <= 100;
    return good ? value : -1;
}

/* "/dev/sda1(0),/dev/sdb1(25600)": a device each, without the extent it begins at. */
static void add_devices(
    struct ng_lvm *lvm, struct ng_lvm_volume *volume, struct ng_arena *arena, struct ng_span text) {
    while (text.len > 0) {
        struct ng_span one = ng_span_trim(ng_span_until(&text, ','));
        struct ng_span name = ng_span_until(&one, '(');
        bool known = name.len == 0;
        for (size_t i = 0; i < volume->device_count; i++) {
            known = known || ng_span_is(name, volume->devices[i]);
        }
        if (known) {
            continue;
        }
        if (volume->device_count >= NG_LVM_DEVICES_MAX) {
            lvm->why = "a volume of LVM lies on more devices than can be kept";
            return;
        }
        volume->devices = ng_arena_grow(arena, volume->devices, volume->device_count,
            &volume->device_capacity, sizeof *volume->devices);
        volume->devices[volume->device_count++] = clean(arena, name);
    }
}

static struct ng_lvm_volume *volume_of(
    struct ng_lvm *lvm, struct ng_arena *arena, struct ng_span group, struct ng_span name) {
    group = ng_span_trim(group);
    name = ng_span_trim(name);
    bool hidden = name.len > 2 && name.at[0] == '[' && name.at[name.len - 1] == ']';
    name = hidden ? ng_span(name.at + 1, name.len - 2) : name;
    for (size_t i = lvm->count; i-- > 0;) {
        if (ng_span_is(name, lvm->volumes[i].name) && ng_span_is(group, lvm->volumes[i].group)) {
            return &lvm->volumes[i];
        }
    }
    if (name.len == 0) {
        return NULL;
    }
    if (lvm->count >= NG_LVM_ITEMS_MAX) {
        lvm->why = "there are more volumes of LVM than can be kept";
        return NULL;
    }
    lvm->volumes =
        ng_arena_grow(arena, lvm->volumes, lvm->count, &lvm->capacity, sizeof *lvm->volumes);
    struct ng_lvm_volume *volume = &lvm->volumes[lvm->count++];
    *volume = (struct ng_lvm_volume){.group = clean(arena, group),
        .name = clean(arena, name),
        .hidden = hidden,
        .type = "",
        .attr = "",
        .action = "",
        .health = "",
        .cache_mode = "",
        .cache_policy = "",
        .size = -1,
        .sync = -1,
        .mismatches = -1,
        .cache_dirty = -1,
        .missing = -1};
    return volume;
}

/* Of several segments the first type stays, unless one of the others keeps copies. */
static void set_type(struct ng_lvm_volume *volume, struct ng_arena *arena, struct ng_span text) {
    if (text.len > 0 && (volume->type[0] == '\0' || !ng_lvm_is_copied(volume))) {
        volume->type = clean(arena, text);
    }
}

/* One field of a row. Unknown fields are ignored. */
static void set_field(struct ng_lvm *lvm, struct ng_lvm_volume *volume, struct ng_arena *arena,
    const char *field, struct ng_span text) {
    const struct {
        const char *field;
        const char **at;
    } texts[] = {
        {"lv_attr", &volume->attr},
        {"raid_sync_action", &volume->action},
        {"lv_health_status", &volume->health},
        {"cache_mode", &volume->cache_mode},
        {"cache_policy", &volume->cache_policy},
    };
    const struct {
        const char *field;
        int64_t *at;
    } numbers[] = {
        {"lv_size", &volume->size},
        {"raid_mismatch_count", &volume->mismatches},
        {"cache_dirty_blocks", &volume->cache_dirty},
        {"vg_missing_pv_count", &volume->missing},
    };
    for (size_t i = 0; i < NG_COUNT(texts); i++) {
        if (strcmp(field, texts[i].field) == 0 && text.len > 0) {
            *texts[i].at = clean(arena, text);
        }
    }
    for (size_t i = 0; i < NG_COUNT(numbers); i++) {
        if (strcmp(field, numbers[i].field) == 0) {
            *numbers[i].at = whole(text);
        }
    }
    if (strcmp(field, "segtype") == 0) {
        set_type(volume, arena, text);
    } else if (strcmp(field, "sync_percent") == 0 || strcmp(field, "copy_percent") == 0) {
        double share = percent(text);
        volume->sync = share >= 0 ? share : volume->sync;
    } else if (strcmp(field, "devices") == 0) {
        add_devices(lvm, volume, arena, text);
    }
}

static struct ng_span text_of(const json_t *row, const char *field) {
    const json_t *value = json_object_get(row, field);
    if (!json_is_string(value)) {
        return ng_span("", 0);
    }
    return ng_span(json_string_value(value), json_string_length(value));
}

static void read_volume(struct ng_lvm *lvm, struct ng_arena *arena, json_t *row) {
    const char *field;
    json_t *value;
    struct ng_lvm_volume *volume =
        volume_of(lvm, arena, text_of(row, "vg_name"), text_of(row, "lv_name"));
    json_object_foreach(row, field, value) {
        if (volume != NULL && json_is_string(value)) {
            set_field(lvm, volume, arena, field,
                ng_span(json_string_value(value), json_string_length(value)));
        }
    }
}

static bool letter(struct ng_span text, size_t place, char wanted) {
    return text.len > place && text.at[place] == wanted;
}

static void read_device(struct ng_lvm *lvm, struct ng_arena *arena, json_t *row) {
    struct ng_span name = ng_span_trim(text_of(row, "pv_name"));
    struct ng_span attr = ng_span_trim(text_of(row, "pv_attr"));
    if (name.len == 0 || lvm->device_count >= NG_LVM_ITEMS_MAX) {
        return;
    }
    lvm->devices = ng_arena_grow(
        arena, lvm->devices, lvm->device_count, &lvm->device_capacity, sizeof *lvm->devices);
    lvm->devices[lvm->device_count++] = (struct ng_lvm_device){.name = clean(arena, name),
        .group = clean(arena, text_of(row, "vg_name")),
        .attr = clean(arena, attr),
        .missing = letter(attr, 2, 'm') || ng_span_begins(name, "[unknown]") ||
                   ng_span_begins(name, "unknown device") ||
                   ng_span_trim(text_of(row, "pv_missing")).len > 1};
}

static void read_group(struct ng_lvm *lvm, struct ng_arena *arena, json_t *row) {
    struct ng_span attr = ng_span_trim(text_of(row, "vg_attr"));
    struct ng_span name = ng_span_trim(text_of(row, "vg_name"));
    if (name.len == 0 || lvm->group_count >= NG_LVM_ITEMS_MAX) {
        return;
    }
    lvm->groups = ng_arena_grow(
        arena, lvm->groups, lvm->group_count, &lvm->group_capacity, sizeof *lvm->groups);
    lvm->groups[lvm->group_count++] = (struct ng_lvm_group){.name = clean(arena, name),
        .attr = clean(arena, attr),
        .missing = whole(text_of(row, "vg_missing_pv_count")),
        .partial = letter(attr, 3, 'p')};
}

static bool read_document(struct ng_lvm *lvm, struct ng_arena *arena, json_t *document) {
    static const struct {
        const char *kind;
        void (*read)(struct ng_lvm *lvm, struct ng_arena *arena, json_t *row);
    } kinds[] = {
        {"lv", read_volume}, {"seg", read_volume}, {"pv", read_device}, {"vg", read_group}};
    size_t index, row;
    json_t *report, *item;
    json_t *reports = json_object_get(document, "report");
    if (!json_is_array(reports)) {
        return false;
    }
    json_array_foreach(reports, index, report) {
        for (size_t i = 0; i < NG_COUNT(kinds); i++) {
            json_array_foreach(json_object_get(report, kinds[i].kind), row, item) {
                kinds[i].read(lvm, arena, item);
            }
        }
    }
    return true;
}

/* The lines of old versions; false when one has not all the fields. */
static bool read_lines(struct ng_lvm *lvm, struct ng_arena *arena, struct ng_span rest) {
    static const char *const fields[] = {"segtype", "lv_attr", "lv_size", "copy_percent"};
    struct ng_span line;
    bool any = false, good = true;
    while (ng_span_line(&rest, &line)) {
        line = ng_span_trim(line);
        if (!ng_span_has(line, '|')) {
            good = good && (line.len == 0 || ng_span_begins(line, "WARNING"));
            continue;
        }
        struct ng_span group = ng_span_until(&line, '|');
        struct ng_span name = ng_span_until(&line, '|');
        struct ng_lvm_volume *volume = volume_of(lvm, arena, group, name);
        for (size_t i = 0; i < NG_COUNT(fields) && volume != NULL; i++) {
            good = good && ng_span_has(line, '|');
            set_field(lvm, volume, arena, fields[i], ng_span_trim(ng_span_until(&line, '|')));
        }
        if (volume != NULL) {
            add_devices(lvm, volume, arena, ng_span_trim(line));
            any = true;
        }
    }
    return any && good;
}

/* True when the text held documents, whether or not they are reports. */
static bool read_json(struct ng_lvm *lvm, struct ng_arena *arena, struct ng_span text) {
    struct ng_jsonscan scan;
    ng_jsonscan_init(&scan, text.at, text.len);
    for (size_t i = 0; i < scan.count; i++) {
        lvm->known = read_document(lvm, arena, scan.docs[i]) || lvm->known;
    }
    bool any = scan.count > 0 || scan.truncated;
    if (any && (!lvm->known || scan.truncated || scan.dropped > 0)) {
        lvm->known = false;
        lvm->why = "what lvs printed is cut off or not understood";
    }
    ng_jsonscan_release(&scan);
    return any;
}

static bool is_blank(struct ng_span text) {
    struct ng_span line;
    while (ng_span_line(&text, &line)) {
        if (ng_span_trim(line).len > 0) {
            return false;
        }
    }
    return true;
}

void ng_lvm_parse(struct ng_lvm *lvm, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span all = ng_span(text, len);
    if (ng_span_begins(all, "!asleep")) {
        lvm->why = "lvs was not asked, because a disk sleeps and would be woken";
    } else if (is_blank(all)) {
        lvm->why = "lvs printed nothing";
    } else if (!read_json(lvm, arena, all)) {
        lvm->known = read_lines(lvm, arena, all);
        lvm->why = lvm->known ? lvm->why : "what lvs printed is not understood";
    }
}

const struct ng_lvm_volume *ng_lvm_find(
    const struct ng_lvm *lvm, const char *group, const char *volume) {
    for (size_t i = 0; i < lvm->count; i++) {
        if (strcmp(lvm->volumes[i].name, volume) == 0 &&
            strcmp(lvm->volumes[i].group, group) == 0) {
            return &lvm->volumes[i];
        }
    }
    return NULL;
}
