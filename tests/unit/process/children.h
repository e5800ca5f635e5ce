/**
 * children.h - what the tests of this folder share: running one child to its end, real scratch
 * folders.
 */
#ifndef NG_PROCESS_CHILDREN_H
#define NG_PROCESS_CHILDREN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/process/child.h"
#include "runner/process/tree.h"

#define SECONDS(n) ((n)*NG_NS_PER_S)
#define MILLIS(n) ((n)*NG_NS_PER_MS)

static const char *const test_env[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", NULL};

/** One child and what came of it. */
struct watched {
    struct ng_loop *loop;
    struct ng_child *child;
    char marker[64];
    bool started, ready, ended;
    struct ng_child_end end;
    /* To stop it when a file appears: the path, how often to stop, and the timer that looks. */
    const char *wait_for;
    int stops;
    struct ng_timer *look;
};

static inline void watched_ready(void *context) {
    struct watched *watched = context;
    assert_true(watched->started); // never from within ng_child_start
    assert_false(watched->ready);
    assert_false(watched->ended);
    watched->ready = true;
}

static inline void watched_ended(void *context, struct ng_child_end *end) {
    struct watched *watched = context;
    assert_true(watched->started);
    assert_false(watched->ended);
    watched->ended = true;
    watched->end = *end;
}

static inline bool watched_done(void *context) {
    const struct watched *watched = context;
    return watched->ended;
}

/** A spec for `sh -c SCRIPT` with a marker that no other test has. */
static inline struct ng_child_spec spec_of(struct watched *watched, const char *const *argv) {
    static int count;
    snprintf(watched->marker, sizeof watched->marker, "t%ld-%d.1", (long)getpid(), ++count);
    return (struct ng_child_spec){
        .argv = argv,
        .env = test_env,
        .marker = watched->marker,
        .out_cap = 1 << 20,
        .err_cap = 1 << 20,
        .deadline_ns = SECONDS(60),
        .grace_ns = SECONDS(30),
        .ready = watched_ready,
        .ended = watched_ended,
        .context = watched,
    };
}

static inline void start(
    struct watched *watched, struct ng_loop *loop, const struct ng_child_spec *spec) {
    watched->loop = loop;
    watched->child = ng_child_start(loop, spec);
    assert_non_null(watched->child);
    assert_false(watched->ended);
    watched->started = true;
}

static inline void run_spec(
    struct watched *watched, struct ng_loop *loop, const struct ng_child_spec *spec) {
    start(watched, loop, spec);
    ng_loop_run(loop, watched_done, watched);
}

static inline void run_sh(struct watched *watched, struct ng_loop *loop, const char *script) {
    const char *argv[] = {"sh", "-c", script, NULL};
    struct ng_child_spec spec = spec_of(watched, argv);
    run_spec(watched, loop, &spec);
}

static inline void watched_release(struct watched *watched) {
    free(watched->end.out);
    free(watched->end.err);
    *watched = (struct watched){0};
}

static inline void watched_look(void *context) {
    struct watched *watched = context;
    if (access(watched->wait_for, F_OK) != 0) {
        return;
    }
    for (int i = 0; i < watched->stops; i++) {
        ng_child_stop(watched->child);
    }
    ng_timer_stop(watched->look);
    watched->look = NULL;
}

/** Runs a child and stops it `stops` times once `path` is there. */
static inline void run_and_stop(struct watched *watched, struct ng_loop *loop,
    const struct ng_child_spec *spec, const char *path, int stops) {
    start(watched, loop, spec);
    watched->wait_for = path;
    watched->stops = stops;
    watched->look = ng_timer_start(loop, 0, MILLIS(5), watched_look, watched);
    ng_loop_run(loop, watched_done, watched);
    ng_timer_stop(watched->look);
}

/** How many processes carry a marker. */
static inline size_t count_marked(const char *marker, bool prefix) {
    struct ng_tree tree;
    ng_tree_init(&tree, marker, prefix, 0);
    size_t alive = ng_tree_scan(&tree, 0);
    ng_tree_release(&tree);
    return alive;
}

static inline size_t count_fds(void) {
    size_t count = 0;
    DIR *dir = opendir("/proc/self/fd");
    assert_non_null(dir);
    while (readdir(dir)) {
        count++;
    }
    closedir(dir);
    return count;
}

/** A scratch folder in which the test process then is. */
static inline void enter_scratch(char path[64]) {
    snprintf(path, 64, "/tmp/ng-test-XXXXXX");
    assert_non_null(mkdtemp(path));
    assert_int_equal(chdir(path), 0);
}

static inline void leave_scratch(const char *path) {
    DIR *dir = opendir(path);
    assert_non_null(dir);
    const struct dirent *entry;
    while ((entry = readdir(dir)) != NULL) {
        (void)unlinkat(dirfd(dir), entry->d_name, 0);
    }
    closedir(dir);
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir(path), 0);
}

/** Every test gets a loop and a scratch folder as current folder. */
struct fixture {
    struct ng_loop *loop;
    char scratch[64];
};

static inline int fixture_setup(void **state) {
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    enter_scratch(fixture->scratch);
    fixture->loop = ng_loop_new(NULL);
    assert_non_null(fixture->loop);
    *state = fixture;
    return 0;
}

static inline int fixture_teardown(void **state) {
    struct fixture *fixture = *state;
    ng_loop_free(fixture->loop);
    leave_scratch(fixture->scratch);
    free(fixture);
    return 0;
}

#endif
