/* helpers.c - what the engines share: commands, replies in words, versions, measures, link checks.
 */
#include "runner/engines/helpers.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "runner/base/text.h"

enum { WORDS_MAX = 300 };

const char *ng_say_size(struct ng_arena *arena, double bytes) {
    char text[NG_QUANTITY_TEXT];
    return ng_arena_strdup(
        arena, ng_quantity_format((struct ng_quantity){bytes, NG_DIM_SIZE}, text));
}

const char *ng_say_rate(struct ng_arena *arena, double bytes_per_s) {
    char text[NG_QUANTITY_TEXT];
    return ng_arena_strdup(
        arena, ng_quantity_format((struct ng_quantity){bytes_per_s, NG_DIM_RATE}, text));
}

const char *ng_say_wire(struct ng_arena *arena, double bytes_per_s) {
    char text[NG_QUANTITY_TEXT];
    return ng_arena_strdup(arena, ng_rate_format_bits(bytes_per_s, text));
}

const char *ng_say_time(struct ng_arena *arena, double seconds) {
    char text[NG_QUANTITY_TEXT];
    return ng_arena_strdup(
        arena, ng_quantity_format((struct ng_quantity){seconds, NG_DIM_TIME}, text));
}

struct ng_command *ng_commands_add(
    struct ng_commands *commands, const char *role, const struct ng_host *host) {
    assert(commands->count < NG_COMMANDS_MAX);
    struct ng_command *command = &commands->items[commands->count++];
    *command = (struct ng_command){.role = role, .host = host};
    return command;
}

bool ng_command_is(const struct ng_command *command, const char *role) {
    return strcmp(command->role, role) == 0;
}

int ng_link_from_end(const struct ng_link *link, const struct ng_host *from) {
    return from == NULL || from == link->ends[0].at.host ? 0 : 1;
}

void ng_link_check_from(const struct ng_link *link, const struct ng_host *from,
    const struct ng_node *node, struct ng_diags *diags) {
    if (link == NULL || from == NULL || ng_link_end_on(link, from) != NULL) {
        return;
    }
    ng_diag_error(diags, ng_field_place(node, "from"), "from-not-on-link",
        "host %s is no end of link %s; its ends lie on %s and %s", from->name, link->name,
        link->ends[0].at.host->name, link->ends[1].at.host->name);
}

bool ng_same_family(const char *a, const char *b) {
    return (strchr(a, ':') != NULL) == (strchr(b, ':') != NULL);
}

int64_t ng_seconds_bounded(double seconds) {
    double longest = 7.0 * 24 * 3600;
    return (int64_t)fmin(fmax(ceil(seconds), 0), longest) * NG_NS_PER_S;
}

static bool reads(const struct ng_expr *expr, const struct ng_phase *phase, const char *metric) {
    if (expr == NULL) {
        return false;
    }
    bool own = expr->op == NG_EXPR_METRIC && expr->phase == phase &&
               strcmp(expr->metric->name, metric) == 0;
    return own || reads(expr->a, phase, metric) || reads(expr->b, phase, metric);
}

bool ng_site_gates(const struct ng_site *site, const char *metric) {
    const struct ng_phase *phase = site->phase;
    for (size_t i = 0; i < phase->pass_count; i++) {
        const struct ng_threshold *threshold = phase->pass[i];
        if (reads(threshold->left, phase, metric) || reads(threshold->right, phase, metric) ||
            reads(threshold->high, phase, metric)) {
            return true;
        }
    }
    return false;
}

static uint64_t splitmix64(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t ng_site_bits(const struct ng_site *site, uint64_t salt) {
    uint64_t state = site->seed;
    const uint64_t parts[] = {site->phase->index, (uint64_t)site->repeat, salt};
    for (size_t i = 0; i < NG_COUNT(parts); i++) {
        state = splitmix64(&state) ^ parts[i];
    }
    return splitmix64(&state);
}

int64_t ng_site_deadline(const struct ng_site *site, int64_t own_ns) {
    return site->phase->timeout_ns > 0 ? site->phase->timeout_ns : own_ns;
}

const char *ng_site_address(
    const struct ng_site *site, const struct ng_link *link, int end, struct ng_err *err) {
    const struct ng_link_end *at = &link->ends[end];
    const char *address = site->address[end] != NULL ? site->address[end] : at->address;
    if (address == NULL) {
        ng_err_set(err, NG_ERR_ENGINE,
            "no address is known for the end %s:%s of link %s; state it in the plan: address of "
            "that end",
            at->at.host->name, at->at.name, link->name);
        return NULL;
    }
    if (address[0] == '-' || address[0] == '\0') {
        ng_err_set(err, NG_ERR_ENGINE, "\"%s\" is no address (end %s:%s of link %s)", address,
            at->at.host->name, at->at.name, link->name);
        return NULL;
    }
    return address;
}

bool ng_reply_exited(const char *tool, const struct ng_reply *reply, struct ng_err *err) {
    double seconds = (double)(reply->end_ns - reply->start_ns) / (double)NG_NS_PER_S;
    switch (reply->how) {
    case NG_ENDED_EXITED:
        return true;
    case NG_ENDED_SIGNALLED:
        return ng_err_set(err, NG_ERR_ENGINE,
            "%s died of signal %d after %.1f s, which was not sent by this run", tool,
            reply->status, seconds);
    case NG_ENDED_DEADLINE:
        return ng_err_set(err, NG_ERR_DEADLINE,
            "%s was stopped at its deadline, after %.1f s%s%s%s", tool, seconds,
            reply->by_kill ? "; it had to be killed" : "", reply->why[0] != '\0' ? "; " : "",
            reply->why);
    case NG_ENDED_STOPPED:
        return ng_err_set(
            err, NG_ERR_STOPPED, "%s was stopped on request, after %.1f s", tool, seconds);
    case NG_ENDED_NOT_STARTED:
        return ng_err_set(err, NG_ERR_HOST, "%s could not be started: %s", tool, reply->why);
    case NG_ENDED_STUCK:
        return ng_err_set(err, NG_ERR_DEADLINE, "%s is stuck in the kernel and cannot be ended: %s",
            tool, reply->why);
    case NG_ENDED_LOST:
        return ng_err_set(
            err, NG_ERR_HOST, "%s was cut off after %.1f s: %s", tool, seconds, reply->why);
    }
    return ng_err_set(err, NG_ERR_INTERNAL, "%s ended in an unknown way", tool);
}

bool ng_reply_cut_short(const struct ng_reply *reply) {
    return reply->how == NG_ENDED_DEADLINE || reply->how == NG_ENDED_STOPPED ||
           reply->how == NG_ENDED_SIGNALLED || reply->how == NG_ENDED_LOST;
}

bool ng_reply_lasted(
    const char *tool, const struct ng_reply *reply, double claimed_s, struct ng_err *err) {
    double lasted_s = (double)(reply->end_ns - reply->start_ns) / (double)NG_NS_PER_S;
    return claimed_s <= lasted_s * 1.02 + 0.5 ||
           ng_err_set(err, NG_ERR_ENGINE,
               "%s reports a measurement of %.3f s, but the command ran for %.3f s only: its "
               "result is not of this run",
               tool, claimed_s, lasted_s);
}

bool ng_reply_whole(const char *tool, const struct ng_reply *reply, struct ng_err *err) {
    if (reply->out_cut == 0) {
        return true;
    }
    return ng_err_set(err, NG_ERR_LIMIT,
        "%s printed more than this program keeps: %zu bytes kept, %zu dropped", tool,
        reply->out_len, reply->out_cut);
}

/** The next line of `*text` that is not empty, without its end; NULL when there is none. */
static const char *next_line(const char **text, const char *end, size_t *len) {
    while (*text < end) {
        const char *line = *text;
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        *text = stop != NULL ? stop + 1 : end;
        *len = (size_t)((stop != NULL ? stop : end) - line);
        for (size_t i = 0; i < *len; i++) {
            if (line[i] != ' ' && line[i] != '\t' && line[i] != '\r') {
                return line;
            }
        }
    }
    return NULL;
}

const char *ng_reply_words(struct ng_arena *arena, const struct ng_reply *reply) {
    size_t len = 0;
    const char *text = reply->err;
    const char *line = reply->err_len > 0 ? next_line(&text, text + reply->err_len, &len) : NULL;
    if (line == NULL && reply->out_len > 0) {
        text = reply->out;
        line = next_line(&text, text + reply->out_len, &len);
        if (line != NULL && line[0] == '{') {
            line = NULL;
        }
    }
    return line != NULL ? ng_text_clean_dup(arena, line, len, NG_TEXT_LINE, WORDS_MAX)
                        : "it printed no message";
}

bool ng_reply_has(const struct ng_reply *reply, const char *text) {
    size_t len = strlen(text);
    return (reply->err_len > 0 && memmem(reply->err, reply->err_len, text, len) != NULL) ||
           (reply->out_len > 0 && memmem(reply->out, reply->out_len, text, len) != NULL);
}

/** Digits at `text`, at most four of them; returns how many were used. */
static size_t scan_digits(const char *text, int *out) {
    size_t used = 0;
    *out = 0;
    while (used < 4 && text[used] >= '0' && text[used] <= '9') {
        *out = *out * 10 + (text[used++] - '0');
    }
    return used;
}

bool ng_tool_version_read(const char *text, int *major, int *minor) {
    size_t used = scan_digits(text, major);
    if (used == 0 || text[used] != '.') {
        return false;
    }
    return scan_digits(text + used + 1, minor) > 0;
}

bool ng_tool_version_below(int major, int minor, int least_major, int least_minor) {
    return major < least_major || (major == least_major && minor < least_minor);
}

void ng_measure(const struct ng_site *site, struct ng_repeat *repeat,
    const struct ng_engine *engine, const char *metric, double value) {
    const struct ng_metric_def *def = ng_kind_metric(&engine->kind, metric);
    if (def != NULL && isfinite(value) && value >= 0) {
        ng_repeat_measure(site->arena, repeat, def, value);
    }
}

bool ng_agree(double a, double b, double share) {
    return fabs(a - b) <= share * fmax(fabs(a), fabs(b));
}

void ng_find_faster_than_link(const struct ng_site *site, struct ng_repeat *repeat,
    const struct ng_link *link, const char *metric, double bytes_per_s) {
    if (link == NULL || link->speed <= 0 || bytes_per_s * 8 <= (double)link->speed * 1.02) {
        return;
    }
    ng_repeat_find(site->arena, repeat, NG_FINDING_INCONCLUSIVE, "faster-than-link",
        "%s of %s is more than link %s can carry (%s): the data did not cross it, or its speed is "
        "stated wrongly",
        metric, ng_say_wire(site->arena, bytes_per_s), link->name,
        ng_say_wire(site->arena, (double)link->speed / 8));
}
