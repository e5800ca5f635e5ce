/* node_syntax.c - what libyaml says about broken YAML, said so that a person knows what to change.
 */
#include <string.h>

#include "plans/language/node_parts.h"
#include "runner/base/guard.h"

struct wording {
    const char *problem; /* libyaml's */
    const char *text;    /* ours */
};

static const struct wording wordings[] = {
    {"mapping values are not allowed in this context",
        "\": \" is not expected here; check the indentation, and quote a text that has \": \" "
        "inside"},
    {"did not find expected key", "expected a key here; check the indentation and the quotes"},
    {"did not find expected '-' indicator",
        "expected \"- \" (the next item) here; check the indentation"},
    {"did not find expected ',' or '}'", "expected \",\" or \"}\" here"},
    {"did not find expected ',' or ']'", "expected \",\" or \"]\" here"},
    {"did not find expected node content", "expected a value here"},
    {"could not find expected ':'", "expected \": \" after the key"},
    {"found unexpected end of stream", "the quoted text never ends; the closing quote is missing"},
    {"found unexpected document indicator",
        "the quoted text never ends; the closing quote is missing"},
    {"block sequence entries are not allowed in this context",
        "a list item (\"- \") is not expected here; start the list on a line of its own"},
    {"mapping keys are not allowed in this context", "a key is not expected here"},
    {"did not find expected <document start>",
        "text that belongs to nothing above; check the indentation"},
    {"found unknown escape character",
        "unknown escape after \"\\\" in double quotes; write \"\\\\\" for a backslash"},
    {"found a tab character that violates indentation", "a tab cannot indent; use blanks"},
    {"found a tab character where an indentation space is expected",
        "a tab cannot indent; use blanks"},
    {"found undefined tag handle", "tags (\"!\") are not allowed in a plan"},
    {"found incompatible YAML document", "this YAML version is not known; plans are YAML 1.2"},
};

/* The text from a place on, without copying; *left is what is left of the text. Marks count code
 * points from the start. */
static const char *text_at(const char *text, size_t len, size_t index, size_t *left) {
    size_t i = 0;
    for (size_t seen = 0; i < len; i++) {
        if (((unsigned char)text[i] & 0xC0) != 0x80 && seen++ == index) {
            break;
        }
    }
    *left = len - i;
    return text + i;
}

/* The reason for "cannot start any token", by the character that stands there. */
static const char *bad_start(char c) {
    switch (c) {
    case '\t':
        return "a tab cannot indent; use blanks";
    case '%':
        return "a text cannot begin with \"%\"; put it in quotes";
    case '@':
        return "a text cannot begin with \"@\"; put it in quotes";
    case '`':
        return "a text cannot begin with \"`\"; put it in quotes";
    default:
        return "a text cannot begin with this character; put it in quotes";
    }
}

static const char *reword(const char *problem, const char *at, size_t left) {
    if (strcmp(problem, "found character that cannot start any token") == 0) {
        return bad_start(left > 0 ? *at : '\0');
    }
    for (size_t i = 0; i < NG_COUNT(wordings); i++) {
        if (strcmp(problem, wordings[i].problem) == 0) {
            return wordings[i].text;
        }
    }
    return problem;
}

/* `{size: ${size}}` ends the value at the brace: the most likely slip of all in a flow map. */
static bool parameter_before(const char *text, const char *at, const char *end) {
    const char *p = at;
    while (p > text && p[-1] != '\n' && at - p < 200) {
        p--;
        if (p + 1 < end && p[0] == '$' && p[1] == '{') {
            return true;
        }
    }
    return false;
}

void ng_syntax_report(const yaml_parser_t *parser, const char *file, const char *text, size_t len,
    struct ng_diags *diags) {
    struct ng_pos pos = {
        file, (int)parser->problem_mark.line + 1, (int)parser->problem_mark.column + 1};
    const char *problem = parser->problem ? parser->problem : "this is no YAML";
    size_t left = 0;
    const char *at = text_at(text, len, parser->problem_mark.index, &left);
    const char *words = reword(problem, at, left);
    const char *hint = "";
    if (strncmp(problem, "did not find expected ',' or", 28) == 0 &&
        parameter_before(text, at, text + len)) {
        hint = "; put \"${...}\" in quotes inside { } and [ ]";
    }
    if (parser->context && parser->context_mark.line + 1 != (size_t)pos.line) {
        ng_diag_error(diags, pos, "syntax", "%s (in what starts at %zu:%zu)%s", words,
            parser->context_mark.line + 1, parser->context_mark.column + 1, hint);
    } else {
        ng_diag_error(diags, pos, "syntax", "%s%s", words, hint);
    }
}
