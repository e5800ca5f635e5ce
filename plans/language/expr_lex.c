/* expr_lex.c - the words of a threshold. */
#include <ctype.h>
#include <string.h>

#include "plans/language/expr_parts.h"
#include "runner/base/units.h"

static bool is_name_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '-';
}

/* What has a meaning of its own: words between others, or the first part of what is no metric. A
 * metric or a phase of such a name could not be written. */
struct reserved {
    const char *word;
    enum ng_token_kind kind; /* NAME: only in front of a dot, or alone as "baseline" */
};

static const struct reserved reserved[] = {
    {"baseline", NG_TOKEN_NAME},
    {"host", NG_TOKEN_NAME},
    {"link", NG_TOKEN_NAME},
    {"of", NG_TOKEN_OF},
    {"volume", NG_TOKEN_NAME},
    {"within", NG_TOKEN_COMPARISON},
};

static const struct reserved *find_reserved(const char *at, size_t len) {
    for (size_t i = 0; i < NG_COUNT(reserved); i++) {
        if (strlen(reserved[i].word) == len && memcmp(at, reserved[i].word, len) == 0) {
            return &reserved[i];
        }
    }
    return NULL;
}

static enum ng_token_kind kind_of(const char *at, size_t len) {
    const struct reserved *found = find_reserved(at, len);
    return found ? found->kind : NG_TOKEN_NAME;
}

bool ng_expr_is_reserved(const char *name) {
    return find_reserved(name, strcspn(name, ".")) != NULL;
}

static bool is_letter(char c) {
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* The length of the name at `at`: it ends before ".." and has no "-" or "." at its end. */
static size_t span_name(const char *at) {
    size_t len = 0;
    while (is_name_byte(at[len]) && !(at[len] == '.' && at[len + 1] == '.')) {
        len++;
    }
    while (len > 0 && (at[len - 1] == '-' || at[len - 1] == '.')) {
        len--;
    }
    return len;
}

/* "4k-read.read.iops" is a name where a phase is called "4k-read"; "4k" is none. */
static bool begins_with_phase(const struct ng_expr_parser *p, const char *at, size_t len) {
    for (size_t i = 1; i < len; i++) {
        if (at[i] != '.') {
            continue;
        }
        char prefix[64];
        if (i >= sizeof prefix) {
            return false;
        }
        memcpy(prefix, at, i);
        prefix[i] = '\0';
        if (ng_plan_phase(p->plan, prefix)) {
            return true;
        }
    }
    return false;
}

/* The length of the unit at `at`; 0 if what stands there is none. */
static size_t span_unit(const char *at) {
    if (*at == '%') {
        return 1;
    }
    if (at[0] == '/' && at[1] == 's' && !is_name_byte(at[2])) {
        return 2;
    }
    size_t len = 0;
    while (is_letter(at[len])) {
        len++;
    }
    bool keyword = kind_of(at, len) != NG_TOKEN_NAME;
    bool range = at[len] == '.' && at[len + 1] == '.';
    bool name = at[len] != '\0' && (strchr("0123456789_.-(", at[len]) != NULL) && !range;
    if (len == 0 || keyword || name) {
        return 0;
    }
    if (at[len] == '/' && is_letter(at[len + 1])) {
        size_t rest = 0;
        while (is_letter(at[len + 1 + rest])) {
            rest++;
        }
        bool second = at[len + 1] == 's';
        return second && !(strchr("0123456789_(", at[len + 1 + rest]) && at[len + 1 + rest])
                   ? len + 1 + rest
                   : len;
    }
    return len;
}

/* "Gbit/s", "Mbps". */
static bool names_bits(const char *unit, size_t len) {
    return (len >= 3 && memcmp(unit + len - 3, "bps", 3) == 0) || memmem(unit, len, "bit", 3);
}

static void read_unit(struct ng_expr_parser *p, struct ng_token *token) {
    const char *text = p->node->text;
    size_t at = token->end + strspn(text + token->end, " \t\n");
    size_t len = span_unit(text + at);
    token->factor = 1;
    if (len == 0) {
        return;
    }
    const char *hint = NULL;
    if (!ng_unit_find(text + at, len, &token->factor, &token->dim, &hint)) {
        char fitting[NG_QUANTITY_TEXT];
        if (p->left) {
            bool fits = ng_unit_suggest(
                token->number, text + at, len, p->left->dim, p->left_spelling, fitting);
            hint = fits ? fitting : NULL;
        }
        ng_expr_error(p, at, "unit", "unknown unit %s; write %s", ng_expr_quote(p, at, at + len),
            hint ? hint : "for example 400 MB/s, 10 Gbit/s, 5 ms, 16 KiB, 1000 IOPS or 95%");
        token->kind = NG_TOKEN_BAD;
        p->stopped = true;
    }
    bool bits = names_bits(text + at, len);
    p->wrote_bits = p->wrote_bits || bits;
    p->wrote_bytes = p->wrote_bytes || (token->dim.data != 0 && !bits);
    token->has_unit = true;
    token->percent = text[at] == '%';
    token->end = at + len;
}

static void read_number(struct ng_expr_parser *p, struct ng_token *token) {
    const char *at = p->node->text + token->start;
    const char *range = strstr(at, "..");
    size_t len = range ? (size_t)(range - at) : strlen(at);
    size_t used = ng_number_scan(at, len, &token->number);
    if (used == 0) {
        ng_expr_error(p, token->start, "threshold", "this number is too large");
        token->kind = NG_TOKEN_BAD;
        p->stopped = true;
        return;
    }
    token->kind = NG_TOKEN_NUMBER;
    token->end = token->start + used;
    read_unit(p, token);
}

struct spelling {
    const char *text;
    enum ng_comparison comparison;
};

/* Longer ones first. */
static const struct spelling spellings[] = {
    {"<=", NG_CMP_LE},
    {">=", NG_CMP_GE},
    {"==", NG_CMP_EQ},
    {"!=", NG_CMP_NE},
    {"<", NG_CMP_LT},
    {">", NG_CMP_GT},
};

struct slip {
    const char *text;
    const char *write;
};

static const struct slip slips[] = {
    {"=<", "<="},
    {"=>", ">="},
    {"=", "=="},
    {"≤", "<="},
    {"≥", ">="},
    {"≠", "!="},
    {"<>", "!="},
    {"~", "within LOW .. HIGH"},
    {"×", "*"},
    {"–", "-"},
    {"−", "-"},
    {"…", ".."},
    {"&", "two thresholds"},
    {"|", "two phases"},
};

static void read_slip(struct ng_expr_parser *p, struct ng_token *token) {
    const char *at = p->node->text + token->start;
    token->kind = NG_TOKEN_BAD;
    p->stopped = true;
    for (size_t i = 0; i < NG_COUNT(slips); i++) {
        if (strncmp(at, slips[i].text, strlen(slips[i].text)) == 0) {
            ng_expr_error(p, token->start, "threshold", "unexpected \"%s\"; write %s",
                slips[i].text, slips[i].write);
            return;
        }
    }
    size_t len = 1;
    while (((unsigned char)at[len] & 0xC0) == 0x80) {
        len++;
    }
    ng_expr_error(p, token->start, "threshold", "unexpected %s",
        ng_expr_quote(p, token->start, token->start + len));
}

static void read_sign(struct ng_expr_parser *p, struct ng_token *token) {
    const char *at = p->node->text + token->start;
    bool slip = strncmp(at, "<>", 2) == 0;
    for (size_t i = 0; i < NG_COUNT(spellings) && !slip; i++) {
        size_t len = strlen(spellings[i].text);
        if (strncmp(at, spellings[i].text, len) == 0) {
            token->kind = NG_TOKEN_COMPARISON;
            token->comparison = spellings[i].comparison;
            token->end = token->start + len;
            return;
        }
    }
    if (strncmp(at, "..", 2) == 0) {
        token->kind = NG_TOKEN_RANGE;
        token->end = token->start + 2;
    } else if (strchr("+-*/()", *at)) {
        token->kind = NG_TOKEN_SIGN;
        token->sign = *at;
        token->end = token->start + 1;
    } else {
        read_slip(p, token);
    }
}

static void read_word(struct ng_token *token, const char *at, size_t len) {
    token->end = token->start + len;
    token->kind = kind_of(at, len);
    token->comparison = NG_CMP_WITHIN; /* the one that is a word */
}

void ng_expr_next(struct ng_expr_parser *p) {
    const char *text = p->node->text;
    struct ng_token token = {.start = p->token.end};
    token.start += strspn(text + token.start, " \t\n");
    token.end = token.start;
    const char *at = text + token.start;
    size_t name = span_name(at);
    if (*at == '\0') {
        token.kind = NG_TOKEN_END;
    } else if (isdigit((unsigned char)*at) && !begins_with_phase(p, at, name)) {
        read_number(p, &token);
    } else if (isalnum((unsigned char)*at) || *at == '_') {
        read_word(&token, at, name);
    } else {
        read_sign(p, &token);
    }
    p->token = token;
}
