/* Identity, processor, memory and load of a host. */
#include "runner/facts/host.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/load.h"
#include "runner/facts/scan.h"

const char *ng_platform_word(enum ng_platform platform) {
    static const char *const words[] = {
#define X(name, word) word,
        NG_PLATFORMS(X)
#undef X
    };
    return (size_t)platform < NG_COUNT(words) ? words[platform] : words[0];
}

bool ng_host_marked(const struct ng_facts *facts, const char *word) {
    const struct ng_source *source = ng_frames_find(&facts->frames, "markers");
    struct ng_span rest = ng_span(source->text, source->len);
    struct ng_span line;
    while (ng_span_line(&rest, &line)) {
        if (ng_span_is(line, word)) {
            return true;
        }
    }
    return false;
}

static bool has_text(const struct ng_facts *facts, const char *frame, const char *text) {
    const struct ng_source *source = ng_frames_find(&facts->frames, frame);
    return ng_span_after(ng_span(source->text, source->len), text).at != NULL;
}

static bool is_dsm(const struct ng_facts *facts) {
    return has_text(facts, "dsm", "majorversion=") ||
           ng_source_read(ng_frames_find(&facts->frames, "syno_hw")) ||
           has_text(facts, "syno_unique", "unique=\"synology_") ||
           has_text(facts, "kernel", "synology_");
}

/* A bare version such as "25.04.1" or a name in /etc/version, with the middleware's client. */
static bool is_scale(const struct ng_facts *facts) {
    return has_text(facts, "version", "TrueNAS") || ng_host_marked(facts, "midclt");
}

/* The first hit wins. */
static enum ng_platform platform_of(const struct ng_facts *facts) {
    const struct ng_frames *frames = &facts->frames;
    if (is_dsm(facts)) {
        return NG_PLATFORM_DSM;
    }
    if (ng_host_marked(facts, "qts")) {
        return NG_PLATFORM_QTS;
    }
    if (ng_source_read(ng_frames_find(frames, "unraid")) || ng_host_marked(facts, "mdcmd")) {
        return NG_PLATFORM_UNRAID;
    }
    if (has_text(facts, "uname", "FreeBSD")) {
        return has_text(facts, "version", "TrueNAS") || has_text(facts, "version", "FreeNAS")
                   ? NG_PLATFORM_TRUENAS_CORE
                   : NG_PLATFORM_FREEBSD;
    }
    if (is_scale(facts)) {
        return NG_PLATFORM_TRUENAS;
    }
    if (ng_host_marked(facts, "omv")) {
        return NG_PLATFORM_OMV;
    }
    if (ng_host_marked(facts, "openwrt")) {
        return NG_PLATFORM_OPENWRT;
    }
    return has_text(facts, "uname", "Linux") ? NG_PLATFORM_LINUX : NG_PLATFORM_UNKNOWN;
}

/* A processor says so to its guest; else the maker of the machine does. What shows neither its
 * processor's abilities nor its maker is unknown. */
static enum ng_answer virtual_of(const struct ng_facts *facts) {
    static const char *const makers[] = {"QEMU", "KVM", "VMware", "innotek", "VirtualBox", "Xen",
        "Amazon EC2", "Google Compute", "OpenStack", "Bochs", "Parallels", "bhyve", "oVirt",
        "Nutanix", "Firecracker"};
    if (ng_host_marked(facts, "hypervisor") || has_text(facts, "cpuinfo", " hypervisor")) {
        return NG_ANSWER_YES;
    }
    for (size_t i = 0; i < NG_COUNT(makers); i++) {
        if (has_text(facts, "vendor", makers[i]) || has_text(facts, "model", makers[i])) {
            return NG_ANSWER_YES;
        }
    }
    if (has_text(facts, "model", "Virtual Machine")) {
        return NG_ANSWER_YES; /* Hyper-V: its maker also makes real ones */
    }
    return has_text(facts, "cpuinfo", "flags") ? NG_ANSWER_NO : NG_ANSWER_UNKNOWN;
}

static enum ng_answer container_of(const struct ng_facts *facts) {
    if (ng_host_marked(facts, "container") || has_text(facts, "cgroup", "docker") ||
        has_text(facts, "cgroup", "lxc") || has_text(facts, "cgroup", "kubepods")) {
        return NG_ANSWER_YES;
    }
    return ng_source_read(ng_frames_find(&facts->frames, "markers")) ? NG_ANSWER_NO
                                                                     : NG_ANSWER_UNKNOWN;
}

/* "MemTotal:       24684092 kB" in bytes; -1 when it is not there. */
static int64_t memory(const struct ng_facts *facts, const char *key) {
    const struct ng_source *source = ng_frames_find(&facts->frames, "meminfo");
    struct ng_span rest = ng_span(source->text, source->len);
    struct ng_span line, name, number;
    int64_t kib;
    while (ng_span_line(&rest, &line)) {
        if (ng_span_word(&line, &name) && ng_span_is(name, key) && ng_span_word(&line, &number) &&
            ng_span_int(number, &kib) && kib >= 0 && kib <= INT64_MAX / 1024) {
            return kib * 1024;
        }
    }
    return -1;
}

/* "0-3,8" is five. */
static int count_cpus(const struct ng_facts *facts) {
    const struct ng_source *source = ng_frames_find(&facts->frames, "cpus");
    struct ng_span all = ng_span_trim(ng_span(source->text, source->len));
    struct ng_span rest = ng_span(NULL, 0);
    int64_t count = 0;
    (void)ng_span_line(&all, &rest);
    while (rest.len > 0) {
        struct ng_span range = ng_span_until(&rest, ',');
        int64_t first, last;
        if (!ng_span_digits(&range, &first)) {
            return 0;
        }
        last = first;
        if (ng_span_begins(range, "-") &&
            !ng_span_int(ng_span(range.at + 1, range.len - 1), &last)) {
            return 0;
        }
        if (last < first || last > 65535) {
            return 0;
        }
        count += last - first + 1;
    }
    return count <= 65536 ? (int)count : 0;
}

void ng_host_read(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_source *boot = ng_frames_find(&facts->frames, "boot_id");
    const struct ng_source *id = ng_frames_find(&facts->frames, "id");
    const struct ng_source *load = ng_frames_find(&facts->frames, "loadavg");
    struct ng_loadavg average;
    int64_t uid;
    facts->platform = platform_of(facts);
    facts->container = container_of(facts);
    facts->virtual_machine = virtual_of(facts);
    if (ng_source_read(id) &&
        ng_span_int(ng_span_trim(ng_span(id->text, strcspn(id->text, "\n"))), &uid)) {
        facts->root = uid == 0 ? NG_ANSWER_YES : NG_ANSWER_NO;
    }
    if (ng_source_read(boot) && boot->len > 0) {
        facts->boot_id = ng_text_clean_dup(arena, boot->text, boot->len, NG_TEXT_LINE, 64);
    }
    int64_t total = memory(facts, "MemTotal:");
    facts->ram = total > 0 ? total : 0;
    facts->ram_cached = memory(facts, "Cached:");
    facts->cores = count_cpus(facts);
    facts->load1 = ng_loadavg_parse(&average, load->text, load->len) ? average.one : -1;
}
