/** test_arena.c - memory that is zeroed, aligned, kept until release, and never NULL. */
#include "runner/base/arena.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void memory_is_zeroed_aligned_and_apart(void **state) {
    (void)state;
    struct ng_arena arena;
    ng_arena_init(&arena);
    unsigned char *all[300];
    for (size_t i = 0; i < NG_COUNT(all); i++) {
        all[i] = ng_arena_alloc(&arena, i);
        assert_int_equal((uintptr_t)all[i] % alignof(max_align_t), 0);
        for (size_t k = 0; k < i; k++) {
            assert_int_equal(all[i][k], 0);
        }
        memset(all[i], (int)(i & 0xFF), i);
    }
    for (size_t i = 0; i < NG_COUNT(all); i++) {
        for (size_t k = 0; k < i; k++) {
            assert_int_equal(all[i][k], i & 0xFF);
        }
    }
    assert_true(arena.used >= 299 * 300 / 2);
    ng_arena_release(&arena);
    assert_int_equal(arena.used, 0);
    assert_non_null(ng_arena_alloc(&arena, 1)); /* may be used again */
    ng_arena_release(&arena);
    ng_arena_release(&arena); /* twice is fine */
}

static void empty_allocations_are_distinct(void **state) {
    (void)state;
    struct ng_arena arena = {0};
    const char *a = ng_arena_alloc(&arena, 0), *b = ng_arena_alloc(&arena, 0);
    assert_non_null(a);
    assert_ptr_not_equal(a, b);
    assert_non_null(ng_arena_array(&arena, 0, 8));
    assert_non_null(ng_arena_array(&arena, SIZE_MAX, 0));
    ng_arena_release(&arena);
}

static void big_blocks_leave_the_small_one_in_use(void **state) {
    (void)state;
    struct ng_arena arena = {0};
    char *before = ng_arena_alloc(&arena, 16);
    char *big = ng_arena_array(&arena, 3, 1000000);
    char *after = ng_arena_alloc(&arena, 16);
    assert_ptr_equal(after, before + 16);
    for (size_t i = 0; i < 3000000; i++) {
        assert_int_equal(big[i], 0);
    }
    memset(big, 1, 3000000);
    assert_int_equal(after[0], 0);
    ng_arena_release(&arena);
}

static void strings_are_copied(void **state) {
    (void)state;
    struct ng_arena arena = {0};
    char text[] = "abc";
    char *copy = ng_arena_strdup(&arena, text), *part = ng_arena_strndup(&arena, text, 2);
    text[0] = 'x';
    assert_string_equal(copy, "abc");
    assert_string_equal(part, "ab");
    assert_null(ng_arena_strdup(&arena, NULL));
    assert_string_equal(ng_arena_strndup(&arena, NULL, 0), "");
    assert_memory_equal(ng_arena_strndup(&arena, "a\0b", 3), "a\0b", 4);
    assert_string_equal(ng_arena_printf(&arena, "%s-%05d", copy, 42), "abc-00042");
    assert_string_equal(ng_arena_printf(&arena, "%s", ""), "");
    assert_int_equal(strlen(ng_arena_printf(&arena, "%100000d", 1)), 100000);
    ng_arena_release(&arena);
}

static void arrays_grow_by_doubling(void **state) {
    (void)state;
    struct ng_arena arena = {0};
    int *items = NULL;
    size_t capacity = 0, moves = 0;
    for (size_t count = 0; count < 10000; count++) {
        int *now = ng_arena_grow(&arena, items, count, &capacity, sizeof *items);
        moves += now != items ? 1 : 0;
        items = now;
        assert_true(capacity > count);
        items[count] = (int)count;
    }
    for (int i = 0; i < 10000; i++) {
        assert_int_equal(items[i], i);
    }
    assert_true(moves < 16);
    ng_arena_release(&arena);
}

/** Runs `act` in a child with its standard error on a pipe: it must end with 70 and say why. */
static void assert_ends_with_70(void (*act)(void)) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], STDERR_FILENO);
        act();
        _exit(0);
    }
    close(ends[1]);
    char text[64] = "";
    ssize_t len = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 70);
    assert_true(len > 0);
    assert_string_equal(text, "nasgate: out of memory\n");
}

static void overflow_array(void) {
    struct ng_arena arena = {0};
    ng_arena_array(&arena, SIZE_MAX / 2, 3);
}

static void overflow_round(void) {
    struct ng_arena arena = {0};
    ng_arena_alloc(&arena, SIZE_MAX - 3);
}

static void overflow_string(void) {
    struct ng_arena arena = {0};
    ng_arena_strndup(&arena, "", SIZE_MAX);
}

static void overflow_grow(void) {
    struct ng_arena arena = {0};
    size_t capacity = SIZE_MAX / 2 + 1;
    ng_arena_grow(&arena, NULL, capacity, &capacity, 1);
}

static void overflow_counts_as_out_of_memory(void **state) {
    (void)state;
    assert_ends_with_70(ng_oom);
    assert_ends_with_70(overflow_array);
    assert_ends_with_70(overflow_round);
    assert_ends_with_70(overflow_string);
    assert_ends_with_70(overflow_grow);
}

static void plain_allocation_never_gives_null(void **state) {
    (void)state;
    void *none = ng_xmalloc(0);
    assert_non_null(none);
    none = ng_xrealloc(none, 0);
    assert_non_null(none);
    free(none);
    char *text = ng_xstrdup("text");
    text = ng_xrealloc(text, 1000);
    assert_string_equal(text, "text");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_zeroed_aligned_and_apart),
        cmocka_unit_test(empty_allocations_are_distinct),
        cmocka_unit_test(big_blocks_leave_the_small_one_in_use),
        cmocka_unit_test(strings_are_copied),
        cmocka_unit_test(arrays_grow_by_doubling),
        cmocka_unit_test(overflow_counts_as_out_of_memory),
        cmocka_unit_test(plain_allocation_never_gives_null),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
