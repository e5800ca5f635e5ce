/**
 * record.h - the link that writes the evidence and passes on.
 *
 * The format is in reports/schemas/evidence.md. Each line of the index is one write() as it
 * happens, so that it is there after a kill -9 of ours; nothing is synced, because that would
 * disturb a disk that is being measured. A write that fails is remembered and told by
 * ng_record_failed: a run without evidence is no result.
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
