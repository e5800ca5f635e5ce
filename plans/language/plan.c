/* plan.c - finding things in a plan by their names. */
#include "plans/language/plan.h"

#include <stdlib.h>
#include <string.h>

const struct ng_host *ng_plan_host(const struct ng_plan *plan, const char *name) {
    if (plan->host_names.room > 0) {
        return ng_names_get(&plan->host_names, name);
    }
    for (size_t i = 0; i < plan->host_count; i++) {
        if (strcmp(plan->hosts[i].name, name) == 0) {
            return &plan->hosts[i];
        }
    }
    return NULL;
}

const struct ng_link *ng_plan_link(const struct ng_plan *plan, const char *name) {
    if (plan->link_names.room > 0) {
        return ng_names_get(&plan->link_names, name);
    }
    for (size_t i = 0; i < plan->link_count; i++) {
        if (strcmp(plan->links[i].name, name) == 0) {
            return &plan->links[i];
        }
    }
    return NULL;
}

const struct ng_volume *ng_plan_volume(const struct ng_plan *plan, const char *name) {
    if (plan->volume_names.room > 0) {
        return ng_names_get(&plan->volume_names, name);
    }
    for (size_t i = 0; i < plan->volume_count; i++) {
        if (strcmp(plan->volumes[i].name, name) == 0) {
            return &plan->volumes[i];
        }
    }
    return NULL;
}

const struct ng_phase *ng_plan_phase(const struct ng_plan *plan, const char *name) {
    if (plan->phase_names.room > 0) {
        return ng_names_get(&plan->phase_names, name);
    }
    for (size_t i = 0; i < plan->phase_count; i++) {
        if (strcmp(plan->phases[i].name, name) == 0) {
            return &plan->phases[i];
        }
    }
    return NULL;
}

const char *ng_via_word(const struct ng_host *host) {
    static const char *const words[] = {
        [NG_VIA_LOCAL] = "local", [NG_VIA_SSH] = "ssh", [NG_VIA_PREFIX] = "prefix"};
    return words[host->via];
}

const struct ng_texts *ng_host_tool(const struct ng_host *host, const char *tool) {
    for (size_t i = 0; i < host->tools.count; i++) {
        if (strcmp(host->tools.items[i].key, tool) == 0) {
            return &host->tools.items[i].words;
        }
    }
    return NULL;
}

const struct ng_link_end *ng_link_end_on(const struct ng_link *link, const struct ng_host *host) {
    for (size_t i = 0; i < NG_COUNT(link->ends); i++) {
        if (link->ends[i].at.host == host) {
            return &link->ends[i];
        }
    }
    return NULL;
}

void ng_plan_add_script(struct ng_plan *plan, const struct ng_script *script) {
    const struct ng_script **all =
        ng_arena_array(&plan->arena, plan->script_count + 1, sizeof(const struct ng_script *));
    for (size_t i = 0; i < plan->script_count; i++) {
        all[i] = plan->scripts[i];
    }
    all[plan->script_count++] = script;
    plan->scripts = all;
}

void ng_plan_add_doubt(struct ng_plan *plan, const char *text) {
    plan->doubts = ng_arena_grow(&plan->arena, plan->doubts, plan->doubt_count,
        &plan->doubt_capacity, sizeof(*plan->doubts));
    plan->doubts[plan->doubt_count++] = text;
}

static const struct ng_metric_def *own_metrics(const struct ng_phase *phase, size_t *count) {
    *count = 0;
    return phase->params && phase->kind->own_metrics
               ? phase->kind->own_metrics(phase->params, count)
               : NULL;
}

size_t ng_phase_metric_count(const struct ng_phase *phase) {
    size_t own = 0;
    own_metrics(phase, &own);
    return phase->kind->metric_count + own;
}

const struct ng_metric_def *ng_phase_metric_at(const struct ng_phase *phase, size_t i) {
    size_t own = 0;
    const struct ng_kind *kind = phase->kind;
    return i < kind->metric_count ? &kind->metrics[i]
                                  : &own_metrics(phase, &own)[i - kind->metric_count];
}

const struct ng_metric_def *ng_phase_metric(const struct ng_phase *phase, const char *name) {
    for (size_t i = 0; i < ng_phase_metric_count(phase); i++) {
        const struct ng_metric_def *metric = ng_phase_metric_at(phase, i);
        if (strcmp(metric->name, name) == 0) {
            return metric;
        }
    }
    return NULL;
}

void ng_plan_free(struct ng_plan *plan) {
    if (plan) {
        ng_arena_release(&plan->arena);
        free(plan);
    }
}

const char *ng_hook_place_word(enum ng_hook_place place) {
    static const char *const words[] = {
#define X(name, word, when) [name] = word,
        NG_HOOK_PLACES(X)
#undef X
    };
    return (size_t)place < NG_HOOK_PLACE_COUNT ? words[place] : "";
}

int ng_when_of(const struct ng_kind *kind, int when) {
    return when != NG_WHEN_DEFAULT ? when : kind->guards ? NG_WHEN_THROUGHOUT : NG_WHEN_BEFORE;
}

const char *ng_when_word(int when) {
    return when == NG_WHEN_DURING ? "during" : when == NG_WHEN_THROUGHOUT ? "throughout" : "before";
}
