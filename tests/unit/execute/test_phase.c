/* The state machine of a phase: every transition that decides what is measured. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "runner/base/guard.h"
#include "runner/execute/phase.h"

struct row {
    const char *what;
    struct ng_phase_view view;
    enum ng_phase_state next;
};

static const struct row rows[] = {
    {"all is well", {.state = NG_PHASE_WAITING, .repeats_wanted = 1}, NG_PHASE_BEFORE},
    {"the hooks before it are content", {.state = NG_PHASE_BEFORE, .repeats_wanted = 1},
        NG_PHASE_MEASURING},
    {"a hook before it refuses", {.state = NG_PHASE_BEFORE, .refused = true}, NG_PHASE_DONE},
    {"a signal in a hook before it", {.state = NG_PHASE_BEFORE, .stopping = true},
        NG_PHASE_SKIPPED},
    {"the hooks after it have run", {.state = NG_PHASE_AFTER}, NG_PHASE_JUDGING},
    {"a need did not pass", {.state = NG_PHASE_WAITING, .need_missing = true}, NG_PHASE_SKIPPED},
    {"the run stops", {.state = NG_PHASE_WAITING, .stopping = true}, NG_PHASE_SKIPPED},
    {"the volume is unusable", {.state = NG_PHASE_WAITING, .volume_failed = true}, NG_PHASE_BROKEN},
    {"a missing need explains more than a broken volume",
        {.state = NG_PHASE_WAITING, .need_missing = true, .volume_failed = true}, NG_PHASE_SKIPPED},
    {"one of three repeats is done",
        {.state = NG_PHASE_MEASURING, .repeats_done = 1, .repeats_wanted = 3, .last_valid = true},
        NG_PHASE_MEASURING},
    {"all repeats are done",
        {.state = NG_PHASE_MEASURING, .repeats_done = 3, .repeats_wanted = 3, .last_valid = true},
        NG_PHASE_AFTER},
    {"an invalid repeat ends the phase",
        {.state = NG_PHASE_MEASURING, .repeats_done = 1, .repeats_wanted = 3, .last_valid = false},
        NG_PHASE_AFTER},
    {"a signal in the middle is judged, not skipped",
        {.state = NG_PHASE_MEASURING, .repeats_done = 1, .repeats_wanted = 3, .stopping = true},
        NG_PHASE_AFTER},
    {"judged", {.state = NG_PHASE_JUDGING}, NG_PHASE_DONE},
    {"skipped", {.state = NG_PHASE_SKIPPED}, NG_PHASE_DONE},
    {"broken", {.state = NG_PHASE_BROKEN}, NG_PHASE_DONE},
    {"done stays done", {.state = NG_PHASE_DONE, .need_missing = true}, NG_PHASE_DONE},
};

static void transitions(void **state) {
    (void)state;
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        if (ng_phase_next(&rows[i].view) != rows[i].next) {
            fail_msg("%s: got state %d, expected %d", rows[i].what,
                (int)ng_phase_next(&rows[i].view), (int)rows[i].next);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(transitions)};
    return cmocka_run_group_tests_name("execute.phase", tests, NULL, NULL);
}
