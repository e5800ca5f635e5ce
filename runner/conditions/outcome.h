/**
 * outcome.h - how the preconditions of this folder say what they found. All texts are cleaned here
 * (ng_text_clean), because names and values come from hosts.
 */
#ifndef NG_CONDITIONS_OUTCOME_H
#define NG_CONDITIONS_OUTCOME_H

#include "runner/conditions/condition.h"

enum { NG_OUTCOME_TEXT_MAX = 2000 };

/** The place of a host in plan->hosts. */
size_t ng_site_index(const struct ng_plan *plan, const struct ng_host *host);
const struct ng_facts *ng_site_facts(
    const struct ng_condition_site *site, const struct ng_host *host);

/** A precondition while it is evaluated. Starts out as held, with nothing seen. */
struct ng_outcome {
    const struct ng_condition_site *site;
    struct ng_condition_result *out;
};

/** Begins: what it speaks of, what is expected, and from where it is known. */
struct ng_outcome ng_outcome_begin(const struct ng_condition_site *site,
    struct ng_condition_result *out, const char *subject, const char *source);
void ng_outcome_expect(struct ng_outcome *outcome, const char *format, ...) NG_PRINTF(2, 3);
/** One more thing that was seen. The worst value wins: broken before unknown before held. */
void ng_outcome_see(struct ng_outcome *outcome, enum ng_held held, const char *format, ...)
    NG_PRINTF(3, 4);
/** What to do about it; the first one that is said for the worst value stays. Call after
 * ng_outcome_see. */
void ng_outcome_advise(struct ng_outcome *outcome, const char *format, ...) NG_PRINTF(2, 3);
/** For the report: what was looked at. An empty text is left out. */
void ng_outcome_look(struct ng_outcome *outcome, const char *key, const char *format, ...)
    NG_PRINTF(3, 4);

/** The key of what looks like trouble for a phase and breaks nothing. */
#define NG_LOOK_WARNING "warning"
/** A doubt with its numbers, for the report: a row of that key, and a warning of the run. */
void ng_outcome_warn(struct ng_outcome *outcome, const char *format, ...) NG_PRINTF(2, 3);

/** "backup:/mnt/bench" */
const char *ng_volume_where(const struct ng_condition_site *site, const struct ng_volume *volume);
/** Asks the collector for a volume's path. */
void ng_need_volume(
    const struct ng_plan *plan, const struct ng_volume *volume, struct ng_collect_needs *by_host);
/** Says so when a path does not exist, could not be seen, or hung. False in those cases. */
bool ng_outcome_path(
    struct ng_outcome *outcome, const struct ng_volume *volume, const struct ng_path *path);
/** "40 GiB" */
const char *ng_size_words(struct ng_arena *arena, int64_t bytes);
/** Says how much is available on a path that exists, against what is wanted. */
void ng_outcome_space(struct ng_outcome *outcome, const struct ng_volume *volume,
    const struct ng_path *path, int64_t at_least);

#endif
