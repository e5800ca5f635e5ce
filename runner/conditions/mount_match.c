/* A mount that is in force against what the plan says it must be. */
#include "runner/conditions/mount_match.h"

#include <stdlib.h>
#include <string.h>

#include "runner/base/units.h"

bool ng_mount_type_matches(const char *wanted, const struct ng_mount *mount) {
    if (wanted == NULL || strcmp(wanted, mount->type) == 0) {
        return true;
    }
    return (strcmp(wanted, "nfs") == 0 && strcmp(mount->type, "nfs4") == 0) ||
           (strcmp(wanted, "cifs") == 0 && strcmp(mount->type, "smb3") == 0);
}

bool ng_mount_source_split(const struct ng_mount *mount, struct ng_arena *arena,
    const char **server, const char **export) {
    const char *source = mount->source;
    if (strncmp(source, "//", 2) == 0) {
        const char *slash = strchr(source + 2, '/');
        if (slash == NULL || slash == source + 2) {
            return false;
        }
        *server = ng_arena_strndup(arena, source + 2, (size_t)(slash - source) - 2);
        *export = slash;
        return true;
    }
    const char *colon = source[0] == '[' ? strstr(source, "]:") : strstr(source, ":/");
    if (colon == NULL || colon == source) {
        return false;
    }
    bool bracketed = source[0] == '[';
    const char *begin = bracketed ? source + 1 : source;
    *server = ng_arena_strndup(arena, begin, (size_t)(colon - begin));
    *export = colon + (bracketed ? 2 : 1);
    return true;
}

static size_t trimmed(const char *text) {
    size_t len = strlen(text);
    while (len > 1 && text[len - 1] == '/') {
        len--;
    }
    return len;
}

static bool same_path(const char *a, const char *b) {
    return trimmed(a) == trimmed(b) && strncmp(a, b, trimmed(a)) == 0;
}

bool ng_mount_export_matches(
    const char *wanted, const struct ng_mount *mount, struct ng_arena *arena) {
    const char *server = "", *export = mount->source;
    if (same_path(wanted, mount->source)) {
        return true;
    }
    if (!ng_mount_source_split(mount, arena, &server, &export)) {
        return false;
    }
    bool share = strncmp(mount->source, "//", 2) == 0;
    return same_path(wanted, export) || (share && same_path(wanted, export + 1));
}

/* A number, with the k, m or g of 1024 bytes that tmpfs writes: "9216k". */
static bool whole_number(const char *text, double *out) {
    static const char units[] = "kmg";
    const size_t len = strlen(text), digits = strspn(text, "0123456789.");
    if (digits == 0 || ng_number_scan(text, digits, out) != digits) {
        return false;
    }
    const char *unit = digits + 1 == len ? strchr(units, text[digits]) : NULL;
    for (const char *at = units; unit != NULL && at <= unit; at++) {
        *out *= 1024;
    }
    return digits == len || unit != NULL;
}

bool ng_mount_value_matches(const char *name, const char *wanted, const char *in_force) {
    double left, right;
    if (strcmp(wanted, in_force) == 0) {
        return true;
    }
    if (strcmp(name, "vers") == 0) { /* versions are no numbers: 4.1 is not 4.10 */
        size_t len = strlen(wanted);
        return strchr(wanted, '.') == NULL && strncmp(wanted, in_force, len) == 0 &&
               in_force[len] == '.';
    }
    /* Both are plain decimals of at most 17 digits, so that equal texts give equal doubles. */
    return whole_number(wanted, &left) && whole_number(in_force, &right) && !(left < right) &&
           !(left > right);
}

/* Whether an address belongs to a host; unknown when the host's addresses are not known. */
static enum ng_answer address_of_host(
    const struct ng_outcome *outcome, const struct ng_host *host, const char *address) {
    const struct ng_facts *facts = ng_site_facts(outcome->site, host);
    size_t known = 0;
    for (size_t i = 0; i < facts->netifs.count; i++) {
        const struct ng_netif *netif = &facts->netifs.items[i];
        for (size_t j = 0; j < netif->address_count; j++) {
            known++;
            if (strcmp(netif->addresses[j], address) == 0) {
                return NG_ANSWER_YES;
            }
        }
    }
    for (size_t i = 0; i < outcome->site->plan->link_count; i++) {
        for (size_t j = 0; j < 2; j++) {
            const struct ng_link_end *end = &outcome->site->plan->links[i].ends[j];
            if (end->at.host == host && end->address != NULL &&
                strcmp(end->address, address) == 0) {
                return NG_ANSWER_YES;
            }
        }
    }
    return known > 0 && facts->netifs.addresses_why == NULL ? NG_ANSWER_NO : NG_ANSWER_UNKNOWN;
}

/* The name in the source is what somebody typed; the address in force stands in addr=. */
static void compare_server(
    struct ng_outcome *outcome, const struct ng_host *from, const struct ng_mount *mount) {
    const char *server = "", *export = "", *address = "";
    if (!ng_mount_source_split(mount, outcome->site->arena, &server, &export)) {
        ng_outcome_see(outcome, NG_BROKEN, "its source %s names no server", mount->source);
        return;
    }
    bool resolved = ng_mount_option(mount, "addr", outcome->site->arena, &address);
    enum ng_answer same =
        address_of_host(outcome, from, resolved && address[0] != '\0' ? address : server);
    if (same == NG_ANSWER_YES) {
        return;
    }
    if (same == NG_ANSWER_NO && resolved) {
        ng_outcome_see(outcome, NG_BROKEN, "its server %s has the address %s, which %s has not",
            server, address, from->name);
    } else if (strcmp(server, from->name) != 0) {
        ng_outcome_see(
            outcome, NG_UNKNOWN, "whether its server %s is %s is unknown", server, from->name);
        ng_outcome_advise(
            outcome, "mount it by the name or an address that the plan knows for %s", from->name);
    }
}

void ng_mount_compare(
    struct ng_outcome *outcome, const struct ng_volume *volume, const struct ng_mount *mount) {
    const struct ng_mount_spec *spec = volume->mount;
    if (spec->from != NULL) {
        compare_server(outcome, spec->from, mount);
    }
    if (spec->export != NULL &&
        !ng_mount_export_matches(spec->export, mount, outcome->site->arena)) {
        ng_outcome_see(
            outcome, NG_BROKEN, "it is mounted from %s, not from %s", mount->source, spec->export);
    }
    for (size_t i = 0; i < spec->options.count; i++) {
        ng_mount_compare_option(outcome, volume, &spec->options.items[i], mount);
    }
    ng_outcome_advise(outcome,
        "mount %s on %s anew from what the plan says and with its options; a server grants less "
        "than is asked for, and a second mount of one export shares the first one's options",
        mount->point, volume->on->name);
}
