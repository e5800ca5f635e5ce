/* samba: a Samba server is configured, and its sessions are, as the plan states. */
#include <string.h>

#include "runner/conditions/outcome.h"

struct params {
    const struct ng_host *host;
    const char *share;
    struct ng_pairs expect;
    const char *dialect;
    int signing, encryption; /* index into degrees */
};

enum { DEGREE_ANY, DEGREE_OFF, DEGREE_ON };
static const char *const degrees[] = {"any", "false", "true", NULL};

static const struct ng_field fields[] = {
    {.name = "host",
        .type = NG_FIELD_HOST,
        .offset = offsetof(struct params, host),
        .flags = NG_REQUIRED,
        .help = "the host that runs Samba; smbstatus tells its sessions to root only"},
    {.name = "share",
        .type = NG_FIELD_TEXT,
        .offset = offsetof(struct params, share),
        .help = "the share whose values count; those of the server where there is none"},
    {.name = "expect",
        .type = NG_FIELD_PAIRS,
        .offset = offsetof(struct params, expect),
        .help = "parameters with their effective values, defaults as well: {aio read size: 1, "
                "strict sync: \"no\"}"},
    {.name = "dialect",
        .type = NG_FIELD_TEXT,
        .offset = offsetof(struct params, dialect),
        .help = "the oldest dialect that a session may have: \"3.1.1\" or SMB3_11"},
    {.name = "signing",
        .type = NG_FIELD_CHOICE,
        .offset = offsetof(struct params, signing),
        .choices = degrees,
        .fallback = "any",
        .help = "whether the packets of all sessions must be signed, or must not"},
    {.name = "encryption",
        .type = NG_FIELD_CHOICE,
        .offset = offsetof(struct params, encryption),
        .choices = degrees,
        .fallback = "any",
        .help = "whether the packets of all sessions must be encrypted, or must not"},
};

static bool asks_sessions(const struct params *given) {
    return given->dialect != NULL || given->signing != DEGREE_ANY ||
           given->encryption != DEGREE_ANY;
}

static void check(const struct ng_plan *plan, const void *params, const struct ng_node *node,
    struct ng_diags *diags) {
    (void)plan;
    const struct params *given = params;
    if (given->dialect != NULL && ng_smb_dialect_number(given->dialect) == 0) {
        ng_diag_error(diags, ng_field_place(node, "dialect"), "value",
            "%s is no dialect of SMB: write \"3.1.1\", \"3.0\", \"2.1\" ...",
            ng_diag_quote(diags, given->dialect));
    }
}

static void needs(
    const struct ng_plan *plan, const void *params, struct ng_collect_needs *by_host) {
    const struct params *given = params;
    ng_collect_needs_want(&by_host[ng_site_index(plan, given->host)], NG_WANT_SAMBA);
}

static void judge_value(struct ng_outcome *outcome, const struct params *given,
    const struct ng_pair *pair, const char *doubt) {
    const struct ng_smb_config *config = &ng_site_facts(outcome->site, given->host)->servers.smb;
    const char *host = given->host->name;
    const char *value = ng_smb_config_value(config, given->share, pair->key);
    if (value == NULL) {
        ng_outcome_see(outcome, NG_UNKNOWN,
            "testparm on %s prints no \"%s\": this Samba does not know it, or only by another name",
            host, pair->key);
        ng_outcome_advise(outcome, "see what it is called on %s: testparm -sv", host);
        return;
    }
    const bool same = ng_smb_value_equal(value, pair->value);
    ng_outcome_look(outcome, pair->key, "%s", *value != '\0' ? value : "none");
    ng_outcome_see(outcome,
        !same           ? NG_BROKEN
        : doubt == NULL ? NG_HELD
                        : NG_UNKNOWN,
        "%s is %s%s%s%s%s", pair->key, *value != '\0' ? value : "empty", same ? "" : ", not ",
        same ? "" : pair->value, same && doubt != NULL ? " by its files; " : "",
        same && doubt != NULL ? doubt : "");
    ng_outcome_advise(outcome,
        same ? "restart smbd on %s, or write \"unknown: allow\""
             : "set it in smb.conf on %s, and smbcontrol all reload-config",
        host);
}

static void judge_config(struct ng_outcome *outcome, const struct params *given) {
    const struct ng_facts *facts = ng_site_facts(outcome->site, given->host);
    const struct ng_servers *servers = &facts->servers;
    const char *host = given->host->name;
    if (servers->smb_why != NULL) {
        ng_outcome_see(outcome, NG_UNKNOWN, "Samba's configuration on %s is unknown: %s", host,
            servers->smb_why);
        ng_outcome_advise(outcome,
            "install testparm on %s (Debian: samba-common-bin); ksmbd and appliances have none",
            host);
        return;
    }
    const char *doubt = ng_servers_smb_doubt(facts, outcome->site->arena);
    ng_outcome_look(outcome, "file", "%s", servers->smb_loaded != NULL ? servers->smb_loaded : "");
    ng_outcome_look(outcome, "doubt", "%s", doubt != NULL ? doubt : "");
    if (given->share != NULL && ng_smb_config_section(&servers->smb, given->share) == NULL) {
        ng_outcome_see(outcome, doubt == NULL ? NG_BROKEN : NG_UNKNOWN,
            "%s has no share \"%s\"%s%s", host, given->share, doubt != NULL ? "; " : "",
            doubt != NULL ? doubt : "");
        ng_outcome_advise(outcome, "add the share to smb.conf on %s, or correct share:", host);
        return;
    }
    for (size_t i = 0; i < given->expect.count; i++) {
        judge_value(outcome, given, &given->expect.items[i], doubt);
    }
}

static bool degree_holds(int wanted, enum ng_smb_degree degree) {
    return wanted == DEGREE_ANY || (wanted == DEGREE_ON && degree == NG_SMB_FULL) ||
           (wanted == DEGREE_OFF && degree == NG_SMB_NONE);
}

static void judge_degree(struct ng_outcome *outcome, const char *who, const char *what, int wanted,
    enum ng_smb_degree degree) {
    if (degree == NG_SMB_UNTOLD && wanted != DEGREE_ANY) {
        ng_outcome_see(outcome, NG_UNKNOWN, "%s of the session from %s is not told", what, who);
        ng_outcome_advise(outcome, "this Samba is too old to tell it: allow the unknown");
    } else if (!degree_holds(wanted, degree)) {
        ng_outcome_see(outcome, NG_BROKEN, "%s of the session from %s is %s", what, who,
            ng_smb_degree_word(degree));
        ng_outcome_advise(outcome, "see \"server signing\" and \"server smb encrypt\" in smb.conf, "
                                   "and the client's mount options; mount anew");
    }
}

static void judge_session(
    struct ng_outcome *outcome, const struct params *given, const struct ng_smb_session *session) {
    const char *who = session->machine != NULL ? session->machine : "a client";
    ng_outcome_look(outcome, who, "dialect %s, encryption %s, signing %s",
        session->dialect != NULL ? session->dialect : "unknown",
        ng_smb_degree_word(session->encryption), ng_smb_degree_word(session->signing));
    if (given->dialect != NULL) {
        const int64_t wanted = ng_smb_dialect_number(given->dialect);
        const int64_t number =
            session->dialect != NULL ? ng_smb_dialect_number(session->dialect) : 0;
        if (number == 0) {
            ng_outcome_see(outcome, NG_UNKNOWN, "the dialect of the session from %s is %s", who,
                session->dialect != NULL ? session->dialect : "not told");
            ng_outcome_advise(outcome, "look by hand: smbstatus -p");
        } else if (number < wanted) {
            ng_outcome_see(outcome, NG_BROKEN, "the session from %s has dialect %s, older than %s",
                who, session->dialect, given->dialect);
            ng_outcome_advise(
                outcome, "mount with vers=3.1.1, and raise \"server min protocol\" in smb.conf");
        }
    }
    judge_degree(outcome, who, "signing", given->signing, session->signing);
    judge_degree(outcome, who, "encryption", given->encryption, session->encryption);
}

/* An smbstatus that finds no daemon prints an empty table as well. */
static bool no_daemon(const struct ng_tasks *tasks) {
    for (size_t i = 0; i < tasks->count; i++) {
        if (strcmp(tasks->items[i].name, "smbd") == 0) {
            return false;
        }
    }
    return ng_tasks_complete(tasks);
}

static void judge_sessions(struct ng_outcome *outcome, const struct params *given) {
    const struct ng_facts *facts = ng_site_facts(outcome->site, given->host);
    const struct ng_smb_status *status = &facts->servers.smb_status;
    const char *host = given->host->name;
    const bool asked = asks_sessions(given);
    if (facts->servers.smb_status_why != NULL || facts->root == NG_ANSWER_NO) {
        const char *why = facts->servers.smb_status_why != NULL
                              ? facts->servers.smb_status_why
                              : "smbstatus tells all sessions to root only";
        ng_outcome_look(outcome, "sessions", "unknown: %s", why);
        if (asked) {
            ng_outcome_see(outcome, NG_UNKNOWN, "the sessions on %s are unknown: %s", host, why);
            ng_outcome_advise(outcome, "collect as root: \"privilege: sudo\" for host %s", host);
        }
        return;
    }
    ng_outcome_look(outcome, "sessions", "%zu", status->session_count);
    for (size_t i = 0; i < status->session_count; i++) {
        judge_session(outcome, given, &status->sessions[i]);
    }
    if (asked && status->session_count == 0) {
        ng_outcome_see(outcome, NG_UNKNOWN, "%s on %s, so there is nothing to look at",
            no_daemon(&facts->load.tasks) ? "no smbd runs" : "nobody is connected", host);
        ng_outcome_advise(outcome, "mount the share before the run");
    }
}

static const char *wanted(const struct params *given, struct ng_arena *arena) {
    const char *text = "";
    for (size_t i = 0; i < given->expect.count; i++) {
        const struct ng_pair *pair = &given->expect.items[i];
        text = ng_arena_printf(
            arena, "%s%s%s = %s", text, *text == '\0' ? "" : ", ", pair->key, pair->value);
    }
    if (given->dialect != NULL) {
        text = ng_arena_printf(arena, "%s%ssessions of dialect %s or newer", text,
            *text == '\0' ? "" : ", ", given->dialect);
    }
    static const char *const words[] = {"", "not ", ""};
    if (given->signing != DEGREE_ANY) {
        text = ng_arena_printf(
            arena, "%s%ssessions %ssigned", text, *text == '\0' ? "" : ", ", words[given->signing]);
    }
    if (given->encryption != DEGREE_ANY) {
        text = ng_arena_printf(arena, "%s%ssessions %sencrypted", text, *text == '\0' ? "" : ", ",
            words[given->encryption]);
    }
    return *text == '\0' ? "its configuration and sessions, recorded" : text;
}

static void evaluate(
    const struct ng_condition_site *site, const void *params, struct ng_condition_result *out) {
    const struct params *given = params;
    struct ng_outcome outcome = ng_outcome_begin(site, out, given->host->name,
        ng_arena_printf(site->arena, "testparm -sv and smbstatus on %s", given->host->name));
    ng_outcome_expect(&outcome, "%s: %s%s%s", given->host->name, wanted(given, site->arena),
        given->share != NULL ? " in share " : "", given->share != NULL ? given->share : "");
    judge_config(&outcome, given);
    judge_sessions(&outcome, given);
    if (out->held == NG_HELD && asks_sessions(given)) {
        ng_outcome_see(&outcome, NG_HELD, "%zu session(s) on %s are as wanted",
            ng_site_facts(site, given->host)->servers.smb_status.session_count, given->host->name);
    } else if (out->seen[0] == '\0') {
        ng_outcome_see(&outcome, NG_HELD, "Samba on %s was looked at", given->host->name);
    }
}

const struct ng_condition ng_condition_samba = {
    .kind = {.record = {.name = "samba",
                 .fields = fields,
                 .count = NG_COUNT(fields),
                 .size = sizeof(struct params),
                 .shorthand = "host",
                 .help = "a Samba server's effective values, and its sessions, are as stated"},
        .check = check},
    .reads = NG_GROUP_CLOCK | NG_GROUP_IDENTITY | NG_GROUP_SERVERS,
    .needs = needs,
    .evaluate = evaluate,
};
