/* Queueing disciplines, as `tc qdisc show` lists them. */
#include "runner/facts/qdisc.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/base/units.h"
#include "runner/facts/scan.h"

static bool shapes(struct ng_span kind) {
    static const char *const kinds[] = {"tbf", "netem", "htb", "hfsc", "cbq", "cake", "ingress",
        "clsact", "red", "sfb", "hhf", "etf", "taprio"};
    for (size_t i = 0; i < NG_COUNT(kinds); i++) {
        if (ng_span_is(kind, kinds[i])) {
            return true;
        }
    }
    return false;
}

int64_t ng_tc_rate(const char *text, size_t len) {
    static const struct {
        const char *unit;
        double factor;
    } rows[] = {{"bit", 1}, {"Kbit", 1e3}, {"Mbit", 1e6}, {"Gbit", 1e9}, {"Tbit", 1e12}};
    double value = 0;
    size_t used = len == 0 ? 0 : ng_number_scan(text, len, &value);
    for (size_t i = 0; used > 0 && i < NG_COUNT(rows); i++) {
        if (ng_span_is(ng_span(text + used, len - used), rows[i].unit)) {
            double rate = value * rows[i].factor;
            return rate >= 1 && rate < 1e15 ? (int64_t)(rate + 0.5) : 0;
        }
    }
    return 0;
}

/* The word behind `key`. */
static struct ng_span value_of(struct ng_span line, const char *key) {
    struct ng_span word, value;
    while (ng_span_word(&line, &word)) {
        if (ng_span_is(word, key)) {
            return ng_span_word(&line, &value) ? value : ng_span(NULL, 0);
        }
    }
    return ng_span(NULL, 0);
}

void ng_qdiscs_parse(
    struct ng_qdiscs *qdiscs, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line, word, kind;
    while (ng_span_line(&rest, &line)) {
        struct ng_span words = line;
        struct ng_span device = value_of(line, "dev");
        if (!ng_span_word(&words, &word) || !ng_span_is(word, "qdisc") ||
            !ng_span_word(&words, &kind) || device.len == 0 || qdiscs->count >= NG_QDISCS_MAX) {
            continue;
        }
        qdiscs->items = ng_arena_grow(
            arena, qdiscs->items, qdiscs->count, &qdiscs->capacity, sizeof *qdiscs->items);
        struct ng_qdisc *qdisc = &qdiscs->items[qdiscs->count++];
        struct ng_span rate = value_of(line, ng_span_is(kind, "cake") ? "bandwidth" : "rate");
        *qdisc = (struct ng_qdisc){
            .kind = ng_text_clean_dup(arena, kind.at, kind.len, NG_TEXT_LINE, 32),
            .device = ng_span_dup(arena, device),
            .text = ng_text_clean_dup(arena, line.at, line.len, NG_TEXT_LINE, 200),
            .shapes = shapes(kind),
            .rate = ng_tc_rate(rate.at, rate.len),
        };
    }
}
