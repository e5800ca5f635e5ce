/**
 * netwait.h - whether a TCP port is listened on, as seen from a process's network namespace.
 */
#ifndef NG_PROCESS_NETWAIT_H
#define NG_PROCESS_NETWAIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/** True when /proc/PID/net/tcp or tcp6 has a socket in state LISTEN on `port`. */
bool ng_net_listens(pid_t pid, uint16_t port);
/** Whether one line of such a file is a listening socket on `port` (proc(5), state 0A). */
bool ng_net_line_listens(const char *line, uint16_t port);

#endif
