/* table.c - all engines, by name. A new engine is one row here. */
#include "runner/engines/command.h"
#include "runner/engines/engine.h"
#include "runner/engines/fio.h"
#include "runner/engines/iperf3.h"
#include "runner/engines/lua.h"
#include "runner/engines/ping.h"

const struct ng_engine *const ng_engines[] = {
    &ng_command_engine,
    &ng_fio,
    &ng_iperf3,
    &ng_lua_engine,
    &ng_ping,
};
const size_t ng_engine_count = NG_COUNT(ng_engines);

const struct ng_engine *ng_engine_of(const struct ng_kind *kind) {
    for (size_t i = 0; i < ng_engine_count; i++) {
        if (&ng_engines[i]->kind == kind) {
            return ng_engines[i];
        }
    }
    return NULL;
}
