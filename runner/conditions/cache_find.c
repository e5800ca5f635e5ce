/* Phases against the caches below their volume. */
#include "runner/conditions/cache_find.h"

#include <string.h>

enum { NAMED_MAX = 5 }; /* phases that one warning names */

/* A phase as caches see it. Engines are not known here: what their fields are called is. */
struct load {
    const char *name;
    int64_t block;     /* bytes of one I/O; 0: not known */
    int64_t footprint; /* bytes of its working set; 0: not known */
    bool sequential;
    bool direct; /* the plan insists on it */
};

static const struct ng_field *field_of(
    const struct ng_phase *phase, const char *name, enum ng_field_type type) {
    const struct ng_record *record = &phase->kind->record;
    for (size_t i = 0; i < record->count; i++) {
        if (record->fields[i].type == type && strcmp(record->fields[i].name, name) == 0) {
            return &record->fields[i];
        }
    }
    return NULL;
}

static const void *at(const struct ng_phase *phase, const struct ng_field *field) {
    return (const char *)phase->params + field->offset;
}

static const char *choice_of(const struct ng_phase *phase, const char *name) {
    const struct ng_field *field = field_of(phase, name, NG_FIELD_CHOICE);
    return field == NULL ? "" : field->choices[*(const int *)at(phase, field)];
}

/* False for a phase that does not measure this volume. */
static bool load_of(
    const struct ng_phase *phase, const struct ng_volume *volume, struct load *out) {
    const struct ng_kind *kind = phase->kind;
    if (kind->volume == NULL || kind->volume(phase->params) != volume) {
        return false;
    }
    const struct ng_field *block = field_of(phase, "bs", NG_FIELD_SIZE);
    struct ng_cost cost = {0};
    if (kind->estimate != NULL) {
        kind->estimate(phase->params, &cost);
    }
    const char *rw = choice_of(phase, "rw");
    *out = (struct load){.name = phase->name,
        .block = block == NULL ? 0 : *(const int64_t *)at(phase, block),
        .footprint = cost.footprint,
        .sequential = rw[0] != '\0' && strncmp(rw, "rand", 4) != 0,
        .direct = strcmp(choice_of(phase, "direct"), "true") == 0};
    return true;
}

/* "seq-write, seq-read and 3 more" */
struct names {
    const char *text;
    size_t count;
};

static void add_name(struct names *names, struct ng_arena *arena, const char *name) {
    names->count++;
    if (names->count <= NAMED_MAX) {
        names->text =
            names->count == 1 ? name : ng_arena_printf(arena, "%s, %s", names->text, name);
    }
}

static const char *words(const struct names *names, struct ng_arena *arena) {
    const char *noun = names->count == 1 ? "phase" : "phases";
    return names->count <= NAMED_MAX ? ng_arena_printf(arena, "%s %s", noun, names->text)
                                     : ng_arena_printf(arena, "%s %s and %zu more", noun,
                                           names->text, names->count - NAMED_MAX);
}

void ng_cache_find_bypass(struct ng_outcome *outcome, const struct ng_volume *volume,
    const char *where, const struct ng_cache_layer *layer) {
    const struct ng_plan *plan = outcome->site->plan;
    struct ng_arena *arena = outcome->site->arena;
    struct names past = {0}, streams = {0};
    int64_t smallest = 0;
    if (!layer->has_bypass || layer->bypass <= 0) {
        return;
    }
    for (size_t i = 0; i < plan->phase_count; i++) {
        struct load load;
        if (!load_of(&plan->phases[i], volume, &load)) {
            continue;
        }
        if (load.block >= layer->bypass) {
            smallest = past.count == 0 || load.block < smallest ? load.block : smallest;
            add_name(&past, arena, load.name);
        } else if (load.sequential && load.footprint > layer->bypass) {
            add_name(&streams, arena, load.name);
        }
    }
    const char *limit = ng_size_words(arena, layer->bypass);
    if (past.count > 0) {
        ng_outcome_warn(outcome,
            "%s: the cache %s takes no run of %s or more, and each block has %s: %s past it",
            words(&past, arena), where, limit, ng_size_words(arena, smallest),
            past.count == 1 ? "it goes" : "they go");
    }
    if (streams.count > 0) {
        ng_outcome_look(outcome, "sequential phases",
            "%s: sequential, so that the cache %s is bypassed after the first %s",
            words(&streams, arena), where, limit);
    }
}

void ng_cache_find_memory(struct ng_outcome *outcome, const struct ng_volume *volume,
    const struct ng_host *host, bool client) {
    const struct ng_plan *plan = outcome->site->plan;
    struct ng_arena *arena = outcome->site->arena;
    const int64_t ram = ng_site_facts(outcome->site, host)->ram;
    struct names fits = {0};
    int64_t largest = 0;
    for (size_t i = 0; i < plan->phase_count && ram > 0; i++) {
        struct load load;
        if (load_of(&plan->phases[i], volume, &load) && load.footprint > 0 &&
            load.footprint < ram && !(client && load.direct)) {
            largest = load.footprint > largest ? load.footprint : largest;
            add_name(&fits, arena, load.name);
        }
    }
    if (fits.count > 0) {
        ng_outcome_warn(outcome,
            "%s: a working set of %s%s is below the memory of %s (%s), whose page cache may answer",
            words(&fits, arena), fits.count == 1 ? "" : "at most ", ng_size_words(arena, largest),
            host->name, ng_size_words(arena, ram));
    }
}
