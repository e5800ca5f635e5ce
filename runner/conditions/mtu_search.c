/* Which packet size still passes a path. */
#include "runner/conditions/mtu_search.h"

#include "runner/base/guard.h"

static void add(
    const struct ng_mtu_search *search, int64_t next[NG_MTU_AT_ONCE], size_t *count, int64_t mtu) {
    if (mtu <= search->passes || mtu >= search->fails || *count >= NG_MTU_AT_ONCE) {
        return;
    }
    for (size_t i = 0; i < *count; i++) {
        if (next[i] == mtu) {
            return;
        }
    }
    next[(*count)++] = mtu;
}

size_t ng_mtu_search_next(const struct ng_mtu_search *search, int64_t next[NG_MTU_AT_ONCE]) {
    size_t count = 0;
    const int64_t likely[] = {search->hint, 1500, 1504};
    for (size_t i = 0; !search->begun && i < NG_COUNT(likely); i++) {
        add(search, next, &count, likely[i]);
        add(search, next, &count, likely[i] + 1);
    }
    const int64_t width = search->fails - search->passes;
    for (int64_t i = 1; i <= NG_MTU_AT_ONCE && count < NG_MTU_AT_ONCE; i++) {
        add(search, next, &count, search->passes + (width * i) / (NG_MTU_AT_ONCE + 1));
    }
    /* A narrow gap: what the division left out. */
    for (int64_t mtu = search->passes + 1; count == 0 && mtu < search->fails; mtu++) {
        add(search, next, &count, mtu);
    }
    return count;
}

void ng_mtu_search_tell(struct ng_mtu_search *search, int64_t mtu, bool passed) {
    if (mtu > NG_MTU_LEAST && mtu < search->fails) {
        search->begun = true;
    }
    if (passed && mtu > search->passes && mtu < search->fails) {
        search->passes = mtu;
    } else if (!passed && mtu < search->fails && mtu > search->passes) {
        search->fails = mtu;
    }
}
