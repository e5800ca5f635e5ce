/* All preconditions. A new one is one file and one row here. */
#include "runner/conditions/array_healthy.h"
#include "runner/conditions/condition.h"
#include "runner/conditions/lua.h"
#include "runner/conditions/mounted.h"
#include "runner/conditions/no_rebuild.h"
#include "runner/conditions/page_cache.h"
#include "runner/conditions/reachable.h"
#include "runner/conditions/tools.h"
#include "runner/conditions/volume_ready.h"

extern const struct ng_condition ng_condition_cache_state;
extern const struct ng_condition ng_condition_clock_offset;
extern const struct ng_condition ng_condition_free_space;
extern const struct ng_condition ng_condition_governor;
extern const struct ng_condition ng_condition_idle;
extern const struct ng_condition ng_condition_link_speed;
extern const struct ng_condition ng_condition_mtu_match;
extern const struct ng_condition ng_condition_nfs_server;
extern const struct ng_condition ng_condition_nic;
extern const struct ng_condition ng_condition_no_job;
extern const struct ng_condition ng_condition_route;
extern const struct ng_condition ng_condition_samba;
extern const struct ng_condition ng_condition_sysctl;

const struct ng_condition *const ng_conditions[] = {
    &ng_condition_array_healthy,
    &ng_condition_cache_state,
    &ng_condition_clock_offset,
    &ng_condition_free_space,
    &ng_condition_governor,
    &ng_condition_idle,
    &ng_condition_link_speed,
    &ng_condition_lua,
    &ng_condition_mounted,
    &ng_condition_mtu_match,
    &ng_condition_nfs_server,
    &ng_condition_nic,
    &ng_condition_no_job,
    &ng_condition_no_rebuild,
    &ng_condition_page_cache,
    &ng_condition_reachable,
    &ng_condition_route,
    &ng_condition_samba,
    &ng_condition_sysctl,
    &ng_condition_tools,
    &ng_condition_volume_ready,
};
const size_t ng_condition_count = NG_COUNT(ng_conditions);

void ng_condition_leave_out(
    const struct ng_plan *plan, unsigned reads, struct ng_collect_needs *by_host) {
    for (size_t i = 0; i < plan->host_count; i++) {
        by_host[i].left_out = (unsigned)NG_GROUPS_ALL & ~reads;
    }
}

const struct ng_condition *ng_condition_of(const struct ng_kind *kind) {
    for (size_t i = 0; i < ng_condition_count; i++) {
        if (&ng_conditions[i]->kind == kind) {
            return ng_conditions[i];
        }
    }
    return NULL;
}
