/* A file that is written on a volume is seen by its server. */
#include "runner/conditions/mount_seen.h"

#include <string.h>

#include "runner/base/digest.h"
#include "runner/base/text.h"
#include "runner/conditions/mount_match.h"
#include "runner/facts/scan.h"

#define DEADLINE_NS INT64_C(15000000000)

/* An existing file is not touched, and no symbolic link is followed (set -C). */
static const char write_script[] =
    "umask 022; set -C; printf '%s\n' \"$2\" >\"$1\" && echo written";
/* A file of this name in one of the folders; a server may show it a moment later. */
static const char look_script[] = "name=$1; shift; for try in 1 2 3; do said=; for dir; do\n"
                                  "if [ -e \"$dir/$name\" ]; then echo \"seen $dir\"; exit 0; fi\n"
                                  "if [ ! -d \"$dir\" ]; then said=\"${said}nofolder $dir\n\"\n"
                                  "elif [ ! -x \"$dir\" ]; then said=\"${said}closed $dir\n\"\n"
                                  "else said=\"${said}missing $dir\n\"; fi\n"
                                  "done; [ \"$try\" = 3 ] || sleep 1; done; printf '%s' \"$said\"";
static const char remove_script[] = "rm -f -- \"$1\"; [ -e \"$1\" ] || echo removed";

static const char *probe_name(
    struct ng_arena *arena, const char *step, const struct ng_volume *volume) {
    return ng_arena_printf(arena, "%s a file on %s", step, volume->name);
}

/* The same in a replay, and of no other run: made of the moment at which the client was looked at.
 */
static const char *file_name(const struct ng_condition_site *site, const struct ng_volume *volume) {
    const struct ng_facts *facts = ng_site_facts(site, volume->on);
    char digest[NG_DIGEST_TEXT];
    const char *seed = ng_arena_printf(site->arena, "%s %s %lld %.2f", volume->on->name,
        volume->path, (long long)facts->clock.ns, facts->load.uptime);
    return ng_arena_printf(
        site->arena, ".nasgate-seen-%.16s", ng_digest(seed, strlen(seed), digest));
}

static bool is_smb_type(const char *type) {
    return type != NULL && (strcmp(type, "cifs") == 0 || strcmp(type, "smb3") == 0);
}

static bool names_server(const struct ng_volume *volume) {
    const struct ng_mount_spec *spec = volume->mount;
    return spec != NULL && spec->from != NULL && spec->export != NULL && spec->from != volume->on;
}

void ng_mount_seen_needs(
    const struct ng_plan *plan, const struct ng_volume *volume, struct ng_collect_needs *by_host) {
    if (names_server(volume) && is_smb_type(volume->mount->type)) {
        ng_collect_needs_want(&by_host[ng_site_index(plan, volume->mount->from)], NG_WANT_SAMBA);
    }
}

/* The mount that the probe speaks of: of a network, whole, and writable by what was seen. */
static const struct ng_mount *written_mount(
    const struct ng_condition_site *site, const struct ng_volume *volume) {
    const struct ng_facts *facts = ng_site_facts(site, volume->on);
    const struct ng_mount *mount = ng_facts_mount(facts, volume->path);
    const struct ng_path *path = ng_facts_path(facts, site->arena, volume->path);
    const bool usable = mount != NULL && path->why == NULL && path->directory == NG_ANSWER_YES &&
                        path->writable == NG_ANSWER_YES && facts->clock.ns > 0;
    return usable && ng_mount_is_network(mount) && !ng_mount_read_only(mount) &&
                   ng_mount_type_matches(volume->mount->type, mount)
               ? mount
               : NULL;
}

/* The path below the mount's point, with what of the file system is mounted there: "/sub/deep". */
static const char *below_mount(const struct ng_condition_site *site, const struct ng_volume *volume,
    const struct ng_mount *mount) {
    const struct ng_path *path =
        ng_facts_path(ng_site_facts(site, volume->on), site->arena, volume->path);
    const char *real = path->real != NULL ? path->real : volume->path;
    const size_t len = strcmp(mount->point, "/") == 0 ? 0 : strlen(mount->point);
    return ng_arena_printf(site->arena, "%s%s", strcmp(mount->root, "/") == 0 ? "" : mount->root,
        strncmp(real, mount->point, len) == 0 ? real + len : "");
}

enum { FOLDERS_MAX = 4 };

struct folders {
    const char *items[FOLDERS_MAX];
    size_t count;
};

static void add_folder(
    struct folders *folders, struct ng_arena *arena, const char *base, const char *below) {
    size_t len = strlen(base);
    while (len > 0 && base[len - 1] == '/') {
        len--;
    }
    if (base[0] == '/' && folders->count < FOLDERS_MAX) {
        const char *text = ng_arena_printf(arena, "%.*s%s", (int)len, base, below);
        folders->items[folders->count++] = *text != '\0' ? text : "/";
    }
}

/* "//nas/bench/sub" or "bench/sub": the share, and what is mounted of it. */
static void add_share(struct folders *folders, const struct ng_condition_site *site,
    const struct ng_volume *volume, const struct ng_mount *mount, const char *below) {
    const char *server = "", *export = "";
    if (!ng_mount_source_split(mount, site->arena, &server, &export)) {
        return;
    }
    const size_t len = strcspn(export + 1, "/");
    const char *share = ng_arena_strndup(site->arena, export + 1, len);
    const struct ng_smb_config *config = &ng_site_facts(site, volume->mount->from)->servers.smb;
    const char *base = ng_smb_config_section(config, share) != NULL
                           ? ng_smb_config_value(config, share, "path")
                           : NULL;
    if (base != NULL && strchr(base, '%') == NULL) {
        add_folder(folders, site->arena, base,
            ng_arena_printf(site->arena, "%s%s", export + 1 + len, below));
    }
}

/* Where the server keeps it: the exported path; below the root that NFSv4 clients see; the path of
 * the share. */
static struct folders folders_of(const struct ng_condition_site *site,
    const struct ng_volume *volume, const struct ng_mount *mount) {
    struct folders folders = {.count = 0};
    const struct ng_facts *server = ng_site_facts(site, volume->mount->from);
    const char *below = below_mount(site, volume, mount);
    if (is_smb_type(mount->type)) {
        add_share(&folders, site, volume, mount, below);
        return folders;
    }
    const char *name = "", *export = volume->mount->export;
    (void)ng_mount_source_split(mount, site->arena, &name, &export);
    add_folder(&folders, site->arena, export, below);
    for (size_t i = 0; i < server->servers.exports.count; i++) {
        const struct ng_export *item = &server->servers.exports.items[i];
        if (item->root && folders.count == 1) {
            add_folder(&folders, site->arena, item->path,
                ng_arena_printf(site->arena, "%s%s", export, below));
        }
    }
    return folders;
}

static void want_write(const struct ng_condition_site *site, const struct ng_volume *volume,
    struct ng_probe_list *wanted, const char *file) {
    const char *text = ng_arena_printf(
        wanted->arena, "written by nasgate on %s; may be removed", volume->on->name);
    const char *const argv[] = {"/bin/sh", "-c", write_script, "seen", file, text, NULL};
    (void)site;
    ng_probe_want(
        wanted, volume->on, probe_name(wanted->arena, "write", volume), DEADLINE_NS, argv);
}

static void want_look(const struct ng_condition_site *site, const struct ng_volume *volume,
    struct ng_probe_list *wanted, const struct folders *folders) {
    const char *argv[FOLDERS_MAX + 6] = {
        "/bin/sh", "-c", look_script, "seen", file_name(site, volume)};
    for (size_t i = 0; i < folders->count; i++) {
        argv[5 + i] = folders->items[i];
    }
    ng_probe_want(wanted, volume->mount->from, probe_name(wanted->arena, "look for", volume),
        DEADLINE_NS, argv);
}

static bool says(const struct ng_probe_result *result, const char *word) {
    return result != NULL && result->failed == NULL &&
           ng_span_begins(ng_span(result->out, result->out_len), word);
}

void ng_mount_seen_probes(const struct ng_condition_site *site, const struct ng_volume *volume,
    struct ng_probe_list *wanted) {
    if (!names_server(volume) || ng_site_facts(site, volume->mount->from)->reason != NULL) {
        return;
    }
    const struct ng_mount *mount = written_mount(site, volume);
    const struct folders folders =
        mount != NULL ? folders_of(site, volume, mount) : (struct folders){.count = 0};
    if (folders.count == 0) {
        return;
    }
    struct ng_arena *arena = wanted->arena;
    const char *file = ng_arena_printf(arena, "%s/%s", volume->path, file_name(site, volume));
    const struct ng_probe_result *written =
        ng_probe_find(wanted->done, volume->on, probe_name(arena, "write", volume));
    const struct ng_probe_result *looked =
        ng_probe_find(wanted->done, volume->mount->from, probe_name(arena, "look for", volume));
    if (written == NULL) {
        want_write(site, volume, wanted, file);
        return;
    }
    if (says(written, "written") && looked == NULL) {
        want_look(site, volume, wanted, &folders);
    }
    /* It goes once the server has looked, or when nobody will look any more. Nothing is left to
     * remove where the file could not be made. */
    if (written->failed == NULL && !says(written, "written")) {
        return;
    }
    const char *const argv[] = {"/bin/sh", "-c", remove_script, "seen", file, NULL};
    if (looked != NULL || written->failed != NULL || wanted->undo_only) {
        ng_probe_want_undo(
            wanted, volume->on, probe_name(arena, "remove", volume), DEADLINE_NS, argv);
    }
}

/* What a probe that failed said, in words. */
static const char *complaint(struct ng_arena *arena, const struct ng_probe_result *result) {
    if (result->failed != NULL) {
        return result->failed;
    }
    const char *text = ng_text_clean_dup(arena, result->err, result->err_len, NG_TEXT_LINE, 200);
    return *text != '\0' ? text : "it said nothing that is understood";
}

static void judge_look(struct ng_outcome *outcome, const struct ng_volume *volume,
    const struct ng_probe_result *looked) {
    struct ng_arena *arena = outcome->site->arena;
    const char *server = volume->mount->from->name;
    const char *where = ng_volume_where(outcome->site, volume);
    const char *said = ng_text_clean_dup(arena, looked->out, looked->out_len, NG_TEXT_LINE, 400);
    if (says(looked, "seen ")) {
        ng_outcome_look(outcome, "seen by the server",
            "yes: a small file that was written to %s, in %s", where, said + strlen("seen "));
        ng_outcome_see(outcome, NG_HELD, "%s sees what is written there", server);
    } else if (looked->failed == NULL && strstr(said, "missing ") != NULL &&
               strstr(said, "closed ") == NULL) {
        ng_outcome_see(outcome, NG_BROKEN,
            "a file that was written to %s is not to be seen on %s (%s): it is mounted from "
            "elsewhere, "
            "or something is mounted over the export",
            where, server, said);
        ng_outcome_advise(outcome,
            "compare both ends: ls -la %s on %s, and the exported folder on %s", volume->path,
            volume->on->name, server);
    } else {
        ng_outcome_see(outcome, NG_UNKNOWN, "whether %s sees what is written to %s is unknown: %s",
            server, where, *said != '\0' ? said : complaint(arena, looked));
        ng_outcome_advise(outcome,
            "let the login on %s read the exported folder, correct export:, or write "
            "\"- mounted: {volume: %s, write_check: false}\"",
            server, volume->name);
    }
}

void ng_mount_seen_judge(struct ng_outcome *outcome, const struct ng_volume *volume) {
    struct ng_arena *arena = outcome->site->arena;
    const struct ng_probe_results *probes = outcome->site->probes;
    if (!names_server(volume)) {
        return;
    }
    const struct ng_probe_result *written =
        ng_probe_find(probes, volume->on, probe_name(arena, "write", volume));
    const struct ng_probe_result *looked =
        ng_probe_find(probes, volume->mount->from, probe_name(arena, "look for", volume));
    const struct ng_probe_result *removed =
        ng_probe_find(probes, volume->on, probe_name(arena, "remove", volume));
    if (written == NULL) {
        return;
    }
    if (!says(written, "written")) {
        ng_outcome_see(outcome, NG_UNKNOWN, "no file could be written to %s: %s",
            ng_volume_where(outcome->site, volume), complaint(arena, written));
        ng_outcome_advise(outcome, "let the user that the run works as write to %s", volume->path);
    } else if (looked != NULL) {
        judge_look(outcome, volume, looked);
    }
    if (removed != NULL && !says(removed, "removed")) {
        ng_outcome_see(outcome, NG_UNKNOWN, "the file %s/%s could not be removed: %s", volume->path,
            file_name(outcome->site, volume), complaint(arena, removed));
        ng_outcome_advise(outcome, "remove it by hand on %s", volume->on->name);
    }
}
