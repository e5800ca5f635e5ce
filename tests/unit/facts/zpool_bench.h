/**
 * zpool_bench.h - what the tests of zpool's words share: parse a text, judge a pool.
 */
#ifndef NG_TESTS_ZPOOL_BENCH_H
#define NG_TESTS_ZPOOL_BENCH_H

#include <stdbool.h>
#include <string.h>

#include "runner/facts/arrays.h"
#include "runner/facts/zpool.h"

#define NO NG_ANSWER_NO
#define YES NG_ANSWER_YES
#define U NG_ANSWER_UNKNOWN

static struct ng_arena arena;

static int set_up(void **state) {
    (void)state;
    ng_arena_init(&arena);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ng_arena_release(&arena);
    return 0;
}

static struct ng_zpools parse(const char *text) {
    struct ng_zpools pools = {0};
    ng_zpools_parse(&pools, &arena, text, strlen(text));
    return pools;
}

static struct ng_array judge(const struct ng_zpool *pool) {
    struct ng_array array = {
        .busy_why = "", .degraded_why = "", .seen = "", .trace = "", .percent = -1, .left_ns = -1};
    ng_zpool_judge(pool, &arena, &array);
    return array;
}

/* Whether a piece of text is in one of the things that are said of a pool. */
static bool says(const struct ng_array *array, const char *why) {
    return strstr(array->busy_why, why) != NULL || strstr(array->trace, why) != NULL ||
           (array->warning != NULL && strstr(array->warning, why) != NULL);
}

#endif
