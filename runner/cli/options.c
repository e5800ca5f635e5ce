/* Option tables and their parser. */
#include "runner/cli/options.h"

#include <string.h>

#include "runner/base/text.h"

enum { HELP_COLUMN = 26, TABLE_MAX = 64 };

static const struct ng_option *find_long(
    const struct ng_arguments *out, const char *name, size_t len) {
    for (size_t i = 0; i < out->table_count; i++) {
        if (strlen(out->table[i].name) == len && strncmp(out->table[i].name, name, len) == 0) {
            return &out->table[i];
        }
    }
    return NULL;
}

static const struct ng_option *find_short(const struct ng_arguments *out, char letter) {
    for (size_t i = 0; i < out->table_count; i++) {
        if (out->table[i].letter == letter) {
            return &out->table[i];
        }
    }
    return NULL;
}

static bool given(const struct ng_arguments *out, const struct ng_option *option) {
    for (size_t i = 0; i < out->value_count; i++) {
        if (&out->table[out->rows[i]] == option) {
            return true;
        }
    }
    return false;
}

static bool unknown_option(
    const struct ng_arguments *out, const char *word, size_t len, struct ng_err *err) {
    const char *names[TABLE_MAX];
    size_t count = 0;
    for (size_t i = 0; i < out->table_count && i < TABLE_MAX; i++) {
        names[count++] = out->table[i].name;
    }
    char name[64] = "";
    const size_t skip = strncmp(word, "--", 2) == 0 ? 2 : 1;
    if (len > skip && len - skip < sizeof name) {
        memcpy(name, word + skip, len - skip);
    }
    const char *near = ng_text_nearest(name, names, count);
    if (near != NULL) {
        return ng_err_set(
            err, NG_ERR_USAGE, "unknown option %.*s; did you mean --%s?", (int)len, word, near);
    }
    return ng_err_set(err, NG_ERR_USAGE, "unknown option %.*s", (int)len, word);
}

static bool take(struct ng_arguments *out, const struct ng_option *option, const char *value,
    struct ng_err *err) {
    if (!option->repeats && given(out, option)) {
        return ng_err_set(err, NG_ERR_USAGE, "--%s is given twice", option->name);
    }
    if (out->value_count == NG_OPTION_VALUES_MAX) {
        return ng_err_set(err, NG_ERR_USAGE, "more than %d options", NG_OPTION_VALUES_MAX);
    }
    out->rows[out->value_count] = (size_t)(option - out->table);
    out->values[out->value_count++] = value;
    return true;
}

/* One option at argv[*at], with its value there or in the next word. */
static bool parse_option(
    struct ng_arguments *out, int argc, char **argv, int *at, struct ng_err *err) {
    const char *word = argv[*at];
    const bool is_long = strncmp(word, "--", 2) == 0;
    const char *equals = is_long ? strchr(word, '=') : NULL;
    const size_t len = equals != NULL ? (size_t)(equals - word) : (is_long ? strlen(word) : 2);
    const struct ng_option *option =
        is_long ? find_long(out, word + 2, len - 2) : find_short(out, word[1]);
    if (option == NULL) {
        return unknown_option(out, word, len, err);
    }
    const char *value =
        equals != NULL ? equals + 1 : (!is_long && word[2] != '\0' ? word + 2 : NULL);
    if (option->argument == NULL) {
        if (value != NULL) {
            return ng_err_set(err, NG_ERR_USAGE, "--%s takes no value", option->name);
        }
        return take(out, option, "", err);
    }
    if (value == NULL) {
        if (*at + 1 >= argc) {
            return ng_err_set(
                err, NG_ERR_USAGE, "--%s needs a value: %s", option->name, option->argument);
        }
        value = argv[++*at];
    }
    return take(out, option, value, err);
}

bool ng_options_parse(const struct ng_option *table, size_t count, int argc, char **argv,
    struct ng_arguments *out, struct ng_err *err) {
    memset(out, 0, sizeof *out);
    out->table = table;
    out->table_count = count;
    bool options_ended = false;
    for (int at = 0; at < argc; at++) {
        const char *word = argv[at];
        if (!options_ended && strcmp(word, "--") == 0) {
            options_ended = true;
        } else if (!options_ended && word[0] == '-' && word[1] != '\0') {
            if (!parse_option(out, argc, argv, &at, err)) {
                return false;
            }
        } else if (out->word_count == NG_ARGUMENTS_MAX) {
            return ng_err_set(err, NG_ERR_USAGE, "more than %d arguments", NG_ARGUMENTS_MAX);
        } else {
            out->words[out->word_count++] = word;
        }
    }
    return true;
}

size_t ng_option_values(const struct ng_arguments *arguments, const char *name, const char **out) {
    size_t count = 0;
    for (size_t i = 0; i < arguments->value_count; i++) {
        if (strcmp(arguments->table[arguments->rows[i]].name, name) == 0) {
            out[count++] = arguments->values[i];
        }
    }
    return count;
}

const char *ng_option_value(const struct ng_arguments *arguments, const char *name) {
    const char *value = NULL;
    for (size_t i = 0; i < arguments->value_count; i++) {
        if (strcmp(arguments->table[arguments->rows[i]].name, name) == 0) {
            value = arguments->values[i];
        }
    }
    return value;
}

void ng_options_help(const struct ng_option *table, size_t count, struct ng_buf *out) {
    for (size_t i = 0; i < count; i++) {
        const struct ng_option *option = &table[i];
        const size_t before = out->len;
        if (option->letter != 0) {
            ng_buf_addf(out, "  -%c, --%s", option->letter, option->name);
        } else {
            ng_buf_addf(out, "      --%s", option->name);
        }
        if (option->argument != NULL) {
            ng_buf_addf(out, " %s", option->argument);
        }
        do {
            ng_buf_addc(out, ' ');
        } while (out->len - before < HELP_COLUMN);
        ng_buf_addf(out, "%s%s\n", option->help, option->repeats ? " (repeatable)" : "");
    }
}
