/**
 * wrap.h - a request to another host as a command of this machine and what goes down its standard
 * input.
 *
 * The remote command is the same for every request: `exec /bin/sh -c 'STAGE'`, in words that a
 * login shell of any kind hands on unchanged. STAGE reads a number, then so many bytes, and runs
 * them as a script: watchdog.sh and the call that gives it the request. The bytes of the request's
 * own input follow. So nothing of a plan is ever read by a login shell, and all of it is quoted by
 * one function.
 */
#ifndef NG_TRANSPORT_WRAP_H
#define NG_TRANSPORT_WRAP_H

#include "runner/base/buf.h"
#include "runner/base/strv.h"
#include "runner/transport/transport.h"

extern const unsigned char ng_watchdog_sh[];
extern const size_t ng_watchdog_sh_len;

/** How commands get to a host that is not this machine. */
struct ng_reach {
    const char *host;           /* the plan's word for it */
    const char *const *prefix;  /* words before the command; NULL: ssh */
    const char *target;         /* of ssh */
    const char *const *options; /* of ssh, "Name=value"; NULL: none */
};

/** Appends the words in front of the remote command, for ssh through the control socket; `socket`
 * may be NULL. */
void ng_wrap_argv(const struct ng_reach *reach, const char *socket, struct ng_strv *argv);
/** Appends the words of the control connection of an ssh host, which prints a line once it stands.
 */
void ng_wrap_master(const struct ng_reach *reach, const char *socket, struct ng_strv *argv);
/** Appends what goes down the standard input. `token` frames the outputs (marks.h), `mark` is in
 * the environment of all that the command starts: NASGATE_REMOTE=MARK and a full stop. */
void ng_wrap_input(
    const struct ng_request *request, const char *token, const char *mark, struct ng_buf *input);

#endif
