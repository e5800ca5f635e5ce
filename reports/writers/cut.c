/* cut.c - foreign text as one short, safe line. */
#include "reports/writers/cut.h"

#include <stdbool.h>
#include <string.h>

#include "runner/base/text.h"

static bool begins_char(char c) {
    return ((unsigned char)c & 0xC0U) != 0x80U;
}

size_t ng_chars(const char *text) {
    size_t count = 0;
    for (; *text != '\0'; text++) {
        count += begins_char(*text) ? 1 : 0;
    }
    return count;
}

const char *ng_cut_line(struct ng_arena *arena, const char *text, size_t max_chars) {
    if (text == NULL) {
        return "";
    }
    char *clean = ng_text_clean_dup(arena, text, strlen(text), NG_TEXT_LINE, NG_TEXT_CAP);
    if (ng_chars(clean) <= max_chars) {
        return clean;
    }
    size_t kept = 0;
    char *end = clean;
    while (kept < max_chars - 3) {
        do {
            end++;
        } while (!begins_char(*end));
        kept++;
    }
    memcpy(end, "...", 4); // three code points or more are left behind `end`
    return clean;
}
