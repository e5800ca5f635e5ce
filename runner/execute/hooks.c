/* Scripts before and after the run and its phases. */
#include "runner/execute/hooks.h"

#include <string.h>

#include "plans/language/script.h"
#include "plans/language/value.h"
#include "runner/base/digest.h"
#include "runner/base/text.h"
#include "runner/conditions/lua.h"
#include "runner/engines/answer.h"
#include "runner/execute/batch.h"
#include "runner/execute/reach.h"
#include "runner/result/script_call.h"

enum { KEY_MAX = 64 * 1024, PRINTED_MAX = 200 };

/* How long all hooks after a run that was ended early may take together. */
#define CLOSING_S 30

/* What a script with these arguments recorded before a phase, or before the run. */
struct ng_hook_memory {
    const struct ng_script *script;
    const char *args;
    const struct ng_phase *phase;     /* NULL: the run */
    const struct ng_records *records; /* NULL: it came to no end there */
    struct ng_hook_memory *next;
};

/* One hook on its way: its commands and their replies so far. */
struct running {
    struct ng_run *run;
    const struct ng_hook *hook;
    const char *purpose; /* of its commands: a replay by another plan tells phases by it */
    struct ng_commands commands;
    struct ng_reply replies[NG_COMMANDS_MAX];
    size_t count;       /* of the replies */
    bool wants;         /* the last of the commands is to be run */
    int64_t closing_ns; /* the run was ended early, and commands run until then; 0: it was not */
};

static bool ask(void *context, const struct ng_script_ask *what, struct ng_script_answer *answer) {
    struct running *running = context;
    struct ng_arena *arena = &running->run->arena;
    const size_t index = (size_t)what->number - 1;
    if (index < running->count) {
        return ng_script_answer_find(
            arena, &running->commands.items[index], &running->replies[index], what, answer);
    }
    if (index == running->commands.count && index < NG_COMMANDS_MAX) {
        ng_script_command(arena, &running->commands, what);
        running->wants = true;
    }
    return false;
}

static const char *args_text(struct ng_arena *arena, const struct ng_value *args) {
    struct ng_buf text;
    ng_buf_init(&text, KEY_MAX);
    if (args != NULL) {
        ng_value_write(args, &text);
    }
    const char *copy = ng_arena_strdup(arena, ng_buf_text(&text));
    ng_buf_release(&text);
    return copy;
}

static struct ng_hook_memory *remembered(struct ng_run *run, const struct ng_script *script,
    const char *args, const struct ng_phase *phase) {
    struct ng_hook_memory *memory = run->hook_memory;
    while (memory != NULL && (memory->script != script || memory->phase != phase ||
                                 strcmp(memory->args, args) != 0)) {
        memory = memory->next;
    }
    return memory;
}

/* For the hook behind the phase, or the run, that this one stands before. One that came to no end
 * recorded a part at most, with which nothing can be compared. */
static void remember(struct ng_run *run, const struct ng_script_call *call, const char *args,
    enum ng_hook_outcome outcome) {
    struct ng_hook_memory *memory = remembered(run, call->script, args, call->phase);
    if (memory == NULL) {
        memory = ng_arena_alloc(&run->arena, sizeof *memory);
        *memory = (struct ng_hook_memory){call->script, args, call->phase, NULL, run->hook_memory};
        run->hook_memory = memory;
    }
    memory->records = NULL;
    if (outcome != NG_HOOK_ERROR && outcome != NG_HOOK_UNKNOWN) {
        struct ng_records *copy = ng_arena_alloc(&run->arena, sizeof *copy);
        *copy = call->records;
        memory->records = copy;
    }
}

/* Runs the command that the script asks for. */
static void run_wanted(struct running *running) {
    struct ng_run *run = running->run;
    struct ng_commands one = {.count = 1};
    struct ng_command *last = &running->commands.items[running->commands.count - 1];
    one.items[0] = *last;
    ng_reach_tools(&one);
    *last = one.items[0];
    struct ng_reply *reply = &running->replies[running->count];
    if (running->closing_ns == 0) {
        running->count += ng_batch_commands(run, running->purpose, &one, INT64_MAX, reply);
    } else if (ng_batch_closing(run, running->purpose, last, running->closing_ns, reply)) {
        running->count++;
    }
    running->wants = false;
}

/* Runs a script until it has all answers, then once more; `call` is what it said last. */
static void run_script(struct running *running, struct ng_script_call *call) {
    const struct ng_script_call blank = *call;
    for (;;) {
        *call = blank;
        if (call->plan->lua != NULL) {
            call->plan->lua->run(call);
        } else {
            call->error = "there is no Lua here";
        }
        if (!running->wants || (running->closing_ns == 0 && ng_run_halted(running->run))) {
            return;
        }
        run_wanted(running);
    }
}

/* What ended the run while the hook ran, so that nothing follows from what it said; or NULL. */
static const char *interruption(const struct running *running, const struct ng_script_call *call) {
    const struct ng_run *run = running->run;
    if (running->closing_ns == 0) {
        return !ng_run_halted(run) ? NULL : run->halt != NULL ? run->halt : "interrupted";
    }
    return call->waits && ng_clock_mono(ng_loop_clock(run->loop)) >= running->closing_ns
               ? ng_arena_printf(&run->result->arena,
                     "interrupted: the %d s that hooks have when a run ends early were over",
                     CLOSING_S)
               : NULL;
}

static enum ng_hook_outcome outcome_of(const struct ng_script_call *call) {
    if (call->error != NULL || call->waits) {
        return NG_HOOK_ERROR;
    }
    switch (call->said) {
    case NG_SCRIPT_BROKEN:
        return NG_HOOK_BROKEN;
    case NG_SCRIPT_UNKNOWN:
        return NG_HOOK_UNKNOWN;
    case NG_SCRIPT_FAIL:
        return NG_HOOK_FAIL;
    case NG_SCRIPT_SKIP:
        return NG_HOOK_SKIP;
    case NG_SCRIPT_HELD:
    case NG_SCRIPT_NOTHING:
        break;
    }
    return NG_HOOK_HELD;
}

static struct ng_hook_result *add_result(const struct running *running, enum ng_hook_place place,
    const struct ng_phase *phase, const struct ng_script_call *call) {
    const struct ng_hook *hook = running->hook;
    struct ng_arena *arena = &running->run->result->arena;
    const char *ended = interruption(running, call);
    struct ng_hook_result *out = ng_result_add_hook(running->run->result);
    char digest[NG_DIGEST_TEXT];
    out->id = ng_arena_strdup(arena, hook->id);
    out->place = ng_hook_place_word(place);
    out->phase = phase != NULL ? ng_arena_strdup(arena, phase->name) : NULL;
    out->line = hook->pos.line;
    out->outcome = ended != NULL ? NG_HOOK_INTERRUPTED : outcome_of(call);
    out->expected = call->expected;
    out->remedy = call->remedy;
    out->reason = ended != NULL         ? ng_arena_strdup(arena, ended)
                  : call->error != NULL ? call->error
                  : call->waits         ? "a command that it asks for was not run"
                                        : call->reason;
    ng_records_add(arena, &out->looked_at, "check", "%s, SHA-256 %.16s", call->script->name,
        ng_digest(call->script->text, call->script->len, digest));
    ng_script_look(arena, &running->commands, running->replies, running->count, &out->looked_at);
    for (size_t i = 0; i < call->records.count; i++) {
        ng_records_add(
            arena, &out->looked_at, call->records.items[i].key, "%s", call->records.items[i].value);
    }
    if (call->printed[0] != '\0') {
        ng_records_add(arena, &out->looked_at, "printed", "%s",
            ng_text_clean_dup(
                arena, call->printed, strlen(call->printed), NG_TEXT_LINE, PRINTED_MAX));
    }
    return out;
}

static const struct ng_hook_result *run_hook(struct ng_run *run, enum ng_hook_place place,
    const struct ng_hook *hook, const struct ng_phase *phase, int64_t closing_ns) {
    static const enum ng_script_place places[] = {
        [NG_HOOK_BEFORE_RUN] = NG_SCRIPT_BEFORE_RUN,
        [NG_HOOK_BEFORE_PHASE] = NG_SCRIPT_BEFORE_PHASE,
        [NG_HOOK_AFTER_PHASE] = NG_SCRIPT_AFTER_PHASE,
        [NG_HOOK_AFTER_RUN] = NG_SCRIPT_AFTER_RUN,
    };
    const struct ng_lua_params *params = hook->params;
    const char *args = args_text(&run->arena, params->args);
    const bool before = place == NG_HOOK_BEFORE_RUN || place == NG_HOOK_BEFORE_PHASE;
    const struct ng_hook_memory *memory =
        before ? NULL : remembered(run, params->check, args, phase);
    struct running running = {.run = run,
        .hook = hook,
        .closing_ns = closing_ns,
        .purpose = phase == NULL ? ng_arena_printf(&run->arena, "hook %s", hook->id)
                                 : ng_arena_printf(
                                       &run->arena, "hook %s of phase %s", hook->id, phase->name)};
    struct ng_script_call call = {
        .script = params->check,
        .args = params->args,
        .place = places[place],
        .arena = &run->result->arena,
        .plan = run->plan,
        .facts = run->facts,
        .result = run->result,
        .phase = phase,
        .earlier = memory != NULL ? memory->records : NULL,
        .seed = run->result->seed,
        .ask = ask,
        .context = &running,
        .reason = "",
        .printed = "",
    };
    run_script(&running, &call);
    if (before) {
        remember(run, &call, args, outcome_of(&call));
    }
    struct ng_hook_result *out = add_result(&running, place, phase, &call);
    for (size_t i = 0; i < running.count; i++) {
        ng_reply_release(&running.replies[i]);
    }
    ng_commands_release(&running.commands);
    return out;
}

static const char *sentence(struct ng_run *run, const struct ng_hook_result *hook) {
    const bool reason = hook->reason[0] != '\0';
    return ng_arena_printf(&run->result->arena, "%s: %s%s%s", hook->id,
        reason ? hook->reason : ng_hook_word(hook->outcome), hook->remedy != NULL ? "; " : "",
        hook->remedy != NULL ? hook->remedy : "");
}

static void tell(struct ng_run *run, const char *what) {
    const struct ng_progress *progress = run->options.progress;
    if (progress != NULL && progress->step != NULL) {
        progress->step(progress->context, what);
    }
}

bool ng_hooks_before_run(struct ng_run *run) {
    const struct ng_hooks *hooks = &run->plan->hooks[NG_HOOK_BEFORE_RUN];
    bool content = true;
    if (hooks->count > 0) {
        tell(run, "running the hooks before the run");
    }
    for (size_t i = 0; i < hooks->count && content && !ng_run_halted(run); i++) {
        content = !ng_hook_stops(run_hook(run, NG_HOOK_BEFORE_RUN, &hooks->items[i], NULL, 0));
    }
    return content;
}

bool ng_hooks_before_phase(
    struct ng_run *run, const struct ng_phase *phase, struct ng_phase_result *out) {
    static const enum ng_verdict verdicts[] = {
        [NG_HOOK_HELD] = NG_VERDICT_NONE,
        [NG_HOOK_BROKEN] = NG_VERDICT_INCONCLUSIVE,
        [NG_HOOK_UNKNOWN] = NG_VERDICT_INCONCLUSIVE,
        [NG_HOOK_FAIL] = NG_VERDICT_FAIL,
        [NG_HOOK_SKIP] = NG_VERDICT_SKIPPED,
        [NG_HOOK_ERROR] = NG_VERDICT_ERROR,
        [NG_HOOK_INTERRUPTED] = NG_VERDICT_NONE,
    };
    const struct ng_hooks *hooks = &run->plan->hooks[NG_HOOK_BEFORE_PHASE];
    for (size_t i = 0; i < hooks->count && !ng_run_halted(run); i++) {
        const struct ng_hook_result *hook =
            run_hook(run, NG_HOOK_BEFORE_PHASE, &hooks->items[i], phase, 0);
        if (hook->outcome == NG_HOOK_INTERRUPTED) {
            return false; /* the phase is skipped, for what ended the run */
        }
        if (hook->outcome != NG_HOOK_HELD) {
            out->verdict = verdicts[hook->outcome];
            out->reason = sentence(run, hook);
            return false;
        }
    }
    return true;
}

/* What a hook says of a phase is said of its last repeat. */
static void add_finding(
    struct ng_run *run, const struct ng_hook_result *hook, struct ng_repeat *repeat) {
    static const enum ng_finding_weight weights[] = {
        [NG_HOOK_BROKEN] = NG_FINDING_INCONCLUSIVE,
        [NG_HOOK_UNKNOWN] = NG_FINDING_INCONCLUSIVE,
        [NG_HOOK_FAIL] = NG_FINDING_FAIL,
        [NG_HOOK_SKIP] = NG_FINDING_SKIP,
        [NG_HOOK_ERROR] = NG_FINDING_ERROR,
    };
    if (hook->outcome != NG_HOOK_HELD) {
        ng_repeat_find(&run->result->arena, repeat, weights[hook->outcome], NG_RULE_SCRIPT, "%s",
            sentence(run, hook));
    }
}

bool ng_hooks_after_phase(
    struct ng_run *run, const struct ng_phase *phase, struct ng_phase_result *out) {
    const struct ng_hooks *hooks = &run->plan->hooks[NG_HOOK_AFTER_PHASE];
    for (size_t i = 0; i < hooks->count && !ng_run_halted(run); i++) {
        const struct ng_hook_result *hook =
            run_hook(run, NG_HOOK_AFTER_PHASE, &hooks->items[i], phase, 0);
        if (out->repeat_count > 0 && hook->outcome != NG_HOOK_INTERRUPTED) {
            add_finding(run, hook, &out->repeats[out->repeat_count - 1]);
        }
    }
    return hooks->count == 0 || !ng_run_halted(run);
}

/* Whether a hook before the run ran, so that one after it may have to close what that one began. */
static bool began(const struct ng_run *run) {
    bool any = false;
    for (size_t i = 0; i < run->result->hook_count && !any; i++) {
        any = ng_hook_is_before_run(&run->result->hooks[i]);
    }
    return any;
}

void ng_hooks_after_run(struct ng_run *run) {
    const struct ng_hooks *hooks = &run->plan->hooks[NG_HOOK_AFTER_RUN];
    const bool owed = began(run);
    int64_t closing_ns = 0;
    if (hooks->count > 0 && (owed || !ng_run_halted(run))) {
        tell(run, "running the hooks after the run");
    }
    for (size_t i = 0; i < hooks->count && (owed || !ng_run_halted(run));) {
        if (closing_ns == 0 && ng_run_halted(run)) {
            closing_ns = ng_clock_mono(ng_loop_clock(run->loop)) + CLOSING_S * NG_NS_PER_S;
        }
        const struct ng_hook_result *hook =
            run_hook(run, NG_HOOK_AFTER_RUN, &hooks->items[i], NULL, closing_ns);
        /* One that is interrupted itself is begun anew. */
        const bool anew = owed && closing_ns == 0 && hook->outcome == NG_HOOK_INTERRUPTED;
        i += anew ? 0 : 1;
    }
}
