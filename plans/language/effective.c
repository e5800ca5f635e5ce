/* effective.c - the plan with everything resolved, as a plan again. */
#include "plans/language/effective.h"

#include "plans/language/field_write.h"
#include "plans/language/records.h"

static void write_params(const struct ng_plan *plan, struct ng_buf *out) {
    for (size_t i = 0; i < plan->param_count; i++) {
        ng_buf_addf(out, "# -p %s=", plan->params[i].name);
        ng_yaml_quote(plan->params[i].value, out);
        ng_buf_addc(out, '\n');
    }
}

static void write_named(
    const char *name, const struct ng_record *record, const void *values, struct ng_buf *out) {
    ng_buf_addf(out, "    %s:\n", name);
    ng_record_write(record, values, 6, out);
}

static void write_host(const struct ng_host *host, struct ng_buf *out) {
    const struct ng_via_fields via = {.how = host->via, .prefix = host->prefix};
    const struct ng_host_fields fields = {.via = &via,
        .target = host->target,
        .options = host->options,
        .privilege = host->privilege,
        .facts_within_ns = host->facts_within_ns,
        .tools = host->tools};
    write_named(host->name, &ng_host_record, &fields, out);
}

static void write_links(const struct ng_plan *plan, struct ng_buf *out) {
    ng_buf_adds(out, plan->link_count > 0 ? "  links:\n" : "");
    for (size_t i = 0; i < plan->link_count; i++) {
        const struct ng_link *link = &plan->links[i];
        const struct ng_link_fields fields = {
            .ends = {.items = link->ends, .count = 2}, .mtu = link->mtu, .speed = link->speed};
        write_named(link->name, &ng_link_record, &fields, out);
    }
}

static void write_topology(const struct ng_plan *plan, struct ng_buf *out) {
    ng_buf_adds(out, "\ntopology:\n  hosts:\n");
    for (size_t i = 0; i < plan->host_count; i++) {
        write_host(&plan->hosts[i], out);
    }
    write_links(plan, out);
    ng_buf_adds(out, plan->volume_count > 0 ? "  volumes:\n" : "");
    for (size_t i = 0; i < plan->volume_count; i++) {
        write_named(plan->volumes[i].name, &ng_volume_record, &plan->volumes[i], out);
    }
}

static void write_watch(const struct ng_plan *plan, struct ng_buf *out) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const char **names = ng_arena_array(&arena, plan->watched_count + 1, sizeof *names);
    for (size_t i = 0; i < plan->watched_count; i++) {
        names[i] = plan->watched[i]->name;
    }
    const struct ng_watch_fields fields = {
        .hosts = {.items = plan->watched_count > 0 ? names : NULL, .count = plan->watched_count},
        .every_ns = plan->watch_every_ns};
    ng_buf_adds(out, "\nwatch:\n");
    ng_record_write(&ng_watch_record, &fields, 2, out);
    ng_arena_release(&arena);
}

static void write_lease(const struct ng_plan *plan, struct ng_buf *out) {
    const struct ng_lease_spec *lease = &plan->lease;
    if (lease->count == 0) {
        return;
    }
    struct ng_arena arena;
    ng_arena_init(&arena);
    const char **names = ng_arena_array(&arena, lease->count, sizeof *names);
    for (size_t i = 0; i < lease->count; i++) {
        names[i] = lease->hosts[i]->name;
    }
    const struct ng_lease_fields fields = {
        .hosts = {.items = names, .count = lease->count}, .wait_ns = lease->wait_ns};
    ng_buf_adds(out, "\nlease:\n");
    ng_record_write(&ng_lease_record, &fields, 2, out);
    ng_arena_release(&arena);
}

static void write_preconditions(const struct ng_plan *plan, struct ng_buf *out) {
    ng_buf_adds(out, plan->precondition_count > 0 ? "\npreconditions:\n" : "");
    for (size_t i = 0; i < plan->precondition_count; i++) {
        const struct ng_precondition *item = &plan->preconditions[i];
        const struct ng_precondition_fields fields = {.unknown = item->allow_unknown ? 1 : 0,
            .when = item->when,
            .on_broken = item->on_broken};
        ng_buf_addf(out, "  - %s:\n", item->kind->record.name);
        ng_record_write(&item->kind->record, item->params, 6, out);
        ng_record_write(&ng_precondition_record, &fields, 6, out);
    }
}

static void write_hooks(const struct ng_plan *plan, struct ng_buf *out) {
    size_t total = 0;
    for (int place = 0; place < NG_HOOK_PLACE_COUNT; place++) {
        const struct ng_hooks *hooks = &plan->hooks[place];
        if (hooks->count == 0) {
            continue;
        }
        ng_buf_addf(out, "%s  %s:\n", total == 0 ? "\nhooks:\n" : "",
            ng_hook_place_word((enum ng_hook_place)place));
        for (size_t i = 0; i < hooks->count; i++) {
            const struct ng_record *record = &hooks->items[i].kind->record;
            ng_buf_addf(out, "    - %s:\n", record->name);
            ng_record_write(record, hooks->items[i].params, 8, out);
        }
        total += hooks->count;
    }
}

static struct ng_texts threshold_texts(
    struct ng_arena *arena, const struct ng_threshold *const *items, size_t count) {
    const char **texts = ng_arena_array(arena, count, sizeof *texts);
    for (size_t i = 0; i < count; i++) {
        texts[i] = items[i]->text;
    }
    return (struct ng_texts){.items = count > 0 ? texts : NULL, .count = count};
}

static void write_phase(const struct ng_phase *phase, struct ng_buf *out) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const char **needs = ng_arena_array(&arena, phase->need_count, sizeof *needs);
    for (size_t i = 0; i < phase->need_count; i++) {
        needs[i] = phase->needs[i]->name;
    }
    const struct ng_retry_fields retry = {
        .times = phase->retry, .within_ns = phase->retry_within_ns};
    const struct ng_phase_fields fields = {
        .name = phase->name,
        .title = phase->title,
        .needs = {.items = phase->need_count > 0 ? needs : NULL, .count = phase->need_count},
        .on_fail = phase->on_fail,
        .pass = threshold_texts(&arena, phase->pass, phase->pass_count),
        .predict = threshold_texts(&arena, phase->predict, phase->predict_count),
        .repeat = phase->repeat,
        .timeout_ns = phase->timeout_ns,
        .confidence = phase->confidence,
        .retry = phase->retry > 0 ? &retry : NULL,
    };
    ng_buf_adds(out, "  -\n");
    ng_record_write(&ng_phase_record, &fields, 4, out);
    ng_buf_addf(out, "    %s:\n", phase->kind->record.name);
    ng_record_write(&phase->kind->record, phase->params, 6, out);
    ng_arena_release(&arena);
}

void ng_effective_write(const struct ng_plan *plan, struct ng_buf *out) {
    const struct ng_plan_fields fields = {
        .version = 1, .name = plan->name, .title = plan->title, .repeat = plan->repeat};
    ng_buf_adds(out, "# The plan with every parameter and default filled in.\n");
    write_params(plan, out);
    ng_record_write(&ng_plan_record, &fields, 0, out);
    write_topology(plan, out);
    write_watch(plan, out);
    write_lease(plan, out);
    write_preconditions(plan, out);
    write_hooks(plan, out);
    ng_buf_adds(out, "\nphases:\n");
    for (size_t i = 0; i < plan->phase_count; i++) {
        write_phase(&plan->phases[i], out);
    }
}
