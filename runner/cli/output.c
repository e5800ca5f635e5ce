/* Colour and animation by flag, environment and terminal. */
#include "runner/cli/output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool is_set(const char *name) {
    const char *value = getenv(name);
    return value != NULL && *value != '\0';
}

static bool is_on(const char *name) {
    const char *value = getenv(name);
    return value != NULL && *value != '\0' && strcmp(value, "0") != 0;
}

static bool wants_colour(bool terminal, const char *wish) {
    if (strcmp(wish, "always") == 0) {
        return true;
    }
    if (strcmp(wish, "never") == 0 || is_set("NO_COLOR")) {
        return false;
    }
    if (is_on("CLICOLOR_FORCE") || is_on("FORCE_COLOR")) {
        return true;
    }
    if (is_set("CLICOLOR") && !is_on("CLICOLOR")) {
        return false;
    }
    const char *term = getenv("TERM");
    return terminal && term != NULL && strcmp(term, "dumb") != 0;
}

static size_t width_of(int fd) {
    struct winsize size = {0};
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

struct ng_output ng_output_for(FILE *file, const char *wish) {
    const bool terminal = isatty(fileno(file)) != 0;
    const char *term = getenv("TERM");
    return (struct ng_output){
        .file = file,
        .colour = wants_colour(terminal, wish),
        .width = terminal ? width_of(fileno(file)) : 0,
        .animate = terminal && !is_set("CI") && term != NULL && strcmp(term, "dumb") != 0,
    };
}

const char *ng_output_on(const struct ng_output *output, enum ng_colour colour) {
    if (!output->colour) {
        return "";
    }
    switch (colour) {
    case NG_COLOUR_RED:
        return "\033[31m";
    case NG_COLOUR_GREEN:
        return "\033[32m";
    case NG_COLOUR_YELLOW:
        return "\033[33m";
    case NG_COLOUR_DIM:
        return "\033[2m";
    case NG_COLOUR_NONE:
        break;
    }
    return "";
}

const char *ng_output_off(const struct ng_output *output) {
    return output->colour ? "\033[0m" : "";
}
