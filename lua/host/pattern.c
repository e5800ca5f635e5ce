/* Lua's patterns, matched within a bound of steps. */
#include "lua/host/pattern.h"

#include <ctype.h>
#include <string.h>

void ng_pattern_begin(struct ng_pattern *pattern, const char *text, size_t text_len,
    const char *source, size_t source_len, int64_t steps) {
    *pattern = (struct ng_pattern){
        .text = text,
        .text_end = text + text_len,
        .pattern = source,
        .pattern_end = source + source_len,
        .steps_left = steps,
    };
}

/* Remembers the first thing that is wrong; nothing matches from then on. */
static const char *wrong(struct ng_pattern *m, const char *what) {
    m->wrong = m->wrong != NULL ? m->wrong : what;
    return NULL;
}

static bool step(struct ng_pattern *m, int64_t count) {
    m->steps_left -= count;
    return m->steps_left >= 0 && m->wrong == NULL;
}

static bool in_class(int c, char letter) {
    bool in = false;
    switch (tolower((unsigned char)letter)) {
    case 'a':
        in = isalpha(c) != 0;
        break;
    case 'c':
        in = iscntrl(c) != 0;
        break;
    case 'd':
        in = isdigit(c) != 0;
        break;
    case 'g':
        in = isgraph(c) != 0;
        break;
    case 'l':
        in = islower(c) != 0;
        break;
    case 'p':
        in = ispunct(c) != 0;
        break;
    case 's':
        in = isspace(c) != 0;
        break;
    case 'u':
        in = isupper(c) != 0;
        break;
    case 'w':
        in = isalnum(c) != 0;
        break;
    case 'x':
        in = isxdigit(c) != 0;
        break;
    default:
        return (unsigned char)letter == c; /* an escaped character stands for itself */
    }
    return isupper((unsigned char)letter) ? !in : in;
}

/* Behind the set that begins at `p`, a "[". A "]" right behind the start belongs to it. */
static const char *set_end(struct ng_pattern *m, const char *p) {
    p++;
    if (p < m->pattern_end && *p == '^') {
        p++;
    }
    do {
        if (p >= m->pattern_end) {
            return wrong(m, "malformed pattern (missing ']')");
        }
        if (*p++ == '%') {
            p++; /* what is escaped ends no set */
        }
    } while (p >= m->pattern_end || *p != ']');
    return p + 1;
}

/* Behind the single item at `p`: a character, a class, a set. NULL: something is wrong. */
static const char *item_end(struct ng_pattern *m, const char *p) {
    if (*p == '[') {
        return set_end(m, p);
    }
    if (*p != '%') {
        return p + 1;
    }
    return p + 1 < m->pattern_end ? p + 2 : wrong(m, "malformed pattern (ends with '%')");
}

/* Whether a set, from its "[" to its "]", has a character. */
static bool in_set(int c, const char *p, const char *last) {
    const bool none_of = p[1] == '^';
    for (p += none_of ? 2 : 1; p < last; p++) {
        if (*p == '%') {
            p++;
            if (in_class(c, *p)) {
                return !none_of;
            }
        } else if (p[1] == '-' && p + 2 < last) {
            if ((unsigned char)p[0] <= c && c <= (unsigned char)p[2]) {
                return !none_of;
            }
            p += 2;
        } else if ((unsigned char)*p == c) {
            return !none_of;
        }
    }
    return none_of;
}

/* Whether the character at `s` is one for the item from `p` to `end`. */
static bool fits(struct ng_pattern *m, const char *s, const char *p, const char *end) {
    if (s >= m->text_end || !step(m, 1 + (end - p) / 8)) {
        return false;
    }
    const int c = (unsigned char)*s;
    switch (*p) {
    case '.':
        return true;
    case '%':
        return in_class(c, p[1]);
    case '[':
        return in_set(c, p, end - 1);
    default:
        return (unsigned char)*p == c;
    }
}

static const char *match(struct ng_pattern *m, const char *s, const char *p);

/* As many as there are, then fewer. */
static const char *longest(
    struct ng_pattern *m, const char *s, const char *p, const char *end, const char *rest) {
    ptrdiff_t count = 0;
    while (fits(m, s + count, p, end)) {
        count++;
    }
    for (; count >= 0 && step(m, 1); count--) {
        const char *found = match(m, s + count, rest);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

/* As few as there need to be, then more. */
static const char *shortest(
    struct ng_pattern *m, const char *s, const char *p, const char *end, const char *rest) {
    while (step(m, 1)) {
        const char *found = match(m, s, rest);
        if (found != NULL) {
            return found;
        }
        if (!fits(m, s, p, end)) {
            return NULL;
        }
        s++;
    }
    return NULL;
}

static const char *open_capture(struct ng_pattern *m, const char *s, const char *p) {
    if (m->capture_count >= NG_PATTERN_CAPTURES_MAX) {
        return wrong(m, "too many captures");
    }
    const bool place = p + 1 < m->pattern_end && p[1] == ')';
    m->captures[m->capture_count++] =
        (struct ng_pattern_capture){s, place ? NG_PATTERN_PLACE : NG_PATTERN_OPEN};
    const char *found = match(m, s, place ? p + 2 : p + 1);
    if (found == NULL) {
        m->capture_count--;
    }
    return found;
}

static const char *close_capture(struct ng_pattern *m, const char *s, const char *p) {
    int last = m->capture_count - 1;
    while (last >= 0 && m->captures[last].len != NG_PATTERN_OPEN) {
        last--;
    }
    if (last < 0) {
        return wrong(m, "invalid pattern capture");
    }
    m->captures[last].len = s - m->captures[last].at;
    const char *found = match(m, s, p + 1);
    if (found == NULL) {
        m->captures[last].len = NG_PATTERN_OPEN;
    }
    return found;
}

/* "%bxy": from an x to the y that balances it. */
static const char *balanced(struct ng_pattern *m, const char *s, const char *p) {
    if (p + 3 >= m->pattern_end) {
        return wrong(m, "malformed pattern (missing arguments to '%b')");
    }
    if (s >= m->text_end || *s != p[2]) {
        return NULL;
    }
    size_t level = 1;
    while (++s < m->text_end && step(m, 1)) {
        if (*s == p[3]) {
            if (--level == 0) {
                return s + 1;
            }
        } else if (*s == p[2]) {
            level++;
        }
    }
    return NULL;
}

/* Whether "%f[set]" holds at `s`, with its set from `p` to `end`: a NUL stands at both ends. */
static bool at_frontier(struct ng_pattern *m, const char *s, const char *p, const char *end) {
    const int before = s == m->text ? 0 : (unsigned char)s[-1];
    const int here = s >= m->text_end ? 0 : (unsigned char)*s;
    return step(m, 1 + (end - p) / 4) && !in_set(before, p, end - 1) && in_set(here, p, end - 1);
}

/* "%1": what a capture holds, once more. Its end in the text, or NULL. */
static const char *again(struct ng_pattern *m, const char *s, char digit) {
    const int number = digit - '1';
    if (number < 0 || number >= m->capture_count || m->captures[number].len == NG_PATTERN_OPEN) {
        return wrong(m, "invalid capture index in the pattern");
    }
    const struct ng_pattern_capture *capture = &m->captures[number];
    if (capture->len < 0) {
        return NULL; /* a place has no text */
    }
    const size_t len = (size_t)capture->len;
    if (!step(m, 1 + capture->len / 16) || (size_t)(m->text_end - s) < len ||
        memcmp(s, capture->at, len) != 0) {
        return NULL;
    }
    return s + len;
}

/* The items that begin with "%" and stand for more than one character. True when there is one at
 * `*p`: then `*s` is behind what it matched, or NULL, and `*p` behind the item. */
static bool special(struct ng_pattern *m, const char **s, const char **p) {
    const char *at = *p;
    if (*at != '%' || at + 1 >= m->pattern_end) {
        return false;
    }
    if (at[1] == 'b') {
        *s = balanced(m, *s, at);
        *p = at + 4;
    } else if (at[1] == 'f') {
        if (at + 2 >= m->pattern_end || at[2] != '[') {
            *s = wrong(m, "missing '[' after '%f' in pattern");
            return true;
        }
        const char *end = set_end(m, at + 2);
        *s = end != NULL && at_frontier(m, *s, at + 2, end) ? *s : NULL;
        *p = end;
    } else if (isdigit((unsigned char)at[1])) {
        *s = again(m, *s, at[1]);
        *p = at + 2;
    } else {
        return false;
    }
    return true;
}

/* An item with what stands behind it. True: go on with `*s` and `*p`; else `*found` is the answer.
 */
static bool item(struct ng_pattern *m, const char **s, const char **p, const char **found) {
    const char *end = item_end(m, *p);
    *found = NULL;
    if (end == NULL) {
        return false;
    }
    switch (end < m->pattern_end ? *end : '\0') {
    case '?':
        if (fits(m, *s, *p, end)) {
            *found = match(m, *s + 1, end + 1);
            if (*found != NULL) {
                return false;
            }
        }
        *p = end + 1;
        return step(m, 1);
    case '+':
        *found = fits(m, *s, *p, end) ? longest(m, *s + 1, *p, end, end + 1) : NULL;
        return false;
    case '*':
        *found = longest(m, *s, *p, end, end + 1);
        return false;
    case '-':
        *found = shortest(m, *s, *p, end, end + 1);
        return false;
    default:
        if (!fits(m, *s, *p, end)) {
            return false;
        }
        *s += 1;
        *p = end;
        return true;
    }
}

/* The end of a match of the rest of the pattern at `s`. */
static const char *match_here(struct ng_pattern *m, const char *s, const char *p) {
    const char *found = NULL;
    while (step(m, 1)) {
        if (p == m->pattern_end) {
            return s;
        }
        if (*p == '(') {
            return open_capture(m, s, p);
        }
        if (*p == ')') {
            return close_capture(m, s, p);
        }
        if (*p == '$' && p + 1 == m->pattern_end) {
            return s == m->text_end ? s : NULL;
        }
        if (special(m, &s, &p)) {
            if (s == NULL) {
                return NULL;
            }
        } else if (!item(m, &s, &p, &found)) {
            return found;
        }
    }
    return NULL;
}

static const char *match(struct ng_pattern *m, const char *s, const char *p) {
    if (++m->depth > NG_PATTERN_DEPTH_MAX) {
        return wrong(m, "pattern too complex");
    }
    const char *found = match_here(m, s, p);
    m->depth--;
    return found;
}

const char *ng_pattern_match(struct ng_pattern *pattern, const char *at) {
    pattern->capture_count = 0;
    pattern->depth = 0;
    const char *end = match(pattern, at, pattern->pattern);
    for (int i = 0; end != NULL && i < pattern->capture_count; i++) {
        if (pattern->captures[i].len == NG_PATTERN_OPEN) {
            return wrong(pattern, "unfinished capture");
        }
    }
    return end;
}
