/* Which way a packet takes: words and their values, wherever they stand. */
#include "runner/facts/route.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/scan.h"

static const char *clean(struct ng_arena *arena, struct ng_span word) {
    return ng_text_clean_dup(arena, word.at, word.len, NG_TEXT_LINE, 100);
}

/* The kinds of routes that `ip` writes as their first word. */
static const char *type_of(struct ng_span word) {
    static const char *const types[] = {"unicast", "local", "broadcast", "multicast", "anycast",
        "unreachable", "blackhole", "prohibit", "throw", "nat"};
    for (size_t i = 0; i < NG_COUNT(types); i++) {
        if (ng_span_is(word, types[i])) {
            return types[i];
        }
    }
    return NULL;
}

static bool is_address(struct ng_span word) {
    size_t used = 0;
    bool mark = false;
    while (
        used < word.len && (strchr("0123456789abcdefABCDEF.:/%", word.at[used]) != NULL || mark)) {
        mark = mark || word.at[used] == '%'; /* a zone has any name */
        used++;
    }
    return word.len > 1 && used == word.len && (ng_span_has(word, '.') || ng_span_has(word, ':'));
}

static void take_mtu(struct ng_route *route, struct ng_span word, struct ng_span *rest) {
    int64_t mtu;
    if (ng_span_is(word, "lock") && !ng_span_word(rest, &word)) {
        return;
    }
    if (ng_span_int(word, &mtu) && mtu > 0 && mtu <= 65536) {
        route->mtu = mtu;
    }
}

/* "595sec" */
static void take_expiry(struct ng_route *route, struct ng_span word) {
    int64_t seconds;
    route->learned = true;
    if (ng_span_digits(&word, &seconds)) {
        route->expires_s = seconds;
    }
}

static void take_words(struct ng_route *route, struct ng_arena *arena, struct ng_span rest) {
    struct ng_span word, value;
    while (ng_span_word(&rest, &word)) {
        static const char *const known[] = {"dev", "src", "via", "mtu", "expires"};
        size_t which = 0;
        while (which < NG_COUNT(known) && !ng_span_is(word, known[which])) {
            which++;
        }
        if (which == NG_COUNT(known) || !ng_span_word(&rest, &value)) {
            continue;
        }
        if (which == 0) {
            route->device = clean(arena, value);
        } else if (which == 1) {
            route->source = clean(arena, value);
        } else if (which == 2) {
            /* "via inet6 fe80::1" is a gateway of the other family */
            bool family = ng_span_is(value, "inet6") || ng_span_is(value, "inet");
            if (!family || ng_span_word(&rest, &value)) {
                route->via = clean(arena, value);
            }
        } else if (which == 3) {
            take_mtu(route, value, &rest);
        } else {
            take_expiry(route, value);
        }
    }
}

/* The line of the route: an address first, perhaps with its type before. */
static bool begin(struct ng_route *route, struct ng_span line) {
    struct ng_span word;
    if (!ng_span_word(&line, &word)) {
        return false;
    }
    const char *type = type_of(word);
    if (type != NULL && !ng_span_word(&line, &word)) {
        return false;
    }
    if (!is_address(word)) {
        return false;
    }
    route->type = type != NULL ? type : "unicast";
    return true;
}

void ng_route_parse(struct ng_route *route, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    *route = (struct ng_route){.peer = route->peer};
    while (ng_span_line(&rest, &line)) {
        line = ng_span_trim(line);
        if (route->type == NULL) {
            if (begin(route, line)) {
                take_words(route, arena, line);
            }
        } else if (ng_span_begins(line, "cache")) {
            take_words(route, arena, line);
        }
    }
    if (route->type == NULL) {
        route->why = "there is no route in the text";
    } else if (route->device == NULL && strcmp(route->type, "unicast") == 0) {
        route->why = "the route names no device";
    }
}

const struct ng_route *ng_routes_find(const struct ng_routes *routes, const char *peer) {
    for (size_t i = 0; i < routes->count; i++) {
        if (strcmp(routes->items[i].peer, peer) == 0) {
            return &routes->items[i];
        }
    }
    return NULL;
}

bool ng_route_is_local(const struct ng_route *route) {
    return (route->type != NULL && strcmp(route->type, "local") == 0) ||
           (route->device != NULL && strcmp(route->device, "lo") == 0);
}
