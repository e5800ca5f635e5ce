// The first line of an evidence index.
#include "runner/transport/head.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/transport/evidence.h"

static json_t *words(const char *const *items) {
    json_t *list = json_array();
    for (size_t i = 0; items && items[i]; i++) {
        json_array_append_new(list, ng_evidence_text(items[i]));
    }
    return list;
}

static void put_text(json_t *line, const char *key, const char *text) {
    json_object_set_new(line, key, text ? ng_evidence_text(text) : json_null());
}

json_t *ng_head_write(const struct ng_evidence_head *head) {
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, head->seed);
    json_t *line = json_object();
    put_text(line, "format", NG_EVIDENCE_FORMAT);
    json_object_set_new(line, "version", json_integer(NG_EVIDENCE_VERSION));
    put_text(line, "run", head->run_id);
    put_text(line, "seed", seed); // decimal in a string: not every reader keeps 64 bits
    json_object_set_new(line, "started", json_integer(head->started_wall_ns));
    put_text(line, "nasgate", head->version);
    put_text(line, "plan_file", head->plan_file);
    put_text(line, "plan", head->plan_digest);
    put_text(line, "baseline", head->baseline_digest);
    json_object_set_new(line, "settings", words(head->settings));
    json_object_set_new(line, "only", words(head->only));
    put_text(line, "junit", head->junit);
    put_text(line, "who", head->who);
    put_text(line, "job", head->job);
    if (head->scripts) {
        json_object_set_new(line, "scripts", words(head->scripts));
    }
    return line;
}

static const char *text_of(const json_t *line, const char *key, struct ng_arena *arena) {
    return ng_arena_strdup(arena, json_string_value(json_object_get(line, key)));
}

/** A list of texts; NULL when it is empty or holds anything else. */
static const char *const *words_of(const json_t *line, const char *key, struct ng_arena *arena) {
    const json_t *list = json_object_get(line, key);
    const size_t count = json_array_size(list);
    if (count == 0 || count > NG_HEAD_WORDS_MAX) {
        return NULL;
    }
    const char **items = ng_arena_array(arena, count + 1, sizeof *items);
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        if (!text) {
            return NULL;
        }
        items[i] = ng_arena_strdup(arena, text);
    }
    return items;
}

bool ng_head_read(
    const json_t *line, struct ng_arena *arena, struct ng_evidence_head *head, struct ng_err *err) {
    const char *format = json_string_value(json_object_get(line, "format"));
    if (!format || strcmp(format, NG_EVIDENCE_FORMAT) != 0) {
        return ng_err_set(err, NG_ERR_FORMAT, "the first line is no head of " NG_EVIDENCE_FORMAT);
    }
    const json_int_t version = json_integer_value(json_object_get(line, "version"));
    if (version < 1 || version > NG_EVIDENCE_VERSION) {
        return ng_err_set(err, NG_ERR_FORMAT,
            "evidence of version %lld, this nasgate reads versions 1 to %d", (long long)version,
            NG_EVIDENCE_VERSION);
    }
    const char *seed = json_string_value(json_object_get(line, "seed"));
    head->run_id = text_of(line, "run", arena);
    errno = 0;
    head->seed = seed ? strtoull(seed, NULL, 10) : 0;
    if (!head->run_id || !seed || errno != 0) {
        return ng_err_set(err, NG_ERR_FORMAT, "the head of the evidence has no run or no seed");
    }
    head->started_wall_ns = json_integer_value(json_object_get(line, "started"));
    head->version = text_of(line, "nasgate", arena);
    head->plan_file = text_of(line, "plan_file", arena);
    head->plan_digest = text_of(line, "plan", arena);
    head->baseline_digest = text_of(line, "baseline", arena);
    head->settings = words_of(line, "settings", arena);
    head->only = words_of(line, "only", arena);
    head->junit = text_of(line, "junit", arena);
    head->who = text_of(line, "who", arena);
    head->job = text_of(line, "job", arena);
    head->scripts = words_of(line, "scripts", arena);
    return true;
}
