/* nfs_server: the NFS server of a host has the threads that are wanted, and exports a path in the
 * way that the plan states: an async export makes writes look fast. */
#include <string.h>

#include "runner/conditions/compare.h"
#include "runner/conditions/outcome.h"

struct params {
    const struct ng_host *host;
    const char *threads;
    const char *export;
    int sync; /* index into syncs */
    const char *versions;
    int64_t block_size;
};

enum { SYNC_ANY, SYNC_YES, SYNC_NO };
static const char *const syncs[] = {"any", "true", "false", NULL};

static const struct ng_field fields[] = {
    {.name = "host",
        .type = NG_FIELD_HOST,
        .offset = offsetof(struct params, host),
        .flags = NG_REQUIRED,
        .help = "the host that serves NFS with its kernel"},
    {.name = "threads",
        .type = NG_FIELD_TEXT,
        .offset = offsetof(struct params, threads),
        .fallback = ">= 1",
        .help = "how many nfsd threads there must be: \">= 8\", or 8 for exactly so many"},
    {.name = "export",
        .type = NG_FIELD_PATH,
        .offset = offsetof(struct params, export),
        .help = "a path that must be exported, or lie on an export"},
    {.name = "sync",
        .type = NG_FIELD_CHOICE,
        .offset = offsetof(struct params, sync),
        .choices = syncs,
        .fallback = "any",
        .help = "whether the export must be sync (true) or async (false)"},
    {.name = "versions",
        .type = NG_FIELD_TEXT,
        .offset = offsetof(struct params, versions),
        .help = "versions that must be enabled, as in \"3 4.2\""},
    {.name = "block_size",
        .type = NG_FIELD_SIZE,
        .offset = offsetof(struct params, block_size),
        .min = 1024,
        .max = 1e9,
        .help = "the least size of one read or write that it must allow"},
};

static void check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    (void)plan;
    const struct params *given = params;
    struct ng_compare compare;
    if (!ng_compare_read(&compare, given->threads)) {
        ng_diag_error(diags, ng_field_place(node, "threads"), "value",
            "%s is no number of threads: write \">= 8\", \"<= 64\" or 8",
            ng_diag_quote(diags, given->threads));
    }
    if (given->sync != SYNC_ANY && given->export == NULL) {
        ng_diag_error(diags, ng_field_place(node, "sync"), "missing-key",
            "sync: says something of an export: name it with export: /PATH");
    }
}

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    const struct params *given = params;
    ng_collect_needs_want(&by_host[ng_site_index(plan, given->host)], NG_WANT_NFSD);
}

static void judge_threads(
    struct ng_outcome *outcome, const struct params *given, const struct ng_nfsd *nfsd) {
    const char *host = given->host->name;
    struct ng_compare compare;
    const int64_t threads = nfsd->threads >= 0 ? nfsd->threads : nfsd->rpc_threads;
    (void)ng_compare_read(&compare, given->threads);
    if (nfsd->threads >= 0 && nfsd->rpc_threads >= 0 && nfsd->threads != nfsd->rpc_threads) {
        ng_outcome_see(outcome, NG_UNKNOWN,
            "/proc/fs/nfsd/threads says %lld on %s, but /proc/net/rpc/nfsd says %lld",
            (long long)nfsd->threads, host, (long long)nfsd->rpc_threads);
        ng_outcome_advise(outcome, "look at both by hand on %s", host);
        return;
    }
    if (threads < 0) {
        ng_outcome_see(outcome, NG_UNKNOWN, "how many nfsd threads %s has was not told", host);
        ng_outcome_advise(outcome, "look by hand on %s: cat /proc/fs/nfsd/threads", host);
        return;
    }
    ng_outcome_look(outcome, "threads", "%lld", (long long)threads);
    const bool enough = ng_compare_holds(&compare, threads);
    ng_outcome_see(outcome, enough ? NG_HELD : NG_BROKEN, "%s has %lld nfsd threads%s", host,
        (long long)threads, threads == 0 ? ": its NFS server does not run" : "");
    ng_outcome_advise(outcome,
        "set it on %s: echo N > /proc/fs/nfsd/threads, and [nfsd] threads= in /etc/nfs.conf", host);
}

/* Whether a version stands with a "+" in "-2 +3 +4 +4.1 +4.2". */
static bool is_enabled(const char *versions, const char *wanted, size_t len) {
    for (const char *at = versions; (at = strchr(at, '+')) != NULL; at++) {
        if (strncmp(at + 1, wanted, len) == 0 && (at[1 + len] == '\0' || at[1 + len] == ' ')) {
            return true;
        }
    }
    return false;
}

static void judge_versions(
    struct ng_outcome *outcome, const struct params *given, const char *versions) {
    const char *host = given->host->name;
    if (versions == NULL) {
        ng_outcome_see(outcome, NG_UNKNOWN, "which versions %s serves was not told", host);
        ng_outcome_advise(outcome, "look by hand on %s: cat /proc/fs/nfsd/versions", host);
        return;
    }
    for (const char *at = given->versions; *at != '\0';) {
        const size_t len = strcspn(at, " ,");
        if (len > 0) {
            const bool on = is_enabled(versions, at, len);
            ng_outcome_see(outcome, on ? NG_HELD : NG_BROKEN, "version %.*s is %s on %s", (int)len,
                at, on ? "enabled" : "not enabled", host);
            ng_outcome_advise(outcome, "enable it in the [nfsd] section of /etc/nfs.conf");
        }
        at += len + strspn(at + len, " ,");
    }
}

static void judge_block_size(
    struct ng_outcome *outcome, const struct params *given, int64_t block_size) {
    struct ng_arena *arena = outcome->site->arena;
    const char *host = given->host->name;
    if (block_size < 0) {
        ng_outcome_see(outcome, NG_UNKNOWN, "the block size of nfsd on %s was not told", host);
        ng_outcome_advise(outcome, "look by hand on %s: cat /proc/fs/nfsd/max_block_size", host);
        return;
    }
    const bool enough = block_size >= given->block_size;
    ng_outcome_see(outcome, enough ? NG_HELD : NG_BROKEN,
        "nfsd on %s reads and writes up to %s at a time", host, ng_size_words(arena, block_size));
    ng_outcome_advise(outcome,
        "write %lld to /proc/fs/nfsd/max_block_size on %s before its threads are started",
        (long long)given->block_size, host);
}

/* All clients that a path is exported to: which of them the plan's client is, is not known. */
static void judge_sync(struct ng_outcome *outcome, const struct params *given, const char *path) {
    const struct ng_exports *exports = &ng_site_facts(outcome->site, given->host)->servers.exports;
    const enum ng_answer wanted = given->sync == SYNC_YES ? NG_ANSWER_YES : NG_ANSWER_NO;
    const char *word = given->sync == SYNC_YES ? "sync" : "async";
    size_t same = 0, other = 0, untold = 0;
    const char *odd = "";
    for (size_t i = 0; i < exports->count; i++) {
        const struct ng_export *export = &exports->items[i];
        if (strcmp(export->path, path) != 0) {
            continue;
        }
        same += export->sync == wanted ? 1 : 0;
        untold += export->sync == NG_ANSWER_UNKNOWN ? 1 : 0;
        if (export->sync != wanted && export->sync != NG_ANSWER_UNKNOWN) {
            other++;
            odd = export->client;
        }
    }
    if (other > 0 && same + untold == 0) {
        ng_outcome_see(outcome, NG_BROKEN, "%s is exported %s, not %s", path,
            given->sync == SYNC_YES ? "async: writes are answered before they are on disk" : "sync",
            word);
        ng_outcome_advise(
            outcome, "say %s in /etc/exports on %s, and exportfs -ra", word, given->host->name);
    } else if (other > 0 || untold > 0) {
        ng_outcome_see(outcome, NG_UNKNOWN, "whether %s is %s depends on the client%s%s", path,
            word, other > 0 ? ": it is not for " : "", odd);
        ng_outcome_advise(outcome, "export it in one way to all clients of %s", given->host->name);
    } else {
        ng_outcome_see(outcome, NG_HELD, "%s is exported %s", path, word);
    }
}

static void judge_export(struct ng_outcome *outcome, const struct params *given) {
    const struct ng_servers *servers = &ng_site_facts(outcome->site, given->host)->servers;
    const char *host = given->host->name;
    const char *path = ng_exports_of(&servers->exports, given->export);
    for (size_t i = 0; path != NULL && i < servers->exports.count; i++) {
        const struct ng_export *export = &servers->exports.items[i];
        if (strcmp(export->path, path) == 0) {
            ng_outcome_look(outcome,
                ng_arena_printf(outcome->site->arena, "%s to %s", path, export->client), "%s",
                export->options);
        }
    }
    if (servers->exports_why != NULL) {
        ng_outcome_see(
            outcome, NG_UNKNOWN, "what %s exports is unknown: %s", host, servers->exports_why);
        ng_outcome_advise(outcome, "look by hand on %s: exportfs -v", host);
        if (path == NULL) {
            return;
        }
    }
    if (path == NULL) {
        ng_outcome_see(outcome, NG_BROKEN, "%s does not export %s", host, given->export);
        ng_outcome_advise(outcome, "add it to /etc/exports on %s, and exportfs -ra", host);
        return;
    }
    if (given->sync == SYNC_ANY) {
        ng_outcome_see(outcome, NG_HELD, "%s exports %s", host, path);
    } else {
        judge_sync(outcome, given, path);
    }
}

static const char *wanted(const struct params *given, struct ng_arena *arena) {
    const char *text = ng_arena_printf(arena, "%s nfsd threads", given->threads);
    if (given->versions != NULL) {
        text = ng_arena_printf(arena, "%s, versions %s", text, given->versions);
    }
    if (given->block_size > 0) {
        text = ng_arena_printf(
            arena, "%s, blocks of %s", text, ng_size_words(arena, given->block_size));
    }
    if (given->export != NULL) {
        text = ng_arena_printf(arena, "%s, %s exported%s", text, given->export,
            given->sync == SYNC_ANY   ? ""
            : given->sync == SYNC_YES ? " sync"
                                      : " async");
    }
    return text;
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct params *given = params;
    const struct ng_servers *servers = &ng_site_facts(site, given->host)->servers;
    const struct ng_nfsd *nfsd = &servers->nfsd;
    struct ng_outcome outcome = ng_outcome_begin(site, out, given->host->name,
        ng_arena_printf(site->arena,
            "/proc/fs/nfsd, /proc/net/rpc/nfsd and /var/lib/nfs/etab on %s", given->host->name));
    ng_outcome_expect(&outcome, "%s on %s", wanted(given, site->arena), given->host->name);
    if (servers->nfsd_why != NULL && nfsd->rpc_threads < 0) {
        ng_outcome_see(&outcome, NG_UNKNOWN, "the NFS server of %s cannot be looked at: %s",
            given->host->name, servers->nfsd_why);
        ng_outcome_advise(&outcome, "start it on %s, or look at its own tools", given->host->name);
        return;
    }
    ng_outcome_look(&outcome, "versions", "%s", nfsd->versions != NULL ? nfsd->versions : "");
    ng_outcome_look(&outcome, "block size", "%s",
        nfsd->max_block_size > 0 ? ng_size_words(site->arena, nfsd->max_block_size) : "");
    judge_threads(&outcome, given, nfsd);
    if (given->versions != NULL) {
        judge_versions(&outcome, given, nfsd->versions);
    }
    if (given->block_size > 0) {
        judge_block_size(&outcome, given, nfsd->max_block_size);
    }
    if (given->export != NULL) {
        judge_export(&outcome, given);
    }
}

const struct ng_condition ng_condition_nfs_server = {
    .kind = {.record = {.name = "nfs_server",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct params),
                 .shorthand = "host",
                 .help = "the NFS server of a host has the threads and the export that are wanted"},
        .check = check},
    .reads = NG_GROUP_SERVERS,
    .needs = needs,
    .evaluate = evaluate,
};
