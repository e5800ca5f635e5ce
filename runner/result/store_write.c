/* store_write.c - a result as JSON text, by the tables of shape.h. */
#include "runner/result/store.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "runner/base/clock.h"
#include "runner/base/files.h"
#include "runner/base/text.h"
#include "runner/result/shape.h"
#include "runner/result/unit_text.h"

static void write_object(
    struct ng_buf *out, const struct ng_shape *shape, const char *object, int depth);

/** A JSON string. Bytes that are not UTF-8 become U+FFFD: texts should be clean, files must be. */
static void write_text(struct ng_buf *out, const char *text) {
    size_t left = strlen(text);
    ng_buf_addc(out, '"');
    while (left > 0) {
        size_t good = left;
        size_t bad = 0;
        if (!ng_utf8_valid(text, left, &bad)) {
            good = bad;
        }
        for (size_t i = 0; i < good; i++) {
            unsigned char c = (unsigned char)text[i];
            if (c == '"' || c == '\\') {
                ng_buf_addc(out, '\\');
            }
            if (c < 0x20) {
                ng_buf_addf(out, "\\u%04x", c);
            } else {
                ng_buf_addc(out, (char)c);
            }
        }
        if (good < left) {
            ng_buf_adds(out, "\xEF\xBF\xBD");
            good++;
        }
        text += good;
        left -= good;
    }
    ng_buf_addc(out, '"');
}

/** A number that no reader takes for an integer, so that it never overflows one. */
static void write_real(struct ng_buf *out, double value) {
    char text[NG_QUANTITY_TEXT];
    ng_number_format(value, text);
    ng_buf_adds(out, text);
    if (isfinite(value) && strpbrk(text, ".eE") == NULL) {
        ng_buf_adds(out, ".0");
    }
}

static void line_break(struct ng_buf *out, int depth) {
    ng_buf_addf(out, "\n%*s", depth * 2, "");
}

static size_t array_count(const struct ng_member *member, const char *object) {
    size_t count;
    memcpy(&count, object + member->count, sizeof count);
    return count;
}

/** An array of numbers stands on one line. */
static bool is_flat(const struct ng_member *member) {
    return member->kind == NG_MEMBER_IDS || member->kind == NG_MEMBER_REALS;
}

static void write_flat(
    struct ng_buf *out, const struct ng_member *member, const char *items, size_t i) {
    unsigned id;
    double real;
    if (member->kind == NG_MEMBER_IDS) {
        memcpy(&id, items + i * sizeof id, sizeof id);
        ng_buf_addf(out, "%u", id);
    } else {
        memcpy(&real, items + i * sizeof real, sizeof real);
        write_real(out, real);
    }
}

static void write_array(
    struct ng_buf *out, const struct ng_member *member, const char *object, int depth) {
    size_t count = array_count(member, object);
    const char *items;
    memcpy(&items, object + member->offset, sizeof items);
    ng_buf_addc(out, '[');
    for (size_t i = 0; i < count; i++) {
        if (is_flat(member)) {
            ng_buf_adds(out, i > 0 ? ", " : "");
            write_flat(out, member, items, i);
            continue;
        }
        ng_buf_adds(out, i > 0 ? "," : "");
        line_break(out, depth + 1);
        if (member->kind == NG_MEMBER_TEXTS) {
            const char *text;
            memcpy(&text, items + i * sizeof text, sizeof text);
            write_text(out, text);
        } else {
            write_object(out, member->items, items + i * member->items->size, depth + 1);
        }
    }
    if (count > 0 && !is_flat(member)) {
        line_break(out, depth);
    }
    ng_buf_addc(out, ']');
}

static void write_integer(struct ng_buf *out, const struct ng_member *member, const char *at) {
    int64_t value = 0;
    if (member->kind == NG_MEMBER_INT) {
        int small;
        memcpy(&small, at, sizeof small);
        value = small;
    } else {
        memcpy(&value, at, sizeof value);
    }
    if (member->optional && value == 0) {
        ng_buf_adds(out, "null");
    } else if (member->kind == NG_MEMBER_TIME) {
        char text[NG_TIME_TEXT];
        write_text(out, ng_time_format(value, text));
    } else {
        ng_buf_addf(out, "%" PRId64, value);
    }
}

static void write_string(struct ng_buf *out, const struct ng_member *member, const char *at) {
    const char *text;
    memcpy(&text, at, sizeof text);
    if (text != NULL || !member->optional) {
        write_text(out, text != NULL ? text : "");
    } else {
        ng_buf_adds(out, "null");
    }
}

static void write_word(struct ng_buf *out, const struct ng_member *member, const char *at) {
    int value;
    memcpy(&value, at, sizeof value);
    int known = 0;
    while (member->words[known] != NULL) {
        known++;
    }
    write_text(out, value >= 0 && value < known ? member->words[value] : "");
}

static void write_value(
    struct ng_buf *out, const struct ng_member *member, const char *object, int depth) {
    const char *at = object + member->offset;
    char unit[NG_UNIT_TEXT];
    double real;
    bool flag;
    uint64_t seed;
    struct ng_dim dim;
    switch (member->kind) {
    case NG_MEMBER_FORMAT:
        write_text(out, NG_RESULT_FORMAT);
        break;
    case NG_MEMBER_VERSION:
        ng_buf_addf(out, "%d", NG_RESULT_VERSION);
        break;
    case NG_MEMBER_TEXT:
        write_string(out, member, at);
        break;
    case NG_MEMBER_BOOL:
        memcpy(&flag, at, sizeof flag);
        ng_buf_adds(out, flag ? "true" : "false");
        break;
    case NG_MEMBER_INT:
    case NG_MEMBER_INT64:
    case NG_MEMBER_TIME:
        write_integer(out, member, at);
        break;
    case NG_MEMBER_SEED:
        memcpy(&seed, at, sizeof seed);
        ng_buf_addf(out, "\"%" PRIu64 "\"", seed);
        break;
    case NG_MEMBER_REAL:
        memcpy(&real, at, sizeof real);
        write_real(out, real);
        break;
    case NG_MEMBER_UNIT:
        memcpy(&dim, at, sizeof dim);
        write_text(out, ng_unit_text(dim, unit));
        break;
    case NG_MEMBER_WORD:
        write_word(out, member, at);
        break;
    case NG_MEMBER_LIST:
    case NG_MEMBER_TEXTS:
    case NG_MEMBER_IDS:
    case NG_MEMBER_REALS:
        write_array(out, member, object, depth);
        break;
    }
}

static void write_object(
    struct ng_buf *out, const struct ng_shape *shape, const char *object, int depth) {
    ng_buf_addc(out, '{');
    for (size_t i = 0; i < shape->count; i++) {
        ng_buf_adds(out, i == 0 ? "" : shape->one_line ? ", " : ",");
        if (!shape->one_line) {
            line_break(out, depth + 1);
        }
        write_text(out, shape->members[i].key);
        ng_buf_adds(out, ": ");
        write_value(out, &shape->members[i], object, depth + 1);
    }
    if (!shape->one_line) {
        line_break(out, depth);
    }
    ng_buf_addc(out, '}');
}

void ng_result_write(const struct ng_result *result, struct ng_buf *out) {
    write_object(out, &ng_shape_result, (const char *)result, 0);
    ng_buf_addc(out, '\n');
}

static bool save(const struct ng_result *result, const char *dir,
    bool (*write_file)(const char *, const void *, size_t, struct ng_err *), struct ng_err *err) {
    struct ng_buf text;
    struct ng_buf path;
    ng_buf_init(&text, NG_RESULT_BYTES_MAX);
    ng_buf_init(&path, NG_RESULT_PATH_MAX);
    ng_buf_addf(&path, "%s/%s", dir, NG_RESULT_FILE);
    ng_result_write(result, &text);
    bool ok = false;
    if (path.cut > 0) {
        ng_err_set(err, NG_ERR_LIMIT, "the path of the output folder is longer than %d bytes",
            NG_RESULT_PATH_MAX);
    } else if (text.cut > 0) {
        ng_err_set(err, NG_ERR_LIMIT, "%s would be larger than %d bytes: not written",
            ng_buf_text(&path), NG_RESULT_BYTES_MAX);
    } else {
        ok = write_file(ng_buf_text(&path), text.data, text.len, err);
    }
    ng_buf_release(&path);
    ng_buf_release(&text);
    return ok;
}

bool ng_result_save(const struct ng_result *result, const char *dir, struct ng_err *err) {
    return save(result, dir, ng_file_write_atomic, err);
}

bool ng_result_checkpoint(const struct ng_result *result, const char *dir, struct ng_err *err) {
    return save(result, dir, ng_file_write_quick, err);
}
