/**
 * field_parts.h - what the files behind field.h share: one function per group of types, and the
 * messages that they have in common.
 */
#ifndef NG_LANGUAGE_FIELD_PARTS_H
#define NG_LANGUAGE_FIELD_PARTS_H

#include "plans/language/field.h"
#include "plans/language/plan.h"
#include "plans/language/value.h"

/** What stands behind the name of a metric: its unit alone, or with more. */
extern const struct ng_record ng_metric_record;

/* Each loads a value of its types into the row's C type and returns false after adding an error. */
bool ng_field_load_number(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, void *out);
bool ng_field_load_quantity(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, void *out);
bool ng_field_load_text(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, const char **out);
bool ng_field_load_path(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, const char **out);
bool ng_field_load_choice(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, int *out);
bool ng_field_load_texts(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, struct ng_texts *out);
bool ng_field_load_pairs(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, struct ng_pairs *out);
bool ng_field_load_argvs(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, struct ng_argvs *out);
bool ng_field_load_script(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, const struct ng_script **out);
bool ng_field_load_values(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, const struct ng_value **out);
bool ng_field_load_metrics(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, struct ng_metrics *out);
bool ng_field_load_host(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, const struct ng_host **out);
bool ng_field_load_link(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, const struct ng_link **out);
bool ng_field_load_volume(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, const struct ng_volume **out);
bool ng_field_load_interface(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, struct ng_interface *out);

/** The field that the short form of a record fills, or NULL. */
const struct ng_field *ng_record_short(const struct ng_record *record);
/** What to write for a field: its choices, its only value, or an example. Lives in the list's
 * arena. */
const char *ng_field_wanted(struct ng_diags *diags, const struct ng_field *field);
/** Adds `NAME: expected EXAMPLE, found WHAT` by rule "type". Returns false. */
bool ng_field_mismatch(
    const struct ng_loading *loading, const struct ng_field *field, const struct ng_node *node);
/** Adds the error for a scalar that YAML readers do not agree on. Returns false. */
bool ng_field_disputed(
    const struct ng_loading *loading, const struct ng_field *field, const struct ng_node *node);
/** Checks a number of any kind against the row's range, in the row's unit. */
bool ng_field_in_range(const struct ng_loading *loading, const struct ng_field *field,
    const struct ng_node *node, double value);

#endif
