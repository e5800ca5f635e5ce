/**
 * arrays_sources.h - the sources of the list of arrays; for arrays.c and the files that define
 * them.
 */
#ifndef NG_FACTS_ARRAYS_SOURCES_H
#define NG_FACTS_ARRAYS_SOURCES_H

#include "runner/facts/facts.h"

ng_arrays_source ng_arrays_of_btrfs;
ng_arrays_source ng_arrays_of_caches;
ng_arrays_source ng_arrays_of_dm;
ng_arrays_source ng_arrays_of_ext4;
ng_arrays_source ng_arrays_of_hardware;
ng_arrays_source ng_arrays_of_lvm; /* after ng_arrays_of_dm */
ng_arrays_source ng_arrays_of_md;
ng_arrays_source ng_arrays_of_zfs;

/** The first mount of a type, or NULL. */
const struct ng_mount *ng_facts_mount_of(const struct ng_facts *facts, const char *type);

#endif
