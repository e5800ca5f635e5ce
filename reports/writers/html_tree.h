/**
 * html_tree.h - the tree of the report's Markdown, before it becomes HTML: plots are put in, words
 * of verdicts get their class, and whatever is not ours loses its effect.
 */
#ifndef NG_WRITERS_HTML_TREE_H
#define NG_WRITERS_HTML_TREE_H

#include <cmark-gfm.h>
#include <stdbool.h>

#include "reports/writers/view.h"
#include "runner/base/err.h"

/** Plots beyond this many bytes of SVG in a page are only named. */
enum { NG_HTML_PLOT_BYTES = 16 * 1000 * 1000 };

/**
 * Changes the tree in place. Afterwards its only raw HTML is ours: details, summaries of letters
 * and blanks, spans around verdicts, frames around tables and plots. HTML, links and pictures that
 * came in some other way are shown as text: the renderer may be allowed raw HTML.
 */
bool ng_html_tree_prepare(cmark_node *doc, const struct ng_view *view, struct ng_err *err);

#endif
