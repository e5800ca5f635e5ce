/**
 * library.h - where the files of Lua of a plan come from, and the Lua host as plans know it.
 */
#ifndef NG_HOST_LIBRARY_H
#define NG_HOST_LIBRARY_H

#include "plans/language/script.h"

/** Where to look. Zeroed: among the shipped ones only. */
struct ng_lua_library {
    const char *folder;        /* of the plan, or a bundle's own folder of scripts; NULL: none */
    bool only_folder;          /* of a bundle: what was run then, and not what is shipped now */
    struct ng_scripts scripts; /* for ng_load_options; filled by ng_lua_library_open */
};

/** Makes `scripts` of the rest; `library` must stay where it is while a plan is loaded. */
const struct ng_scripts *ng_lua_library_open(struct ng_lua_library *library);

#endif
