/**
 * text_of.h - values as texts, in which no address is ever seen. Private to lua/host.
 */
#ifndef NG_HOST_TEXT_OF_H
#define NG_HOST_TEXT_OF_H

#include <stddef.h>

#include <lua.h>

/** Pushes the text of the value at an index and returns it: by its __tostring where it has one;
 * tables, functions and the like are their type's name. */
const char *ng_text_of(lua_State *L, int index, size_t *len);

#endif
