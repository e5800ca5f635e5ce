/* What a script asks of the hosts: facts that were collected, commands that it wants. */
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "lua/host/api.h"
#include "lua/host/frozen.h"
#include "runner/base/clock.h"
#include "runner/base/text.h"
#include "runner/facts/state.h"

enum { TIMEOUT_S = 10, TIMEOUT_MAX_S = 600 };

/* Where the facts of each host are kept once they were asked for: a script may ask often. */
static const char facts_key;

static const struct ng_host *host_of(lua_State *L, const char *function, const char *name) {
    const struct ng_script_call *call = ng_api_call(L);
    const struct ng_host *host = name != NULL ? ng_plan_host(call->plan, name) : NULL;
    if (host == NULL) {
        luaL_error(L, "%s: %s%s%s; the plan's hosts are in plan.hosts", function,
            name != NULL ? "there is no host \"" : "a host is needed", name != NULL ? name : "",
            name != NULL ? "\"" : "");
    }
    return host;
}

/* A host given as text, or NULL. */
static const char *text_at(lua_State *L, int index) {
    return lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : NULL;
}

/* Whether the facts are older than what the script stands at. */
static bool are_old(enum ng_script_place place) {
    switch (place) {
    case NG_SCRIPT_PRECONDITION:
    case NG_SCRIPT_BEFORE_RUN:
        return false;
    case NG_SCRIPT_PHASE:
    case NG_SCRIPT_METRICS:
    case NG_SCRIPT_BEFORE_PHASE:
    case NG_SCRIPT_AFTER_PHASE:
    case NG_SCRIPT_AFTER_RUN:
        break;
    }
    return true;
}

/* Never NULL. Old ones are given only to a script that asks for those: before and after a phase
 * they are the same text, in which nothing ever grew. */
static const struct ng_facts *facts_of(lua_State *L, const struct ng_host *host, int age) {
    static const struct ng_facts none = {.reason = "no facts were collected here"};
    static const struct ng_facts old = {
        .reason = "they are from before the run: ask by run{} or read{}, or give \"before_run\" as "
                  "the last argument"};
    const struct ng_script_call *call = ng_api_call(L);
    const char *wanted = luaL_optstring(L, age, "now");
    if (strcmp(wanted, "now") != 0 && strcmp(wanted, "before_run") != 0) {
        luaL_argerror(L, age, "\"before_run\", or nothing");
    }
    if (call->facts == NULL) {
        return &none;
    }
    return are_old(call->place) && strcmp(wanted, "now") == 0
               ? &old
               : call->facts[host - call->plan->hosts];
}

/* Puts a row where a script looks for it: section, thing, key; what speaks of the host itself has
 * no thing. The table of sections is on top of the stack. */
static void add_row(lua_State *L, const struct ng_state_row *row) {
    lua_getfield(L, -1, ng_state_word(row->section));
    if (row->about[0] != '\0') {
        if (lua_getfield(L, -1, row->about) != LUA_TTABLE) {
            lua_pop(L, 1);
            lua_newtable(L);
            lua_pushvalue(L, -1);
            lua_setfield(L, -3, row->about);
        }
        lua_remove(L, -2);
    }
    if (row->value != NULL) {
        lua_pushstring(L, row->value);
        lua_setfield(L, -2, row->key);
    }
    lua_pop(L, 1);
}

/* Makes what is below a table on top of the stack read-only, and then itself. */
static void freeze_all(lua_State *L, int depth) {
    const int table = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, table) != 0;) {
        if (depth > 0 && lua_istable(L, -1)) {
            freeze_all(L, depth - 1);
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_rawset(L, table); /* of a key that is there: lua_next goes on */
        } else {
            lua_pop(L, 1);
        }
    }
    ng_frozen_wrap(L, NG_FROZEN_DATA, NULL);
}

static void push_facts(lua_State *L, const struct ng_host *host, const struct ng_facts *facts) {
    const struct ng_state *state = ng_state_of_host(ng_api_call(L)->arena, facts);
    ng_lua_pay(L, 1000 + 50 * (int64_t)state->count);
    lua_createtable(L, 0, NG_STATE_SECTION_COUNT + 3);
    for (int i = 0; i < NG_STATE_SECTION_COUNT; i++) {
        lua_newtable(L);
        lua_setfield(L, -2, ng_state_word((enum ng_state_section)i));
    }
    for (size_t i = 0; i < state->count; i++) {
        add_row(L, &state->rows[i]);
    }
    freeze_all(L, 2);
    (void)host;
}

static int lab_facts(lua_State *L) {
    const struct ng_host *host = host_of(L, "facts", text_at(L, 1));
    const struct ng_facts *facts = facts_of(L, host, 2);
    if (facts->reason != NULL) {
        lua_pushnil(L);
        lua_pushstring(L, facts->reason);
        return 2;
    }
    lua_settop(L, 1);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &facts_key) != LUA_TTABLE) {
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &facts_key);
        lua_replace(L, 2);
    }
    if (lua_getfield(L, 2, host->name) != LUA_TTABLE) {
        push_facts(L, host, facts);
        lua_pushvalue(L, -1);
        lua_setfield(L, 2, host->name);
    }
    return 1;
}

static int lab_source(lua_State *L) {
    const struct ng_host *host = host_of(L, "source", text_at(L, 1));
    const char *name = luaL_checkstring(L, 2);
    const struct ng_facts *facts = facts_of(L, host, 3);
    const struct ng_source *source = ng_frames_find(&facts->frames, name);
    if (facts->reason == NULL && ng_source_read(source) && source->len <= NG_LUA_TEXT_MAX) {
        lua_pushlstring(L, source->text, source->len);
        return 1;
    }
    ng_lua_pay(L, 1000);
    lua_pushnil(L);
    lua_pushstring(L, facts->reason != NULL ? facts->reason
                      : ng_source_read(source)
                          ? "it is longer than 256 KiB"
                          : ng_source_why(&facts->frames, source, name, ng_api_call(L)->arena));
    return 2;
}

/* A word of a command: no NUL can stand in it. */
static const char *word_at(lua_State *L, int index, lua_Integer i) {
    size_t len = 0;
    const int type = lua_rawgeti(L, index, i);
    if (type != LUA_TSTRING && type != LUA_TNUMBER) {
        luaL_error(L, "run: word %I of argv is a %s; argv is a list of texts", (LUAI_UACINT)i,
            lua_typename(L, type));
    }
    const char *word = lua_tolstring(L, -1, &len);
    if (strlen(word) != len || len > NG_FIELD_TEXT_MAX) {
        luaL_error(L, "run: word %I of argv is longer than %d bytes, or has a NUL in it",
            (LUAI_UACINT)i, NG_FIELD_TEXT_MAX);
    }
    ng_lua_pay(L, 64 + 4 * (int64_t)len);
    word = ng_arena_strdup(ng_api_call(L)->arena, word);
    lua_pop(L, 1);
    return word;
}

static const char *const *argv_of(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TTABLE) {
        luaL_error(L, "run: argv is needed, a list of words as in {\"ps\", \"-e\"}; a text is not "
                      "taken apart by any shell");
    }
    ng_frozen_push_real(L, index);
    const int list = lua_gettop(L);
    const size_t count = lua_rawlen(L, list);
    if (count == 0 || count > NG_API_WORDS_MAX) {
        luaL_error(
            L, "run: argv has %d words; at least 1, at most %d", (int)count, NG_API_WORDS_MAX);
    }
    const char **argv = ng_arena_array(ng_api_call(L)->arena, count + 1, sizeof *argv);
    for (size_t i = 0; i < count; i++) {
        argv[i] = word_at(L, list, (lua_Integer)i + 1);
    }
    return argv;
}

/* Seconds as a number, or a text with its unit. */
static int64_t timeout_of(lua_State *L, int index) {
    struct ng_quantity quantity = {TIMEOUT_S, NG_DIM_TIME};
    struct ng_err err = {0};
    const char *text = text_at(L, index);
    if (text != NULL && (!ng_quantity_parse_as(text, NG_DIM_TIME, &quantity, &err) ||
                            !ng_dim_equal(quantity.dim, NG_DIM_TIME))) {
        luaL_error(L, "timeout: write a duration such as \"10 s\", not \"%s\"", text);
    }
    if (text == NULL && !lua_isnil(L, index)) {
        luaL_error(L, "timeout: write a duration such as \"10 s\"");
    }
    if (!(quantity.value > 0) || quantity.value > TIMEOUT_MAX_S) {
        luaL_error(L, "timeout: at most %d s", TIMEOUT_MAX_S);
    }
    return (int64_t)(quantity.value * (double)NG_NS_PER_S);
}

/* Refuses members of a table argument that are not known: they would be silently ignored. */
static void check_members(lua_State *L, const char *function, const char *const *known) {
    luaL_argexpected(
        L, lua_type(L, 1) == LUA_TTABLE, 1, "table, as in run{host = ..., argv = ...}");
    for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "a number";
        const char *const *word = known;
        while (*word != NULL && strcmp(*word, key) != 0) {
            word++;
        }
        if (*word == NULL) {
            luaL_error(L, "%s: unknown member \"%s\"", function, key);
        }
    }
}

/* Asks; ends the script when the answer is not there yet. */
static struct ng_script_answer ask(lua_State *L, struct ng_script_ask *what) {
    struct ng_script_call *call = ng_api_call(L);
    struct ng_lua *lua = ng_lua_of(L);
    struct ng_script_answer answer = {0};
    if (call->ask == NULL) {
        luaL_error(L, "no command can be run here");
        return answer; /* not reached */
    }
    if (lua->asked >= NG_SCRIPT_ASKS_MAX) {
        luaL_error(L, "a script runs at most %d commands", NG_SCRIPT_ASKS_MAX);
    }
    what->number = ++lua->asked;
    if (!call->ask(call->context, what, &answer)) {
        ng_lua_end(L, NG_LUA_WAITS);
    }
    return answer;
}

static void push_output(lua_State *L, const char *text, size_t len) {
    lua_pushlstring(L, text != NULL ? text : "", len);
}

static int push_answer(lua_State *L, const struct ng_script_answer *answer) {
    lua_createtable(L, 0, 6);
    lua_pushboolean(L, answer->failed == NULL && answer->status == 0 && !answer->cut);
    lua_setfield(L, -2, "ok");
    if (answer->failed == NULL) {
        lua_pushinteger(L, answer->status);
        lua_setfield(L, -2, "status");
    } else {
        lua_pushstring(L, answer->failed);
        lua_setfield(L, -2, "failed");
    }
    push_output(L, answer->out, answer->out_len);
    lua_setfield(L, -2, "out");
    push_output(L, answer->err, answer->err_len);
    lua_setfield(L, -2, "err");
    lua_pushboolean(L, answer->cut);
    lua_setfield(L, -2, "cut");
    ng_frozen_wrap(L, NG_FROZEN_DATA, NULL);
    return 1;
}

static int lab_run(lua_State *L) {
    static const char *const members[] = {"host", "argv", "timeout", NULL};
    check_members(L, "run", members);
    lua_settop(L, 1);
    lua_getfield(L, 1, "host");
    lua_getfield(L, 1, "argv");
    lua_getfield(L, 1, "timeout");
    struct ng_script_ask what = {.host = host_of(L, "run", text_at(L, 2)),
        .argv = argv_of(L, 3),
        .timeout_ns = timeout_of(L, 4)};
    const struct ng_script_answer answer = ask(L, &what);
    return push_answer(L, &answer);
}

/* Why a file was not read: what cat said, which names the path itself. */
static const char *why_unread(
    lua_State *L, const struct ng_script_answer *answer, const char *path) {
    struct ng_arena *arena = ng_api_call(L)->arena;
    if (answer->failed != NULL) {
        return answer->failed;
    }
    if (answer->cut) {
        return ng_arena_printf(arena, "%s is longer than 256 KiB", path);
    }
    const char *said = ng_text_clean_dup(
        arena, answer->err != NULL ? answer->err : "", answer->err_len, NG_TEXT_LINE, 300);
    return said[0] != '\0' ? said : ng_arena_printf(arena, "%s could not be read", path);
}

static int lab_read(lua_State *L) {
    static const char *const members[] = {"host", "path", "timeout", NULL};
    check_members(L, "read", members);
    lua_settop(L, 1);
    lua_getfield(L, 1, "host");
    lua_getfield(L, 1, "path");
    lua_getfield(L, 1, "timeout");
    const char *path = text_at(L, 3);
    if (path == NULL || path[0] != '/' || strlen(path) > NG_FIELD_TEXT_MAX) {
        return luaL_error(L, "read: path must be an absolute path");
    }
    const char **argv = ng_arena_array(ng_api_call(L)->arena, 4, sizeof *argv);
    argv[0] = "cat";
    argv[1] = "--";
    argv[2] = ng_arena_strdup(ng_api_call(L)->arena, path);
    struct ng_script_ask what = {
        .host = host_of(L, "read", text_at(L, 2)), .argv = argv, .timeout_ns = timeout_of(L, 4)};
    const struct ng_script_answer answer = ask(L, &what);
    if (answer.failed == NULL && answer.status == 0 && !answer.cut) {
        push_output(L, answer.out, answer.out_len);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, why_unread(L, &answer, path));
    return 2;
}

const struct ng_lua_name ng_lua_lab_names[] = {
    {NULL, "facts", lab_facts, "facts(host [, \"before_run\"])",
        "What was collected of a host, as read-only tables: facts(\"nas\").arrays.md2.level. "
        "Sections "
        "are those of \"nasgate facts\"; what speaks of the host itself stands right below its "
        "section, all else below the name of the thing. All values are texts; what is unknown is "
        "nil. Gives nil and the reason for a host that could not be asked. In phases, and in hooks "
        "at a phase and after the run, facts are from before the run: there it gives nil and says "
        "so, unless \"before_run\" asks for them.",
        "local nas = facts(\"nas\")\n"
        "if nas then record(\"kernel\", nas.platform.kernel) end"},
    {NULL, "source", lab_source, "source(host, name [, \"before_run\"])",
        "One raw source of the collector, as it was printed: source(\"nas\", \"mdstat\"). Gives "
        "nil "
        "and the reason for one that was not read, or, as with facts(), that is from before the "
        "run.",
        "local text, why = source(\"nas\", \"mdstat\")\n"
        "if not text then record(\"mdstat\", why) end"},
    {NULL, "run", lab_run, "run{host = NAME, argv = {WORD, ...} [, timeout = \"10 s\"]}",
        "Runs a command on a host of the plan, without a shell, and waits for it. Gives a table: "
        "ok "
        "(it ended with status 0 and all of its output is here), status, out, err (texts, at most "
        "256 KiB), cut (there was more), and failed (why it did not end by itself; then there is "
        "no "
        "status). The command is part of the evidence, and a replay gives the same answer. At most "
        "20 commands; a timeout of at most 10 minutes.",
        "local answer = run{host = \"nas\", argv = {\"nproc\"}}\n"
        "if answer.ok then record(\"processors\", trim(answer.out)) end"},
    {NULL, "read", lab_read, "read{host = NAME, path = PATH [, timeout = \"10 s\"]}",
        "The text of a file on a host. Gives nil and the reason when it cannot be read.",
        "local text, why = read{host = \"nas\", path = \"/proc/loadavg\"}\n"
        "record(\"load\", text or why)"},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};
