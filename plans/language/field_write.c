/* field_write.c - typed values as a plan would write them. */
#include "plans/language/field_write.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "plans/language/plan.h"
#include "plans/language/script.h"
#include "plans/language/value.h"
#include "runner/base/digest.h"
#include "runner/base/units.h"

/* A unit and how many base units it is; tables end with 1, largest first. */
struct step {
    int64_t factor;
    const char *unit;
};

static const struct step sizes[] = {{INT64_C(1) << 40, "TiB"}, {INT64_C(1) << 30, "GiB"},
    {INT64_C(1) << 20, "MiB"}, {INT64_C(1) << 10, "KiB"}, {1, "B"}};
static const struct step rates[] = {{INT64_C(1000000000000), "Tbit/s"},
    {INT64_C(1000000000), "Gbit/s"}, {INT64_C(1000000), "Mbit/s"}, {INT64_C(1000), "kbit/s"},
    {1, "bit/s"}};
static const struct step durations[] = {{INT64_C(3600000000000), "h"}, {INT64_C(60000000000), "m"},
    {INT64_C(1000000000), "s"}, {INT64_C(1000000), "ms"}, {INT64_C(1000), "us"}, {1, "ns"}};

/* In the largest unit that holds it exactly; nothing in the unit that is said, "0 s". */
static void write_exact(
    int64_t value, const struct step *steps, const char *zero, struct ng_buf *out) {
    if (value == 0) {
        ng_buf_adds(out, zero);
        return;
    }
    while (value % steps->factor != 0) {
        steps++;
    }
    ng_buf_addf(out, "%" PRId64 " %s", value / steps->factor, steps->unit);
}

void ng_yaml_quote(const char *text, struct ng_buf *out) {
    ng_buf_addc(out, '"');
    for (const char *p = text; *p != '\0'; p++) {
        const unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\') {
            ng_buf_addf(out, "\\%c", c);
        } else if (c == '$' && p[1] == '{') {
            ng_buf_adds(out, "$$");
        } else if (c < 0x20 || c == 0x7f) {
            ng_buf_addf(out, "\\x%02x", c);
        } else {
            ng_buf_addc(out, *p);
        }
    }
    ng_buf_addc(out, '"');
}

static void write_texts(const struct ng_texts *texts, struct ng_buf *out) {
    ng_buf_addc(out, '[');
    for (size_t i = 0; i < texts->count; i++) {
        ng_buf_adds(out, i > 0 ? ", " : "");
        ng_yaml_quote(texts->items[i], out);
    }
    ng_buf_addc(out, ']');
}

static void write_pairs(const struct ng_pairs *pairs, struct ng_buf *out) {
    ng_buf_addc(out, '{');
    for (size_t i = 0; i < pairs->count; i++) {
        ng_buf_adds(out, i > 0 ? ", " : "");
        ng_yaml_quote(pairs->items[i].key, out);
        ng_buf_adds(out, ": ");
        ng_yaml_quote(pairs->items[i].value, out);
    }
    ng_buf_addc(out, '}');
}

static void write_argvs(const struct ng_argvs *argvs, struct ng_buf *out) {
    ng_buf_addc(out, '{');
    for (size_t i = 0; i < argvs->count; i++) {
        ng_buf_adds(out, i > 0 ? ", " : "");
        ng_yaml_quote(argvs->items[i].key, out);
        ng_buf_adds(out, ": ");
        write_texts(&argvs->items[i].words, out);
    }
    ng_buf_addc(out, '}');
}

static void write_metrics(const struct ng_metrics *metrics, struct ng_buf *out) {
    static const char *const betters[] = {"higher", "lower", "neither"};
    ng_buf_addc(out, '{');
    for (size_t i = 0; i < metrics->count; i++) {
        ng_buf_addf(out, "%s%s: {unit: ", i > 0 ? ", " : "", metrics->items[i].name);
        ng_yaml_quote(metrics->units[i], out);
        ng_buf_addf(out, ", better: %s}", betters[metrics->items[i].better]);
    }
    ng_buf_addc(out, '}');
}

static void write_number(double value, const char *unit, struct ng_buf *out) {
    char text[NG_QUANTITY_TEXT];
    ng_buf_addf(out, "%s%s", ng_number_format(value, text), unit);
}

static void write_list(
    const struct ng_field *field, const struct ng_list *list, int indent, struct ng_buf *out) {
    for (size_t i = 0; i < list->count; i++) {
        ng_buf_addf(out, "%*s-\n", indent + 2, "");
        ng_record_write(
            field->record, (const char *)list->items + i * field->record->size, indent + 4, out);
    }
}

/* Values of one word each. */
static void write_name(const struct ng_field *field, const void *at, struct ng_buf *out) {
    switch (field->type) {
    case NG_FIELD_TEXT:
    case NG_FIELD_NAME:
    case NG_FIELD_PATH:
        ng_yaml_quote(*(const char *const *)at, out);
        break;
    case NG_FIELD_SCRIPT:
        ng_yaml_quote((*(const struct ng_script *const *)at)->name, out);
        break;
    case NG_FIELD_HOST:
        ng_buf_adds(out, (*(const struct ng_host *const *)at)->name);
        break;
    case NG_FIELD_LINK:
        ng_buf_adds(out, (*(const struct ng_link *const *)at)->name);
        break;
    case NG_FIELD_VOLUME:
        ng_buf_adds(out, (*(const struct ng_volume *const *)at)->name);
        break;
    case NG_FIELD_INTERFACE: {
        const struct ng_interface *interface = at;
        ng_buf_addf(out, "\"%s:%s\"", interface->host->name, interface->name);
        break;
    }
    case NG_FIELD_BOOL:
        ng_buf_adds(out, *(const bool *)at ? "true" : "false");
        break;
    case NG_FIELD_CHOICE:
        ng_buf_adds(out, field->choices[*(const int *)at]);
        break;
    case NG_FIELD_INT:
    case NG_FIELD_SIZE:
    case NG_FIELD_RATE:
    case NG_FIELD_DURATION:
    case NG_FIELD_PERCENT:
    case NG_FIELD_NUMBER:
    case NG_FIELD_TEXTS:
    case NG_FIELD_PAIRS:
    case NG_FIELD_ARGVS:
    case NG_FIELD_VALUES:
    case NG_FIELD_METRICS:
    case NG_FIELD_RECORDS:
    case NG_FIELD_RECORD:
        break;
    }
}

static void write_value(
    const struct ng_field *field, const void *at, int indent, struct ng_buf *out) {
    switch (field->type) {
    case NG_FIELD_INT:
        ng_buf_addf(out, "%" PRId64, *(const int64_t *)at);
        break;
    case NG_FIELD_SIZE:
        write_exact(*(const int64_t *)at, sizes, "0 B", out);
        break;
    case NG_FIELD_RATE:
        write_exact(*(const int64_t *)at, rates, "0 bit/s", out);
        break;
    case NG_FIELD_DURATION:
        write_exact(*(const int64_t *)at, durations, "0 s", out);
        break;
    case NG_FIELD_PERCENT:
        /* Percentages are written with at most eight decimals; rounding undoes the 100. */
        write_number(round(*(const double *)at * 1e10) / 1e8, "%", out);
        break;
    case NG_FIELD_NUMBER:
        write_number(*(const double *)at, "", out);
        break;
    case NG_FIELD_TEXTS:
        write_texts(at, out);
        break;
    case NG_FIELD_PAIRS:
        write_pairs(at, out);
        break;
    case NG_FIELD_ARGVS:
        write_argvs(at, out);
        break;
    case NG_FIELD_VALUES:
        ng_value_write(*(const struct ng_value *const *)at, out);
        break;
    case NG_FIELD_METRICS:
        write_metrics(at, out);
        break;
    case NG_FIELD_RECORDS:
        write_list(field, at, indent, out);
        break;
    case NG_FIELD_RECORD:
        ng_record_write(field->record, *(const void *const *)at, indent + 2, out);
        break;
    case NG_FIELD_TEXT:
    case NG_FIELD_NAME:
    case NG_FIELD_PATH:
    case NG_FIELD_SCRIPT:
    case NG_FIELD_HOST:
    case NG_FIELD_LINK:
    case NG_FIELD_VOLUME:
    case NG_FIELD_INTERFACE:
    case NG_FIELD_BOOL:
    case NG_FIELD_CHOICE:
        write_name(field, at, out);
        break;
    }
}

static size_t value_size(enum ng_field_type type) {
    static const size_t bytes[] = {
#define X(name, ctype, word) sizeof(ctype),
        NG_FIELD_TYPES(X)
#undef X
    };
    return bytes[type];
}

/* All bytes zero is "not given" for every type. */
static bool is_given(const struct ng_field *field, const void *at) {
    static const char zeros[64];
    return memcmp(at, zeros, value_size(field->type)) != 0;
}

/* Types for which zero bytes cannot be written at all. */
static bool needs_value(enum ng_field_type type) {
    return type != NG_FIELD_BOOL && type != NG_FIELD_INT && type != NG_FIELD_SIZE &&
           type != NG_FIELD_RATE && type != NG_FIELD_DURATION && type != NG_FIELD_PERCENT &&
           type != NG_FIELD_NUMBER && type != NG_FIELD_CHOICE;
}

static bool is_block(const struct ng_field *field) {
    return field->type == NG_FIELD_RECORDS || field->type == NG_FIELD_RECORD;
}

/* Whether a field is written at all: given, or with a default that zero bytes can mean. */
static bool is_written(const struct ng_field *field, const void *at) {
    const bool always = field->fallback != NULL || (field->flags & NG_REQUIRED) != 0;
    return (always && !needs_value(field->type)) || is_given(field, at);
}

void ng_record_write(
    const struct ng_record *record, const void *values, int indent, struct ng_buf *out) {
    for (size_t i = 0; i < record->count; i++) {
        const struct ng_field *field = &record->fields[i];
        const void *at = (const char *)values + field->offset;
        if (!is_written(field, at)) {
            continue;
        }
        ng_buf_addf(out, "%*s%s:%c", indent, "", field->name, is_block(field) ? '\n' : ' ');
        write_value(field, at, indent, out);
        ng_buf_adds(out, is_block(field) ? "" : "\n");
    }
}

/* A file of Lua is what it says, not what it is called. */
static void write_digest(const struct ng_script *script, struct ng_buf *out) {
    enum { SHOWN = 12 };
    char digest[NG_DIGEST_TEXT];
    ng_buf_addf(out, " (%.*s)", SHOWN, ng_digest(script->text, script->len, digest));
}

static void write_on_line(const struct ng_field *field, const void *at, struct ng_buf *out) {
    if (field->type == NG_FIELD_RECORD) {
        ng_buf_addc(out, '{');
        ng_record_write_line(field->record, *(const void *const *)at, out);
        ng_buf_addc(out, '}');
        return;
    }
    write_value(field, at, 0, out);
    if (field->type == NG_FIELD_SCRIPT) {
        write_digest(*(const struct ng_script *const *)at, out);
    }
}

void ng_record_write_line(const struct ng_record *record, const void *values, struct ng_buf *out) {
    const char *before = "";
    for (size_t i = 0; i < record->count; i++) {
        const struct ng_field *field = &record->fields[i];
        const void *at = (const char *)values + field->offset;
        if (field->type != NG_FIELD_RECORDS && is_written(field, at)) {
            ng_buf_addf(out, "%s%s: ", before, field->name);
            write_on_line(field, at, out);
            before = ", ";
        }
    }
}
