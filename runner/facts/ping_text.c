/* ping_text.c - ping's text as numbers: matched by words, never by position. */
#include "runner/facts/ping_text.h"

#include <math.h>
#include <string.h>

#include "runner/base/units.h"

enum { LINE_MAX_BYTES = 512 };

/** The next line into `line`, cut at its size; false at the end. */
static bool next_line(const char **text, const char *end, char line[LINE_MAX_BYTES]) {
    if (*text >= end) {
        return false;
    }
    const char *stop = memchr(*text, '\n', (size_t)(end - *text));
    const char *after = stop != NULL ? stop + 1 : end;
    size_t len = (size_t)((stop != NULL ? stop : end) - *text);
    if (len >= LINE_MAX_BYTES) {
        len = LINE_MAX_BYTES - 1;
    }
    memcpy(line, *text, len);
    line[len] = '\0';
    *text = after;
    return true;
}

static double scan(const char *text, size_t *used) {
    double value = NAN;
    *used = ng_number_scan(text, strlen(text), &value);
    return *used > 0 ? value : (double)NAN;
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/** One part of the line of counts: "3 packets transmitted", "+2 errors", "0.0% packet loss". */
static void read_part(const char *part, struct ng_ping_text *text) {
    part += strspn(part, " +");
    size_t used = 0;
    double number = scan(part, &used);
    if (used == 0) {
        return;
    }
    const char *words = part + used;
    if (begins(words, "% packet loss")) {
        text->printed_loss = number / 100;
        return;
    }
    words += strspn(words, " ");
    if (begins(words, "packets transmitted")) {
        text->transmitted = number;
    } else if (begins(words, "received") || begins(words, "packets received")) {
        text->received = number;
    } else if (begins(words, "duplicate")) {
        text->duplicates = number;
    } else if (begins(words, "error")) {
        text->errors = number;
    } else if (begins(words, "corrupted")) {
        text->corrupted = number;
    }
}

static void read_counts(const char *line, struct ng_ping_text *text) {
    text->found = true;
    text->transmitted = text->received = text->printed_loss = NAN;
    text->duplicates = text->errors = text->corrupted = 0;
    for (const char *part = line; part != NULL; part = strchr(part, ',')) {
        part += *part == ',';
        read_part(part, text);
    }
}

/** Sets the value that the header of the rtt line gives this name. */
static void set_named(struct ng_ping_text *text, const char *name, size_t len, double value) {
    const struct {
        const char *name;
        double *at;
    } rows[] = {{"min", &text->min}, {"avg", &text->avg}, {"max", &text->max},
        {"mdev", &text->mdev}, {"stddev", &text->mdev}};
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        if (strlen(rows[i].name) == len && memcmp(rows[i].name, name, len) == 0) {
            *rows[i].at = value;
        }
    }
}

/** "min/avg/max/mdev = 0.1/0.2/0.3/0.1 ms, pipe 3": what follows the unit is free. */
static void read_times(const char *names, struct ng_ping_text *text) {
    const char *values = strstr(names, " = ");
    if (values == NULL) {
        return;
    }
    const char *names_end = values;
    values += 3;
    struct ng_ping_text found = *text;
    while (names < names_end) {
        size_t len = strcspn(names, "/ ");
        size_t used = 0;
        double value = scan(values, &used);
        if (used == 0 || value < 0) {
            return; /* not understood: absent, not half */
        }
        set_named(&found, names, len, value / 1000);
        names += len + 1;
        values += used;
        if (*values != '/') {
            break;
        }
        values++;
    }
    if (begins(values, " ms")) {
        *text = found;
    }
}

/** "local error: message too long, mtu=1500", "Frag needed and DF set (mtu = 1400)". */
static void read_message(const char *line, struct ng_ping_text *text) {
    if (strstr(line, "essage too long") == NULL && strstr(line, "Frag needed") == NULL &&
        strstr(line, "Packet too big") == NULL) {
        return;
    }
    text->too_long = true;
    const char *mtu = strstr(line, "mtu");
    if (mtu == NULL) {
        return;
    }
    mtu += 3;
    mtu += strspn(mtu, " =:");
    size_t used = 0;
    double value = scan(mtu, &used);
    if (used > 0 && value >= 68 && value <= 65535) {
        text->mtu = value;
    }
}

static void read_stream(const char *bytes, size_t len, struct ng_ping_text *text) {
    char line[LINE_MAX_BYTES];
    const char *at = bytes;
    while (len > 0 && next_line(&at, bytes + len, line)) {
        const char *start = line + strspn(line, " \r");
        if (strstr(line, "packets transmitted") != NULL && *start >= '0' && *start <= '9') {
            read_counts(line, text);
        } else if (begins(start, "rtt ")) {
            read_times(start + 4, text);
        } else if (begins(start, "round-trip ")) {
            read_times(start + 11, text);
        } else {
            read_message(line, text);
        }
    }
}

bool ng_ping_read(const char *out, size_t out_len, const char *err_text, size_t err_len,
    struct ng_ping_text *text, struct ng_err *err) {
    *text = (struct ng_ping_text){.min = NAN, .avg = NAN, .max = NAN, .mdev = NAN};
    struct ng_ping_text messages = *text;
    read_stream(out, out_len, text);
    read_stream(err_text, err_len, &messages); /* standard error may hold interim counts */
    text->too_long = text->too_long || messages.too_long;
    text->mtu = messages.mtu > 0 ? messages.mtu : text->mtu;
    if (!text->found) {
        return ng_err_set(err, NG_ERR_FORMAT, "ping printed no line of counts");
    }
    if (!(text->transmitted >= 0) || !(text->received >= 0) || !(text->printed_loss >= 0) ||
        text->printed_loss > 1) {
        return ng_err_set(err, NG_ERR_FORMAT, "ping's line of counts is not understood");
    }
    if (!(text->min <= text->avg && text->avg <= text->max)) {
        text->min = text->avg = text->max = text->mdev = NAN;
    }
    return true;
}
