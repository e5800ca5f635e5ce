/* How a host gets a program that it lacks. */
#include "runner/facts/tool_advice.h"

#include <string.h>

#include "runner/facts/scan.h"

enum { FAMILIES = NG_FAMILY_APPLIANCE };

/* Where the name of the package is another one than Debian's. */
static const struct {
    const char *tool;
    const char *names[FAMILIES]; /* by enum ng_family; NULL: as Debian's */
} others[] = {
    {"dmsetup", {[NG_FAMILY_REDHAT] = "device-mapper",
                    [NG_FAMILY_SUSE] = "device-mapper",
                    [NG_FAMILY_ALPINE] = "device-mapper",
                    [NG_FAMILY_ARCH] = "device-mapper"}},
    {"ip", {[NG_FAMILY_REDHAT] = "iproute", [NG_FAMILY_OPENWRT] = "ip-full"}},
    {"mount.nfs", {[NG_FAMILY_REDHAT] = "nfs-utils",
                      [NG_FAMILY_SUSE] = "nfs-client",
                      [NG_FAMILY_ALPINE] = "nfs-utils",
                      [NG_FAMILY_ARCH] = "nfs-utils"}},
    {"ping", {[NG_FAMILY_REDHAT] = "iputils",
                 [NG_FAMILY_SUSE] = "iputils",
                 [NG_FAMILY_ALPINE] = "iputils",
                 [NG_FAMILY_ARCH] = "iputils"}},
    {"smbclient", {[NG_FAMILY_REDHAT] = "samba-client",
                      [NG_FAMILY_SUSE] = "samba-client",
                      [NG_FAMILY_ALPINE] = "samba-client",
                      [NG_FAMILY_FREEBSD] = "samba"}},
    {"ss", {[NG_FAMILY_REDHAT] = "iproute"}},
    {"ssh", {[NG_FAMILY_REDHAT] = "openssh-clients",
                [NG_FAMILY_SUSE] = "openssh-clients",
                [NG_FAMILY_ARCH] = "openssh"}},
    {"tc", {[NG_FAMILY_REDHAT] = "iproute-tc", [NG_FAMILY_OPENWRT] = "tc-full"}},
    {"testparm", {[NG_FAMILY_REDHAT] = "samba-common-tools",
                     [NG_FAMILY_SUSE] = "samba",
                     [NG_FAMILY_ALPINE] = "samba-common-tools",
                     [NG_FAMILY_ARCH] = "samba",
                     [NG_FAMILY_FREEBSD] = "samba"}},
};

/* True if the value of KEY= in /etc/os-release has the word. */
static bool os_says(const struct ng_facts *facts, const char *key, const char *word) {
    const struct ng_source *source = ng_frames_find(&facts->frames, "os-release");
    struct ng_span rest = ng_span(source->text, source->len);
    struct ng_span line, one;
    while (ng_span_line(&rest, &line)) {
        if (!ng_span_is(ng_span_until(&line, '='), key)) {
            continue;
        }
        if (line.len >= 2 && line.at[0] == '"' && line.at[line.len - 1] == '"') {
            line = ng_span(line.at + 1, line.len - 2);
        }
        while (ng_span_word(&line, &one)) {
            if (ng_span_is(one, word)) {
                return true;
            }
        }
    }
    return false;
}

enum ng_family ng_family_of(const struct ng_facts *facts) {
    static const struct {
        const char *word;
        enum ng_family family;
    } words[] = {
        {"debian", NG_FAMILY_DEBIAN},
        {"ubuntu", NG_FAMILY_DEBIAN},
        {"fedora", NG_FAMILY_REDHAT},
        {"rhel", NG_FAMILY_REDHAT},
        {"centos", NG_FAMILY_REDHAT},
        {"suse", NG_FAMILY_SUSE},
        {"opensuse", NG_FAMILY_SUSE},
        {"sles", NG_FAMILY_SUSE},
        {"alpine", NG_FAMILY_ALPINE},
        {"arch", NG_FAMILY_ARCH},
        {"openwrt", NG_FAMILY_OPENWRT},
    };
    const enum ng_platform platform = facts->platform;
    const struct ng_source *uname = ng_frames_find(&facts->frames, "uname");
    const bool bsd = platform == NG_PLATFORM_FREEBSD || platform == NG_PLATFORM_TRUENAS_CORE ||
                     ng_span_begins(ng_span(uname->text, uname->len), "FreeBSD");
    if (bsd) {
        return NG_FAMILY_FREEBSD;
    }
    if (platform == NG_PLATFORM_DSM || platform == NG_PLATFORM_QTS ||
        platform == NG_PLATFORM_UNRAID || platform == NG_PLATFORM_TRUENAS) {
        return NG_FAMILY_APPLIANCE;
    }
    for (size_t i = 0; i < NG_COUNT(words); i++) {
        if (os_says(facts, "ID", words[i].word) || os_says(facts, "ID_LIKE", words[i].word)) {
            return words[i].family;
        }
    }
    return NG_FAMILY_UNKNOWN;
}

static const char *package_of(enum ng_family family, const char *tool, const char *package) {
    const char *name = package != NULL ? package : ng_tool_package(tool);
    for (size_t i = 0; i < NG_COUNT(others); i++) {
        if (strcmp(others[i].tool, tool) == 0 && others[i].names[family] != NULL) {
            name = others[i].names[family];
        }
    }
    return name != NULL ? name : tool;
}

/* Where the folders of the shares are, which a program in a container does not see by itself. */
static const char *shares_of(enum ng_platform platform) {
    return platform == NG_PLATFORM_QTS       ? "/share"
           : platform == NG_PLATFORM_UNRAID  ? "/mnt/user"
           : platform == NG_PLATFORM_TRUENAS ? "/mnt"
                                             : "/volume1";
}

/* The words of `tools:`. Without an image that is known to hold the tool, IMAGE is left to fill in.
 */
static const char *container_of(
    const struct ng_facts *facts, struct ng_arena *arena, const char *tool, bool as_root) {
    const char *sudo = as_root ? "" : "sudo, -n, ";
    if (strcmp(tool, "iperf3") == 0) {
        return ng_arena_printf(
            arena, "{iperf3: [%sdocker, run, --rm, --network, host, networkstatic/iperf3]}", sudo);
    }
    if (strcmp(tool, "fio") == 0) {
        const char *shares = shares_of(facts->platform);
        return ng_arena_printf(arena,
            "{fio: [%sdocker, run, --rm, -v, \"%s:%s\", IMAGE, fio]}, with an IMAGE that has fio",
            sudo, shares, shares);
    }
    return ng_arena_printf(arena,
        "{%s: [%sdocker, run, --rm, --network, host, IMAGE, %s]}, with an IMAGE that has %s", tool,
        sudo, tool, tool);
}

/* A container has its own view of these: only the host itself can tell. */
static bool needs_host(const char *tool) {
    static const char *const names[] = {"btrfs", "dmsetup", "docker", "ethtool", "exportfs", "ip",
        "lvs", "mdadm", "mount.cifs", "mount.nfs", "smbstatus", "ss", "stat", "tc", "testparm",
        "timeout", "zfs", "zpool"};
    for (size_t i = 0; i < NG_COUNT(names); i++) {
        if (strcmp(names[i], tool) == 0) {
            return true;
        }
    }
    return false;
}

static const char *docker_words(const struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_tool *docker = ng_facts_tool(facts, arena, "docker");
    if (docker->found == NG_ANSWER_YES) {
        return ng_arena_printf(arena, "docker is there (%s)", docker->text);
    }
    if (docker->found == NG_ANSWER_UNKNOWN) {
        return "whether docker is there is not known";
    }
    static const struct {
        enum ng_platform platform;
        const char *words;
    } ways[] = {
        {NG_PLATFORM_DSM, "docker is not there: install Container Manager (Docker before DSM 7.2) "
                          "from the Package Center first"},
        {NG_PLATFORM_QTS,
            "docker is not there: install Container Station from the App Center first"},
        {NG_PLATFORM_UNRAID, "docker is not there: enable it under Settings, Docker first"},
    };
    for (size_t i = 0; i < NG_COUNT(ways); i++) {
        if (ways[i].platform == facts->platform) {
            return ways[i].words;
        }
    }
    return "docker is not there: install it first";
}

static const char *appliance_advice(
    const struct ng_facts *facts, struct ng_arena *arena, const char *tool, bool as_root) {
    const char *platform = ng_platform_word(facts->platform);
    if (needs_host(tool)) {
        return ng_arena_printf(arena,
            "%s does not bring it and a container cannot stand for it: what it tells stays unknown",
            platform);
    }
    return ng_arena_printf(arena, "%s has no package of it: write for this host tools: %s; %s",
        platform, container_of(facts, arena, tool, as_root), docker_words(facts, arena));
}

const char *ng_tool_advice(const struct ng_facts *facts, struct ng_arena *arena, const char *tool,
    const char *package, bool as_root) {
    static const char *const commands[FAMILIES] = {
        [NG_FAMILY_DEBIAN] = "apt-get install",
        [NG_FAMILY_REDHAT] = "dnf install",
        [NG_FAMILY_SUSE] = "zypper install",
        [NG_FAMILY_ALPINE] = "apk add",
        [NG_FAMILY_ARCH] = "pacman -S",
        [NG_FAMILY_OPENWRT] = "opkg install",
        [NG_FAMILY_FREEBSD] = "pkg install",
    };
    const enum ng_family family = ng_family_of(facts);
    if (family == NG_FAMILY_APPLIANCE) {
        return appliance_advice(facts, arena, tool, as_root);
    }
    if (family == NG_FAMILY_UNKNOWN) {
        return ng_arena_printf(arena, "install %s (Debian's package: %s)", tool,
            package_of(NG_FAMILY_DEBIAN, tool, package));
    }
    const char *jail = facts->platform == NG_PLATFORM_TRUENAS_CORE ? ", in a jail" : "";
    return ng_arena_printf(
        arena, "%s %s%s", commands[family], package_of(family, tool, package), jail);
}
