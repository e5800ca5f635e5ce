/* verdict.c - from a phase's repeats and judged thresholds to its verdict and the reason in words.
 */
#include "runner/result/verdict.h"

#include <math.h>
#include <string.h>

#include "plans/language/field_write.h"
#include "runner/base/buf.h"
#include "runner/base/text.h"
#include "runner/result/judge.h"
#include "runner/result/words.h"

enum { REASON_MAX = 2000, WORKLOAD_CAP = 4096, REASONS_NAMED = 3 };

static const char *workload_of(struct ng_arena *arena, const struct ng_phase *phase) {
    struct ng_buf text;
    ng_buf_init(&text, WORKLOAD_CAP);
    ng_record_write_line(&phase->kind->record, phase->params, &text);
    const char *workload =
        ng_text_clean_dup(arena, ng_buf_text(&text), text.len, NG_TEXT_LINE, WORKLOAD_CAP);
    ng_buf_release(&text);
    return workload;
}

struct ng_phase_result *ng_result_expect(
    struct ng_result *result, const struct ng_phase *phase, int planned_repeats) {
    struct ng_arena *arena = &result->arena;
    struct ng_phase_result *out = ng_result_add_phase(result);
    const struct ng_kind *kind = phase->kind;
    const struct ng_volume *volume = kind->volume != NULL ? kind->volume(phase->params) : NULL;
    out->name = ng_arena_strdup(arena, phase->name);
    out->engine = ng_arena_strdup(arena, kind->record.name);
    out->subject = volume != NULL ? ng_arena_strdup(arena, volume->name) : NULL;
    out->workload = workload_of(arena, phase);
    out->line = phase->pos.line;
    out->planned_repeats = planned_repeats;
    for (size_t i = 0; i < phase->pass_count; i++) {
        ng_judged_expect(arena, phase->pass[i], true, ng_phase_add_judged(arena, out));
    }
    for (size_t i = 0; i < phase->predict_count; i++) {
        ng_judged_expect(arena, phase->predict[i], false, ng_phase_add_judged(arena, out));
    }
    return out;
}

static void set(struct ng_result *result, struct ng_phase_result *phase, enum ng_verdict verdict,
    const char *reason) {
    phase->verdict = verdict;
    phase->reason = ng_arena_strdup(&result->arena, reason);
}

/** Error when a planned repeat is not there or does not count. */
static bool repeats_complete(
    struct ng_result *result, struct ng_phase_result *phase, struct ng_buf *reason) {
    for (size_t i = 0; i < phase->repeat_count; i++) {
        const struct ng_repeat *repeat = &phase->repeats[i];
        if (ng_repeat_counts(repeat)) {
            continue;
        }
        if (phase->planned_repeats > 1) {
            ng_buf_addf(reason, "repeat %d of %d: ", repeat->number, phase->planned_repeats);
        }
        ng_buf_adds(reason, repeat->error != NULL ? repeat->error
                            : repeat->partial     ? "it completed only in part"
                                                  : "it gave no valid measurement");
        set(result, phase, NG_VERDICT_ERROR, ng_buf_text(reason));
        return false;
    }
    if (phase->repeat_count == 0 || phase->repeat_count < (size_t)phase->planned_repeats) {
        ng_buf_addf(
            reason, "only %zu of %d repeats were run", phase->repeat_count, phase->planned_repeats);
        set(result, phase, NG_VERDICT_ERROR, ng_buf_text(reason));
        return false;
    }
    return true;
}

/** Adds the words of all gating thresholds in a state, joined; returns how many there are. */
static size_t add_judged(
    const struct ng_phase_result *phase, enum ng_held held, struct ng_buf *reason) {
    size_t found = 0;
    for (size_t i = 0; i < phase->judged_count; i++) {
        const struct ng_judged *judged = &phase->judged[i];
        if (!judged->gates || judged->held != held) {
            continue;
        }
        if (found < REASONS_NAMED) {
            ng_buf_adds(reason, found > 0 ? "; " : "");
            ng_judged_words(judged, reason);
        }
        found++;
    }
    if (found > REASONS_NAMED) {
        ng_buf_addf(reason, "; and %zu more", found - REASONS_NAMED);
    }
    return found;
}

/** Adds what makes numbers doubtful; each text once, however many repeats say it. */
static bool add_doubts(const struct ng_phase_result *phase, struct ng_buf *reason) {
    bool any = false;
    for (size_t i = 0; i < phase->repeat_count; i++) {
        const struct ng_repeat *repeat = &phase->repeats[i];
        for (size_t j = 0; j < repeat->finding_count; j++) {
            const struct ng_finding *finding = &repeat->findings[j];
            if (finding->weight == NG_FINDING_INCONCLUSIVE &&
                strstr(ng_buf_text(reason), finding->text) == NULL) {
                ng_buf_adds(reason, reason->len > 0 ? "; " : "");
                ng_buf_adds(reason, finding->text);
            }
            any = any || finding->weight == NG_FINDING_INCONCLUSIVE;
        }
    }
    return any;
}

/** "all 3 thresholds hold; the nearest: ..." */
static void add_pass(const struct ng_phase_result *phase, struct ng_buf *reason) {
    size_t count = 0;
    const struct ng_judged *nearest = NULL;
    for (size_t i = 0; i < phase->judged_count; i++) {
        const struct ng_judged *judged = &phase->judged[i];
        if (!judged->gates) {
            continue;
        }
        count++;
        if (isfinite(judged->margin) && (nearest == NULL || judged->margin < nearest->margin)) {
            nearest = judged;
        }
    }
    if (count == 0) {
        ng_buf_adds(reason, "measured; the phase has no thresholds");
    } else if (count == 1) {
        add_judged(phase, NG_HELD, reason);
    } else {
        ng_buf_addf(reason, "all %zu thresholds hold", count);
        if (nearest != NULL) {
            ng_buf_adds(reason, "; the nearest: ");
            ng_judged_words(nearest, reason);
        }
    }
}

/** What a script says with that weight; each text once. */
static bool add_sayings(
    const struct ng_phase_result *phase, enum ng_finding_weight weight, struct ng_buf *reason) {
    bool any = false;
    for (size_t i = 0; i < phase->repeat_count; i++) {
        for (size_t j = 0; j < phase->repeats[i].finding_count; j++) {
            const struct ng_finding *finding = &phase->repeats[i].findings[j];
            if (finding->weight != weight || strcmp(finding->rule, NG_RULE_SCRIPT) != 0) {
                continue;
            }
            if (strstr(ng_buf_text(reason), finding->text) == NULL) {
                ng_buf_adds(reason, any ? "; " : "");
                ng_buf_adds(reason, finding->text);
            }
            any = true;
        }
    }
    return any;
}

/** Whether somebody gave a doubt or an outcome of that weight; scripts alone, or anybody. */
static bool any_finding(
    const struct ng_phase_result *phase, enum ng_finding_weight weight, bool of_scripts) {
    for (size_t i = 0; i < phase->repeat_count; i++) {
        for (size_t j = 0; j < phase->repeats[i].finding_count; j++) {
            const struct ng_finding *finding = &phase->repeats[i].findings[j];
            if (finding->weight == weight &&
                (!of_scripts || strcmp(finding->rule, NG_RULE_SCRIPT) == 0)) {
                return true;
            }
        }
    }
    return false;
}

/** Whether a script says that there is nothing to measure, and nothing was. */
static bool nothing_to_measure(const struct ng_phase_result *phase) {
    for (size_t i = 0; i < phase->repeat_count; i++) {
        if (ng_repeat_counts(&phase->repeats[i])) {
            return false;
        }
    }
    return any_finding(phase, NG_FINDING_SKIP, true);
}

/** No number was to be measured: scripts alone decide. */
static enum ng_verdict decide_skipped(const struct ng_phase_result *phase, struct ng_buf *reason) {
    return add_sayings(phase, NG_FINDING_FAIL, reason)           ? NG_VERDICT_FAIL
           : add_sayings(phase, NG_FINDING_ERROR, reason)        ? NG_VERDICT_ERROR
           : add_sayings(phase, NG_FINDING_INCONCLUSIVE, reason) ? NG_VERDICT_INCONCLUSIVE
           : add_sayings(phase, NG_FINDING_SKIP, reason)         ? NG_VERDICT_SKIPPED
                                                                 : NG_VERDICT_ERROR;
}

/** All repeats count. What a script found comes before metrics that it left out are missed. */
static enum ng_verdict decide_measured(const struct ng_phase_result *phase, struct ng_buf *reason) {
    if (add_sayings(phase, NG_FINDING_ERROR, reason)) {
        return NG_VERDICT_ERROR;
    }
    if (add_sayings(phase, NG_FINDING_INCONCLUSIVE, reason)) {
        return NG_VERDICT_INCONCLUSIVE;
    }
    if (add_sayings(phase, NG_FINDING_FAIL, reason)) { /* else it had decided already */
        add_doubts(phase, reason);
        return NG_VERDICT_INCONCLUSIVE;
    }
    if (add_judged(phase, NG_UNKNOWN, reason) > 0) {
        return NG_VERDICT_ERROR;
    }
    if (add_doubts(phase, reason)) {
        return NG_VERDICT_INCONCLUSIVE;
    }
    if (add_judged(phase, NG_BROKEN, reason) > 0) {
        return NG_VERDICT_FAIL;
    }
    if (add_judged(phase, NG_UNDECIDED, reason) > 0) {
        return NG_VERDICT_INCONCLUSIVE;
    }
    add_pass(phase, reason);
    return NG_VERDICT_PASS;
}

/** A violated threshold that nothing makes doubtful stays one, whatever a hook after it died of. */
static bool broken_for_sure(const struct ng_phase_result *phase, struct ng_buf *reason) {
    for (size_t i = 0; i < phase->judged_count; i++) {
        if (phase->judged[i].gates && phase->judged[i].held == NG_UNKNOWN) {
            return false;
        }
    }
    return add_judged(phase, NG_BROKEN, reason) > 0;
}

static void decide(struct ng_result *result, struct ng_phase_result *phase, struct ng_buf *reason) {
    const bool doubts = any_finding(phase, NG_FINDING_INCONCLUSIVE, false);
    if (nothing_to_measure(phase)) {
        const enum ng_verdict verdict = decide_skipped(phase, reason);
        set(result, phase, verdict, ng_buf_text(reason));
        return;
    }
    if (!doubts && add_sayings(phase, NG_FINDING_FAIL, reason)) {
        set(result, phase, NG_VERDICT_FAIL, ng_buf_text(reason));
        return;
    }
    if (!repeats_complete(result, phase, reason)) {
        return;
    }
    const bool fails =
        !doubts && any_finding(phase, NG_FINDING_ERROR, true) && broken_for_sure(phase, reason);
    const enum ng_verdict verdict = fails ? NG_VERDICT_FAIL : decide_measured(phase, reason);
    set(result, phase, verdict, ng_buf_text(reason));
}

/** What nobody stands behind proves no prediction. */
static void disown_predictions(struct ng_result *result, struct ng_phase_result *phase) {
    if (phase->verdict != NG_VERDICT_ERROR && phase->verdict != NG_VERDICT_INCONCLUSIVE) {
        return;
    }
    for (size_t i = 0; i < phase->judged_count; i++) {
        struct ng_judged *judged = &phase->judged[i];
        if (judged->gates || judged->held == NG_UNKNOWN) {
            continue;
        }
        judged->held = NG_UNKNOWN;
        judged->left = judged->margin = (double)NAN;
        judged->low_bound = judged->high_bound = (double)NAN;
        judged->reason = ng_arena_printf(
            &result->arena, "the phase %s: %s", ng_verdict_phrase(phase->verdict), phase->reason);
    }
}

void ng_phase_judge(
    struct ng_result *result, const struct ng_phase *phase, const struct ng_result *baseline) {
    struct ng_phase_result *out = ng_result_phase(result, phase->name);
    if (out == NULL || out->verdict != NG_VERDICT_NONE) {
        return;
    }
    struct ng_judging judging = {result, baseline, phase, out, 0};
    for (size_t i = 0; i < out->repeat_count; i++) {
        judging.samples += ng_repeat_counts(&out->repeats[i]) ? 1 : 0;
    }
    out->judged_count = 0;
    for (size_t i = 0; i < phase->pass_count; i++) {
        ng_judged_fill(&judging, phase->pass[i], true, ng_phase_add_judged(&result->arena, out));
    }
    for (size_t i = 0; i < phase->predict_count; i++) {
        ng_judged_fill(
            &judging, phase->predict[i], false, ng_phase_add_judged(&result->arena, out));
    }
    struct ng_buf reason;
    ng_buf_init(&reason, REASON_MAX);
    decide(result, out, &reason);
    disown_predictions(result, out);
    ng_buf_release(&reason);
}
