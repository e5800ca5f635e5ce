/* judge.c - one threshold or prediction against what was measured. */
#include "runner/result/judge.h"

#include <math.h>
#include <string.h>

#include "runner/base/buf.h"
#include "runner/base/stats.h"
#include "runner/result/words.h"

/** What evaluating one expression looks at, and what it could not use. */
struct looking {
    const struct ng_judging *judging;
    size_t only;                           /* this phase's own repeat (from 0) for samples */
    bool sampling;                         /* only counts */
    const struct ng_phase_result *refused; /* a phase whose numbers must not be used */
    double one;
};

static size_t samples_of(const struct ng_phase_result *phase) {
    size_t count = 0;
    for (size_t i = 0; i < phase->repeat_count; i++) {
        count += ng_repeat_counts(&phase->repeats[i]) ? 1 : 0;
    }
    return count;
}

/** Whether the numbers of a phase that was judged before can be stood behind. One that a script
 * fails may lack a repeat. */
static bool believed(const struct ng_phase_result *phase) {
    return phase->verdict == NG_VERDICT_PASS ||
           (phase->verdict == NG_VERDICT_FAIL &&
               samples_of(phase) >= (size_t)phase->planned_repeats);
}

static bool look_metric(void *context, const struct ng_phase *phase,
    const struct ng_metric_def *metric, const double **values, size_t *count) {
    struct looking *looking = context;
    const struct ng_judging *judging = looking->judging;
    bool own = phase == NULL || strcmp(phase->name, judging->phase->name) == 0;
    const struct ng_phase_result *measured =
        own ? judging->measured : ng_result_phase(judging->result, phase->name);
    if (measured != NULL && !own && !believed(measured)) {
        looking->refused = measured;
        return false;
    }
    if (measured == NULL) {
        return false;
    }
    *count = ng_phase_values(judging->result, measured, metric->name, values);
    // A metric that only some repeats have was not measured: its median would hide that.
    if (*count == 0 || *count != samples_of(measured)) {
        return false;
    }
    if (own && looking->sampling) {
        looking->one = (*values)[looking->only];
        *values = &looking->one;
        *count = 1;
    }
    return true;
}

/** The median over the baseline's repeats. The baseline is not ours to write to, so no
 * ng_phase_values. */
static bool look_baseline(void *context, const struct ng_phase *phase,
    const struct ng_metric_def *metric, double *value) {
    struct looking *looking = context;
    const struct ng_judging *judging = looking->judging;
    const char *name = phase != NULL ? phase->name : judging->phase->name;
    const struct ng_phase_result *measured =
        judging->baseline != NULL ? ng_result_phase(judging->baseline, name) : NULL;
    if (measured == NULL || !believed(measured) || measured->repeat_count == 0) {
        return false;
    }
    double *values =
        ng_arena_array(&judging->result->arena, measured->repeat_count, sizeof *values);
    size_t count = 0;
    for (size_t i = 0; i < measured->repeat_count; i++) {
        if (ng_repeat_counts(&measured->repeats[i]) &&
            ng_repeat_value(&measured->repeats[i], metric->name, &values[count])) {
            count++;
        }
    }
    if (count == 0) {
        return false;
    }
    *value = ng_stats_median(values, count);
    return true;
}

/** Evaluates one side. On failure sets held and reason of `out`. */
static bool evaluate(
    struct looking *looking, const struct ng_expr *expr, double *value, struct ng_judged *out) {
    const struct ng_judging *judging = looking->judging;
    struct ng_arena *arena = &judging->result->arena;
    struct ng_expr_env env = {looking, look_metric, look_baseline};
    struct ng_err err = {0};
    looking->refused = NULL;
    if (ng_expr_eval(expr, &env, value, &err) && isfinite(*value)) {
        return true;
    }
    out->held = NG_UNKNOWN;
    if (looking->refused != NULL) {
        // What hangs on a doubtful number is doubtful; what hangs on a missing one is missing.
        bool doubtful = looking->refused->verdict == NG_VERDICT_INCONCLUSIVE;
        out->held = doubtful ? NG_UNDECIDED : NG_UNKNOWN;
        out->reason = ng_arena_printf(arena, "the numbers of phase %s cannot be used: it %s",
            looking->refused->name, ng_verdict_phrase(looking->refused->verdict));
    } else if (err.text[0] == '\0') {
        out->reason = "the expression has no finite value";
    } else {
        out->reason = ng_arena_strdup(arena, err.text);
    }
    return false;
}

/** Whether samples per repeat mean anything for an expression; see verdict.h. */
static bool has_samples(const struct ng_expr *expr) {
    if (expr == NULL) {
        return true;
    }
    switch (expr->op) {
    case NG_EXPR_MIN:
    case NG_EXPR_MAX:
    case NG_EXPR_STDDEV:
    case NG_EXPR_CV:
    case NG_EXPR_PERCENTILE:
        return false;
    case NG_EXPR_NUMBER:
    case NG_EXPR_METRIC:
    case NG_EXPR_BASELINE:
    case NG_EXPR_ADD:
    case NG_EXPR_SUB:
    case NG_EXPR_MUL:
    case NG_EXPR_DIV:
    case NG_EXPR_NEGATE:
    case NG_EXPR_MEAN:
    case NG_EXPR_MEDIAN:
        return has_samples(expr->a) && has_samples(expr->b);
    }
    return false;
}

double ng_margin(enum ng_comparison comparison, double left, double right, double high) {
    double limit = right; // what the distance is a share of
    double distance = 0.0;
    switch (comparison) {
    case NG_CMP_GE:
    case NG_CMP_GT:
        distance = left - right;
        break;
    case NG_CMP_LE:
    case NG_CMP_LT:
        distance = right - left;
        break;
    case NG_CMP_EQ:
        distance = -fabs(left - right);
        break;
    case NG_CMP_NE:
        distance = fabs(left - right);
        break;
    case NG_CMP_WITHIN:
        distance = fmin(left - right, high - left);
        limit = high - right;
        break;
    }
    return limit != 0.0 ? distance / fabs(limit) : (double)NAN;
}

static enum ng_held held_if(bool holds) {
    return holds ? NG_HELD : NG_BROKEN;
}

/** Judges an interval: only when all of it is on one side is there a decision. */
static enum ng_held judge_interval(
    const struct ng_threshold *threshold, const struct ng_judged *values) {
    double low = values->low_bound;
    double high = values->high_bound;
    bool low_holds = ng_comparison_holds(threshold->comparison, low, values->limit, values->high);
    bool high_holds = ng_comparison_holds(threshold->comparison, high, values->limit, values->high);
    bool inside = low <= values->limit && values->limit <= high;
    switch (threshold->comparison) {
    case NG_CMP_EQ:
    case NG_CMP_NE:
        return inside && low < high ? NG_UNDECIDED : held_if(low_holds);
    case NG_CMP_WITHIN:
        if (low_holds && high_holds) {
            return NG_HELD;
        }
        return high < values->limit || low > values->high ? NG_BROKEN : NG_UNDECIDED;
    case NG_CMP_LE:
    case NG_CMP_LT:
    case NG_CMP_GE:
    case NG_CMP_GT:
        break;
    }
    return low_holds == high_holds ? held_if(low_holds) : NG_UNDECIDED;
}

/** The samples of the left side, one per repeat that counts. */
static bool sample(struct looking *looking, const struct ng_threshold *threshold, double *samples,
    struct ng_judged *out) {
    looking->sampling = true;
    for (size_t i = 0; i < looking->judging->samples; i++) {
        looking->only = i;
        if (!evaluate(looking, threshold->left, &samples[i], out)) {
            return false;
        }
    }
    looking->sampling = false;
    return true;
}

static void judge_with_confidence(
    struct looking *looking, const struct ng_threshold *threshold, struct ng_judged *out) {
    const struct ng_judging *judging = looking->judging;
    struct ng_arena *arena = &judging->result->arena;
    size_t n = judging->samples;
    double *samples = ng_arena_array(arena, n + 1, sizeof *samples);
    if (!sample(looking, threshold, samples, out)) {
        return;
    }
    out->left = ng_stats_mean(samples, n);
    out->margin = ng_margin(threshold->comparison, out->left, out->limit, out->high);
    char share[NG_QUANTITY_TEXT];
    ng_share_words(judging->phase->confidence, share);
    if (!ng_stats_interval(
            samples, n, judging->phase->confidence, &out->low_bound, &out->high_bound)) {
        out->held = NG_UNDECIDED;
        out->reason = ng_arena_printf(
            arena, "an interval of %s confidence needs at least 2 repeats, there is %zu", share, n);
        return;
    }
    out->held = judge_interval(threshold, out);
    if (out->held == NG_UNDECIDED) {
        char low[NG_QUANTITY_TEXT];
        char high[NG_QUANTITY_TEXT];
        struct ng_buf limit;
        ng_buf_init(&limit, 4 * NG_QUANTITY_TEXT);
        ng_judged_limit(out, &limit);
        out->reason = ng_arena_printf(arena,
            "the %s interval of the mean of %zu repeats, %s .. %s, straddles the limit %s", share,
            n, ng_value_words(out->low_bound, out->dim, out->spelling, low),
            ng_value_words(out->high_bound, out->dim, out->spelling, high), ng_buf_text(&limit));
        ng_buf_release(&limit);
    }
}

void ng_judged_expect(struct ng_arena *arena, const struct ng_threshold *threshold, bool gates,
    struct ng_judged *out) {
    const double none = (double)NAN; // unknown until judged
    *out = (struct ng_judged){
        .text = ng_arena_strdup(arena, threshold->text),
        .line = threshold->pos.line,
        .gates = gates,
        .held = NG_UNKNOWN,
        .dim = threshold->left->dim,
        .spelling = threshold->spelling,
        .left = none,
        .limit = none,
        .high = none,
        .within = threshold->comparison == NG_CMP_WITHIN,
        .comparison = ng_arena_strdup(arena, ng_comparison_text(threshold->comparison)),
        .margin = none,
        .low_bound = none,
        .high_bound = none,
        .reason = "not judged",
    };
}

void ng_judged_fill(const struct ng_judging *judging, const struct ng_threshold *threshold,
    bool gates, struct ng_judged *out) {
    struct looking looking = {.judging = judging};
    ng_judged_expect(&judging->result->arena, threshold, gates, out);
    out->reason = NULL;
    if (threshold->needs_baseline && judging->baseline == NULL) {
        out->reason = "there is no baseline run to compare with";
        return;
    }
    if (judging->samples == 0) {
        out->reason = "no repeat of the phase is valid";
        return;
    }
    bool sides = evaluate(&looking, threshold->right, &out->limit, out);
    if (sides && threshold->high != NULL) {
        sides = evaluate(&looking, threshold->high, &out->high, out);
    }
    if (!sides) {
        return;
    }
    if (judging->phase->confidence > 0.0 && has_samples(threshold->left)) {
        judge_with_confidence(&looking, threshold, out);
        return;
    }
    if (evaluate(&looking, threshold->left, &out->left, out)) {
        out->held =
            held_if(ng_comparison_holds(threshold->comparison, out->left, out->limit, out->high));
        out->margin = ng_margin(threshold->comparison, out->left, out->limit, out->high);
    }
}
