/** test_recordings.c - the JSON scan against real outputs of fio and iperf3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "runner/base/files.h"
#include "runner/base/guard.h"
#include "runner/base/jsonscan.h"

/** Scans a recording; skips the test where the recordings are not at hand. */
static void scan_recording(const char *name, struct ng_jsonscan *scan) {
    const char *folder = getenv("NASGATE_RECORDINGS");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder == NULL ? "../shared/recordings" : folder, name);
    if (access(path, R_OK) != 0) {
        print_message("skipped: no recording %s\n", path);
        skip();
    }
    char *data;
    size_t len;
    struct ng_err err;
    if (!ng_file_read(path, 20000000, &data, &len, &err)) {
        fail_msg("%s", err.text);
    }
    ng_jsonscan_init(scan, data, len);
    free(data);
}

static void assert_number(const json_t *root, const char *path, double expected) {
    double found;
    if (!ng_json_number(root, path, &found)) {
        fail_msg("no number at %s", path);
    }
    if (found != expected) {
        fail_msg("%s: %.17g, not %.17g", path, found, expected);
    }
}

/** All that is not part of the document is white space. */
static void assert_one_clean_document(const struct ng_jsonscan *scan) {
    assert_int_equal(scan->count, 1);
    assert_int_equal(scan->dropped, 0);
    assert_false(scan->truncated);
    assert_int_equal(strspn(ng_buf_text(&scan->rest), " \r\n\t"), scan->rest.len);
}

static void every_whole_recording_is_one_document(void **state) {
    (void)state;
    static const char *const names[] = {"fio/fio217-duplicate-global-key.json",
        "fio/fio31-md0-randread-16jobs.json", "fio/fio31-md0-randwrite-64jobs.json",
        "fio/fio339git-rbd-ramp.json", "fio/fio343-client-one.json", "fio/fio343-client-two.json",
        "iperf3/iperf30-exponent-numbers.json", "iperf3/iperf3191-bidir-client.json",
        "iperf3/iperf3191-reverse-server.json", "iperf3/iperf3191-udp-client.json",
        "iperf3/iperf3191-udp-server.json", "iperf3/iperf322-bidir-server.json",
        "iperf3/iperf322-sctp-reverse-server.json", "iperf3/iperf36-4streams-repeated-keys.json",
        "iperf3/iperf36-bytes-test-crlf.res"};
    for (size_t i = 0; i < NG_COUNT(names); i++) {
        struct ng_jsonscan scan;
        scan_recording(names[i], &scan);
        assert_one_clean_document(&scan);
        assert_non_null(json_object_get(scan.docs[0], names[i][0] == 'f' ? "fio version" : "end"));
        ng_jsonscan_release(&scan);
    }
}

static void fio_filler_percentiles_are_all_there(void **state) {
    (void)state;
    struct ng_jsonscan scan;
    scan_recording("fio/fio31-md0-randread-16jobs.json", &scan);
    const json_t *read =
        json_object_get(json_array_get(json_object_get(scan.docs[0], "jobs"), 0), "read");
    assert_number(read, "iops", 193212.672700);
    assert_number(read, "io_bytes", 47486320640.0);
    assert_number(read, "clat_ns.mean", 1301048.940507);
    const json_t *percentile = ng_json_at(read, "clat_ns.percentile");
    assert_int_equal(json_integer_value(json_object_get(percentile, "99.000000")), 2088960);
    assert_int_equal(json_object_size(percentile), 20); /* 17 and three times "0.00" */
    assert_non_null(json_object_get(percentile, "0.00"));
    assert_non_null(json_object_get(percentile, "0.00#2"));
    assert_non_null(json_object_get(percentile, "0.00#3"));
    assert_null(json_object_get(percentile, "0.00#4"));
    ng_jsonscan_release(&scan);
}

static void a_repeated_fio_option_keeps_both_values(void **state) {
    (void)state;
    struct ng_jsonscan scan;
    scan_recording("fio/fio217-duplicate-global-key.json", &scan);
    const json_t *options = json_object_get(scan.docs[0], "global options");
    assert_non_null(json_object_get(options, "filename"));
    assert_non_null(json_object_get(options, "filename#2"));
    assert_int_equal(json_array_size(json_object_get(scan.docs[0], "jobs")), 2);
    ng_jsonscan_release(&scan);
}

static void exponents_are_numbers(void **state) {
    (void)state;
    struct ng_jsonscan scan;
    scan_recording("iperf3/iperf30-exponent-numbers.json", &scan);
    assert_number(scan.docs[0], "end.sum_received.bits_per_second", 934268000);
    assert_number(scan.docs[0], "end.sum_received.bytes", 1518193248);
    assert_number(scan.docs[0], "end.sum_sent.bits_per_second", 935992000);
    const char *system = ng_json_string(scan.docs[0], "start.system_info");
    assert_int_equal(system[strlen(system) - 1], '\n');
    ng_jsonscan_release(&scan);
}

static void repeated_stream_keys_are_numbered(void **state) {
    (void)state;
    struct ng_jsonscan scan;
    scan_recording("iperf3/iperf36-4streams-repeated-keys.json", &scan);
    static const char *const keys[] = {"sock_bufsize", "sndbuf_actual", "rcvbuf_actual"};
    const json_t *start = json_object_get(scan.docs[0], "start");
    for (size_t i = 0; i < NG_COUNT(keys); i++) {
        char key[64];
        assert_true(json_is_integer(json_object_get(start, keys[i])));
        for (int n = 2; n <= 5; n++) {
            snprintf(key, sizeof key, "%s#%d", keys[i], n);
            assert_int_equal(json_object_get(start, key) != NULL, n <= 4);
        }
    }
    assert_number(scan.docs[0], "end.sum_received.bits_per_second", 17535714055.219631);
    ng_jsonscan_release(&scan);
}

static void rubbish_before_a_document_is_rest(void **state) {
    (void)state;
    struct ng_jsonscan scan;
    scan_recording("iperf3/iperf39-rubbish-before-json.res", &scan);
    assert_int_equal(scan.count, 1);
    assert_false(scan.truncated);
    assert_memory_equal(ng_buf_text(&scan.rest), "^[[F", 4);
    assert_number(scan.docs[0], "end.sum_sent.bytes", 56320);
    assert_number(scan.docs[0], "end.sum_received.bytes", 0);
    ng_jsonscan_release(&scan);
}

static void a_cut_off_document_is_none(void **state) {
    (void)state;
    struct ng_jsonscan scan;
    scan_recording("iperf3/iperf39-truncated-omit.res", &scan);
    assert_int_equal(scan.count, 0);
    assert_true(scan.truncated);
    assert_int_equal(scan.rest.len, 1406);
    ng_jsonscan_release(&scan);
}

static void text_reports_hold_no_document(void **state) {
    (void)state;
    static const char *const names[] = {"iperf3/text-udp-interrupted.txt",
        "iperf3/text-windows-tcp-5streams.txt", "iperf3/text-windows-udp-loss56.txt",
        "fio/fio31-bw-4col.log"};
    for (size_t i = 0; i < NG_COUNT(names); i++) {
        struct ng_jsonscan scan;
        scan_recording(names[i], &scan);
        assert_int_equal(scan.count, 0);
        assert_false(scan.truncated);
        assert_true(scan.rest.len > 0);
        ng_jsonscan_release(&scan);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_whole_recording_is_one_document),
        cmocka_unit_test(fio_filler_percentiles_are_all_there),
        cmocka_unit_test(a_repeated_fio_option_keeps_both_values),
        cmocka_unit_test(exponents_are_numbers),
        cmocka_unit_test(repeated_stream_keys_are_numbered),
        cmocka_unit_test(rubbish_before_a_document_is_rest),
        cmocka_unit_test(a_cut_off_document_is_none),
        cmocka_unit_test(text_reports_hold_no_document),
    };
    return cmocka_run_group_tests_name("recordings", tests, NULL, NULL);
}
