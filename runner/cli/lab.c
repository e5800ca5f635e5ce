/* The way to the hosts of a plan. */
#include "runner/cli/lab.h"

#include "runner/execute/reach.h"
#include "runner/transport/local.h"

bool ng_lab_open(struct ng_plan *plan, const char *run_id, struct ng_lab *lab, struct ng_err *err) {
    lab->guard = ng_guard_new(run_id, err); /* forked before the loop exists */
    lab->loop = lab->guard != NULL ? ng_loop_new(err) : NULL;
    struct ng_transport *local = lab->loop != NULL ? ng_local_new(lab->loop, run_id, err) : NULL;
    lab->transport = local != NULL ? ng_reach_open(plan, local, lab->loop, run_id, err) : NULL;
    return lab->transport != NULL;
}

void ng_lab_close(struct ng_lab *lab) {
    ng_transport_free(lab->transport);
    ng_loop_free(lab->loop);
    ng_guard_release(lab->guard);
    *lab = (struct ng_lab){0};
}
