/* load_phases.c - the phases: first each by itself, then what they say of each other. */
#include <stdlib.h>
#include <string.h>

#include "plans/language/expr.h"
#include "plans/language/loader.h"
#include "plans/language/records.h"
#include "plans/language/threshold.h"

struct phases {
    struct ng_loader *loader;
    struct ng_phase *items;
    const char *const *also; /* keys that are no fields of a phase: engines and later words */
};

static const char *const *other_keys(struct ng_loader *loader) {
    const struct ng_vocabulary *vocabulary = loader->options->vocabulary;
    size_t later = 0;
    while (ng_later_in_phase[later]) {
        later++;
    }
    const char **keys =
        ng_arena_array(loader->loading.arena, vocabulary->engine_count + later + 1, sizeof *keys);
    size_t n = 0;
    for (size_t i = 0; i < vocabulary->engine_count; i++) {
        keys[n++] = vocabulary->engines[i]->record.name;
    }
    for (size_t i = 0; i < later; i++) {
        keys[n++] = ng_later_in_phase[i];
    }
    return keys;
}

static void load_engine(struct phases *phases, const struct ng_node *value,
    const struct ng_kind *kind, struct ng_phase *phase) {
    struct ng_loader *loader = phases->loader;
    const struct ng_loading *loading = &loader->loading;
    void *params = ng_arena_alloc(loading->arena, kind->record.size);
    bool ok = ng_record_load(loading, &kind->record, value, NULL, params);
    phase->kind = kind;
    if (ok && loader->sound) {
        phase->params = params;
        if (kind->check) {
            kind->check(loader->plan, params, value, loading->diags);
        }
    }
}

/* "fio, iperf3 or ping" */
static void list_engines(const struct ng_vocabulary *vocabulary, struct ng_buf *out) {
    for (size_t i = 0; i < vocabulary->engine_count; i++) {
        const char *before = i == 0 ? "" : i + 1 == vocabulary->engine_count ? " or " : ", ";
        ng_buf_addf(out, "%s%s", before, vocabulary->engines[i]->record.name);
    }
}

/* Exactly one key of a phase is an engine. */
static void find_engine(struct phases *phases, const struct ng_node *node, struct ng_phase *phase) {
    struct ng_loader *loader = phases->loader;
    const struct ng_vocabulary *vocabulary = loader->options->vocabulary;
    bool later = false;
    for (size_t i = 0; i < node->count; i++) {
        const struct ng_kind *kind = ng_vocabulary_engine(vocabulary, node->keys[i]->text);
        if (!kind && ng_word_among(ng_later_in_phase, node->keys[i]->text)) {
            ng_refuse_later_key(loader, node->keys[i]);
            later = true;
        } else if (!kind) {
            continue; /* a field, or refused with the fields */
        } else if (phase->kind) {
            ng_diag_error(loader->loading.diags, node->keys[i]->pos, "one-engine",
                "a phase has one engine, found %s beside %s; make it a phase of its own",
                kind->record.name, phase->kind->record.name);
        } else {
            load_engine(phases, node->items[i], kind, phase);
        }
    }
    if (!phase->kind && !later && !node->broken) {
        struct ng_buf engines;
        ng_buf_init(&engines, 200);
        list_engines(vocabulary, &engines);
        ng_diag_error(loader->loading.diags, node->pos, "one-engine", "a phase needs an engine: %s",
            ng_buf_text(&engines));
        ng_buf_release(&engines);
    }
}

static void enter_name(struct phases *phases, const struct ng_node *node, struct ng_phase *phase) {
    struct ng_loader *loader = phases->loader;
    struct ng_pos pos = ng_field_place(node, "name");
    if (*phase->name == '\0') {
        return; /* said by the field table */
    }
    if (ng_expr_is_reserved(phase->name)) {
        ng_diag_error(loader->loading.diags, pos, "name",
            "name: \"%s\" has a meaning of its own in thresholds; choose another", phase->name);
    }
    const struct ng_phase *before = ng_names_add(&loader->plan->phase_names, phase->name, phase);
    if (before) {
        ng_diag_error(loader->loading.diags, pos, "duplicate-name",
            "name: the phase at line %d is called \"%s\" already", before->pos.line, phase->name);
    }
}

static void load_phase(
    struct phases *phases, const struct ng_node *node, size_t index, struct ng_phase *phase) {
    struct ng_loader *loader = phases->loader;
    struct ng_phase_fields fields = {0};
    *phase = (struct ng_phase){.name = "", .title = "", .pos = node->pos, .index = index};
    if (ng_node_get(node, "use")) {
        ng_refuse_later(loader, node, ng_later_in_phase);
        return; /* no phase but a set of them: what a phase needs is not missed */
    }
    ng_record_load(&loader->loading, &ng_phase_record, node, phases->also, &fields);
    if (node->kind != NG_NODE_MAP) {
        return;
    }
    phase->name = fields.name ? fields.name : "";
    phase->title = fields.title ? fields.title : phase->name;
    phase->on_fail = fields.on_fail;
    /* 0: not known, since what is written there was refused */
    phase->repeat = ng_node_get(node, "repeat") ? fields.repeat : loader->plan->repeat;
    phase->timeout_ns = fields.timeout_ns;
    phase->confidence = fields.confidence;
    if (fields.retry) {
        phase->retry = fields.retry->times;
        phase->retry_within_ns = fields.retry->within_ns;
    }
    if (phase->confidence > 0 && phase->repeat == 1) {
        ng_diag_error(loader->loading.diags, ng_field_place(node, "confidence"), "repeats",
            "confidence: an interval needs at least 2 repeats, found 1; write for example "
            "\"repeat: 5\"");
    }
    find_engine(phases, node, phase);
    enter_name(phases, node, phase);
}

static void refuse_need(
    struct phases *phases, const struct ng_phase *phase, struct ng_pos pos, const char *name) {
    struct ng_diags *diags = phases->loader->loading.diags;
    const struct ng_phase *other = ng_plan_phase(phases->loader->plan, name);
    if (other == phase) {
        ng_diag_error(diags, pos, "order", "needs: a phase cannot need itself");
    } else if (other) {
        ng_diag_error(diags, pos, "order",
            "needs: phase \"%s\" comes after this one (line %d); a phase can need earlier ones "
            "only",
            name, other->pos.line);
    } else {
        const char **names = ng_xmalloc((phase->index + 1) * sizeof *names);
        for (size_t i = 0; i < phase->index; i++) {
            names[i] = phases->items[i].name;
        }
        const char *hint = ng_diag_hint(diags, name, names, phase->index);
        free(names);
        ng_diag_error(diags, pos, "unknown-name", "needs: unknown phase %s%s",
            ng_diag_quote(diags, name), *hint ? hint : "; it must be the name of an earlier phase");
    }
}

/* The items of a field that is a list or one scalar alone. */
static struct ng_node *const *items_of(struct ng_node *const *value, size_t *count) {
    *count = 0;
    if (!*value || (*value)->kind == NG_NODE_MAP) {
        return NULL;
    }
    *count = (*value)->kind == NG_NODE_LIST ? (*value)->count : 1;
    return (*value)->kind == NG_NODE_LIST ? (*value)->items : value;
}

/* A text that the field table has not complained about. */
static bool is_text(const struct ng_node *node) {
    return node->kind == NG_NODE_SCALAR && !ng_node_is_unknown(node) &&
           ng_node_core(node) != NG_CORE_NULL;
}

static void load_needs(struct phases *phases, const struct ng_node *node, struct ng_phase *phase) {
    struct ng_node *value = ng_node_get(node, "needs");
    size_t count = 0;
    struct ng_node *const *items = items_of(&value, &count);
    const struct ng_phase **needs =
        ng_arena_array(phases->loader->loading.arena, count, sizeof(const struct ng_phase *));
    for (size_t i = 0; i < count; i++) {
        if (!is_text(items[i])) {
            continue;
        }
        const struct ng_phase *need = ng_plan_phase(phases->loader->plan, items[i]->text);
        if (need && need->index < phase->index) {
            needs[phase->need_count++] = need;
        } else {
            refuse_need(phases, phase, items[i]->pos, items[i]->text);
        }
    }
    phase->needs = needs;
}

static const struct ng_threshold *const *load_thresholds(
    struct phases *phases, struct ng_node *value, const struct ng_phase *phase, size_t *count) {
    struct ng_loader *loader = phases->loader;
    size_t item_count = 0;
    struct ng_node *const *items = items_of(&value, &item_count);
    const struct ng_threshold **out =
        ng_arena_array(loader->loading.arena, item_count, sizeof(const struct ng_threshold *));
    *count = 0;
    for (size_t i = 0; i < item_count; i++) {
        if (!is_text(items[i])) {
            continue;
        }
        const struct ng_threshold *threshold = ng_threshold_parse_node(
            loader->loading.arena, items[i], loader->plan, phase, loader->loading.diags);
        if (threshold) {
            out[(*count)++] = threshold;
            loader->plan->needs_baseline =
                loader->plan->needs_baseline || threshold->needs_baseline;
        }
    }
    return out;
}

static void load_relations(
    struct phases *phases, const struct ng_node *node, struct ng_phase *phase) {
    if (node->kind != NG_NODE_MAP) {
        return;
    }
    load_needs(phases, node, phase);
    struct ng_node *pass = ng_node_get(node, "pass");
    struct ng_node *predict = ng_node_get(node, "predict");
    phase->pass = load_thresholds(phases, pass, phase, &phase->pass_count);
    phase->predict = load_thresholds(phases, predict, phase, &phase->predict_count);
    size_t written = 0;
    items_of(&pass, &written);
    if (written == 0) {
        items_of(&predict, &written);
    }
    if (written == 0 && phase->kind) {
        ng_diag_warning(phases->loader->loading.diags, node->pos, "no-threshold",
            "phase %s has no threshold: it passes when it was measured", phase->name);
    }
}

/* "copies.speed" of a script would hide what the phase "copies" measures. */
static void check_metric_name(
    struct phases *phases, const struct ng_node *key, const struct ng_phase *phase) {
    struct ng_diags *diags = phases->loader->loading.diags;
    for (const char *dot = strchr(key->text, '.'); dot; dot = strchr(dot + 1, '.')) {
        const char *first = ng_arena_strndup(diags->arena, key->text, (size_t)(dot - key->text));
        const struct ng_phase *other = ng_plan_phase(phases->loader->plan, first);
        if (other) {
            ng_diag_error(diags, key->pos, "name",
                "a metric of %s cannot be called %s: in thresholds that is a metric of the phase "
                "%s (line %d)",
                phase->name, ng_diag_quote(diags, key->text), other->name, other->pos.line);
            return;
        }
    }
}

static void check_metric_names(
    struct phases *phases, const struct ng_node *node, const struct ng_phase *phase) {
    if (node->kind != NG_NODE_MAP || !phase->kind || !phase->kind->own_metrics) {
        return;
    }
    const struct ng_node *engine = ng_node_get(node, phase->kind->record.name);
    const struct ng_node *metrics =
        engine && engine->kind == NG_NODE_MAP ? ng_node_get(engine, "metrics") : NULL;
    for (size_t i = 0; metrics && metrics->kind == NG_NODE_MAP && i < metrics->count; i++) {
        check_metric_name(phases, metrics->keys[i], phase);
    }
}

void ng_load_phases(struct ng_loader *loader, const struct ng_node *node) {
    struct ng_plan *plan = loader->plan;
    ng_names_init(&plan->phase_names, &plan->arena);
    if (!ng_check_items(loader, node, NG_NODE_LIST, "phases")) {
        return;
    }
    if (node->count == 0) {
        ng_diag_error(loader->loading.diags, node->pos, "missing-key",
            "phases: expected at least one phase, found none");
    }
    struct phases phases = {.loader = loader, .also = other_keys(loader)};
    phases.items = ng_arena_array(&plan->arena, node->count, sizeof *phases.items);
    for (size_t i = 0; i < node->count; i++) {
        load_phase(&phases, node->items[i], i, &phases.items[i]);
    }
    plan->phases = phases.items;
    plan->phase_count = node->count;
    for (size_t i = 0; i < node->count; i++) {
        check_metric_names(&phases, node->items[i], &phases.items[i]);
        load_relations(&phases, node->items[i], &phases.items[i]);
    }
}
