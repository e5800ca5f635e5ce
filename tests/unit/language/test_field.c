/* test_field.c - each type of field: what it takes, what it refuses, and in which words. */
#include "tests/unit/language/vocabulary_fixture.h"

#include "plans/language/field_write.h"

#include <stdio.h>

enum { PLAN_HOSTS = 2 };

struct lab {
    struct ng_arena arena;
    struct ng_diags diags;
    struct ng_host hosts[PLAN_HOSTS];
    struct ng_link link;
    struct ng_volume volume;
    struct ng_plan plan;
    struct ng_loading loading;
};

static void set_up(struct lab *lab) {
    memset(lab, 0, sizeof *lab);
    ng_arena_init(&lab->arena);
    lab->diags.arena = &lab->arena;
    lab->hosts[0].name = "nas";
    lab->hosts[1].name = "pc";
    lab->link.name = "fiber";
    lab->volume.name = "repo";
    lab->plan = (struct ng_plan){.hosts = lab->hosts,
        .host_count = PLAN_HOSTS,
        .links = &lab->link,
        .link_count = 1,
        .volumes = &lab->volume,
        .volume_count = 1};
    lab->loading = (struct ng_loading){&lab->arena, &lab->diags, &lab->plan, NULL};
}

static void tear_down(struct lab *lab) {
    ng_arena_release(&lab->arena);
}

/* Loads a value from YAML into `out`; on failure the last message is in *message. */
static bool load(struct lab *lab, const struct ng_field *field, const char *yaml, void *out,
    const char **message) {
    struct ng_node *node = ng_node_parse(&lab->arena, "f", yaml, strlen(yaml), &lab->diags);
    assert_non_null(node);
    size_t errors = lab->diags.errors;
    bool ok = ng_field_load(&lab->loading, field, node, out);
    assert_int_equal(ok, lab->diags.errors == errors);
    *message = ok ? "" : lab->diags.items[lab->diags.count - 1].text;
    if (lab->diags.count > NG_DIAGS_MAX / 2) {
        lab->diags.count = 0; /* keep room for the next messages */
        lab->diags.errors = 0;
    }
    return ok;
}

static const char *const choices[] = {"auto", "true", "4", NULL};

static const struct ng_field size_field = {
    .name = "f", .type = NG_FIELD_SIZE, .min = 512, .max = 1099511627776.0};
static const struct ng_field any_size = {.name = "f", .type = NG_FIELD_SIZE};
static const struct ng_field rate_field = {
    .name = "f", .type = NG_FIELD_RATE, .min = 1000, .max = 1e12};
static const struct ng_field duration_field = {
    .name = "f", .type = NG_FIELD_DURATION, .min = 1e6, .max = 3600e9};
static const struct ng_field int_field = {.name = "f", .type = NG_FIELD_INT, .min = 1, .max = 1000};
static const struct ng_field any_int = {.name = "f", .type = NG_FIELD_INT};
static const struct ng_field least_int = {.name = "f", .type = NG_FIELD_INT, .min = 5};
static const struct ng_field choice_field = {
    .name = "f", .type = NG_FIELD_CHOICE, .choices = choices};

static void test_whole_values(void **state) {
    (void)state;
    struct lab lab;
    set_up(&lab);
    static const struct {
        const struct ng_field *field;
        const char *yaml;
        int64_t expected;
    } cases[] = {
        {&size_field, "30 GiB", INT64_C(30) << 30},
        {&size_field, "30GiB", INT64_C(30) << 30},
        {&size_field, "\"1.5 KiB\"", 1536},
        {&size_field, "1 TiB", INT64_C(1) << 40},
        {&size_field, "2 Mbit", 250000},
        {&any_size, "0 B", 0},
        {&any_size, "8000000 TB", INT64_C(8000000000000000000)},
        {&rate_field, "10 Gbit/s", 10000000000},
        {&rate_field, "2.5 Gbps", 2500000000},
        {&rate_field, "117 MB/s", 936000000},
        {&duration_field, "250 ms", 250000000},
        {&duration_field, "1.5 s", 1500000000},
        {&duration_field, "2 m", INT64_C(120000000000)},
        {&duration_field, "1 h", INT64_C(3600000000000)},
        {&int_field, "7", 7},
        {&int_field, "+7", 7},
        {&int_field, "0x10", 16},
        {&int_field, "1e3", 1000},
        {&int_field, "4.0", 4},
        {&any_int, "-5", -5},
        {&any_int, "9223372036854775807", INT64_MAX},
        {&any_int, "9007199254740993", INT64_C(9007199254740993)},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        int64_t value = -1;
        const char *message = NULL;
        bool ok = load(&lab, cases[i].field, cases[i].yaml, &value, &message);
        if (!ok || value != cases[i].expected) {
            fail_msg("%s: %lld %s", cases[i].yaml, (long long)value, message);
        }
    }
    tear_down(&lab);
}

static void test_refused(void **state) {
    (void)state;
    struct lab lab;
    set_up(&lab);
    static const struct {
        const struct ng_field *field;
        const char *yaml;
        const char *message;
    } cases[] = {
        {&size_field, "4096", "found the number 4096 without a unit"},
        {&size_field, "\"4096\"", "found the text \"4096\" without a unit"},
        {&size_field, "95%", "found the text \"95%\", a number"},
        {&size_field, "5 s", "found the text \"5 s\", a duration"},
        {&size_field, "5 KB", "write kB or KiB"},
        {&size_field, "511 B", "expected 512 B .. 1 TiB, found \"511 B\""},
        {&size_field, "2 TiB", "expected 512 B .. 1 TiB, found \"2 TiB\""},
        {&size_field, "[1 KiB]", "expected a size such as \"30 GiB\", found a list"},
        {&size_field, "~", "found nothing"},
        {&size_field, "yes", "found \"yes\": no number"},
        {&any_size, "1 bit", "is no whole number of bytes"},
        {&any_size, "10000000 TB", "is too large"},
        {&rate_field, "10 Gbit", "found the text \"10 Gbit\", a size"},
        {&rate_field, "10G", "unknown unit \"G\"; write 10 Gbit/s"},
        {&rate_field, "2.5g", "unknown unit \"g\"; write 2.5 Gbit/s"},
        {&rate_field, "10 gbit", "unknown unit \"gbit\"; write 10 Gbit/s"},
        {&duration_field, "10 GiG", "found \"10 GiG\": unknown unit \"GiG\""},
        {&duration_field, "5M", "found \"5M\": unknown unit \"M\""},
        {&duration_field, "5 sec", "write 5 s"},
        {&size_field, "5K", "write kB or KiB"},
        {&rate_field, "100", "without a unit"},
        {&rate_field, "1 bit/s", "expected 1 kbit/s .. 1 Tbit/s, found \"1 bit/s\""},
        {&duration_field, "10", "without a unit"},
        {&duration_field, "1:30", "do not agree on what \"1:30\" means; write a duration"},
        {&duration_field, "10 us", "expected 1 ms .. 60 min, found \"10 us\""},
        {&duration_field, "0.1 ns", "is no whole number of nanoseconds"},
        {&int_field, "0", "expected 1 .. 1000, found \"0\""},
        {&int_field, "1001", "expected 1 .. 1000, found \"1001\""},
        {&int_field, "0644", "write 644"},
        {&int_field, "1_0", "write 10"},
        {&int_field, "1.5", "expected a whole number such as 4, found the number 1.5"},
        {&int_field, ".inf", "found the number .inf"},
        {&int_field, "\"4\"", "found the text \"4\"; write it without quotes"},
        {&int_field, "4 GiB", "found the text \"4 GiB\""},
        {&least_int, "4", "expected at least 5, found \"4\""},
        {&any_int, "9223372036854775808", "is too large"},
        {&any_int, "1e30", "is too large"},
        {&choice_field, "atuo", "expected auto, true or 4, found the text \"atuo\"; did you mean"},
        {&choice_field, "[auto]", "expected auto, true or 4, found a list"},
        {&choice_field, "5", "expected auto, true or 4, found the number 5"},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        int64_t value[2] = {0};
        const char *message = NULL;
        bool ok = load(&lab, cases[i].field, cases[i].yaml, value, &message);
        if (ok || !strstr(message, cases[i].message)) {
            fail_msg("%s: expected \"%s\", found \"%s\"", cases[i].yaml, cases[i].message, message);
        }
        assert_true(strncmp(message, "f: ", 3) == 0);
    }
    tear_down(&lab);
}

static void test_other_values(void **state) {
    (void)state;
    struct lab lab;
    set_up(&lab);
    const char *message = NULL;
    bool yes = false;
    struct ng_field field = {.name = "f", .type = NG_FIELD_BOOL};
    assert_true(load(&lab, &field, "True", &yes, &message) && yes);
    assert_true(load(&lab, &field, "false", &yes, &message) && !yes);
    assert_false(load(&lab, &field, "1", &yes, &message));
    assert_false(load(&lab, &field, "n", &yes, &message));
    assert_non_null(strstr(message, "write false"));
    double number = 0;
    field.type = NG_FIELD_PERCENT;
    assert_true(load(&lab, &field, "95%", &number, &message));
    assert_true(number > 0.9499 && number < 0.9501);
    assert_false(load(&lab, &field, "0.95", &number, &message));
    field.type = NG_FIELD_NUMBER;
    assert_true(load(&lab, &field, "-.5e1", &number, &message) == false); /* no digit first */
    assert_true(load(&lab, &field, "-0.5e1", &number, &message));
    assert_true(number > -5.01 && number < -4.99);
    field.min = 0;
    field.max = 1;
    assert_false(load(&lab, &field, "1.5", &number, &message));
    assert_string_equal(message, "f: expected 0 .. 1, found \"1.5\"");
    int choice = -1;
    assert_true(load(&lab, &choice_field, "true", &choice, &message) && choice == 1);
    assert_true(load(&lab, &choice_field, "\"4\"", &choice, &message) && choice == 2);
    tear_down(&lab);
}

static void test_texts(void **state) {
    (void)state;
    struct lab lab;
    set_up(&lab);
    const char *message = NULL, *text = NULL;
    struct ng_field field = {.name = "f", .type = NG_FIELD_TEXT};
    assert_true(load(&lab, &field, "2026", &text, &message));
    assert_string_equal(text, "2026");
    assert_true(load(&lab, &field, "|\n  two\n  lines\n", &text, &message));
    assert_false(load(&lab, &field, "\"a\\eb\"", &text, &message));
    assert_false(load(&lab, &field, "{a: b}", &text, &message));
    char *large = ng_xmalloc(NG_FIELD_TEXT_MAX + 2);
    memset(large, 'x', NG_FIELD_TEXT_MAX + 1);
    large[NG_FIELD_TEXT_MAX + 1] = '\0';
    assert_false(load(&lab, &field, large, &text, &message));
    assert_string_equal(message, "f: a text of 4097 bytes; at most 4096");
    free(large);
    field.type = NG_FIELD_NAME;
    assert_true(load(&lab, &field, "nas-1.b_2", &text, &message));
    assert_false(load(&lab, &field, "a b", &text, &message));
    struct ng_texts texts = {0};
    field.type = NG_FIELD_TEXTS;
    assert_true(load(&lab, &field, "alone", &texts, &message));
    assert_int_equal(texts.count, 1);
    assert_true(load(&lab, &field, "[a, 1, true]", &texts, &message));
    assert_int_equal(texts.count, 3);
    assert_string_equal(texts.items[2], "true");
    assert_int_equal(texts.places[1].column, 5);
    assert_true(load(&lab, &field, "[]", &texts, &message));
    assert_int_equal(texts.count, 0);
    struct ng_pairs pairs = {0};
    field.type = NG_FIELD_PAIRS;
    assert_true(load(&lab, &field, "{vers: 3, hard: yes, x: 0644}", &pairs, &message));
    assert_int_equal(pairs.count, 3);
    assert_string_equal(pairs.items[1].value, "yes");
    assert_string_equal(pairs.items[2].value, "0644");
    assert_false(load(&lab, &field, "{a: {b: c}}", &pairs, &message));
    assert_string_equal(message, "a: expected a text, found a map");
    tear_down(&lab);
}

static void test_paths(void **state) {
    (void)state;
    struct lab lab;
    set_up(&lab);
    static const char *const cases[][2] = {
        {"/mnt", "/mnt"},
        {"//mnt//a///", "/mnt/a"},
        {"/./mnt/./a/.", "/mnt/a"},
        {"/", "/"},
        {"/a..b/...", "/a..b/..."},
        {"\"/mit leer/ä\"", "/mit leer/ä"},
        {"mnt", NULL},
        {"/a/../b", NULL},
        {"/..", NULL},
        {"\"/a:b\"", NULL},
        {"\"/a,b\"", NULL},
        {"\"/a\\tb\"", NULL},
        {"\"\"", NULL},
    };
    const struct ng_field field = {.name = "f", .type = NG_FIELD_PATH};
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        const char *message = NULL, *path = NULL;
        assert_int_equal(load(&lab, &field, cases[i][0], &path, &message), cases[i][1] != NULL);
        if (cases[i][1]) {
            assert_string_equal(path, cases[i][1]);
        }
    }
    tear_down(&lab);
}

static void test_things(void **state) {
    (void)state;
    struct lab lab;
    set_up(&lab);
    const char *message = NULL;
    const struct ng_host *host = NULL;
    struct ng_field field = {.name = "f", .type = NG_FIELD_HOST};
    assert_true(load(&lab, &field, "nas", &host, &message));
    assert_ptr_equal(host, &lab.hosts[0]);
    assert_false(load(&lab, &field, "nsa", &host, &message));
    assert_string_equal(message, "f: unknown host \"nsa\"; did you mean \"nas\"?");
    const struct ng_link *link = NULL;
    field.type = NG_FIELD_LINK;
    assert_true(load(&lab, &field, "fiber", &link, &message));
    assert_false(load(&lab, &field, "[fiber]", &link, &message));
    const struct ng_volume *volume = NULL;
    field.type = NG_FIELD_VOLUME;
    assert_true(load(&lab, &field, "repo", &volume, &message));
    assert_false(load(&lab, &field, "elsewhere", &volume, &message));
    assert_string_equal(message, "f: unknown volume \"elsewhere\"; known: repo");
    struct ng_interface interface = {0};
    field.type = NG_FIELD_INTERFACE;
    assert_true(load(&lab, &field, "nas:eth4.100@if2", &interface, &message));
    assert_string_equal(interface.name, "eth4.100@if2");
    assert_false(load(&lab, &field, "nas:sixteen-letters!", &interface, &message));
    assert_false(load(&lab, &field, "nas:a/b", &interface, &message));
    assert_false(load(&lab, &field, "nas:..", &interface, &message));
    assert_false(load(&lab, &field, "nas", &interface, &message));
    assert_false(load(&lab, &field, "nass:eth0", &interface, &message));
    tear_down(&lab);
}

/* A record with everything that records can do. */
struct inner {
    int64_t a;
    const char *b;
};

struct outer {
    struct inner *one;
    struct ng_list many;
    int64_t size;
    bool on;
};

static const struct ng_field inner_fields[] = {
    {.name = "a",
        .type = NG_FIELD_INT,
        .offset = offsetof(struct inner, a),
        .fallback = "7",
        .help = "a number"},
    {.name = "b",
        .type = NG_FIELD_TEXT,
        .offset = offsetof(struct inner, b),
        .flags = NG_REQUIRED,
        .help = "a text"},
};
static const struct ng_record inner_record = {
    "inner", inner_fields, NG_COUNT(inner_fields), sizeof(struct inner), "b", "help"};
static const struct ng_field outer_fields[] = {
    {.name = "one",
        .type = NG_FIELD_RECORD,
        .offset = offsetof(struct outer, one),
        .record = &inner_record,
        .help = "one of them"},
    {.name = "many",
        .type = NG_FIELD_RECORDS,
        .offset = offsetof(struct outer, many),
        .record = &inner_record,
        .min = 1,
        .max = 3,
        .help = "some of them"},
    {.name = "size",
        .type = NG_FIELD_SIZE,
        .offset = offsetof(struct outer, size),
        .fallback = "4 KiB",
        .help = "a size"},
    {.name = "on",
        .type = NG_FIELD_BOOL,
        .offset = offsetof(struct outer, on),
        .fallback = "true",
        .help = "a switch"},
};
static const struct ng_record outer_record = {
    "outer", outer_fields, NG_COUNT(outer_fields), sizeof(struct outer), NULL, "help"};

static void test_records(void **state) {
    (void)state;
    struct lab lab;
    set_up(&lab);
    static const char yaml[] = "{one: text, many: [x, {a: 1, b: y}], extra: 5}";
    static const char *const also[] = {"extra", NULL};
    struct ng_node *node = ng_node_parse(&lab.arena, "f", yaml, sizeof yaml - 1, &lab.diags);
    struct outer out = {0};
    assert_true(ng_record_load(&lab.loading, &outer_record, node, also, &out));
    assert_int_equal(out.one->a, 7);
    assert_string_equal(out.one->b, "text");
    assert_int_equal(out.many.count, 2);
    const struct inner *many = out.many.items;
    assert_int_equal(many[0].a, 7);
    assert_int_equal(many[1].a, 1);
    assert_string_equal(many[1].b, "y");
    assert_int_equal(out.size, 4096);
    assert_true(out.on);
    assert_int_equal(ng_field_place(node, "many").column, 19);
    assert_int_equal(ng_field_place(node, "size").column, 1); /* absent: the record's own place */
    assert_false(ng_record_load(&lab.loading, &outer_record, node, NULL, &out));
    assert_string_equal(
        lab.diags.items[0].text, "unknown key \"extra\" in outer; known here: one, many, size, on");
    tear_down(&lab);
}

static void test_ranges(void **state) {
    (void)state;
    static const struct {
        struct ng_field field;
        const char *text;
    } cases[] = {
        {{.type = NG_FIELD_INT}, ""},
        {{.type = NG_FIELD_INT, .min = 1, .max = 9}, "1 .. 9"},
        {{.type = NG_FIELD_INT, .max = 9}, "0 .. 9"},
        {{.type = NG_FIELD_INT, .min = 2, .max = 2}, "2"},
        {{.type = NG_FIELD_INT, .min = 2}, "at least 2"},
        {{.type = NG_FIELD_INT, .min = -2, .max = 0}, "-2 .. 0"},
        {{.type = NG_FIELD_SIZE, .min = 512, .max = 1048576}, "512 B .. 1 MiB"},
        {{.type = NG_FIELD_RATE, .min = 1e6, .max = 1e10}, "1 Mbit/s .. 10 Gbit/s"},
        {{.type = NG_FIELD_DURATION, .min = 1e6, .max = 10e9}, "1 ms .. 10 s"},
        {{.type = NG_FIELD_PERCENT, .min = 0.5, .max = 0.999}, "50% .. 99.9%"},
        {{.type = NG_FIELD_NUMBER, .min = 0.25, .max = 2}, "0.25 .. 2"},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        struct ng_buf out;
        ng_buf_init(&out, 100);
        ng_field_range(&cases[i].field, &out);
        assert_string_equal(ng_buf_text(&out), cases[i].text);
        ng_buf_release(&out);
    }
}

/* Nothing at all is said in the unit in which people say it. */
static void test_zeros(void **state) {
    (void)state;
    static const struct ng_field fields[] = {
        {.name = "size", .type = NG_FIELD_SIZE, .offset = 0, .flags = NG_REQUIRED},
        {.name = "rate", .type = NG_FIELD_RATE, .offset = 8, .flags = NG_REQUIRED},
        {.name = "time", .type = NG_FIELD_DURATION, .offset = 16, .flags = NG_REQUIRED},
    };
    static const struct ng_record record = {
        .name = "r", .fields = fields, .count = NG_COUNT(fields), .size = 24};
    const int64_t zeros[3] = {0, 0, 0};
    const int64_t values[3] = {3072, 2500000000, 90000000000};
    struct ng_buf out;
    ng_buf_init(&out, 1000);
    ng_record_write(&record, zeros, 0, &out);
    ng_record_write(&record, values, 2, &out);
    assert_string_equal(ng_buf_text(&out), "size: 0 B\nrate: 0 bit/s\ntime: 0 s\n"
                                           "  size: 3 KiB\n  rate: 2500 Mbit/s\n  time: 90 s\n");
    ng_buf_release(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_values),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_other_values),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_things),
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
