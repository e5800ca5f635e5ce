/* junit_text.c - text in a JUnit file. */
#include "reports/writers/junit_text.h"

#include <string.h>

#include "reports/writers/cut.h"
#include "runner/base/text.h"

const char *ng_junit_line(
    struct ng_arena *arena, const char *text, int max_chars, const char *instead) {
    const char *line = ng_cut_line(arena, text, (size_t)max_chars);
    return line[0] != '\0' ? line : instead;
}

const char *ng_junit_body(struct ng_arena *arena, const char *text) {
    return ng_text_clean_dup(arena, text, strlen(text), NG_TEXT_BLOCK, NG_JUNIT_BODY);
}

const char *ng_junit_part(struct ng_arena *arena, const char *text) {
    char *part = ng_arena_strdup(arena, ng_junit_line(arena, text, NG_JUNIT_PART, "unnamed"));
    for (char *at = part; *at != '\0'; at++) {
        *at = strchr("./\\ ", *at) != NULL ? '-' : *at;
    }
    return part;
}
