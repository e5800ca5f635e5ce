/* From the collector's frames to the facts of a host. */
#include "runner/facts/facts.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/collect.h"
#include "runner/facts/host.h"
#include "runner/facts/net.h"
#include "runner/facts/scan.h"
#include "runner/facts/scrub.h"
#include "runner/facts/volumes.h"
#include "runner/facts/zfs.h"

/* collect.h: what goes beyond its bounds is refused. */
#define NOT_ASKED "it was not asked for (a host is asked for 512 paths and 128 tools at most)"

static void read_mounts(struct ng_facts *facts, struct ng_arena *arena) {
    /* The second reading was made after the paths were touched: automounts have answered. */
    const struct ng_source *source = ng_frames_find(&facts->frames, "mountinfo.after");
    if (!ng_source_read(source)) {
        source = ng_frames_find(&facts->frames, "mountinfo");
    }
    if (!ng_source_read(source)) {
        facts->mounts_why = ng_source_why(&facts->frames, source, "/proc/self/mountinfo", arena);
        return;
    }
    ng_mounts_parse(&facts->mounts, arena, source->text, source->len);
    if (facts->mounts.bad > 0) {
        facts->mounts_why = ng_arena_printf(
            arena, "%zu line(s) of /proc/self/mountinfo are not understood", facts->mounts.bad);
    } else if (facts->mounts.count == 0) {
        facts->mounts_why = "/proc/self/mountinfo is empty";
    }
}

/* No /proc/mdstat: no arrays for certain only where the kernel shows its modules and md is not
 * among them. A container hides files, but not which modules the kernel has. */
static void no_mdstat(
    struct ng_facts *facts, const struct ng_source *source, struct ng_arena *arena) {
    struct ng_md *md = &facts->md;
    md->reason = ng_source_why(&facts->frames, source, "/proc/mdstat", arena);
    bool vendor = facts->platform == NG_PLATFORM_DSM || facts->platform == NG_PLATFORM_QTS ||
                  facts->platform == NG_PLATFORM_UNRAID ||
                  facts->platform == NG_PLATFORM_TRUENAS_CORE ||
                  facts->platform == NG_PLATFORM_FREEBSD;
    if (source->state != NG_SOURCE_ABSENT || vendor || md->count > 0) {
        return;
    }
    if (ng_host_marked(facts, "modules") && !ng_host_marked(facts, "md_mod")) {
        md->kind = NG_MD_NONE;
        md->reason = "the kernel has no md driver loaded";
    } else if (ng_host_marked(facts, "md_mod")) {
        md->reason = "there is no /proc/mdstat, but the kernel has md: it is hidden here";
    }
}

static void read_md(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_source *mdstat = ng_frames_find(&facts->frames, "mdstat");
    const struct ng_source *sysfs = ng_frames_find(&facts->frames, "md");
    if (ng_source_read(mdstat)) {
        ng_mdstat_parse(&facts->md, arena, mdstat->text, mdstat->len);
    }
    if (ng_source_read(sysfs)) {
        ng_md_sysfs_parse(&facts->md, arena, sysfs->text, sysfs->len);
    }
    if (!ng_source_read(mdstat)) {
        no_mdstat(facts, mdstat, arena);
    }
    ng_md_judge(&facts->md, arena, facts->platform);
    if (sysfs->state == NG_SOURCE_CUT || sysfs->state == NG_SOURCE_LATE) {
        ng_md_doubt(&facts->md, ng_source_why(&facts->frames, sysfs, "its state in sysfs", arena));
    }
}

static void read_blocks(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_source *block = ng_frames_find(&facts->frames, "block");
    ng_blocks_parse(&facts->blocks, arena, block->text, block->len);
    if (!ng_source_read(block)) {
        facts->blocks.why = ng_source_why(&facts->frames, block, "/sys/block", arena);
    }
    ng_scrub_read(facts, arena);
    ng_volumes_read(facts, arena);
}

static void read_path(struct ng_facts *facts, struct ng_arena *arena, size_t number) {
    struct ng_path *path = &facts->paths[facts->path_count - 1];
    const struct ng_source *test =
        ng_frames_find(&facts->frames, ng_arena_printf(arena, "path.%zu.test", number));
    const struct ng_source *stat =
        ng_frames_find(&facts->frames, ng_arena_printf(arena, "path.%zu.stat", number));
    if (!ng_source_read(test)) {
        path->late = test->state == NG_SOURCE_LATE;
        path->why = ng_source_why(&facts->frames, test, path->path, arena);
        return;
    }
    ng_path_parse(path, arena, test->text, test->len);
    ng_path_parse(path, arena, stat->text, stat->len);
    if (path->available < 0) {
        path->space_why = ng_source_read(stat)
                              ? "neither stat -f nor df printed a number that can be read"
                              : ng_source_why(&facts->frames, stat, "stat -f", arena);
    }
}

static void read_paths(struct ng_facts *facts, struct ng_arena *arena) {
    for (size_t number = 1; number <= NG_COLLECT_PATHS_MAX; number++) {
        const struct ng_source *name =
            ng_frames_find(&facts->frames, ng_arena_printf(arena, "path.%zu.name", number));
        if (!ng_source_read(name)) {
            return;
        }
        facts->paths = ng_arena_grow(
            arena, facts->paths, facts->path_count, &facts->path_capacity, sizeof *facts->paths);
        facts->paths[facts->path_count++] = (struct ng_path){.path = name->text,
            .device = -1,
            .available = -1,
            .total = -1,
            .reserved = -1,
            .files = -1,
            .free_files = -1};
        read_path(facts, arena, number);
    }
}

static void read_tool(struct ng_facts *facts, struct ng_arena *arena, struct ng_span name) {
    facts->tools = ng_arena_grow(
        arena, facts->tools, facts->tool_count, &facts->tool_capacity, sizeof *facts->tools);
    struct ng_tool *tool = &facts->tools[facts->tool_count++];
    *tool = (struct ng_tool){.name = ng_span_dup(arena, name), .text = ""};
    const struct ng_source *path =
        ng_frames_find(&facts->frames, ng_arena_printf(arena, "tool.%s.path", tool->name));
    if (path->state == NG_SOURCE_ABSENT) {
        tool->found = NG_ANSWER_NO;
        return;
    }
    if (!ng_source_read(path)) {
        tool->why = ng_source_why(&facts->frames, path, tool->name, arena);
        return;
    }
    tool->found = NG_ANSWER_YES;
    tool->path = ng_text_clean_dup(arena, path->text, path->len, NG_TEXT_LINE, 4096);
    /* Exit codes of version calls are not reliable: the text counts, whatever the status. */
    const struct ng_source *version =
        ng_frames_find(&facts->frames, ng_arena_printf(arena, "tool.%s.version", tool->name));
    struct ng_span rest = ng_span(version->text, version->len);
    struct ng_span line = ng_span(NULL, 0);
    while (line.len == 0 && ng_span_line(&rest, &line)) {
        line = ng_span_trim(line);
    }
    tool->text = line.len == 0 ? ng_source_why(&facts->frames, version, "its version", arena)
                               : ng_text_clean_dup(arena, line.at, line.len, NG_TEXT_LINE, 200);
    tool->version = ng_version_find(tool->name, version->text, version->len);
}

static void read_tools(struct ng_facts *facts, struct ng_arena *arena) {
    for (size_t i = 0; i < facts->frames.count; i++) {
        const char *name = facts->frames.items[i].name;
        size_t len = strlen(name);
        if (len > 10 && strncmp(name, "tool.", 5) == 0 && strcmp(name + len - 5, ".path") == 0) {
            read_tool(facts, arena, ng_span(name + 5, len - 10));
        }
    }
}

struct ng_facts *ng_facts_of_frames(
    struct ng_arena *arena, const char *host, const struct ng_frames *frames) {
    struct ng_facts *facts = ng_arena_alloc(arena, sizeof *facts);
    facts->host = ng_arena_strdup(arena, host);
    facts->frames = *frames;
    ng_host_read(facts, arena);
    read_mounts(facts, arena);
    read_md(facts, arena);
    ng_net_read(facts, arena);
    read_blocks(facts, arena);
    ng_zfs_read(facts, arena);
    ng_busy_read(facts, arena);
    ng_servers_read(facts, arena);
    read_paths(facts, arena);
    read_tools(facts, arena);
    ng_host_describe(facts, arena);
    ng_arrays_read(facts, arena);
    return facts;
}

struct ng_facts *ng_facts_parse(
    struct ng_arena *arena, const char *host, const char *token, const char *bytes, size_t len) {
    struct ng_frames frames;
    ng_frames_parse(&frames, arena, token, bytes, len);
    return ng_facts_of_frames(arena, host, &frames);
}

struct ng_facts *ng_facts_none(struct ng_arena *arena, const char *host, const char *reason) {
    struct ng_facts *facts = ng_facts_parse(arena, host, "", "", 0);
    facts->arrays = (struct ng_arrays){0};
    facts->reason = ng_arena_strdup(arena, reason);
    facts->frames.reason = facts->reason;
    facts->mounts_why = facts->reason;
    facts->md.reason = facts->reason;
    facts->netifs.addresses_why = facts->reason;
    facts->ethtool_why = facts->reason;
    facts->qdiscs.why = facts->reason;
    facts->sysctls_why = facts->reason;
    facts->blocks.why = facts->reason;
    facts->blocks.targets_why = facts->reason;
    facts->lvm.why = facts->reason;
    ng_arrays_gap(facts, arena, "", "cat /proc/mdstat", "what its arrays are at is unknown: %s",
        facts->reason);
    ng_servers_none(&facts->servers, facts->reason);
    ng_busy_none(&facts->load, facts->reason);
    return facts;
}

const struct ng_path *ng_facts_path(
    const struct ng_facts *facts, struct ng_arena *arena, const char *path) {
    for (size_t i = 0; i < facts->path_count; i++) {
        if (strcmp(facts->paths[i].path, path) == 0) {
            return &facts->paths[i];
        }
    }
    struct ng_path *none = ng_arena_alloc(arena, sizeof *none);
    *none = (struct ng_path){.path = ng_arena_strdup(arena, path),
        .device = -1,
        .available = -1,
        .total = -1,
        .reserved = -1,
        .files = -1,
        .free_files = -1};
    none->why = ng_arena_printf(arena, "%s was not looked at: %s", path,
        facts->frames.reason != NULL ? facts->frames.reason : NOT_ASKED);
    none->space_why = none->why;
    return none;
}

const struct ng_tool *ng_facts_tool(
    const struct ng_facts *facts, struct ng_arena *arena, const char *tool) {
    for (size_t i = 0; i < facts->tool_count; i++) {
        if (strcmp(facts->tools[i].name, tool) == 0) {
            return &facts->tools[i];
        }
    }
    struct ng_tool *none = ng_arena_alloc(arena, sizeof *none);
    *none = (struct ng_tool){.name = ng_arena_strdup(arena, tool), .text = ""};
    none->why = ng_arena_printf(arena, "%s was not looked for: %s", tool,
        facts->frames.reason != NULL ? facts->frames.reason : NOT_ASKED);
    return none;
}

const struct ng_mount *ng_facts_mount(const struct ng_facts *facts, const char *path) {
    if (facts->mounts_why != NULL) {
        return NULL;
    }
    for (size_t i = 0; i < facts->path_count; i++) {
        if (strcmp(facts->paths[i].path, path) == 0 && facts->paths[i].real != NULL) {
            return ng_mounts_find(&facts->mounts, facts->paths[i].real);
        }
    }
    return ng_mounts_find(&facts->mounts, path);
}
