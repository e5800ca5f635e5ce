/* /etc/volume.conf of QTS. */
#include "runner/facts/qts.h"

#include <string.h>

#include "runner/facts/scan.h"

static void set(struct ng_qts_volume *volume, struct ng_arena *arena, struct ng_span key,
    struct ng_span value) {
    if (ng_span_is(key, "mappingName")) {
        volume->mapping = ng_span_dup(arena, value);
    } else if (ng_span_is(key, "ssdCache")) {
        volume->ssd_cache = ng_span_is(value, "yes")  ? NG_ANSWER_YES
                            : ng_span_is(value, "no") ? NG_ANSWER_NO
                                                      : NG_ANSWER_UNKNOWN;
    }
}

void ng_qts_parse(struct ng_qts *qts, struct ng_arena *arena, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    struct ng_qts_volume *volume = NULL;
    while (ng_span_line(&rest, &line)) {
        line = ng_span_trim(line);
        if (ng_span_begins(line, "[")) {
            volume = NULL;
            if (qts->count < NG_QTS_VOLUMES_MAX) {
                qts->items = ng_arena_grow(
                    arena, qts->items, qts->count, &qts->capacity, sizeof *qts->items);
                volume = &qts->items[qts->count++];
                (void)ng_span_until(&line, '[');
                *volume =
                    (struct ng_qts_volume){.name = ng_span_dup(arena, ng_span_until(&line, ']'))};
            }
        } else if (volume != NULL) {
            struct ng_span key = ng_span_trim(ng_span_until(&line, '='));
            set(volume, arena, key, ng_span_trim(line));
        }
    }
}

enum ng_answer ng_qts_has_cache(const struct ng_qts *qts, const char *dm_name) {
    for (size_t i = 0; i < qts->count; i++) {
        const char *mapping = qts->items[i].mapping;
        if (mapping != NULL && strncmp(mapping, "/dev/mapper/", 12) == 0 &&
            strcmp(mapping + 12, dm_name) == 0) {
            return qts->items[i].ssd_cache;
        }
    }
    return NG_ANSWER_UNKNOWN;
}
