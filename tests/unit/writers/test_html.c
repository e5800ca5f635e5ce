/* test_html.c - report.html: nothing foreign in it has an effect. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>
#include <cmocka.h>

#include "reports/writers/html_tree.h"
#include "reports/writers/writer.h"
#include "tests/unit/writers/cases.h"

/** Markdown as it would be shown if it had got into the report of this result. */
static char *show(const struct ng_result *result, const char *markdown) {
    struct ng_arena arena;
    struct ng_err err = {0};
    ng_arena_init(&arena);
    cmark_gfm_core_extensions_ensure_registered();
    cmark_parser *parser = cmark_parser_new(CMARK_OPT_DEFAULT);
    cmark_parser_attach_syntax_extension(parser, cmark_find_syntax_extension("table"));
    cmark_parser_feed(parser, markdown, strlen(markdown));
    cmark_node *doc = cmark_parser_finish(parser);
    if (!ng_html_tree_prepare(doc, ng_view_build(result, &arena), &err)) {
        fail_msg("%s", err.text);
    }
    char *html =
        cmark_render_html(doc, CMARK_OPT_UNSAFE, cmark_parser_get_syntax_extensions(parser));
    cmark_node_free(doc);
    cmark_parser_free(parser);
    ng_arena_release(&arena);
    return html;
}

static void test_what_is_shown(void **state) {
    (void)state;
    const struct {
        const char *markdown, *html;
    } rows[] = {
        {"<script>alert(1)</script>\n",
            "<pre><code>&lt;script&gt;alert(1)&lt;/script&gt;\n</code></pre>\n"},
        {"a <b onclick=x>b</b>\n",
            "<p>a <code>&lt;b onclick=x&gt;</code>b<code>&lt;/b&gt;</code></p>\n"},
        {"<details>\n<summary>Two words</summary>\n\n</details>\n",
            "<details>\n<summary>Two words</summary>\n</details>\n"},
        {"<details open>\n<summary>x</summary>\n\n",
            "<pre><code>&lt;details open&gt;\n&lt;summary&gt;x&lt;/summary&gt;\n</code></pre>\n"},
        {"<details>\n<summary><i>x</i></summary>\n\n",
            "<pre><code>&lt;details&gt;\n&lt;summary&gt;&lt;i&gt;x&lt;/i&gt;&lt;/summary&gt;\n"
            "</code></pre>\n"},
        {"<details>\n<summary>x</summary><script>y</script>\n\n",
            "<pre><code>&lt;details&gt;\n&lt;summary&gt;x&lt;/summary&gt;&lt;script&gt;y&lt;"
            "/script&gt;\n</code></pre>\n"},
        {"[a *b*](javascript:x)\n", "<p>a <em>b</em></p>\n"},
        {"<https://example.org/>\n", "<p>https://example.org/</p>\n"},
        {"![far](https://example.org/x.png)\n", "<p>far</p>\n"},
        {"![no plot](plots/other.svg)\n", "<p>no plot</p>\n"},
        {"see ![x](plots/bulk-ladder.svg)\n", "<p>see x</p>\n"},
        {"[![x](plots/bulk-ladder.svg)](y)\n", "<p>x</p>\n"},
        {"www.example.org me@example.org\n", "<p>www.example.org me@example.org</p>\n"},
        {"# pass - a - b\n", "<h1><span class=\"good\">pass</span> a - b</h1>\n"},
        {"# passed - a\n", "<h1>passed - a</h1>\n"},
        {"## pass - a\n", "<h2>pass - a</h2>\n"},
    };
    struct ng_result *result = case_pass();
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        char *html = show(result, rows[i].markdown);
        assert_string_equal(html, rows[i].html);
        free(html);
    }
    ng_result_free(result);
}

static void test_words_in_tables(void **state) {
    (void)state;
    struct ng_result *result = case_pass();
    char *html = show(result, "| a |\n| --- |\n| FAIL |\n| `FAIL` |\n| a FAIL |\n| held |\n");
    assert_non_null(strstr(html, "<div class=\"table\">\n<table>"));
    assert_non_null(strstr(html, "</table>\n</div>"));
    assert_non_null(strstr(html, "<td><span class=\"bad\">FAIL</span></td>"));
    assert_non_null(strstr(html, "<td><code>FAIL</code></td>"));
    assert_non_null(strstr(html, "<td>a FAIL</td>"));
    assert_non_null(strstr(html, "<td><span class=\"good\">held</span></td>"));
    free(html);
    ng_result_free(result);
}

static void test_plots_stand_in_the_page(void **state) {
    (void)state;
    struct ng_result *result = case_pass();
    char *html = show(result, "![x](plots/bulk-ladder.svg)\n\n![y](plots/phase-wire-out.svg)\n");
    assert_int_equal(strncmp(html, "<figure>\n<svg ", 14), 0);
    assert_non_null(strstr(html, "id=\"bulk-ladder-title\""));
    assert_non_null(strstr(html, "id=\"phase-wire-out-title\""));
    assert_null(strstr(html, "<img"));
    assert_null(strstr(html, "<style"));
    free(html);
    ng_result_free(result);
}

/** So many plots that a page cannot hold them: the rest is named. */
static void test_too_many_plots(void **state) {
    (void)state;
    enum { PHASES = 1200 };
    double samples[NG_SERIES_MAX];
    for (size_t i = 0; i < NG_COUNT(samples); i++) {
        samples[i] = (double)(i % 97) * 1e7 + 1e8;
    }
    struct ng_result *result = case_base("many");
    for (int i = 0; i < PHASES; i++) {
        struct ng_phase_result *phase =
            case_phase(result, ng_arena_printf(&result->arena, "p%d", i), "iperf3", "fiber", 1, 1);
        struct ng_repeat *repeat = case_repeat(result, phase);
        ng_repeat_measure(&result->arena, repeat, &throughput, 1e9);
        ng_repeat_sample(
            &result->arena, repeat, &throughput, NG_NS_PER_S, samples, NG_COUNT(samples));
        case_verdict(phase, NG_VERDICT_PASS, "measured");
    }
    case_end(result);
    struct ng_buf out;
    struct ng_err err = {0};
    ng_buf_init(&out, NG_REPORT_BYTES_MAX);
    assert_true(ng_writer_text(&ng_writer_html, result, &out, &err));
    assert_int_equal(out.cut, 0);
    assert_non_null(strstr(ng_buf_text(&out), "<p>This plot is in plots/phase-p"));
    ng_buf_release(&out);
    ng_result_free(result);
}

static void test_head(void **state) {
    (void)state;
    struct ng_result *result = case_hostile();
    struct ng_buf out;
    struct ng_err err = {0};
    ng_buf_init(&out, NG_REPORT_BYTES_MAX);
    assert_true(ng_writer_text(&ng_writer_html, result, &out, &err));
    const char *html = ng_buf_text(&out);
    assert_int_equal(strncmp(html, "<!DOCTYPE html>\n", 16), 0);
    assert_non_null(strstr(html, "content=\"default-src 'none'; "));
    static const char *const never[] = {"<script", "<img", "<link", "<iframe", "<b>", "<!--",
        " onload", " href", " src", "javascript:", "@import", "url("};
    for (size_t i = 0; i < NG_COUNT(never); i++) {
        if (strstr(html, never[i]) != NULL) {
            fail_msg("%s is in the page", never[i]);
        }
    }
    ng_buf_release(&out);
    ng_result_free(result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_shown),
        cmocka_unit_test(test_words_in_tables),
        cmocka_unit_test(test_plots_stand_in_the_page),
        cmocka_unit_test(test_too_many_plots),
        cmocka_unit_test(test_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
