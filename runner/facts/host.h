/**
 * host.h - identity, processor, memory and load of a host; used by facts.c alone.
 */
#ifndef NG_FACTS_HOST_H
#define NG_FACTS_HOST_H

#include "runner/facts/facts.h"

/** True if the collector saw the file behind a word of its `markers`. */
bool ng_host_marked(const struct ng_facts *facts, const char *word);
/** Fills platform, container, root, ram, ram_cached, cores, load1. */
void ng_host_read(struct ng_facts *facts, struct ng_arena *arena);
/** Fills the environment, which speaks of the tools as well: call last. */
void ng_host_describe(struct ng_facts *facts, struct ng_arena *arena);

#endif
