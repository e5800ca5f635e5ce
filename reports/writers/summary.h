/**
 * summary.h - the verdict of a run for the page of a CI job: Markdown within a budget of bytes.
 *
 * A page that is too large is dropped whole, so there are three sizes: all phases with their
 * limits; only what did not pass; the verdict and where the report is. The largest that fits is
 * taken, and it says what it leaves out.
 */
#ifndef NG_WRITERS_SUMMARY_H
#define NG_WRITERS_SUMMARY_H

#include <stdbool.h>

#include "runner/base/buf.h"
#include "runner/result/result.h"

/** GitHub drops pages over 1 MiB, and those just below it at times. */
enum { NG_SUMMARY_BUDGET = 900000 };

/** Appends the summary; false, with `out` as it was, when not even the smallest fits. */
bool ng_summary_write(const struct ng_result *result, size_t budget, struct ng_buf *out);

#endif
