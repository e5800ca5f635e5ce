/* The load averages and the pressure of a host. */
#include "runner/facts/load.h"

#include "runner/base/units.h"
#include "runner/facts/scan.h"

/* The next word as a number of at least 0; it may end with a comma. A comma inside it is the mark
 * of another locale, and no separator. */
static bool take_number(struct ng_span *rest, double *out) {
    struct ng_span word;
    if (!ng_span_word(rest, &word)) {
        return false;
    }
    word.len -= word.len > 1 && word.at[word.len - 1] == ',' ? 1 : 0;
    return ng_number_scan(word.at, word.len, out) == word.len;
}

static bool take_three(struct ng_loadavg *load, struct ng_span *rest) {
    double numbers[3];
    for (size_t i = 0; i < 3; i++) {
        if (!take_number(rest, &numbers[i])) {
            return false;
        }
    }
    load->one = numbers[0];
    load->five = numbers[1];
    load->fifteen = numbers[2];
    return true;
}

static const struct ng_loadavg no_load = {-1, -1, -1, -1, -1};

bool ng_loadavg_parse(struct ng_loadavg *load, const char *text, size_t len) {
    struct ng_span rest = ng_span(text, len), line, word;
    *load = no_load;
    if (!ng_span_line(&rest, &line) || !take_three(load, &line)) {
        *load = no_load;
        return false;
    }
    int64_t running, tasks;
    if (ng_span_word(&line, &word) && ng_span_int(ng_span_until(&word, '/'), &running) &&
        ng_span_int(word, &tasks) && running >= 0 && tasks >= 0) {
        load->running = running;
        load->tasks = tasks;
    }
    return true;
}

bool ng_uptime_parse(struct ng_loadavg *load, const char *text, size_t len) {
    struct ng_span rest = ng_span_after(ng_span(text, len), "load average");
    *load = no_load;
    if (rest.at == NULL) {
        return false;
    }
    if (ng_span_begins(rest, "s")) {
        rest = ng_span(rest.at + 1, rest.len - 1);
    }
    if (!ng_span_begins(rest, ":")) {
        return false;
    }
    struct ng_span tail = ng_span(rest.at + 1, rest.len - 1), line;
    return ng_span_line(&tail, &line) && take_three(load, &line);
}

static bool named(struct ng_span word, const char *name, double *out) {
    const struct ng_span key = ng_span_until(&word, '=');
    return ng_span_is(key, name) && word.len > 0 &&
           ng_number_scan(word.at, word.len, out) == word.len;
}

static bool read_pressure(struct ng_span line, struct ng_pressure_line *out) {
    struct ng_pressure_line found = {-1, -1, -1, -1};
    struct ng_span word;
    while (ng_span_word(&line, &word)) {
        struct ng_span value = word;
        if (named(word, "avg10", &found.avg10) || named(word, "avg60", &found.avg60) ||
            named(word, "avg300", &found.avg300)) {
            continue;
        }
        if (ng_span_is(ng_span_until(&value, '='), "total")) {
            (void)ng_span_int(value, &found.total);
        }
    }
    if (found.avg10 < 0 || found.total < 0) {
        return false;
    }
    *out = found;
    return true;
}

bool ng_pressure_parse(struct ng_pressure *pressure, const char *text, size_t len) {
    const struct ng_pressure_line none = {-1, -1, -1, -1};
    struct ng_span rest = ng_span(text, len), line, word;
    bool any = false;
    *pressure = (struct ng_pressure){none, none};
    while (ng_span_line(&rest, &line)) {
        if (!ng_span_word(&line, &word)) {
            continue;
        }
        if (ng_span_is(word, "some")) {
            any = read_pressure(line, &pressure->some) || any;
        } else if (ng_span_is(word, "full")) {
            any = read_pressure(line, &pressure->full) || any;
        }
    }
    return any;
}
