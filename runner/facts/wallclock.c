/* What time a host believes it is. */
#include "runner/facts/wallclock.h"

#include "runner/facts/scan.h"

#define SECOND INT64_C(1000000000)

bool ng_wallclock_parse(struct ng_wallclock *clock, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len);
    struct ng_span line = ng_span(NULL, 0);
    int64_t seconds, fraction = 0;
    *clock = (struct ng_wallclock){.ns = -1};
    (void)ng_span_line(&rest, &line);
    line = ng_span_trim(line);
    if (!ng_span_digits(&line, &seconds) || seconds > INT64_C(9000000000)) {
        return false;
    }
    clock->step = SECOND;
    if (line.len > 1 && line.at[0] == '.') {
        struct ng_span digits = ng_span(line.at + 1, line.len - 1);
        if (digits.len <= 9 && ng_span_int(digits, &fraction) && fraction >= 0) {
            clock->step = 1;
            for (size_t i = digits.len; i < 9; i++) {
                fraction *= 10;
                clock->step *= 10;
            }
        }
    }
    clock->ns = seconds * SECOND + fraction;
    return true;
}
