/* What the NFS client says of each of its mounts. */
#include "runner/facts/mountstats.h"

#include <string.h>

#include "runner/facts/mountinfo.h"
#include "runner/facts/scan.h"

/* Counters are unsigned and may have wrapped below zero: all 64 bits are kept. */
static bool counter(struct ng_span word, uint64_t *out) {
    uint64_t value = 0;
    if (word.len == 0) {
        return false;
    }
    for (size_t i = 0; i < word.len; i++) {
        const char c = word.at[i];
        if (c < '0' || c > '9' || __builtin_mul_overflow(value, UINT64_C(10), &value) ||
            __builtin_add_overflow(value, (uint64_t)(c - '0'), &value)) {
            return false;
        }
    }
    *out = value;
    return true;
}

static bool read_bytes(struct ng_mountstat *stat, struct ng_span rest) {
    uint64_t bytes[NG_NFS_BYTES_COUNT];
    for (size_t i = 0; i < NG_NFS_BYTES_COUNT; i++) {
        struct ng_span word;
        if (!ng_span_word(&rest, &word) || !counter(word, &bytes[i])) {
            return false;
        }
    }
    memcpy(stat->bytes, bytes, sizeof bytes);
    stat->counted = true;
    return true;
}

/* The piece before `mark`; *rest is what follows it. at NULL: it is not there. */
static struct ng_span before(struct ng_span *rest, const char *mark) {
    const struct ng_span tail = ng_span_after(*rest, mark);
    if (tail.at == NULL) {
        return tail;
    }
    const struct ng_span piece = ng_span(rest->at, (size_t)(tail.at - rest->at) - strlen(mark));
    *rest = tail;
    return piece;
}

/* "device nas:/v mounted on /mnt with fstype nfs4 statvers=1.1"; blanks in names are escaped. */
static struct ng_mountstat *add(
    struct ng_mountstats *stats, struct ng_arena *arena, struct ng_span line) {
    const struct ng_span source = before(&line, " mounted on ");
    const struct ng_span point = before(&line, " with fstype ");
    struct ng_span type;
    if (source.at == NULL || point.at == NULL || !ng_span_word(&line, &type)) {
        stats->bad++;
        return NULL;
    }
    if (!ng_span_begins(ng_span_trim(line), "statvers=")) {
        return NULL;
    }
    if (stats->count >= NG_MOUNTSTATS_MAX) {
        stats->bad++;
        return NULL;
    }
    stats->items =
        ng_arena_grow(arena, stats->items, stats->count, &stats->capacity, sizeof *stats->items);
    struct ng_mountstat *stat = &stats->items[stats->count++];
    *stat = (struct ng_mountstat){.source = ng_mount_decode(arena, source.at, source.len),
        .point = ng_mount_decode(arena, point.at, point.len),
        .type = ng_span_dup(arena, type),
        .age = -1};
    return stat;
}

static void read_line(struct ng_mountstats *stats, struct ng_mountstat *stat,
    struct ng_arena *arena, struct ng_span line) {
    struct ng_span rest = ng_span_trim(line), word;
    const struct ng_span key = ng_span_until(&rest, ':');
    rest = ng_span_trim(rest);
    if (ng_span_is(key, "opts")) {
        stat->options = ng_span_dup(arena, rest);
    } else if (ng_span_is(key, "age")) {
        stats->bad += ng_span_int(rest, &stat->age) && stat->age >= 0 ? 0 : 1;
    } else if (ng_span_is(key, "bytes")) {
        stats->bad += read_bytes(stat, rest) ? 0 : 1;
    } else if (ng_span_is(key, "xprt")) {
        stat->connections++;
        if (stat->protocol == NULL && ng_span_word(&rest, &word)) {
            stat->protocol = ng_span_dup(arena, word);
        }
    }
}

void ng_mountstats_parse(
    struct ng_mountstats *stats, struct ng_arena *arena, const char *text, size_t len) {
    *stats = (struct ng_mountstats){0};
    struct ng_mountstat *stat = NULL;
    struct ng_span rest = ng_span_lines(text, len), line;
    while (ng_span_line(&rest, &line)) {
        if (ng_span_begins(line, "device ")) {
            stat = add(stats, arena, ng_span(line.at + 7, line.len - 7));
        } else if (ng_span_begins(line, "no device ")) {
            stat = NULL;
        } else if (stat != NULL) {
            read_line(stats, stat, arena, line);
        }
    }
}

const struct ng_mountstat *ng_mountstats_find(
    const struct ng_mountstats *stats, const char *point) {
    for (size_t i = stats->count; i > 0; i--) {
        if (strcmp(stats->items[i - 1].point, point) == 0) {
            return &stats->items[i - 1];
        }
    }
    return NULL;
}
