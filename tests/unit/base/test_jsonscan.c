/** test_jsonscan.c - JSON objects among notes, repaired, bounded, in linear time. */
#include "runner/base/jsonscan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/base/arena.h"

/** Scans a copy of exactly `len` bytes, so that the sanitizer sees every byte read beyond. */
static void scan_bytes(struct ng_jsonscan *scan, const char *bytes, size_t len) {
    char *exact = ng_xmalloc(len);
    memcpy(exact, bytes, len);
    ng_jsonscan_init(scan, exact, len);
    free(exact);
}

/** The documents as compact JSON, separated by '|'. */
static void print_docs(const struct ng_jsonscan *scan, struct ng_buf *out) {
    for (size_t i = 0; i < scan->count; i++) {
        char *text = json_dumps(scan->docs[i], JSON_COMPACT | JSON_ENSURE_ASCII);
        assert_non_null(text);
        ng_buf_addf(out, "%s%s", i == 0 ? "" : "|", text);
        free(text);
    }
}

struct example {
    const char *text;
    const char *docs;
    const char *rest;
    bool truncated;
};

static void assert_scans(const struct example *examples, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct ng_jsonscan scan;
        struct ng_buf docs;
        ng_buf_init(&docs, 10000);
        scan_bytes(&scan, examples[i].text, strlen(examples[i].text));
        print_docs(&scan, &docs);
        if (strcmp(ng_buf_text(&docs), examples[i].docs) != 0 ||
            strcmp(ng_buf_text(&scan.rest), examples[i].rest) != 0 ||
            scan.truncated != examples[i].truncated) {
            fail_msg("%s: docs %s, rest \"%s\", truncated %d", examples[i].text, ng_buf_text(&docs),
                ng_buf_text(&scan.rest), scan.truncated);
        }
        assert_int_equal(scan.dropped, 0);
        ng_buf_release(&docs);
        ng_jsonscan_release(&scan);
        assert_int_equal(scan.count, 0);
    }
}

static void documents_are_found_among_notes(void **state) {
    (void)state;
    static const struct example examples[] = {
        {"", "", "", false},
        {"no json", "", "no json", false},
        {"{}", "{}", "", false},
        {"{\"a\":1}", "{\"a\":1}", "", false},
        {" {\"a\" : [ 1 , {\"b\":null} , [] , true,false ] }\r\n",
            "{\"a\":[1,{\"b\":null},[],true,false]}", " \r\n", false},
        {"note\n{\"a\":1}\nmore\n{\"b\":2}tail", "{\"a\":1}|{\"b\":2}", "note\n\nmore\ntail",
            false},
        {"{\"a\":1}{\"a\":1}", "{\"a\":1}|{\"a\":1}", "", false},
        {"^[[F{\"a\":1}", "{\"a\":1}", "^[[F", false},
        {"[{\"a\":1},{\"b\":2}]", "{\"a\":1}|{\"b\":2}", "[,]", false},
        {"\"quoted\" text: \" {\"a\":1}", "{\"a\":1}", "\"quoted\" text: \" ", false},
        {"} ] {\"a\":1} }", "{\"a\":1}", "} ]  }", false},
    };
    assert_scans(examples, NG_COUNT(examples));
}

static void a_brace_in_prose_swallows_nothing(void **state) {
    (void)state;
    static const struct example examples[] = {
        {"foo {bar} {\"a\":1}", "{\"a\":1}", "foo {bar} ", false},
        {"{{\"a\":1}", "{\"a\":1}", "{", false},
        {"{ {{ {\"a\":1}", "{\"a\":1}", "{ {{ ", false},
        {"{[ {\"a\":1}", "{\"a\":1}", "{[ ", false},
        {"{\"oops\n{\"start\":{\"v\":1}}", "{\"start\":{\"v\":1}}", "{\"oops\n", false},
        {"{\"a\": \"oops\n{\"start\":1}", "{\"start\":1}", "{\"a\": \"oops\n", false},
        {"{\"a\" \"b\" {\"c\":1}", "{\"c\":1}", "{\"a\" \"b\" ", false},
        {"{\"a\":1,} {\"b\":2}", "{\"b\":2}", "{\"a\":1,} ", false},
        {"{\"a\":1;{\"b\":2}", "{\"b\":2}", "{\"a\":1;", false},
        {"{a:1} {'b':2} {\"c\":3}", "{\"c\":3}", "{a:1} {'b':2} ", false},
        {"{1:2} {\"c\":[1 2]} {\"d\":[1,]} {\"e\":5}", "{\"e\":5}",
            "{1:2} {\"c\":[1 2]} {\"d\":[1,]} ", false},
    };
    assert_scans(examples, NG_COUNT(examples));
}

static void parts_of_a_broken_document_are_no_documents(void **state) {
    (void)state;
    static const struct example examples[] = {
        {"{\"jobs\":[{\"x\":1},{\"x\":2}, {\"fio\":", "",
            "{\"jobs\":[{\"x\":1},{\"x\":2}, {\"fio\":", true},
        {"{\"jobs\":[{\"x\":1},{\"x\":2 {\"fio\":3}", "{\"fio\":3}",
            "{\"jobs\":[{\"x\":1},{\"x\":2 ", false},
        {"{\"a\":{\"b\":1} killed", "", "{\"a\":{\"b\":1} killed", false},
    };
    assert_scans(examples, NG_COUNT(examples));
}

static void the_end_inside_an_object_is_told(void **state) {
    (void)state;
    static const char whole[] = "{\"a\":[1.5e3,\"\\u00e4\\n\",{\"b\":true,\"c\":nan}],\"d\":null}";
    for (size_t len = 1; len < sizeof whole - 1; len++) {
        struct ng_jsonscan scan;
        scan_bytes(&scan, whole, len);
        assert_int_equal(scan.count, 0);
        assert_true(scan.truncated);
        assert_int_equal(scan.rest.len, len);
        ng_jsonscan_release(&scan);
    }
    struct ng_jsonscan scan;
    scan_bytes(&scan, whole, sizeof whole - 1);
    assert_int_equal(scan.count, 1);
    assert_false(scan.truncated);
    ng_jsonscan_release(&scan);
}

static void scalars_are_repaired(void **state) {
    (void)state;
    static const struct example examples[] = {
        {"{\"a\":[nan,-nan,NaN,inf,-inf,+Inf,Infinity,-INFINITY]}",
            "{\"a\":[null,null,null,null,null,null,null,null]}", "", false},
        {"{\"a\":[1e999,-1e999]}", "{\"a\":[null,null]}", "", false},
        {"{\"a\":[9.50062e+08,1E3,-2e-2,+5,+1.5]}", "{\"a\":[950062000.0,1000.0,-0.02,5,1.5]}", "",
            false},
        {"{\"a\":[0,-0,007,-12]}", "{\"a\":[0,0,7,-12]}", "", false},
        {"{\"a\":[9223372036854775807,-9223372036854775807]}",
            "{\"a\":[9223372036854775807,-9223372036854775807]}", "", false},
        {"{\"a\":[9223372036854775808,18446744073709551615]}",
            "{\"a\":[9.2233720368547758e18,1.8446744073709552e19]}", "", false},
        {"{\"a\":1.2.3}", "", "{\"a\":1.2.3}", false},
        {"{\"a\":--1}", "", "{\"a\":--1}", false},
        {"{\"a\":-}", "", "{\"a\":-}", false},
        {"{\"a\":5.}", "", "{\"a\":5.}", false},
        {"{\"a\":.5}", "", "{\"a\":.5}", false},
        {"{\"a\":True}", "", "{\"a\":True}", false},
        {"{\"a\":-true}", "", "{\"a\":-true}", false},
        {"{\"a\":nanny}", "", "{\"a\":nanny}", false},
        {"{\"a\":0x10}", "", "{\"a\":0x10}", false},
        {"{\"a\":}", "", "{\"a\":}", false},
        {"{\"a\":1,\"b\"}", "", "{\"a\":1,\"b\"}", false},
    };
    assert_scans(examples, NG_COUNT(examples));
}

static void strings_are_repaired(void **state) {
    (void)state;
    static const struct example examples[] = {
        {"{\"a\":\"x\ty\nz\x01\"}", "{\"a\":\"x\\ty\\nz\\u0001\"}", "", false},
        {"{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"}", "{\"a\":\"\\\"\\\\/\\b\\f\\n\\r\\t\"}", "",
            false},
        {"{\"a\":\"\xFF|\xE2\x82|\xC3\xA4\"}", "{\"a\":\"\\uFFFD|\\uFFFD|\\u00E4\"}", "", false},
        {"{\"a\":\"\\u20ac\\uD83d\\ude00\"}", "{\"a\":\"\\u20AC\\uD83D\\uDE00\"}", "", false},
        {"{\"a\":\"\\ud83d|\\ude00|\\ud83d\\u0041\"}", "{\"a\":\"\\uFFFD|\\uFFFD|\\uFFFDA\"}", "",
            false},
        {"{\"a\":\"x\\u0000y\"}", "{\"a\":\"x\\uFFFDy\"}", "", false},
        {"{\"a\":\"\\q\\u12\\uzzzz\"}", "{\"a\":\"\\\\q\\\\u12\\\\uzzzz\"}", "", false},
        {"{\"a\":\"C:\\dir\"}", "{\"a\":\"C:\\\\dir\"}", "", false},
        {"{\"k\xFF\n\":1}", "{\"k\\uFFFD\\n\":1}", "", false},
        {"{\"\":{\"\":1}}", "{\"\":{\"\":1}}", "", false},
        {"{\"a\":\"{\\\"b\\\":1}\"}", "{\"a\":\"{\\\"b\\\":1}\"}", "", false},
    };
    assert_scans(examples, NG_COUNT(examples));
    static const char zero[] = "{\"a\0b\":\"c\0d\"}";
    struct ng_jsonscan scan;
    scan_bytes(&scan, zero, sizeof zero - 1);
    assert_int_equal(scan.count, 1);
    assert_string_equal(ng_json_string(scan.docs[0], "a\xEF\xBF\xBD"
                                                     "b"),
        "c\xEF\xBF\xBD"
        "d");
    ng_jsonscan_release(&scan);
}

static void no_value_of_a_repeated_key_is_lost(void **state) {
    (void)state;
    static const struct example examples[] = {
        {"{\"a\":1,\"b\":0,\"a\":2,\"a\":3}", "{\"a\":1,\"b\":0,\"a#2\":2,\"a#3\":3}", "", false},
        {"{\"a#2\":1,\"a\":2,\"a\":3}", "{\"a#2\":1,\"a\":2,\"a#3\":3}", "", false},
        {"{\"a\":2,\"a\":3,\"a#2\":1}", "{\"a\":2,\"a#2\":3,\"a#2#2\":1}", "", false},
        {"{\"o\":{\"a\":1,\"a\":2},\"p\":{\"a\":3},\"o\":[{\"a\":4,\"a\":5}]}",
            "{\"o\":{\"a\":1,\"a#2\":2},\"p\":{\"a\":3},\"o#2\":[{\"a\":4,\"a#2\":5}]}", "", false},
        {"{\"a\":null,\"a\":null}", "{\"a\":null,\"a#2\":null}", "", false},
        {"{\"\":1,\"\":2}", "{\"\":1,\"#2\":2}", "", false},
    };
    assert_scans(examples, NG_COUNT(examples));
}

/** {"a":{"a": ... 1 ... }} with `depth` objects, or arrays inside one object. */
static void add_nested(struct ng_buf *out, int depth, const char *open, const char *close) {
    ng_buf_adds(out, "{\"a\":");
    for (int i = 1; i < depth; i++) {
        ng_buf_adds(out, open);
    }
    ng_buf_adds(out, "\"}]{[\"");
    for (int i = 1; i < depth; i++) {
        ng_buf_adds(out, close);
    }
    ng_buf_adds(out, "}");
}

static void depth_is_bounded(void **state) {
    (void)state;
    static const char *const shapes[][2] = {{"{\"a\":", "}"}, {"[", "]"}, {"[{\"a\":", "}]"}};
    for (size_t i = 0; i < NG_COUNT(shapes); i++) {
        int most = i == 2 ? 32 : NG_JSON_DEPTH_MAX;
        struct ng_buf text;
        struct ng_jsonscan scan;
        ng_buf_init(&text, 100000);
        add_nested(&text, most, shapes[i][0], shapes[i][1]);
        scan_bytes(&scan, text.data, text.len);
        assert_int_equal(scan.count, 1);
        ng_jsonscan_release(&scan);
        ng_buf_clear(&text);
        add_nested(&text, most + 1, shapes[i][0], shapes[i][1]);
        ng_buf_adds(&text, " then {\"b\":2}");
        scan_bytes(&scan, text.data, text.len);
        assert_int_equal(scan.count, 1); /* no inner part of it, and the one behind it */
        assert_int_equal(scan.dropped, 1);
        assert_false(scan.truncated);
        double b;
        assert_true(ng_json_number(scan.docs[0], "b", &b));
        assert_int_equal(scan.rest.len, text.len - strlen("{\"b\":2}"));
        ng_jsonscan_release(&scan);
        ng_buf_release(&text);
    }
}

static void documents_and_rest_are_bounded(void **state) {
    (void)state;
    struct ng_buf text;
    struct ng_jsonscan scan;
    ng_buf_init(&text, SIZE_MAX);
    for (int i = 0; i < NG_JSON_DOCS_MAX + 3; i++) {
        ng_buf_addf(&text, "%02000d{\"n\":%d}", 0, i);
    }
    scan_bytes(&scan, text.data, text.len);
    assert_int_equal(scan.count, NG_JSON_DOCS_MAX);
    assert_int_equal(scan.dropped, 3);
    double n;
    assert_true(ng_json_number(scan.docs[NG_JSON_DOCS_MAX - 1], "n", &n));
    assert_true(n == NG_JSON_DOCS_MAX - 1);
    assert_int_equal(scan.rest.len, NG_JSON_REST_MAX);
    assert_int_equal(scan.rest.len + scan.rest.cut, 2000 * (NG_JSON_DOCS_MAX + 3));
    ng_jsonscan_release(&scan);
    ng_buf_release(&text);
}

/* The first three are quick enough for 10 MB. What is more than linear does not end within the
 * test's time limit with less than that. */
static void hostile_text_takes_linear_time(void **state) {
    (void)state;
    static const char *const units[] = {"{", "[", "\"", "{\"", "{\"a\":", "{\"a\":[", "{ ", "\\",
        "}", "{\"{", "{\"{\\\"", "{\"\n{\"", "{\"a\":\"", "{\"a\":{\"b\":[{},{},{", "{}",
        "{\"a\":1}x", "{\"a\":1,\"a\":", "{\"     {\"     ", "{\"a\":nan,", "\xF0", "{\"\\ud800",
        "{\":\":\":\n", "{{\"{\": \"{ "};
    enum { BIG = 10 * 1000 * 1000, LESS = BIG / 20 };
    char *text = ng_xmalloc(BIG);
    for (size_t i = 0; i < NG_COUNT(units); i++) {
        size_t len = strlen(units[i]), bytes = i < 3 ? BIG : LESS;
        for (size_t at = 0; at < bytes; at++) {
            text[at] = units[i][at % len];
        }
        struct ng_jsonscan scan;
        ng_jsonscan_init(&scan, text, bytes);
        assert_true(scan.rest.len <= NG_JSON_REST_MAX);
        ng_jsonscan_release(&scan);
    }
    free(text);
}

static void one_huge_object_takes_linear_time(void **state) {
    (void)state;
    static const char *const members[] = {
        "\"a\":1,", "\"a\":1,\"a#2\":2,\"a#3\":3,", "\"k\":[[[]]],"};
    for (size_t i = 0; i < NG_COUNT(members); i++) {
        struct ng_buf text;
        ng_buf_init(&text, SIZE_MAX);
        ng_buf_addc(&text, '{');
        while (text.len < 1000000) {
            ng_buf_adds(&text, members[i]);
        }
        ng_buf_adds(&text, "\"end\":true}");
        struct ng_jsonscan scan;
        ng_jsonscan_init(&scan, text.data, text.len);
        assert_int_equal(scan.count, 1);
        assert_true(json_object_size(scan.docs[0]) > 50000);
        assert_true(json_is_true(ng_json_at(scan.docs[0], "end")));
        ng_jsonscan_release(&scan);
        ng_buf_release(&text);
    }
}

static void paths_lead_to_values(void **state) {
    (void)state;
    static const char text[] = "{\"a\":{\"b\":{\"n\":1.5,\"s\":\"text\",\"z\":null,\"i\":7}},\"l\":"
                               "[1],\"\":2,\"h\":1e999}";
    struct ng_jsonscan scan;
    scan_bytes(&scan, text, sizeof text - 1);
    assert_int_equal(scan.count, 1);
    const json_t *doc = scan.docs[0];
    double n = -1;
    assert_true(ng_json_number(doc, "a.b.n", &n));
    assert_true(n == 1.5);
    assert_true(ng_json_number(doc, "a.b.i", &n));
    assert_true(n == 7);
    assert_true(ng_json_number(doc, "", &n));
    assert_true(n == 2);
    assert_string_equal(ng_json_string(doc, "a.b.s"), "text");
    assert_true(json_is_null(ng_json_at(doc, "a.b.z")));
    static const char *const absent[] = {
        "a.b.s", "a.b.z", "a.b", "a.b.x", "a.x.n", "l", "l.0", "a.b.n.x", "a..n", "a.", ".a", "h"};
    for (size_t i = 0; i < NG_COUNT(absent); i++) {
        n = -1;
        assert_false(ng_json_number(doc, absent[i], &n));
        assert_true(n == -1);
    }
    assert_null(ng_json_string(doc, "a.b.n"));
    assert_null(ng_json_at(NULL, "a"));
    assert_null(ng_json_string(NULL, "a"));
    char endless[300];
    memset(endless, 'k', sizeof endless);
    endless[sizeof endless - 1] = '\0';
    assert_null(ng_json_at(doc, endless));
    ng_jsonscan_release(&scan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(documents_are_found_among_notes),
        cmocka_unit_test(a_brace_in_prose_swallows_nothing),
        cmocka_unit_test(parts_of_a_broken_document_are_no_documents),
        cmocka_unit_test(the_end_inside_an_object_is_told),
        cmocka_unit_test(scalars_are_repaired),
        cmocka_unit_test(strings_are_repaired),
        cmocka_unit_test(no_value_of_a_repeated_key_is_lost),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(documents_and_rest_are_bounded),
        cmocka_unit_test(hostile_text_takes_linear_time),
        cmocka_unit_test(one_huge_object_takes_linear_time),
        cmocka_unit_test(paths_lead_to_values),
    };
    return cmocka_run_group_tests_name("jsonscan", tests, NULL, NULL);
}
