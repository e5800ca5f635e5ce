/* schema.c - the whole plan language as one JSON Schema. */
#include "plans/language/schema.h"

#include <string.h>

#include "plans/language/records.h"
#include "plans/language/schema_parts.h"

static json_t *reference(const char *folder, const char *name) {
    return json_pack("{s:o}", "$ref", json_sprintf("#/definitions/%s%s", folder, name));
}

/* A map from names to things of one kind. */
static json_t *named(const char *definition, const char *help, int at_least) {
    json_t *schema = json_pack("{s:s, s:{s:s}, s:o}", "type", "object", "propertyNames", "pattern",
        ng_schema_name_pattern(), "additionalProperties", reference("", definition));
    json_object_set_new(schema, "minProperties", json_integer(at_least));
    ng_schema_describe(schema, help, "");
    return schema;
}

static json_t *topology(const char *help) {
    /* in the order of ng_topology_sections */
    static const char *const definitions[] = {"host", "link", "volume"};
    json_t *properties = json_object();
    json_t *required = json_array();
    for (size_t i = 0; i < NG_COUNT(definitions); i++) {
        const struct ng_section *section = &ng_topology_sections[i];
        json_object_set_new(properties, section->name,
            named(definitions[i], section->help, section->required ? 1 : 0));
        if (section->required) {
            json_array_append_new(required, json_string(section->name));
        }
    }
    json_t *schema = json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties", properties,
        "required", required, "additionalProperties", 0);
    ng_schema_describe(schema, help, "");
    return schema;
}

static json_t *list_of(const char *definition, const char *help, int at_least) {
    json_t *schema = json_pack("{s:s, s:o}", "type", "array", "items", reference("", definition));
    if (at_least > 0) {
        json_object_set_new(schema, "minItems", json_integer(at_least));
    }
    ng_schema_describe(schema, help, "");
    return schema;
}

static json_t *section_schema(const struct ng_section *section) {
    if (strcmp(section->name, "params") == 0) {
        return named("param", section->help, 0);
    }
    if (strcmp(section->name, "topology") == 0) {
        return topology(section->help);
    }
    if (strcmp(section->name, "lease") == 0) {
        return reference("", "lease");
    }
    if (strcmp(section->name, "preconditions") == 0) {
        return list_of("precondition", section->help, 0);
    }
    if (strcmp(section->name, "watch") == 0) {
        return reference("", "watch");
    }
    if (strcmp(section->name, "hooks") == 0) {
        return reference("", "hooks");
    }
    return list_of("phase", section->help, 1);
}

/* A kind with more keys beside it, whatever they are. */
static json_t *beside(const struct ng_record *record, const struct ng_record *extra) {
    json_t *properties = json_object();
    for (size_t i = 0; extra && i < extra->count; i++) {
        const struct ng_field *field = &extra->fields[i];
        json_object_set_new(properties, field->name, ng_schema_field(field));
    }
    json_object_set_new(properties, record->name, ng_schema_text());
    return json_pack("{s:s, s:o, s:[s], s:i}", "type", "object", "properties", properties,
        "required", record->name, "minProperties", 2);
}

/* One key, the kind. */
static json_t *precondition(const struct ng_vocabulary *vocabulary) {
    json_t *properties = json_object();
    for (size_t i = 0; i < vocabulary->condition_count; i++) {
        const char *name = vocabulary->conditions[i]->record.name;
        json_object_set_new(properties, name, reference("precondition-", name));
    }
    json_t *one = json_pack("{s:s, s:o, s:i, s:i, s:b}", "type", "object", "properties", properties,
        "minProperties", 1, "maxProperties", 1, "additionalProperties", 0);
    json_t *forms = json_array();
    json_array_append_new(forms, one);
    for (size_t i = 0; i < vocabulary->condition_count; i++) {
        if (vocabulary->conditions[i]->beside) {
            json_array_append_new(
                forms, beside(&vocabulary->conditions[i]->record, &ng_precondition_record));
        }
    }
    json_t *schema =
        json_array_size(forms) > 1 ? json_pack("{s:O}", "oneOf", forms) : json_incref(one);
    json_decref(forms);
    ng_schema_describe(schema, "One thing that must hold before anything is measured", "");
    return schema;
}

/* A script, in the long or the short form. */
static json_t *hook(const struct ng_vocabulary *vocabulary) {
    json_t *forms = json_array();
    for (size_t i = 0; i < vocabulary->condition_count; i++) {
        const struct ng_record *record = &vocabulary->conditions[i]->record;
        if (vocabulary->conditions[i]->hooks) {
            json_array_append_new(
                forms, json_pack("{s:s, s:{s:o}, s:[s], s:b}", "type", "object", "properties",
                           record->name, reference("hook-", record->name), "required", record->name,
                           "additionalProperties", 0));
            json_array_append_new(forms, beside(record, NULL));
        }
    }
    json_t *schema = json_array_size(forms) > 0 ? json_pack("{s:O}", "oneOf", forms)
                                                : json_pack("{s:s}", "type", "object");
    json_decref(forms);
    ng_schema_describe(schema, "A script that runs before or after something", "");
    return schema;
}

static json_t *hooks(void) {
    static const char *const helps[] = {
#define X(name, word, when) when,
        NG_HOOK_PLACES(X)
#undef X
    };
    json_t *properties = json_object();
    for (int i = 0; i < NG_HOOK_PLACE_COUNT; i++) {
        json_object_set_new(
            properties, ng_hook_place_word((enum ng_hook_place)i), list_of("hook", helps[i], 0));
    }
    json_t *schema = json_pack(
        "{s:s, s:o, s:b}", "type", "object", "properties", properties, "additionalProperties", 0);
    ng_schema_describe(schema, "Scripts that run before and after the run and its phases", "");
    return schema;
}

/* The fields of a phase and exactly one engine. */
static json_t *phase(const struct ng_vocabulary *vocabulary) {
    json_t *schema = ng_schema_object(&ng_phase_record, NULL);
    json_t *properties = json_object_get(schema, "properties");
    json_t *one = json_array();
    for (size_t i = 0; i < vocabulary->engine_count; i++) {
        const char *name = vocabulary->engines[i]->record.name;
        json_object_set_new(properties, name, reference("engine-", name));
        /* The empty property is for readers that want each required one to be described beside it.
         */
        json_array_append_new(
            one, json_pack("{s:{s:b}, s:[s]}", "properties", name, 1, "required", name));
    }
    if (json_array_size(one) > 0) {
        json_object_set(schema, "oneOf", one);
    }
    json_decref(one);
    return schema;
}

/* A parameter may also be left without a value, to be given with -p. */
static json_t *param(void) {
    json_t *schema = ng_schema_record(&ng_param_record, NULL);
    json_array_append_new(json_object_get(schema, "oneOf"), json_pack("{s:s}", "type", "null"));
    return schema;
}

static void define(json_t *all, const char *folder, const char *name, json_t *schema) {
    json_t *key = json_sprintf("%s%s", folder, name);
    json_object_set_new(all, json_string_value(key), schema);
    json_decref(key);
}

static json_t *definitions(const struct ng_vocabulary *vocabulary) {
    json_t *all = json_object();
    json_t *parameter = json_pack("{s:s, s:s}", "type", "string", "pattern", "\\$\\{");
    ng_schema_describe(parameter, "A parameter, as in ${size}", "");
    json_object_set_new(all, "parameter", parameter);
    json_object_set_new(all, "param", param());
    json_object_set_new(all, "host", ng_schema_record(&ng_host_record, NULL));
    json_object_set_new(all, "link", ng_schema_record(&ng_link_record, NULL));
    json_object_set_new(all, "volume", ng_schema_record(&ng_volume_record, NULL));
    json_object_set_new(all, "watch", ng_schema_record(&ng_watch_record, NULL));
    json_object_set_new(all, "lease", ng_schema_record(&ng_lease_record, NULL));
    json_object_set_new(all, "precondition", precondition(vocabulary));
    json_object_set_new(all, "hook", hook(vocabulary));
    json_object_set_new(all, "hooks", hooks());
    json_object_set_new(all, "phase", phase(vocabulary));
    for (size_t i = 0; i < vocabulary->condition_count; i++) {
        const struct ng_record *record = &vocabulary->conditions[i]->record;
        define(
            all, "precondition-", record->name, ng_schema_record(record, &ng_precondition_record));
        if (vocabulary->conditions[i]->hooks) {
            define(all, "hook-", record->name, ng_schema_record(record, NULL));
        }
    }
    for (size_t i = 0; i < vocabulary->engine_count; i++) {
        const struct ng_record *record = &vocabulary->engines[i]->record;
        define(all, "engine-", record->name, ng_schema_record(record, NULL));
    }
    return all;
}

json_t *ng_schema_build(const struct ng_vocabulary *vocabulary) {
    json_t *schema = json_pack("{s:s, s:s}", "$schema", "http://json-schema.org/draft-07/schema#",
        "title", "nasgate plan");
    json_t *plan = ng_schema_object(&ng_plan_record, NULL);
    json_t *properties = json_object_get(plan, "properties");
    json_t *required = json_object_get(plan, "required");
    for (size_t i = 0; i < ng_plan_section_count; i++) {
        const struct ng_section *section = &ng_plan_sections[i];
        json_object_set_new(properties, section->name, section_schema(section));
        if (section->required) {
            json_array_append_new(required, json_string(section->name));
        }
    }
    json_object_update_missing(schema, plan);
    json_decref(plan);
    json_object_set_new(schema, "definitions", definitions(vocabulary));
    return schema;
}
