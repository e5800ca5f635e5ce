/* Whether an earlier run can be a baseline. */
#include "runner/execute/baseline.h"

#include <string.h>

#include "runner/result/verdict.h"

struct search {
    const struct ng_result *baseline;
    struct ng_result *ours; /* scratch: the phases as this run would record them */
    struct ng_err *err;
};

static bool measured(const struct ng_phase_result *phase, const char *metric) {
    double value;
    for (size_t i = 0; i < phase->repeat_count; i++) {
        if (phase->repeats[i].valid && ng_repeat_value(&phase->repeats[i], metric, &value)) {
            return true;
        }
    }
    return false;
}

static bool same(const char *a, const char *b) {
    return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

static bool check_phase(struct search *search, const struct ng_expr *expr) {
    const struct ng_phase *phase = expr->phase;
    const struct ng_phase_result *there = ng_result_phase(search->baseline, phase->name);
    if (there == NULL) {
        return ng_err_set(search->err, NG_ERR_USAGE, "the baseline %s has no phase %s",
            search->baseline->run_id, phase->name);
    }
    if (!measured(there, expr->metric->name)) {
        return ng_err_set(search->err, NG_ERR_USAGE,
            "the baseline %s has no %s of phase %s, which was %s there", search->baseline->run_id,
            expr->metric->name, phase->name, ng_verdict_word(there->verdict));
    }
    const struct ng_phase_result *here = ng_result_expect(search->ours, phase, (int)phase->repeat);
    if (!same(here->engine, there->engine) || !same(here->workload, there->workload)) {
        return ng_err_set(search->err, NG_ERR_USAGE,
            "the baseline %s measured something else in phase %s: there %s {%s}, here %s {%s}",
            search->baseline->run_id, phase->name, there->engine,
            there->workload != NULL ? there->workload : "unknown", here->engine, here->workload);
    }
    return true;
}

static bool check_expr(struct search *search, const struct ng_expr *expr) {
    if (expr == NULL) {
        return true;
    }
    if (expr->op == NG_EXPR_BASELINE) {
        return check_phase(search, expr);
    }
    return check_expr(search, expr->a) && check_expr(search, expr->b);
}

static bool check_thresholds(
    struct search *search, const struct ng_threshold *const *thresholds, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!check_expr(search, thresholds[i]->left) || !check_expr(search, thresholds[i]->right) ||
            !check_expr(search, thresholds[i]->high)) {
            return false;
        }
    }
    return true;
}

bool ng_baseline_fits(
    const struct ng_schedule *schedule, const struct ng_result *baseline, struct ng_err *err) {
    struct search search = {.baseline = baseline, .ours = ng_result_new(), .err = err};
    bool ok = true;
    for (size_t i = 0; ok && baseline != NULL && i < schedule->count; i++) {
        const struct ng_phase *phase = schedule->steps[i].phase;
        if (schedule->steps[i].repeat == 1) {
            ok = check_thresholds(&search, phase->pass, phase->pass_count) &&
                 check_thresholds(&search, phase->predict, phase->predict_count);
        }
    }
    ng_result_free(search.ours);
    return ok;
}
