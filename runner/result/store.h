/**
 * store.h - a result as JSON, and back. Format: reports/schemas/result.schema.json, version in
 * "version". Keys are sorted; numbers print the same everywhere; no key is left out (absent is
 * null).
 */
#ifndef NG_RESULT_STORE_H
#define NG_RESULT_STORE_H

#include "runner/base/buf.h"
#include "runner/base/err.h"
#include "runner/result/result.h"

#define NG_RESULT_FILE "result.json"
enum { NG_RESULT_BYTES_MAX = 64 * 1024 * 1024, NG_RESULT_PATH_MAX = 4096 };

/** The JSON text, with a newline at its end. */
void ng_result_write(const struct ng_result *result, struct ng_buf *out);
/**
 * Reads it back; writing it again gives the same bytes. NULL with NG_ERR_FORMAT, naming the place,
 * for what is no result of a version that we know: every key must be there and none more.
 */
struct ng_result *ng_result_read(const char *text, size_t len, struct ng_err *err);
/** Reads a result from a bundle folder or a result.json. */
struct ng_result *ng_result_load(const char *path, struct ng_err *err);
/** Saves atomically as DIR/result.json. NG_ERR_LIMIT when it is larger than may be read back. */
bool ng_result_save(const struct ng_result *result, const char *dir, struct ng_err *err);
/** The same in the middle of a run: atomic, so that it is whole after a kill -9, but not synced,
 * since a sync would disturb a disk that is being measured. */
bool ng_result_checkpoint(const struct ng_result *result, const char *dir, struct ng_err *err);

#endif
