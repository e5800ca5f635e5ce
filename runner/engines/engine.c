/* engine.c - the vector of commands that an engine makes. */
#include "runner/engines/engine.h"

void ng_commands_release(struct ng_commands *commands) {
    for (size_t i = 0; i < commands->count; i++) {
        ng_strv_release(&commands->items[i].argv);
    }
    *commands = (struct ng_commands){0};
}
