/**
 * output.h - standard output and standard error: colour, width and whether a person is looking.
 */
#ifndef NG_CLI_OUTPUT_H
#define NG_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum ng_colour { NG_COLOUR_NONE, NG_COLOUR_RED, NG_COLOUR_GREEN, NG_COLOUR_YELLOW, NG_COLOUR_DIM };

struct ng_output {
    FILE *file;
    bool colour;
    bool animate; /* a terminal that is not a CI log */
    bool quiet;   /* only what is wrong is wanted; set by who knows */
    size_t width; /* columns of the terminal; 0: none, or not known */
};

/**
 * Decides for a stream. `wish` is --color's "always", "never" or "auto"; it beats the environment:
 * NO_COLOR beats CLICOLOR_FORCE and FORCE_COLOR, which beat CLICOLOR=0; else colour on a terminal
 * whose TERM is not "dumb". CI set: never animated.
 */
struct ng_output ng_output_for(FILE *file, const char *wish);
/** The escape sequence for a colour, or "" without colours. */
const char *ng_output_on(const struct ng_output *output, enum ng_colour colour);
const char *ng_output_off(const struct ng_output *output);

#endif
