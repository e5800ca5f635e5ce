/**
 * answer.h - commands that scripts ask for, and their replies as answers.
 */
#ifndef NG_ENGINES_ANSWER_H
#define NG_ENGINES_ANSWER_H

#include "runner/engines/engine.h"

/** Adds the command that a script asks for; that there is room is the caller's to know. */
void ng_script_command(
    struct ng_arena *arena, struct ng_commands *commands, const struct ng_script_ask *ask);
/** How a command ended, as scripts see it. Texts are borrowed from the reply, cut where a script
 * could not hold them. */
struct ng_script_answer ng_script_answer_of(struct ng_arena *arena, const struct ng_reply *reply);
/** The answer of a command that was run; false when it is none to what is asked: another command
 * was, or the user stopped it, and nothing follows from how that ended. */
bool ng_script_answer_find(struct ng_arena *arena, const struct ng_command *command,
    const struct ng_reply *reply, const struct ng_script_ask *ask, struct ng_script_answer *answer);
/** Records of commands that a script asked for: in which words, how they ended, and under which id
 * their evidence is. */
void ng_script_look(struct ng_arena *arena, const struct ng_commands *commands,
    const struct ng_reply *replies, size_t count, struct ng_records *records);

#endif
