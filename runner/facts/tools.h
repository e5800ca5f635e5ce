/**
 * tools.h - external programs: where they are, which version they say they are.
 */
#ifndef NG_FACTS_TOOLS_H
#define NG_FACTS_TOOLS_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/arena.h"
#include "runner/facts/answer.h"

enum { NG_VERSION_PARTS = 6 };

/** A version as a list of numbers; suffixes are ignored: "3.33-dirty" is 3, 33. */
struct ng_version {
    int parts[NG_VERSION_PARTS];
    size_t count; /* 0: not understood */
};

struct ng_tool {
    const char *name;
    enum ng_answer found;
    const char *why;  /* why it is unknown whether it is there, or NULL */
    const char *path; /* or NULL */
    const char *text; /* first line of what it says of itself, clean; "" */
    struct ng_version version;
};

/** Finds the version in what a tool printed; knows the tools whose text is odd (ping, ip). */
struct ng_version ng_version_find(const char *tool, const char *text, size_t len);
/** Reads "3.30" completely; count 0 for anything else. */
struct ng_version ng_version_read(const char *text);
/** Less than, equal to, greater than 0; missing parts count as 0. */
int ng_version_compare(const struct ng_version *a, const struct ng_version *b);

/** Debian's package of a tool, for a remedy; NULL if not known. */
const char *ng_tool_package(const char *tool);

#endif
