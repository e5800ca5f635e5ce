/** digest.c - SHA-256 in hexadecimal. */
#include "runner/base/digest.h"

#include <sha2.h>
#include <stdint.h>

const char *ng_digest(const void *data, size_t len, char out[NG_DIGEST_TEXT]) {
    static const char digits[] = "0123456789abcdef";
    SHA2_CTX context;
    uint8_t bytes[SHA256_DIGEST_LENGTH];
    SHA256Init(&context);
    if (len > 0) {
        SHA256Update(&context, data, len);
    }
    SHA256Final(bytes, &context);
    for (size_t i = 0; i < sizeof bytes; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 0x0F];
    }
    out[NG_DIGEST_TEXT - 1] = '\0';
    return out;
}
