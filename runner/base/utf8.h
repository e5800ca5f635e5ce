/**
 * utf8.h - decoding UTF-8, for this folder.
 */
#ifndef NG_BASE_UTF8_H
#define NG_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define NG_UTF8_BAD UINT32_MAX
#define NG_UTF8_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/**
 * Decodes the code point at `bytes` (`len` > 0). `*used` gets the bytes it takes. Ill-formed
 * bytes (surrogates, overlong forms, beyond U+10FFFF, cut off) give NG_UTF8_BAD, and `*used` the
 * length of the maximal ill-formed subpart (Unicode 15, section 3.9), at least 1.
 */
uint32_t ng_utf8_decode(const char *bytes, size_t len, size_t *used);

#endif
