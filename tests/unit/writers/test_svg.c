/* test_svg.c - drawings: bytes, escaping, scales, and what is picked to be drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <float.h>

#include "reports/writers/plot.h"
#include "reports/writers/plot_pick.h"
#include "reports/writers/plot_scale.h"
#include "reports/writers/svg.h"
#include "tests/unit/writers/cases.h"

static void assert_has(const struct ng_buf *text, const char *part) {
    if (strstr(ng_buf_text(text), part) == NULL) {
        fail_msg("no \"%s\" in\n%s", part, ng_buf_text(text));
    }
}

static void assert_has_not(const struct ng_buf *text, const char *part) {
    if (strstr(ng_buf_text(text), part) != NULL) {
        fail_msg("\"%s\" in\n%s", part, ng_buf_text(text));
    }
}

static size_t count(const struct ng_buf *text, const char *part) {
    size_t found = 0;
    for (const char *at = ng_buf_text(text); (at = strstr(at, part)) != NULL; at++) {
        found++;
    }
    return found;
}

static void test_document(void **state) {
    (void)state;
    struct ng_buf out;
    struct ng_err err = {0};
    ng_buf_init(&out, NG_PLOT_BYTES);
    for (int inside = 0; inside < 2; inside++) {
        const struct ng_svg_head head = {.id = "x",
            .width = 100,
            .height = 50,
            .title = "a <b> & \"c\" ]]> \x1b[31mred\x01 \xff",
            .desc = "\xe2\x80\xae",
            .inside_page = inside == 1};
        struct ng_svg *svg = ng_svg_new(&head);
        ng_svg_rect(svg, NG_SVG_WITHIN, -5, 0, -3, 1205, "hover <i>");
        ng_svg_text(svg, NG_SVG_TEXT, NG_SVG_END, NG_SVG_SMALL, 10, 20, "0123456789", 6);
        ng_buf_clear(&out);
        assert_true(ng_svg_finish(svg, &out, &err));
        assert_has(&out,
            "<title id=\"x-title\">a &lt;b&gt; &amp; &quot;c&quot; ]]&gt; red\\x01 \xEF\xBF\xBD");
        assert_has(&out, "<desc id=\"x-desc\">\\u{202E}</desc>");
        assert_has(&out, "viewBox=\"0 0 100 50\" role=\"img\"");
        assert_has(&out, "<rect x=\"-0.5\" y=\"0\" width=\"0\" height=\"120.5\"");
        assert_has(&out, "hover &lt;i&gt;");
        assert_has(&out, ">012...</text>");
        assert_int_equal(count(&out, "<?xml"), 1 - inside);
        assert_int_equal(count(&out, "<style>@media (prefers-color-scheme:dark){"), 1 - inside);
        assert_int_equal(count(&out, "xmlns"), 1 - inside);
        // Without any style it must not be black: every shape has its light colour.
        assert_int_equal(count(&out, "class="), count(&out, "fill="));
    }
    ng_buf_release(&out);
}

static void test_points(void **state) {
    (void)state;
    struct ng_buf data;
    ng_buf_init(&data, 100);
    ng_svg_point(&data, 'M', 0, -1);
    ng_svg_point(&data, 'L', 1234, 10);
    ng_svg_point(&data, 'Z', 0, 0);
    assert_string_equal(ng_buf_text(&data), "M0 -0.1L123.4 1Z");
    ng_buf_release(&data);
}

static void test_scale(void **state) {
    (void)state;
    const struct {
        double max;
        struct ng_dim dim;
        enum ng_spelling spelling;
        const char *unit, *first, *last;
        int ticks;
    } rows[] = {
        {443.2e6, NG_DIM_RATE, NG_SPELLING_PLAIN, "MB/s", "100", "500", 5},
        {9.44e9 / 8, NG_DIM_RATE, NG_SPELLING_BITS, "Gbit/s", "2", "10", 5},
        {480e6, NG_DIM_RATE, NG_SPELLING_PLAIN, "MB/s", "100", "500", 5},
        {499e6, NG_DIM_RATE, NG_SPELLING_PLAIN, "MB/s", "200", "600", 3},
        {1391, NG_DIM_IOPS, NG_SPELLING_PLAIN, "IOPS", "500", "1500", 3},
        {0.0123, NG_DIM_TIME, NG_SPELLING_PLAIN, "ms", "5", "15", 3},
        {0.002, NG_DIM_NONE, NG_SPELLING_SHARE, "%", "0.05", "0.25", 5},
        {12, NG_DIM_NONE, NG_SPELLING_PLAIN, "", "5", "15", 3},
        {0, NG_DIM_NONE, NG_SPELLING_PLAIN, "", "0.2", "1", 5},
        {(double)NAN, NG_DIM_RATE, NG_SPELLING_PLAIN, "B/s", "0.2", "1", 5},
        {1, NG_DIM_NONE, NG_SPELLING_PLAIN, "", "0.5", "1.5", 3},
        {200, NG_DIM_TIME, NG_SPELLING_PLAIN, "min", "1", "4", 4},
    };
    struct ng_arena arena;
    ng_arena_init(&arena);
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_scale scale = ng_scale_fit(rows[i].max, rows[i].dim, rows[i].spelling, &arena);
        assert_string_equal(scale.unit, rows[i].unit);
        assert_string_equal(ng_scale_tick(&scale, 0, &arena), "0");
        assert_string_equal(ng_scale_tick(&scale, 1, &arena), rows[i].first);
        assert_string_equal(ng_scale_tick(&scale, scale.ticks, &arena), rows[i].last);
        assert_int_equal(scale.ticks, rows[i].ticks);
        assert_true(isnan(rows[i].max) || scale.top >= rows[i].max);
    }
    ng_arena_release(&arena);
}

/** No value of a file that anyone may have written leaves the drawing, or the range of an int. */
static void test_scale_far_out(void **state) {
    (void)state;
    const double values[] = {DBL_MAX, DBL_MAX / 2, 5e-324, 1e-300, 1e300, 1e22, 1e23, 3.7e-9};
    struct ng_arena arena;
    ng_arena_init(&arena);
    for (size_t i = 0; i < NG_COUNT(values); i++) {
        struct ng_scale scale = ng_scale_fit(values[i], NG_DIM_RATE, NG_SPELLING_PLAIN, &arena);
        assert_true(scale.top > 0 && isfinite(scale.top));
        assert_true(scale.ticks >= 1 && scale.ticks <= 6);
        for (int tick = 0; tick <= scale.ticks; tick++) {
            assert_true(strlen(ng_scale_tick(&scale, tick, &arena)) < 24);
        }
        for (size_t j = 0; j < NG_COUNT(values); j++) {
            int at = ng_scale_at(&scale, values[j], 1000);
            assert_true(at >= 0 && at <= 1000);
        }
        assert_int_equal(ng_scale_at(&scale, (double)NAN, 1000), 0);
        assert_int_equal(ng_scale_at(&scale, -1, 1000), 0);
        assert_int_equal(ng_scale_at(&scale, (double)INFINITY, 1000), 1000);
    }
    ng_arena_release(&arena);
}

static void test_limits(void **state) {
    (void)state;
    const struct {
        const char *text;
        bool found;
    } rows[] = {
        {"write.bw >= 1 MB/s", true},
        {"median(write.bw) >= 1 MB/s", true},
        {"min(write.bw) >= 1 MB/s", true},
        {"cv(write.bw) <= 1%", false},
        {"stddev(write.bw) <= 1 MB/s", false},
        {"median(write.bw >= 1 MB/s", false},
        {"write.bw.x >= 1 MB/s", false},
        {"xmin(write.bw) >= 1 MB/s", false},
        {"write.bw - 1 MB/s >= 1 MB/s", false},
        {"", false},
        {"()", false},
        {"min()", false},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_result *result = case_base("limits");
        struct ng_phase_result *phase = case_phase(result, "p", "fio", "repo", 1, 1);
        case_judged(
            result, phase, rows[i].text, NG_CMP_GE, NG_DIM_RATE, 2.0 * MB, 1.0 * MB, (double)NAN);
        struct ng_plot_pick pick;
        ng_plot_pick_limits(phase, "write.bw", &pick);
        if (pick.limit_count != (rows[i].found ? 1 : 0)) {
            fail_msg("%s: %zu limits", rows[i].text, pick.limit_count);
        }
        ng_result_free(result);
    }
}

static void test_within_is_two_lines(void **state) {
    (void)state;
    struct ng_result *result = case_base("within");
    struct ng_phase_result *phase = case_write(result, 500.0 * MB, 1.0 * MB, 400.0 * MB);
    phase->judged_count = 0;
    case_judged(result, phase, "write.bw within 250 .. 450 MB/s", NG_CMP_WITHIN, NG_DIM_RATE,
        500.0 * MB, 250.0 * MB, 450.0 * MB);
    struct ng_plot_pick pick;
    assert_true(ng_plot_pick(phase, &pick));
    assert_int_equal(pick.limit_count, 2);
    assert_true(!pick.limits[0].broken && pick.limits[1].broken && pick.broken);
    phase->judged[0].gates = false; // predictions draw no line
    assert_true(ng_plot_pick(phase, &pick));
    assert_int_equal(pick.limit_count, 0);
    ng_result_free(result);
}

/** What broke its limit is what must be seen. */
static void test_picks_what_is_broken(void **state) {
    (void)state;
    struct ng_result *result = case_base("broken");
    case_read(result);
    struct ng_plot_pick pick;
    assert_true(ng_plot_pick(&result->phases[0], &pick));
    assert_string_equal(pick.metric, "read.iops");
    result->phases[0].judged[1].held = NG_BROKEN;
    assert_true(ng_plot_pick(&result->phases[0], &pick));
    assert_string_equal(pick.metric, "read.lat.p99");
    assert_true(pick.broken && !pick.over_time);
    result->phases[0].repeats[0].valid = false;
    assert_false(ng_plot_pick(&result->phases[0], &pick));
    ng_result_free(result);
}

/** Draws the only phase of a result. */
static void draw(const struct ng_result *result, struct ng_buf *out) {
    struct ng_arena arena;
    struct ng_err err = {0};
    ng_arena_init(&arena);
    ng_buf_init(out, NG_PLOT_BYTES);
    const struct ng_view *view = ng_view_build(result, &arena);
    if (!ng_plot_phase(&view->phases[0], false, out, &err)) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(out->cut, 0);
    ng_arena_release(&arena);
}

static struct ng_result *course(const double *samples, size_t n, int repeats) {
    struct ng_result *result = case_base("course");
    struct ng_phase_result *phase = case_phase(result, "wire", "iperf3", "fiber", 1, repeats);
    for (int i = 0; i < repeats; i++) {
        struct ng_repeat *repeat = case_repeat(result, phase);
        ng_repeat_measure(&result->arena, repeat, &throughput, 1.1e9);
        ng_repeat_sample(&result->arena, repeat, &throughput, NG_NS_PER_S, samples, n);
    }
    case_verdict(phase, NG_VERDICT_PASS, "measured");
    return result;
}

static void test_stalls(void **state) {
    (void)state;
    const double samples[] = {1.1e9, 1.2e9, 1e7, 0, 1.1e9, (double)NAN, 1.1e9, 0};
    struct ng_result *result = course(samples, NG_COUNT(samples), 1);
    struct ng_buf out;
    draw(result, &out);
    assert_int_equal(count(&out, "class=\"ng-stall\""), 2);
    assert_has(&out, "2 stalls, the longest 2 s.");
    assert_has(&out, "time, one sample per 1 s; 2 stalls (below 10% of the median)");
    assert_has(&out, "highest 9.6 Gbit/s");
    assert_has(&out, "average 8.8");
    assert_has(&out, "peak 9.6");
    assert_int_equal(count(&out, "class=\"ng-within-line\""), 1);
    assert_int_equal(count(&out, "M"), 2 + 2); // the gap parts line and area
    ng_buf_release(&out);
    ng_result_free(result);
}

/** A stall of a second in an hour is seen, in at most some hundred points. */
static void test_long(void **state) {
    (void)state;
    enum { HOUR = 3600 };
    static double samples[HOUR];
    for (size_t i = 0; i < HOUR; i++) {
        samples[i] = 1.1e9 + (double)(i % 7) * 1e6;
    }
    samples[1800] = 0;
    struct ng_result *result = course(samples, HOUR, 1);
    struct ng_buf out;
    draw(result, &out);
    assert_int_equal(count(&out, "class=\"ng-stall\""), 1);
    assert_has(&out, "lowest and highest sample of each 9 s");
    assert_true(out.len < 40000);
    ng_buf_release(&out);
    ng_result_free(result);
}

static void test_many_repeats(void **state) {
    (void)state;
    const double samples[] = {1e9, 1.1e9};
    struct ng_result *result = course(samples, NG_COUNT(samples), 40);
    result->phases[0].repeats[1].valid = false;
    struct ng_buf out;
    draw(result, &out);
    assert_int_equal(count(&out, "class=\"ng-within-line\""), NG_PLOT_LINES - 1);
    assert_int_equal(count(&out, "class=\"ng-uncounted-line\""), 1);
    assert_has(&out, "a line for each of the first 12 repeats");
    assert_has(&out, "median of 39 repeats 8.8 Gbit/s");
    ng_buf_release(&out);
    for (size_t i = 0; i < result->phases[0].repeat_count; i++) {
        result->phases[0].repeats[i].series_count = 0;
    }
    draw(result, &out);
    assert_int_equal(count(&out, "<title>repeat "), NG_PLOT_BARS);
    assert_has(&out, "the first 24 of 40");
    ng_buf_release(&out);
    ng_result_free(result);
}

/** A file may hold any series: none of them is believed. */
static void test_strange_series(void **state) {
    (void)state;
    static double values[2000];
    const struct ng_series rows[] = {
        {"throughput", {1, -1}, NG_SPELLING_BITS, 0, 1, values, 10, 10},
        {"throughput", {1, -1}, NG_SPELLING_BITS, 1, 0, values, 10, 10},
        {"throughput", {1, -1}, NG_SPELLING_BITS, 1, 3, values, 10, 10},
        {"throughput", {1, -1}, NG_SPELLING_BITS, 1, 1, values, 2000, 2000},
        {"throughput", {1, -1}, NG_SPELLING_BITS, 1, 1, values, 1, 1},
        {"throughput", {1, -1}, NG_SPELLING_BITS, 1, 2, values, 3, 3},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_result *result = course(values, 4, 1);
        struct ng_buf out;
        result->phases[0].repeats[0].series[0] = rows[i];
        draw(result, &out);
        assert_has(&out, "each bar is one repeat");
        ng_buf_release(&out);
        ng_result_free(result);
    }
    struct ng_result *result = course(values, 4, 1);
    struct ng_buf out;
    struct ng_series far = {
        "throughput", {1, -1}, NG_SPELLING_BITS, INT64_MAX, 1, values, 800, 800};
    result->phases[0].repeats[0].series[0] = far;
    draw(result, &out);
    assert_has_not(&out, "nan");
    assert_has_not(&out, "inf");
    ng_buf_release(&out);
    ng_result_free(result);
}

/** File names of phases whose names differ only in what a file name cannot hold. */
static void test_names(void **state) {
    (void)state;
    static const char *const names[] = {"a.b", "A-B", "a-b", "../../etc", "a_b", "", "other"};
    static const char *const files[] = {"plots/phase-a-b.svg", "plots/phase-a-b_2.svg",
        "plots/phase-a-b_3.svg", "plots/phase-------etc.svg", "plots/phase-a-b_4.svg",
        "plots/phase-unnamed.svg", "plots/phase-other.svg"};
    struct ng_result *result = case_base("names");
    for (size_t i = 0; i < NG_COUNT(names); i++) {
        struct ng_phase_result *phase = case_phase(result, names[i], "fio", "repo", 1, 1);
        ng_repeat_measure(&result->arena, case_repeat(result, phase), &write_bw, 1e6);
    }
    case_phase(result, "nothing", "fio", "repo", 1, 1);
    struct ng_arena arena;
    ng_arena_init(&arena);
    const struct ng_view *view = ng_view_build(result, &arena);
    for (size_t i = 0; i < NG_COUNT(names); i++) {
        assert_string_equal(view->phases[i].plot.file, files[i]);
    }
    assert_null(view->phases[NG_COUNT(names)].plot.file);
    ng_arena_release(&arena);
    ng_result_free(result);
}

static void test_long_ladder(void **state) {
    (void)state;
    struct ng_result *result = case_base("ladder");
    for (int i = 0; i < 100; i++) {
        struct ng_phase_result *phase =
            case_phase(result, ng_arena_printf(&result->arena, "p%d", i), "fio", "repo", 1, 1);
        ng_repeat_measure(&result->arena, case_repeat(result, phase), &write_bw, 1e6 * (i + 1));
    }
    struct ng_arena arena;
    struct ng_buf out;
    struct ng_err err = {0};
    ng_arena_init(&arena);
    ng_buf_init(&out, NG_PLOT_BYTES);
    assert_true(ng_plot_bulk(ng_view_build(result, &arena), false, &out, &err));
    assert_int_equal(count(&out, "class=\"ng-within\""), NG_PLOT_RUNGS);
    assert_has(&out, "the slowest 40 of 100");
    assert_has(&out, ">not judged</tspan>: no limit on any of them</text>");
    ng_buf_release(&out);
    ng_arena_release(&arena);
    ng_result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_document),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_scale_far_out),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_within_is_two_lines),
        cmocka_unit_test(test_picks_what_is_broken),
        cmocka_unit_test(test_stalls),
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_many_repeats),
        cmocka_unit_test(test_strange_series),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_long_ladder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
