// Makes commands of this machine out of requests to others.
#include "runner/transport/wrap.h"

#include <stdio.h>

#include "runner/base/clock.h"

// No newline, quote, backslash or exclamation mark: csh, fish and all others pass it on as it is.
// dd reads byte by byte, since what follows the script is not for it.
#define STAGE "IFS= read -r n && s=$(dd bs=1 count=\"$n\" 2>/dev/null) && eval \"$s\""

enum { SCRIPT_CAP = 4 * 1024 * 1024, GRACE_S = 5, GRACE_MAX_S = 60 };

static void push_words(struct ng_strv *argv, const char *const *words) {
    for (; words && *words; words++) {
        ng_strv_push(argv, *words);
    }
}

static void push_option(struct ng_strv *argv, const char *option) {
    ng_strv_push(argv, "-o");
    ng_strv_push(argv, option);
}

/** For ssh the first value of an option counts: what must be so, then the plan's, then ours. */
static void push_options(struct ng_strv *argv, const struct ng_reach *reach) {
    static const char *const must[] = {"BatchMode=yes", "RemoteCommand=none", "ControlPersist=no",
        "ClearAllForwardings=yes", "ForwardAgent=no", "ForwardX11=no", NULL};
    static const char *const usual[] = {
        "ConnectTimeout=10", "ServerAliveInterval=5", "ServerAliveCountMax=3", NULL};
    for (size_t i = 0; must[i]; i++) {
        push_option(argv, must[i]);
    }
    for (size_t i = 0; reach->options && reach->options[i]; i++) {
        push_option(argv, reach->options[i]);
    }
    for (size_t i = 0; usual[i]; i++) {
        push_option(argv, usual[i]);
    }
}

void ng_wrap_argv(const struct ng_reach *reach, const char *socket, struct ng_strv *argv) {
    if (reach->prefix) {
        push_words(argv, reach->prefix);
        ng_strv_push(argv, "/bin/sh");
        ng_strv_push(argv, "-c");
        ng_strv_push(argv, STAGE);
        return;
    }
    ng_strv_push(argv, "ssh");
    ng_strv_push(argv, "-T");
    push_option(argv, "ControlMaster=no");
    ng_strv_push(argv, "-S");
    ng_strv_push(argv, socket ? socket : "none");
    push_options(argv, reach);
    ng_strv_push(argv, "--");
    ng_strv_push(argv, reach->target);
    ng_strv_push(argv, "exec /bin/sh -c '" STAGE "'");
}

void ng_wrap_master(const struct ng_reach *reach, const char *socket, struct ng_strv *argv) {
    static const char *const words[] = {"ssh", "-N", "-T", "-M", "-S", NULL};
    push_words(argv, words);
    ng_strv_push(argv, socket);
    push_option(argv, "PermitLocalCommand=yes");
    push_option(argv, "LocalCommand=echo ready");
    push_options(argv, reach);
    ng_strv_push(argv, "--");
    ng_strv_push(argv, reach->target);
}

static int grace_seconds(const struct ng_request *request) {
    const int64_t ns = request->grace_ns;
    const int64_t seconds = ns > 0 ? (ns + NG_NS_PER_S - 1) / NG_NS_PER_S : GRACE_S;
    return (int)(seconds < GRACE_MAX_S ? seconds : GRACE_MAX_S);
}

void ng_wrap_input(
    const struct ng_request *request, const char *token, const char *mark, struct ng_buf *input) {
    struct ng_buf script;
    size_t words = 0;
    while (request->argv[words]) {
        words++;
    }
    ng_buf_init(&script, SCRIPT_CAP);
    ng_buf_add(&script, ng_watchdog_sh, ng_watchdog_sh_len);
    ng_buf_addf(&script, "main %zu ", words);
    ng_shell_quote(&script, token);
    ng_buf_addc(&script, ' ');
    ng_shell_quote(&script, mark);
    ng_buf_addf(&script, " %zu %u %d ", request->stdin_data ? request->stdin_len : 0,
        (unsigned)request->listen_port, grace_seconds(request));
    ng_shell_quote(&script, request->cwd ? request->cwd : "");
    ng_buf_addc(&script, ' ');
    ng_shell_quote_all(&script, request->argv);
    ng_buf_addf(input, "%zu\n", script.len);
    ng_buf_add(input, ng_buf_text(&script), script.len);
    ng_buf_release(&script);
    if (request->stdin_data) {
        ng_buf_add(input, request->stdin_data, request->stdin_len);
    }
}
