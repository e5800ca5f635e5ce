/* What the SMB client has agreed with its servers. The file has changed with nearly every kernel,
 * so that it is read by its keywords, wherever on a line they stand. */
#include "runner/facts/cifs.h"

#include <string.h>
#include <strings.h>

#include "runner/facts/scan.h"

const char *ng_cifs_dialect_word(int64_t dialect) {
    switch (dialect) {
    case 0x202:
        return "2.0";
    case 0x210:
        return "2.1";
    case 0x300:
        return "3.0";
    case 0x302:
        return "3.02";
    case 0x311:
        return "3.1.1";
    default:
        return NULL;
    }
}

/* The word behind a keyword, or an empty span. */
static struct ng_span word_after(struct ng_span line, const char *keyword) {
    struct ng_span rest = ng_span_after(line, keyword), word;
    return rest.at != NULL && ng_span_word(&rest, &word) ? word : ng_span(NULL, 0);
}

static bool hex_number(struct ng_span word, int64_t *out) {
    int64_t value = 0;
    if (!ng_span_begins(word, "0x") || word.len < 3 || word.len > 10) {
        return false;
    }
    for (size_t i = 2; i < word.len; i++) {
        const char c = word.at[i];
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) {
            return false;
        }
        value = value * 16 + digit;
    }
    *out = value;
    return true;
}

static bool has_word(struct ng_span line, const char *wanted) {
    struct ng_span word;
    while (ng_span_word(&line, &word)) {
        if (ng_span_is(word, wanted)) {
            return true;
        }
    }
    return false;
}

/* What stands behind "N) ", or an empty span for a line that does not begin so. */
static struct ng_span numbered(struct ng_span line) {
    int64_t number;
    return ng_span_digits(&line, &number) && ng_span_begins(line, ")")
               ? ng_span_trim(ng_span(line.at + 1, line.len - 1))
               : ng_span(NULL, 0);
}

static struct ng_cifs_server *add_server(struct ng_cifs *cifs, struct ng_arena *arena) {
    if (cifs->count >= NG_CIFS_MAX) {
        cifs->cut = true;
        return NULL;
    }
    cifs->servers =
        ng_arena_grow(arena, cifs->servers, cifs->count, &cifs->capacity, sizeof *cifs->servers);
    struct ng_cifs_server *server = &cifs->servers[cifs->count++];
    *server = (struct ng_cifs_server){0};
    return server;
}

/* "\\nas\bench Mounts: 1 DevInfo: ..." */
static void add_share(struct ng_cifs *cifs, struct ng_cifs_server *server, struct ng_arena *arena,
    struct ng_span text) {
    const struct ng_span tail = ng_span_after(text, " Mounts:");
    if (tail.at != NULL) {
        text.len = (size_t)(tail.at - text.at) - strlen(" Mounts:");
    }
    if (server->share_count >= NG_CIFS_SHARES_MAX) {
        cifs->cut = true;
        return;
    }
    char *share = ng_span_dup(arena, ng_span_trim(text));
    for (char *at = share; *at != '\0'; at++) {
        *at = *at == '\\' ? '/' : *at;
    }
    server->shares = ng_arena_grow(arena, server->shares, server->share_count,
        &server->share_capacity, sizeof *server->shares);
    server->shares[server->share_count++] = share;
}

static void read_interface(
    struct ng_cifs_server *server, struct ng_arena *arena, struct ng_span line) {
    struct ng_span item = numbered(line);
    if (item.at != NULL && server->interface_count < 64) {
        server->interfaces = ng_arena_grow(arena, server->interfaces, server->interface_count,
            &server->interface_capacity, sizeof *server->interfaces);
        server->interfaces[server->interface_count++] = (struct ng_cifs_interface){0};
    }
    if (server->interface_count == 0) {
        return;
    }
    struct ng_cifs_interface *last = &server->interfaces[server->interface_count - 1];
    struct ng_span speed = ng_span_trim(ng_span_after(line, "Speed:"));
    struct ng_span abilities = ng_span_trim(ng_span_after(line, "Capabilities:"));
    struct ng_span address = word_after(line, "IPv4:");
    address = address.at != NULL ? address : word_after(line, "IPv6:");
    last->speed = speed.len > 0 ? ng_span_dup(arena, speed) : last->speed;
    last->abilities = abilities.len > 0 ? ng_span_dup(arena, abilities) : last->abilities;
    last->address = address.len > 0 ? ng_span_dup(arena, address) : last->address;
}

static void read_words(struct ng_cifs_server *server, struct ng_arena *arena, struct ng_span line) {
    int64_t number;
    const struct ng_span name = word_after(line, "Hostname:");
    struct ng_span address = word_after(line, "Address:");
    address = address.at != NULL ? address : word_after(line, ") Name:");
    if (name.len > 0 && server->name == NULL) {
        server->name = ng_span_dup(arena, name);
    }
    if (address.len > 0 && server->address == NULL) {
        server->address = ng_span_dup(arena, address);
    }
    if (server->dialect == 0 && hex_number(word_after(line, "Dialect "), &number)) {
        server->dialect = number;
        server->is_signed = has_word(line, "signed") ? NG_ANSWER_YES : NG_ANSWER_NO;
    }
    if (ng_span_after(line, "Security type:").at != NULL ||
        ng_span_after(line, "Session Status:").at != NULL) {
        server->encrypted = has_word(line, "encrypted") || server->encrypted == NG_ANSWER_YES
                                ? NG_ANSWER_YES
                                : NG_ANSWER_NO;
        server->channels = server->channels == 0 ? 1 : server->channels;
    }
    if (ng_span_int(word_after(line, "Extra Channels:"), &number) && number >= 0 &&
        number < 10000) {
        server->channels = number + 1;
    }
}

static bool begins_server(struct ng_span item) {
    return ng_span_begins(item, "ConnectionId:") || ng_span_begins(item, "Hostname:") ||
           ng_span_begins(item, "SMBDirect");
}

void ng_cifs_parse(struct ng_cifs *cifs, struct ng_arena *arena, const char *text, size_t len) {
    *cifs = (struct ng_cifs){0};
    struct ng_cifs_server *server = NULL;
    bool interfaces = false;
    struct ng_span rest = ng_span(text, len), line;
    while (ng_span_line(&rest, &line)) {
        line = ng_span_trim(line);
        if (ng_span_begins(line, "Servers:")) {
            cifs->understood = true;
            continue;
        }
        const struct ng_span item = numbered(line);
        if (cifs->understood && item.at != NULL && begins_server(item)) {
            server = add_server(cifs, arena);
            interfaces = false;
        }
        if (server == NULL) {
            continue;
        }
        if (ng_span_after(line, "Server interfaces:").at != NULL) {
            interfaces = true;
        } else if (interfaces) {
            read_interface(server, arena, line);
        } else if (item.at != NULL && ng_span_begins(item, "\\\\")) {
            add_share(cifs, server, arena, item);
        } else {
            read_words(server, arena, line);
        }
    }
}

/* A share holds a source that is the share itself or lies below it. */
static bool holds(const char *share, const char *source) {
    const size_t len = strlen(share);
    return strncasecmp(share, source, len) == 0 && (source[len] == '\0' || source[len] == '/');
}

const struct ng_cifs_server *ng_cifs_find(const struct ng_cifs *cifs, const char *source) {
    const struct ng_cifs_server *found = NULL;
    for (size_t i = 0; i < cifs->count; i++) {
        for (size_t j = 0; j < cifs->servers[i].share_count; j++) {
            if (!holds(cifs->servers[i].shares[j], source)) {
                continue;
            }
            if (found != NULL && found != &cifs->servers[i]) {
                return NULL;
            }
            found = &cifs->servers[i];
        }
    }
    return found;
}
