/* Commands that scripts ask for, and their answers. */
#include "runner/engines/answer.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/engines/helpers.h"

enum { WHY_MAX = 300, WORDS_MAX = 120, WORDS_CAP = 1024 * 1024 };

static bool same_words(const char *const *a, const char *const *b) {
    while (*a != NULL && *b != NULL && strcmp(*a, *b) == 0) {
        a++;
        b++;
    }
    return *a == NULL && *b == NULL;
}

struct ng_script_answer ng_script_answer_of(struct ng_arena *arena, const struct ng_reply *reply) {
    const char *why = NULL;
    if (reply->how != NG_ENDED_EXITED) {
        why = ng_text_clean_dup(arena, reply->why, strlen(reply->why), NG_TEXT_LINE, WHY_MAX);
        why = *why != '\0'
                  ? why
                  : ng_arena_printf(arena, "it ended early (%s)", ng_ended_word(reply->how));
    }
    const size_t out_len =
        reply->out_len < NG_SCRIPT_OUTPUT_MAX ? reply->out_len : NG_SCRIPT_OUTPUT_MAX;
    const size_t err_len =
        reply->err_len < NG_SCRIPT_OUTPUT_MAX ? reply->err_len : NG_SCRIPT_OUTPUT_MAX;
    return (struct ng_script_answer){
        .failed = why,
        .status = reply->status,
        .out = out_len > 0 ? reply->out : "",
        .err = err_len > 0 ? reply->err : "",
        .out_len = out_len,
        .err_len = err_len,
        .cut = reply->out_cut > 0 || reply->err_cut > 0 || out_len < reply->out_len ||
               err_len < reply->err_len,
    };
}

void ng_script_command(
    struct ng_arena *arena, struct ng_commands *commands, const struct ng_script_ask *ask) {
    const char *role = ng_arena_printf(arena, "ask %d", ask->number);
    struct ng_command *command = ng_commands_add(commands, role, ask->host);
    for (size_t i = 0; ask->argv[i] != NULL; i++) {
        ng_strv_push(&command->argv, ask->argv[i]);
    }
    command->asked = ask->argv;
    command->deadline_ns = ask->timeout_ns;
}

bool ng_script_answer_find(struct ng_arena *arena, const struct ng_command *command,
    const struct ng_reply *reply, const struct ng_script_ask *ask,
    struct ng_script_answer *answer) {
    if (reply->how == NG_ENDED_STOPPED || command->host != ask->host ||
        !same_words(ask->argv, command->asked)) {
        return false;
    }
    *answer = ng_script_answer_of(arena, reply);
    return true;
}

static const char *words_of(struct ng_arena *arena, const struct ng_command *command) {
    struct ng_buf words;
    ng_buf_init(&words, WORDS_CAP);
    ng_shell_quote_all(&words, command->asked);
    const char *shown =
        ng_text_clean_dup(arena, ng_buf_text(&words), words.len, NG_TEXT_LINE, WORDS_MAX);
    ng_buf_release(&words);
    return shown;
}

void ng_script_look(struct ng_arena *arena, const struct ng_commands *commands,
    const struct ng_reply *replies, size_t count, struct ng_records *records) {
    for (size_t i = 0; i < count; i++) {
        const struct ng_command *command = &commands->items[i];
        const struct ng_script_answer answer = ng_script_answer_of(arena, &replies[i]);
        const char *how = answer.failed != NULL
                              ? answer.failed
                              : ng_arena_printf(arena, "status %d", answer.status);
        const char *where =
            replies[i].id > 0 ? ng_arena_printf(arena, " (evidence %u)", replies[i].id) : "";
        ng_records_add(arena, records,
            ng_arena_printf(arena, "command %zu on %s", i + 1, command->host->name), "%s: %s%s",
            words_of(arena, command), how, where);
    }
}
