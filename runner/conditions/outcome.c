/* How the preconditions of this folder say what they found. */
#include "runner/conditions/outcome.h"

#include <string.h>

#include "runner/base/text.h"
#include "runner/base/units.h"

size_t ng_site_index(const struct ng_plan *plan, const struct ng_host *host) {
    return (size_t)(host - plan->hosts);
}

const struct ng_facts *ng_site_facts(
    const struct ng_condition_site *site, const struct ng_host *host) {
    return site->facts[ng_site_index(site->plan, host)];
}

struct ng_outcome ng_outcome_begin(const struct ng_condition_site *site,
    struct ng_condition_result *out, const char *subject, const char *source) {
    out->subject = ng_arena_strdup(site->arena, subject);
    out->source = ng_arena_strdup(site->arena, source);
    out->held = NG_HELD;
    out->expected = "";
    out->seen = "";
    out->remedy = NULL;
    return (struct ng_outcome){.site = site, .out = out};
}

static char *clean(struct ng_arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
static char *clean(struct ng_arena *arena, const char *format, va_list args) {
    const char *text = ng_arena_vprintf(arena, format, args);
    return ng_text_clean_dup(arena, text, strlen(text), NG_TEXT_LINE, NG_OUTCOME_TEXT_MAX);
}

void ng_outcome_expect(struct ng_outcome *outcome, const char *format, ...) {
    va_list args;
    va_start(args, format);
    outcome->out->expected = clean(outcome->site->arena, format, args);
    va_end(args);
}

static int badness(enum ng_held held) {
    return held == NG_BROKEN ? 2 : held == NG_HELD ? 0 : 1;
}

void ng_outcome_see(struct ng_outcome *outcome, enum ng_held held, const char *format, ...) {
    struct ng_condition_result *out = outcome->out;
    va_list args;
    va_start(args, format);
    const char *text = clean(outcome->site->arena, format, args);
    va_end(args);
    if (badness(held) > badness(out->held)) {
        out->held = held;
        out->remedy = NULL; /* of the lesser trouble */
    }
    if (out->seen[0] == '\0') {
        out->seen = text;
    } else if (strlen(out->seen) + strlen(text) < NG_OUTCOME_TEXT_MAX) {
        out->seen = ng_arena_printf(outcome->site->arena, "%s; %s", out->seen, text);
    }
}

void ng_outcome_advise(struct ng_outcome *outcome, const char *format, ...) {
    if (outcome->out->held == NG_HELD || outcome->out->remedy != NULL) {
        return;
    }
    va_list args;
    va_start(args, format);
    outcome->out->remedy = clean(outcome->site->arena, format, args);
    va_end(args);
}

void ng_outcome_look(struct ng_outcome *outcome, const char *key, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = clean(outcome->site->arena, format, args);
    va_end(args);
    if (text[0] != '\0') {
        ng_records_add(outcome->site->arena, &outcome->out->looked_at, key, "%s", text);
    }
}

void ng_outcome_warn(struct ng_outcome *outcome, const char *format, ...) {
    va_list args;
    va_start(args, format);
    const char *text = clean(outcome->site->arena, format, args);
    va_end(args);
    ng_records_add(outcome->site->arena, &outcome->out->looked_at, NG_LOOK_WARNING, "%s", text);
}

const char *ng_volume_where(const struct ng_condition_site *site, const struct ng_volume *volume) {
    return ng_arena_printf(site->arena, "%s:%s", volume->on->name, volume->path);
}

void ng_need_volume(
    const struct ng_plan *plan, const struct ng_volume *volume, struct ng_collect_needs *by_host) {
    ng_collect_needs_path(&by_host[ng_site_index(plan, volume->on)], volume->path);
}

bool ng_outcome_path(
    struct ng_outcome *outcome, const struct ng_volume *volume, const struct ng_path *path) {
    const char *where = ng_volume_where(outcome->site, volume);
    if (path->late) {
        ng_outcome_see(
            outcome, NG_UNKNOWN, "%s did not answer in time: its server or disk hangs", where);
        ng_outcome_advise(outcome,
            "see whether its server is up; a dead mount goes with \"umount -f -l %s\" on %s",
            volume->path, volume->on->name);
        return false;
    }
    if (path->why != NULL) {
        ng_outcome_see(outcome, NG_UNKNOWN, "%s could not be looked at: %s", where, path->why);
        ng_outcome_advise(
            outcome, "look at it by hand on %s: ls -ld %s", volume->on->name, volume->path);
        return false;
    }
    if (path->exists == NG_ANSWER_NO) {
        ng_outcome_see(outcome, NG_BROKEN, "%s does not exist", where);
        ng_outcome_advise(
            outcome, "create the folder on %s or correct the volume's path", volume->on->name);
        return false;
    }
    if (path->exists == NG_ANSWER_UNKNOWN) {
        ng_outcome_see(outcome, NG_UNKNOWN, "whether %s exists was not seen", where);
        ng_outcome_advise(
            outcome, "look at it by hand on %s: ls -ld %s", volume->on->name, volume->path);
        return false;
    }
    return true;
}

const char *ng_size_words(struct ng_arena *arena, int64_t bytes) {
    char text[NG_QUANTITY_TEXT];
    struct ng_quantity quantity = {.value = (double)bytes, .dim = NG_DIM_SIZE};
    return ng_arena_strdup(arena, ng_quantity_format(quantity, text));
}

void ng_outcome_space(struct ng_outcome *outcome, const struct ng_volume *volume,
    const struct ng_path *path, int64_t at_least) {
    struct ng_arena *arena = outcome->site->arena;
    const char *where = ng_volume_where(outcome->site, volume);
    if (path->available < 0) {
        ng_outcome_see(outcome, NG_UNKNOWN, "the free space of %s is unknown: %s", where,
            path->space_why != NULL ? path->space_why : "it was not printed");
        ng_outcome_advise(outcome, "look by hand on %s: df %s", volume->on->name, volume->path);
        return;
    }
    ng_outcome_look(outcome, "available", "%s", ng_size_words(arena, path->available));
    ng_outcome_look(
        outcome, "total", "%s", path->total < 0 ? "" : ng_size_words(arena, path->total));
    bool enough = path->available >= at_least;
    ng_outcome_see(outcome, enough ? NG_HELD : NG_BROKEN, "%s has %s available", where,
        ng_size_words(arena, path->available));
    ng_outcome_advise(outcome, "free %s more on it, or make the test smaller",
        ng_size_words(arena, enough ? 0 : at_least - path->available));
}
