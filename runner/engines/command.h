/**
 * command.h - the command engine: any command on a host, measured by a script over its output.
 */
#ifndef NG_ENGINES_COMMAND_H
#define NG_ENGINES_COMMAND_H

#include "runner/engines/engine.h"

struct ng_extract {
    const struct ng_script *check;
    const struct ng_value *args; /* a map, or NULL */
};

struct ng_command_phase {
    const struct ng_host *host;
    struct ng_texts argv;
    int status;                       /* 1: any */
    const struct ng_extract *extract; /* or NULL */
    struct ng_metrics metrics;
};

extern const struct ng_engine ng_command_engine;

#endif
