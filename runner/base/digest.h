/**
 * digest.h - SHA-256 (FIPS 180-4) by libmd, as lower-case hexadecimal.
 */
#ifndef NG_BASE_DIGEST_H
#define NG_BASE_DIGEST_H

#include <stddef.h>

enum { NG_DIGEST_TEXT = 65 };

/** Writes 64 hexadecimal digits and a NUL. Returns `out`. */
const char *ng_digest(const void *data, size_t len, char out[NG_DIGEST_TEXT]);

#endif
