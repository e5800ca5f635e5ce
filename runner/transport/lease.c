// The command that takes a lease, and what it says.
#include "runner/transport/lease.h"

#include <inttypes.h>
#include <string.h>

#include "runner/base/guard.h"
#include "runner/base/text.h"

// A lease is given back, not waited for.
#define HOLD_NS (366 * 86400 * NG_NS_PER_S)
#define LOOK_NS (20 * NG_NS_PER_S)
#define GRACE_NS (3 * NG_NS_PER_S)

static void feed(struct ng_strv *argv, struct ng_request *request, int64_t deadline_ns) {
    request->argv = ng_strv_argv(argv);
    request->stdin_data = (const char *)ng_lease_sh;
    request->stdin_len = ng_lease_sh_len;
    request->deadline_ns = deadline_ns;
    request->grace_ns = GRACE_NS;
}

void ng_lease_take(const struct ng_lease_holder *holder, int64_t wait_s, struct ng_strv *argv,
    struct ng_request *request) {
    const char *const words[] = {"/bin/sh", "-s", "--", "take", holder->run, NULL};
    ng_strv_pushv(argv, words);
    ng_strv_pushf(argv, "%" PRId64, wait_s);
    ng_strv_push(argv, holder->who);
    ng_strv_push(argv, holder->job);
    ng_strv_push(argv, holder->plan);
    feed(argv, request, HOLD_NS);
    request->ready_output = true;
    request->background = true;
}

void ng_lease_look(struct ng_strv *argv, struct ng_request *request) {
    const char *const words[] = {"/bin/sh", "-s", "--", "look", NULL};
    ng_strv_pushv(argv, words);
    feed(argv, request, LOOK_NS);
}

/** What a line begins with, and where its value goes. */
struct word {
    const char *key;
    enum ng_lease_said said; /* NOTHING: a line of a holder's entry */
    size_t offset;           /* of a text; of said: `why`, `since` */
};

#define TEXT(member) offsetof(struct ng_lease_words, member)

static const struct word words[] = {
    {"held=", NG_LEASE_SAID_HELD, TEXT(since)},
    {"free=", NG_LEASE_SAID_FREE, 0},
    {"busy=", NG_LEASE_SAID_BUSY, 0},
    {"leased=", NG_LEASE_SAID_BUSY, 0},
    {"failed=", NG_LEASE_SAID_FAILED, TEXT(why)},
    {"who=", NG_LEASE_SAID_NOTHING, TEXT(who)},
    {"since=", NG_LEASE_SAID_NOTHING, TEXT(since)},
    {"job=", NG_LEASE_SAID_NOTHING, TEXT(job)},
    {"plan=", NG_LEASE_SAID_NOTHING, TEXT(plan)},
    {"run=", NG_LEASE_SAID_NOTHING, TEXT(run)},
};

static void set_text(struct ng_arena *arena, struct ng_lease_words *out, size_t offset,
    const char *value, size_t len) {
    const char *text = NULL;
    memcpy(&text, (const char *)out + offset, sizeof text);
    if (text || len == 0) {
        return;
    }
    text = ng_text_clean_dup(arena, value, len, NG_TEXT_LINE, NG_LEASE_WORD_MAX);
    memcpy((char *)out + offset, &text, sizeof text);
}

/** What the command says of itself comes once; behind "busy" there is only the holder's entry. */
static void read_line(
    struct ng_arena *arena, const char *line, size_t len, struct ng_lease_words *out) {
    for (size_t i = 0; i < NG_COUNT(words); i++) {
        const struct word *word = &words[i];
        const size_t key = strlen(word->key);
        const bool own = word->said != NG_LEASE_SAID_NOTHING;
        if (len < key || memcmp(line, word->key, key) != 0 ||
            own != (out->said == NG_LEASE_SAID_NOTHING) ||
            (!own && out->said != NG_LEASE_SAID_BUSY)) {
            continue;
        }
        out->said = own ? word->said : out->said;
        if (word->offset > 0) {
            set_text(arena, out, word->offset, line + key, len - key);
        }
    }
}

struct ng_lease_words ng_lease_read(struct ng_arena *arena, const char *text, size_t len) {
    struct ng_lease_words out = {0};
    for (int i = 0; i < NG_LEASE_LINES_MAX && len > 0; i++) {
        const char *end = memchr(text, '\n', len);
        const size_t used = end ? (size_t)(end - text) : len;
        read_line(arena, text, used, &out);
        text += used + (end ? 1 : 0);
        len -= used + (end ? 1 : 0);
    }
    return out;
}
