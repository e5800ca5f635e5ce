/**
 * ping_text.h - what ping prints, as numbers: iputils, BusyBox, BSD.
 */
#ifndef NG_FACTS_PING_TEXT_H
#define NG_FACTS_PING_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/err.h"

struct ng_ping_text {
    bool found; /* the line of counts was there */
    double transmitted, received, duplicates, errors, corrupted;
    double printed_loss;        /* share, as printed */
    double min, avg, max, mdev; /* seconds; NaN: not printed. mdev is the standard deviation */
    double mtu;                 /* of the path, as told by a message; 0: none */
    bool too_long;              /* some packet was too long for a link on the way */
};

/** Reads both outputs. False with the reason when there is no line of counts or it makes no sense.
 */
bool ng_ping_read(const char *out, size_t out_len, const char *err_text, size_t err_len,
    struct ng_ping_text *text, struct ng_err *err);

#endif
