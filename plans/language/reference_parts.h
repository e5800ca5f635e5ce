/**
 * reference_parts.h - the parts of the reference page that no field table holds.
 */
#ifndef NG_LANGUAGE_REFERENCE_PARTS_H
#define NG_LANGUAGE_REFERENCE_PARTS_H

#include "runner/base/buf.h"

/** How thresholds are written. */
void ng_reference_thresholds(struct ng_buf *out);
/** The units, by dimension. */
void ng_reference_units(struct ng_buf *out);
/** The words in brackets at the end of messages. */
void ng_reference_rules(struct ng_buf *out);

#endif
