/* What a script says: its outcome, numbers, and what it looked at. */
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "lua/host/api.h"
#include "lua/host/text_of.h"
#include "runner/base/text.h"
#include "runner/base/units.h"

/* What a script may say where it stands. */
static const struct {
    const char *word, *outcomes;
} places[] = {
#define X(name, word, outcomes) {word, outcomes},
    NG_SCRIPT_PLACES(X)
#undef X
};

static const char *word_of(enum ng_script_said said) {
    static const char *const words[] = {
#define X(name, word) word,
        NG_SCRIPT_SAYINGS(X)
#undef X
    };
    return words[said];
}

static int say(lua_State *L, enum ng_script_said said, bool reason_needed) {
    struct ng_script_call *call = ng_api_call(L);
    if (strstr(places[call->place].outcomes, word_of(said)) == NULL) {
        return luaL_error(L, "%s() has no meaning in %s, which can say: %s", word_of(said),
            places[call->place].word, places[call->place].outcomes);
    }
    const char *reason = ng_api_line(L, 1, !reason_needed);
    const char *remedy = ng_api_line(L, 2, true);
    luaL_argcheck(L, !reason_needed || reason[0] != '\0', 1, "say why");
    call->said = said;
    call->reason = reason;
    call->remedy = remedy[0] != '\0' ? remedy : NULL;
    return ng_lua_end(L, NG_LUA_SAID);
}

static int say_held(lua_State *L) {
    return say(L, NG_SCRIPT_HELD, false);
}

static int say_broken(lua_State *L) {
    return say(L, NG_SCRIPT_BROKEN, true);
}

static int say_unknown(lua_State *L) {
    return say(L, NG_SCRIPT_UNKNOWN, true);
}

static int say_fail(lua_State *L) {
    return say(L, NG_SCRIPT_FAIL, true);
}

static int say_skip(lua_State *L) {
    return say(L, NG_SCRIPT_SKIP, true);
}

static int say_expect(lua_State *L) {
    ng_api_call(L)->expected = ng_api_line(L, 1, false);
    return 0;
}

static int say_record(lua_State *L) {
    struct ng_script_call *call = ng_api_call(L);
    const char *key = ng_api_line(L, 1, false);
    luaL_checkany(L, 2);
    ng_text_of(L, 2, NULL);
    const char *value = ng_api_line(L, lua_gettop(L), false);
    luaL_argcheck(L, key[0] != '\0', 1, "a record needs a key");
    if (call->records.count >= NG_API_ITEMS_MAX) {
        return luaL_error(L, "record: more than %d records", NG_API_ITEMS_MAX);
    }
    ng_records_add(call->arena, &call->records, key, "%s", value);
    return 0;
}

static const char *earlier_value(const struct ng_records *records, const char *key) {
    for (size_t i = 0; records != NULL && i < records->count; i++) {
        if (strcmp(records->items[i].key, key) == 0) {
            return records->items[i].value;
        }
    }
    return NULL;
}

static int say_earlier(lua_State *L) {
    struct ng_script_call *call = ng_api_call(L);
    call->looked_back = true;
    if (lua_isnoneornil(L, 1)) {
        lua_pushboolean(L, call->earlier != NULL);
        return 1;
    }
    const char *value = earlier_value(call->earlier, luaL_checkstring(L, 1));
    if (value != NULL) {
        lua_pushstring(L, value);
    } else {
        lua_pushnil(L);
    }
    return 1;
}

static const char *nearest_metric(const struct ng_script_call *call, const char *name) {
    const char *names[NG_METRICS_MAX];
    size_t count = 0;
    for (; count < call->metric_count && count < NG_COUNT(names); count++) {
        names[count] = call->metrics[count].name;
    }
    return strlen(name) <= NG_SCRIPT_NAME_MAX ? ng_text_nearest(name, names, count) : NULL;
}

/* The metric that a script may measure by that name. */
static const struct ng_metric_def *metric_of(
    lua_State *L, const struct ng_script_call *call, const char *name) {
    for (size_t i = 0; i < call->metric_count; i++) {
        if (strcmp(call->metrics[i].name, name) == 0) {
            return &call->metrics[i];
        }
    }
    if (call->metric_count == 0) {
        luaL_error(L,
            "metric: the plan names no metrics here; metrics: {%s: UNIT} goes into the phase",
            name);
    }
    const char *near = nearest_metric(call, name);
    if (near != NULL) {
        luaL_error(L, "metric: the plan names no metric \"%s\"; did you mean \"%s\"?", name, near);
    }
    luaL_error(L, "metric: the plan names no metric \"%s\"; add it to the phase's metrics", name);
    return NULL;
}

/* A unit of a dimension, as metric() takes it; NULL: there is none that is usual. */
static const char *example_of(struct ng_dim dim) {
    static const struct {
        struct ng_dim dim;
        const char *unit;
    } rows[] = {{{0, 0}, "\"count\""}, {{1, 0}, "\"MiB\""}, {{0, 1}, "\"ms\""},
        {{1, -1}, "\"MB/s\""}, {{0, -1}, "\"IOPS\""}};
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        if (ng_dim_equal(rows[i].dim, dim)) {
            return rows[i].unit;
        }
    }
    return NULL;
}

/* What one of a unit is in base units; the dimension must be that of the metric. */
static double factor_of(lua_State *L, const struct ng_metric_def *metric, const char *unit) {
    double factor = 1;
    struct ng_dim dim = NG_DIM_NONE;
    if (strcmp(unit, "count") != 0 && unit[0] != '\0') {
        const char *hint = NULL;
        if (!ng_unit_find(unit, strlen(unit), &factor, &dim, &hint)) {
            luaL_error(L, "metric: \"%s\" is no unit%s%s%s", unit, hint != NULL ? "; write \"" : "",
                hint != NULL ? hint : "", hint != NULL ? "\"" : "");
        }
    }
    if (!ng_dim_equal(dim, metric->dim)) {
        const char *example = example_of(metric->dim);
        luaL_error(L, "metric: \"%s\" is a %s, and the plan has \"%s\" as a %s; give a unit%s%s",
            unit, ng_dim_word(dim), metric->name, ng_dim_word(metric->dim),
            example != NULL ? ", such as " : " of that", example != NULL ? example : "");
    }
    return factor;
}

static int say_metric(lua_State *L) {
    struct ng_script_call *call = ng_api_call(L);
    const struct ng_metric_def *metric = metric_of(L, call, luaL_checkstring(L, 1));
    if (lua_type(L, 2) == LUA_TSTRING) {
        return luaL_error(
            L, "metric: the value of \"%s\" is a text; write tonumber(...)", metric->name);
    }
    luaL_argexpected(L, lua_type(L, 2) == LUA_TNUMBER, 2, "number");
    const double given = lua_tonumber(L, 2);
    const double value = ng_unit_scale(given, factor_of(L, metric, luaL_optstring(L, 3, "count")));
    luaL_argcheck(L, isfinite(value) && value >= 0, 2, "a metric is a number from 0 on");
    for (size_t i = 0; i < call->measure_count; i++) {
        if (call->measures[i].metric == metric) {
            return luaL_error(L, "metric: \"%s\" was measured already", metric->name);
        }
    }
    call->measures = ng_arena_grow(call->arena, call->measures, call->measure_count,
        &call->measure_capacity, sizeof *call->measures);
    call->measures[call->measure_count++] = (struct ng_script_measure){metric, value};
    return 0;
}

#define ENDS " The script ends here."

const struct ng_lua_name ng_lua_say_names[] = {
    {NULL, "held", say_held, "held([reason])",
        "What was checked holds; a phase or a hook is content." ENDS, "held(\"no job runs\")"},
    {NULL, "broken", say_broken, "broken(reason [, advice])",
        "What was checked does not hold, and what to do about it. A broken precondition stops the "
        "run before it measures; in a phase or at one it makes the phase inconclusive: its numbers "
        "cannot be stood behind." ENDS,
        "broken(\"vzdump runs on nas\", \"wait until it is done\")"},
    {NULL, "unknown", say_unknown, "unknown(reason [, advice])",
        "It cannot be told. Unknown is never held: it stops the run like broken, unless the plan "
        "says unknown: allow for a precondition." ENDS,
        "unknown(\"ps printed nothing\")"},
    {NULL, "fail", say_fail, "fail(reason)", "For phases and hooks at them: the phase fails." ENDS,
        "fail(\"the pool is not the one that was ordered\")"},
    {NULL, "skip", say_skip, "skip(reason)",
        "For phases and hooks before them: the phase is skipped." ENDS,
        "skip(\"this unit has no cache\")"},
    {NULL, "expect", say_expect, "expect(text)", "Says in words what should hold, for the report.",
        "expect(\"no backup job runs on nas\")"},
    {NULL, "record", say_record, "record(key, value)",
        "Part of the report, whatever the outcome: what the check looked at. At most 200.",
        "record(\"processes\", 212)"},
    {NULL, "earlier", say_earlier, "earlier([key])",
        "What the same check recorded under that key at the look before: of a guard, the last that "
        "came to an end; of a hook after a phase or the run, that before it. nil when it recorded "
        "nothing such. Without a key: whether there was such a look at all.",
        "local before = tonumber(earlier(\"errors\") or 0)"},
    {NULL, "metric", say_metric, "metric(name, value [, unit])",
        "A number that was measured, in a unit of the dimension that the plan states under "
        "metrics; "
        "without a unit it is a count. For phases and for the metrics of a command.",
        "metric(\"latency\", 12.5, \"ms\")\n"
        "metric(\"jobs\", 3)"},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
