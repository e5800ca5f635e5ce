/* Bytes that went over disks and interfaces. */
#include "runner/facts/diskstats.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/scan.h"

static bool counter(struct ng_span word, uint64_t *out) {
    uint64_t value = 0;
    for (size_t i = 0; i < word.len; i++) {
        const char c = word.at[i];
        if (c < '0' || c > '9' || __builtin_mul_overflow(value, UINT64_C(10), &value) ||
            __builtin_add_overflow(value, (uint64_t)(c - '0'), &value)) {
            return false;
        }
    }
    *out = value;
    return word.len > 0;
}

/* The numbers of a line; their count, or 0 where something else is among them. */
static size_t numbers(struct ng_span line, uint64_t *out, size_t max) {
    struct ng_span word;
    size_t count = 0;
    while (ng_span_word(&line, &word)) {
        uint64_t ignored;
        if (!counter(word, count < max ? &out[count] : &ignored)) {
            return 0;
        }
        count++;
    }
    return count;
}

static void add(struct ng_flows *flows, struct ng_arena *arena, struct ng_span name, uint64_t in,
    uint64_t out) {
    if (flows->count >= NG_FLOWS_MAX) {
        flows->bad++;
        return;
    }
    flows->items =
        ng_arena_grow(arena, flows->items, flows->count, &flows->capacity, sizeof *flows->items);
    flows->items[flows->count++] =
        (struct ng_flow){.name = ng_text_clean_dup(arena, name.at, name.len, NG_TEXT_LINE, 64),
            .in = in,
            .out = out};
}

static bool sectors(uint64_t *bytes) {
    return !__builtin_mul_overflow(*bytes, UINT64_C(512), bytes);
}

void ng_diskstats_parse(
    struct ng_flows *flows, struct ng_arena *arena, const char *text, size_t len) {
    *flows = (struct ng_flows){0};
    struct ng_span rest = ng_span(text, len), line;
    while (ng_span_line(&rest, &line)) {
        struct ng_span major, minor, name;
        uint64_t fields[11] = {0}, ignored;
        if (!ng_span_word(&line, &major)) {
            continue;
        }
        const bool named = ng_span_word(&line, &minor) && ng_span_word(&line, &name) &&
                           counter(major, &ignored) && counter(minor, &ignored);
        const size_t count = named ? numbers(line, fields, NG_COUNT(fields)) : 0;
        /* reads, read sectors, writes, written sectors: an old kernel's partition */
        uint64_t in = count == 4 ? fields[1] : fields[2], out = count == 4 ? fields[3] : fields[6];
        if ((count != 4 && count < 11) || !sectors(&in) || !sectors(&out)) {
            flows->bad++;
            continue;
        }
        add(flows, arena, name, in, out);
    }
}

void ng_netdev_parse(struct ng_flows *flows, struct ng_arena *arena, const char *text, size_t len) {
    *flows = (struct ng_flows){0};
    struct ng_span rest = ng_span(text, len), line;
    while (ng_span_line(&rest, &line)) {
        if (ng_span_has(line, '|') || ng_span_trim(line).len == 0) {
            continue; /* the two lines of the header */
        }
        /* names may hold a colon (aliases): the last one ends it */
        const char *colon = memrchr(line.at, ':', line.len);
        uint64_t fields[16] = {0};
        if (colon == NULL) {
            flows->bad++;
            continue;
        }
        const struct ng_span name = ng_span_trim(ng_span(line.at, (size_t)(colon - line.at)));
        const struct ng_span tail = ng_span(colon + 1, line.len - (size_t)(colon + 1 - line.at));
        if (name.len == 0 || numbers(tail, fields, NG_COUNT(fields)) < 16) {
            flows->bad++;
            continue;
        }
        add(flows, arena, name, fields[0], fields[8]);
    }
}

const struct ng_flow *ng_flows_find(const struct ng_flows *flows, const char *name) {
    for (size_t i = 0; i < flows->count; i++) {
        if (strcmp(flows->items[i].name, name) == 0) {
            return &flows->items[i];
        }
    }
    return NULL;
}

/* "sda1" of "sda", "nvme0n1p2" of "nvme0n1", "sata1p3" of "sata1": digits, behind a "p" where the
 * disk's own name ends with a digit. */
static bool is_part_of(const char *name, const char *disk) {
    size_t len = strlen(disk);
    if (len == 0 || strncmp(name, disk, len) != 0) {
        return false;
    }
    if (disk[len - 1] >= '0' && disk[len - 1] <= '9') {
        if (name[len] != 'p') {
            return false;
        }
        len++;
    }
    const size_t digits = strspn(name + len, "0123456789");
    return digits > 0 && name[len + digits] == '\0';
}

bool ng_flow_is_disk(const struct ng_flows *flows, const char *name) {
    static const char *const others[] = {
        "md", "dm-", "loop", "ram", "zram", "sr", "fd", "bcache", "drbd", "nbd", "zd"};
    for (size_t i = 0; i < NG_COUNT(others); i++) {
        const size_t len = strlen(others[i]);
        if (strncmp(name, others[i], len) == 0 && name[len] >= '0' && name[len] <= '9') {
            return false;
        }
    }
    if (strncmp(name, "md_", 3) == 0) {
        return false;
    }
    for (size_t i = 0; i < flows->count; i++) {
        if (is_part_of(name, flows->items[i].name)) {
            return false;
        }
    }
    return true;
}
