/**
 * schema_parts.h - the JSON Schema of single fields and records.
 */
#ifndef NG_LANGUAGE_SCHEMA_PARTS_H
#define NG_LANGUAGE_SCHEMA_PARTS_H

#include <jansson.h>

#include "plans/language/field.h"
#include "runner/base/units.h"

/** The schema of a field's value with its help, range and default. New reference. */
json_t *ng_schema_field(const struct ng_field *field);
/** The schema of a record; with the fields of `extra` (may be NULL) as well. The short form is an
 * alternative where no other field is required. New reference. */
json_t *ng_schema_record(const struct ng_record *record, const struct ng_record *extra);
/** The long form alone: an object that may be given more properties. New reference. */
json_t *ng_schema_object(const struct ng_record *record, const struct ng_record *extra);
/** The schema of a scalar that is taken as text. New reference. */
json_t *ng_schema_text(void);
/** The pattern of names, for keys. Static. */
const char *ng_schema_name_pattern(void);
/** Sets "description" and "markdownDescription". */
void ng_schema_describe(json_t *schema, const char *text, const char *more);
/** The units that plans can write in a dimension, NULL-terminated. */
const char *const *ng_schema_units(struct ng_dim dim);

#endif
