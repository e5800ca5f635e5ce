/* html.c - report.html: the report's Markdown by cmark-gfm, in one file that needs no other. */
#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>
#include <stdlib.h>

#include "reports/writers/html_tree.h"
#include "reports/writers/markdown.h"
#include "reports/writers/markdown_text.h"
#include "reports/writers/svg.h"
#include "reports/writers/writer.h"

/* reports/writers/report.css, built in. */
extern const unsigned char ng_report_css[];
extern const size_t ng_report_css_len;

enum { OPTIONS = CMARK_OPT_VALIDATE_UTF8 | CMARK_OPT_UNSAFE };

/** Nothing but the styles of this file may have an effect, whatever is in it. */
#define POLICY "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

static void add_head(const struct ng_view *view, struct ng_buf *out) {
    ng_buf_adds(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"" POLICY "\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                     "<meta name=\"color-scheme\" content=\"light dark\">\n");
    ng_buf_addf(out, "<title>%s - ", view->verdict);
    ng_md_heading(out, view->result->plan_name);
    ng_buf_adds(out, "</title>\n<style>\n");
    ng_buf_add(out, ng_report_css, ng_report_css_len);
    ng_buf_adds(out, "@media screen and (prefers-color-scheme: dark) {\n");
    ng_svg_dark_style(out);
    ng_buf_adds(out, "}\n</style>\n</head>\n<body>\n<main>\n");
}

static bool render(const struct ng_view *view, const struct ng_buf *markdown, struct ng_buf *out,
    struct ng_err *err) {
    cmark_gfm_core_extensions_ensure_registered();
    cmark_syntax_extension *table = cmark_find_syntax_extension("table");
    cmark_parser *parser = cmark_parser_new(OPTIONS);
    if (table == NULL || cmark_parser_attach_syntax_extension(parser, table) == 0) {
        cmark_parser_free(parser);
        return ng_err_set(err, NG_ERR_INTERNAL, "cmark-gfm knows no tables");
    }
    cmark_parser_feed(parser, ng_buf_text(markdown), markdown->len);
    cmark_node *doc = cmark_parser_finish(parser);
    bool ok = ng_html_tree_prepare(doc, view, err);
    if (ok) {
        char *html = cmark_render_html(doc, OPTIONS, cmark_parser_get_syntax_extensions(parser));
        ng_buf_adds(out, html);
        free(html);
    }
    cmark_node_free(doc);
    cmark_parser_free(parser);
    return ok;
}

static bool write(const struct ng_view *view, struct ng_buf *out, struct ng_err *err) {
    struct ng_buf markdown;
    ng_buf_init(&markdown, NG_REPORT_BYTES_MAX);
    ng_markdown_spell(view, &markdown);
    add_head(view, out);
    bool ok = markdown.cut == 0 || ng_err_set(err, NG_ERR_LIMIT,
                                       "the report is larger than %d bytes", NG_REPORT_BYTES_MAX);
    ok = ok && render(view, &markdown, out, err);
    ng_buf_adds(out, "</main>\n</body>\n</html>\n");
    ng_buf_release(&markdown);
    return ok;
}

const struct ng_writer ng_writer_html = {
    .name = "html",
    .file = "report.html",
    .help = "the same in one HTML file, plots included, without scripts",
    .write = write,
};
