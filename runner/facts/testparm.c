/* What testparm says of a Samba server's configuration. */
#include "runner/facts/testparm.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/scan.h"

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* As Samba compares names: in any case, blanks do not count. */
static bool same_name(const char *a, const char *b) {
    for (;;) {
        while (*a == ' ') {
            a++;
        }
        while (*b == ' ') {
            b++;
        }
        if (lower(*a) != lower(*b)) {
            return false;
        }
        if (*a == '\0') {
            return true;
        }
        a++;
        b++;
    }
}

/* A section that is listed again goes on. */
static struct ng_smb_section *add_section(
    struct ng_smb_config *config, struct ng_arena *arena, struct ng_span span) {
    const char *name = ng_text_clean_dup(arena, span.at, span.len, NG_TEXT_LINE, 200);
    for (size_t i = 0; i < config->count; i++) {
        if (same_name(config->sections[i].name, name)) {
            return &config->sections[i];
        }
    }
    if (config->count >= NG_SMB_SECTIONS_MAX) {
        config->cut = true;
        return NULL;
    }
    config->sections = ng_arena_grow(
        arena, config->sections, config->count, &config->capacity, sizeof *config->sections);
    struct ng_smb_section *section = &config->sections[config->count++];
    *section = (struct ng_smb_section){.name = name};
    return section;
}

/* Status lines that stand at the beginning of a line, where a copied text has lost its tabs. */
static bool is_noise(struct ng_span line) {
    static const char *const begins[] = {"#", ";", "Load", "Processing", "Unknown", "Ignoring",
        "WARNING", "ERROR", "NOTE", "Server role", "Press", "Weak", "rlimit_max", "Global",
        "Invalid", "lp_", "params.c", "set_variable_helper", "Can't", "[20"};
    for (size_t i = 0; i < NG_COUNT(begins); i++) {
        if (ng_span_begins(line, begins[i])) {
            return true;
        }
    }
    return false;
}

/* "read only = No": a name is letters, digits, blanks and ":_-*%." */
static void add_parameter(struct ng_smb_config *config, struct ng_smb_section *section,
    struct ng_arena *arena, struct ng_span line) {
    struct ng_span value = line;
    const struct ng_span name = ng_span_trim(ng_span_until(&value, '='));
    if (name.len == 0 || name.len == line.len || name.len > 100 || ng_span_has(name, '"') ||
        ng_span_has(name, '[')) {
        return;
    }
    if (config->parameters >= NG_SMB_PARAMETERS_MAX) {
        config->cut = true;
        return;
    }
    value = ng_span_trim(value);
    config->parameters++;
    section->items = ng_arena_grow(
        arena, section->items, section->count, &section->capacity, sizeof *section->items);
    section->items[section->count++] = (struct ng_smb_parameter){
        .name = ng_text_clean_dup(arena, name.at, name.len, NG_TEXT_LINE, 100),
        .value = value.len == 0
                     ? ""
                     : ng_text_clean_dup(arena, value.at, value.len, NG_TEXT_LINE, 1000)};
}

void ng_smb_config_parse(
    struct ng_smb_config *config, struct ng_arena *arena, const char *text, size_t len) {
    *config = (struct ng_smb_config){0};
    enum { HEADS_MAX = 65536 };
    size_t current = SIZE_MAX; /* by index: the array moves when it grows */
    size_t heads = 0;
    struct ng_span rest = ng_span_lines(text, len), line;
    while (ng_span_line(&rest, &line)) {
        line = ng_span_trim(line);
        if (line.len >= 3 && line.at[0] == '[' && line.at[line.len - 1] == ']') {
            const struct ng_span name = ng_span_trim(ng_span(line.at + 1, line.len - 2));
            const struct ng_smb_section *section =
                heads++ < HEADS_MAX ? add_section(config, arena, name) : NULL;
            config->cut = config->cut || section == NULL;
            current = section != NULL ? (size_t)(section - config->sections) : SIZE_MAX;
        } else if (current != SIZE_MAX && !is_noise(line)) {
            add_parameter(config, &config->sections[current], arena, line);
        }
    }
}

const struct ng_smb_section *ng_smb_config_section(
    const struct ng_smb_config *config, const char *name) {
    for (size_t i = 0; i < config->count; i++) {
        if (same_name(config->sections[i].name, name)) {
            return &config->sections[i];
        }
    }
    return NULL;
}

/* smb.conf(5): names that mean the same, or the opposite. The printed name comes last. */
static const struct {
    const char *other, *printed;
    bool opposite;
} synonyms[] = {
    {"max protocol", "server max protocol", false},
    {"protocol", "server max protocol", false},
    {"min protocol", "server min protocol", false},
    {"smb encrypt", "server smb encrypt", false},
    {"debuglevel", "log level", false},
    {"hosts allow", "allow hosts", false},
    {"allow hosts", "hosts allow", false},
    {"hosts deny", "deny hosts", false},
    {"deny hosts", "hosts deny", false},
    {"directory", "path", false},
    {"public", "guest ok", false},
    {"browsable", "browseable", false},
    {"casesignames", "case sensitive", false},
    {"vfs object", "vfs objects", false},
    {"create mode", "create mask", false},
    {"directory mode", "directory mask", false},
    {"group", "force group", false},
    {"only guest", "guest only", false},
    {"writeable", "read only", true},
    {"writable", "read only", true},
    {"write ok", "read only", true},
};

static const char *find(const struct ng_smb_section *section, const char *name) {
    for (size_t i = section == NULL ? 0 : section->count; i > 0; i--) {
        if (same_name(section->items[i - 1].name, name)) {
            return section->items[i - 1].value;
        }
    }
    return NULL;
}

static const char *effective(
    const struct ng_smb_config *config, const char *share, const char *name) {
    const char *own = share == NULL ? NULL : find(ng_smb_config_section(config, share), name);
    return own != NULL ? own : find(ng_smb_config_section(config, "global"), name);
}

const char *ng_smb_config_value(
    const struct ng_smb_config *config, const char *share, const char *name) {
    const char *value = effective(config, share, name);
    for (size_t i = 0; value == NULL && i < NG_COUNT(synonyms); i++) {
        if (!same_name(synonyms[i].other, name)) {
            continue;
        }
        value = effective(config, share, synonyms[i].printed);
        if (value != NULL && synonyms[i].opposite) {
            value = ng_smb_value_equal(value, "yes")  ? "No"
                    : ng_smb_value_equal(value, "no") ? "Yes"
                                                      : NULL;
        }
    }
    return value;
}

/* Words that mean the same to Samba; the first of a row stands for it. Protocols: SMB3 and SMB2 are
 * the newest of their kind. */
static const char *canonical(const char *word) {
    static const char *const rows[][6] = {
        {"yes", "true", "on", "1", NULL},
        {"no", "false", "off", "0", NULL},
        {"smb3_11", "smb3", NULL},
        {"smb2_10", "smb2", NULL},
        {"nt1", "smb1", NULL},
        {"required", "mandatory", "force", "forced", "enforced", NULL},
        {"if_required", "auto", "enabled", NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        for (size_t j = 0; rows[i][j] != NULL; j++) {
            if (strcmp(rows[i][j], word) == 0) {
                return rows[i][0];
            }
        }
    }
    return word;
}

/* Takes the next word of a list, small letters, "" at the end. */
static const char *next_word(const char **rest, char *out, size_t size) {
    size_t len = 0;
    *rest += strspn(*rest, " ,\t");
    while (**rest != '\0' && strchr(" ,\t", **rest) == NULL) {
        if (len + 1 < size) {
            out[len++] = lower(**rest);
        }
        (*rest)++;
    }
    out[len] = '\0';
    return canonical(out);
}

bool ng_smb_value_equal(const char *a, const char *b) {
    char left[256], right[256];
    for (;;) {
        const char *one = next_word(&a, left, sizeof left);
        const char *other = next_word(&b, right, sizeof right);
        if (strcmp(one, other) != 0) {
            return false;
        }
        if (left[0] == '\0') {
            return true;
        }
    }
}
