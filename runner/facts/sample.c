/* What is sampled, and from the sampler's output to samples. */
#include "runner/facts/sample.h"

#include <string.h>

#include "runner/base/clock.h"
#include "runner/base/units.h"
#include "runner/facts/scan.h"

enum { SECTOR = 512, NAME_MAX_BYTES = 40, CHANGES_MAX = 200000 };

static bool is_safe(const char *name) {
    return name[0] != '-' && name[0] != '\0' && strlen(name) <= NAME_MAX_BYTES &&
           name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                             "._:@+!-")] == '\0';
}

static void take(const char **list, size_t *count, size_t max, const char *name) {
    if (*count < max && is_safe(name)) {
        list[(*count)++] = name;
    }
}

static void take_label(struct ng_sample_needs *needs, struct ng_arena *arena, const char *folder,
    const char *name, const char *file) {
    if (needs->label_count < NG_SAMPLE_LABELS_MAX && is_safe(name)) {
        needs->labels[needs->label_count++] =
            ng_arena_printf(arena, "%s/%s/%s", folder, name, file);
    }
}

void ng_sample_needs_all(
    const struct ng_facts *facts, struct ng_arena *arena, struct ng_sample_needs *needs) {
    const struct ng_blocks *blocks = &facts->blocks;
    *needs = (struct ng_sample_needs){.mounts = facts->mounts_why == NULL};
    for (size_t i = 0; i < blocks->count; i++) {
        const struct ng_block *block = &blocks->items[i];
        if (block->disk == NULL && block->slave_count == 0 && block->loop_file == NULL) {
            take(needs->disks, &needs->disk_count, NG_SAMPLE_DISKS_MAX, block->name);
        }
        if (block->dm_name != NULL) {
            take_label(needs, arena, "block", block->name, "slaves");
        }
        const struct ng_bcache_device *cached = ng_bcache_find(&facts->bcache, block->name);
        if (cached != NULL && cached->state != NULL) {
            take_label(needs, arena, "block", block->name, "bcache/state");
            take_label(needs, arena, "block", block->name, "bcache/cache_mode");
        }
    }
    for (size_t i = 0; i < blocks->work_count; i++) {
        if (blocks->works[i].operation != NULL) {
            take_label(needs, arena, "btrfs", blocks->works[i].uuid, "exclusive_operation");
        }
    }
    for (size_t i = 0; i < facts->netifs.count; i++) {
        const struct ng_netif *netif = &facts->netifs.items[i];
        if (strcmp(netif->operstate, "down") != 0 && strcmp(netif->name, "lo") != 0) {
            take(needs->nics, &needs->nic_count, NG_SAMPLE_NICS_MAX, netif->name);
        }
    }
    for (size_t i = 0; i < facts->md.count; i++) {
        take(needs->arrays, &needs->array_count, NG_SAMPLE_ARRAYS_MAX, facts->md.arrays[i].name);
    }
}

static void push_all(
    struct ng_strv *argv, const char *option, const char *const *items, size_t count) {
    for (size_t i = 0; i < count; i++) {
        ng_strv_push(argv, option);
        ng_strv_push(argv, items[i]);
    }
}

void ng_sample_argv(const struct ng_sample_needs *needs, const char *token, int64_t every_ns,
    struct ng_strv *argv) {
    /* bash reads a file by the block and BusyBox by the byte; both wait without a process. */
    static const char choose[] =
        "command -v bash >/dev/null && exec bash -s -- \"$@\"; "
        "command -v busybox >/dev/null && busybox ash -c : && exec busybox ash -s -- \"$@\"; "
        "exec sh -s -- \"$@\"";
    static const char *const shell[] = {"sh", "-c", choose, "sh", NULL};
    const int64_t ms = every_ns / (NG_NS_PER_S / 1000);
    ng_strv_pushv(argv, shell);
    ng_strv_push(argv, token);
    ng_strv_pushf(argv, "%lld.%03lld", (long long)(ms / 1000), (long long)(ms % 1000));
    push_all(argv, "-d", needs->disks, needs->disk_count);
    push_all(argv, "-i", needs->nics, needs->nic_count);
    push_all(argv, "-a", needs->arrays, needs->array_count);
    push_all(argv, "-l", needs->labels, needs->label_count);
    if (needs->mounts) {
        ng_strv_push(argv, "-m");
    }
}

static double number_of(struct ng_span word) {
    double value = -1;
    return ng_number_scan(word.at, word.len, &value) == word.len && word.len > 0 ? value : -1;
}

/* The whole numbers of a line; returns how many there are. */
static size_t numbers_of(struct ng_span line, int64_t *out, size_t max) {
    struct ng_span word;
    size_t count = 0;
    while (count < max && ng_span_word(&line, &word)) {
        if (!ng_span_int(word, &out[count])) {
            out[count] = -1;
        }
        count++;
    }
    return count;
}

static void add_known(int64_t *sum, int64_t value) {
    if (value >= 0) {
        *sum = (*sum < 0 ? 0 : *sum) + value;
    }
}

/* user nice system idle iowait irq softirq steal */
static void read_cpu(struct ng_sample *sample, struct ng_span line) {
    enum { IDLE = 3, IOWAIT = 4, USED = 8 };
    int64_t ticks[USED] = {0};
    struct ng_span word;
    if (!ng_span_word(&line, &word) || !ng_span_is(word, "cpu") ||
        numbers_of(line, ticks, USED) <= IDLE) {
        return;
    }
    sample->cpu_total = sample->cpu_busy = 0;
    for (size_t i = 0; i < USED; i++) {
        sample->cpu_total += ticks[i];
        sample->cpu_busy += i == IDLE || i == IOWAIT ? 0 : ticks[i];
    }
}

/* "some avg10=0.53 avg60=0.49 avg300=0.49 total=243195465" */
static void read_pressure(struct ng_sample *sample, struct ng_span line) {
    struct ng_span total = ng_span_after(line, "total=");
    if (total.at != NULL && ng_span_begins(line, "some") &&
        !ng_span_digits(&total, &sample->io_stall_us)) {
        sample->io_stall_us = -1;
    }
}

/* Documentation/admin-guide/iostats.rst: the third field is sectors read, the seventh written. */
static void read_disk(struct ng_sample *sample, struct ng_span line) {
    enum { READ = 2, WRITTEN = 6, USED = 7 };
    int64_t fields[USED];
    struct ng_span name;
    if (ng_span_word(&line, &name) && numbers_of(line, fields, USED) == USED) {
        add_known(
            &sample->disk_read, fields[READ] < INT64_MAX / SECTOR / 2 ? fields[READ] * SECTOR : -1);
        add_known(&sample->disk_written,
            fields[WRITTEN] < INT64_MAX / SECTOR / 2 ? fields[WRITTEN] * SECTOR : -1);
    }
}

static void read_nic(struct ng_sample *sample, struct ng_span line) {
    enum { RX, TX, RX_ERRORS, TX_ERRORS, RX_DROPPED, TX_DROPPED, USED };
    int64_t fields[USED];
    struct ng_span name;
    if (ng_span_word(&line, &name) && numbers_of(line, fields, USED) == USED) {
        add_known(&sample->rx_bytes, fields[RX]);
        add_known(&sample->tx_bytes, fields[TX]);
        add_known(&sample->net_errors, fields[RX_ERRORS]);
        add_known(&sample->net_errors, fields[TX_ERRORS]);
        add_known(&sample->net_drops, fields[RX_DROPPED]);
        add_known(&sample->net_drops, fields[TX_DROPPED]);
    }
}

static void read_counter(struct ng_sample *sample, struct ng_span line) {
    struct ng_span kind;
    if (!ng_span_word(&line, &kind) || kind.len != 1) {
        return;
    }
    struct ng_span rest = line;
    struct ng_span word;
    switch (kind.at[0]) {
    case 'L':
        sample->load1 = ng_span_word(&rest, &word) ? number_of(word) : -1;
        break;
    case 'C':
        read_cpu(sample, ng_span_trim(line));
        break;
    case 'B':
        if (!ng_span_int(ng_span_trim(line), &sample->blocked)) {
            sample->blocked = -1;
        }
        break;
    case 'P':
        read_pressure(sample, ng_span_trim(line));
        break;
    case 'D':
        read_disk(sample, line);
        break;
    case 'N':
        read_nic(sample, line);
        break;
    default:
        break;
    }
}

/* What stands behind the token, if the line begins with it. */
static bool marked(struct ng_span line, const char *token, struct ng_span *rest) {
    const size_t len = strlen(token);
    if (!ng_span_begins(line, token) || line.len < len + 2 || line.at[len] != ' ') {
        return false;
    }
    *rest = ng_span(line.at + len + 1, line.len - len - 1);
    return true;
}

static void begin_sample(
    struct ng_samples *samples, struct ng_arena *arena, struct ng_span uptime) {
    if (samples->count >= NG_SAMPLES_MAX) {
        samples->cut = true;
        return;
    }
    samples->items = ng_arena_grow(
        arena, samples->items, samples->count, &samples->capacity, sizeof *samples->items);
    samples->items[samples->count++] = (struct ng_sample){.uptime = number_of(ng_span_trim(uptime)),
        .load1 = -1,
        .blocked = -1,
        .cpu_busy = -1,
        .cpu_total = -1,
        .io_stall_us = -1,
        .disk_read = -1,
        .disk_written = -1,
        .rx_bytes = -1,
        .tx_bytes = -1,
        .net_errors = -1,
        .net_drops = -1};
}

/* A frame's text, up to its end mark, off `rest`; false when the output ends inside. */
static bool take_frame(
    struct ng_span *rest, const char *token, struct ng_span name, struct ng_span *text) {
    const char *from = rest->at;
    struct ng_span line, mark, word;
    while (ng_span_line(rest, &line)) {
        if (marked(line, token, &mark)) {
            const bool own = mark.at[0] == 'E' && ng_span_word(&mark, &word) &&
                             ng_span_word(&mark, &word) && word.len == name.len &&
                             memcmp(word.at, name.at, name.len) == 0;
            const size_t len = (size_t)(line.at - from);
            *text = ng_span(from, len > 0 ? len - 1 : 0);
            return own;
        }
    }
    return false;
}

static void add_change(
    struct ng_samples *samples, struct ng_arena *arena, struct ng_span name, struct ng_span text) {
    if (samples->count == 0 || samples->change_count >= CHANGES_MAX) {
        samples->cut = true;
        return;
    }
    samples->changes = ng_arena_grow(arena, samples->changes, samples->change_count,
        &samples->change_capacity, sizeof *samples->changes);
    samples->changes[samples->change_count++] =
        (struct ng_sample_change){.sample = samples->count - 1,
            .source = ng_span_dup(arena, name),
            .text = ng_span_dup(arena, text),
            .len = text.len};
}

void ng_samples_parse(struct ng_samples *samples, struct ng_arena *arena, const char *token,
    const char *bytes, size_t len) {
    *samples = (struct ng_samples){0};
    struct ng_span rest = ng_span(bytes, len);
    struct ng_span line, mark, word, text;
    while (token[0] != '\0' && !samples->ended && ng_span_line(&rest, &line)) {
        if (!marked(line, token, &mark)) {
            if (samples->count > 0) {
                read_counter(&samples->items[samples->count - 1], line);
            }
            continue;
        }
        const char kind = mark.at[0];
        (void)ng_span_word(&mark, &word);
        if (kind == 'H') {
            samples->forks = ng_span_is(ng_span_trim(mark), "forks");
        } else if (kind == 'S') {
            begin_sample(samples, arena, mark);
        } else if (kind == 'Z') {
            samples->ended = true;
        } else if (kind == 'B' && ng_span_word(&mark, &word) &&
                   take_frame(&rest, token, word, &text)) {
            add_change(samples, arena, word, text);
        }
    }
}
