/**
 * rules.h - the fixed words in brackets at the end of each message, and what each one means.
 *
 * Tools filter by these words, so they never change their meaning. A test holds that every word
 * that is used anywhere in the program stands in this table.
 */
#ifndef NG_LANGUAGE_RULES_H
#define NG_LANGUAGE_RULES_H

#include <stddef.h>

struct ng_rule {
    const char *word;
    const char *meaning; /* one sentence, no full stop */
};

extern const struct ng_rule ng_rules[]; /* sorted by word */
extern const size_t ng_rule_count;

#endif
