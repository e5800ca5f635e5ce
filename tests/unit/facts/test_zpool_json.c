/* The JSON of zpool status: states, scans, what has no scans at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/facts/zpool_bench.h"

#define JSON(members) "{\"pools\": {\"tank\": {\"name\": \"tank\", " members "}}}"
#define JSON_DISK                                                                                  \
    "\"vdevs\": {\"tank\": {\"name\": \"tank\", \"vdevs\": {\"mirror-0\": {\"name\": "             \
    "\"mirror-0\", \"state\": \"HEALTHY\", \"vdevs\": {\"sda1\": {\"name\": \"sda1\", \"path\": "  \
    "\"/dev/sda1\", \"state\": \"HEALTHY\", \"read_errors\": \"0\"}}}}}}"
#define JSON_SCAN(function, state, more)                                                           \
    "\"scan_stats\": {\"function\": \"" function "\", \"state\": \"" state "\"" more "}"

static void json(void **state) {
    (void)state;
    static const struct {
        const char *text;
        enum ng_answer busy, degraded;
        const char *action, *why;
    } rows[] = {
        {JSON("\"state\": \"ONLINE\", " JSON_SCAN("NONE", "NONE", "") ", " JSON_DISK), NO, NO, NULL,
            ""},
        {JSON("\"state\": \"ONLINE\", " JSON_SCAN(
             "SCRUB", "FINISHED", ", \"start_time\": 1, \"end_time\": 77") ", " JSON_DISK),
            NO, NO, NULL, "scrub FINISHED, started 1, ended 77"},
        {JSON("\"state\": \"ONLINE\", " JSON_SCAN("SCRUB", "SCANNING", ", \"scrub_pause\": \"-\"")),
            YES, NO, "scrub", "is in a scrub"},
        {JSON("\"state\": \"ONLINE\", " JSON_SCAN("SCRUB", "SCANNING", ", \"scrub_pause\": 0")),
            YES, NO, "scrub", "is in a scrub"},
        {JSON("\"state\": \"ONLINE\", " JSON_SCAN("SCRUB", "SCANNING", ", \"scrub_pause\": 1700")),
            NO, NO, NULL, "its scrub is paused"},
        {JSON("\"state\": \"DEGRADED\", " JSON_SCAN("RESILVER", "SCANNING", "")), YES, YES,
            "resilver", "is in a resilver"},
        {JSON("\"state\": \"ONLINE\", " JSON_SCAN(
             "SCRUB", "CANCELED", ", \"err_scrub_state\": \"ERRORSCRUBBING\"")),
            YES, NO, "scrub", ""},
        {JSON("\"state\": \"ONLINE\", " JSON_SCAN("POLISH", "SCANNING", "")), YES, NO, "scrub", ""},
        {JSON("\"state\": \"ONLINE\", " JSON_SCAN("POLISH", "WHAT", "")), U, NO, NULL, "POLISH"},
        {JSON("\"state\": \"ONLINE\", " JSON_SCAN("SCRUB", "WHAT", "")), U, NO, NULL, "WHAT"},
        {JSON("\"state\": \"ONLINE\", " JSON_SCAN("NONE", "NONE", "") ", \"removal_stats\": "
                                                                      "{\"state\": \"SCANNING\"}"),
            YES, NO, "removal", "evacuates"},
        {JSON("\"state\": \"ONLINE\", " JSON_SCAN("NONE", "NONE", "") ", \"raidz_expand_stats\": "
                                                                      "{\"state\": \"SCANNING\"}"),
            YES, NO, "expansion", "expansion"},
        {JSON(
             "\"state\": \"ONLINE\", " JSON_SCAN("NONE", "NONE", "") ", \"checkpoint_stats\": "
                                                                     "{\"state\": \"DISCARDING\"}"),
            YES, NO, NULL, ""},
        {JSON("\"state\": \"ONLINE\", " JSON_SCAN("NONE", "NONE", "") ", \"checkpoint_stats\": "
                                                                      "{\"state\": \"EXISTS\"}"),
            NO, NO, NULL, "it has a checkpoint"},
        {JSON("\"state\": \"ONLINE\", " JSON_SCAN("NONE", "NONE",
             "") ", \"vdevs\": {\"tank\": "
                 "{\"vdevs\": {\"m\": {\"state\": \"HEALTHY\", \"rebuild_stats\": {\"state\": "
                 "\"ACTIVE\"}}}}}"),
            YES, NO, "resilver", ""},
        {JSON("\"state\": \"ONLINE\", " JSON_SCAN("NONE", "NONE",
             "") ", \"vdevs\": {\"tank\": "
                 "{\"vdevs\": {\"m\": {\"state\": \"HEALTHY\", \"trim_state\": \"ACTIVE\"}}}}"),
            YES, NO, "trim", ""},
        {JSON("\"state\": \"ONLINE\", " JSON_SCAN(
             "NONE", "NONE", "") ", \"vdevs\": {\"tank\": "
                                 "{\"vdevs\": {\"m\": {\"state\": \"CANT_OPEN\"}}}}"),
            NO, YES, NULL, "UNAVAIL"},
        /* the manual's own example has no scan_stats: not idle */
        {JSON("\"state\": \"ONLINE\", \"error_count\": \"0\", " JSON_DISK), U, NO, NULL, "scans"},
        {JSON("\"error_count\": \"0\""), U, U, NULL, "state was not seen"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_zpools pools = parse(rows[i].text);
        assert_int_equal(pools.count, 1);
        struct ng_array array = judge(&pools.items[0]);
        bool action = rows[i].action == NULL
                          ? array.action == NULL
                          : array.action != NULL && strcmp(array.action, rows[i].action) == 0;
        bool why = says(&array, rows[i].why) || strstr(array.degraded_why, rows[i].why) != NULL;
        if (array.busy != rows[i].busy || array.degraded != rows[i].degraded || !action || !why) {
            fail_msg("row %zu %s\nbusy %d degraded %d %s: %s | %s | %s", i, rows[i].text,
                (int)array.busy, (int)array.degraded, array.action == NULL ? "-" : array.action,
                array.busy_why, array.degraded_why, array.trace);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(json, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
