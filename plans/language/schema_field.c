/* schema_field.c - field tables as JSON Schema: what a value looks like. */
#include <string.h>

#include "plans/language/field_parts.h"
#include "plans/language/schema_parts.h"
#include "runner/base/buf.h"
#include "runner/base/guard.h"

/* Every value may be, or hold, a parameter. */
#define PARAMETER "[\\s\\S]*\\$\\{[\\s\\S]*"
#define NAME "[A-Za-z0-9][A-Za-z0-9_.-]{0,62}"

enum { PATTERN_MAX = 1000 };

const char *const *ng_schema_units(struct ng_dim dim) {
    static const char *const sizes[] = {"B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB",
        "bit", "kbit", "Mbit", "Gbit", "Tbit", NULL};
    static const char *const rates[] = {"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "KiB/s", "MiB/s",
        "GiB/s", "TiB/s", "bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s", "kbps", "Mbps", "Gbps",
        "Tbps", NULL};
    static const char *const durations[] = {"ns", "us", "ms", "s", "m", "min", "h", "d", NULL};
    static const char *const iops[] = {"IOPS", "/s", NULL};
    static const char *const none[] = {"%", NULL};
    return ng_dim_equal(dim, NG_DIM_SIZE)   ? sizes
           : ng_dim_equal(dim, NG_DIM_RATE) ? rates
           : ng_dim_equal(dim, NG_DIM_TIME) ? durations
           : ng_dim_equal(dim, NG_DIM_IOPS) ? iops
                                            : none;
}

const char *ng_schema_name_pattern(void) {
    return "^" NAME "$";
}

static json_t *text_or_parameter(const char *pattern, const char *message) {
    struct ng_buf out;
    ng_buf_init(&out, PATTERN_MAX);
    ng_buf_addf(&out, "^(%s|%s)$", pattern, PARAMETER);
    json_t *schema = json_pack("{s:s, s:s, s:s}", "type", "string", "pattern", ng_buf_text(&out),
        "patternErrorMessage", message);
    ng_buf_release(&out);
    return schema;
}

static json_t *quantity(struct ng_dim dim, const char *message) {
    struct ng_buf out;
    ng_buf_init(&out, PATTERN_MAX);
    ng_buf_adds(&out, "[ \\t]*[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?[ \\t]*(");
    const char *const *units = ng_schema_units(dim);
    for (size_t i = 0; units[i]; i++) {
        ng_buf_addf(&out, "%s%s", i == 0 ? "" : "|", units[i]);
    }
    ng_buf_adds(&out, ")[ \\t]*");
    json_t *schema = text_or_parameter(ng_buf_text(&out), message);
    ng_buf_release(&out);
    return schema;
}

/* Something that is no text, or a text that holds a parameter. */
static json_t *or_parameter(json_t *schema) {
    json_t *parameter = json_pack("{s:s}", "$ref", "#/definitions/parameter");
    return json_pack("{s:[o,o]}", "anyOf", schema, parameter);
}

static json_t *number(const struct ng_field *field) {
    bool whole = field->type == NG_FIELD_INT;
    json_t *schema = json_pack("{s:s}", "type", whole ? "integer" : "number");
    if (field->min != 0 || field->max != 0) {
        json_object_set_new(schema, "minimum",
            whole ? json_integer((json_int_t)field->min) : json_real(field->min));
    }
    if (field->max != 0) {
        json_object_set_new(schema, "maximum",
            whole ? json_integer((json_int_t)field->max) : json_real(field->max));
    }
    return or_parameter(schema);
}

/* A choice such as true or 4 is a boolean or a number to a YAML reader, and a text in quotes. */
static void add_choice(json_t *values, const char *choice) {
    json_error_t error;
    json_t *value = json_loads(choice, JSON_DECODE_ANY, &error);
    if (value && (json_is_boolean(value) || json_is_number(value))) {
        json_array_append(values, value);
    }
    json_decref(value);
    json_array_append_new(values, json_string(choice));
}

static json_t *choice(const struct ng_field *field) {
    json_t *values = json_array();
    for (size_t i = 0; field->choices[i]; i++) {
        add_choice(values, field->choices[i]);
    }
    return or_parameter(json_pack("{s:o}", "enum", values));
}

json_t *ng_schema_text(void) {
    return json_pack("{s:[s,s,s]}", "type", "string", "number", "boolean");
}

static json_t *records(const struct ng_field *field) {
    json_t *schema =
        json_pack("{s:s, s:o}", "type", "array", "items", ng_schema_record(field->record, NULL));
    json_object_set_new(schema, "minItems", json_integer((json_int_t)field->min));
    if (field->max > 0) {
        json_object_set_new(schema, "maxItems", json_integer((json_int_t)field->max));
    }
    return schema;
}

static json_t *value_schema(const struct ng_field *field) {
    switch (field->type) {
    case NG_FIELD_TEXT:
        return ng_schema_text();
    case NG_FIELD_NAME:
    case NG_FIELD_HOST:
    case NG_FIELD_LINK:
    case NG_FIELD_VOLUME:
        return text_or_parameter(NAME, "Expected a name: letters, digits, _ . -");
    case NG_FIELD_PATH:
        return text_or_parameter("(?![\\s\\S]*/\\.\\.(/|$))/[^:,]*",
            "Expected an absolute path such as /mnt/nas, without .. and : and ,");
    case NG_FIELD_BOOL:
        return or_parameter(json_pack("{s:s}", "type", "boolean"));
    case NG_FIELD_INT:
    case NG_FIELD_NUMBER:
        return number(field);
    case NG_FIELD_SIZE:
        return quantity(NG_DIM_SIZE, "Expected a size with its unit, such as 30 GiB");
    case NG_FIELD_RATE:
        return quantity(NG_DIM_RATE, "Expected a rate with its unit, such as 10 Gbit/s");
    case NG_FIELD_DURATION:
        return quantity(NG_DIM_TIME, "Expected a duration with its unit, such as 10 s");
    case NG_FIELD_PERCENT:
        return quantity(NG_DIM_NONE, "Expected a percentage, such as 95%");
    case NG_FIELD_CHOICE:
        return choice(field);
    case NG_FIELD_TEXTS:
        return json_pack("{s:[o,{s:s,s:o}]}", "anyOf", ng_schema_text(), "type", "array", "items",
            ng_schema_text());
    case NG_FIELD_PAIRS:
        return json_pack("{s:s, s:o}", "type", "object", "additionalProperties", ng_schema_text());
    case NG_FIELD_ARGVS:
        return json_pack("{s:s, s:{s:[o,{s:s,s:o}]}}", "type", "object", "additionalProperties",
            "anyOf", ng_schema_text(), "type", "array", "items", ng_schema_text());
    case NG_FIELD_SCRIPT:
        return text_or_parameter("(?!/)(?![\\s\\S]*\\.\\.)[A-Za-z0-9_./-]+",
            "Expected a file of Lua beside the plan, or the name of a shipped check");
    case NG_FIELD_VALUES:
        return json_pack("{s:s}", "type", "object");
    case NG_FIELD_METRICS:
        return json_pack("{s:s, s:o}", "type", "object", "additionalProperties",
            ng_schema_record(&ng_metric_record, NULL));
    case NG_FIELD_INTERFACE:
        return text_or_parameter(NAME ":[^ /:]{1,15}", "Expected host:interface, such as nas:eth4");
    case NG_FIELD_RECORDS:
        return records(field);
    case NG_FIELD_RECORD:
        return ng_schema_record(field->record, NULL);
    }
    return json_object();
}

/* The default as the type that it has in a plan. */
static json_t *default_value(const struct ng_field *field) {
    bool plain = field->type == NG_FIELD_INT || field->type == NG_FIELD_NUMBER ||
                 field->type == NG_FIELD_BOOL || field->type == NG_FIELD_CHOICE;
    json_error_t error;
    json_t *value = plain ? json_loads(field->fallback, JSON_DECODE_ANY, &error) : NULL;
    return value ? value : json_string(field->fallback);
}

void ng_schema_describe(json_t *schema, const char *text, const char *more) {
    json_object_set_new(schema, "description", json_string(text));
    json_object_set_new(
        schema, "markdownDescription", json_sprintf("%s%s%s", text, *more ? "\n\n" : "", more));
}

json_t *ng_schema_field(const struct ng_field *field) {
    json_t *schema = value_schema(field);
    struct ng_buf more;
    ng_buf_init(&more, PATTERN_MAX);
    ng_field_range(field, &more);
    if (more.len > 0) {
        struct ng_buf range = more;
        ng_buf_init(&more, PATTERN_MAX);
        ng_buf_addf(&more, "Range: %s.", ng_buf_text(&range));
        ng_buf_release(&range);
    }
    if (field->fallback) {
        ng_buf_addf(&more, "%sDefault: `%s`.", more.len ? " " : "", field->fallback);
        json_object_set_new(schema, "default", default_value(field));
    }
    ng_schema_describe(schema, field->help, ng_buf_text(&more));
    ng_buf_release(&more);
    return schema;
}

json_t *ng_schema_object(const struct ng_record *record, const struct ng_record *extra) {
    json_t *properties = json_object();
    json_t *required = json_array();
    for (size_t i = 0; i < record->count; i++) {
        const struct ng_field *field = &record->fields[i];
        json_object_set_new(properties, field->name, ng_schema_field(field));
        if (field->flags & NG_REQUIRED) {
            json_array_append_new(required, json_string(field->name));
        }
    }
    for (size_t i = 0; extra && i < extra->count; i++) {
        json_object_set_new(properties, extra->fields[i].name, ng_schema_field(&extra->fields[i]));
    }
    json_t *schema = json_pack("{s:s, s:s}", "title", record->name, "type", "object");
    ng_schema_describe(schema, record->help ? record->help : record->name, "");
    json_object_set_new(schema, "properties", properties);
    json_object_set_new(schema, "required", required);
    json_object_set_new(schema, "additionalProperties", json_false());
    return schema;
}

/* The field that the short form fills, if the short form can be enough. */
static const struct ng_field *short_field(const struct ng_record *record) {
    const struct ng_field *found = NULL;
    for (size_t i = 0; i < record->count && record->shorthand; i++) {
        const struct ng_field *field = &record->fields[i];
        if (strcmp(field->name, record->shorthand) == 0) {
            found = field;
        } else if (field->flags & NG_REQUIRED) {
            return NULL;
        }
    }
    return found;
}

json_t *ng_schema_record(const struct ng_record *record, const struct ng_record *extra) {
    const struct ng_field *field = short_field(record);
    json_t *object = ng_schema_object(record, extra);
    if (!field) {
        return object;
    }
    while (field->type == NG_FIELD_RECORD && short_field(field->record)) {
        field = short_field(field->record); // its long form would be taken for this record's
    }
    json_t *schema = json_pack("{s:[o,o]}", "oneOf", ng_schema_field(field), object);
    ng_schema_describe(schema, record->help ? record->help : record->name, "");
    return schema;
}
