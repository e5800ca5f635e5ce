/**
 * tool_advice.h - how a host gets a program that it lacks: by the package manager of its system,
 * or, on an appliance that has none, in a container that stands for the tool.
 */
#ifndef NG_FACTS_TOOL_ADVICE_H
#define NG_FACTS_TOOL_ADVICE_H

#include "runner/facts/facts.h"

enum ng_family {
    NG_FAMILY_UNKNOWN,
    NG_FAMILY_DEBIAN,
    NG_FAMILY_REDHAT,
    NG_FAMILY_SUSE,
    NG_FAMILY_ALPINE,
    NG_FAMILY_ARCH,
    NG_FAMILY_OPENWRT,
    NG_FAMILY_FREEBSD,
    NG_FAMILY_APPLIANCE, /* DSM, QTS, Unraid, TrueNAS SCALE: no package may be added */
};
/** By the platform, then by ID and ID_LIKE of /etc/os-release. */
enum ng_family ng_family_of(const struct ng_facts *facts);

/**
 * What to do, as a part of a sentence: "apt-get install iputils-ping", "write in the plan, for this
 * host: tools: {iperf3: [docker, run, ...]}; docker is there". `as_root` tells whether commands of
 * the plan run as root there, which docker needs. `package` is Debian's name of the package, NULL:
 * that of ng_tool_package, else the tool's own name. Never NULL; lives in the arena.
 */
const char *ng_tool_advice(const struct ng_facts *facts, struct ng_arena *arena, const char *tool,
    const char *package, bool as_root);

#endif
