/**
 * reference.h - the page for those who write checks, printed from the table of functions.
 */
#ifndef NG_HOST_REFERENCE_H
#define NG_HOST_REFERENCE_H

#include "runner/base/buf.h"

/** Appends the page, docs/lua.md, in Markdown. */
void ng_lua_reference(struct ng_buf *out);

#endif
