/**
 * lab_state.h - the state of hosts and volumes, from facts into the result.
 */
#ifndef NG_EXECUTE_LAB_STATE_H
#define NG_EXECUTE_LAB_STATE_H

#include "runner/execute/context.h"

/** Where the data of a volume lie, as the plan says. */
struct ng_place {
    const struct ng_host *host;
    const char *path;
};
enum { NG_PLACES_MAX = 2 };
/** Its path on its own host, then the exported path on the server, where the plan declares the
 * server as a host. Returns how many. */
size_t ng_places_of(const struct ng_volume *volume, struct ng_place places[NG_PLACES_MAX]);

/** Writes down what run->facts say of all hosts and volumes. */
void ng_lab_state_record(struct ng_run *run);

#endif
