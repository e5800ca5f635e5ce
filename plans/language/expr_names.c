/* expr_names.c - what the names in a threshold stand for. */
#include <stdlib.h>
#include <string.h>

#include "plans/language/expr_parts.h"
#include "runner/base/text.h"

enum { KNOWN_MAX = 160 };

/* A name that is being resolved. */
struct name {
    const char *text;
    size_t start, end;
};

static struct ng_term number_term(
    struct ng_expr_parser *p, const struct name *name, double value, struct ng_dim dim) {
    struct ng_expr *expr = ng_expr_new(p, NG_EXPR_NUMBER, name->start);
    expr->value = value;
    expr->dim = dim;
    return (struct ng_term){expr, name->start, name->end, .constant = true, .factor = 1};
}

static struct ng_term no_term(struct ng_expr_parser *p, const struct name *name) {
    p->failed = true;
    return (struct ng_term){.start = name->start, .end = name->end};
}

static bool is_measured(const struct ng_phase *phase, const struct ng_metric_def *metric) {
    return strncmp(metric->name, "host.", 5) == 0 || !phase->params || !phase->kind->measures ||
           phase->kind->measures(phase->params, metric);
}

static void refuse_unmeasured(
    struct ng_expr_parser *p, const struct name *name, const struct ng_phase *phase) {
    struct ng_buf known;
    ng_buf_init(&known, KNOWN_MAX + 80);
    for (size_t i = 0; i < ng_phase_metric_count(phase); i++) {
        const struct ng_metric_def *metric = ng_phase_metric_at(phase, i);
        if (is_measured(phase, metric)) {
            if (known.len > KNOWN_MAX) {
                ng_buf_adds(&known, " ...");
                break;
            }
            ng_buf_addf(&known, "%s%s", known.len ? ", " : "", metric->name);
        }
    }
    ng_expr_error(p, name->start, "not-measured",
        "phase %s measures no %s with its settings; it measures %s", phase->name, name->text,
        known.len ? ng_buf_text(&known) : "nothing");
    ng_buf_release(&known);
}

static void note_metric(
    struct ng_expr_parser *p, const struct ng_phase *phase, const struct ng_metric_def *metric) {
    if (phase == p->phase && !p->on_right && metric != p->own) {
        p->own = metric;
        p->own_count++;
    }
    p->inside++;
    if (p->in_function && phase->repeat > 0) {
        bool first = p->most_repeats == 0;
        p->fewest_repeats =
            first || phase->repeat < p->fewest_repeats ? phase->repeat : p->fewest_repeats;
        p->most_repeats = phase->repeat > p->most_repeats ? phase->repeat : p->most_repeats;
    }
}

static struct ng_term metric_term(struct ng_expr_parser *p, const struct name *name,
    const struct ng_phase *phase, const struct ng_metric_def *metric, bool baseline) {
    if (!is_measured(phase, metric)) {
        struct name of_metric = {metric->name, name->start, name->end};
        refuse_unmeasured(p, &of_metric, phase);
        return no_term(p, name);
    }
    struct ng_expr *expr =
        ng_expr_new(p, baseline ? NG_EXPR_BASELINE : NG_EXPR_METRIC, name->start);
    expr->phase = phase;
    expr->metric = metric;
    expr->dim = metric->dim;
    if (baseline) {
        p->needs_baseline = true;
    } else {
        note_metric(p, phase, metric);
    }
    return (struct ng_term){expr, name->start, name->end, .factor = 1};
}

static const char *hint_metric(
    struct ng_expr_parser *p, const struct ng_phase *phase, const char *word) {
    const size_t count = ng_phase_metric_count(phase);
    const char **names = ng_xmalloc((count + 1) * sizeof *names);
    for (size_t i = 0; i < count; i++) {
        names[i] = ng_phase_metric_at(phase, i)->name;
    }
    const char *hint = ng_diag_hint(p->diags, word, names, count);
    free(names);
    return hint;
}

/* What a phase states that it measures could not be read, which has its own error: what is not
 * found may stand there. */
static bool is_unread(const struct ng_phase *phase) {
    return phase->kind->own_metrics && !phase->params;
}

/* `prefix.rest` where prefix is a phase. Sets *found when it is one, whether that helped or not. */
static struct ng_term phase_metric(struct ng_expr_parser *p, const struct name *name,
    const char *prefix, const char *rest, bool baseline, bool *found) {
    const struct ng_phase *phase = ng_plan_phase(p->plan, prefix);
    *found = phase != NULL;
    if (!phase) {
        return no_term(p, name);
    }
    if (phase->index > p->phase->index) {
        ng_expr_error(p, name->start, "order",
            "phase %s comes after this one; a threshold can name earlier phases only", phase->name);
        return no_term(p, name);
    }
    if (!phase->kind) {
        return no_term(p, name); /* has its own error */
    }
    const struct ng_metric_def *metric = ng_phase_metric(phase, rest);
    if (!metric && is_unread(phase)) {
        return no_term(p, name);
    }
    if (!metric) {
        ng_expr_error(p, name->start, "unknown-name", "phase %s (%s) measures no %s%s", phase->name,
            phase->kind->record.name, ng_diag_quote(p->diags, rest), hint_metric(p, phase, rest));
        return no_term(p, name);
    }
    return metric_term(p, name, phase, metric, baseline);
}

/* The nearest `phase.metric` for a name whose first part is near to an earlier phase. */
static const char *hint_phase(struct ng_expr_parser *p, const char *text) {
    const char *dot = strchr(text, '.');
    if (!dot || ng_diags_full(p->diags)) {
        return "";
    }
    const char *prefix = ng_arena_strndup(p->arena, text, (size_t)(dot - text));
    const char **names = ng_xmalloc((p->phase->index + 1) * sizeof *names);
    for (size_t i = 0; i < p->phase->index; i++) {
        names[i] = p->plan->phases[i].name;
    }
    const char *near = ng_text_nearest(prefix, names, p->phase->index);
    free(names);
    return near ? ng_arena_printf(p->diags->arena, "; did you mean \"%s%s\"?", near, dot) : "";
}

static void refuse_name(struct ng_expr_parser *p, const struct name *name, const char *text) {
    const struct ng_kind *kind = p->phase->kind;
    const char *hint = hint_metric(p, p->phase, text);
    if (*hint == '\0') {
        hint = hint_phase(p, text);
    }
    if (*hint == '\0') {
        static const char *const words[] = {"baseline"};
        hint = ng_diag_hint(p->diags, text, words, 1);
    }
    ng_expr_error(p, name->start, "unknown-name", "unknown name %s; %s measures no such metric%s",
        ng_diag_quote(p->diags, text), kind->record.name,
        *hint ? hint
        : kind->own_metrics
            ? "; its own stand in its \"metrics\", and no earlier phase is called so"
            : ng_arena_printf(p->diags->arena,
                  " (\"nasgate metrics %s\" lists them), and no earlier phase is called so",
                  kind->record.name));
}

/* A metric of this phase, or of an earlier one. */
static struct ng_term any_metric(
    struct ng_expr_parser *p, const struct name *name, const char *text, bool baseline) {
    if (!p->phase->kind) {
        return no_term(p, name); /* has its own error */
    }
    const struct ng_metric_def *metric = ng_phase_metric(p->phase, text);
    if (metric) {
        return metric_term(p, name, p->phase, metric, baseline);
    }
    for (const char *dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.')) {
        const char *prefix = ng_arena_strndup(p->arena, text, (size_t)(dot - text));
        bool found = false;
        struct ng_term term = phase_metric(p, name, prefix, dot + 1, baseline, &found);
        if (found) {
            return term;
        }
    }
    if (!is_unread(p->phase)) {
        refuse_name(p, name, text);
    }
    return no_term(p, name);
}

static struct ng_term bare_baseline(struct ng_expr_parser *p, const struct name *name) {
    if (!p->on_right) {
        ng_expr_error(p, name->start, "baseline",
            "\"baseline\" alone stands on the right side; write baseline.METRIC");
    } else if (p->own_count != 1) {
        if (p->failed) {
            return no_term(p, name);
        }
        ng_expr_error(p, name->start, "baseline",
            "\"baseline\" alone needs exactly one metric of this phase on the left side, found "
            "%zu; write baseline.METRIC",
            p->own_count);
    } else {
        return metric_term(p, name, p->phase, p->own, true);
    }
    return no_term(p, name);
}

/* Splits "link.L.speed" behind its first word into what is named (L) and its property. */
static bool split(struct ng_expr_parser *p, const struct name *name, const char *form,
    const char **subject, const char **property) {
    const char *rest = strchr(name->text, '.') + 1;
    const char *dot = strrchr(rest, '.');
    if (!dot || dot == rest) {
        ng_expr_error(p, name->start, "unknown-name", "unknown name %s; expected %s",
            ng_diag_quote(p->diags, name->text), form);
        return false;
    }
    *subject = ng_arena_strndup(p->arena, rest, (size_t)(dot - rest));
    *property = dot + 1;
    return true;
}

static void refuse_property(struct ng_expr_parser *p, const struct name *name, const char *property,
    const char *const *known, size_t count) {
    const char *hint = ng_diag_hint(p->diags, property, known, count);
    ng_expr_error(p, name->start, "unknown-name", "unknown name %s: a %.*s has no %s%s",
        ng_diag_quote(p->diags, name->text), (int)strcspn(name->text, "."), name->text,
        ng_diag_quote(p->diags, property), hint);
}

static struct ng_term link_name(struct ng_expr_parser *p, const struct name *name) {
    static const char *const known[] = {"speed", "mtu"};
    const char *subject = NULL, *property = NULL;
    if (!split(p, name, "link.LINK.speed or link.LINK.mtu", &subject, &property)) {
        return no_term(p, name);
    }
    const struct ng_link *link = ng_plan_link(p->plan, subject);
    bool speed = strcmp(property, "speed") == 0;
    if (!link) {
        const char **names = ng_xmalloc((p->plan->link_count + 1) * sizeof *names);
        for (size_t i = 0; i < p->plan->link_count; i++) {
            names[i] = p->plan->links[i].name;
        }
        ng_expr_error(p, name->start, "unknown-name", "unknown link %s%s",
            ng_diag_quote(p->diags, subject),
            ng_diag_hint(p->diags, subject, names, p->plan->link_count));
        free(names);
    } else if (!speed && strcmp(property, "mtu") != 0) {
        refuse_property(p, name, property, known, NG_COUNT(known));
    } else if ((speed ? link->speed : link->mtu) < 0) {
        return no_term(p, name); /* has its own error */
    } else if ((speed ? link->speed : link->mtu) == 0) {
        ng_expr_error(p, name->start, "not-stated", "link %s states no %s; add \"%s\" to it",
            link->name, property, speed ? "speed: 10 Gbit/s" : "mtu: 9000");
    } else if (speed) {
        return number_term(p, name, (double)link->speed / 8, NG_DIM_RATE);
    } else {
        return number_term(p, name, (double)link->mtu, NG_DIM_SIZE);
    }
    return no_term(p, name);
}

static struct ng_term volume_name(struct ng_expr_parser *p, const struct name *name) {
    static const char *const known[] = {"disks"};
    const char *subject = NULL, *property = NULL;
    if (!split(p, name, "volume.VOLUME.disks", &subject, &property)) {
        return no_term(p, name);
    }
    const struct ng_volume *volume = ng_plan_volume(p->plan, subject);
    if (!volume) {
        const char **names = ng_xmalloc((p->plan->volume_count + 1) * sizeof *names);
        for (size_t i = 0; i < p->plan->volume_count; i++) {
            names[i] = p->plan->volumes[i].name;
        }
        ng_expr_error(p, name->start, "unknown-name", "unknown volume %s%s",
            ng_diag_quote(p->diags, subject),
            ng_diag_hint(p->diags, subject, names, p->plan->volume_count));
        free(names);
    } else if (strcmp(property, "disks") != 0) {
        refuse_property(p, name, property, known, NG_COUNT(known));
    } else if (!volume->array || volume->array->disks == 0) {
        ng_expr_error(p, name->start, "not-stated",
            "volume %s states no disks; add \"array: {disks: 5}\" to it", volume->name);
    } else {
        return number_term(p, name, (double)volume->array->disks, NG_DIM_NONE);
    }
    return no_term(p, name);
}

struct ng_term ng_expr_resolve(struct ng_expr_parser *p, const struct ng_token *token) {
    const char *text =
        ng_arena_strndup(p->arena, p->node->text + token->start, token->end - token->start);
    struct name name = {text, token->start, token->end};
    if (strcmp(text, "baseline") == 0) {
        return bare_baseline(p, &name);
    }
    if (strncmp(text, "baseline.", 9) == 0) {
        return any_metric(p, &name, text + 9, true);
    }
    if (strncmp(text, "link.", 5) == 0) {
        return link_name(p, &name);
    }
    if (strncmp(text, "volume.", 7) == 0) {
        return volume_name(p, &name);
    }
    if (strncmp(text, "host.", 5) == 0) {
        const struct ng_metric_def *metric = ng_expr_telemetry(p, text, token->start);
        return metric ? metric_term(p, &name, p->phase, metric, false) : no_term(p, &name);
    }
    return any_metric(p, &name, text, false);
}
