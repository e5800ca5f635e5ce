/**
 * view_parts.h - the parts of which view.c builds a view.
 */
#ifndef NG_WRITERS_VIEW_PARTS_H
#define NG_WRITERS_VIEW_PARTS_H

#include "reports/writers/view.h"

/** Verdict and the one sentence why; needs view->exit_code. */
void ng_view_headline(struct ng_view *view, struct ng_arena *arena);
/** Units that were leased, or that others have. */
void ng_view_leases(struct ng_view *view, struct ng_arena *arena);
/** What hooks said. */
void ng_view_hooks(struct ng_view *view, struct ng_arena *arena);
/** Preconditions, what they looked at, hosts. */
void ng_view_conditions(struct ng_view *view, struct ng_arena *arena);
/** The state of the lab before anything was measured. */
void ng_view_state(struct ng_view *view, struct ng_arena *arena);
/** What of the hosts' state may be in every figure. */
void ng_view_notes(struct ng_view *view, struct ng_arena *arena);
/** Everything of one phase. */
void ng_view_phase(
    const struct ng_phase_result *phase, struct ng_view_phase *out, struct ng_arena *arena);
/** What limits the path: bulk, iops, wire. */
void ng_view_ladders(struct ng_view *view, struct ng_arena *arena);
/** When a repeat ended, since the start of the run; a file may hold any numbers. */
int64_t ng_view_repeat_end(const struct ng_repeat *repeat);
/** Timeline and load. */
void ng_view_meanwhile(struct ng_view *view, struct ng_arena *arena);
/** A metric of a host while the phase ran, and none of the engine. */
bool ng_view_is_telemetry(const char *metric);
/** Which plots there are, and their names; needs phases, ladders and the timeline. */
void ng_view_plots(struct ng_view *view, struct ng_arena *arena);
/** How to run it again: origin, command. */
void ng_view_origin(struct ng_view *view, struct ng_arena *arena);

/** "write.bw 312.4 MB/s": the value of a threshold's left side; "" when it is unknown. */
const char *ng_view_measured(const struct ng_judged *judged, struct ng_arena *arena);
/** ">= 400 MB/s", "within 250 MB/s .. 400 MB/s", "" when it is unknown. */
const char *ng_view_limit(const struct ng_judged *judged, struct ng_arena *arena);
/** "+10.8%", "-21.9%", "" when it is unknown. */
const char *ng_view_margin(const struct ng_judged *judged, struct ng_arena *arena);
/** The values of a metric over the repeats that count, in `arena`; returns how many. */
size_t ng_view_values(const struct ng_phase_result *phase, const char *metric,
    const double **values, struct ng_arena *arena);

#endif
