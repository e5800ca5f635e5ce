/* Foreign text on a console that a CI system reads for commands. */
#include "runner/cli/ci_text.h"

#include <stdbool.h>
#include <string.h>

static bool begins(const char *text, const char *word) {
    return strncmp(text, word, strlen(word)) == 0;
}

void ng_ci_text(struct ng_buf *out, const char *text) {
    bool at_begin = true; // only blanks so far in this line
    for (const char *at = text; *at != '\0'; at++) {
        if (at_begin && begins(at, "::")) {
            ng_buf_adds(out, "| ");
        }
        ng_buf_addc(out, *at);
        if (begins(at, "##[") || begins(at, "##vso[")) {
            ng_buf_addc(out, ' ');
        }
        at_begin = *at == '\n' || (at_begin && (*at == ' ' || *at == '\t'));
    }
}
