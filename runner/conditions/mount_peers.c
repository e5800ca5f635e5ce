/* Other mounts of the same server: they share file system or connections with the volume's, and the
 * first one's options are silently those of all. */
#include <string.h>

#include "runner/conditions/mount_match.h"

enum { SHOWN = 4 };

static bool same_option(
    struct ng_arena *arena, const struct ng_mount *a, const struct ng_mount *b, const char *name) {
    const char *left = "", *right = "";
    const bool one = ng_mount_option(a, name, arena, &left);
    const bool other = ng_mount_option(b, name, arena, &right);
    return one && other && strcmp(left, right) == 0;
}

/* By the names that were typed, or by the addresses in force. */
static bool same_server(
    struct ng_arena *arena, const struct ng_mount *mount, const struct ng_mount *other) {
    const char *server = "", *other_server = "", *export = "";
    if (!ng_mount_source_split(mount, arena, &server, &export) ||
        !ng_mount_source_split(other, arena, &other_server, &export)) {
        return false;
    }
    return strcmp(server, other_server) == 0 || same_option(arena, mount, other, "addr");
}

static bool both_nfs(const struct ng_mount *mount, const struct ng_mount *other) {
    return strncmp(mount->type, "nfs", 3) == 0 && strncmp(other->type, "nfs", 3) == 0;
}

void ng_mount_look_peers(
    struct ng_outcome *outcome, const struct ng_facts *facts, const struct ng_mount *mount) {
    struct ng_arena *arena = outcome->site->arena;
    size_t told = 0;
    for (size_t i = 0; i < facts->mounts.count; i++) {
        const struct ng_mount *other = &facts->mounts.items[i];
        if (other == mount || strcmp(other->point, mount->point) == 0 ||
            !same_server(arena, mount, other)) {
            continue;
        }
        const bool one = other->major == mount->major && other->minor == mount->minor;
        const bool connections = both_nfs(mount, other) && same_option(arena, mount, other, "vers");
        if (told++ >= SHOWN) {
            continue;
        }
        ng_outcome_look(outcome, "same server", "%s %s on %s: %s", other->type, other->source,
            other->point,
            one           ? "one file system, with one set of options for both"
            : connections ? "connections are shared"
                          : "another file system");
        if (one) {
            ng_outcome_see(outcome, NG_HELD,
                "%s is a mount of the same file system: the options in force are those of "
                "whichever "
                "was mounted first",
                other->point);
        } else if (connections) {
            ng_outcome_see(outcome, NG_HELD,
                "%s shares its connections: nconnect is that of whichever was mounted first",
                other->point);
        }
    }
    if (told > SHOWN) {
        ng_outcome_look(outcome, "more of the same server", "%zu", told - SHOWN);
    }
}
