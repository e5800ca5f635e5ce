/* reference.c - the reference page of the plan language, printed from the tables. */
#include <ctype.h>
#include <string.h>

#include "plans/language/records.h"
#include "plans/language/reference_parts.h"
#include "plans/language/schema.h"
#include "plans/language/schema_parts.h"

/* A cell of a Markdown table: no bar may end it. */
static void add_cell(struct ng_buf *out, const char *text) {
    for (; *text; text++) {
        if (*text == '|') {
            ng_buf_addc(out, '\\');
        }
        ng_buf_addc(out, *text);
    }
}

static void add_type(struct ng_buf *out, const struct ng_field *field) {
    ng_buf_adds(out, ng_field_type_word(field->type));
    if (field->type == NG_FIELD_CHOICE) {
        for (size_t i = 0; field->choices[i]; i++) {
            ng_buf_addf(out, "%s `%s`", i == 0 ? "" : ",", field->choices[i]);
        }
    } else if (field->record) {
        ng_buf_addf(out, ": %s", field->record->name);
    }
}

static void add_default(struct ng_buf *out, const struct ng_field *field) {
    if (field->flags & NG_REQUIRED) {
        ng_buf_adds(out, "required");
    } else if (field->fallback) {
        ng_buf_addf(out, "`%s`", field->fallback);
    }
}

static void add_row(struct ng_buf *out, const struct ng_field *field) {
    ng_buf_addf(out, "| `%s` | ", field->name);
    add_type(out, field);
    ng_buf_adds(out, " | ");
    ng_field_range(field, out);
    ng_buf_adds(out, " | ");
    add_default(out, field);
    ng_buf_adds(out, " | ");
    add_cell(out, field->help);
    ng_buf_adds(out, " |\n");
}

static void add_fields(
    struct ng_buf *out, const struct ng_record *record, const struct ng_record *extra) {
    if (record->count == 0 && !extra) {
        ng_buf_adds(out, "No fields.\n");
        return;
    }
    ng_buf_adds(out, "| key | type | range | default | meaning |\n"
                     "| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < record->count; i++) {
        add_row(out, &record->fields[i]);
    }
    for (size_t i = 0; extra && i < extra->count; i++) {
        add_row(out, &extra->fields[i]);
    }
}

static void add_record(struct ng_buf *out, const char *level, const struct ng_record *record,
    const struct ng_record *extra) {
    ng_buf_addf(out, "\n%s %s\n\n", level, record->name);
    if (record->help && *record->help) {
        ng_buf_addf(out, "%c%s.\n\n", toupper((unsigned char)record->help[0]), record->help + 1);
    }
    if (record->shorthand) {
        ng_buf_addf(out, "Short form: the value of `%s` alone.\n\n", record->shorthand);
    }
    add_fields(out, record, extra);
    for (size_t i = 0; i < record->count; i++) {
        if (record->fields[i].record) {
            add_record(out, "####", record->fields[i].record, NULL);
        }
    }
}

static void add_sections(struct ng_buf *out, const struct ng_section *sections, size_t count) {
    for (size_t i = 0; i < count; i++) {
        ng_buf_addf(out, "| `%s` | %s | | %s | %s |\n", sections[i].name, "see below",
            sections[i].required ? "required" : "", sections[i].help);
    }
}

static void add_plan(struct ng_buf *out) {
    ng_buf_adds(out, "# The plan language\n\n"
                     "A plan is one YAML file. This page is printed by nasgate from its own "
                     "tables.\n\n## Top-level keys\n\n");
    add_fields(out, &ng_plan_record, NULL);
    add_sections(out, ng_plan_sections, ng_plan_section_count);
    ng_buf_adds(out, "\n## Parameters\n");
    add_record(out, "###", &ng_param_record, NULL);
    ng_buf_adds(out, "\n## Topology\n\n"
                     "| key | type | range | default | meaning |\n"
                     "| --- | --- | --- | --- | --- |\n");
    add_sections(out, ng_topology_sections, ng_topology_section_count);
    add_record(out, "###", &ng_host_record, NULL);
    add_record(out, "###", &ng_link_record, NULL);
    add_record(out, "###", &ng_volume_record, NULL);
    ng_buf_adds(out, "\n## Watch\n");
    add_record(out, "###", &ng_watch_record, NULL);
    ng_buf_adds(out, "\n## Lease\n");
    add_record(out, "###", &ng_lease_record, NULL);
}

static const char *better_word(enum ng_better better) {
    return better == NG_BETTER_HIGHER ? "higher" : better == NG_BETTER_LOWER ? "lower" : "";
}

static void add_metrics(struct ng_buf *out, const struct ng_kind *kind) {
    if (kind->metric_count == 0) {
        return;
    }
    ng_buf_adds(out, "\n| metric | dimension | better | meaning | source |\n"
                     "| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < kind->metric_count; i++) {
        const struct ng_metric_def *metric = &kind->metrics[i];
        ng_buf_addf(out, "| `%s` | %s | %s | ", metric->name, ng_dim_word(metric->dim),
            better_word(metric->better));
        add_cell(out, metric->meaning);
        ng_buf_adds(out, " | ");
        add_cell(out, metric->source ? metric->source : "");
        ng_buf_adds(out, " |\n");
    }
}

static void add_telemetry(struct ng_buf *out, const struct ng_vocabulary *vocabulary) {
    ng_buf_adds(
        out, "\n## Telemetry\n\nThresholds name it as `host.HOST.METRIC.STAT`, STAT being ");
    for (int stat = 0; stat < NG_STAT_COUNT; stat++) {
        ng_buf_addf(out, "%s`%s`", stat == 0 ? "" : ", ",
            ng_telemetry_stat_word((enum ng_telemetry_stat)stat));
    }
    ng_buf_adds(out, " over the samples of one repeat.\n");
    const struct ng_kind all = {
        .metrics = vocabulary->telemetry, .metric_count = vocabulary->telemetry_count};
    add_metrics(out, &all);
}

static void add_hooks(struct ng_buf *out) {
    ng_buf_adds(out, "\n## Hooks\n\nA map of lists; each item is a script, written as among the "
                     "preconditions: `- lua: NAME`, or `- {lua: NAME, host: nas}`. "
                     "[What they can say](lua.md#where-scripts-stand).\n\n"
                     "| key | when it runs |\n| --- | --- |\n");
#define X(name, word, when) ng_buf_adds(out, "| `" word "` | " when " |\n");
    NG_HOOK_PLACES(X)
#undef X
}

static void add_kinds(struct ng_buf *out, const struct ng_vocabulary *vocabulary) {
    ng_buf_adds(out, "\n## Preconditions\n\n"
                     "A list; each item is `- KIND: ...` in its short or long form.\n");
    for (size_t i = 0; i < vocabulary->condition_count; i++) {
        add_record(out, "###", &vocabulary->conditions[i]->record, &ng_precondition_record);
    }
    add_telemetry(out, vocabulary);
    add_hooks(out);
    ng_buf_adds(out, "\n## Phases\n\n"
                     "A list; each item has these keys and the key of exactly one engine.\n");
    add_record(out, "###", &ng_phase_record, NULL);
    ng_buf_adds(out, "\n## Engines\n");
    for (size_t i = 0; i < vocabulary->engine_count; i++) {
        add_record(out, "###", &vocabulary->engines[i]->record, NULL);
        add_metrics(out, vocabulary->engines[i]);
    }
}

void ng_reference_write(const struct ng_vocabulary *vocabulary, struct ng_buf *out) {
    add_plan(out);
    add_kinds(out, vocabulary);
    ng_reference_thresholds(out);
    ng_reference_units(out);
    ng_reference_rules(out);
}
