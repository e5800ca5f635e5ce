/**
 * servers.h - what a host says of the file servers on it, and of those that it is a client of.
 */
#ifndef NG_FACTS_SERVERS_H
#define NG_FACTS_SERVERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/facts/cifs.h"
#include "runner/facts/mountstats.h"
#include "runner/facts/nfsd.h"
#include "runner/facts/nfsfs.h"
#include "runner/facts/smbstatus.h"
#include "runner/facts/testparm.h"

/** A file of smb.conf's kind: when it was changed, and what it includes that testparm may not see.
 */
struct ng_smb_file {
    const char *path;
    int64_t changed; /* seconds since 1970; -1: unknown */
    const char *odd; /* the first `include =` whose file depends on the client, or NULL */
};

struct ng_read_ahead {
    unsigned major, minor; /* of the mount in mountinfo */
    int64_t kib;
};

struct ng_servers {
    /* as a client */
    struct ng_mountstats mountstats;
    const char *mountstats_why; /* why they are unknown, or NULL */
    struct ng_nfsfs nfsfs;
    struct ng_cifs cifs;
    const char *cifs_why;
    struct ng_read_ahead *read_aheads; /* of network mounts */
    size_t read_ahead_count, read_ahead_capacity;

    /* as a server */
    struct ng_nfsd nfsd;
    const char *nfsd_why; /* why nothing is known of it, or NULL */
    struct ng_exports exports;
    const char *exports_why;
    struct ng_smb_config smb;
    const char *smb_why;
    struct ng_smb_file *smb_files; /* that are there */
    size_t smb_file_count, smb_file_capacity;
    const char *smb_loaded; /* the file that testparm says it read, or NULL */
    struct ng_smb_status smb_status;
    const char *smb_status_why;
};

struct ng_facts;
/** Fills facts->servers. Used by facts.c alone. */
void ng_servers_read(struct ng_facts *facts, struct ng_arena *arena);
/** All that is unknown, for one reason. */
void ng_servers_none(struct ng_servers *servers, const char *reason);
/** Why what testparm prints may not be what the daemon runs with: the file was changed after smbd
 * began, or includes depend on the client or the registry. NULL: nothing speaks against it. */
const char *ng_servers_smb_doubt(const struct ng_facts *facts, struct ng_arena *arena);

#endif
