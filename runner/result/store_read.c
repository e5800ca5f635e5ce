/* store_read.c - JSON text back into a result, by the tables of shape.h; strict, with places. */
#include "runner/result/store.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runner/base/files.h"
#include "runner/result/shape.h"
#include "runner/result/unit_text.h"

static bool read_object(struct ng_arena *arena, const struct ng_shape *shape, const json_t *json,
    char *object, struct ng_err *err);

static const char *type_word(const json_t *json) {
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
        return "a whole number";
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    case JSON_NULL:
        return "null";
    }
    return "something else";
}

static bool wrong(const json_t *json, const char *expected, struct ng_err *err) {
    return ng_err_set(err, NG_ERR_FORMAT, "expected %s, found %s", expected, type_word(json));
}

static bool read_text(struct ng_arena *arena, const struct ng_member *member, const json_t *json,
    char *at, struct ng_err *err) {
    const char *text = NULL;
    if (json_is_string(json)) {
        text = ng_arena_strdup(arena, json_string_value(json));
    } else if (!json_is_null(json) || !member->optional) {
        return wrong(json, member->optional ? "a text or null" : "a text", err);
    }
    memcpy(at, &text, sizeof text);
    return true;
}

static bool read_integer(
    const struct ng_member *member, const json_t *json, char *at, struct ng_err *err) {
    int64_t max = member->kind == NG_MEMBER_INT ? INT_MAX : INT64_MAX;
    int64_t value = json_integer_value(json);
    if (!json_is_integer(json) && !(json_is_null(json) && member->optional)) {
        return wrong(json, "a whole number", err);
    }
    if (value < 0 || value > max) {
        return ng_err_set(
            err, NG_ERR_FORMAT, "expected 0 .. %lld, found %lld", (long long)max, (long long)value);
    }
    if (json_is_integer(json) && member->optional && value == 0) {
        return ng_err_set(err, NG_ERR_FORMAT, "expected null where there is none, found 0");
    }
    if (member->kind == NG_MEMBER_INT) {
        int small = (int)value;
        memcpy(at, &small, sizeof small);
    } else {
        memcpy(at, &value, sizeof value);
    }
    return true;
}

static bool read_real(const json_t *json, char *at, struct ng_err *err) {
    double value = (double)NAN;
    if (json_is_number(json)) {
        value = json_number_value(json);
    } else if (!json_is_null(json)) {
        return wrong(json, "a number or null", err);
    }
    memcpy(at, &value, sizeof value);
    return true;
}

static bool read_seed(const json_t *json, char *at, struct ng_err *err) {
    const char *text = json_is_string(json) ? json_string_value(json) : "";
    size_t digits = strspn(text, "0123456789");
    errno = 0;
    uint64_t value = strtoull(text, NULL, 10);
    if (digits == 0 || text[digits] != '\0' || errno != 0 || (digits > 1 && text[0] == '0')) {
        return ng_err_set(err, NG_ERR_FORMAT, "expected a decimal number of 64 bits as a text");
    }
    memcpy(at, &value, sizeof value);
    return true;
}

static bool read_word(
    const struct ng_member *member, const json_t *json, char *at, struct ng_err *err) {
    const char *text = json_string_value(json);
    for (int i = 0; text != NULL && member->words[i] != NULL; i++) {
        if (strcmp(text, member->words[i]) == 0) {
            memcpy(at, &i, sizeof i);
            return true;
        }
    }
    return ng_err_set(err, NG_ERR_FORMAT, "expected a word such as \"%s\", found %s%.40s%s",
        member->words[0], text != NULL ? "\"" : "", text != NULL ? text : type_word(json),
        text != NULL ? "\"" : "");
}

static bool read_unit(const json_t *json, char *at, struct ng_err *err) {
    struct ng_dim dim;
    if (!json_is_string(json) || !ng_unit_text_read(json_string_value(json), &dim)) {
        return ng_err_set(err, NG_ERR_FORMAT, "expected a unit such as \"byte/s\"");
    }
    memcpy(at, &dim, sizeof dim);
    return true;
}

static bool read_bool(const json_t *json, char *at, struct ng_err *err) {
    if (!json_is_boolean(json)) {
        return wrong(json, "true or false", err);
    }
    bool value = json_is_true(json);
    memcpy(at, &value, sizeof value);
    return true;
}

/** One element of an array, of `size` bytes at `at`. */
static bool read_element(struct ng_arena *arena, const struct ng_member *member, const json_t *json,
    char *at, struct ng_err *err) {
    static const struct ng_member plain = {.kind = NG_MEMBER_TEXT};
    if (member->kind == NG_MEMBER_LIST) {
        return read_object(arena, member->items, json, at, err);
    }
    if (member->kind == NG_MEMBER_TEXTS) {
        return read_text(arena, &plain, json, at, err);
    }
    if (member->kind == NG_MEMBER_REALS) {
        return read_real(json, at, err);
    }
    json_int_t value = json_integer_value(json);
    if (!json_is_integer(json) || value < 0 || value > UINT_MAX) {
        return ng_err_set(err, NG_ERR_FORMAT, "expected a whole number from 0 to %u", UINT_MAX);
    }
    unsigned id = (unsigned)value;
    memcpy(at, &id, sizeof id);
    return true;
}

static bool read_array(struct ng_arena *arena, const struct ng_member *member, const json_t *json,
    char *object, struct ng_err *err) {
    if (!json_is_array(json)) {
        return wrong(json, "a list", err);
    }
    size_t count = json_array_size(json);
    size_t size = member->kind == NG_MEMBER_LIST    ? member->items->size
                  : member->kind == NG_MEMBER_TEXTS ? sizeof(const char *)
                  : member->kind == NG_MEMBER_REALS ? sizeof(double)
                                                    : sizeof(unsigned);
    char *items = count > 0 ? ng_arena_array(arena, count, size) : NULL;
    for (size_t i = 0; i < count; i++) {
        if (!read_element(arena, member, json_array_get(json, i), items + i * size, err)) {
            return ng_err_wrap(err, "[%zu]", i);
        }
    }
    memcpy(object + member->offset, &items, sizeof items);
    memcpy(object + member->count, &count, sizeof count);
    memcpy(object + member->capacity, &count, sizeof count);
    return true;
}

static bool read_value(struct ng_arena *arena, const struct ng_member *member, const json_t *json,
    char *object, struct ng_err *err) {
    char *at = object + member->offset;
    switch (member->kind) {
    case NG_MEMBER_FORMAT:
    case NG_MEMBER_VERSION: // both were looked at first
        return true;
    case NG_MEMBER_TIME: // the nanoseconds beside it count
        return json_is_string(json) || json_is_null(json) || wrong(json, "a text or null", err);
    case NG_MEMBER_TEXT:
        return read_text(arena, member, json, at, err);
    case NG_MEMBER_BOOL:
        return read_bool(json, at, err);
    case NG_MEMBER_INT:
    case NG_MEMBER_INT64:
        return read_integer(member, json, at, err);
    case NG_MEMBER_SEED:
        return read_seed(json, at, err);
    case NG_MEMBER_REAL:
        return read_real(json, at, err);
    case NG_MEMBER_UNIT:
        return read_unit(json, at, err);
    case NG_MEMBER_WORD:
        return read_word(member, json, at, err);
    case NG_MEMBER_LIST:
    case NG_MEMBER_TEXTS:
    case NG_MEMBER_IDS:
    case NG_MEMBER_REALS:
        return read_array(arena, member, json, object, err);
    }
    return false;
}

/** Names the first key that the shape does not know. */
static bool unknown_key(const struct ng_shape *shape, const json_t *json, struct ng_err *err) {
    void *iter = json_object_iter((json_t *)(uintptr_t)json);
    while (iter != NULL) {
        const char *key = json_object_iter_key(iter);
        bool known = false;
        for (size_t i = 0; i < shape->count && !known; i++) {
            known = strcmp(shape->members[i].key, key) == 0;
        }
        if (!known) {
            return ng_err_set(err, NG_ERR_FORMAT, "unknown key \"%.60s\"", key);
        }
        iter = json_object_iter_next((json_t *)(uintptr_t)json, iter);
    }
    return true;
}

static bool read_object(struct ng_arena *arena, const struct ng_shape *shape, const json_t *json,
    char *object, struct ng_err *err) {
    if (!json_is_object(json)) {
        return wrong(json, "an object", err);
    }
    for (size_t i = 0; i < shape->count; i++) {
        const struct ng_member *member = &shape->members[i];
        const json_t *value = json_object_get(json, member->key);
        if (value == NULL) {
            return ng_err_set(err, NG_ERR_FORMAT, "the key \"%s\" is missing", member->key);
        }
        if (!read_value(arena, member, value, object, err)) {
            return ng_err_wrap(err, "%s", member->key);
        }
    }
    return json_object_size(json) == shape->count || unknown_key(shape, json, err);
}

static bool check_head(const json_t *json, struct ng_err *err) {
    const char *format = json_string_value(json_object_get(json, "format"));
    const json_t *version = json_object_get(json, "version");
    if (format == NULL || strcmp(format, NG_RESULT_FORMAT) != 0) {
        return ng_err_set(err, NG_ERR_FORMAT,
            "this is no result of nasgate: expected \"format\": \"%s\"", NG_RESULT_FORMAT);
    }
    if (!json_is_integer(version) || json_integer_value(version) != NG_RESULT_VERSION) {
        return ng_err_set(err, NG_ERR_FORMAT,
            "the result has version %lld, this nasgate reads version %d: use the nasgate that "
            "wrote "
            "it",
            (long long)json_integer_value(version), NG_RESULT_VERSION);
    }
    return true;
}

struct ng_result *ng_result_read(const char *text, size_t len, struct ng_err *err) {
    if (len > NG_RESULT_BYTES_MAX) {
        ng_err_set(err, NG_ERR_LIMIT, "the result is larger than %d bytes", NG_RESULT_BYTES_MAX);
        return NULL;
    }
    json_error_t where;
    json_t *json = json_loadb(text, len, JSON_REJECT_DUPLICATES, &where);
    if (json == NULL) {
        ng_err_set(
            err, NG_ERR_FORMAT, "line %d, column %d: %s", where.line, where.column, where.text);
        return NULL;
    }
    struct ng_result *result = ng_result_new();
    if (!check_head(json, err) ||
        !read_object(&result->arena, &ng_shape_result, json, (char *)result, err)) {
        ng_result_free(result);
        result = NULL;
    }
    json_decref(json);
    return result;
}

struct ng_result *ng_result_load(const char *path, struct ng_err *err) {
    struct stat status;
    struct ng_buf file;
    ng_buf_init(&file, NG_RESULT_PATH_MAX);
    ng_buf_adds(&file, path);
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        ng_buf_addf(&file, "/%s", NG_RESULT_FILE);
    }
    char *text = NULL;
    size_t len = 0;
    struct ng_result *result = NULL;
    if (file.cut > 0) {
        ng_err_set(err, NG_ERR_LIMIT, "the path of the result is longer than %d bytes",
            NG_RESULT_PATH_MAX);
    } else if (ng_file_read(ng_buf_text(&file), NG_RESULT_BYTES_MAX, &text, &len, err)) {
        result = ng_result_read(text, len, err);
        if (result == NULL) {
            ng_err_wrap(err, "%s", ng_buf_text(&file));
        }
        free(text);
    }
    ng_buf_release(&file);
    return result;
}
