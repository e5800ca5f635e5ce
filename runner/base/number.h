/**
 * number.h - numbers as text in the C locale whatever the program's locale is, for this folder.
 */
#ifndef NG_BASE_NUMBER_H
#define NG_BASE_NUMBER_H

#include <stddef.h>

enum { NG_NUMBER_TEXT = 32 };

/** The bytes at `text` that read as one number without a sign (see ng_number_scan); 0 if none. */
size_t ng_number_length(const char *text, size_t len);

/** "%.*e" with `precision` of at most 17, or "%.*g"; always with a dot. Returns `out`. */
const char *ng_number_scientific(double value, int precision, char out[NG_NUMBER_TEXT]);
const char *ng_number_general(double value, int precision, char out[NG_NUMBER_TEXT]);

#endif
