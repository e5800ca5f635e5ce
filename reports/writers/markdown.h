/**
 * markdown.h - the report as Markdown, for report.md and for report.html that is made of it.
 */
#ifndef NG_WRITERS_MARKDOWN_H
#define NG_WRITERS_MARKDOWN_H

#include "reports/writers/view.h"
#include "runner/base/buf.h"

/**
 * Spells the whole report. Foreign text stands in code spans and fenced blocks only; the only HTML
 * is `<details>`, `</details>` and a `<summary>` of fixed words, each alone in its block.
 */
void ng_markdown_spell(const struct ng_view *view, struct ng_buf *out);

#endif
