/**
 * cifs.h - /proc/fs/cifs/DebugData: what the SMB client has agreed with its servers: dialect,
 * signing, encryption, channels. mountinfo tells only what was asked for (`vers=default`,
 * `max_channels=4`). The file is for root.
 */
#ifndef NG_FACTS_CIFS_H
#define NG_FACTS_CIFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"
#include "runner/facts/answer.h"

enum { NG_CIFS_MAX = 1024, NG_CIFS_SHARES_MAX = 4096 };

/** An interface of a server, as it offers it for more channels. */
struct ng_cifs_interface {
    const char *address;   /* or NULL */
    const char *speed;     /* as printed: "10Gbps", "1000000000 bps"; or NULL */
    const char *abilities; /* "rss", "rdma", "None"; or NULL */
};

struct ng_cifs_server {
    const char *name;    /* as it was mounted; NULL: not told */
    const char *address; /* NULL: not told */
    int64_t dialect;     /* 0x311; 0: not told */
    enum ng_answer is_signed, encrypted;
    int64_t channels;    /* in use; 0: not told */
    const char **shares; /* "//nas/bench" */
    size_t share_count, share_capacity;
    struct ng_cifs_interface *interfaces;
    size_t interface_count, interface_capacity;
};

struct ng_cifs {
    bool understood; /* the list of servers was there; it may be empty */
    struct ng_cifs_server *servers;
    size_t count, capacity;
    bool cut; /* there were more than are kept */
};

void ng_cifs_parse(struct ng_cifs *cifs, struct ng_arena *arena, const char *text, size_t len);
/** The server that a mount's source ("//nas/bench/sub") lies on; NULL: none, or more than one. */
const struct ng_cifs_server *ng_cifs_find(const struct ng_cifs *cifs, const char *source);
/** "3.1.1" as mount options write it; NULL for a number that is no dialect of SMB 2 or 3. */
const char *ng_cifs_dialect_word(int64_t dialect);

#endif
