/* Fuzzes what a lease's command says: nothing of an entry is taken for the command's own words. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "runner/transport/lease.h"

static void check(const char *text) {
    if (text && (strlen(text) > 8 * NG_LEASE_WORD_MAX || strchr(text, '\n'))) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    ng_arena_init(&arena);
    const struct ng_lease_words words = ng_lease_read(&arena, (const char *)data, size);
    const char *const texts[] = {
        words.who, words.since, words.job, words.plan, words.run, words.why};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        check(texts[i]);
    }
    if (words.who && words.said != NG_LEASE_SAID_BUSY) {
        abort();
    }
    ng_arena_release(&arena);
    return 0;
}
