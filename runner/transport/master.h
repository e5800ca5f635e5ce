/**
 * master.h - the control connection of one ssh host: made before its first command, shared by all,
 * made again when it was lost.
 *
 * One login for a whole run: small processors take long for each, and servers refuse many at once.
 */
#ifndef NG_TRANSPORT_MASTER_H
#define NG_TRANSPORT_MASTER_H

#include "runner/process/loop.h"
#include "runner/transport/wrap.h"

struct ng_master;

#define NG_MASTER_NS (30 * NG_NS_PER_S)

/** `local` runs it; it and `reach` are borrowed. `settled` is called from the loop when an attempt
 * has come to its end: `failed` says why commands cannot get through, NULL that they can be
 * started, be it without the connection. */
struct ng_master *ng_master_new(struct ng_transport *local, struct ng_loop *loop,
    const struct ng_reach *reach, const char *socket,
    void (*settled)(void *context, const char *failed), void *context);
/** After `local` was freed, which ends the connection. */
void ng_master_free(struct ng_master *master);
/** True when commands can be started now. Else an attempt goes on, and `settled` follows. */
bool ng_master_ready(struct ng_master *master);
/** The socket while the connection stands, else NULL. */
const char *ng_master_socket(const struct ng_master *master);

#endif
