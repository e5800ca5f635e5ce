/* `ethtool NAME` without an option: speed, duplex, negotiation, link, and the fastest modes. */
#include <string.h>

#include "runner/facts/ethtool.h"
#include "runner/facts/scan.h"

/* "10000Mb/s"; "Unknown!" and the kernel's unsigned -1 are 0. */
static int64_t speed_of(struct ng_span value) {
    int64_t mbit;
    if (!ng_span_digits(&value, &mbit) || mbit <= 0 || mbit == 65535 || mbit >= UINT32_MAX ||
        !ng_span_is(value, "Mb/s")) {
        return 0;
    }
    return mbit * 1000000;
}

static const char *word_of(struct ng_span value, const char *yes, const char *no) {
    struct ng_span word;
    if (!ng_span_word(&value, &word)) {
        return "unknown";
    }
    return ng_span_is(word, yes) ? yes : ng_span_is(word, no) ? no : "unknown";
}

/* The fastest of "100baseT/Half 100baseT/Full 1000baseT/Full". */
static void take_modes(int64_t *fastest, struct ng_span value) {
    struct ng_span word;
    while (ng_span_word(&value, &word)) {
        int64_t mbit;
        if (ng_span_digits(&word, &mbit) && ng_span_begins(word, "base") && mbit < UINT32_MAX &&
            mbit * 1000000 > *fastest) {
            *fastest = mbit * 1000000;
        }
    }
}

static int64_t *modes_of(struct ng_nic_settings *settings, struct ng_span key) {
    return ng_span_is(key, "Supported link modes")                 ? &settings->supported
           : ng_span_is(key, "Advertised link modes")              ? &settings->advertised
           : ng_span_is(key, "Link partner advertised link modes") ? &settings->partner
                                                                   : NULL;
}

/* True if the line says one of the things that matter. */
static bool take(struct ng_nic_settings *settings, struct ng_span key, struct ng_span value) {
    if (ng_span_is(key, "Speed")) {
        settings->speed = speed_of(value);
    } else if (ng_span_is(key, "Duplex")) {
        settings->duplex = word_of(value, "Full", "Half");
    } else if (ng_span_is(key, "Auto-negotiation")) {
        settings->autoneg = word_of(value, "on", "off");
    } else if (ng_span_is(key, "Link detected")) {
        settings->link = word_of(value, "yes", "no"); /* "no (No cable)" */
    } else {
        return false;
    }
    return true;
}

void ng_ethtool_settings(struct ng_nic_settings *settings, const char *text, size_t len) {
    struct ng_span rest = ng_span_lines(text, len);
    struct ng_span line;
    int64_t *modes = NULL; /* values of link modes go on in the lines below, without a colon */
    bool any = false;
    *settings =
        (struct ng_nic_settings){.duplex = "unknown", .autoneg = "unknown", .link = "unknown"};
    while (ng_span_line(&rest, &line)) {
        struct ng_span value = ng_span_trim(line);
        if (!ng_span_has(value, ':')) {
            if (modes != NULL) {
                take_modes(modes, value);
            }
            continue;
        }
        struct ng_span key = ng_span_trim(ng_span_until(&value, ':'));
        value = ng_span_trim(value);
        modes = modes_of(settings, key);
        if (modes != NULL) {
            take_modes(modes, value);
        }
        any = take(settings, key, value) || any;
    }
    if (strcmp(settings->duplex, "Full") == 0 || strcmp(settings->duplex, "Half") == 0) {
        settings->duplex = settings->duplex[0] == 'F' ? "full" : "half";
    }
    settings->why = any ? NULL : "it says nothing of speed, duplex or link";
}
