/**
 * field_write.h - typed values as a plan would write them, from the same tables that load them.
 */
#ifndef NG_LANGUAGE_FIELD_WRITE_H
#define NG_LANGUAGE_FIELD_WRITE_H

#include "plans/language/field.h"
#include "runner/base/buf.h"

/**
 * Appends one `key: value` per field, each on a line of its own, `indent` blanks deep. Fields that
 * were not given and have no default are left out. What is written loads to the same values.
 */
void ng_record_write(
    const struct ng_record *record, const void *values, int indent, struct ng_buf *out);

/** The same on one line: "volume: disk, rw: write"; without lists of maps. A file of Lua has the
 * beginning of its digest behind its name: two lines that are equal say the same work. */
void ng_record_write_line(const struct ng_record *record, const void *values, struct ng_buf *out);

/** Appends a text as a double-quoted YAML scalar on one line; "${" is written as "$${". */
void ng_yaml_quote(const char *text, struct ng_buf *out);

#endif
