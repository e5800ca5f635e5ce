/* What a handful of pings of one size proved. */
#include "runner/facts/ping_probe.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/facts/ping_text.h"
#include "runner/facts/scan.h"

static bool has(struct ng_span line, const char *text) {
    return ng_span_after(line, text).at != NULL;
}

/* "From 10.0.0.254 icmp_seq=1 Frag needed ...", "From fe80::1%eth0: icmp_seq=1 ..." */
static const char *reporter_of(struct ng_arena *arena, struct ng_span line) {
    struct ng_span word;
    struct ng_span rest = ng_span_after(line, "rom ");
    if (rest.at == NULL || !ng_span_word(&rest, &word)) {
        return NULL;
    }
    while (word.len > 0 && (word.at[word.len - 1] == ':' || word.at[word.len - 1] == ',')) {
        word.len--;
    }
    return ng_text_clean_dup(arena, word.at, word.len, NG_TEXT_LINE, 60);
}

static bool is_complaint(struct ng_span line) {
    static const char *const words[] = {"ping: ", "ping6: ", "rror", "nreachable", "needed",
        "too big", "too long", "invalid option", "unrecognized option", "xceeded", "ermission",
        "ot found"};
    for (size_t i = 0; i < NG_COUNT(words); i++) {
        if (has(line, words[i]) && !has(line, "packets transmitted")) {
            return true;
        }
    }
    return false;
}

static void read_line(struct ng_ping_probe *probe, struct ng_arena *arena, struct ng_span line) {
    bool too_long =
        has(line, "essage too long") || has(line, "Frag needed") || has(line, "Packet too big");
    bool unreachable = has(line, "nreachable");
    probe->no_option =
        probe->no_option || has(line, "invalid option") || has(line, "unrecognized option");
    probe->unreachable = probe->unreachable || unreachable;
    probe->local = probe->local || has(line, "local error") || has(line, "essage too long");
    if ((too_long || unreachable) && probe->reporter == NULL && has(line, "rom ")) {
        probe->reporter = reporter_of(arena, line);
    }
    if (probe->message == NULL && is_complaint(line)) {
        probe->message = ng_text_clean_dup(arena, line.at, line.len, NG_TEXT_LINE, 200);
    }
}

void ng_ping_probe_read(struct ng_ping_probe *probe, struct ng_arena *arena, const char *out,
    size_t out_len, const char *err, size_t err_len) {
    struct ng_ping_text text;
    struct ng_span line;
    *probe = (struct ng_ping_probe){.sent = -1, .answers = -1};
    bool counted = ng_ping_read(out, out_len, err, err_len, &text, NULL);
    if (counted && text.transmitted < 1e6 && text.received < 1e6) {
        probe->sent = (int)text.transmitted;
        probe->answers = (int)text.received;
    }
    probe->too_long = text.too_long;
    probe->mtu = (int64_t)text.mtu;
    struct ng_span rest = ng_span(out, out_len);
    while (ng_span_line(&rest, &line)) {
        read_line(probe, arena, line);
    }
    rest = ng_span(err, err_len);
    while (ng_span_line(&rest, &line)) {
        read_line(probe, arena, line);
    }
}

bool ng_ping_probe_all(const struct ng_ping_probe *probe) {
    return probe->sent > 0 && probe->answers >= probe->sent;
}

bool ng_ping_probe_none(const struct ng_ping_probe *probe) {
    return probe->sent > 0 && probe->answers == 0;
}
