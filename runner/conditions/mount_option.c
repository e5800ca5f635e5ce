/* Options of a mount in force against those that the plan wants. What was asked for is not what was
 * granted: where the kernel tells the real state elsewhere, that counts. */
#include <string.h>

#include "runner/conditions/mount_match.h"

/* A flag: `soft: true` wants it there, `soft: false` wants it absent. */
static bool is_flag(const char *wanted, bool *present) {
    *present = strcmp(wanted, "true") == 0 || wanted[0] == '\0';
    return *present || strcmp(wanted, "false") == 0;
}

static bool is_nfs(const struct ng_mount *mount) {
    return strcmp(mount->type, "nfs") == 0 || strcmp(mount->type, "nfs4") == 0;
}

static bool is_smb(const struct ng_mount *mount) {
    return strcmp(mount->type, "cifs") == 0 || strcmp(mount->type, "smb3") == 0;
}

/* The kernel ends the options of NFS with the server's address: without it the line was cut. */
static bool is_cut(const struct ng_outcome *outcome, const struct ng_mount *mount) {
    const char *value = "";
    return is_nfs(mount) && !ng_mount_option(mount, "addr", outcome->site->arena, &value);
}

/** An option as it is: NULL texts are unknown. */
struct real {
    bool there;
    const char *value; /* where it is there */
    const char *from;  /* which source tells it, where that is not mountinfo */
    const char *why;   /* why it is unknown, or NULL */
};

static struct real real_nconnect(const struct ng_facts *facts, const struct ng_mount *mount,
    struct real told, struct ng_arena *arena) {
    const struct ng_mountstat *stat = ng_mountstats_find(&facts->servers.mountstats, mount->point);
    if (stat != NULL && stat->connections > 0) {
        return (struct real){.there = true,
            .value = ng_arena_printf(arena, "%zu", stat->connections),
            .from = "/proc/self/mountstats"};
    }
    /* The kernel prints it only above 1. */
    return told.there ? told : (struct real){.there = true, .value = "1"};
}

/* Dialect and channels of an SMB session: the options say what was asked for. */
static struct real real_session(const struct ng_facts *facts, const struct ng_mount *mount,
    bool dialect, struct ng_arena *arena) {
    static const char source[] = "/proc/fs/cifs/DebugData";
    const struct ng_cifs_server *server = ng_cifs_find(&facts->servers.cifs, mount->source);
    if (facts->servers.cifs_why != NULL) {
        return (struct real){
            .why = ng_arena_printf(arena, "it is told by %s alone, which is for root: %s", source,
                facts->servers.cifs_why)};
    }
    const char *word = server != NULL ? ng_cifs_dialect_word(server->dialect) : NULL;
    if (server == NULL || (dialect ? word == NULL : server->channels == 0)) {
        return (struct real){
            .why = ng_arena_printf(arena, "%s does not tell it for %s", source, mount->source)};
    }
    return (struct real){.there = true,
        .value = dialect ? word : ng_arena_printf(arena, "%lld", (long long)server->channels),
        .from = source};
}

static struct real real_option(const struct ng_outcome *outcome, const struct ng_volume *volume,
    const char *name, const struct ng_mount *mount) {
    struct ng_arena *arena = outcome->site->arena;
    const struct ng_facts *facts = ng_site_facts(outcome->site, volume->on);
    struct real told = {.value = ""};
    told.there = ng_mount_option(mount, name, arena, &told.value);
    if (is_nfs(mount) && strcmp(name, "nconnect") == 0) {
        return real_nconnect(facts, mount, told, arena);
    }
    if (is_smb(mount) && strcmp(name, "max_channels") == 0) {
        return real_session(facts, mount, false, arena);
    }
    if (is_smb(mount) && strcmp(name, "vers") == 0 &&
        (!told.there || strcmp(told.value, "default") == 0)) {
        return real_session(facts, mount, true, arena);
    }
    if (told.there && strcmp(told.value, "***") == 0) {
        told.why = "its value is not kept, because it names a person";
    }
    return told;
}

static void see_flag(struct ng_outcome *outcome, const struct ng_pair *pair, bool there,
    bool wanted_there, bool cut) {
    if (there == wanted_there) {
        return;
    }
    if (cut && !there) {
        ng_outcome_see(outcome, NG_UNKNOWN,
            "whether option %s is in force is unknown: the line of mountinfo is cut off",
            pair->key);
    } else {
        ng_outcome_see(
            outcome, NG_BROKEN, "option %s is %sin force", pair->key, there ? "" : "not ");
    }
}

void ng_mount_compare_option(struct ng_outcome *outcome, const struct ng_volume *volume,
    const struct ng_pair *pair, const struct ng_mount *mount) {
    const bool cut = is_cut(outcome, mount);
    const struct real real = real_option(outcome, volume, pair->key, mount);
    bool wanted_there;
    if (is_flag(pair->value, &wanted_there)) {
        see_flag(outcome, pair, real.there || real.why != NULL, wanted_there, cut);
        return;
    }
    if (real.why != NULL) {
        ng_outcome_see(outcome, NG_UNKNOWN, "%s is unknown: %s", pair->key, real.why);
        return;
    }
    if (cut && real.from == NULL) {
        ng_outcome_see(outcome, NG_UNKNOWN,
            "%s is unknown: the line of mountinfo is cut off, so that its options are not to be "
            "trusted",
            pair->key);
    } else if (!real.there) {
        ng_outcome_see(outcome, NG_BROKEN, "option %s is not in force, %s=%s is wanted", pair->key,
            pair->key, pair->value);
    } else if (!ng_mount_value_matches(pair->key, pair->value, real.value)) {
        ng_outcome_see(outcome, NG_BROKEN, "%s=%s is in force%s%s, not %s", pair->key, real.value,
            real.from != NULL ? " by " : "", real.from != NULL ? real.from : "", pair->value);
    }
    if (real.from != NULL) {
        ng_outcome_look(outcome, pair->key, "%s by %s", real.value, real.from);
    }
}
