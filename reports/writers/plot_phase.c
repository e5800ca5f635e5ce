/* plot_phase.c - one phase, over time where its engine samples, else by repeat. */
#include "reports/writers/plot.h"
#include "reports/writers/plot_bars.h"

bool ng_plot_phase(
    const struct ng_view_phase *shown, bool inside_page, struct ng_buf *out, struct ng_err *err) {
    struct ng_arena arena;
    struct ng_plot_pick pick;
    if (!ng_plot_pick(shown->phase, &pick)) {
        return ng_err_set(err, NG_ERR_INTERNAL, "the phase has nothing to draw");
    }
    ng_arena_init(&arena);
    struct ng_frame frame = {.arena = &arena, .shown = shown, .pick = &pick};
    bool ok = pick.over_time ? ng_plot_time(&frame, inside_page, out, err)
                             : ng_plot_bars(&frame, inside_page, out, err);
    ng_arena_release(&arena);
    return ok;
}
