/* The environment of a host as named texts for the report. */
#include <string.h>

#include "runner/base/clock.h"
#include "runner/base/text.h"
#include "runner/base/units.h"
#include "runner/facts/host.h"
#include "runner/facts/scan.h"

static void add(
    struct ng_facts *facts, struct ng_arena *arena, const char *key, struct ng_span text) {
    text = ng_span_trim(text);
    if (text.len == 0) {
        return;
    }
    facts->environment = ng_arena_grow(arena, facts->environment, facts->environment_count,
        &facts->environment_capacity, sizeof *facts->environment);
    facts->environment[facts->environment_count++] = (struct ng_fact){
        .key = key, .value = ng_text_clean_dup(arena, text.at, text.len, NG_TEXT_LINE, 200)};
}

static void add_text(
    struct ng_facts *facts, struct ng_arena *arena, const char *key, const char *text) {
    add(facts, arena, key, ng_span(text, strlen(text)));
}

/* The value of `KEY=value` or `KEY="value"` in a frame. */
static struct ng_span assigned(const struct ng_facts *facts, const char *frame, const char *key) {
    const struct ng_source *source = ng_frames_find(&facts->frames, frame);
    struct ng_span rest = ng_span(source->text, source->len);
    struct ng_span line;
    while (ng_span_line(&rest, &line)) {
        if (ng_span_is(ng_span_until(&line, '='), key)) {
            if (line.len >= 2 && line.at[0] == '"' && line.at[line.len - 1] == '"') {
                line = ng_span(line.at + 1, line.len - 2);
            }
            return line;
        }
    }
    return ng_span(NULL, 0);
}

static struct ng_span first_line(const struct ng_facts *facts, const char *frame) {
    const struct ng_source *source = ng_frames_find(&facts->frames, frame);
    struct ng_span rest = ng_span(source->text, source->len);
    struct ng_span line = ng_span(NULL, 0);
    (void)ng_span_line(&rest, &line);
    return line;
}

/* "Model = TS-X72", "Version = 5.1.0", "Build Number = 20230801" of /etc/config/uLinux.conf; its
 * first ones are those of the system. */
static struct ng_span qts_value(const struct ng_facts *facts, const char *key) {
    const struct ng_source *source = ng_frames_find(&facts->frames, "qts");
    struct ng_span rest = ng_span(source->text, source->len);
    struct ng_span line;
    while (ng_span_line(&rest, &line)) {
        if (ng_span_is(ng_span_trim(ng_span_until(&line, '=')), key)) {
            return ng_span_trim(line);
        }
    }
    return ng_span(NULL, 0);
}

static void add_qts(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_span version = qts_value(facts, "Version");
    const struct ng_span build = qts_value(facts, "Build Number");
    const struct ng_span model = qts_value(facts, "Model");
    if (version.len > 0) {
        add_text(facts, arena, "os",
            ng_arena_printf(arena, "QTS %.*s%s%.*s", (int)version.len, version.at,
                build.len > 0 ? " build " : "", (int)build.len, build.len > 0 ? build.at : ""));
    }
    add(facts, arena, "model", model);
}

static void add_os(struct ng_facts *facts, struct ng_arena *arena) {
    struct ng_span dsm = assigned(facts, "dsm", "productversion");
    struct ng_span unraid = assigned(facts, "unraid", "version");
    if (dsm.len > 0) {
        struct ng_span build = assigned(facts, "dsm", "buildnumber");
        add_text(facts, arena, "os",
            ng_arena_printf(arena, "DSM %.*s-%.*s", (int)dsm.len, dsm.at, (int)build.len,
                build.len == 0 ? "" : build.at));
    } else if (unraid.len > 0) {
        add_text(
            facts, arena, "os", ng_arena_printf(arena, "Unraid %.*s", (int)unraid.len, unraid.at));
    } else if (facts->platform == NG_PLATFORM_QTS) {
        add_qts(facts, arena);
    } else {
        add(facts, arena, "os", assigned(facts, "os-release", "PRETTY_NAME"));
    }
    if (facts->platform == NG_PLATFORM_TRUENAS || facts->platform == NG_PLATFORM_TRUENAS_CORE) {
        add(facts, arena, "version", first_line(facts, "version"));
    }
    add(facts, arena, "kernel", first_line(facts, "uname"));
    add_text(facts, arena, "platform", ng_platform_word(facts->platform));
    if (facts->container == NG_ANSWER_YES) {
        add_text(facts, arena, "container", "yes");
    }
    if (facts->virtual_machine == NG_ANSWER_YES) {
        add_text(facts, arena, "virtual machine", "yes");
    }
}

/* The line "KEY<tab or blanks>: value" of /proc/cpuinfo. */
static struct ng_span cpu_line(const struct ng_facts *facts, const char *key) {
    const struct ng_source *source = ng_frames_find(&facts->frames, "cpuinfo");
    struct ng_span rest = ng_span(source->text, source->len);
    struct ng_span line;
    while (ng_span_line(&rest, &line)) {
        if (ng_span_is(ng_span_trim(ng_span_until(&line, ':')), key)) {
            return ng_span_trim(line);
        }
    }
    return ng_span(NULL, 0);
}

/* What the unit calls itself: Synology's own name, the device tree's, or the vendor's by DMI. */
static void add_model(struct ng_facts *facts, struct ng_arena *arena) {
    struct ng_span model = first_line(facts, "syno_hw");
    model = model.len > 0 ? model : first_line(facts, "model");
    model.len = model.len > 0 ? strnlen(model.at, model.len) : 0; /* a device tree ends it by NUL */
    struct ng_span vendor = first_line(facts, "vendor");
    if (vendor.len > 0 && model.len > 0) {
        const char *both = ng_arena_printf(
            arena, "%.*s %.*s", (int)vendor.len, vendor.at, (int)model.len, model.at);
        add(facts, arena, "model", ng_span(both, strlen(both)));
    } else {
        add(facts, arena, "model", model);
    }
}

static void add_machine(struct ng_facts *facts, struct ng_arena *arena) {
    char text[NG_QUANTITY_TEXT];
    struct ng_span cpu = cpu_line(facts, "model name");
    if (cpu.len == 0) {
        cpu = cpu_line(facts, "Hardware");
    }
    add(facts, arena, "cpu", cpu);
    add_model(facts, arena);
    if (facts->cores > 0) {
        add_text(facts, arena, "cores", ng_arena_printf(arena, "%d", facts->cores));
    }
    if (facts->ram > 0) {
        struct ng_quantity ram = {.value = (double)facts->ram, .dim = NG_DIM_SIZE};
        add_text(facts, arena, "memory", ng_quantity_format(ram, text));
    }
}

static void add_moment(struct ng_facts *facts, struct ng_arena *arena) {
    struct ng_span uptime = first_line(facts, "uptime");
    double seconds;
    if (uptime.len > 0 && ng_number_scan(uptime.at, uptime.len, &seconds) > 0 && seconds < 1e9) {
        char text[NG_TIME_TEXT];
        int64_t whole = (int64_t)seconds;
        add_text(facts, arena, "uptime", ng_duration_format(whole * NG_NS_PER_S, text));
    }
    struct ng_span load = first_line(facts, "loadavg");
    struct ng_span end = load;
    for (int i = 0; i < 3; i++) {
        (void)ng_span_until(&end, ' ');
    }
    if (end.len > 0) {
        add(facts, arena, "load", ng_span(load.at, (size_t)(end.at - load.at)));
    }
    if (facts->root != NG_ANSWER_UNKNOWN) {
        add_text(facts, arena, "privilege", facts->root == NG_ANSWER_YES ? "root" : "not root");
    }
}

/* "ixgbe 5.1.0-k, firmware 0x800003e2, at 10 Gbit/s" */
static void add_nics(struct ng_facts *facts, struct ng_arena *arena) {
    for (size_t i = 0; i < facts->nics.count; i++) {
        const struct ng_nic *nic = &facts->nics.items[i];
        const struct ng_netif *netif = ng_netifs_find(&facts->netifs, nic->name);
        const char *driver = ng_nic_value(&nic->driver, "driver");
        const char *version = ng_nic_value(&nic->driver, "version");
        const char *firmware = ng_nic_value(&nic->driver, "firmware-version");
        char speed[NG_QUANTITY_TEXT] = "";
        if (driver == NULL) {
            continue;
        }
        if (netif != NULL && netif->speed > 0) {
            ng_rate_format_bits((double)netif->speed / 8, speed);
        }
        add_text(facts, arena, ng_arena_printf(arena, "nic %s", nic->name),
            ng_arena_printf(arena, "%s%s%s%s%s%s%s", driver, version != NULL ? " " : "",
                version != NULL ? version : "", firmware != NULL ? ", firmware " : "",
                firmware != NULL ? firmware : "", *speed != '\0' ? ", at " : "", speed));
    }
}

/* "nfs4 nas:/volume1/bench on /mnt/bench (rw,vers=4.2,...)" for every path that was asked for. */
static void add_mounts(struct ng_facts *facts, struct ng_arena *arena) {
    for (size_t i = 0; i < facts->path_count; i++) {
        const char *path = facts->paths[i].path;
        const struct ng_mount *mount = ng_facts_mount(facts, path);
        if (mount != NULL) {
            add_text(facts, arena, ng_arena_printf(arena, "mount of %s", path),
                ng_arena_printf(arena, "%s %s on %s (%s)", mount->type, mount->source, mount->point,
                    ng_mount_options_safe(mount, arena)));
        }
    }
}

void ng_host_describe(struct ng_facts *facts, struct ng_arena *arena) {
    add_os(facts, arena);
    add_machine(facts, arena);
    add_moment(facts, arena);
    add_nics(facts, arena);
    add_mounts(facts, arena);
    for (size_t i = 0; i < facts->tool_count; i++) {
        const struct ng_tool *tool = &facts->tools[i];
        add_text(facts, arena, tool->name,
            tool->found == NG_ANSWER_YES  ? tool->text
            : tool->found == NG_ANSWER_NO ? "not installed"
                                          : "unknown");
    }
}
