/* /proc/mdstat of the kernel's own md, and the choice between its dialects. */
#include "runner/facts/mdstat.h"

#include <string.h>

#include "runner/facts/md_parts.h"

static struct ng_md_array *add_array(
    struct ng_md *md, struct ng_arena *arena, struct ng_span name) {
    if (md->count >= NG_MD_ARRAYS_MAX) {
        md->dropped++;
        return NULL;
    }
    md->arrays = ng_arena_grow(arena, md->arrays, md->count, &md->capacity, sizeof *md->arrays);
    struct ng_md_array *array = &md->arrays[md->count++];
    *array = (struct ng_md_array){.name = ng_span_dup(arena, name),
        .state = "",
        .size_kib = -1,
        .slots = -1,
        .in_sync = -1,
        .percent = -1,
        .left_ns = -1,
        .busy_why = "",
        .degraded_why = ""};
    return array;
}

struct ng_md_array *ng_md_find_or_add(
    struct ng_md *md, struct ng_arena *arena, struct ng_span name) {
    for (size_t i = 0; i < md->count; i++) {
        if (ng_span_is(name, md->arrays[i].name)) {
            return &md->arrays[i];
        }
    }
    return add_array(md, arena, name);
}

/* "sda1[0](W)(F)": false for what is no member. */
static bool parse_member(struct ng_span word, struct ng_arena *arena, struct ng_md_member *member) {
    struct ng_span name = ng_span_until(&word, '[');
    struct ng_span inside = ng_span_until(&word, ']');
    int64_t number;
    if (name.len == 0 || !ng_span_int(inside, &number) || number < 0 || number > INT32_MAX) {
        return false;
    }
    *member =
        (struct ng_md_member){.name = ng_span_dup(arena, name), .number = (int)number, .odd = ""};
    while (word.len >= 3 && word.at[0] == '(' && word.at[2] == ')') {
        char flag = word.at[1];
        member->faulty = member->faulty || flag == 'F';
        member->spare = member->spare || flag == 'S';
        member->write_mostly = member->write_mostly || flag == 'W';
        member->journal = member->journal || flag == 'J';
        member->replacement = member->replacement || flag == 'R';
        member->disk_error = member->disk_error || flag == 'E';
        if (strchr("FSWJRE", flag) == NULL) {
            member->odd = ng_arena_printf(arena, "%s(%c)", member->odd, flag);
        }
        word = ng_span(word.at + 3, word.len - 3);
    }
    return word.len == 0;
}

static void odd(struct ng_md_array *array, struct ng_arena *arena, struct ng_span line) {
    if (array->odd_line == NULL) {
        line.len = line.len > 200 ? 200 : line.len;
        array->odd_line = ng_span_dup(arena, ng_span_trim(line));
    }
}

static bool parse_access(struct ng_md_array *array, struct ng_span word) {
    bool read_only = ng_span_is(word, "(read-only)");
    bool automatic = ng_span_is(word, "(auto-read-only)");
    array->read_only = array->read_only || read_only;
    array->auto_read_only = array->auto_read_only || automatic;
    return read_only || automatic;
}

/* Kernels of the 2.6 era print "active(auto-read-only)" without a blank between. */
static void parse_state(struct ng_md_array *array, struct ng_arena *arena, struct ng_span word) {
    struct ng_span rest = word;
    struct ng_span state = ng_span_until(&rest, '(');
    struct ng_span access = ng_span(word.at + state.len, word.len - state.len);
    if (state.len > 0 && access.len > 0 && parse_access(array, access)) {
        word = state;
    }
    array->state = ng_span_dup(arena, word);
}

/* What stands behind "md0 : ". */
static void parse_head(struct ng_md_array *array, struct ng_arena *arena, struct ng_span line) {
    struct ng_span rest = line;
    struct ng_span word;
    struct ng_md_member *members = NULL;
    size_t capacity = 0;
    if (ng_span_word(&rest, &word)) {
        parse_state(array, arena, word);
    }
    while (ng_span_word(&rest, &word)) {
        struct ng_md_member member;
        if (parse_access(array, word)) {
            continue;
        }
        if (!ng_span_has(word, '[') && array->personality == NULL && members == NULL) {
            array->personality = ng_span_dup(arena, word);
        } else if (array->member_count < NG_MD_MEMBERS_MAX && parse_member(word, arena, &member)) {
            members =
                ng_arena_grow(arena, members, array->member_count, &capacity, sizeof *members);
            members[array->member_count++] = member;
        } else {
            odd(array, arena, line);
        }
    }
    array->members = members;
}

/* "[4/3]" */
static bool parse_counters(struct ng_span word, struct ng_md_array *array) {
    int64_t slots, in_sync;
    if (word.len < 5 || word.at[0] != '[' || word.at[word.len - 1] != ']') {
        return false;
    }
    word = ng_span(word.at + 1, word.len - 2);
    if (!ng_span_int(ng_span_until(&word, '/'), &slots) || !ng_span_int(word, &in_sync) ||
        slots < 0 || slots > INT32_MAX || in_sync < 0 || in_sync > INT32_MAX) {
        return false;
    }
    array->slots = (int)slots;
    array->in_sync = (int)in_sync;
    return true;
}

/* "[UU_]": one letter per slot. */
static bool parse_map(struct ng_span word, struct ng_arena *arena, struct ng_md_array *array) {
    if (word.len < 3 || word.at[0] != '[' || word.at[word.len - 1] != ']') {
        return false;
    }
    word = ng_span(word.at + 1, word.len - 2);
    for (size_t i = 0; i < word.len; i++) {
        if (word.at[i] != '_' && (word.at[i] < 'A' || word.at[i] > 'Z')) {
            return false;
        }
    }
    array->map = ng_span_dup(arena, word);
    return true;
}

/* "N blocks super 1.2 level 6, 64k chunk, algorithm 2 [8/8] [UUUUUUUU]" */
static bool parse_blocks(struct ng_span line, struct ng_arena *arena, struct ng_md_array *array) {
    struct ng_span word;
    int64_t size;
    if (!ng_span_word(&line, &word) || !ng_span_int(word, &size) || size < 0 ||
        !ng_span_word(&line, &word) || !ng_span_is(word, "blocks")) {
        return false;
    }
    array->size_kib = size;
    while (ng_span_word(&line, &word)) {
        if (ng_span_is(word, "super") && array->metadata == NULL && ng_span_word(&line, &word)) {
            array->metadata = ng_span_dup(arena, word);
        } else if (!parse_counters(word, array)) {
            (void)parse_map(word, arena, array);
        }
    }
    return true;
}

static void parse_body(struct ng_md_array *array, struct ng_arena *arena, struct ng_span line) {
    struct ng_span text = ng_span_trim(line);
    if (text.len == 0 || parse_blocks(text, arena, array)) {
        return;
    }
    if (ng_span_begins(text, "bitmap:")) {
        array->bitmap = ng_span_dup(arena, text);
        return;
    }
    struct ng_md_work work;
    if (ng_md_work_parse(text, arena, &work)) {
        if (array->work_count < NG_MD_WORKS_MAX) {
            array->works[array->work_count++] = work;
        } else {
            odd(array, arena, text);
        }
    } else if (ng_span_has(text, '=') || ng_span_has(text, '%') || ng_span_has(text, '[') ||
               ng_span_after(text, "blocks").at != NULL) {
        odd(array, arena, text);
    }
}

/* "md0 : active ...": everything before the first " : ", which is one word at the line's beginning.
 */
static bool array_name(struct ng_span line, struct ng_span *name, struct ng_span *rest) {
    struct ng_span after = ng_span_after(line, " : ");
    if (after.at == NULL || line.at[0] == ' ' || line.at[0] == '\t') {
        return false;
    }
    *name = ng_span(line.at, (size_t)(after.at - line.at) - 3);
    *rest = after;
    return name->len > 0 && !ng_span_has(*name, ' ') && !ng_span_has(*name, '\t');
}

/* A line that has no end may be the beginning of another: of the indented lines that close an array
 * only whole ones do. */
static void close_array(struct ng_md_array *array, struct ng_span line, bool whole) {
    if (array != NULL) {
        struct ng_span text = ng_span_trim(line);
        array->closed = array->closed || (whole && text.len == 0) ||
                        (whole && ng_span_begins(text, "bitmap:")) ||
                        ng_span_begins(line, "unused devices");
    }
}

static void parse_linux(struct ng_md *md, struct ng_arena *arena, struct ng_span text) {
    struct ng_md_array *array = NULL;
    const bool cut = ng_span_cut(text);
    bool header = false;
    struct ng_span line, name, rest;
    while (ng_span_line(&text, &line)) {
        close_array(array, line, text.len > 0 || !cut);
        if (ng_span_begins(line, "Personalities")) {
            header = true;
        } else if (!header || ng_span_begins(line, "unused devices")) {
            array = NULL;
            md->ended = header;
        } else if (array_name(line, &name, &rest)) {
            if (array != NULL) {
                array->closed = true;
            }
            array = ng_md_find_or_add(md, arena, name);
            if (array != NULL && array->listed) {
                odd(array, arena, line); /* no kernel lists a name twice */
                array = NULL;
            } else if (array != NULL) {
                array->listed = true;
                parse_head(array, arena, rest);
            }
        } else if (array != NULL) {
            parse_body(array, arena, line);
        }
    }
    md->kind = header ? NG_MD_LINUX : NG_MD_UNKNOWN;
    md->reason = header ? NULL : "the text of /proc/mdstat is not understood: it has no header";
}

void ng_mdstat_parse(struct ng_md *md, struct ng_arena *arena, const char *text, size_t len) {
    *md = (struct ng_md){0};
    struct ng_span rest = ng_span(text, len);
    struct ng_span line;
    while (ng_span_line(&rest, &line)) {
        if (ng_span_begins(line, "sbName=") || ng_span_begins(line, "mdState=")) {
            md->kind = NG_MD_UNRAID;
            ng_md_unraid_parse(&md->unraid, arena, ng_span(text, len));
            return;
        }
    }
    parse_linux(md, arena, ng_span(text, len));
    if (len == 0) {
        md->reason = "/proc/mdstat is empty";
    }
}
