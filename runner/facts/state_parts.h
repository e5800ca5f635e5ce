/**
 * state_parts.h - the describers of which state.c builds the state of a host, and what they share.
 */
#ifndef NG_FACTS_STATE_PARTS_H
#define NG_FACTS_STATE_PARTS_H

#include "runner/facts/state.h"

ng_state_describer ng_state_platform; /* system, machine, clock, privilege */
ng_state_describer ng_state_mounts;   /* of the paths that were asked for, then all others */
ng_state_describer ng_state_arrays;   /* health and activity of all arrays */
ng_state_describer ng_state_caches;   /* of block layers and of the kernel */
ng_state_describer ng_state_zfs;      /* what pools cache, properties of mounted datasets */
ng_state_describer ng_state_servers;  /* NFS and SMB, as a server and as a client */
ng_state_describer ng_state_links;    /* interfaces and bonds */
ng_state_describer ng_state_nics;     /* cards, queueing disciplines, routes */
ng_state_describer ng_state_settings; /* of the kernel */
ng_state_describer ng_state_load;
ng_state_describer ng_state_busy; /* pressure, waiting tasks, known jobs, governors */
ng_state_describer ng_state_tools;

/** The mount of one path, its options and its room. */
void ng_state_path(struct ng_state *state, const struct ng_facts *facts, const char *path);
/** One block device: what it is, and what it caches. */
void ng_state_block(
    struct ng_state *state, const struct ng_facts *facts, const struct ng_block *block);
/** One array. */
void ng_state_array(struct ng_state *state, const struct ng_array *array);
/** What could not be looked at. */
void ng_state_array_gaps(struct ng_state *state, const struct ng_facts *facts);

#endif
