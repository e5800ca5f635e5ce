/* view_plots.c - which plots a report has, and under which names. */
#include <stdlib.h>
#include <string.h>

#include "reports/writers/markdown_text.h"
#include "reports/writers/plot_pick.h"
#include "reports/writers/view_parts.h"

enum { NAME_CHARS = 63 };

static bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/** What of a name may stand in a file name, an id and a link: letters, digits and hyphens. */
static char *plain(const char *name, struct ng_arena *arena) {
    char *text = ng_arena_strndup(arena, name, strnlen(name, NAME_CHARS));
    for (char *at = text; *at != '\0'; at++) {
        *at = is_plain(*at) ? *at : '-';
    }
    return text[0] != '\0' ? text : ng_arena_strdup(arena, "unnamed");
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/** The same name for a file system that does not tell upper from lower case. */
static int compare(const char *a, const char *b) {
    while (*a != '\0' && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return (unsigned char)lower(*a) - (unsigned char)lower(*b);
}

struct named {
    struct ng_view_phase *phase;
    size_t order;
};

static int by_name(const void *a, const void *b) {
    const struct named *x = a;
    const struct named *y = b;
    int order = compare(x->phase->plot.id, y->phase->plot.id);
    return order != 0 ? order : (x->order > y->order) - (x->order < y->order);
}

/** Gives the second and later of equal names a number behind "_", which no plain name has. */
static void make_unique(struct named *names, size_t count, struct ng_arena *arena) {
    qsort(names, count, sizeof *names, by_name);
    size_t same = 1;
    for (size_t i = 1; i < count; i++) {
        const char *first = names[i - same].phase->plot.id;
        same = compare(first, names[i].phase->plot.id) == 0 ? same + 1 : 1;
        if (same > 1) {
            names[i].phase->plot.id = ng_arena_printf(arena, "%s_%zu", first, same);
        }
    }
}

static void finish(struct ng_view_plot *plot, struct ng_arena *arena) {
    plot->file = ng_arena_printf(arena, "plots/%s.svg", plot->id);
}

static const char *describe(
    const struct ng_phase_result *phase, bool over_time, struct ng_arena *arena) {
    struct ng_buf text;
    ng_buf_init(&text, 1024);
    ng_buf_adds(&text, "Phase ");
    ng_md_heading(&text, phase->name);
    ng_buf_adds(&text, over_time ? " over time" : " by repeat");
    const char *alt = ng_arena_strdup(arena, ng_buf_text(&text));
    ng_buf_release(&text);
    return alt;
}

static void name_phases(struct ng_view *view, struct ng_arena *arena) {
    size_t count = view->result->phase_count;
    struct named *names = ng_arena_array(arena, count + 1, sizeof *names);
    size_t named = 0;
    for (size_t i = 0; i < count; i++) {
        struct ng_view_phase *shown = &view->phases[i];
        struct ng_plot_pick pick;
        if (ng_plot_pick(shown->phase, &pick)) {
            shown->plot.id = ng_arena_printf(arena, "phase-%s", plain(shown->phase->name, arena));
            shown->plot.alt = describe(shown->phase, pick.over_time, arena);
            names[named++] = (struct named){shown, i};
        }
    }
    make_unique(names, named, arena);
    for (size_t i = 0; i < named; i++) {
        finish(&names[i].phase->plot, arena);
    }
}

void ng_view_plots(struct ng_view *view, struct ng_arena *arena) {
    if (view->bulk_ladder.count > 0) {
        view->bulk_plot.id = "bulk-ladder";
        view->bulk_plot.alt = "Bulk throughput from slowest to fastest";
        finish(&view->bulk_plot, arena);
    }
    if (view->iops_ladder.count > 0) {
        view->iops_plot.id = "iops-ladder";
        view->iops_plot.alt = "Small requests from slowest to fastest";
        finish(&view->iops_plot, arena);
    }
    if (view->result->event_count + view->load.row_count > 0 && view->timeline.row_count > 0) {
        view->timeline_plot.id = "timeline";
        view->timeline_plot.alt = "When phases ran and what guards saw";
        finish(&view->timeline_plot, arena);
    }
    name_phases(view, arena);
}
