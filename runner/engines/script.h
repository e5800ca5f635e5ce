/**
 * script.h - what the engines that run a script share: the call, the answers that it gets, and what
 * becomes of its outcome. Private to runner/engines.
 */
#ifndef NG_ENGINES_SCRIPT_H
#define NG_ENGINES_SCRIPT_H

#include "runner/engines/engine.h"
#include "runner/result/script_call.h"

/** The commands of a phase's script. It is run from its start with the answers that there are. */
struct ng_script_asking {
    const struct ng_site *site;
    const struct ng_commands *commands; /* that were run, with their replies */
    const struct ng_reply *replies;
    size_t count;
    struct ng_commands *more; /* the next one is added there; NULL: only what was run counts */
};

/** A call of a phase's script, about the site. `asking` NULL: it can run no commands. */
struct ng_script_call ng_script_call_of(const struct ng_site *site, enum ng_script_place place,
    const struct ng_script *script, const struct ng_value *args, const struct ng_metrics *metrics,
    struct ng_script_asking *asking);
/** Runs it, where the plan has somebody who does. */
void ng_script_run(struct ng_script_call *call);
/**
 * Takes what a script said into the repeat: measures, records, findings. False with the reason when
 * that is no valid measurement: an error, a bound, a command without an answer, a metric of the
 * plan that was not measured although the script is content.
 */
bool ng_script_take(const struct ng_site *site, const struct ng_script_call *call,
    struct ng_repeat *repeat, struct ng_err *err);

#endif
