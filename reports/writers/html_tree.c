/* html_tree.c - the report's tree before it becomes HTML. */
#include "reports/writers/html_tree.h"

#include <string.h>

#include "reports/writers/plot.h"
#include "runner/base/arena.h"
#include "runner/base/guard.h"

/** Nodes of the tree, collected first: a tree that changes cannot be walked. */
struct nodes {
    cmark_node **items;
    size_t count, capacity;
};

struct page {
    struct ng_arena arena;
    const struct ng_view *view;
    size_t plotted; /* bytes */
    struct ng_err *err;
    bool ok;
};

/** Words that a report says of things, and the class each is shown in. */
struct word {
    const char *text, *class;
};
static const struct word words[] = {
    {"pass", "good"},
    {"held", "good"},
    {"valid", "good"},
    {"FAIL", "bad"},
    {"ERROR", "bad"},
    {"broken", "bad"},
    {"not valid", "bad"},
    {"INCONCLUSIVE", "doubt"},
    {"inconclusive", "doubt"},
    {"unknown", "doubt"},
    {"undecided", "doubt"},
    {"missed", "doubt"},
    {"partial", "doubt"},
    {"disowned", "doubt"},
    {"warning", "doubt"},
    {"skipped", "calm"},
    {"not run", "calm"},
    {"note", "calm"},
};

static const struct word *find_word(const char *text) {
    for (size_t i = 0; i < NG_COUNT(words); i++) {
        if (strcmp(words[i].text, text) == 0) {
            return &words[i];
        }
    }
    return NULL;
}

/** Notes whether a change of the tree worked. */
static void changed(struct page *page, int done) {
    if (done == 0 && page->ok) {
        page->ok = ng_err_set(page->err, NG_ERR_INTERNAL, "the page's tree took no change");
    }
}

static void collect(struct page *page, cmark_node *doc, struct nodes *nodes) {
    cmark_iter *iter = cmark_iter_new(doc);
    cmark_event_type event;
    while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
        if (event == CMARK_EVENT_ENTER) {
            nodes->items = ng_arena_grow(
                &page->arena, nodes->items, nodes->count, &nodes->capacity, sizeof(cmark_node *));
            nodes->items[nodes->count++] = cmark_iter_get_node(iter);
        }
    }
    cmark_iter_free(iter);
}

static const char *literal(cmark_node *node) {
    const char *text = cmark_node_get_literal(node);
    return text != NULL ? text : "";
}

static cmark_node *raw(cmark_node_type type, const char *html) {
    cmark_node *node = cmark_node_new(type);
    cmark_node_set_literal(node, html);
    return node;
}

/** Puts another node in a node's place and frees the old one with all it holds. */
static void replace(struct page *page, cmark_node *old, cmark_node *with) {
    changed(page, cmark_node_replace(old, with));
    cmark_node_free(old);
}

/** "<details>\n<summary>Letters and blanks</summary>" or "</details>", as report.md has them. */
static bool is_ours(const char *html) {
    static const char open[] = "<details>\n<summary>";
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ";
    if (strcmp(html, "</details>\n") == 0) {
        return true;
    }
    if (strncmp(html, open, sizeof open - 1) != 0) {
        return false;
    }
    html += sizeof open - 1;
    return strcmp(html + strspn(html, letters), "</summary>\n") == 0;
}

static void check_raw(struct page *page, cmark_node *node) {
    bool block = cmark_node_get_type(node) == CMARK_NODE_HTML_BLOCK;
    if (!block || !is_ours(literal(node))) {
        replace(page, node, raw(block ? CMARK_NODE_CODE_BLOCK : CMARK_NODE_CODE, literal(node)));
    }
}

/** What a link or a picture says, without leading anywhere. */
static void unwrap(cmark_node *node) {
    cmark_node *child;
    while ((child = cmark_node_first_child(node)) != NULL) {
        cmark_node_insert_before(node, child);
    }
    cmark_node_unlink(node);
    cmark_node_free(node);
}

/** Draws the plot with this file; false when there is none. */
static bool draw(struct page *page, const char *file, struct ng_buf *out) {
    const struct ng_view *view = page->view;
    if (view->bulk_plot.file != NULL && strcmp(file, view->bulk_plot.file) == 0) {
        page->ok = page->ok && ng_plot_bulk(view, true, out, page->err);
        return true;
    }
    if (view->iops_plot.file != NULL && strcmp(file, view->iops_plot.file) == 0) {
        page->ok = page->ok && ng_plot_iops(view, true, out, page->err);
        return true;
    }
    if (view->timeline_plot.file != NULL && strcmp(file, view->timeline_plot.file) == 0) {
        page->ok = page->ok && ng_plot_timeline(view, true, out, page->err);
        return true;
    }
    for (size_t i = 0; i < view->result->phase_count; i++) {
        const struct ng_view_phase *shown = &view->phases[i];
        if (shown->plot.file != NULL && strcmp(file, shown->plot.file) == 0) {
            page->ok = page->ok && ng_plot_phase(shown, true, out, page->err);
            return true;
        }
    }
    return false;
}

/** The one picture that a paragraph is, or NULL. */
static cmark_node *only_picture(cmark_node *paragraph) {
    cmark_node *child = paragraph != NULL && cmark_node_get_type(paragraph) == CMARK_NODE_PARAGRAPH
                            ? cmark_node_first_child(paragraph)
                            : NULL;
    bool only = child != NULL && cmark_node_get_type(child) == CMARK_NODE_IMAGE &&
                cmark_node_next(child) == NULL;
    return only ? child : NULL;
}

/** A picture alone in its paragraph becomes the drawing itself. */
static void show_picture(struct page *page, cmark_node *paragraph, cmark_node *picture) {
    const char *file = cmark_node_get_url(picture);
    struct ng_buf figure;
    ng_buf_init(&figure, NG_PLOT_BYTES);
    ng_buf_adds(&figure, "<figure>\n");
    if (!draw(page, file, &figure)) {
        unwrap(picture);
    } else if (figure.cut > 0 || page->plotted + figure.len > NG_HTML_PLOT_BYTES) {
        replace(page, picture,
            raw(CMARK_NODE_TEXT, ng_arena_printf(&page->arena, "This plot is in %s.", file)));
    } else {
        page->plotted += figure.len;
        ng_buf_adds(&figure, "</figure>\n");
        replace(page, paragraph, raw(CMARK_NODE_HTML_BLOCK, ng_buf_text(&figure)));
    }
    ng_buf_release(&figure);
}

/** A wide table scrolls by itself. */
static void frame_table(struct page *page, cmark_node *node) {
    cmark_node *before = raw(CMARK_NODE_HTML_BLOCK, "<div class=\"table\">\n");
    cmark_node *after = raw(CMARK_NODE_HTML_BLOCK, "</div>\n");
    changed(page, cmark_node_insert_before(node, before));
    changed(page, cmark_node_insert_after(node, after));
}

static cmark_node *badge(struct page *page, const char *class, const char *word) {
    return raw(CMARK_NODE_HTML_INLINE,
        ng_arena_printf(&page->arena, "<span class=\"%s\">%s</span>", class, word));
}

/** A cell that is nothing but a word of ours; foreign text is never bare. */
static void colour_cell(struct page *page, cmark_node *cell) {
    cmark_node *text = cmark_node_first_child(cell);
    if (text == NULL || cmark_node_get_type(text) != CMARK_NODE_TEXT ||
        cmark_node_next(text) != NULL) {
        return;
    }
    const struct word *word = find_word(literal(text));
    if (word != NULL) {
        replace(page, text, badge(page, word->class, word->text));
    }
}

static const char *class_of_exit(int code) {
    switch (code) {
    case 0:
        return "good";
    case 6:
        return "doubt";
    default:
        return "bad";
    }
}

/** "# VERDICT - name" */
static void colour_title(struct page *page, cmark_node *heading) {
    cmark_node *text = cmark_node_first_child(heading);
    const char *verdict = page->view->verdict;
    size_t len = strlen(verdict);
    if (cmark_node_get_heading_level(heading) != 1 || text == NULL ||
        cmark_node_get_type(text) != CMARK_NODE_TEXT || strncmp(literal(text), verdict, len) != 0 ||
        strncmp(literal(text) + len, " - ", 3) != 0) {
        return;
    }
    const char *rest = ng_arena_printf(&page->arena, " %s", literal(text) + len + 3);
    cmark_node_set_literal(text, rest);
    changed(page,
        cmark_node_insert_before(text, badge(page, class_of_exit(page->view->exit_code), verdict)));
}

/** Types of extensions are told by their names only. */
static bool is_a(cmark_node *node, const char *type) {
    return strcmp(cmark_node_get_type_string(node), type) == 0;
}

static void prepare(struct page *page, cmark_node *node) {
    cmark_node_type type = cmark_node_get_type(node);
    if (type == CMARK_NODE_HTML_BLOCK || type == CMARK_NODE_HTML_INLINE ||
        type == CMARK_NODE_CUSTOM_BLOCK || type == CMARK_NODE_CUSTOM_INLINE) {
        check_raw(page, node);
    } else if (type == CMARK_NODE_LINK ||
               (type == CMARK_NODE_IMAGE && only_picture(cmark_node_parent(node)) == NULL)) {
        unwrap(node);
    } else if (only_picture(node) != NULL) {
        show_picture(page, node, only_picture(node));
    } else if (type == CMARK_NODE_HEADING) {
        colour_title(page, node);
    } else if (is_a(node, "table")) {
        frame_table(page, node);
    } else if (is_a(node, "table_cell")) {
        colour_cell(page, node);
    }
}

bool ng_html_tree_prepare(cmark_node *doc, const struct ng_view *view, struct ng_err *err) {
    struct page page = {.view = view, .err = err, .ok = true};
    struct nodes nodes = {NULL, 0, 0};
    ng_arena_init(&page.arena);
    cmark_consolidate_text_nodes(doc);
    collect(&page, doc, &nodes);
    // From the end, so that the inside of a node is done before the node may go.
    for (size_t i = nodes.count; i-- > 0 && page.ok;) {
        prepare(&page, nodes.items[i]);
    }
    ng_arena_release(&page.arena);
    return page.ok;
}
