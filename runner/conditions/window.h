/**
 * window.h - what a host did within some seconds, out of the two samples of idle.sh.
 */
#ifndef NG_CONDITIONS_WINDOW_H
#define NG_CONDITIONS_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/answer.h"
#include "runner/facts/load.h"
#include "runner/facts/tasks.h"

extern const unsigned char ng_idle_sh[]; /* ends with NUL */

/** Bytes per second; -1: unknown. */
struct ng_window_flow {
    double rate;
    const char *busiest; /* the device with the most of it, or NULL */
    double busiest_rate;
    size_t devices;
};

struct ng_window {
    const char *why; /* why nothing of it can be used, or NULL */
    double seconds;
    struct ng_loadavg load;      /* of the second sample */
    struct ng_window_flow disks; /* read and written on all disks, without layers above them */
    struct ng_window_flow net;   /* the busiest interface but lo; layers would count twice */
    double cpu, iowait, steal;   /* shares of all processors; -1: unknown */
    enum ng_answer all_tasks;    /* whether the tasks of the whole machine are seen */
    struct ng_task *waiting;     /* in state D in both samples */
    size_t waiting_count, waiting_capacity;
};

/** `least` is how long the samples are apart at least, in seconds. */
void ng_window_parse(
    struct ng_window *window, struct ng_arena *arena, double least, const char *text, size_t len);

#endif
