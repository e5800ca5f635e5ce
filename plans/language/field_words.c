/* field_words.c - how the types of fields are called, and the messages that they share. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "plans/language/field_parts.h"
#include "runner/base/units.h"

enum { CHOICES_MAX = 400 };

const char *ng_field_type_word(enum ng_field_type type) {
    static const char *const words[] = {
#define X(name, ctype, word) word,
        NG_FIELD_TYPES(X)
#undef X
    };
    return words[type];
}

const char *ng_field_type_example(enum ng_field_type type) {
    static const char *const examples[] = {
        [NG_FIELD_TEXT] = "a text",
        [NG_FIELD_NAME] = "a name such as \"nas-1\"",
        [NG_FIELD_PATH] = "an absolute path such as \"/mnt/nas\"",
        [NG_FIELD_BOOL] = "true or false",
        [NG_FIELD_INT] = "a whole number such as 4",
        [NG_FIELD_SIZE] = "a size such as \"30 GiB\"",
        [NG_FIELD_RATE] = "a rate such as \"10 Gbit/s\"",
        [NG_FIELD_DURATION] = "a duration such as \"10 s\"",
        [NG_FIELD_PERCENT] = "a percentage such as \"95%\"",
        [NG_FIELD_NUMBER] = "a number such as 0.5",
        [NG_FIELD_CHOICE] = "one of its words",
        [NG_FIELD_TEXTS] = "a text or a list of texts",
        [NG_FIELD_PAIRS] = "a map of texts",
        [NG_FIELD_ARGVS] = "a map of commands such as {fio: [nice, fio]}",
        [NG_FIELD_SCRIPT] = "a file of Lua such as \"checks/disks.lua\"",
        [NG_FIELD_VALUES] = "a map of values",
        [NG_FIELD_METRICS] = "a map of units such as {latency: ms}",
        [NG_FIELD_HOST] = "the name of a host",
        [NG_FIELD_LINK] = "the name of a link",
        [NG_FIELD_VOLUME] = "the name of a volume",
        [NG_FIELD_INTERFACE] = "an interface such as \"nas:eth4\"",
        [NG_FIELD_RECORDS] = "a list of maps",
        [NG_FIELD_RECORD] = "a map",
    };
    return examples[type];
}

static const char *list_choices(struct ng_diags *diags, const char *const *choices) {
    struct ng_buf list;
    ng_buf_init(&list, CHOICES_MAX);
    for (size_t i = 0; choices[i]; i++) {
        ng_buf_addf(&list, "%s%s", i == 0 ? "" : choices[i + 1] ? ", " : " or ", choices[i]);
    }
    const char *text = ng_arena_strdup(diags->arena, ng_buf_text(&list));
    ng_buf_release(&list);
    return text;
}

const char *ng_field_wanted(struct ng_diags *diags, const struct ng_field *field) {
    if (ng_diags_full(diags)) {
        return "";
    }
    if (field->type == NG_FIELD_CHOICE) {
        return list_choices(diags, field->choices);
    }
    if (field->type == NG_FIELD_INT && field->min != 0 && field->min == field->max) {
        return ng_arena_printf(diags->arena, "%d", (int)field->min);
    }
    const struct ng_field *shorthand =
        field->type == NG_FIELD_RECORD ? ng_record_short(field->record) : NULL;
    if (shorthand) {
        return ng_field_wanted(diags, shorthand);
    }
    return ng_field_type_example(field->type);
}

/* A number or a boolean in quotes. */
static bool is_only_quoted(const struct ng_field *field, const struct ng_node *node) {
    if (node->kind != NG_NODE_SCALAR || !node->quoted) {
        return false;
    }
    struct ng_node plain = *node;
    plain.quoted = false;
    enum ng_core core = ng_node_core(&plain);
    bool number = core == NG_CORE_INT || (core == NG_CORE_FLOAT && field->type == NG_FIELD_NUMBER);
    return ((field->type == NG_FIELD_INT || field->type == NG_FIELD_NUMBER) && number) ||
           (field->type == NG_FIELD_BOOL && core == NG_CORE_BOOL);
}

bool ng_field_mismatch(
    const struct ng_loading *loading, const struct ng_field *field, const struct ng_node *node) {
    ng_diag_error(loading->diags, node->pos, "type", "%s: expected %s, found %s%s", field->name,
        ng_field_wanted(loading->diags, field), ng_node_describe(loading->diags, node),
        is_only_quoted(field, node) ? "; write it without quotes" : "");
    return false;
}

/* What to write instead: digits without the leading zeros and underscores where that is plain. */
static void suggest_number(const char *text, char *out, size_t size) {
    size_t used = 0;
    const char *p = text;
    if (*p == '-' && used + 1 < size) {
        out[used++] = '-';
    }
    p += *p == '-' || *p == '+';
    while (p[0] == '0' && (p[1] == '0' || p[1] == '_' || (p[1] >= '1' && p[1] <= '9'))) {
        p++;
    }
    for (; *p && used + 1 < size; p++) {
        if (*p != '_') {
            out[used++] = *p;
        }
    }
    out[used] = '\0';
}

bool ng_field_disputed(
    const struct ng_loading *loading, const struct ng_field *field, const struct ng_node *node) {
    char number[32] = "";
    const char *write = ng_field_type_example(field->type);
    if (field->type == NG_FIELD_BOOL) {
        bool yes = strchr("yY", node->text[0]) || strcasecmp(node->text, "on") == 0;
        write = yes ? "true" : "false";
    } else if (strspn(node->text, "+-0123456789_.") == strlen(node->text) &&
               strlen(node->text) < sizeof number &&
               (field->type == NG_FIELD_INT || field->type == NG_FIELD_NUMBER)) {
        suggest_number(node->text, number, sizeof number);
        write = strchr(number + (number[0] == '-'), '-') ? write : number;
    }
    ng_diag_error(loading->diags, node->pos, "disputed",
        "%s: YAML readers do not agree on what %s means; write %s", field->name,
        ng_diag_quote(loading->diags, node->text), write);
    return false;
}

/* A bound in the unit in which plans write it. */
static void add_bound(struct ng_buf *out, const struct ng_field *field, double value) {
    char text[NG_QUANTITY_TEXT];
    if (field->type == NG_FIELD_SIZE) {
        struct ng_quantity told = {0};
        ng_quantity_format((struct ng_quantity){value, NG_DIM_SIZE}, text);
        if (!ng_quantity_parse(text, &told, NULL) || told.value != value) {
            snprintf(text, sizeof text, "%.0f B", value); /* a bound is never rounded */
        }
    } else if (field->type == NG_FIELD_RATE) {
        ng_rate_format_bits(value / 8, text);
    } else if (field->type == NG_FIELD_DURATION) {
        ng_quantity_format((struct ng_quantity){value / 1e9, NG_DIM_TIME}, text);
    } else if (field->type == NG_FIELD_PERCENT) {
        snprintf(text, sizeof text, "%.6g%%", value * 100);
    } else {
        ng_number_format(value, text);
    }
    ng_buf_adds(out, text);
}

void ng_field_range(const struct ng_field *field, struct ng_buf *out) {
    if (field->min == 0 && field->max == 0) {
        return;
    }
    if (field->max <= field->min && field->max == 0) {
        ng_buf_adds(out, "at least ");
        add_bound(out, field, field->min);
        return;
    }
    add_bound(out, field, field->min);
    if (field->max > field->min) {
        ng_buf_adds(out, " .. ");
        add_bound(out, field, field->max);
    }
}

bool ng_field_in_range(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, double value) {
    bool bounded = field->min != 0 || field->max != 0;
    bool open = field->max == 0 && field->min > 0;
    if (!bounded || (value >= field->min && (open || value <= field->max))) {
        return true;
    }
    struct ng_buf range;
    ng_buf_init(&range, 200);
    ng_field_range(field, &range);
    ng_diag_error(loading->diags, node->pos, "range", "%s: expected %s, found %s", field->name,
        ng_buf_text(&range), ng_diag_quote(loading->diags, node->text));
    ng_buf_release(&range);
    return false;
}
