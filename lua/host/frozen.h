/**
 * frozen.h - tables that a script can read and not change. Private to lua/host.
 *
 * A frozen table is an empty one that stands for a real one: what is read comes from there, what is
 * written is an error. pairs() and the table functions of the sandbox know it.
 */
#ifndef NG_HOST_FROZEN_H
#define NG_HOST_FROZEN_H

#include <stdbool.h>

#include <lua.h>

enum ng_frozen {
    NG_FROZEN_DATA,    /* what is not there is nil */
    NG_FROZEN_LIBRARY, /* what is not there is an error */
    NG_FROZEN_GLOBALS, /* the same, in the words of globals */
};

/** Makes what the others need; once per state. */
void ng_frozen_open(lua_State *L);
/** Replaces the table on top of the stack. `name` is for messages; NULL for data. */
void ng_frozen_wrap(lua_State *L, enum ng_frozen kind, const char *name);
/** Whether the value at an index is a frozen table. */
bool ng_frozen_is(lua_State *L, int index);
/** Pushes the table to read from: the real one behind a frozen one, else the table itself. Raises
 * an error for what is no table. */
void ng_frozen_push_real(lua_State *L, int index);

#endif
