/* words.c - numbers and judged thresholds as sentences. */
#include "runner/result/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARGIN_TIMES 10.0 /* from here on a margin is told as a multiple */

const char *ng_share_words(double share, char out[NG_QUANTITY_TEXT]) {
    double percent = fabs(share) * 100.0;
    if (!isfinite(share) || percent >= 1e12) {
        snprintf(out, NG_QUANTITY_TEXT, "%s", isnan(share) ? "unknown" : "very much");
        return out;
    }
    if (percent <= 0.0 || percent >= 999.95) {
        snprintf(out, NG_QUANTITY_TEXT, "%s%" PRId64 "%%", share < 0.0 ? "-" : "",
            (int64_t)llround(percent));
        return out;
    }
    // Integers only, so that no locale can put a comma in. Small shares keep two digits.
    int digits = 1;
    int64_t scale = 10;
    while (percent * 10.0 < 9.95 && percent * (double)scale < 9.95 && digits < 9) {
        digits += 1;
        scale *= 10;
    }
    int64_t scaled = llround(percent * (double)scale);
    snprintf(out, NG_QUANTITY_TEXT, "%s%" PRId64 ".%0*" PRId64 "%%",
        share < 0.0 && scaled > 0 ? "-" : "", scaled / scale, digits, scaled % scale);
    return out;
}

const char *ng_margin_words(double margin, char out[NG_QUANTITY_TEXT]) {
    if (!(fabs(margin) >= MARGIN_TIMES) || fabs(margin) >= 1e12) {
        return ng_share_words(margin, out);
    }
    snprintf(out, NG_QUANTITY_TEXT, "%" PRId64 "x", (int64_t)llround(margin));
    return out;
}

const char *ng_value_words(
    double value, struct ng_dim dim, enum ng_spelling spelling, char out[NG_QUANTITY_TEXT]) {
    if (!isfinite(value)) {
        snprintf(out, NG_QUANTITY_TEXT, "unknown");
        return out;
    }
    if (ng_dim_equal(dim, NG_DIM_RATE) && spelling == NG_SPELLING_BITS) {
        return ng_rate_format_bits(value, out);
    }
    if (ng_dim_equal(dim, NG_DIM_NONE) && spelling == NG_SPELLING_SHARE) {
        return ng_share_words(value, out);
    }
    return ng_quantity_format((struct ng_quantity){value, dim}, out);
}

static int trimmed(const char **text, const char *end) {
    while (*text < end && **text == ' ') {
        (*text)++;
    }
    while (end > *text && end[-1] == ' ') {
        end--;
    }
    return (int)(end - *text);
}

struct ng_judged_parts ng_judged_split(const struct ng_judged *judged) {
    const char *text = judged->text;
    const char *end = text + strlen(text);
    const char *word = judged->within ? "within" : judged->comparison;
    const char *at = word != NULL && word[0] != '\0' ? strstr(text, word) : NULL;
    struct ng_judged_parts parts = {.left = text, .limit = end};
    if (at != NULL) {
        parts.limit = at + strlen(word);
    }
    parts.left_len = trimmed(&parts.left, at != NULL ? at : end);
    parts.limit_len = trimmed(&parts.limit, end);
    return parts;
}

void ng_judged_limit(const struct ng_judged *judged, struct ng_buf *out) {
    char text[NG_QUANTITY_TEXT];
    ng_buf_adds(out, ng_value_words(judged->limit, judged->dim, judged->spelling, text));
    if (judged->within) {
        ng_buf_addf(
            out, " .. %s", ng_value_words(judged->high, judged->dim, judged->spelling, text));
    }
}

/** The limit as the plan has it, in brackets, unless it is a plain quantity and says nothing more.
 */
static void add_limit(const struct ng_judged *judged, struct ng_buf *out) {
    struct ng_judged_parts parts = ng_judged_split(judged);
    ng_judged_limit(judged, out);
    char text[NG_QUANTITY_TEXT];
    struct ng_quantity plain;
    bool fits = parts.limit_len < (int)sizeof text;
    snprintf(text, sizeof text, "%.*s", parts.limit_len, parts.limit);
    if (parts.limit_len > 0 && !judged->within &&
        !(fits && ng_quantity_parse(text, &plain, NULL))) {
        ng_buf_addf(out, " (%.*s)", parts.limit_len, parts.limit);
    }
}

static void add_broken(const struct ng_judged *judged, struct ng_buf *out) {
    const char *is = judged->comparison != NULL ? judged->comparison : "";
    if (judged->within) {
        ng_buf_adds(out, " is outside ");
    } else if (judged->left == judged->limit) {
        ng_buf_addf(out, " is not %s the limit ",
            is[0] == '<'   ? "below"
            : is[0] == '>' ? "above"
                           : "other than");
    } else if (is[0] == '<' || is[0] == '>') {
        ng_buf_addf(out, " is %s the limit ", is[0] == '<' ? "above" : "below");
    } else {
        ng_buf_adds(out, " is not ");
    }
    add_limit(judged, out);
    char text[NG_QUANTITY_TEXT];
    if (isfinite(judged->margin) && judged->margin < 0.0) {
        ng_buf_addf(out, " by %s", ng_margin_words(-judged->margin, text));
    }
}

static void add_held(const struct ng_judged *judged, struct ng_buf *out) {
    ng_buf_addf(out, " holds %s ",
        judged->within               ? "within"
        : judged->comparison != NULL ? judged->comparison
                                     : "");
    add_limit(judged, out);
    char text[NG_QUANTITY_TEXT];
    if (isfinite(judged->margin) && judged->margin > 0.0) {
        ng_buf_addf(out, " with %s to spare", ng_margin_words(judged->margin, text));
    }
}

void ng_judged_words(const struct ng_judged *judged, struct ng_buf *out) {
    struct ng_judged_parts parts = ng_judged_split(judged);
    char text[NG_QUANTITY_TEXT];
    if (judged->held == NG_UNKNOWN || judged->held == NG_UNDECIDED) {
        ng_buf_addf(out, "%s is %s: %s", judged->text, ng_held_word(judged->held),
            judged->reason != NULL ? judged->reason : "no reason is recorded");
        return;
    }
    ng_buf_addf(out, "%.*s %s", parts.left_len, parts.left,
        ng_value_words(judged->left, judged->dim, judged->spelling, text));
    if (judged->held == NG_BROKEN) {
        add_broken(judged, out);
    } else {
        add_held(judged, out);
    }
}

void ng_lease_words(const struct ng_lease_result *lease, struct ng_buf *out) {
    switch (lease->state) {
    case NG_LEASE_BUSY:
        ng_buf_addf(out, "%s is leased by %s since %s", lease->host,
            lease->who != NULL ? lease->who : "somebody who does not say",
            lease->since != NULL ? lease->since : "an unknown time");
        ng_buf_addf(out, ", job %s", lease->job != NULL ? lease->job : "none");
        ng_buf_addf(out, ", plan %s", lease->plan != NULL ? lease->plan : "unknown");
        ng_buf_addf(out, ", run %s", lease->run != NULL ? lease->run : "unknown");
        break;
    case NG_LEASE_FAILED:
        ng_buf_addf(out, "the lease of %s cannot be taken: %s", lease->host,
            lease->reason != NULL ? lease->reason : "for no known reason");
        break;
    case NG_LEASE_LOST:
        ng_buf_addf(out, "the lease of %s was lost: %s", lease->host,
            lease->reason != NULL ? lease->reason : "for no known reason");
        break;
    case NG_LEASE_NOT_ASKED:
    case NG_LEASE_HELD:
    case NG_LEASE_FREE:
        ng_buf_addf(out, "the lease of %s: %s", lease->host, ng_lease_word(lease->state));
        break;
    }
}
