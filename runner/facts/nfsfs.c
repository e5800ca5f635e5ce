/* The servers that the NFS client talks to, and what it has of them. */
#include "runner/facts/nfsfs.h"

#include <arpa/inet.h>
#include <string.h>

#include "runner/facts/scan.h"

static int hex(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* "c0a80002" is 192.168.0.2; 32 digits are an IPv6 address. */
static const char *address(struct ng_arena *arena, struct ng_span word) {
    unsigned char bytes[16];
    char text[INET6_ADDRSTRLEN];
    const int family = word.len == 8 ? AF_INET : word.len == 32 ? AF_INET6 : AF_UNSPEC;
    for (size_t i = 0; family != AF_UNSPEC && i < word.len; i += 2) {
        const int high = hex(word.at[i]), low = hex(word.at[i + 1]);
        if (high < 0 || low < 0) {
            return ng_span_dup(arena, word);
        }
        bytes[i / 2] = (unsigned char)(high * 16 + low);
    }
    return family == AF_UNSPEC || inet_ntop(family, bytes, text, sizeof text) == NULL
               ? ng_span_dup(arena, word)
               : ng_arena_strdup(arena, text);
}

/* Takes version, address and port off a line: "v4 c0a80002  801 ..."; false for the header. */
static bool begin(struct ng_span *line, struct ng_span *version, struct ng_span *where) {
    struct ng_span port;
    return ng_span_word(line, version) && version->len >= 2 && version->at[0] == 'v' &&
           version->at[1] >= '0' && version->at[1] <= '9' && ng_span_word(line, where) &&
           ng_span_word(line, &port);
}

static bool is_header(struct ng_span line) {
    return ng_span_begins(ng_span_trim(line), "NV ");
}

void ng_nfsfs_servers(
    struct ng_nfsfs *nfsfs, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len), line;
    while (ng_span_line(&rest, &line)) {
        struct ng_span version, where, use;
        if (line.len == 0 || is_header(line)) {
            continue;
        }
        if (nfsfs->server_count >= NG_NFSFS_MAX || !begin(&line, &version, &where) ||
            !ng_span_word(&line, &use)) {
            nfsfs->bad++;
            continue;
        }
        nfsfs->servers = ng_arena_grow(arena, nfsfs->servers, nfsfs->server_count,
            &nfsfs->server_capacity, sizeof *nfsfs->servers);
        nfsfs->servers[nfsfs->server_count++] =
            (struct ng_nfs_server){.version = ng_span_dup(arena, version),
                .address = address(arena, where),
                .name = ng_span_dup(arena, ng_span_trim(line))};
    }
}

static bool device(struct ng_span word, struct ng_nfs_volume *volume) {
    int64_t major, minor;
    if (!ng_span_int(ng_span_until(&word, ':'), &major) || !ng_span_int(word, &minor) ||
        major < 0 || major > UINT32_MAX || minor < 0 || minor > UINT32_MAX) {
        return false;
    }
    volume->major = (unsigned)major;
    volume->minor = (unsigned)minor;
    return true;
}

void ng_nfsfs_volumes(
    struct ng_nfsfs *nfsfs, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len), line;
    while (ng_span_line(&rest, &line)) {
        struct ng_span version, where, number, fsid;
        struct ng_nfs_volume volume = {0};
        if (line.len == 0 || is_header(line)) {
            continue;
        }
        if (nfsfs->volume_count >= NG_NFSFS_MAX || !begin(&line, &version, &where) ||
            !ng_span_word(&line, &number) || !device(number, &volume) ||
            !ng_span_word(&line, &fsid)) {
            nfsfs->bad++;
            continue;
        }
        volume.version = ng_span_dup(arena, version);
        volume.address = address(arena, where);
        volume.fsid = ng_span_dup(arena, fsid);
        nfsfs->volumes = ng_arena_grow(arena, nfsfs->volumes, nfsfs->volume_count,
            &nfsfs->volume_capacity, sizeof *nfsfs->volumes);
        nfsfs->volumes[nfsfs->volume_count++] = volume;
    }
}
