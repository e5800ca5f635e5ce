/**
 * words.h - numbers and judged thresholds as sentences, for reasons and reports. Never depends on
 * the locale.
 */
#ifndef NG_RESULT_WORDS_H
#define NG_RESULT_WORDS_H

#include "runner/base/buf.h"
#include "runner/result/result.h"

/** A value for people, in the spelling that its metric or its threshold asks for. "unknown" for
 * what is not finite. Returns `out`. */
const char *ng_value_words(
    double value, struct ng_dim dim, enum ng_spelling spelling, char out[NG_QUANTITY_TEXT]);
/** "21.9%" for 0.219; small shares keep two significant digits; "unknown" for NaN. Returns `out`.
 */
const char *ng_share_words(double share, char out[NG_QUANTITY_TEXT]);
/** A margin (see ng_margin): as a share, and from 1000% on as a multiple, "12x". Returns `out`. */
const char *ng_margin_words(double margin, char out[NG_QUANTITY_TEXT]);

/** The parts of a threshold's text around its comparison. Borrowed from `judged->text`. */
struct ng_judged_parts {
    const char *left, *limit; /* limit: the rest of the text, trimmed */
    int left_len, limit_len;  /* bytes */
};
struct ng_judged_parts ng_judged_split(const struct ng_judged *judged);

/** "400 MB/s", or "250 MB/s .. 400 MB/s": the resolved limit. */
void ng_judged_limit(const struct ng_judged *judged, struct ng_buf *out);
/** Who has a busy lease: "nas is leased by ci@runner-3 since 2026-11-30T12:00:00Z, job
 * https://ci/job/7, plan backup, run 20261130T120000Z-a1b2c3"; why one failed or was lost; else its
 * state. No full stop. */
void ng_lease_words(const struct ng_lease_result *lease, struct ng_buf *out);
/** One sentence without a full stop: "write.bw 312.4 MB/s is below the limit 400 MB/s (95% of
 * baseline) by 21.9%", "write.bw 443 MB/s holds >= 400 MB/s with 10.8% to spare", or why it is not
 * decided. */
void ng_judged_words(const struct ng_judged *judged, struct ng_buf *out);

#endif
