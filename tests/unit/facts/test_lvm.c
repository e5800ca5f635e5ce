/* LVM's reports: JSON, the lines of old versions, and what its letters mean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runner/facts/lvm.h"

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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
#define U NG_ANSWER_UNKNOWN
#define NO NG_ANSWER_NO
#define YES NG_ANSWER_YES

static struct ng_lvm parse(const char *text) {
    struct ng_lvm lvm = {0};
    ng_lvm_parse(&lvm, &arena, text, strlen(text));
    return lvm;
}

static const char report[] =
    "  WARNING: Couldn't find device with uuid x.\n"
    "  {\n      \"report\": [\n          {\n              \"lv\": [\n"
    "{\"vg_name\":\"vg1\", \"lv_name\":\"data\", \"segtype\":\"raid1\", \"lv_attr\":\"rwi-aor-p-\","
    " \"lv_size\":\"1073741824\", \"sync_percent\":\"12.34\", \"raid_sync_action\":\"recover\","
    " \"raid_mismatch_count\":\"0\", \"lv_health_status\":\"partial\", \"cache_mode\":\"\","
    " \"vg_missing_pv_count\":\"1\", \"devices\":\"data_rimage_0(0),data_rimage_1(0)\"},\n"
    "{\"vg_name\":\"vg1\", \"lv_name\":\"[data_rimage_0]\", \"segtype\":\"linear\","
    " \"lv_attr\":\"iwi-aor---\", \"lv_size\":\"4B\", \"devices\":\"/dev/sda1(1)\"},\n"
    "{\"vg_name\":\"vg1\", \"lv_name\":\"[data_rimage_0]\", \"segtype\":\"linear\","
    " \"lv_attr\":\"iwi-aor---\", \"lv_size\":\"4B\", \"devices\":\"[unknown](7)\"}\n"
    "              ]\n          }\n      ]\n  }\n";

static void json(void **state) {
    (void)state;
    struct ng_lvm lvm = parse(report);
    assert_true(lvm.known);
    assert_int_equal(lvm.count, 2);
    const struct ng_lvm_volume *data = ng_lvm_find(&lvm, "vg1", "data");
    assert_non_null(data);
    assert_true(!data->hidden && data->size == 1073741824 && data->missing == 1);
    assert_true(fabs(data->sync - 12.34) < 1e-9 && data->mismatches == 0);
    assert_string_equal(data->action, "recover");
    assert_int_equal(data->device_count, 2);
    const struct ng_lvm_volume *image = ng_lvm_find(&lvm, "vg1", "data_rimage_0");
    assert_true(image->hidden && image->size == 4); /* two segments are one volume */
    assert_int_equal(image->device_count, 2);
    assert_string_equal(image->devices[1], "[unknown]");
    assert_null(ng_lvm_find(&lvm, "vg2", "data"));
}

static void devices_and_groups(void **state) {
    (void)state;
    struct ng_lvm lvm = parse(
        "{\"report\":[{\"pv\":[{\"pv_name\":\"/dev/sda1\",\"vg_name\":\"vg1\",\"pv_attr\":\"a--\"},"
        "{\"pv_name\":\"[unknown]\",\"vg_name\":\"vg1\",\"pv_attr\":\"a-m\"}],"
        "\"vg\":[{\"vg_name\":\"vg1\",\"vg_attr\":\"wz-pn-\",\"vg_missing_pv_count\":\"1\"},"
        "{\"vg_name\":\"vg2\",\"vg_attr\":\"wz--n-\"}]}]}");
    assert_true(lvm.known && lvm.device_count == 2 && lvm.group_count == 2);
    assert_true(!lvm.devices[0].missing && lvm.devices[1].missing);
    assert_true(lvm.groups[0].partial && lvm.groups[0].missing == 1);
    assert_true(!lvm.groups[1].partial && lvm.groups[1].missing == -1);
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *why;
    } rows[] = {
        {"", "printed nothing"},
        {" \n", "printed nothing"},
        {"!asleep\n", "sleeps"},
        {"{\"report\":[{\"lv\":[{\"vg_name\":\"v\",\"lv_na", "cut off"},
        {"{\"log\":[]}", "not understood"},
        {"{\"report\":7}", "not understood"},
        {"  WARNING: Running as a non-root user.\n", "not understood"},
        {"/dev/mapper/control: open failed: Permission denied\n", "not understood"},
        {"vg1|data|raid1|rwi-aor---\n", "not understood"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_lvm lvm = parse(rows[i].text);
        if (lvm.known || lvm.why == NULL || strstr(lvm.why, rows[i].why) == NULL) {
            fail_msg("\"%s\": %s", rows[i].text, lvm.why == NULL ? "known" : lvm.why);
        }
    }
    assert_true(parse("{\"report\":[{\"lv\":[]}]}").known); /* nothing, for certain */
    assert_true(parse("{\"report\":[{\"lv\":[{}, 7, {\"lv_name\":3}]}]}").known);
}

static void lines(void **state) {
    (void)state;
    struct ng_lvm lvm =
        parse("  WARNING: lvmetad is not running\n"
              "  vg1|data|raid1|rwi-aor---|1073741824|99,90|data_rimage_0(0),data_rimage_1(0)\n"
              "  vg1|[data_rimage_0]|linear|iwi-aor---|4||/dev/sda1(1)\n");
    assert_true(lvm.known && lvm.count == 2);
    /* a decimal comma is what a locale makes of the dot */
    assert_true(fabs(ng_lvm_find(&lvm, "vg1", "data")->sync - 99.9) < 1e-9);
    assert_true(ng_lvm_find(&lvm, "vg1", "data_rimage_0")->sync < 0);
}

static void judgements(void **state) {
    (void)state;
    static const struct {
        const char *attr, *type, *sync, *action, *health;
        enum ng_answer busy, degraded;
        const char *what;
    } rows[] = {
        {"-wi-ao----", "linear", "", "", "", NO, NO, NULL},
        {"rwi-aor---", "raid1", "100.00", "idle", "", NO, NO, NULL},
        {"rwi-aor---", "raid1", "41.20", "recover", "", YES, NO, "recovery"},
        {"rwi-aor---", "raid5", "41.20", "resync", "", YES, NO, "resync"},
        {"rwi-aor---", "raid5", "100.00", "check", "", YES, NO, "check"},
        {"rwi-aor---", "raid5", "100.00", "dancing", "", U, NO, NULL},
        {"rwi-aor-s-", "raid5", "100.00", "idle", "", YES, NO, "reshape"},
        {"rwi-aor---", "raid1", "", "", "", U, NO, NULL},
        {"rwi---r---", "raid1", "", "", "", NO, NO, NULL}, /* not active: nothing runs */
        {"rwi-aor---", "raid0", "", "", "", NO, NO, NULL}, /* which has no copies */
        {"rwi-aor-p-", "raid1", "100.00", "idle", "partial", NO, YES, NULL},
        {"rwi-aor-r-", "raid1", "100.00", "idle", "refresh needed", NO, YES, NULL},
        {"rwi-aor-m-", "raid1", "100.00", "idle", "mismatches exist", NO, NO, NULL},
        {"rwi-aor-w-", "raid1", "100.00", "idle", "", NO, NO, NULL},
        {"rwi-aor-X-", "raid1", "100.00", "idle", "", NO, U, NULL},
        {"mwi-aom---", "mirror", "35.60", "", "", YES, NO, "resync"},
        {"mwi-aom---", "mirror", "100.00", "", "", NO, NO, NULL},
        {"pwi-aom---", "mirror", "7.00", "", "", YES, NO, "pvmove"},
        {"Cwi-aoC---", "cache", "7.00", "", "", NO, NO, NULL}, /* its share is not of copying */
        {"Cwi-aoC-F-", "cache", "", "", "failed", NO, YES, NULL},
        {"twi-aotzD-", "thin-pool", "", "", "out_of_data", NO, YES, NULL},
        {"twi-aotzM-", "thin-pool", "", "", "metadata_read_only", NO, YES, NULL},
        {"swi-I-s---", "linear", "", "", "", NO, YES, NULL}, /* an invalid snapshot */
        {"Owi-aos---", "linear", "", "", "", YES, NO, "merge"},
        {"cwi-aom---", "linear", "", "", "", YES, NO, "conversion"},
        {"Iwi-aor---", "linear", "", "", "", NO, YES, NULL},
        {"", "raid1", "100.00", "idle", "", U, U, NULL},
        {"rwi", "raid1", "100.00", "idle", "", U, U, NULL},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_lvm lvm = parse(ng_arena_printf(&arena,
            "{\"report\":[{\"lv\":[{\"vg_name\":\"v\",\"lv_name\":\"l\",\"lv_attr\":\"%s\","
            "\"segtype\":\"%s\",\"sync_percent\":\"%s\",\"raid_sync_action\":\"%s\","
            "\"lv_health_status\":\"%s\"}]}]}",
            rows[i].attr, rows[i].type, rows[i].sync, rows[i].action, rows[i].health));
        const struct ng_lvm_volume *volume = ng_lvm_find(&lvm, "v", "l");
        const char *what = NULL, *why = "", *lost = "";
        enum ng_answer busy = ng_lvm_busy(volume, &arena, &what, &why);
        enum ng_answer degraded = ng_lvm_degraded(volume, &arena, &lost);
        bool same = busy == rows[i].busy && degraded == rows[i].degraded &&
                    (what == NULL) == (rows[i].what == NULL) &&
                    (what == NULL || strcmp(what, rows[i].what) == 0);
        if (!same) {
            fail_msg("%s %s: busy %d (%s %s), degraded %d (%s)", rows[i].attr, rows[i].type, busy,
                what == NULL ? "-" : what, why, degraded, lost);
        }
        assert_true(busy == NO || why[0] != '\0');
        assert_true(degraded == NO || lost[0] != '\0');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(json),
        TEST(devices_and_groups),
        TEST(refusals),
        TEST(lines),
        TEST(judgements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
