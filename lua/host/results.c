/* What a script sees of the run: the phase that it stands at, and all results so far. */
#include <string.h>

#include <lauxlib.h>

#include "lua/host/api.h"
#include "lua/host/frozen.h"
#include "runner/base/stats.h"

enum { PHASES_MAX = 1000, VALUES_MAX = 1000 };

static void set_text(lua_State *L, const char *key, const char *text) {
    if (text != NULL) {
        lua_pushstring(L, text);
        lua_setfield(L, -2, key);
    }
}

/* The median over the repeats that count of each metric of the first. */
static void push_medians(lua_State *L, const struct ng_phase_result *phase) {
    lua_newtable(L);
    const struct ng_repeat *first = phase->repeat_count > 0 ? &phase->repeats[0] : NULL;
    for (size_t i = 0; first != NULL && i < first->measure_count; i++) {
        double values[VALUES_MAX];
        size_t count = 0;
        for (size_t j = 0; j < phase->repeat_count && count < VALUES_MAX; j++) {
            if (ng_repeat_counts(&phase->repeats[j]) &&
                ng_repeat_value(&phase->repeats[j], first->measures[i].metric, &values[count])) {
                count++;
            }
        }
        ng_lua_pay(L, 10 + (int64_t)count * 4);
        if (count > 0) {
            lua_pushnumber(L, ng_stats_median(values, count));
            lua_setfield(L, -2, first->measures[i].metric);
        }
    }
    ng_frozen_wrap(L, NG_FROZEN_DATA, NULL);
}

static void push_phase(lua_State *L, const struct ng_phase_result *phase) {
    lua_createtable(L, 0, 6);
    set_text(L, "name", phase->name);
    set_text(L, "engine", phase->engine);
    set_text(
        L, "verdict", phase->verdict != NG_VERDICT_NONE ? ng_verdict_word(phase->verdict) : NULL);
    set_text(L, "reason", phase->reason);
    push_medians(L, phase);
    lua_setfield(L, -2, "metrics");
    ng_frozen_wrap(L, NG_FROZEN_DATA, NULL);
}

static int result_results(lua_State *L) {
    const struct ng_result *result = ng_api_call(L)->result;
    lua_newtable(L);
    for (size_t i = 0; result != NULL && i < result->phase_count && i < PHASES_MAX; i++) {
        ng_lua_pay(L, 100);
        push_phase(L, &result->phases[i]);
        lua_setfield(L, -2, result->phases[i].name);
    }
    ng_frozen_wrap(L, NG_FROZEN_DATA, NULL);
    return 1;
}

/* What is known of a phase once it was measured and is not judged yet. */
static void push_measured(lua_State *L, const struct ng_phase_result *phase) {
    size_t valid = 0;
    for (size_t i = 0; i < phase->repeat_count; i++) {
        valid += ng_repeat_counts(&phase->repeats[i]) ? 1 : 0;
    }
    lua_pushinteger(L, (lua_Integer)phase->repeat_count);
    lua_setfield(L, -2, "repeats");
    lua_pushboolean(L, valid > 0 && valid == phase->repeat_count);
    lua_setfield(L, -2, "valid");
    push_medians(L, phase);
    lua_setfield(L, -2, "metrics");
}

static int result_phase(lua_State *L) {
    const struct ng_script_call *call = ng_api_call(L);
    if (call->phase == NULL) {
        lua_pushnil(L);
        return 1;
    }
    lua_createtable(L, 0, 5);
    set_text(L, "name", call->phase->name);
    set_text(L, "engine", call->phase->kind->record.name);
    if (call->number > 0) {
        lua_pushinteger(L, call->number);
        lua_setfield(L, -2, "number");
    }
    if (call->place == NG_SCRIPT_AFTER_PHASE) {
        push_measured(L, ng_result_phase(call->result, call->phase->name));
    }
    ng_frozen_wrap(L, NG_FROZEN_DATA, NULL);
    return 1;
}

static int result_output(lua_State *L) {
    const struct ng_script_answer *output = ng_api_call(L)->output;
    if (output == NULL) {
        return luaL_error(L, "output: only the metrics of a command have one");
    }
    if (output->cut) {
        return luaL_error(L, "output: the command printed more than 256 KiB");
    }
    const bool err = strcmp(luaL_optstring(L, 1, "out"), "err") == 0;
    const size_t len = err ? output->err_len : output->out_len;
    lua_pushlstring(L, err ? output->err : output->out, len);
    return 1;
}

static int result_status(lua_State *L) {
    const struct ng_script_answer *output = ng_api_call(L)->output;
    if (output == NULL) {
        return luaL_error(L, "status: only the metrics of a command have one");
    }
    lua_pushinteger(L, output->status);
    return 1;
}

const struct ng_lua_name ng_lua_result_names[] = {
    {NULL, "args", NULL, "args.NAME",
        "The arguments that the plan gives beside the name of the check: texts, numbers, true and "
        "false, lists and maps, read-only. What the plan leaves out is nil.",
        "local limit = args.limit or 60"},
    {NULL, "plan", NULL, "plan.name, plan.hosts, plan.links, plan.volumes",
        "The plan: hosts is a list of names; links.NAME has mtu, speed (bytes per second) and two "
        "ends, [1] and [2], each with host, interface and address; volumes.NAME has host, path, "
        "from "
        "and link.",
        "for i, host in ipairs(plan.hosts) do record(\"host\", host) end"},
    {NULL, "phase", result_phase, "phase()",
        "The phase that a script is, or that a hook stands at: name, engine; in a phase also "
        "number (of the repeat); after a phase also repeats (how many were run), valid (all of "
        "them count) and metrics (as in results()). nil elsewhere.",
        "local at = phase()\n"
        "if at then record(\"phase\", at.name) end"},
    {NULL, "results", result_results, "results()",
        "All phases by name: engine, verdict and reason (nil as long as they are not judged), and "
        "metrics: the median over the repeats, by name, in base units (bytes, seconds).",
        "for name, phase in pairs(results()) do\n"
        "  record(name, phase.verdict or \"not judged\")\n"
        "end"},
    {NULL, "output", result_output, "output([\"err\"])",
        "For the metrics of a command: what it printed, on standard output or on standard error.",
        "local count = 0\n"
        "for line in lines(output()) do count = count + 1 end"},
    {NULL, "status", result_status, "status()",
        "For the metrics of a command: its exit status. It is 0 unless the plan says status: any.",
        "if status() ~= 0 then broken(\"it failed: \" .. output(\"err\")) end"},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
