// Recorded evidence, read back.
#include "runner/transport/tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/base/digest.h"
#include "runner/base/files.h"
#include "runner/base/strv.h"
#include "runner/base/text.h"
#include "runner/transport/evidence.h"

enum { SHOWN_CAP = 4096, ARGV_MAX = 4096 };

static const char *text_of(const json_t *line, const char *key, struct ng_arena *arena) {
    return ng_arena_strdup(arena, json_string_value(json_object_get(line, key)));
}

static int64_t int_of(const json_t *line, const char *key) {
    return json_integer_value(json_object_get(line, key));
}

/** A time of the run; false for what no run can last. */
static bool time_of(const json_t *line, const char *key, int64_t *out, struct ng_err *err) {
    *out = int_of(line, key);
    return (*out >= 0 && *out <= NG_TAPE_TIME_MAX) ||
           ng_err_set(err, NG_ERR_FORMAT, "\"%s\" is no time of a run", key);
}

static const char *shown_argv(const json_t *argv, struct ng_arena *arena) {
    struct ng_buf text;
    ng_buf_init(&text, SHOWN_CAP);
    const size_t count = json_array_size(argv);
    for (size_t i = 0; i < count && i < ARGV_MAX; i++) {
        const char *word = json_string_value(json_array_get(argv, i));
        ng_buf_adds(&text, i > 0 ? " " : "");
        ng_shell_quote(&text, word ? word : "");
    }
    const char *shown =
        ng_text_clean_dup(arena, ng_buf_text(&text), text.len, NG_TEXT_LINE, SHOWN_CAP);
    ng_buf_release(&text);
    return shown;
}

static bool read_start(struct ng_tape *tape, const json_t *line, struct ng_err *err) {
    if (tape->count >= NG_TAPE_ENTRIES_MAX) {
        return ng_err_set(err, NG_ERR_LIMIT, "more than %d commands", NG_TAPE_ENTRIES_MAX);
    }
    if (int_of(line, "id") != (json_int_t)tape->count + 1) {
        return ng_err_set(err, NG_ERR_FORMAT, "commands are not numbered 1, 2, 3 ...");
    }
    struct ng_arena *arena = &tape->arena;
    tape->entries =
        ng_arena_grow(arena, tape->entries, tape->count, &tape->capacity, sizeof *tape->entries);
    struct ng_tape_entry *entry = &tape->entries[tape->count++];
    *entry = (struct ng_tape_entry){.id = (unsigned)tape->count,
        .key = text_of(line, "key", arena),
        .host = text_of(line, "host", arena),
        .purpose = text_of(line, "purpose", arena),
        .shown = shown_argv(json_object_get(line, "argv"), arena),
        .ready_ns = -1,
        .end_ns = -1,
        .stdin_digest = text_of(line, "stdin", arena),
        .background = json_is_true(json_object_get(line, "background"))};
    if (!time_of(line, "at", &entry->start_ns, err)) {
        return false;
    }
    if (!entry->key || !entry->host || !entry->purpose) {
        return ng_err_set(err, NG_ERR_FORMAT, "a start without key, host or purpose");
    }
    char own[NG_EVIDENCE_KEY];
    ng_evidence_key_for(tape->occurrences, entry->key, entry->purpose, own);
    json_object_set_new(tape->by_key, entry->key, json_integer((json_int_t)tape->count - 1));
    json_object_set_new(tape->by_purpose, own, json_integer((json_int_t)tape->count - 1));
    json_object_set_new(tape->purposes, entry->purpose, json_true());
    return true;
}

static bool read_how(const char *word, enum ng_ended_how *how) {
    for (int i = NG_ENDED_EXITED; i <= NG_ENDED_LOST; i++) {
        if (word && strcmp(word, ng_ended_word((enum ng_ended_how)i)) == 0) {
            *how = (enum ng_ended_how)i;
            return true;
        }
    }
    return false;
}

static bool read_end(
    struct ng_tape *tape, struct ng_tape_entry *entry, const json_t *line, struct ng_err *err) {
    struct ng_reply *reply = &entry->reply;
    if (!read_how(json_string_value(json_object_get(line, "how")), &reply->how)) {
        return ng_err_set(err, NG_ERR_FORMAT, "\"how\" is no word that is known");
    }
    if (!time_of(line, "at", &entry->end_ns, err)) {
        return false;
    }
    entry->out = text_of(line, "out", &tape->arena);
    entry->err = text_of(line, "err", &tape->arena);
    reply->id = entry->id;
    reply->status = (int)int_of(line, "status");
    reply->by_kill = json_is_true(json_object_get(line, "by_kill"));
    reply->leftovers = (int)int_of(line, "leftovers");
    reply->start_ns = entry->start_ns;
    reply->ready_ns = entry->ready_ns > 0 ? entry->ready_ns : 0;
    reply->end_ns = entry->end_ns;
    reply->user_ns = int_of(line, "user_ns");
    reply->system_ns = int_of(line, "system_ns");
    reply->max_rss = int_of(line, "max_rss");
    reply->out_cut = (size_t)int_of(line, "out_cut");
    reply->err_cut = (size_t)int_of(line, "err_cut");
    const char *why = json_string_value(json_object_get(line, "why"));
    snprintf(reply->why, sizeof reply->why, "%s", why ? why : "");
    return true;
}

static bool read_event(struct ng_tape *tape, const json_t *line, struct ng_err *err) {
    const char *event = json_string_value(json_object_get(line, "event"));
    if (!event) {
        return ng_err_set(err, NG_ERR_FORMAT, "no \"event\"");
    }
    const int64_t at = int_of(line, "at");
    tape->last_ns = at > tape->last_ns && at <= NG_TAPE_TIME_MAX ? at : tape->last_ns;
    tape->altered = tape->altered || tape->finished; // nothing comes behind the end
    if (strcmp(event, "start") == 0) {
        return read_start(tape, line, err);
    }
    if (strcmp(event, "finish") == 0) {
        tape->altered = tape->altered || !ng_evidence_chain_fits(tape->chain, line);
        tape->finished = true;
        tape->signal = (int)int_of(line, "signal");
        return time_of(line, "signal_at", &tape->signal_ns, err);
    }
    const json_int_t id = int_of(line, "id");
    if (id < 1 || id > (json_int_t)tape->count) {
        return ng_err_set(err, NG_ERR_FORMAT, "\"%.20s\" of a command that did not start", event);
    }
    struct ng_tape_entry *entry = &tape->entries[id - 1];
    if (strcmp(event, "ready") == 0) {
        return time_of(line, "at", &entry->ready_ns, err);
    }
    if (strcmp(event, "end") == 0) {
        return read_end(tape, entry, line, err);
    }
    return strcmp(event, "stop") == 0 ||
           ng_err_set(err, NG_ERR_FORMAT, "unknown event \"%.20s\"", event);
}

static bool read_line(
    struct ng_tape *tape, const char *text, size_t len, bool first, struct ng_err *err) {
    json_error_t problem;
    json_t *line = json_loadb(text, len, JSON_REJECT_DUPLICATES, &problem);
    if (!line) {
        return ng_err_set(err, NG_ERR_FORMAT, "not JSON: %s", problem.text);
    }
    const bool ok =
        first ? ng_head_read(line, &tape->arena, &tape->head, err) : read_event(tape, line, err);
    json_decref(line);
    ng_evidence_chain(tape->chain, text, len);
    return ok;
}

static bool read_lines(struct ng_tape *tape, const char *text, size_t len, struct ng_err *err) {
    size_t number = 0;
    while (len > 0) {
        const char *end = memchr(text, '\n', len);
        if (!end && number > 0) {
            return true; // what a killed run did not write to the end
        }
        const size_t used = end ? (size_t)(end - text) : len;
        number++;
        if (!read_line(tape, text, used, number == 1, err)) {
            return ng_err_wrap(err, "line %zu", number);
        }
        text += used + (end ? 1 : 0);
        len -= used + (end ? 1 : 0);
    }
    return number > 0 || ng_err_set(err, NG_ERR_FORMAT, "it is empty");
}

struct ng_tape *ng_tape_read(const char *dir, struct ng_err *err) {
    struct ng_tape *tape = ng_xmalloc(sizeof *tape);
    *tape = (struct ng_tape){0};
    ng_arena_init(&tape->arena);
    tape->by_key = json_object();
    tape->by_purpose = json_object();
    tape->purposes = json_object();
    tape->occurrences = json_object();
    tape->dir = ng_arena_strdup(&tape->arena, dir);
    const char *path = ng_arena_printf(&tape->arena, "%s/index.jsonl", dir);
    char *text = NULL;
    size_t len = 0;
    bool ok = ng_file_read(path, NG_TAPE_BYTES_MAX, &text, &len, err);
    if (ok && !read_lines(tape, text, len, err)) {
        ok = ng_err_wrap(err, "%s", path);
    }
    free(text);
    if (!ok) {
        ng_tape_free(tape);
        return NULL;
    }
    return tape;
}

void ng_tape_free(struct ng_tape *tape) {
    if (tape) {
        json_decref(tape->by_key);
        json_decref(tape->by_purpose);
        json_decref(tape->purposes);
        json_decref(tape->occurrences);
        ng_arena_release(&tape->arena);
        free(tape);
    }
}

static struct ng_tape_entry *find(struct ng_tape *tape, const json_t *keys, const char *key) {
    const json_t *index = json_object_get(keys, key);
    if (!index) {
        return NULL;
    }
    struct ng_tape_entry *entry = &tape->entries[json_integer_value(index)];
    return entry->used ? NULL : entry;
}

struct ng_tape_entry *ng_tape_find(struct ng_tape *tape, const char *key) {
    return find(tape, tape->by_key, key);
}

struct ng_tape_entry *ng_tape_find_for(struct ng_tape *tape, const char *key) {
    return find(tape, tape->by_purpose, key);
}

bool ng_tape_has_purpose(const struct ng_tape *tape, const char *purpose) {
    return json_object_get(tape->purposes, purpose) != NULL;
}

size_t ng_tape_unused(const struct ng_tape *tape) {
    size_t unused = 0;
    for (size_t i = 0; i < tape->count; i++) {
        unused += tape->entries[i].used ? 0 : 1;
    }
    return unused;
}

bool ng_tape_object(
    const struct ng_tape *tape, const char *digest, char **data, size_t *len, struct ng_err *err) {
    char name[NG_DIGEST_TEXT];
    char actual[NG_DIGEST_TEXT];
    // The digest comes from a file: nothing but digits may become part of a path.
    if (strlen(digest) != NG_DIGEST_TEXT - 1 ||
        strspn(digest, "0123456789abcdef") != NG_DIGEST_TEXT - 1) {
        return ng_err_set(err, NG_ERR_FORMAT, "\"%.70s\" is no digest", digest);
    }
    snprintf(name, sizeof name, "%s", digest);
    char *path = NULL;
    struct ng_buf text;
    ng_buf_init(&text, SHOWN_CAP);
    ng_buf_addf(&text, "%s/objects/%s", tape->dir, name);
    path = ng_buf_detach(&text);
    bool ok = ng_file_read(path, NG_OBJECT_BYTES_MAX, data, len, err);
    if (ok && strcmp(ng_digest(*data, *len, actual), name) != 0) {
        free(*data);
        *data = NULL;
        ok = ng_err_set(err, NG_ERR_FORMAT, "%s was changed: its digest is %s", path, actual);
    }
    free(path);
    return ok;
}
