/* What the themes of the interface share, and the values that a script finds. */
#include "lua/host/api.h"

#include <string.h>

#include <lauxlib.h>

#include "lua/host/frozen.h"
#include "runner/base/text.h"

struct ng_script_call *ng_api_call(lua_State *L) {
    struct ng_script_call *call = ng_lua_of(L)->call;
    if (call == NULL) {
        luaL_error(L, "there is no run here");
    }
    return call;
}

const char *ng_api_line(lua_State *L, int index, bool optional) {
    size_t len = 0;
    if (optional && lua_isnoneornil(L, index)) {
        return "";
    }
    luaL_argexpected(
        L, lua_type(L, index) == LUA_TSTRING || lua_type(L, index) == LUA_TNUMBER, index, "text");
    const char *text = lua_tolstring(L, index, &len);
    ng_lua_pay(L, 64 + 4 * (int64_t)len); /* it stays until the end of the run */
    return ng_text_clean_dup(ng_api_call(L)->arena, text, len, NG_TEXT_LINE, NG_API_TEXT_MAX);
}

void ng_api_push_value(lua_State *L, const struct ng_value *value) {
    luaL_checkstack(L, 4, "nested too deeply");
    const enum ng_value_kind kind = value != NULL ? value->kind : NG_VALUE_MAP;
    switch (kind) {
    case NG_VALUE_TEXT:
        lua_pushstring(L, value->text);
        return;
    case NG_VALUE_BOOL:
        lua_pushboolean(L, value->truth);
        return;
    case NG_VALUE_INT:
        lua_pushinteger(L, value->whole);
        return;
    case NG_VALUE_NUMBER:
        lua_pushnumber(L, value->number);
        return;
    case NG_VALUE_LIST:
    case NG_VALUE_MAP:
        break;
    }
    lua_newtable(L);
    for (size_t i = 0; value != NULL && i < value->count; i++) {
        ng_api_push_value(L, &value->items[i]);
        if (value->items[i].key != NULL) {
            lua_setfield(L, -2, value->items[i].key);
        } else {
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
    }
    ng_frozen_wrap(L, NG_FROZEN_DATA, NULL);
}

static void set_text(lua_State *L, const char *key, const char *text) {
    if (text != NULL && text[0] != '\0') {
        lua_pushstring(L, text);
        lua_setfield(L, -2, key);
    }
}

static void set_number(lua_State *L, const char *key, double number) {
    if (number > 0) {
        lua_pushnumber(L, number);
        lua_setfield(L, -2, key);
    }
}

static void push_hosts(lua_State *L, const struct ng_plan *plan) {
    lua_createtable(L, (int)plan->host_count, 0);
    for (size_t i = 0; i < plan->host_count; i++) {
        lua_pushstring(L, plan->hosts[i].name);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    ng_frozen_wrap(L, NG_FROZEN_DATA, NULL);
}

static void push_end(lua_State *L, const struct ng_link_end *end) {
    lua_createtable(L, 0, 3);
    set_text(L, "host", end->at.host->name);
    set_text(L, "interface", end->at.name);
    set_text(L, "address", end->address);
    ng_frozen_wrap(L, NG_FROZEN_DATA, NULL);
}

static void push_links(lua_State *L, const struct ng_plan *plan) {
    lua_createtable(L, 0, (int)plan->link_count);
    for (size_t i = 0; i < plan->link_count; i++) {
        const struct ng_link *link = &plan->links[i];
        lua_createtable(L, 0, 4);
        for (int end = 0; end < 2; end++) {
            push_end(L, &link->ends[end]);
            lua_rawseti(L, -2, end + 1);
        }
        set_number(L, "mtu", (double)link->mtu);
        set_number(L, "speed", (double)link->speed / 8);
        ng_frozen_wrap(L, NG_FROZEN_DATA, NULL);
        lua_setfield(L, -2, link->name);
    }
    ng_frozen_wrap(L, NG_FROZEN_DATA, NULL);
}

static void push_volumes(lua_State *L, const struct ng_plan *plan) {
    lua_createtable(L, 0, (int)plan->volume_count);
    for (size_t i = 0; i < plan->volume_count; i++) {
        const struct ng_volume *volume = &plan->volumes[i];
        lua_createtable(L, 0, 4);
        set_text(L, "host", volume->on->name);
        set_text(L, "path", volume->path);
        if (volume->mount != NULL && volume->mount->from != NULL) {
            set_text(L, "from", volume->mount->from->name);
        }
        set_text(L, "link", volume->link != NULL ? volume->link->name : NULL);
        ng_frozen_wrap(L, NG_FROZEN_DATA, NULL);
        lua_setfield(L, -2, volume->name);
    }
    ng_frozen_wrap(L, NG_FROZEN_DATA, NULL);
}

void ng_api_set_values(lua_State *L, const struct ng_script_call *call) {
    ng_api_push_value(L, call->args);
    lua_setfield(L, -2, "args");
    lua_createtable(L, 0, 5);
    set_text(L, "name", call->plan->name);
    set_text(L, "title", call->plan->title);
    push_hosts(L, call->plan);
    lua_setfield(L, -2, "hosts");
    push_links(L, call->plan);
    lua_setfield(L, -2, "links");
    push_volumes(L, call->plan);
    lua_setfield(L, -2, "volumes");
    ng_frozen_wrap(L, NG_FROZEN_DATA, NULL);
    lua_setfield(L, -2, "plan");
}
