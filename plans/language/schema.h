/**
 * schema.h - the plan language as JSON Schema (draft-07) and as a Markdown reference page, both
 * printed from the field tables and the vocabulary.
 */
#ifndef NG_LANGUAGE_SCHEMA_H
#define NG_LANGUAGE_SCHEMA_H

#include <jansson.h>

#include "plans/language/vocabulary.h"
#include "runner/base/buf.h"

/** A new reference; keys in the order of the tables. */
json_t *ng_schema_build(const struct ng_vocabulary *vocabulary);
/** The reference page: every record, field, type, range, default; every metric. */
void ng_reference_write(const struct ng_vocabulary *vocabulary, struct ng_buf *out);

#endif
