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

/** How much of a text is looked at: far more than a line shows, so that a tool's 20 MB cost
 * nothing.
 */
static size_t looked_at(const char *text, size_t len) {
    if (len <= NG_TEXT_CAP) {
        return len;
    }
    len = NG_TEXT_CAP;
    while (len > 0 && !begins_char(text[len])) {
        len--;
    }
    return len;
}

const char *ng_cut_line(struct ng_arena *arena, const char *text, size_t max_chars) {
    if (text == NULL) {
        return "";
    }
    size_t len = strlen(text);
    size_t used = looked_at(text, len);
    const char *clean = ng_text_clean_dup(arena, text, used, NG_TEXT_LINE, NG_TEXT_CAP);
    size_t chars = ng_chars(clean);
    if (chars <= max_chars && used == len) {
        return clean;
    }
    const char *end = clean;
    for (size_t kept = 0; kept < max_chars - 3 && *end != '\0'; kept++) {
        do {
            end++;
        } while (!begins_char(*end));
    }
    return ng_arena_printf(arena, "%.*s...", (int)(end - clean), clean);
}
