/**
 * procfs.h - what the kernel says of one process: /proc/PID/stat, environ, wchan.
 *
 * A pid alone names nobody: it may have been given away again. Pid and start time together do.
 * Reading stat never waits for the process it describes.
 */
#ifndef NG_PROCESS_PROCFS_H
#define NG_PROCESS_PROCFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { NG_PROC_NAME = 17, NG_PROC_ABOUT = 160 };

struct ng_proc {
    pid_t pid, ppid;
    uint64_t start; /* clock ticks since boot (proc(5), field 22) */
    int threads;
    char state;              /* R S D Z T ... */
    char name[NG_PROC_NAME]; /* printable ASCII; anything else became '?' */
};

/** Parses the text of a stat file. The name may hold blanks and brackets, so the last ')' ends it.
 */
bool ng_proc_parse(const char *stat, struct ng_proc *out);
/** Reads a process. False when there is none or it must not be seen. */
bool ng_proc_read(pid_t pid, struct ng_proc *out);
/** Whether it has ended: a zombie without other threads. */
bool ng_proc_ended(const struct ng_proc *proc);
/**
 * Whether the environment that the process was started with has the entry `entry`, or with `prefix`
 * one that begins so. False when it must not be read: another user's process, unless we are root.
 */
bool ng_proc_has_entry(pid_t pid, const char *entry, bool prefix);
/** "dd (pid 17) is in state D, waiting in nfs_wait_bit_killable". Returns `out`. */
const char *ng_proc_about(const struct ng_proc *proc, char out[NG_PROC_ABOUT]);
/**
 * Sends a signal to exactly this process, by pidfd where the kernel has it (Linux 5.3). True when
 * it was sent; else errno says why, ESRCH when the process is gone.
 */
bool ng_proc_signal(const struct ng_proc *proc, int number);

#endif
