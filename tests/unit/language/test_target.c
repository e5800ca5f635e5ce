/* A plan of one host that is given on the command line: what it holds, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "plans/language/load.h"

static struct ng_arena arena;
static struct ng_diags diags;

static int set_up(void **state) {
    (void)state;
    ng_arena_init(&arena);
    diags = (struct ng_diags){.arena = &arena};
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    ng_arena_release(&arena);
    return 0;
}

static void this_machine(void **state) {
    (void)state;
    struct ng_plan *plan = ng_plan_of_target("local", NULL, 0, true, &diags);
    assert_non_null(plan);
    assert_int_equal(plan->host_count, 1);
    assert_string_equal(plan->hosts[0].name, "local");
    assert_int_equal(plan->hosts[0].via, NG_VIA_LOCAL);
    assert_int_equal(plan->hosts[0].privilege, NG_PRIVILEGE_SUDO);
    assert_ptr_equal(ng_plan_host(plan, "local"), &plan->hosts[0]);
    ng_plan_free(plan);
}

static void another_one(void **state) {
    (void)state;
    static const struct {
        const char *target, *name;
    } rows[] = {
        {"nas", "nas"},
        {"root@nas.lan", "nas.lan"},
        {"ssh://root@nas:2222", "nas"},
        {"admin@10.0.0.2", "10.0.0.2"},
        {"root@[fe80::1]", "host"},
        {"a@b@nas", "nas"},
    };
    const struct ng_setting option = {"Port", "yes \"quoted\"\\"};
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_plan *plan = ng_plan_of_target(rows[i].target, &option, 1, false, &diags);
        assert_non_null(plan);
        const struct ng_host *host = &plan->hosts[0];
        assert_string_equal(host->target, rows[i].target);
        assert_string_equal(host->name, rows[i].name);
        assert_int_equal(host->via, NG_VIA_SSH);
        assert_int_equal(host->privilege, NG_PRIVILEGE_NONE);
        assert_int_equal(host->options.count, 1);
        assert_string_equal(host->options.items[0].key, "Port");
        assert_string_equal(host->options.items[0].value, option.value);
        ng_plan_free(plan);
    }
}

static void what_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *target, *option, *value, *says;
    } rows[] = {
        {"", "Port", "1", "1 to 255 characters"},
        {"-oProxyCommand=x", "Port", "1", "begin with"},
        {"root@-x", "Port", "1", "begin with"},
        {"root@nas;reboot", "Port", "1", "letters"},
        {"nas\nx", "Port", "1", "letters"},
        {"\xff", "Port", "1", "UTF-8"},
        {"nas", "Port", "1\nProxyCommand x", "one line"},
        {"nas", "Po rt", "1", "no option of ssh"},
        {"nas", "controlpath", "x", "nasgate sets controlpath itself"},
        {"local", "Port", "1", "for ssh"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_setting option = {rows[i].option, rows[i].value};
        diags = (struct ng_diags){.arena = &arena};
        assert_null(ng_plan_of_target(rows[i].target, &option, 1, false, &diags));
        assert_true(diags.errors > 0);
        if (strstr(diags.items[0].text, rows[i].says) == NULL) {
            fail_msg("row %zu: %s", i, diags.items[0].text);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(this_machine, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
