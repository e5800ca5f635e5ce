// Writes the files of the evidence.
#include "runner/transport/evidence.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/base/arena.h"
#include "runner/base/buf.h"
#include "runner/base/files.h"
#include "runner/base/room.h"
#include "runner/base/text.h"

enum { PATH_ROOM = 8192, MODE = 0666 };

static char *path_of(const struct ng_evidence *evidence, const char *name, const char *ending) {
    struct ng_buf path;
    ng_buf_init(&path, PATH_ROOM);
    ng_buf_addf(&path, "%s/%s%s", evidence->dir, name, ending);
    return ng_buf_detach(&path);
}

/** Keeps the first error only: the later ones mostly follow from it. */
static void keep_error(struct ng_evidence *evidence, int number, const char *name) {
    if (evidence->failed.kind == NG_ERR_NONE) {
        char *path = path_of(evidence, name, "");
        ng_room_failed(&evidence->failed, number, path, name);
        free(path);
    }
}

static bool write_all(int fd, const char *data, size_t len) {
    while (len > 0) {
        ssize_t done = write(fd, data, len);
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done <= 0) {
            errno = done == 0 ? EIO : errno;
            return false;
        }
        data += done;
        len -= (size_t)done;
    }
    return true;
}

static bool open_files(struct ng_evidence *evidence, struct ng_err *err) {
    bool empty = false;
    if (!ng_dir_is_empty(evidence->dir, &empty, err)) {
        return false;
    }
    if (!empty) {
        return ng_err_set(err, NG_ERR_FILE, "the folder %s is not empty", evidence->dir);
    }
    char *objects = path_of(evidence, "objects", "");
    bool made = ng_dir_create_new(objects, err);
    free(objects);
    if (!made) {
        return false;
    }
    char *index = path_of(evidence, "index.jsonl", "");
    evidence->index = open(index, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, MODE);
    if (evidence->index < 0) {
        ng_room_failed(err, errno, index, index);
    }
    free(index);
    return evidence->index >= 0;
}

bool ng_evidence_open(struct ng_evidence *evidence, const char *dir, struct ng_err *err) {
    *evidence = (struct ng_evidence){.dir = ng_xstrdup(dir), .index = -1};
    evidence->occurrences = json_object();
    if (open_files(evidence, err)) {
        return true;
    }
    ng_evidence_close(evidence);
    return ng_err_wrap(err, "evidence");
}

void ng_evidence_close(struct ng_evidence *evidence) {
    if (evidence->index >= 0) {
        close(evidence->index);
    }
    json_decref(evidence->occurrences);
    free(evidence->dir);
    *evidence = (struct ng_evidence){.index = -1};
}

void ng_evidence_line(struct ng_evidence *evidence, json_t *line) {
    char *text = json_dumps(line, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(line);
    if (!text) {
        ng_oom();
    }
    size_t len = strlen(text);
    ng_evidence_chain(evidence->chain, text, len);
    text[len] = '\n'; // in the place of the NUL, so that a line is one write
    if (!write_all(evidence->index, text, len + 1)) {
        keep_error(evidence, errno, "index.jsonl");
    }
    free(text);
}

void ng_evidence_chain(char chain[NG_DIGEST_TEXT], const char *line, size_t len) {
    struct ng_buf text;
    ng_buf_init(&text, SIZE_MAX / 2);
    ng_buf_adds(&text, chain);
    ng_buf_add(&text, line, len);
    ng_digest(ng_buf_text(&text), text.len, chain);
    ng_buf_release(&text);
}

/** Adds a line that has no member "chain". */
static void chain_object(char chain[NG_DIGEST_TEXT], const json_t *line) {
    char *text = json_dumps(line, JSON_COMPACT | JSON_SORT_KEYS);
    if (!text) {
        ng_oom();
    }
    ng_evidence_chain(chain, text, strlen(text));
    free(text);
}

void ng_evidence_last_line(struct ng_evidence *evidence, json_t *line) {
    char chain[NG_DIGEST_TEXT];
    memcpy(chain, evidence->chain, sizeof chain);
    chain_object(chain, line);
    json_object_set_new(line, "chain", json_string(chain));
    ng_evidence_line(evidence, line);
}

bool ng_evidence_chain_fits(const char chain[NG_DIGEST_TEXT], const json_t *line) {
    const char *recorded = json_string_value(json_object_get(line, "chain"));
    if (!recorded) {
        return true;
    }
    char actual[NG_DIGEST_TEXT];
    memcpy(actual, chain, sizeof actual);
    json_t *bare = json_copy((json_t *)(uintptr_t)line);
    json_object_del(bare, "chain");
    chain_object(actual, bare);
    json_decref(bare);
    return strcmp(actual, recorded) == 0;
}

/** Atomic by rename: whoever sees the name sees all of it. */
static bool write_object(const char *path, const char *temporary, const void *data, size_t len) {
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, MODE);
    if (fd < 0) {
        return false;
    }
    bool written = write_all(fd, data, len);
    int number = errno;
    if (close(fd) != 0 && written) {
        written = false;
        number = errno;
    }
    if (written && rename(temporary, path) == 0) {
        return true;
    }
    number = written ? errno : number;
    unlink(temporary);
    errno = number;
    return false;
}

const char *ng_evidence_store(
    struct ng_evidence *evidence, const void *data, size_t len, char digest[NG_DIGEST_TEXT]) {
    ng_digest(data, len, digest);
    char name[NG_DIGEST_TEXT + 16];
    snprintf(name, sizeof name, "objects/%s", digest);
    char *path = path_of(evidence, name, "");
    char *temporary = path_of(evidence, name, ".new");
    if (access(path, F_OK) != 0 && !write_object(path, temporary, data, len)) {
        keep_error(evidence, errno, name);
    }
    free(temporary);
    free(path);
    return digest;
}

/** "DIGEST#n" of the n-th that came with this digest. */
static const char *count_up(json_t *occurrences, const char *digest, char key[NG_EVIDENCE_KEY]) {
    json_int_t n = json_integer_value(json_object_get(occurrences, digest)) + 1;
    json_object_set_new(occurrences, digest, json_integer(n));
    snprintf(key, NG_EVIDENCE_KEY, "%s#%u", digest, (unsigned)n);
    return key;
}

const char *ng_evidence_key(
    struct ng_evidence *evidence, const struct ng_request *request, char key[NG_EVIDENCE_KEY]) {
    size_t words = 0;
    while (request->argv[words]) {
        words++;
    }
    struct ng_buf text;
    ng_buf_init(&text, SIZE_MAX / 2);
    ng_buf_add(&text, request->host, strlen(request->host) + 1);
    ng_buf_addf(&text, "%zu", words);
    ng_buf_addc(&text, '\0');
    for (size_t i = 0; i < words; i++) {
        ng_buf_add(&text, request->argv[i], strlen(request->argv[i]) + 1);
    }
    char digest[NG_DIGEST_TEXT] = "-";
    if (request->stdin_data) {
        ng_digest(request->stdin_data, request->stdin_len, digest);
    }
    ng_buf_adds(&text, digest);
    ng_digest(ng_buf_text(&text), text.len, digest);
    ng_buf_release(&text);
    return count_up(evidence->occurrences, digest, key);
}

const char *ng_evidence_key_for(
    json_t *occurrences, const char *key, const char *purpose, char out[NG_EVIDENCE_KEY]) {
    char digest[NG_DIGEST_TEXT];
    struct ng_buf text;
    json_t *recorded = ng_evidence_text(purpose ? purpose : ""); // as it stands in the index
    ng_buf_init(&text, SIZE_MAX / 2);
    ng_buf_add(&text, key, strcspn(key, "#"));
    ng_buf_addc(&text, '\0');
    ng_buf_adds(&text, json_string_value(recorded));
    ng_digest(ng_buf_text(&text), text.len, digest);
    ng_buf_release(&text);
    json_decref(recorded);
    return count_up(occurrences, digest, out);
}

json_t *ng_evidence_text(const char *text) {
    json_t *exact = json_string(text);
    if (exact) {
        return exact;
    }
    struct ng_buf clean;
    ng_buf_init(&clean, SIZE_MAX / 2);
    ng_text_clean(&clean, text, strlen(text), NG_TEXT_BLOCK, SIZE_MAX / 4);
    json_t *shown = json_string(ng_buf_text(&clean));
    ng_buf_release(&clean);
    return shown;
}
