/* The state of hosts and volumes in the result: both sides of a mount, and bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "runner/execute/lab_state.h"
#include "runner/facts/collect.h"

enum { MANY = 400, ARRAYS = 60 };

/* A run with so many hosts, each with some arrays; hosts[0] has the volume, hosts[1] serves it. */
static void make(struct ng_run *run, struct ng_plan *plan, size_t hosts, size_t arrays) {
    ng_arena_init(&run->arena);
    run->result = ng_result_new();
    run->plan = plan;
    struct ng_host *host = ng_arena_array(&run->arena, hosts, sizeof *host);
    run->facts = ng_arena_array(&run->arena, hosts, sizeof *run->facts);
    for (size_t i = 0; i < hosts; i++) {
        host[i].name = ng_arena_printf(&run->arena, "h%zu", i);
        static const char text[] = "\nt Z end\n";
        struct ng_facts *facts = ng_facts_parse(&run->arena, host[i].name, "t", text, strlen(text));
        for (size_t j = 0; j < arrays; j++) {
            ng_arrays_add(facts, &run->arena, "md", ng_arena_printf(&run->arena, "md%zu", j));
        }
        run->facts[i] = facts;
        ng_result_add_host(run->result)->name = host[i].name;
    }
    static struct ng_mount_spec mount;
    static struct ng_volume volume;
    mount = (struct ng_mount_spec){.from = &host[1], .export = "/volume1"};
    volume = (struct ng_volume){.name = "repo", .on = host, .path = "/mnt", .mount = &mount};
    *plan =
        (struct ng_plan){.hosts = host, .host_count = hosts, .volumes = &volume, .volume_count = 1};
}

static void drop(struct ng_run *run) {
    ng_result_free(run->result);
    ng_arena_release(&run->arena);
}

static void both_sides(void **state) {
    (void)state;
    struct ng_run run = {0};
    struct ng_plan plan;
    make(&run, &plan, 2, 1);
    ng_lab_state_record(&run);
    assert_int_equal(run.result->volume_count, 2);
    assert_string_equal(run.result->volumes[0].host, "h0");
    assert_string_equal(run.result->volumes[0].path, "/mnt");
    assert_string_equal(run.result->volumes[1].host, "h1");
    assert_string_equal(run.result->volumes[1].path, "/volume1");
    assert_true(run.result->hosts[0].state.count > 10);
    assert_true(run.result->volumes[0].state.count > 0);
    drop(&run);
}

static void a_share_is_no_path(void **state) {
    (void)state;
    static const char *const exports[] = {"//nas/bench", "bench", NULL};
    for (size_t i = 0; i < NG_COUNT(exports); i++) {
        const struct ng_host server = {.name = "nas"};
        const struct ng_mount_spec mount = {.from = &server, .export = exports[i]};
        const struct ng_volume volume = {.name = "v", .path = "/mnt", .mount = &mount};
        struct ng_place places[NG_PLACES_MAX];
        assert_int_equal(ng_places_of(&volume, places), 1);
    }
}

/* Hundreds of hosts, each with more facts than its share: all are there, and say what is missing.
 */
static void the_record_stays_small(void **state) {
    (void)state;
    struct ng_run run = {0};
    struct ng_plan plan;
    make(&run, &plan, MANY, ARRAYS);
    ng_lab_state_record(&run);
    size_t rows = 0;
    for (size_t i = 0; i < MANY; i++) {
        const struct ng_states *states = &run.result->hosts[i].state;
        const struct ng_state_item *last = &states->items[states->count - 1];
        rows += states->count;
        assert_string_equal(last->key, "the rest");
        assert_null(last->value);
        assert_non_null(strstr(last->why, "facts more than a record has room for"));
    }
    assert_true(rows <= 41 * (size_t)MANY);
    drop(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides),
        cmocka_unit_test(a_share_is_no_path),
        cmocka_unit_test(the_record_stays_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
