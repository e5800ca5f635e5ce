/* The checks that come with the program. */
#include "lua/host/shipped.h"

#include <string.h>

const struct ng_shipped_script *ng_shipped_find(const char *name) {
    for (const struct ng_shipped_script *row = ng_shipped_scripts; row->name != NULL; row++) {
        if (strcmp(row->name, name) == 0) {
            return row;
        }
    }
    return NULL;
}
