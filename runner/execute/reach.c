/* From the hosts of a plan to ways for their commands. */
#include "runner/execute/reach.h"

#include "runner/transport/hosts.h"

static const char *const *copy_texts(struct ng_arena *arena, const struct ng_texts *texts) {
    const char **copy = ng_arena_array(arena, texts->count + 1, sizeof *copy);
    for (size_t i = 0; i < texts->count; i++) {
        copy[i] = texts->items[i];
    }
    return copy;
}

static const char *const *copy_options(struct ng_arena *arena, const struct ng_pairs *options) {
    const char **copy = ng_arena_array(arena, options->count + 1, sizeof *copy);
    for (size_t i = 0; i < options->count; i++) {
        const struct ng_pair *option = &options->items[i];
        copy[i] = ng_arena_printf(arena, "%s=%s", option->key, option->value);
    }
    return copy;
}

struct ng_transport *ng_reach_open(struct ng_plan *plan, struct ng_transport *local,
    struct ng_loop *loop, const char *run_id, struct ng_err *err) {
    struct ng_arena *arena = &plan->arena;
    struct ng_reach *reaches = ng_arena_array(arena, plan->host_count, sizeof *reaches);
    size_t count = 0;
    for (size_t i = 0; i < plan->host_count; i++) {
        const struct ng_host *host = &plan->hosts[i];
        if (host->via == NG_VIA_LOCAL) {
            continue;
        }
        reaches[count++] = (struct ng_reach){
            .host = host->name,
            .prefix = host->via == NG_VIA_PREFIX ? copy_texts(arena, &host->prefix) : NULL,
            .target = host->target,
            .options = copy_options(arena, &host->options),
        };
    }
    return ng_hosts_new(local, loop, run_id, reaches, count, err);
}

static void swap(struct ng_strv *argv, const struct ng_texts *words) {
    struct ng_strv swapped = {0};
    for (size_t i = 0; i < words->count; i++) {
        ng_strv_push(&swapped, words->items[i]);
    }
    ng_strv_pushv(&swapped, ng_strv_argv(argv) + 1);
    ng_strv_release(argv);
    *argv = swapped;
}

void ng_reach_tools(struct ng_commands *commands) {
    for (size_t i = 0; i < commands->count; i++) {
        struct ng_command *command = &commands->items[i];
        const struct ng_texts *words =
            command->argv.count > 0 ? ng_host_tool(command->host, command->argv.items[0]) : NULL;
        if (words != NULL) {
            swap(&command->argv, words);
        }
    }
}

void ng_reach_privilege(const struct ng_host *host, struct ng_strv *argv) {
    if (host->privilege == NG_PRIVILEGE_SUDO) {
        ng_strv_push(argv, "sudo");
        ng_strv_push(argv, "-n");
    }
}
