/* The lines of /proc/mdstat that say that an array is at work, or waits to be. */
#include <string.h>

#include "runner/base/units.h"
#include "runner/facts/md_parts.h"

static bool is_lower_word(struct ng_span word) {
    for (size_t i = 0; i < word.len; i++) {
        if (word.at[i] < 'a' || word.at[i] > 'z') {
            return false;
        }
    }
    return word.len > 0;
}

static bool scan_number(struct ng_span text, double *out) {
    return text.len > 0 && ng_number_scan(text.at, text.len, out) > 0;
}

/* "(709745748/1465135936) finish=1271.8min speed=9898K/sec": each part may be missing. */
static void parse_amounts(struct ng_span text, struct ng_md_work *work) {
    struct ng_span open = ng_span_after(text, "(");
    int64_t done, total;
    if (open.at != NULL && ng_span_digits(&open, &done) && ng_span_begins(open, "/")) {
        open = ng_span(open.at + 1, open.len - 1);
        if (ng_span_digits(&open, &total)) {
            work->done = done;
            work->total = total;
        }
    }
    double minutes;
    if (scan_number(ng_span_after(text, "finish="), &minutes)) {
        work->finish_minutes = minutes;
    }
    struct ng_span speed = ng_span_after(text, "speed=");
    int64_t kib;
    if (speed.at != NULL && ng_span_digits(&speed, &kib)) {
        work->speed_kib = kib;
    }
}

bool ng_md_work_parse(struct ng_span line, struct ng_arena *arena, struct ng_md_work *work) {
    *work = (struct ng_md_work){.done = -1, .total = -1, .finish_minutes = -1, .speed_kib = -1};
    bool bar = ng_span_begins(line, "[");
    if (bar) {
        (void)ng_span_until(&line, ']');
    }
    if (!ng_span_has(line, '=')) {
        return false;
    }
    struct ng_span action = ng_span_trim(ng_span_until(&line, '='));
    if (!is_lower_word(action)) {
        return false;
    }
    line = ng_span_trim(line);
    work->action = ng_span_dup(arena, action);
    if (bar) {
        struct ng_span percent = ng_span_until(&line, '%');
        if (!scan_number(ng_span_trim(percent), &work->percent)) {
            return false;
        }
        parse_amounts(line, work);
        return true;
    }
    static const char *const waits[] = {"DELAYED", "PENDING", "REMOTE"};
    for (size_t i = 0; i < NG_COUNT(waits); i++) {
        if (ng_span_is(line, waits[i])) {
            work->waiting = waits[i];
            return true;
        }
    }
    return false;
}
