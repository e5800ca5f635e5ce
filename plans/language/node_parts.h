/**
 * node_parts.h - what the files behind node.h share: the check of the raw bytes, and libyaml's
 * complaints in plain words.
 */
#ifndef NG_LANGUAGE_NODE_PARTS_H
#define NG_LANGUAGE_NODE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

#include "plans/language/diag.h"

/**
 * Checks size, encoding and characters of a plan before libyaml sees it: UTF-8 without control
 * characters and without the line ends that only YAML 1.1 knows. Skips a byte order mark. False
 * after one error was added.
 */
bool ng_source_check(const char *file, const char **text, size_t *len, struct ng_diags *diags);

/** Adds the error that stopped the parser. `text` is what it read. */
void ng_syntax_report(const yaml_parser_t *parser, const char *file, const char *text, size_t len,
    struct ng_diags *diags);

#endif
