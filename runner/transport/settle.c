// From the end of a connection to the end of a command.
#include "runner/transport/settle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/transport/ssh_words.h"

enum { WORD_SHOWN = 60, SIGNALS = 32 };

/** What the connection's process said, or its last words in other cases. */
static void words_of(const struct ng_reach *reach, const struct ng_marks *out,
    const struct ng_reply *reply, char words[NG_SSH_WORDS]) {
    const char *name = reach->prefix ? reach->prefix[0] : reach->target;
    if (!ng_ssh_words(name, reply->err, reply->err_len, words) && words[0] == '\0' &&
        out->noise.len > 0) {
        ng_ssh_words(name, out->noise.data, out->noise.len, words);
    }
}

static void not_started(const struct ng_reach *reach, const char *word, const struct ng_marks *out,
    struct ng_reply *reply) {
    char words[NG_SSH_WORDS];
    char *why = reply->why;
    const size_t room = sizeof reply->why;
    words_of(reach, out, reply, words);
    if (reply->how == NG_ENDED_NOT_STARTED) {
        char local[sizeof reply->why];
        memcpy(local, why, sizeof local);
        snprintf(why, room, "%s cannot be reached: %.150s", reach->host, local);
    } else if (strcmp(out->refused, "command") == 0) {
        snprintf(why, room, "%.*s: command not found on %s", WORD_SHOWN, word, reach->host);
    } else if (strcmp(out->refused, "folder") == 0) {
        snprintf(why, room,
            "%s has no folder for temporary files that can be written to: /dev/shm, /tmp, "
            "/var/tmp",
            reach->host);
    } else if (reply->how == NG_ENDED_DEADLINE) {
        snprintf(why, room, "%s did not start the command in time%s%.120s", reach->host,
            words[0] ? ": " : "", words);
    } else if (reply->how == NG_ENDED_STOPPED) {
        snprintf(why, room, "%s had not started it yet", reach->host);
    } else if (!reach->prefix && reply->status == 255 && reply->how == NG_ENDED_EXITED) {
        snprintf(why, room, "%s", words[0] ? words : "ssh gave no reason");
    } else if (reach->prefix && words[0] == '\0') {
        snprintf(why, room,
            "the prefix of %s did not run /bin/sh (it ended with %d): does it pass standard input "
            "on "
            "(docker exec -i)?",
            reach->host, reply->status);
    } else {
        snprintf(why, room, "the %s of %s did not run /bin/sh (it ended with %d)%s%.100s",
            reach->prefix ? "prefix" : "login shell", reach->host, reply->status,
            words[0] ? ": " : "", words);
    }
    reply->how = reply->how == NG_ENDED_STOPPED ? NG_ENDED_STOPPED : NG_ENDED_NOT_STARTED;
    reply->by_kill = false;
    reply->status = 0;
}

/** Started, but its end was not told. */
static void lost(const struct ng_reach *reach, const struct ng_marks *out, struct ng_reply *reply) {
    if (reply->how == NG_ENDED_DEADLINE || reply->how == NG_ENDED_STOPPED) {
        reply->by_kill = false; // of the command; that of the connection is our own affair
        reply->status = 0;
        snprintf(reply->why, sizeof reply->why, "%s did not tell that it has ended", reach->host);
        return;
    }
    char words[NG_SSH_WORDS];
    words_of(reach, out, reply, words);
    snprintf(reply->why, sizeof reply->why, "the connection to %s was lost%s%.150s", reach->host,
        words[0] ? ": " : "", words);
    reply->how = NG_ENDED_LOST;
    reply->status = 0;
}

static void ended(
    const struct ng_reach *reach, const struct ng_marks *out, struct ng_reply *reply) {
    const bool signalled = out->rc > 128 && out->rc < 128 + SIGNALS;
    const int number = out->rc - 128;
    const bool asked = strcmp(out->why, "self") != 0;
    reply->why[0] = '\0';
    if (asked && (reply->how == NG_ENDED_DEADLINE || reply->how == NG_ENDED_STOPPED)) {
        reply->by_kill = out->killed;
        reply->status = signalled ? -number : out->rc;
    } else if (asked) {
        snprintf(reply->why, sizeof reply->why,
            "%s heard nothing from here for seconds and ended the command: the connection was "
            "blocked, or this machine stood still",
            reach->host);
        reply->how = NG_ENDED_LOST;
        reply->status = 0;
    } else {
        reply->by_kill = false;
        reply->how = signalled ? NG_ENDED_SIGNALLED : NG_ENDED_EXITED;
        reply->status = signalled ? number : out->rc;
    }
}

/** Of standard error, what is the command's own. */
static void own_errors(const struct ng_marks *out, struct ng_reply *reply) {
    struct ng_marks marks;
    ng_marks_init(&marks, out->token, (size_t)-1 / 2);
    ng_marks_feed(&marks, reply->err, reply->err_len);
    ng_marks_finish(&marks);
    if (marks.started) {
        free(reply->err);
        reply->err_len = marks.body.len;
        reply->err = ng_buf_detach(&marks.body);
    }
    ng_marks_release(&marks);
}

void ng_settle(
    const struct ng_reach *reach, const char *word, struct ng_marks *out, struct ng_reply *reply) {
    ng_marks_finish(out);
    own_errors(out, reply); // no mark is among the words that are looked for below
    if (!out->started) {
        not_started(reach, word, out, reply);
    } else if (!out->ended) {
        lost(reach, out, reply);
    } else {
        ended(reach, out, reply);
    }
    struct ng_buf *body = out->started ? &out->body : &out->noise;
    free(reply->out);
    reply->out_len = body->len;
    reply->out_cut = body->cut;
    reply->out = ng_buf_detach(body);
    reply->leftovers = out->leftovers;
    reply->user_ns = reply->system_ns = reply->max_rss = 0;
}
