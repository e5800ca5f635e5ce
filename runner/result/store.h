/**
 * store.h - a result as JSON, and back. Format: reports/schemas/result.schema.json, version in "version".
 * Keys are sorted; numbers print the same everywhere; no key is left out (absent is null).
 */
#ifndef NG_RESULT_STORE_H
#define NG_RESULT_STORE_H

#include "runner/base/buf.h"
#include "runner/base/err.h"
#include "runner/result/result.h"

/** The JSON text, with a newline at its end. */
void ng_result_write(const struct ng_result *result, struct ng_buf *out);
/** Reads it back. NULL with an error for what is no result of a version that we know. */
struct ng_result *ng_result_read(const char *text, size_t len, struct ng_err *err);
/** Reads a result from a bundle folder or a result.json. */
struct ng_result *ng_result_load(const char *path, struct ng_err *err);
/** Saves atomically as DIR/result.json. */
bool ng_result_save(const struct ng_result *result, const char *dir, struct ng_err *err);

#endif
