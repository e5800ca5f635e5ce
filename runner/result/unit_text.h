/**
 * unit_text.h - a dimension as text for data files: "byte", "s", "byte/s", "1/s", "1", "byte^2/s".
 * Base units of units.h: powers above the line are joined by "*", below it by "/".
 */
#ifndef NG_RESULT_UNIT_TEXT_H
#define NG_RESULT_UNIT_TEXT_H

#include <stdbool.h>

#include "runner/base/units.h"

enum { NG_UNIT_TEXT = 88 };
/** Returns `out`. */
const char *ng_unit_text(struct ng_dim dim, char out[NG_UNIT_TEXT]);
/** Reads exactly what ng_unit_text writes; false for anything else. */
bool ng_unit_text_read(const char *text, struct ng_dim *out);

#endif
