/* node.c - libyaml's events become a located tree; everything that a plan may not do is refused
 * here. */
#include "plans/language/node.h"

#include <stdlib.h>
#include <string.h>

#include "plans/language/names.h"
#include "plans/language/node_parts.h"

enum { SMALL_MAP = 16 };

struct anchor {
    struct ng_node *node;
    size_t size; /* nodes below it and itself, aliases expanded */
    int height;
    bool open; /* its end has not come yet */
};

/* A list or map whose end has not come yet. Its children wait on the builder's stack. */
struct frame {
    struct ng_node *node;
    struct anchor *anchor; /* or NULL */
    size_t base;           /* where its children begin on the stack */
    size_t size;
    int height;
};

struct builder {
    struct ng_arena *arena;
    struct ng_diags *diags;
    const char *file;
    struct frame frames[NG_NODE_DEPTH_MAX];
    int depth;
    struct ng_node **stack; /* malloc'd */
    size_t count, room;
    struct ng_names anchors;
    struct ng_node *root;
    size_t total;
    bool ended; /* nothing after this can be used */
};

static struct ng_pos place(const struct builder *b, const yaml_mark_t *mark) {
    return (struct ng_pos){b->file, (int)mark->line + 1, (int)mark->column + 1};
}

static void push(struct builder *b, struct ng_node *node) {
    if (b->count == b->room) {
        b->room = b->room ? b->room * 2 : 256;
        b->stack = ng_xrealloc(b->stack, b->room * sizeof(struct ng_node *));
    }
    b->stack[b->count++] = node;
}

/* Gives a complete node to what is open, or makes it the root. */
static void attach(struct builder *b, struct ng_node *node, size_t size, int height) {
    if (b->depth == 0) {
        b->root = node;
        return;
    }
    struct frame *frame = &b->frames[b->depth - 1];
    frame->size += size;
    frame->height = height >= frame->height ? height + 1 : frame->height;
    push(b, node);
}

static bool count_nodes(struct builder *b, size_t more, struct ng_pos pos) {
    b->total += more;
    if (b->total > NG_NODES_MAX) {
        ng_diag_error(b->diags, pos, "too-large",
            "more than %d values, aliases expanded; a plan must be smaller", NG_NODES_MAX);
        b->ended = true;
        return false;
    }
    return true;
}

static void refuse_tag(struct builder *b, const yaml_char_t *tag, struct ng_pos pos) {
    if (tag) {
        ng_diag_error(b->diags, pos, "tag", "tags are not allowed in a plan; remove %s",
            ng_diag_quote(b->diags, (const char *)tag));
    }
}

static struct anchor *make_anchor(
    struct builder *b, const yaml_char_t *name, struct ng_node *node, bool open) {
    if (!name) {
        return NULL;
    }
    struct anchor *anchor = ng_arena_alloc(b->arena, sizeof *anchor);
    *anchor = (struct anchor){.node = node, .size = 1, .open = open};
    ng_names_set(&b->anchors, ng_arena_strdup(b->arena, (const char *)name), anchor);
    return anchor;
}

/* Where the text of a one-line scalar begins, from its end: an anchor may stand before it. */
static int text_column(const yaml_event_t *event, const struct ng_node *node) {
    yaml_scalar_style_t style = event->data.scalar.style;
    bool quotes =
        style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    int columns = ng_text_columns(node->text, strlen(node->text));
    int end = (int)event->end_mark.column + 1;
    bool one_line = event->start_mark.line == event->end_mark.line && !strchr(node->text, '\n');
    if (!one_line || (!quotes && style != YAML_PLAIN_SCALAR_STYLE)) {
        return 0;
    }
    if (!event->data.scalar.anchor) {
        /* Something escaped or folded makes the text and its spelling differ in length. */
        int spelled = (int)(event->end_mark.column - event->start_mark.column) - (quotes ? 2 : 0);
        return spelled == columns ? node->pos.column + (quotes ? 1 : 0) : 0;
    }
    return quotes ? 0 : end - columns;
}

static void on_scalar(struct builder *b, const yaml_event_t *event) {
    struct ng_node *node = ng_arena_alloc(b->arena, sizeof *node);
    node->kind = NG_NODE_SCALAR;
    node->pos = place(b, &event->start_mark);
    node->text = ng_arena_strndup(
        b->arena, (const char *)event->data.scalar.value, event->data.scalar.length);
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->text_column = text_column(event, node);
    if (event->data.scalar.anchor && node->text_column > 0) {
        node->pos.column = node->text_column;
    }
    if (memchr(event->data.scalar.value, '\0', event->data.scalar.length)) {
        ng_diag_error(b->diags, node->pos, "encoding", "a NUL (\"\\0\") cannot stand in a text");
    }
    refuse_tag(b, event->data.scalar.tag, node->pos);
    make_anchor(b, event->data.scalar.anchor, node, false);
    if (count_nodes(b, 1, node->pos)) {
        attach(b, node, 1, 0);
    }
}

static void open_frame(struct builder *b, const yaml_event_t *event, enum ng_node_kind kind,
    const yaml_char_t *anchor, const yaml_char_t *tag) {
    struct ng_pos pos = place(b, &event->start_mark);
    if (b->depth == NG_NODE_DEPTH_MAX) {
        ng_diag_error(b->diags, pos, "too-deep", "nested deeper than %d levels", NG_NODE_DEPTH_MAX);
        b->ended = true;
        return;
    }
    refuse_tag(b, tag, pos);
    struct ng_node *node = ng_arena_alloc(b->arena, sizeof *node);
    node->kind = kind;
    node->pos = pos;
    b->frames[b->depth++] = (struct frame){.node = node,
        .anchor = make_anchor(b, anchor, node, true),
        .base = b->count,
        .size = 1,
        .height = 1};
    count_nodes(b, 1, pos);
}

/* Whether the key of a pair may stay; says why not. */
static bool check_key(struct builder *b, const struct ng_node *key) {
    if (key->kind != NG_NODE_SCALAR) {
        ng_diag_error(b->diags, key->pos, "key", "a key is a plain word, found %s%s",
            ng_node_describe(b->diags, key),
            key->kind == NG_NODE_MAP ? "; put \"${...}\" and \"{...}\" in quotes" : "");
        return false;
    }
    if (!key->quoted && strcmp(key->text, "<<") == 0) {
        ng_diag_error(b->diags, key->pos, "merge-key",
            "merge keys (\"<<\") are not allowed; write the keys out");
        return false;
    }
    return true;
}

static const struct ng_node *find_key(
    const struct ng_node *map, struct ng_names *names, const struct ng_node *key) {
    if (names->arena) {
        return ng_names_add(names, key->text, key);
    }
    for (size_t i = 0; i < map->count; i++) {
        if (strcmp(map->keys[i]->text, key->text) == 0) {
            return map->keys[i];
        }
    }
    return NULL;
}

static void fill_map(struct builder *b, struct ng_node *map, struct ng_node **pairs, size_t count) {
    map->keys = ng_arena_array(b->arena, count, sizeof(struct ng_node *));
    map->items = ng_arena_array(b->arena, count, sizeof(struct ng_node *));
    struct ng_arena scratch;
    ng_arena_init(&scratch);
    struct ng_names names = {0};
    if (count > SMALL_MAP) {
        ng_names_init(&names, &scratch);
    }
    for (size_t i = 0; i < count; i++) {
        struct ng_node *key = pairs[2 * i];
        if (!check_key(b, key)) {
            map->broken = true;
            continue;
        }
        const struct ng_node *before = find_key(map, &names, key);
        if (before) {
            ng_diag_error(b->diags, key->pos, "duplicate-key",
                "the key %s stands twice in this map, first at line %d",
                ng_diag_quote(b->diags, key->text), before->pos.line);
            continue;
        }
        map->keys[map->count] = key;
        map->items[map->count++] = pairs[2 * i + 1];
    }
    ng_arena_release(&scratch);
}

static void close_frame(struct builder *b) {
    struct frame *frame = &b->frames[--b->depth];
    struct ng_node *node = frame->node;
    size_t count = b->count - frame->base;
    struct ng_node **children = count > 0 ? b->stack + frame->base : NULL; /* no stack yet: {} */
    if (node->kind == NG_NODE_MAP) {
        fill_map(b, node, children, count / 2);
    } else {
        node->items = ng_arena_array(b->arena, count, sizeof(struct ng_node *));
        node->count = count;
        for (size_t i = 0; i < count; i++) {
            node->items[i] = children[i];
        }
    }
    b->count = frame->base;
    if (frame->anchor) {
        frame->anchor->size = frame->size;
        frame->anchor->height = frame->height;
        frame->anchor->open = false;
    }
    attach(b, node, frame->size, frame->height);
}

static void on_alias(struct builder *b, const yaml_event_t *event) {
    const char *name = (const char *)event->data.alias.anchor;
    struct ng_pos pos = place(b, &event->start_mark);
    const struct anchor *anchor = ng_names_get(&b->anchors, name);
    b->ended = true;
    if (!anchor) {
        ng_diag_error(b->diags, pos, "alias", "the alias %s has no anchor before it",
            ng_diag_quote(b->diags, name));
    } else if (anchor->open) {
        ng_diag_error(b->diags, pos, "alias", "the alias %s stands inside its own anchor",
            ng_diag_quote(b->diags, name));
    } else if (b->depth + anchor->height > NG_NODE_DEPTH_MAX) {
        ng_diag_error(b->diags, pos, "too-deep", "nested deeper than %d levels by the alias %s",
            NG_NODE_DEPTH_MAX, ng_diag_quote(b->diags, name));
    } else {
        b->ended = false;
        if (count_nodes(b, anchor->size, pos)) {
            attach(b, anchor->node, anchor->size, anchor->height);
        }
    }
}

static void on_document(struct builder *b, const yaml_event_t *event) {
    struct ng_pos pos = place(b, &event->start_mark);
    if (b->root) {
        ng_diag_error(b->diags, pos, "documents",
            "a second document; a plan is one document without \"---\" inside");
        b->ended = true;
    }
    if (event->data.document_start.tag_directives.start !=
        event->data.document_start.tag_directives.end) {
        ng_diag_error(b->diags, pos, "tag", "\"%%TAG\" is not allowed in a plan; remove it");
    }
}

static void on_event(struct builder *b, const yaml_event_t *event) {
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        on_document(b, event);
        break;
    case YAML_SCALAR_EVENT:
        on_scalar(b, event);
        break;
    case YAML_SEQUENCE_START_EVENT:
        open_frame(b, event, NG_NODE_LIST, event->data.sequence_start.anchor,
            event->data.sequence_start.tag);
        break;
    case YAML_MAPPING_START_EVENT:
        open_frame(
            b, event, NG_NODE_MAP, event->data.mapping_start.anchor, event->data.mapping_start.tag);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        close_frame(b);
        break;
    case YAML_ALIAS_EVENT:
        on_alias(b, event);
        break;
    case YAML_STREAM_END_EVENT:
        b->ended = true;
        break;
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_DOCUMENT_END_EVENT:
        break;
    }
}

static void read_events(struct builder *b, const char *text, size_t len) {
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        ng_oom();
    }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
    while (!b->ended) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            if (parser.error == YAML_MEMORY_ERROR) {
                ng_oom();
            }
            ng_syntax_report(&parser, b->file, text, len, b->diags);
            b->root = NULL;
            break;
        }
        on_event(b, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
}

struct ng_node *ng_node_parse(struct ng_arena *arena, const char *file, const char *text,
    size_t len, struct ng_diags *diags) {
    if (!ng_source_check(file, &text, &len, diags)) {
        return NULL;
    }
    struct builder b = {.arena = arena, .diags = diags, .file = file};
    ng_names_init(&b.anchors, arena);
    size_t errors = diags->errors;
    read_events(&b, text, len);
    free(b.stack);
    if (!b.root && diags->errors == errors) {
        ng_diag_error(diags, (struct ng_pos){file, 1, 1}, "empty",
            "the plan is empty; it begins with \"nasgate: 1\" and \"name: NAME\"");
    }
    return b.root;
}
