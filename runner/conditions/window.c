/* What a host did within some seconds. */
#include "runner/conditions/window.h"

#include <string.h>

#include "runner/base/units.h"
#include "runner/facts/diskstats.h"
#include "runner/facts/scan.h"

#define MARK "nasgate-window "

/* The sections of both samples by their place in this list. */
static const char *const names[] = {"uptime", "load", "cpu", "disks", "net", "second", "waiting"};
enum { UPTIME, LOAD, CPU, DISKS, NET, SECOND, WAITING, SECTIONS };

struct samples {
    struct ng_span at[2][SECTIONS];
    bool complete;
};

/* Where the next section goes; NULL for the end mark and for what is none. */
static struct ng_span *section_of(struct samples *samples, struct ng_span line) {
    struct ng_span rest = ng_span_after(line, MARK), sample, name;
    int64_t number;
    if (!ng_span_word(&rest, &sample) || !ng_span_int(sample, &number) || number < 1 ||
        number > 2 || !ng_span_word(&rest, &name)) {
        return NULL;
    }
    samples->complete = samples->complete || (number == 2 && ng_span_is(name, "end"));
    for (size_t i = 0; i < SECTIONS; i++) {
        if (ng_span_is(name, names[i])) {
            return &samples->at[number - 1][i];
        }
    }
    return NULL;
}

static void split(struct samples *samples, const char *text, size_t len) {
    struct ng_span *section = NULL;
    struct ng_span rest = ng_span(text, len), line;
    while (ng_span_line(&rest, &line)) {
        if (ng_span_begins(line, MARK)) {
            section = section_of(samples, line);
            if (section != NULL) {
                *section = ng_span(rest.at, 0);
            }
        } else if (section != NULL) {
            section->len = (size_t)(line.at - section->at) + line.len;
        }
    }
}

static bool uptime_of(struct ng_span text, double *out) {
    return text.len > 0 && ng_number_scan(text.at, text.len, out) > 0;
}

/* Counters start again when a device goes and comes back: such a device counts as it is. */
static double grown(uint64_t before, uint64_t after) {
    return (double)(after >= before ? after - before : after);
}

static void add_flow(struct ng_window_flow *out, const char *name, double rate, bool sum) {
    out->devices++;
    out->rate = out->rate < 0 ? 0 : out->rate;
    out->rate = sum ? out->rate + rate : rate > out->rate ? rate : out->rate;
    if (out->busiest == NULL || rate > out->busiest_rate) {
        out->busiest = name;
        out->busiest_rate = rate;
    }
}

static void compare(struct ng_window_flow *out, const struct ng_flows *before,
    const struct ng_flows *after, double seconds, bool disks) {
    *out = (struct ng_window_flow){.rate = -1};
    for (size_t i = 0; i < after->count; i++) {
        const struct ng_flow *now = &after->items[i];
        const struct ng_flow *then = ng_flows_find(before, now->name);
        if (then == NULL ||
            (disks ? !ng_flow_is_disk(after, now->name) : strcmp(now->name, "lo") == 0)) {
            continue;
        }
        add_flow(out, now->name, (grown(then->in, now->in) + grown(then->out, now->out)) / seconds,
            disks);
    }
}

static void read_flows(
    struct ng_window *window, struct ng_arena *arena, const struct samples *samples) {
    struct ng_flows disks[2], net[2];
    for (size_t i = 0; i < 2; i++) {
        const struct ng_span disk = samples->at[i][DISKS], card = samples->at[i][NET];
        ng_diskstats_parse(&disks[i], arena, disk.at, disk.len);
        ng_netdev_parse(&net[i], arena, card.at, card.len);
    }
    compare(&window->disks, &disks[0], &disks[1], window->seconds, true);
    compare(&window->net, &net[0], &net[1], window->seconds, false);
    if (disks[1].bad > 0) {
        window->disks.rate = -1;
    }
    if (net[1].bad > 0) {
        window->net.rate = -1;
    }
}

/* "cpu  user nice system idle iowait irq softirq steal ..." */
static bool jiffies(struct ng_span line, int64_t out[8]) {
    struct ng_span word;
    if (!ng_span_word(&line, &word) || !ng_span_is(word, "cpu")) {
        return false;
    }
    for (size_t i = 0; i < 8; i++) {
        if (!ng_span_word(&line, &word) || !ng_span_int(word, &out[i])) {
            return false;
        }
    }
    return true;
}

static void read_cpu(struct ng_window *window, const struct samples *samples) {
    enum { IDLE = 3, IOWAIT = 4, STEAL = 7 };
    int64_t before[8], after[8];
    double all = 0;
    window->cpu = window->iowait = window->steal = -1;
    if (!jiffies(samples->at[0][CPU], before) || !jiffies(samples->at[1][CPU], after)) {
        return;
    }
    for (size_t i = 0; i < 8; i++) {
        all += (double)(after[i] - before[i]);
    }
    if (all < 1) {
        return;
    }
    window->iowait = (double)(after[IOWAIT] - before[IOWAIT]) / all;
    window->steal = (double)(after[STEAL] - before[STEAL]) / all;
    window->cpu = 1 - (double)(after[IDLE] - before[IDLE]) / all - window->iowait;
}

/* A task that waits in both samples is stuck or kept busy; a kernel's thread may do so for a
 * moment. */
static void read_waiting(
    struct ng_window *window, struct ng_arena *arena, const struct samples *samples) {
    struct ng_tasks tasks[2] = {{0}, {0}};
    struct ng_tasks second = {0};
    for (size_t i = 0; i < 2; i++) {
        ng_tasks_parse(&tasks[i], arena, samples->at[i][WAITING].at, samples->at[i][WAITING].len);
    }
    ng_tasks_parse(&second, arena, samples->at[1][SECOND].at, samples->at[1][SECOND].len);
    window->all_tasks = ng_tasks_complete(&second) ? NG_ANSWER_YES : NG_ANSWER_NO;
    for (size_t i = 0; i < tasks[1].count; i++) {
        const struct ng_task *task = &tasks[1].items[i];
        const struct ng_task *before = ng_tasks_find(&tasks[0], task->id);
        if (task->state != 'D' || before == NULL || before->state != 'D') {
            continue;
        }
        window->waiting = ng_arena_grow(arena, window->waiting, window->waiting_count,
            &window->waiting_capacity, sizeof *window->waiting);
        window->waiting[window->waiting_count++] = *task;
    }
}

void ng_window_parse(
    struct ng_window *window, struct ng_arena *arena, double least, const char *text, size_t len) {
    struct samples samples = {0};
    double began, ended;
    *window = (struct ng_window){.load = {-1, -1, -1, -1, -1}};
    split(&samples, text, len);
    if (!samples.complete) {
        window->why = "its answer is cut off";
        return;
    }
    if (!uptime_of(samples.at[0][UPTIME], &began) || !uptime_of(samples.at[1][UPTIME], &ended)) {
        window->why = "it has no /proc/uptime to be read";
        return;
    }
    window->seconds = ended - began > least ? ended - began : least;
    (void)ng_loadavg_parse(&window->load, samples.at[1][LOAD].at, samples.at[1][LOAD].len);
    read_flows(window, arena, &samples);
    read_cpu(window, &samples);
    read_waiting(window, arena, &samples);
}
