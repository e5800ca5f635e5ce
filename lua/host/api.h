/**
 * api.h - what a script can ask nasgate, and say to it. Private to lua/host.
 *
 * Each theme is one file with its functions and the table of their rows, which sandbox.h lists.
 */
#ifndef NG_HOST_API_H
#define NG_HOST_API_H

#include <lua.h>

#include "lua/host/host.h"
#include "lua/host/sandbox.h"
#include "runner/result/script_call.h"

enum {
    NG_API_TEXT_MAX = 2000, /* bytes of one text that a script says */
    NG_API_ITEMS_MAX = 200, /* records, and measures, of one script */
    NG_API_WORDS_MAX = 200, /* of one command */
};

extern const struct ng_lua_name ng_lua_say_names[];
extern const struct ng_lua_name ng_lua_lab_names[];
extern const struct ng_lua_name ng_lua_result_names[];
extern const struct ng_lua_name ng_lua_text_names[];

/** The call that the script runs for. Raises an error where there is none. */
struct ng_script_call *ng_api_call(lua_State *L);
/** A text argument as a clean line in the call's arena; "" for none where `optional`. */
const char *ng_api_line(lua_State *L, int index, bool optional);
/** Pushes a value of the plan as Lua's, frozen; NULL is an empty table. */
void ng_api_push_value(lua_State *L, const struct ng_value *value);
/** Sets the values that a script finds beside the functions: args, plan. The table of globals is on
 * top of the stack. */
void ng_api_set_values(lua_State *L, const struct ng_script_call *call);

#endif
