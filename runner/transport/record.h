/**
 * record.h - the link that writes the evidence and passes on.
 *
 * DIR/index.jsonl holds one JSON object a line, flushed as it happens: a head {"format":
 * "nasgate-evidence","version":1,"run":ID,"seed":N,"started":WALL}, then events {"event":"start"|"ready"|"stop"|"end","id":N,
 * "at":ns since the start of the run, ...}. A start has host, purpose, argv, stdin (digest), deadline, port and
 * key: the digest of host, argv, stdin, plus "#n" for the n-th occurrence. An end has how, status, duration, CPU times,
 * out and err (digests), their sizes and what was cut. Outputs lie in DIR/objects/DIGEST, written once
 * each. A write that fails is remembered and told by ng_record_failed: a run without evidence is no result.
 */
#ifndef NG_TRANSPORT_RECORD_H
#define NG_TRANSPORT_RECORD_H

#include "runner/base/clock.h"
#include "runner/transport/transport.h"

/** Takes ownership of `next`, also on failure. `dir` must exist and be empty. `start_mono_ns` is the zero of all times. */
struct ng_transport *ng_record_new(struct ng_transport *next, const char *dir, const char *run_id,
    uint64_t seed, const struct ng_clock *clock, int64_t start_mono_ns, struct ng_err *err);
/** False if all evidence so far was written; else true with the first error. */
bool ng_record_failed(const struct ng_transport *record, struct ng_err *err);

#endif
