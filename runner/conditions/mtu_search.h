/**
 * mtu_search.h - which packet size still passes a path, found with few probes. Pure: it is told
 * what was tried and says what to try next.
 */
#ifndef NG_CONDITIONS_MTU_SEARCH_H
#define NG_CONDITIONS_MTU_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NG_MTU_AT_ONCE = 6, NG_MTU_LEAST = 548 };

/** MTUs that were tried, in any order. */
struct ng_mtu_search {
    int64_t passes; /* the largest that passed; NG_MTU_LEAST is where the search begins */
    int64_t fails;  /* the smallest above it that did not */
    int64_t hint;   /* what someone on the way named as his MTU; 0: nobody did */
    bool begun;     /* something between was tried already */
};

/**
 * Fills `next` with at most NG_MTU_AT_ONCE MTUs to try; 0 when the search is over: passes + 1 is
 * fails. The hint, 1500 and 1504 (1500 with a VLAN tag) are
 * tried first, each with the size above it; then the rest is divided.
 */
size_t ng_mtu_search_next(const struct ng_mtu_search *search, int64_t next[NG_MTU_AT_ONCE]);
/** Takes a result into account. */
void ng_mtu_search_tell(struct ng_mtu_search *search, int64_t mtu, bool passed);

#endif
