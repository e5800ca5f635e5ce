/* The run's own folder on each volume: prepare, probe, remove; see volume.sh. */
#include "runner/execute/volume.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/execute/batch.h"
#include "runner/execute/keeper.h"

enum { VOLUMES_AT_ONCE = 32, LINE_CAP = 400 };

#define PREPARE_NS (30 * NG_NS_PER_S)
#define REMOVE_NS (120 * NG_NS_PER_S) /* deleting many GiB takes time on some file systems */

struct ng_volume_state *ng_volume_state(struct ng_run *run, const struct ng_volume *volume) {
    return &run->volumes[volume - run->plan->volumes];
}

char *ng_volume_answer(
    struct ng_arena *arena, const struct ng_reply *reply, const char *key, const char **from) {
    const size_t key_len = strlen(key);
    const char *line = from != NULL && *from != NULL ? *from : reply->out;
    while (line != NULL && *line != '\0') {
        const char *end = strchr(line, '\n');
        const size_t len = end != NULL ? (size_t)(end - line) : strlen(line);
        const char *next = end != NULL ? end + 1 : line + len;
        if (len > key_len && strncmp(line, key, key_len) == 0 && line[key_len] == '=') {
            if (from != NULL) {
                *from = next;
            }
            return ng_text_clean_dup(
                arena, line + key_len + 1, len - key_len - 1, NG_TEXT_LINE, LINE_CAP);
        }
        line = next;
    }
    return NULL;
}

/* Why a call of the script did not do what it should, or NULL. */
static const char *trouble(
    struct ng_arena *arena, const struct ng_reply *reply, const char *verb, int64_t limit_ns) {
    char text[NG_TIME_TEXT];
    const char *done = ng_volume_answer(arena, reply, "done", NULL);
    if (reply->how == NG_ENDED_EXITED && reply->status == 0 && done != NULL &&
        strcmp(done, verb) == 0) {
        return NULL;
    }
    const char *said = ng_volume_answer(arena, reply, "failed", NULL);
    if (said != NULL) {
        return said;
    }
    if (reply->how == NG_ENDED_DEADLINE || reply->how == NG_ENDED_STUCK) {
        return ng_arena_printf(arena, "no answer within %s: the file system hangs",
            ng_duration_format(limit_ns, text));
    }
    const char *err = ng_text_clean_dup(arena, reply->err, reply->err_len, NG_TEXT_LINE, LINE_CAP);
    return ng_arena_printf(arena, "%s (%s %d)%s%s", reply->why[0] != '\0' ? reply->why : verb,
        ng_ended_word(reply->how), reply->status, *err != '\0' ? ": " : "", err);
}

/* One verb of the script: which volumes it is for and what becomes of the answer. */
struct verb {
    const char *name;
    int64_t limit_ns;
    bool stoppable; /* by the user's signal */
    bool (*wanted)(const struct ng_volume_state *);
    void (*handle)(struct ng_run *, struct ng_volume_state *, const struct ng_reply *);
};

/* Runs a verb for all volumes that it is for, at the same time. */
static void each_volume(struct ng_run *run, const struct verb *verb) {
    const char *name = ng_arena_printf(&run->arena, "nasgate-%s", run->result->run_id);
    size_t at = 0;
    while (at < run->plan->volume_count) {
        struct ng_request requests[VOLUMES_AT_ONCE];
        struct ng_volume_state *states[VOLUMES_AT_ONCE];
        struct ng_reply replies[VOLUMES_AT_ONCE];
        struct ng_strv argvs[VOLUMES_AT_ONCE] = {0};
        size_t count = 0;
        for (; at < run->plan->volume_count && count < VOLUMES_AT_ONCE; at++) {
            struct ng_volume_state *state = &run->volumes[at];
            if (!verb->wanted(state)) {
                continue;
            }
            const char *const argv[] = {"/bin/sh", "-s", "--", verb->name, state->volume->path,
                name, run->result->run_id, NULL};
            ng_strv_pushv(&argvs[count], argv);
            states[count] = state;
            requests[count] = (struct ng_request){
                .host = state->volume->on->name,
                .purpose =
                    ng_arena_printf(&run->arena, "volume %s: %s", state->volume->name, verb->name),
                .argv = ng_strv_argv(&argvs[count]),
                .stdin_data = (const char *)ng_volume_sh,
                .stdin_len = ng_volume_sh_len,
                .deadline_ns = verb->limit_ns,
            };
            count++;
        }
        ng_batch_run(run, requests, count, verb->stoppable, replies);
        for (size_t i = 0; i < count; i++) {
            verb->handle(run, states[i], &replies[i]);
            ng_reply_release(&replies[i]);
            ng_strv_release(&argvs[i]);
        }
    }
}

static bool is_used(const struct ng_volume_state *state) {
    return state->used;
}

static bool is_made(const struct ng_volume_state *state) {
    return state->made;
}

static void prepared(
    struct ng_run *run, struct ng_volume_state *state, const struct ng_reply *reply) {
    struct ng_arena *arena = &run->arena;
    const char *from = NULL;
    const char *old;
    while ((old = ng_volume_answer(arena, reply, "leftover", &from)) != NULL) {
        ng_result_warn(run->result,
            "volume %s still holds %s of another run: if that run is not in progress, remove the "
            "folder by hand",
            state->volume->name, old);
    }
    const char *why = trouble(arena, reply, "prepare", PREPARE_NS);
    /* Whatever went wrong after mkdir, the folder may exist: removal looks for the marker. */
    state->made = why == NULL || ng_volume_answer(arena, reply, "write", NULL) != NULL ||
                  reply->how != NG_ENDED_EXITED;
    if (why != NULL) {
        state->failed = ng_arena_printf(arena, "volume %s: %s on host %s cannot be used: %s",
            state->volume->name, state->volume->path, state->volume->on->name, why);
        return;
    }
    const char *direct = ng_volume_answer(arena, reply, "direct", NULL);
    state->direct = direct != NULL && strcmp(direct, "yes") == 0  ? NG_ANSWER_YES
                    : direct != NULL && strcmp(direct, "no") == 0 ? NG_ANSWER_NO
                                                                  : NG_ANSWER_UNKNOWN;
}

static void removed(
    struct ng_run *run, struct ng_volume_state *state, const struct ng_reply *reply) {
    const char *why = trouble(&run->arena, reply, "remove", REMOVE_NS);
    const char *how = ng_volume_answer(&run->arena, reply, "removed", NULL);
    if (why == NULL && state->failed == NULL && how != NULL && strcmp(how, "absent") == 0) {
        why = "it is not there any more, because the volume was unmounted or the folder was moved "
              "or removed by someone else";
    }
    if (why != NULL) {
        run->result->not_restored = ng_arena_printf(&run->result->arena,
            "the run's folder nasgate-%s on volume %s was not removed: %s. If it still exists, "
            "remove it by hand.",
            run->result->run_id, state->volume->name, why);
        return;
    }
    state->made = false;
}

void ng_volumes_prepare(struct ng_run *run) {
    static const struct verb prepare = {.name = "prepare",
        .limit_ns = PREPARE_NS,
        .stoppable = true,
        .wanted = is_used,
        .handle = prepared};
    ng_keepers_start(run);
    each_volume(run, &prepare);
}

void ng_volumes_remove(struct ng_run *run) {
    static const struct verb remove_all = {
        .name = "remove", .limit_ns = REMOVE_NS, .wanted = is_made, .handle = removed};
    ng_keepers_stop(run);
    each_volume(run, &remove_all);
}
