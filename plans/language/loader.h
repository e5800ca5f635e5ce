/**
 * loader.h - the steps of loading a plan, in the order in which load.c takes them.
 */
#ifndef NG_LANGUAGE_LOADER_H
#define NG_LANGUAGE_LOADER_H

#include "plans/language/load.h"
#include "plans/language/node.h"
#include "plans/language/plan.h"

struct ng_loader {
    struct ng_loading loading;
    struct ng_plan *plan;
    const struct ng_load_options *options;
    bool sound; /* the topology has no errors, so that params that point into it may be followed */
};

/** Fills plan->params and returns the tree with ${NAME} replaced. The section itself is left alone.
 */
struct ng_node *ng_load_params(struct ng_loader *loader, struct ng_node *root);
/** Fills all of a host but its name. */
void ng_load_host(struct ng_loader *loader, const struct ng_node *node, struct ng_host *host);
void ng_load_topology(struct ng_loader *loader, const struct ng_node *node);
/** After the topology. `node` may be NULL. */
void ng_load_watch(struct ng_loader *loader, const struct ng_node *node);
/** The hosts of a list of names, each once; errors are added. Returns how many. */
size_t ng_load_host_list(
    struct ng_loader *loader, const struct ng_texts *names, const struct ng_host ***hosts);
/** After the topology. */
void ng_load_lease(struct ng_loader *loader, const struct ng_node *node);
void ng_load_preconditions(struct ng_loader *loader, const struct ng_node *node);
/** After the topology. `node` may be NULL. */
void ng_load_hooks(struct ng_loader *loader, const struct ng_node *node);
void ng_load_phases(struct ng_loader *loader, const struct ng_node *node);

/** Adds the error for a word that only a later version carries out. */
void ng_refuse_later_key(struct ng_loader *loader, const struct ng_node *key);
/** The same for each key of `map` that is among the words. */
void ng_refuse_later(struct ng_loader *loader, const struct ng_node *map, const char *const *words);
/** Checks that a node is a map or list (whose `what` is for the message) of at most
 *  NG_PLAN_ITEMS_MAX. False after an error, and without one for NULL. */
bool ng_check_items(
    struct ng_loader *loader, const struct ng_node *node, enum ng_node_kind kind, const char *what);
/** Checks that a key may be the name of a thing. */
bool ng_check_name(struct ng_loader *loader, const struct ng_node *key, const char *what);
/** Kinds that let keys stand beside their name: the first of an item's keys that is one, `at` its
 * place; NULL: none is. */
const struct ng_kind *ng_beside_kind(
    const struct ng_loader *loader, const struct ng_node *item, size_t *at);
/** False, with an error, when keys stand beside a value that is a map itself: {lua: {check: x},
 * host: nas}. */
bool ng_beside_sound(
    struct ng_loader *loader, const struct ng_node *item, size_t at, const struct ng_kind *kind);
/** The value of such an item in its long form, with what stands beside it inside. */
const struct ng_node *ng_beside_value(
    struct ng_loader *loader, const struct ng_node *item, size_t at, const struct ng_kind *kind);
/** "lua-no_backup_job-nas": what the id of such an item begins with. */
const char *ng_beside_stem(
    struct ng_arena *arena, const struct ng_kind *kind, const struct ng_node *value);
bool ng_word_among(const char *const *words, const char *word);

#endif
