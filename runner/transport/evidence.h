/**
 * evidence.h - the files of the evidence (format: reports/schemas/evidence.md): index lines and
 * objects by digest.
 *
 * Writing never fails loudly: the first error is kept, so that a run that is under way can end in
 * order.
 */
#ifndef NG_TRANSPORT_EVIDENCE_H
#define NG_TRANSPORT_EVIDENCE_H

#include <jansson.h>

#include "runner/base/digest.h"
#include "runner/base/err.h"
#include "runner/transport/transport.h"

#define NG_EVIDENCE_FORMAT "nasgate-evidence"
enum { NG_EVIDENCE_VERSION = 1 };

struct ng_evidence {
    char *dir;
    int index;                  /* descriptor of index.jsonl; -1: not open */
    json_t *occurrences;        /* digest of a request: how often it came */
    struct ng_err failed;       /* kind NG_ERR_NONE: all is well */
    char chain[NG_DIGEST_TEXT]; /* of all lines so far */
};

/** Makes the files in `dir`, which must exist and be empty. */
bool ng_evidence_open(struct ng_evidence *evidence, const char *dir, struct ng_err *err);
void ng_evidence_close(struct ng_evidence *evidence);
/** Appends a line; takes the reference to `line`. */
void ng_evidence_line(struct ng_evidence *evidence, json_t *line);
/** The same for the last line, which gets the chain as "chain"; so whoever reads the index can tell
 *  whether any of it was changed. */
void ng_evidence_last_line(struct ng_evidence *evidence, json_t *line);
/**
 * Adds a line to a chain: SHA-256 of the chain so far ("" at first) and the line without its
 * newline. The last line counts as it is without its member "chain", compact and with sorted keys.
 */
void ng_evidence_chain(char chain[NG_DIGEST_TEXT], const char *line, size_t len);
/** True when `line`, a last line, has the chain that follows from `chain`, or none at all. */
bool ng_evidence_chain_fits(const char chain[NG_DIGEST_TEXT], const json_t *line);
/** Stores bytes under their digest, unless they are there. Returns `digest`. */
const char *ng_evidence_store(
    struct ng_evidence *evidence, const void *data, size_t len, char digest[NG_DIGEST_TEXT]);

enum { NG_EVIDENCE_KEY = NG_DIGEST_TEXT + 12 };
/**
 * The key of a request: "DIGEST#n". DIGEST is of host NUL, number of words of argv NUL, each word
 * NUL, then the digest of the standard input or "-" without one. n counts equal requests of this
 * evidence.
 */
const char *ng_evidence_key(
    struct ng_evidence *evidence, const struct ng_request *request, char key[NG_EVIDENCE_KEY]);

/**
 * The same for a purpose: a digest of the DIGEST of `key` and the purpose, "#", and how many came
 * with both so far, counted in `occurrences` (a JSON object of the caller's). So a replay that
 * leaves something out does not give its answers to what comes behind it.
 */
const char *ng_evidence_key_for(
    json_t *occurrences, const char *key, const char *purpose, char out[NG_EVIDENCE_KEY]);

/** A new JSON string; bytes that are not UTF-8 are replaced, since JSON cannot hold them. */
json_t *ng_evidence_text(const char *text);

#endif
