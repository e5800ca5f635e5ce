/* External programs: the version in what they print, and the package they come from. */
#include "runner/facts/tools.h"

#include <string.h>

#include "runner/facts/scan.h"

static bool take_part(struct ng_span *rest, struct ng_version *version) {
    int64_t part;
    if (!ng_span_digits(rest, &part) || part > INT32_MAX) {
        return false;
    }
    version->parts[version->count++] = (int)part;
    return true;
}

/* "3.33-dirty": numbers with dots between; what follows is a suffix. */
static struct ng_version read_dotted(struct ng_span *rest) {
    struct ng_version version = {0};
    while (version.count < NG_VERSION_PARTS && take_part(rest, &version)) {
        if (rest->len < 2 || rest->at[0] != '.' || rest->at[1] < '0' || rest->at[1] > '9') {
            break;
        }
        *rest = ng_span(rest->at + 1, rest->len - 1);
    }
    return version;
}

/* The first number with a dot in it. */
static struct ng_version find_dotted(struct ng_span text) {
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] < '0' || text.at[i] > '9') {
            continue;
        }
        struct ng_span rest = ng_span(text.at + i, text.len - i);
        struct ng_version version = read_dotted(&rest);
        if (version.count > 1) {
            return version;
        }
        i = (size_t)(rest.at - text.at);
    }
    return (struct ng_version){0};
}

/* A date behind a word: "iputils 20221126", "iputils-s20161105", "iproute2-ss170501". */
static struct ng_version find_date(struct ng_span text, const char *behind) {
    struct ng_span rest = ng_span_after(text, behind);
    struct ng_version version = {0};
    while (rest.len > 0 && (rest.at[0] == 's' || rest.at[0] == ' ' || rest.at[0] == '-')) {
        rest = ng_span(rest.at + 1, rest.len - 1);
    }
    (void)take_part(&rest, &version);
    return version;
}

struct ng_version ng_version_find(const char *tool, const char *text, size_t len) {
    struct ng_span span = ng_span(text, len);
    if (strcmp(tool, "ping") == 0) {
        return find_date(span, "iputils");
    }
    struct ng_version version = find_dotted(span);
    if (version.count == 0 && (strcmp(tool, "ip") == 0 || strcmp(tool, "tc") == 0)) {
        version = find_date(span, "iproute2-ss");
    }
    return version;
}

struct ng_version ng_version_read(const char *text) {
    struct ng_span rest = ng_span(text, strlen(text));
    struct ng_version version = read_dotted(&rest);
    return rest.len == 0 ? version : (struct ng_version){0};
}

int ng_version_compare(const struct ng_version *a, const struct ng_version *b) {
    for (size_t i = 0; i < NG_VERSION_PARTS; i++) {
        int left = i < a->count ? a->parts[i] : 0;
        int right = i < b->count ? b->parts[i] : 0;
        if (left != right) {
            return left < right ? -1 : 1;
        }
    }
    return 0;
}

const char *ng_tool_package(const char *tool) {
    static const struct {
        const char *tool;
        const char *package;
    } packages[] = {
        {"curl", "curl"},
        {"dd", "coreutils"},
        {"dmsetup", "dmsetup"},
        {"ethtool", "ethtool"},
        {"fio", "fio"},
        {"ip", "iproute2"},
        {"iperf", "iperf"},
        {"iperf3", "iperf3"},
        {"mdadm", "mdadm"},
        {"mount.cifs", "cifs-utils"},
        {"mount.nfs", "nfs-common"},
        {"ping", "iputils-ping"},
        {"python3", "python3"},
        {"smbclient", "smbclient"},
        {"ss", "iproute2"},
        {"ssh", "openssh-client"},
        {"stat", "coreutils"},
        {"tc", "iproute2"},
        {"testparm", "samba-common-bin"},
        {"timeout", "coreutils"},
    };
    for (size_t i = 0; i < NG_COUNT(packages); i++) {
        if (strcmp(packages[i].tool, tool) == 0) {
            return packages[i].package;
        }
    }
    return NULL;
}
