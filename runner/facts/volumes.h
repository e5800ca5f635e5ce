/**
 * volumes.h - fills in what a host says of its block layers: device mapper, LVM, bcache,
 * flashcache. Private to runner/facts.
 */
#ifndef NG_FACTS_VOLUMES_H
#define NG_FACTS_VOLUMES_H

#include "runner/facts/facts.h"

/** After the block devices were read. */
void ng_volumes_read(struct ng_facts *facts, struct ng_arena *arena);

#endif
