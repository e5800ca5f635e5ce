/**
 * smbstatus.h - who is connected to a Samba server and with what: dialect, encryption, signing. The
 * state in force, unlike the configuration.
 */
#ifndef NG_FACTS_SMBSTATUS_H
#define NG_FACTS_SMBSTATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/arena.h"

enum { NG_SMB_SESSIONS_MAX = 16384 };

/** Whether the packets of a session are signed or encrypted. */
enum ng_smb_degree { NG_SMB_UNTOLD, NG_SMB_NONE, NG_SMB_PARTIAL, NG_SMB_FULL };

/** A session, or a connection to a share. Texts are clean. User names are not kept. */
struct ng_smb_session {
    int64_t pid;
    const char *machine; /* of a session: "10.0.0.5 (ipv4:10.0.0.5:44376)"; else NULL */
    const char *dialect; /* "SMB3_11"; NULL: not told, as for connections and by old versions */
    const char *share;   /* of a connection; else NULL */
    enum ng_smb_degree encryption, signing;
    const char *cipher, *signer; /* "AES-128-GCM"; NULL: none or not told */
};

struct ng_smb_status {
    bool understood;     /* the table of sessions or connections was there; it may be empty */
    const char *version; /* "4.17.12-Debian"; or NULL */
    struct ng_smb_session *sessions;
    size_t session_count, session_capacity;
    struct ng_smb_session *connections; /* to shares */
    size_t connection_count, connection_capacity;
    size_t bad; /* rows that were not understood */
};

/** The output of `smbstatus`, `-p`, `-S` of any version, or of `smbstatus --json`. */
void ng_smb_status_parse(
    struct ng_smb_status *status, struct ng_arena *arena, const char *text, size_t len);
/** For the parsers of this folder: JSON; false where there is no such document in it. */
bool ng_smb_status_json(
    struct ng_smb_status *status, struct ng_arena *arena, const char *text, size_t len);
/** "none", "partial", "full", "unknown". */
const char *ng_smb_degree_word(enum ng_smb_degree degree);
/** A dialect as a number that grows with it: "SMB3_11", "SMB3", "3.1.1" and "0x311" are 0x311,
 * "NT1" is 1; 0: not understood. */
int64_t ng_smb_dialect_number(const char *word);

/** For the parsers of this folder: adds an empty one; NULL beyond the bound, which is counted. */
struct ng_smb_session *ng_smb_status_add(
    struct ng_smb_status *status, struct ng_arena *arena, bool connection);

#endif
