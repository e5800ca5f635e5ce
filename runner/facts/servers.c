/* What a host says of the file servers on it, and of those that it is a client of. */
#include "runner/facts/servers.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/facts.h"
#include "runner/facts/scan.h"

static const struct ng_source *source_of(const struct ng_facts *facts, const char *name) {
    return ng_frames_find(&facts->frames, name);
}

/* Reads a source or says why not. */
static const struct ng_source *wanted(const struct ng_facts *facts, struct ng_arena *arena,
    const char *name, const char *what, const char **why) {
    const struct ng_source *source = source_of(facts, name);
    if (ng_source_read(source)) {
        *why = NULL;
        return source;
    }
    *why = ng_source_why(&facts->frames, source, what, arena);
    return NULL;
}

/* "0:42<TAB>128" */
static void read_read_aheads(
    struct ng_servers *servers, struct ng_arena *arena, const struct ng_source *source) {
    struct ng_span rest = ng_span(source->text, source->len), line;
    while (ng_span_line(&rest, &line)) {
        int64_t major, minor, kib;
        struct ng_span device = ng_span_until(&line, '\t');
        if (!ng_span_int(ng_span_until(&device, ':'), &major) || !ng_span_int(device, &minor) ||
            !ng_span_int(ng_span_trim(line), &kib) || major < 0 || major > UINT32_MAX ||
            minor < 0 || minor > UINT32_MAX || kib < 0) {
            continue;
        }
        servers->read_aheads = ng_arena_grow(arena, servers->read_aheads, servers->read_ahead_count,
            &servers->read_ahead_capacity, sizeof *servers->read_aheads);
        servers->read_aheads[servers->read_ahead_count++] =
            (struct ng_read_ahead){(unsigned)major, (unsigned)minor, kib};
    }
}

static void read_client(struct ng_facts *facts, struct ng_arena *arena) {
    struct ng_servers *servers = &facts->servers;
    const struct ng_source *source =
        wanted(facts, arena, "mountstats", "/proc/self/mountstats", &servers->mountstats_why);
    if (source != NULL) {
        ng_mountstats_parse(&servers->mountstats, arena, source->text, source->len);
    }
    source = source_of(facts, "nfsfs.servers");
    if (ng_source_read(source)) {
        ng_nfsfs_servers(&servers->nfsfs, arena, source->text, source->len);
    }
    source = source_of(facts, "nfsfs.volumes");
    if (ng_source_read(source)) {
        ng_nfsfs_volumes(&servers->nfsfs, arena, source->text, source->len);
    }
    source = wanted(facts, arena, "cifs", "/proc/fs/cifs/DebugData", &servers->cifs_why);
    if (source != NULL) {
        ng_cifs_parse(&servers->cifs, arena, source->text, source->len);
        if (!servers->cifs.understood) {
            servers->cifs_why = "/proc/fs/cifs/DebugData has no list of servers that is understood";
        }
    }
    read_read_aheads(servers, arena, source_of(facts, "bdi"));
}

static void read_nfsd(struct ng_facts *facts, struct ng_arena *arena) {
    struct ng_servers *servers = &facts->servers;
    struct ng_nfsd *nfsd = &servers->nfsd;
    const struct ng_source *source =
        wanted(facts, arena, "nfsd", "/proc/fs/nfsd", &servers->nfsd_why);
    *nfsd = (struct ng_nfsd){
        .threads = -1, .rpc_threads = -1, .read = -1, .written = -1, .max_block_size = -1};
    if (source != NULL) {
        ng_nfsd_files(nfsd, arena, source->text, source->len);
    } else if (source_of(facts, "nfsd")->state == NG_SOURCE_ABSENT) {
        servers->nfsd_why = "its kernel has no NFS server: none runs, or one that is no part of "
                            "the kernel, such as nfs-ganesha";
    }
    source = source_of(facts, "nfsd.rpc");
    if (ng_source_read(source)) {
        ng_nfsd_rpc(nfsd, source->text, source->len);
    }
    source = wanted(facts, arena, "nfsd.etab", "/var/lib/nfs/etab", &servers->exports_why);
    if (source == NULL) {
        const char *why = NULL;
        source = wanted(facts, arena, "exportfs", "exportfs -v", &why);
    }
    if (source != NULL) {
        servers->exports_why = NULL;
        ng_exports_parse(&servers->exports, arena, source->text, source->len);
        if (servers->exports.bad > 0) {
            servers->exports_why = ng_arena_printf(
                arena, "%zu line(s) of its exports are not understood", servers->exports.bad);
        }
    }
}

/* An include whose name has a macro, or that is the registry, is not in what testparm prints. */
static bool is_odd(struct ng_span value) {
    return ng_span_has(value, '%') || ng_span_is(ng_span_trim(value), "registry");
}

/* "changed<TAB>PATH<TAB>SECONDS", "include<TAB>PATH<TAB>LINE" */
static void read_smb_files(
    struct ng_servers *servers, struct ng_arena *arena, const struct ng_source *source) {
    struct ng_span rest = ng_span(source->text, source->len), line;
    while (ng_span_line(&rest, &line)) {
        const struct ng_span key = ng_span_until(&line, '\t');
        const struct ng_span path = ng_span_until(&line, '\t');
        if (ng_span_is(key, "changed") && path.len > 0 && servers->smb_file_count < 64) {
            servers->smb_files = ng_arena_grow(arena, servers->smb_files, servers->smb_file_count,
                &servers->smb_file_capacity, sizeof *servers->smb_files);
            struct ng_smb_file *file = &servers->smb_files[servers->smb_file_count++];
            *file = (struct ng_smb_file){
                .path = ng_text_clean_dup(arena, path.at, path.len, NG_TEXT_LINE, 300)};
            file->changed = ng_span_int(ng_span_trim(line), &file->changed) ? file->changed : -1;
        } else if (ng_span_is(key, "include") && servers->smb_file_count > 0) {
            struct ng_smb_file *file = &servers->smb_files[servers->smb_file_count - 1];
            struct ng_span value = line;
            (void)ng_span_until(&value, '=');
            if (file->odd == NULL && ng_span_is(path, file->path) && is_odd(value)) {
                file->odd = ng_text_clean_dup(arena, line.at, line.len, NG_TEXT_LINE, 200);
            }
        }
    }
}

static void read_smb(struct ng_facts *facts, struct ng_arena *arena) {
    struct ng_servers *servers = &facts->servers;
    const struct ng_source *source =
        wanted(facts, arena, "testparm", "testparm -sv", &servers->smb_why);
    const struct ng_source *said = source_of(facts, "testparm.err");
    if (source != NULL) {
        ng_smb_config_parse(&servers->smb, arena, source->text, source->len);
        servers->smb_why = ng_smb_config_section(&servers->smb, "global") == NULL
                               ? "what testparm printed has no [global] section"
                           : servers->smb.cut ? "its configuration is longer than what is kept"
                                              : NULL;
    } else if (said->len > 0) {
        servers->smb_why = ng_arena_printf(arena, "%s: %s", servers->smb_why,
            ng_text_clean_dup(arena, said->text, said->len, NG_TEXT_LINE, 300));
    }
    struct ng_span rest = ng_span(said->text, said->len), line;
    while (servers->smb_loaded == NULL && ng_span_line(&rest, &line)) {
        const struct ng_span path = ng_span_after(line, "Load smb config files from ");
        if (path.len > 0) {
            servers->smb_loaded = ng_text_clean_dup(arena, path.at, path.len, NG_TEXT_LINE, 300);
        }
    }
    read_smb_files(servers, arena, source_of(facts, "smb.conf"));
    source = wanted(facts, arena, "smbstatus", "smbstatus", &servers->smb_status_why);
    if (source == NULL) {
        return;
    }
    ng_smb_status_parse(&servers->smb_status, arena, source->text, source->len);
    if (!servers->smb_status.understood) {
        servers->smb_status_why = ng_arena_printf(arena,
            "smbstatus printed no table that is understood (no rights, or no smbd): %s",
            ng_text_clean_dup(arena, source->text, source->len, NG_TEXT_LINE, 200));
    } else if (servers->smb_status.bad > 0) {
        servers->smb_status_why = ng_arena_printf(
            arena, "%zu row(s) of smbstatus are not understood", servers->smb_status.bad);
    }
}

void ng_servers_read(struct ng_facts *facts, struct ng_arena *arena) {
    read_client(facts, arena);
    read_nfsd(facts, arena);
    read_smb(facts, arena);
}

void ng_servers_none(struct ng_servers *servers, const char *reason) {
    servers->mountstats_why = reason;
    servers->cifs_why = reason;
    servers->nfsd_why = reason;
    servers->exports_why = reason;
    servers->smb_why = reason;
    servers->smb_status_why = reason;
}

/* When the oldest smbd began, in seconds since 1970; -1: unknown. */
static int64_t smbd_began(const struct ng_facts *facts) {
    const struct ng_tasks *tasks = &facts->load.tasks;
    int64_t oldest = -1;
    for (size_t i = 0; i < tasks->count; i++) {
        const struct ng_task *task = &tasks->items[i];
        if (strcmp(task->name, "smbd") == 0 && task->start_ticks >= 0 &&
            (oldest < 0 || task->start_ticks < oldest)) {
            oldest = task->start_ticks;
        }
    }
    if (oldest < 0 || facts->clock.ns < 0 || facts->load.uptime < 0) {
        return -1;
    }
    return facts->clock.ns / 1000000000 - (int64_t)facts->load.uptime + oldest / 100;
}

const char *ng_servers_smb_doubt(const struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_servers *servers = &facts->servers;
    const int64_t began = smbd_began(facts);
    const char *registry = ng_smb_config_value(&servers->smb, NULL, "registry shares");
    if (registry != NULL && ng_smb_value_equal(registry, "yes")) {
        return "shares and settings may come from the registry, which testparm does not show";
    }
    for (size_t i = 0; i < servers->smb_file_count; i++) {
        const struct ng_smb_file *file = &servers->smb_files[i];
        if (servers->smb_loaded != NULL && strcmp(file->path, servers->smb_loaded) != 0) {
            continue;
        }
        if (file->odd != NULL) {
            return ng_arena_printf(arena,
                "%s has \"%s\", which depends on the client or the registry", file->path,
                file->odd);
        }
        if (began >= 0 && file->changed > began + 1) {
            return ng_arena_printf(arena,
                "%s was changed after smbd began: not all of it may be in force", file->path);
        }
    }
    return NULL;
}
