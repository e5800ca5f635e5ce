/** jsonscan.c - finding, repairing and reading the JSON objects in a text. */
#include "runner/base/jsonscan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/arena.h"
#include "runner/base/json_text.h"

/** One attempt to read an object. */
struct attempt {
    struct ng_json_cursor cursor;
    struct ng_buf string; /* the last string that was read */
    size_t string_at;     /* where its quotes are: opening, and one past the closing one */
    size_t string_end;
    int depth;
};

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/** Skips white space; the character that follows, or NUL with *got END at the end of the text. */
static char peek(struct ng_json_cursor *cursor, enum ng_json_got *got) {
    while (cursor->at < cursor->len && is_space(cursor->text[cursor->at])) {
        cursor->at++;
    }
    *got = cursor->at < cursor->len ? NG_JSON_BAD : NG_JSON_END;
    return cursor->at < cursor->len ? cursor->text[cursor->at] : '\0';
}

static json_t *not_null(json_t *json) {
    if (json == NULL) {
        ng_oom();
    }
    return json;
}

static enum ng_json_got read_string(struct attempt *attempt) {
    attempt->string_at = attempt->cursor.at;
    enum ng_json_got got = ng_json_read_string(&attempt->cursor, &attempt->string);
    attempt->string_end = attempt->cursor.at;
    return got;
}

/**
 * The name under which the key just read is stored. `*counts` (key -> occurrences, made on demand)
 * keeps renaming linear.
 */
static char *unique_key(const json_t *object, json_t **counts, const char *key) {
    if (json_object_get(object, key) == NULL) {
        return ng_xstrdup(key);
    }
    if (*counts == NULL) {
        *counts = not_null(json_object());
    }
    json_int_t n = json_integer_value(json_object_get(*counts, key));
    n = n == 0 ? 1 : n;
    struct ng_buf name;
    ng_buf_init(&name, SIZE_MAX);
    do { /* the plain text "key#2" may be taken as well */
        n++;
        ng_buf_clear(&name);
        ng_buf_addf(&name, "%s#%" JSON_INTEGER_FORMAT, key, n);
    } while (json_object_get(object, ng_buf_text(&name)) != NULL);
    if (json_object_set_new_nocheck(*counts, key, not_null(json_integer(n))) != 0) {
        ng_oom();
    }
    return ng_buf_detach(&name);
}

static enum ng_json_got read_value(struct attempt *attempt, json_t **out);

/** "key": value */
static enum ng_json_got read_member(struct attempt *attempt, json_t *object, json_t **counts) {
    enum ng_json_got got;
    if (peek(&attempt->cursor, &got) != '"') {
        return got;
    }
    got = read_string(attempt);
    if (got != NG_JSON_GOT) {
        return got;
    }
    if (peek(&attempt->cursor, &got) != ':') {
        return got;
    }
    attempt->cursor.at++;
    char *key = unique_key(object, counts, ng_buf_text(&attempt->string));
    json_t *value = NULL;
    got = read_value(attempt, &value);
    if (got == NG_JSON_GOT && json_object_set_new_nocheck(object, key, value) != 0) {
        ng_oom();
    }
    free(key);
    return got;
}

/** Items up to the closing bracket, with commas between them; the cursor is behind the opening one.
 */
static enum ng_json_got read_items(
    struct attempt *attempt, json_t *container, json_t **counts, char close) {
    enum ng_json_got got;
    if (peek(&attempt->cursor, &got) == close) {
        attempt->cursor.at++;
        return NG_JSON_GOT;
    }
    for (;;) {
        if (close == '}') {
            got = read_member(attempt, container, counts);
        } else {
            json_t *value = NULL;
            got = read_value(attempt, &value);
            if (got == NG_JSON_GOT && json_array_append_new(container, value) != 0) {
                ng_oom();
            }
        }
        if (got != NG_JSON_GOT) {
            return got;
        }
        char c = peek(&attempt->cursor, &got);
        if (c != close && c != ',') {
            return got;
        }
        attempt->cursor.at++;
        if (c == close) {
            return NG_JSON_GOT;
        }
    }
}

static enum ng_json_got read_container(struct attempt *attempt, char open, json_t **out) {
    if (attempt->depth >= NG_JSON_DEPTH_MAX) {
        return NG_JSON_DEEP;
    }
    attempt->depth++;
    attempt->cursor.at++;
    enum ng_json_got got;
    char c = peek(&attempt->cursor, &got);
    if (open == '{' && c != '"' && c != '}') { /* most braces in prose; not worth an allocation */
        return got;
    }
    json_t *counts = NULL;
    json_t *container = not_null(open == '{' ? json_object() : json_array());
    got = read_items(attempt, container, &counts, open == '{' ? '}' : ']');
    json_decref(counts);
    if (got == NG_JSON_GOT) {
        attempt->depth--;
        *out = container;
    } else {
        json_decref(container);
    }
    return got;
}

static enum ng_json_got read_value(struct attempt *attempt, json_t **out) {
    enum ng_json_got got;
    char c = peek(&attempt->cursor, &got);
    if (c == '{' || c == '[') {
        return read_container(attempt, c, out);
    }
    if (c != '"') {
        return got == NG_JSON_END ? got : ng_json_read_scalar(&attempt->cursor, out);
    }
    got = read_string(attempt);
    if (got == NG_JSON_GOT) {
        *out = not_null(json_stringn_nocheck(ng_buf_text(&attempt->string), attempt->string.len));
    }
    return got;
}

/** Walks to the end of an object that is nested too deeply, from inside `depth` brackets. */
static enum ng_json_got skip_deep(struct attempt *attempt) {
    struct ng_json_cursor *cursor = &attempt->cursor;
    int64_t depth = attempt->depth;
    while (cursor->at < cursor->len) {
        char c = cursor->text[cursor->at];
        if (c == '"') {
            if (read_string(attempt) != NG_JSON_GOT) {
                return NG_JSON_END;
            }
            continue;
        }
        cursor->at++;
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        if (depth == 0) {
            return NG_JSON_DEEP;
        }
    }
    return NG_JSON_END;
}

/**
 * Where to look for the next object after a failure. Everything up to the failure was well-formed
 * and belongs to the broken object, except when it broke right behind a string with a brace in it:
 * then a lone quote in prose most likely made a string of what lies before a real object. (Such a
 * brace can be reached again only over white space, so all retries together stay linear.)
 */
static size_t resume_at(const struct attempt *attempt) {
    const struct ng_json_cursor *cursor = &attempt->cursor;
    size_t at = attempt->string_end;
    while (at < cursor->at && is_space(cursor->text[at])) {
        at++;
    }
    if (attempt->string_end == 0 || at != cursor->at) {
        return cursor->at;
    }
    const char *quote = cursor->text + attempt->string_at;
    const char *brace = memchr(quote, '{', attempt->string_end - attempt->string_at);
    return brace == NULL ? cursor->at : (size_t)(brace - cursor->text);
}

/** Reads the object at `*at` and moves `*at` to where to go on. */
static enum ng_json_got try_object(
    const char *text, size_t len, struct ng_buf *string, size_t *at, json_t **out) {
    struct attempt attempt = {.cursor = {text, len, *at}, .string = *string};
    enum ng_json_got got = read_container(&attempt, '{', out);
    if (got == NG_JSON_DEEP) {
        got = skip_deep(&attempt);
    }
    *at = got == NG_JSON_BAD ? resume_at(&attempt) : attempt.cursor.at;
    *string = attempt.string;
    return got;
}

static void keep(struct ng_jsonscan *scan, json_t *doc) {
    if (scan->count < NG_JSON_DOCS_MAX) {
        scan->docs[scan->count] = doc;
        scan->count++;
    } else {
        json_decref(doc);
        scan->dropped++;
    }
}

void ng_jsonscan_init(struct ng_jsonscan *scan, const char *text, size_t len) {
    *scan = (struct ng_jsonscan){0};
    ng_buf_init(&scan->rest, NG_JSON_REST_MAX);
    struct ng_buf string;
    ng_buf_init(&string, SIZE_MAX);
    size_t at = 0, rest_from = 0;
    while (at < len) {
        const char *brace = memchr(text + at, '{', len - at);
        if (brace == NULL) {
            break;
        }
        size_t start = (size_t)(brace - text);
        json_t *doc = NULL;
        at = start;
        enum ng_json_got got = try_object(text, len, &string, &at, &doc);
        if (got == NG_JSON_GOT) {
            ng_buf_add(&scan->rest, text + rest_from, start - rest_from);
            rest_from = at;
            keep(scan, doc);
        } else if (got == NG_JSON_DEEP) {
            scan->dropped++;
        } else if (got == NG_JSON_END) {
            scan->truncated = true;
            break;
        }
    }
    if (rest_from < len) {
        ng_buf_add(&scan->rest, text + rest_from, len - rest_from);
    }
    ng_buf_release(&string);
}

void ng_jsonscan_release(struct ng_jsonscan *scan) {
    for (size_t i = 0; i < scan->count; i++) {
        json_decref(scan->docs[i]);
    }
    ng_buf_release(&scan->rest);
    *scan = (struct ng_jsonscan){0};
}
