/**
 * record.h - the link that writes the evidence and passes on.
 *
 * DIR/index.jsonl holds one JSON object a line, keys sorted, each line one write() as it happens,
 * so that it is there after a kill -9 of ours; nothing is synced, because that would disturb a disk
 * that is being measured. The head:
 *   {"format":"nasgate-evidence","version":1,"run":ID,"seed":"N","started":WALL,"nasgate":VERSION,
 *    "plan_file":NAME,"settings":["NAME=VALUE"],"only":[PHASE],"junit":DIALECT}
 * (started is ns since 1970; head.h). Then events
 * {"event":"start"|"ready"|"stop"|"end","id":N,"at":ns since the start of the run, ...}.
 * A start has host, purpose, argv, stdin (digest or null), deadline_ns, grace_ns, port and key: the
 * digest of host, argv, stdin (evidence.h), plus "#n" for the n-th occurrence, from 1. A ready
 * comes also for a command that is ready when it is started. An end has how, status, by_kill,
 * leftovers, duration_ns, user_ns, system_ns, max_rss, why, and of both outputs the digest (out,
 * err), the size kept (out_len, err_len) and the bytes dropped (out_cut, err_cut). The last line of
 * a run that reached its end is {"event":"finish","at":NS,"signal":N or 0,"signal_at":NS,"chain":
 * DIGEST of all lines (evidence.h)}. Outputs
 * and inputs lie in DIR/objects/DIGEST, written once each. A write that fails is remembered and
 * told by ng_record_failed: a run without evidence is no result.
 */
#ifndef NG_TRANSPORT_RECORD_H
#define NG_TRANSPORT_RECORD_H

#include "runner/base/clock.h"
#include "runner/transport/head.h"
#include "runner/transport/transport.h"

/** Takes ownership of `next`, also on failure. `dir` must exist and be empty. `clock` is borrowed;
 *  `start_mono_ns` is the zero of all times, those of the replies too, which get their `id` here.
 */
struct ng_transport *ng_record_new(struct ng_transport *next, const char *dir,
    const struct ng_evidence_head *head, const struct ng_clock *clock, int64_t start_mono_ns,
    struct ng_err *err);
/** Writes the last line. `signal_mono_ns` counts only with a signal. */
void ng_record_finish(struct ng_transport *record, int signal, int64_t signal_mono_ns);
/** `record` is what ng_record_new gave. False if all evidence so far was written; else true with
 * the first error. */
bool ng_record_failed(const struct ng_transport *record, struct ng_err *err);

#endif
