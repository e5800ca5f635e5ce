/* The state of a host: the file servers on it, and what it has in force with those that it is a
 * client of. */
#include <string.h>

#include "runner/facts/state_parts.h"

enum { SESSIONS_SHOWN = 20, EXPORTS_SHOWN = 30 };

static void describe_mountstats(struct ng_state *state, const struct ng_facts *facts) {
    for (size_t i = 0; i < facts->servers.mountstats.count; i++) {
        const struct ng_mountstat *stat = &facts->servers.mountstats.items[i];
        const struct ng_state_thing thing = {
            state, NG_STATE_SERVERS, stat->point, "/proc/self/mountstats"};
        ng_state_text(&thing, "NFS options in force", stat->options, NULL);
        if (stat->connections > 0) {
            ng_state_known(&thing, "NFS connections", "%zu by %s", stat->connections,
                stat->protocol != NULL ? stat->protocol : "unknown");
        } else {
            ng_state_unknown(&thing, "NFS connections", "mountstats lists none");
        }
    }
}

static void describe_cifs(struct ng_state *state, const struct ng_facts *facts) {
    static const char *const answers[] = {"unknown", "no", "yes"};
    const struct ng_cifs *cifs = &facts->servers.cifs;
    for (size_t i = 0; i < cifs->count; i++) {
        const struct ng_cifs_server *server = &cifs->servers[i];
        const char *name = server->name != NULL      ? server->name
                           : server->address != NULL ? server->address
                                                     : "SMB server";
        const struct ng_state_thing thing = {
            state, NG_STATE_SERVERS, name, "/proc/fs/cifs/DebugData"};
        const char *dialect = ng_cifs_dialect_word(server->dialect);
        ng_state_known(&thing, "SMB session",
            "dialect %s, %lld channel(s), signed %s, encrypted %s",
            dialect != NULL ? dialect : "unknown", (long long)server->channels,
            answers[server->is_signed], answers[server->encrypted]);
    }
}

static void describe_exports(struct ng_state *state, const struct ng_facts *facts) {
    const struct ng_servers *servers = &facts->servers;
    for (size_t i = 0; i < servers->exports.count && i < EXPORTS_SHOWN; i++) {
        const struct ng_export *export = &servers->exports.items[i];
        const struct ng_state_thing thing = {
            state, NG_STATE_SERVERS, export->path, "/var/lib/nfs/etab"};
        ng_state_known(&thing, "NFS export", "%s(%s)", export->client, export->options);
    }
    if (servers->exports.count > EXPORTS_SHOWN) {
        const struct ng_state_thing thing = {state, NG_STATE_SERVERS, "", "/var/lib/nfs/etab"};
        ng_state_known(&thing, "more NFS exports", "%zu", servers->exports.count - EXPORTS_SHOWN);
    }
}

static void describe_nfsd(struct ng_state *state, const struct ng_facts *facts) {
    const struct ng_servers *servers = &facts->servers;
    const struct ng_state_thing thing = {state, NG_STATE_SERVERS, "", "/proc/fs/nfsd"};
    if (servers->nfsd_why != NULL && servers->nfsd.rpc_threads < 0) {
        ng_state_unknown(&thing, "NFS server", "%s", servers->nfsd_why);
        return;
    }
    const int64_t threads =
        servers->nfsd.threads >= 0 ? servers->nfsd.threads : servers->nfsd.rpc_threads;
    if (threads >= 0) {
        ng_state_known(&thing, "NFS threads", "%lld", (long long)threads);
    } else {
        ng_state_unknown(&thing, "NFS threads", "they were not told");
    }
    ng_state_text(&thing, "NFS versions", servers->nfsd.versions, NULL);
    ng_state_size(&thing, "NFS block size", servers->nfsd.max_block_size, NULL);
    if (servers->exports_why != NULL) {
        ng_state_unknown(&thing, "NFS exports", "%s", servers->exports_why);
    }
    describe_exports(state, facts);
}

/* What changes how a server measures. */
static const char *const parameters[] = {"server min protocol", "server max protocol",
    "server multi channel support", "server smb encrypt", "smb encrypt", "server signing",
    "aio read size", "aio write size", "use sendfile", "min receivefile size", "strict sync",
    "sync always", "strict allocate", "socket options", "oplocks", "kernel oplocks",
    "level2 oplocks", "smb2 leases", "vfs objects", "log level", "case sensitive"};

static void describe_config(struct ng_state *state, const struct ng_facts *facts) {
    const struct ng_servers *servers = &facts->servers;
    const struct ng_state_thing thing = {state, NG_STATE_SERVERS, "", "testparm -sv"};
    if (servers->smb_why != NULL) {
        ng_state_unknown(&thing, "Samba's configuration", "%s", servers->smb_why);
        return;
    }
    for (size_t i = 0; i < NG_COUNT(parameters); i++) {
        const char *value = ng_smb_config_value(&servers->smb, NULL, parameters[i]);
        if (value != NULL) {
            ng_state_known(&thing, parameters[i], "%s", *value != '\0' ? value : "none");
        }
    }
    const char *doubt = ng_servers_smb_doubt(facts, state->arena);
    if (doubt != NULL) {
        ng_state_unknown(&thing, "whether these are in force", "%s", doubt);
    }
}

static void describe_sessions(struct ng_state *state, const struct ng_facts *facts) {
    const struct ng_smb_status *status = &facts->servers.smb_status;
    const struct ng_state_thing thing = {state, NG_STATE_SERVERS, "", "smbstatus"};
    if (facts->servers.smb_status_why != NULL) {
        ng_state_unknown(&thing, "SMB sessions", "%s", facts->servers.smb_status_why);
    } else {
        ng_state_known(&thing, "SMB sessions", "%zu", status->session_count);
    }
    for (size_t i = 0; i < status->session_count && i < SESSIONS_SHOWN; i++) {
        const struct ng_smb_session *session = &status->sessions[i];
        const struct ng_state_thing one = {state, NG_STATE_SERVERS,
            session->machine != NULL ? session->machine : "SMB client", "smbstatus"};
        ng_state_known(&one, "SMB session", "dialect %s, encryption %s, signing %s",
            session->dialect != NULL ? session->dialect : "unknown",
            ng_smb_degree_word(session->encryption), ng_smb_degree_word(session->signing));
    }
}

void ng_state_servers(struct ng_state *state, const struct ng_facts *facts) {
    describe_mountstats(state, facts);
    describe_cifs(state, facts);
    describe_nfsd(state, facts);
    /* Samba is asked only where somebody needs it. */
    if (ng_frames_find(&facts->frames, "testparm")->state != NG_SOURCE_MISSING) {
        describe_config(state, facts);
    }
    if (ng_frames_find(&facts->frames, "smbstatus")->state != NG_SOURCE_MISSING) {
        describe_sessions(state, facts);
    }
}
