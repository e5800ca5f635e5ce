/**
 * collect.h - one round trip per host: the collector script, what it is asked for, what comes back.
 *
 * The collector is one POSIX sh script, fed to `sh -s` on standard input. It prints raw sources in
 * frames and parses nothing. Everything is bounded in time on the host and in bytes here.
 */
#ifndef NG_FACTS_COLLECT_H
#define NG_FACTS_COLLECT_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/arena.h"
#include "runner/base/err.h"
#include "runner/base/strv.h"

extern const unsigned char ng_collector_sh[];
extern const size_t ng_collector_sh_len;

enum {
    NG_COLLECT_PATHS_MAX = 512,
    NG_COLLECT_TOOLS_MAX = 128,
    NG_COLLECT_TOOL_LEN = 40,
    NG_COLLECT_COMMAND_WORDS_MAX = 1024,
    NG_COLLECT_INTERFACES_MAX = 16,
    NG_COLLECT_PEERS_MAX = 64,
    NG_COLLECT_SYSCTLS_MAX = 128,
    NG_COLLECT_JOBS_MAX = 128,
    NG_COLLECT_JOB_LEN = 63,
};

/** What is asked only where somebody needs it, because it costs. */
enum ng_collect_want {
    NG_WANT_TASKS, /* all processes */
    NG_WANT_SAMBA, /* testparm -sv, smbstatus, all processes */
    NG_WANT_NFSD,  /* exportfs -v */
};

/* Groups of sources that every host is asked for, unless they are left out: the word, what it is.
 * What is asked for by name (paths, tools, routes, wants) is in none of them, nor are mountinfo,
 * the boot and the memory. */
#define NG_COLLECT_GROUPS(X)                                                                       \
    X(CARDS, "cards", "ethtool and the queues of the interfaces that are asked for")               \
    X(CLOCK, "clock", "the time")                                                                  \
    X(DISKS, "disks", "block devices, their layers, and all that keeps data over them")            \
    X(IDENTITY, "identity", "system, platform, processor, container or virtual machine, user")     \
    X(INTERFACES, "interfaces", "interfaces, their layers and addresses")                          \
    X(LOAD, "load", "counters of disks, pressure, frequencies, room of btrfs")                     \
    X(MOUNTS, "mounts", "what network mounts have negotiated")                                     \
    X(SERVERS, "servers", "NFS and SMB servers")                                                   \
    X(SYSCTLS, "sysctls", "settings of the kernel")

enum ng_collect_group_bit {
#define X(name, word, help) NG_GROUP_BIT_##name,
    NG_COLLECT_GROUPS(X)
#undef X
        NG_GROUP_BITS
};

/** A set of groups. */
enum ng_collect_group {
#define X(name, word, help) NG_GROUP_##name = 1 << NG_GROUP_BIT_##name,
    NG_COLLECT_GROUPS(X)
#undef X
        NG_GROUPS_ALL = (1 << NG_GROUP_BITS) - 1
};

/** What a host is asked for besides what is always collected. Duplicates are dropped. */
struct ng_collect_needs {
    struct ng_strv paths;      /* to stat and statfs, each bounded, after mountinfo was printed */
    struct ng_strv tools;      /* to find and to ask for a version */
    struct ng_strv commands;   /* in the place of tools: each its name, a number of words, they */
    struct ng_strv interfaces; /* to ask ethtool of, with the devices below them */
    bool all_cards;            /* the same of every interface that is a device */
    struct ng_strv peers;      /* addresses to ask a route to */
    struct ng_strv sysctls;    /* paths below /proc/sys, besides the usual ones */
    struct ng_strv wants;      /* words for enum ng_collect_want */
    struct ng_strv jobs;       /* names to look for among command lines */
    unsigned left_out;         /* groups (enum ng_collect_group) that it is not asked for */
};
/** Absolute, without control characters, shorter than 4096 bytes; anything else and what goes
 * beyond the bound is refused, and the facts then say that it was not asked for. Paths are words of
 * an argv and are never read as shell text, so blanks and UTF-8 are fine. */
void ng_collect_needs_path(struct ng_collect_needs *needs, const char *path);
/** A bare name of [A-Za-z0-9._+-]; anything else is refused in the same way. */
void ng_collect_needs_tool(struct ng_collect_needs *needs, const char *tool);
/** The same for a tool that another command stands for: `words` are its program and arguments. */
void ng_collect_needs_command(
    struct ng_collect_needs *needs, const char *tool, const char *const *words, size_t count);
/** A name of at most 15 bytes of [A-Za-z0-9._:@+-] that does not begin with "-"; anything else is
 * refused in the same way. */
void ng_collect_needs_interface(struct ng_collect_needs *needs, const char *interface);
/** An IPv4 or IPv6 address without a zone; anything else is refused in the same way. */
void ng_collect_needs_peer(struct ng_collect_needs *needs, const char *address);
/** A name as sysctl(8) reads it (ng_sysctl_path); anything else is refused in the same way. */
void ng_collect_needs_sysctl(struct ng_collect_needs *needs, const char *name);
void ng_collect_needs_want(struct ng_collect_needs *needs, enum ng_collect_want want);
/** A job to look for among processes and their command lines: at most NG_COLLECT_JOB_LEN bytes of
 * [A-Za-z0-9._+@:-], with any number of "*"; anything else is refused in the same way. */
void ng_collect_needs_job(struct ng_collect_needs *needs, const char *name);
bool ng_collect_job_is_name(const char *name);
void ng_collect_needs_release(struct ng_collect_needs *needs);

/** Appends the argv that runs the collector; `token` frames the output and must not be guessable.
 */
void ng_collect_argv(const struct ng_collect_needs *needs, const char *token, struct ng_strv *argv);

struct ng_facts;
struct ng_frames;
/**
 * Turns the collector's output into facts. Always gives facts: what is missing, cut off or not
 * understood is a source in that state, with the reason. Text before the first frame is ignored.
 */
struct ng_facts *ng_facts_parse(
    struct ng_arena *arena, const char *host, const char *token, const char *bytes, size_t len);
/** The same of frames that were split already; what they hold is borrowed. */
struct ng_facts *ng_facts_of_frames(
    struct ng_arena *arena, const char *host, const struct ng_frames *frames);
/** Facts of a host that could not be asked: every source is missing for `reason`. */
struct ng_facts *ng_facts_none(struct ng_arena *arena, const char *host, const char *reason);

#endif
