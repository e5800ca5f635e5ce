/**
 * jsonscan.h - the JSON documents inside an engine's output.
 *
 * Engines print JSON among notes, twice, cut off, with nan, raw control bytes, invalid UTF-8 and
 * duplicate keys. The scan finds every complete top-level object, repairs what is repairable, and
 * gives each as a tree of jansson's:
 *  - nan, -nan, inf, infinity (any case) and what no double can hold become null;
 *  - raw control bytes in strings are kept; invalid UTF-8, NUL and lone surrogates become U+FFFD;
 *    an escape that JSON does not know keeps its backslash;
 *  - the 2nd, 3rd ... occurrence of a key in one object is renamed "key#2", "key#3" ..., so
 *    that none is lost;
 *  - numbers with an exponent, a leading plus or leading zeros are accepted; whole numbers that do
 *    not fit into 64 bits become real.
 * A brace in prose swallows nothing behind it. An object that turns out broken is left out as a
 * whole: complete objects inside it are not taken for documents. All that is not part of a complete
 * object is `rest`, kept as diagnostics. Time is linear in the length of the text.
 */
#ifndef NG_BASE_JSONSCAN_H
#define NG_BASE_JSONSCAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "runner/base/buf.h"

enum { NG_JSON_DOCS_MAX = 64, NG_JSON_DEPTH_MAX = 64, NG_JSON_REST_MAX = 65536 };

struct ng_jsonscan {
    json_t *docs[NG_JSON_DOCS_MAX]; /* owned */
    size_t count;
    size_t dropped;     /* complete documents beyond NG_JSON_DOCS_MAX or NG_JSON_DEPTH_MAX */
    bool truncated;     /* the text ends inside an object */
    struct ng_buf rest; /* raw bytes outside the documents, capped */
};

/** Scans `len` bytes. Never fails: no document is count 0. */
void ng_jsonscan_init(struct ng_jsonscan *scan, const char *text, size_t len);
void ng_jsonscan_release(struct ng_jsonscan *scan);

/** Walks `path` ("a.b.c", steps of at most 127 bytes) through objects; NULL when any step is
 *  missing. Borrowed. A key that holds a dot cannot be reached this way. */
json_t *ng_json_at(const json_t *root, const char *path);
/** A finite number at `path`; false when absent, null or not a number. */
bool ng_json_number(const json_t *root, const char *path, double *out);
/** A string at `path`, or NULL. Borrowed. */
const char *ng_json_string(const json_t *root, const char *path);

#endif
