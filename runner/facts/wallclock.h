/**
 * wallclock.h - what time a host believes it is: `date -u +%s.%N`.
 */
#ifndef NG_FACTS_WALLCLOCK_H
#define NG_FACTS_WALLCLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ng_wallclock {
    int64_t ns;   /* since 1970, the latest instant that is certainly not after the reading; -1 */
    int64_t step; /* ns that the true reading may be later: 1 for a full time, 10^9 where `date`
                     knows whole seconds only */
};

/** Reads "1796048222.993981824", and "1796048222", "1796048222.N", "1796048222.%N" of what knows
 * no fractions. False when there is no time in it. */
bool ng_wallclock_parse(struct ng_wallclock *clock, const char *text, size_t len);

#endif
