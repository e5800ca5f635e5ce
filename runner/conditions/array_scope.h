/**
 * array_scope.h - which arrays a precondition speaks of: all of a host, or those that the disks of
 * a volume have to do with, on the host that keeps its data.
 */
#ifndef NG_CONDITIONS_ARRAY_SCOPE_H
#define NG_CONDITIONS_ARRAY_SCOPE_H

#include "runner/conditions/outcome.h"
#include "runner/facts/arrays_share.h"

struct ng_array_scope {
    const struct ng_host *host;     /* where the arrays are; NULL: unknown, see gap */
    const struct ng_volume *volume; /* NULL: all arrays of the host */
    const struct ng_facts *facts;   /* of that host */
    struct ng_share share;          /* of a volume */
    const char *gap;                /* of a volume: why its disks are not known, or NULL */
    const char *subject;            /* "nas", "repo" */
    const char *where;              /* "nas", "the disks of repo (nas:/volume1/bench)" */
};

/** Exactly one of host and volume must be given: an error in the plan otherwise. */
void ng_array_scope_check(const struct ng_host *host, const struct ng_volume *volume,
    const struct ng_node *node, struct ng_diags *diags);
/** Asks the collector for the paths that tell where the data of a volume lie. */
void ng_array_scope_needs(
    const struct ng_plan *plan, const struct ng_volume *volume, struct ng_collect_needs *by_host);
struct ng_array_scope ng_array_scope_of(const struct ng_condition_site *site,
    const struct ng_host *host, const struct ng_volume *volume);
/** The host that keeps the data of a volume: the server of its mount, or the one it is on. */
const struct ng_host *ng_volume_keeper(const struct ng_volume *volume);
/** How the array with that index in scope->facts->arrays is concerned: by its disks, or because it
 * keeps the data. All of a host are. */
enum ng_answer ng_array_scope_disks(const struct ng_array_scope *scope, size_t index);
enum ng_answer ng_array_scope_holds(const struct ng_array_scope *scope, size_t index);
/** Says what could not be looked at, and leaves in the report what was. */
void ng_array_scope_tell(const struct ng_array_scope *scope, struct ng_outcome *outcome);
/** "md0, md1, md2 and 4 more": those that are concerned; "" for none. *count says how many. */
const char *ng_array_scope_names(
    const struct ng_array_scope *scope, struct ng_arena *arena, size_t *count);

#endif
