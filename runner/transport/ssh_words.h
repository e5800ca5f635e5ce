/**
 * ssh_words.h - what the OpenSSH client says when it does not get through, and what to do about it.
 */
#ifndef NG_TRANSPORT_SSH_WORDS_H
#define NG_TRANSPORT_SSH_WORDS_H

#include <stdbool.h>
#include <stddef.h>

enum { NG_SSH_WORDS = 256 };

/** A reason with a remedy for the standard error of ssh. False, with what it said last, when the
 * text is not known; "" when there is none. */
bool ng_ssh_words(const char *target, const char *said, size_t len, char out[NG_SSH_WORDS]);

#endif
