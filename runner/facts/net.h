/**
 * net.h - from frames to all facts of the network; used by facts.c alone.
 */
#ifndef NG_FACTS_NET_H
#define NG_FACTS_NET_H

#include "runner/facts/facts.h"

/** Fills netifs, bonds, nics, qdiscs, routes, sysctls and clock. */
void ng_net_read(struct ng_facts *facts, struct ng_arena *arena);

#endif
