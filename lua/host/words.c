/* Helpers for texts: lines, fields, keys with values, quantities. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "lua/host/api.h"
#include "lua/host/json.h"
#include "runner/base/units.h"

/* The next line of the first upvalue, from the offset in the second on. */
static int next_line(lua_State *L) {
    size_t len = 0;
    const char *text = lua_tolstring(L, lua_upvalueindex(1), &len);
    const size_t at = (size_t)lua_tointeger(L, lua_upvalueindex(2));
    if (at >= len) {
        return 0;
    }
    const char *end = memchr(text + at, '\n', len - at);
    const size_t stop = end != NULL ? (size_t)(end - text) : len;
    lua_pushinteger(L, (lua_Integer)stop + 1);
    lua_replace(L, lua_upvalueindex(2));
    const bool cr = stop > at && text[stop - 1] == '\r';
    lua_pushlstring(L, text + at, stop - at - cr);
    return 1;
}

static int text_lines(lua_State *L) {
    luaL_checkstring(L, 1);
    lua_settop(L, 1);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, next_line, 2);
    return 1;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static int by_blanks(lua_State *L, const char *text, size_t len) {
    lua_Integer count = 0;
    for (size_t at = 0; at < len;) {
        while (at < len && is_blank(text[at])) {
            at++;
        }
        const size_t start = at;
        while (at < len && !is_blank(text[at])) {
            at++;
        }
        if (at > start) {
            lua_pushlstring(L, text + start, at - start);
            lua_rawseti(L, -2, ++count);
        }
    }
    return 1;
}

static int text_fields(lua_State *L) {
    size_t len = 0;
    size_t gap_len = 0;
    const char *text = luaL_checklstring(L, 1, &len);
    const char *gap = luaL_optlstring(L, 2, NULL, &gap_len);
    ng_lua_pay(L, 1 + (int64_t)(len / 16));
    lua_newtable(L);
    if (gap == NULL) {
        return by_blanks(L, text, len);
    }
    luaL_argcheck(L, gap_len > 0, 2, "an empty text separates nothing");
    for (lua_Integer count = 1;; count++) {
        const char *end = memmem(text, len, gap, gap_len);
        const size_t part = end != NULL ? (size_t)(end - text) : len;
        lua_pushlstring(L, text, part);
        lua_rawseti(L, -2, count);
        if (end == NULL) {
            return 1;
        }
        text = end + gap_len;
        len -= part + gap_len;
    }
}

/* Pushes a piece without blanks at its ends. */
static void push_trimmed(lua_State *L, const char *text, size_t len) {
    while (len > 0 && is_blank(text[0])) {
        text++;
        len--;
    }
    while (len > 0 && is_blank(text[len - 1])) {
        len--;
    }
    lua_pushlstring(L, text, len);
}

static int text_trim(lua_State *L) {
    size_t len = 0;
    const char *text = luaL_checklstring(L, 1, &len);
    push_trimmed(L, text, len);
    return 1;
}

/* KEY="VALUE", as in /etc/os-release: a pair of quotes around all of it is none of the value. */
static void push_value(lua_State *L, const char *text, size_t len) {
    push_trimmed(L, text, len);
    const char *value = lua_tolstring(L, -1, &len);
    if (len >= 2 && (value[0] == '"' || value[0] == '\'') && value[len - 1] == value[0] &&
        memchr(value + 1, value[0], len - 2) == NULL) {
        lua_pushlstring(L, value + 1, len - 2);
        lua_remove(L, -2);
    }
}

static int text_pairs(lua_State *L) {
    size_t len = 0;
    size_t mark_len = 0;
    const char *text = luaL_checklstring(L, 1, &len);
    const char *mark = luaL_optlstring(L, 2, "=", &mark_len);
    luaL_argcheck(L, mark_len > 0, 2, "an empty text separates nothing");
    ng_lua_pay(L, 1 + (int64_t)(len / 16));
    lua_newtable(L);
    while (len > 0) {
        const char *end = memchr(text, '\n', len);
        const size_t line = end != NULL ? (size_t)(end - text) : len;
        const char *at = memmem(text, line, mark, mark_len);
        if (at != NULL) {
            push_trimmed(L, text, (size_t)(at - text));
            push_value(L, at + mark_len, line - (size_t)(at - text) - mark_len);
            lua_rawset(L, -3);
        }
        text += line + (end != NULL);
        len -= line + (end != NULL);
    }
    return 1;
}

static int text_quantity(lua_State *L) {
    struct ng_quantity quantity;
    struct ng_err err = {0};
    if (!ng_quantity_parse(luaL_checkstring(L, 1), &quantity, &err)) {
        lua_pushnil(L);
        lua_pushstring(L, err.text);
        return 2;
    }
    lua_pushnumber(L, quantity.value);
    lua_pushstring(L, ng_dim_word(quantity.dim));
    return 2;
}

static int text_amount(lua_State *L) {
    static const struct {
        const char *word;
        struct ng_dim dim;
    } dims[] = {{"number", {0, 0}}, {"size", {1, 0}}, {"duration", {0, 1}}, {"rate", {1, -1}},
        {"IOPS", {0, -1}}};
    char text[NG_QUANTITY_TEXT];
    const double value = luaL_checknumber(L, 1);
    const char *word = luaL_optstring(L, 2, "number");
    for (size_t i = 0; i < NG_COUNT(dims); i++) {
        if (strcmp(dims[i].word, word) == 0) {
            lua_pushstring(L, ng_quantity_format((struct ng_quantity){value, dims[i].dim}, text));
            return 1;
        }
    }
    return luaL_error(L, "amount: \"%s\" is none of number, size, duration, rate, IOPS", word);
}

const struct ng_lua_name ng_lua_text_names[] = {
    {NULL, "lines", text_lines, "for line in lines(text) do",
        "The lines of a text, without their ends.",
        "local count = 0\n"
        "for line in lines(\"a\\nb\\r\\n\") do count = count + 1 end\n"
        "assert(count == 2)"},
    {NULL, "fields", text_fields, "fields(text [, separator])",
        "The words of a text as a list; with a separator, what stands between.",
        "assert(fields(\" md2  active raid6 \")[3] == \"raid6\")\n"
        "assert(#fields(\"a,,b\", \",\") == 3)"},
    {NULL, "trim", text_trim, "trim(text)", "A text without blanks at its ends.",
        "assert(trim(\"  on \\n\") == \"on\")"},
    {NULL, "keyvalues", text_pairs, "keyvalues(text [, separator])",
        "The lines that are KEY = VALUE as a table; other lines are left out, and the last of "
        "equal "
        "keys counts. The separator is \"=\" unless given; quotes around a whole value are taken "
        "off.",
        "local set = keyvalues(\"rx-usecs: 20\\ntx-usecs: 0\\n\", \":\")\n"
        "assert(set[\"rx-usecs\"] == \"20\")"},
    {NULL, "json", ng_json, "json(text)",
        "The value of a JSON text: tables, texts, numbers, true and false; null is nil. What "
        "stands "
        "behind the value is left out. Gives nil and the reason for what is no JSON.",
        "assert(json('{\"a\": [1, 2]}').a[2] == 2)"},
    {NULL, "quantity", text_quantity, "quantity(text)",
        "A number with its unit, in base units (bytes, seconds, bytes per second), and the word "
        "for "
        "its dimension. Gives nil and the reason for anything else.",
        "local bytes, what = quantity(\"2 KiB\")\n"
        "assert(bytes == 2048 and what == \"size\")"},
    {NULL, "amount", text_amount, "amount(number [, dimension])",
        "The text of a number in base units for people: size, duration, rate, IOPS or number.",
        "assert(amount(2048, \"size\") == \"2 KiB\")"},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
