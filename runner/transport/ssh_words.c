// From ssh's messages to what a person can change.
#include "runner/transport/ssh_words.h"

#include <stdio.h>
#include <string.h>

#include "runner/base/arena.h"
#include "runner/base/text.h"

enum { LAST_MAX = 160, TARGET_MAX = 60 };

/** The first that occurs counts. %s is the target. */
static const struct {
    const char *said, *words;
} known[] = {
    {"REMOTE HOST IDENTIFICATION HAS CHANGED",
        "the host key of %s has changed: if that is right, remove the old one (ssh-keygen -R), and "
        "connect once by hand"},
    {"Host key verification failed",
        "the host key of %s is not known: connect once by hand and accept it, or add it to "
        "known_hosts (ssh-keyscan)"},
    {"Permission denied (",
        "%s refuses the login: give it the public key of this user (ssh-copy-id), or load the key "
        "into the agent; no password is ever asked for"},
    {"Too many authentication failures",
        "%s refuses the login after too many keys: name the right one, options: {IdentityFile: "
        "..., IdentitiesOnly: \"yes\"}"},
    {"Could not resolve hostname",
        "the name in %s cannot be resolved: correct the target, or the name service"},
    {"Connection refused",
        "nothing accepts connections at %s: is sshd running there, and is the port right (options: "
        "{Port: ...})?"},
    {"No route to host", "there is no route to %s: is it switched on, and on this network?"},
    {"Network is unreachable", "there is no network to %s from here"},
    {"timed out", "%s does not answer: is it switched on, and does a firewall let ssh through?"},
    {"Bad configuration option", "ssh does not know an option that is set for %s"},
    {"This account is currently not available",
        "the account of %s has no shell: let it log in, or use another one"},
    {"kex_exchange_identification",
        "%s closed the connection before the login: is it overloaded, or does it refuse this "
        "address?"},
    {"no matching ", "%s and the local ssh have no algorithm in common: see options, ssh -v"},
};

/** The last line that says something. */
static void last_line(const char *said, size_t len, char out[LAST_MAX]) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    while (len > 0 && (said[len - 1] == '\n' || said[len - 1] == '\r' || said[len - 1] == ' ')) {
        len--;
    }
    const char *before = len > 0 ? memrchr(said, '\n', len) : NULL;
    const char *line = before ? before + 1 : said;
    const char *clean =
        ng_text_clean_dup(&arena, line, (size_t)(said + len - line), NG_TEXT_LINE, LAST_MAX - 1);
    snprintf(out, LAST_MAX, "%s", clean);
    ng_arena_release(&arena);
}

bool ng_ssh_words(const char *target, const char *said, size_t len, char out[NG_SSH_WORDS]) {
    char shown[TARGET_MAX];
    snprintf(shown, sizeof shown, "%s", target);
    for (size_t i = 0; i < NG_COUNT(known); i++) {
        const char *words = known[i].words;
        if (len == 0 || !memmem(said, len, known[i].said, strlen(known[i].said))) {
            continue;
        }
        const char *gap = strstr(words, "%s");
        snprintf(out, NG_SSH_WORDS, "%.*s%s%s", (int)(gap - words), words, shown, gap + 2);
        return true;
    }
    char last[LAST_MAX];
    last_line(said, len, last);
    snprintf(out, NG_SSH_WORDS, "%s", last);
    return false;
}
