// Finds the watchdog's marks in a stream.
#include "runner/transport/marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOISE_CAP = 4096, LINE_MAX_BYTES = 100 };

void ng_marks_init(struct ng_marks *marks, const char *token, size_t cap) {
    *marks = (struct ng_marks){0};
    snprintf(marks->token, sizeof marks->token, "%s", token);
    ng_buf_init(&marks->noise, NOISE_CAP);
    ng_buf_init(&marks->body, cap);
    ng_buf_init(&marks->pending, (size_t)-1 / 2); // holds one piece and the beginning of a mark
}

void ng_marks_release(struct ng_marks *marks) {
    ng_buf_release(&marks->noise);
    ng_buf_release(&marks->body);
    ng_buf_release(&marks->pending);
}

/** Hands over bytes that are no mark. */
static void emit(struct ng_marks *marks, const char *bytes, size_t len) {
    if (!marks->started) {
        ng_buf_add(&marks->noise, bytes, len);
    } else if (!marks->ended) {
        ng_buf_add(&marks->body, bytes, len);
    }
}

static void drop_front(struct ng_buf *buf, size_t len) {
    memmove(buf->data, buf->data + len, buf->len - len);
    buf->len -= len;
    buf->data[buf->len] = '\0';
}

/** The text behind "E ": status and reason. */
static void read_end(struct ng_marks *marks, const char *text) {
    static const char killed[] = "-killed";
    char *rest = NULL;
    marks->rc = (int)strtol(text, &rest, 10);
    rest += strspn(rest, " ");
    snprintf(marks->why, sizeof marks->why, "%s", rest);
    size_t len = strlen(marks->why);
    if (len >= sizeof killed && strcmp(marks->why + len - sizeof killed + 1, killed) == 0) {
        marks->why[len - sizeof killed + 1] = '\0';
        marks->killed = true;
    }
    marks->ended = true;
}

/** Whether the line behind the token, without its newline, is a mark that may come now. */
static bool fits(const struct ng_marks *marks, const char *line) {
    if (!marks->started) {
        return strcmp(line, " S") == 0 || strncmp(line, " N ", 3) == 0;
    }
    if (!marks->ended) {
        return strcmp(line, " R") == 0 || strncmp(line, " E ", 3) == 0;
    }
    return strncmp(line, " L ", 3) == 0;
}

static void apply(struct ng_marks *marks, const char *line) {
    switch (line[1]) {
    case 'S':
        marks->started = true;
        break;
    case 'N':
        snprintf(marks->refused, sizeof marks->refused, "%.*s", NG_MARKS_WORD - 1, line + 3);
        break;
    case 'R':
        marks->ready = true;
        break;
    case 'E':
        read_end(marks, line + 3);
        break;
    default:
        marks->leftovers = (int)strtol(line + 3, NULL, 10);
        break;
    }
}

/** Handles the token found at `at`. False: more must come first. */
static bool handle(struct ng_marks *marks, size_t at) {
    struct ng_buf *pending = &marks->pending;
    const size_t token = strlen(marks->token);
    const char *line = pending->data + at + token;
    size_t room = pending->len - at - token;
    room = room < LINE_MAX_BYTES ? room : LINE_MAX_BYTES;
    const char *end = memchr(line, '\n', room);
    char text[LINE_MAX_BYTES] = "";
    if (!end && room < LINE_MAX_BYTES) {
        return false;
    }
    if (end) {
        memcpy(text, line, (size_t)(end - line));
    }
    if (!end || !fits(marks, text)) {
        emit(marks, pending->data, at + token);
        drop_front(pending, at + token);
        return true;
    }
    const bool framed = text[1] == 'E' && at > 0 && pending->data[at - 1] == '\n';
    emit(marks, pending->data, framed ? at - 1 : at);
    apply(marks, text);
    drop_front(pending, (size_t)(end + 1 - pending->data));
    return true;
}

/** How many of the last bytes may be the beginning of a token, with the newline before it. */
static size_t held_back(const struct ng_buf *pending, const char *token, size_t len) {
    size_t hold = pending->len < len ? pending->len : len;
    for (; hold > 0; hold--) {
        const char *at = pending->data + pending->len - hold;
        if ((hold < len && memcmp(at, token, hold) == 0) ||
            (at[0] == '\n' && memcmp(at + 1, token, hold - 1) == 0)) {
            break;
        }
    }
    return hold;
}

void ng_marks_feed(struct ng_marks *marks, const char *bytes, size_t len) {
    struct ng_buf *pending = &marks->pending;
    const size_t token = strlen(marks->token);
    ng_buf_add(pending, bytes, len);
    for (;;) {
        const char *found =
            pending->len > 0 ? memmem(pending->data, pending->len, marks->token, token) : NULL;
        if (found && handle(marks, (size_t)(found - pending->data))) {
            continue;
        }
        const size_t at = found ? (size_t)(found - pending->data) : pending->len;
        const size_t hold = found ? 1 : held_back(pending, marks->token, token);
        if (at > hold) {
            emit(marks, pending->data, at - hold);
            drop_front(pending, at - hold);
        }
        return;
    }
}

void ng_marks_finish(struct ng_marks *marks) {
    if (marks->pending.len > 0) {
        emit(marks, marks->pending.data, marks->pending.len);
        ng_buf_clear(&marks->pending);
    }
}
