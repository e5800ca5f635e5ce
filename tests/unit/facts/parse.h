/**
 * parse.h - what tests of parsers share: an arena, recordings where they are there.
 */
#ifndef NG_TESTS_FACTS_PARSE_H
#define NG_TESTS_FACTS_PARSE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/base/arena.h"
#include "runner/base/files.h"

static struct ng_arena arena;

static inline int set_up(void **state) {
    (void)state;
    ng_arena_init(&arena);
    return 0;
}

static inline int tear_down(void **state) {
    (void)state;
    ng_arena_release(&arena);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* The text of a recording; skips the test, and says so, where there are none. */
static inline char *recording(const char *file, size_t *len) {
    const char *given = getenv("NASGATE_RECORDINGS");
    const char *folder = given != NULL ? given : "../shared/recordings";
    char *text = NULL;
    if (access(folder, R_OK) != 0) {
        print_message("no recordings in %s: skipped\n", folder);
        skip();
    }
    if (!ng_file_read(ng_arena_printf(&arena, "%s/%s", folder, file), 1 << 20, &text, len, NULL)) {
        fail_msg("cannot read %s", file);
    }
    char *copy = ng_arena_strndup(&arena, text, *len);
    free(text);
    return copy;
}

#endif
