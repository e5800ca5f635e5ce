/*
 * test_bad_plans.c - each plan in tests/golden/bad-plans gives exactly the messages beside it. With
 * NASGATE_UPDATE_GOLDEN set the expected files are written anew, to be read before they are kept.
 */
#include "tests/unit/language/vocabulary_fixture.h"

#include <dirent.h>
#include <stdio.h>

#include "runner/base/files.h"

#define FOLDER "tests/golden/bad-plans"

static int compare(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The names of all plans without ".yaml", sorted. */
static size_t list_plans(struct ng_arena *arena, const char **names, size_t most) {
    DIR *dir = opendir(FOLDER);
    assert_non_null(dir);
    size_t count = 0;
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && strcmp(dot, ".yaml") == 0) {
            assert_true(count < most);
            names[count++] = ng_arena_strndup(arena, entry->d_name, (size_t)(dot - entry->d_name));
        }
    }
    closedir(dir);
    qsort(names, count, sizeof *names, compare);
    return count;
}

static bool check_plan(struct ng_arena *arena, const char *name) {
    const char *path = ng_arena_printf(arena, FOLDER "/%s.yaml", name);
    const char *expected_path = ng_arena_printf(arena, FOLDER "/%s.expected", name);
    char *text = NULL, *expected = NULL;
    size_t len = 0, expected_len = 0;
    assert_true(ng_file_read(path, 1 << 20, &text, &len, NULL));
    struct loaded loaded;
    fixture_load(&loaded, strrchr(path, '/') + 1, text, len, NULL, 0);
    const char *found = ng_buf_text(&loaded.text);
    if (getenv("NASGATE_UPDATE_GOLDEN")) {
        assert_true(ng_file_write_atomic(expected_path, found, strlen(found), NULL));
    }
    bool ok = ng_file_read(expected_path, 1 << 20, &expected, &expected_len, NULL) &&
              loaded.plan == NULL && strcmp(found, expected) == 0;
    if (!ok) {
        print_error("%s: expected\n%sfound\n%s", path, expected ? expected : "(no file)\n", found);
    }
    free(expected);
    free(text);
    fixture_release(&loaded);
    return ok;
}

static void test_messages(void **state) {
    (void)state;
    struct ng_arena arena;
    ng_arena_init(&arena);
    const char *names[500];
    size_t count = list_plans(&arena, names, NG_COUNT(names));
    assert_true(count > 50);
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        wrong += !check_plan(&arena, names[i]);
    }
    assert_int_equal(wrong, 0);
    ng_arena_release(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_messages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
