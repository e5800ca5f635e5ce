/** units.c - the units that can be written, and what is meant by those that cannot. */
#include "runner/base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "runner/base/buf.h"
#include "runner/base/guard.h"
#include "runner/base/text.h"

enum { UNIT_BYTES_MAX = 24, SHOWN_MAX = 64 };

struct unit {
    const char *name;
    const char *rate; /* the name with "/s", where that makes sense */
    double factor;
    struct ng_dim dim; /* of `name` */
};

static const struct unit units[] = {
    {"B", "B/s", 1, {1, 0}},
    {"kB", "kB/s", 1e3, {1, 0}},
    {"MB", "MB/s", 1e6, {1, 0}},
    {"GB", "GB/s", 1e9, {1, 0}},
    {"TB", "TB/s", 1e12, {1, 0}},
    {"KiB", "KiB/s", 0x1p10, {1, 0}},
    {"MiB", "MiB/s", 0x1p20, {1, 0}},
    {"GiB", "GiB/s", 0x1p30, {1, 0}},
    {"TiB", "TiB/s", 0x1p40, {1, 0}},
    {"bit", "bit/s", 1.0 / 8, {1, 0}},
    {"kbit", "kbit/s", 1e3 / 8, {1, 0}},
    {"Mbit", "Mbit/s", 1e6 / 8, {1, 0}},
    {"Gbit", "Gbit/s", 1e9 / 8, {1, 0}},
    {"Tbit", "Tbit/s", 1e12 / 8, {1, 0}},
    {"kbps", NULL, 1e3 / 8, {1, -1}},
    {"Mbps", NULL, 1e6 / 8, {1, -1}},
    {"Gbps", NULL, 1e9 / 8, {1, -1}},
    {"Tbps", NULL, 1e12 / 8, {1, -1}},
    {"ns", NULL, 1e-9, {0, 1}},
    {"us", NULL, 1e-6, {0, 1}},
    {"ms", NULL, 1e-3, {0, 1}},
    {"s", NULL, 1, {0, 1}},
    {"m", NULL, 60, {0, 1}},
    {"min", NULL, 60, {0, 1}},
    {"h", NULL, 3600, {0, 1}},
    {"d", NULL, 86400, {0, 1}},
    {"IOPS", NULL, 1, {0, -1}},
    {"/s", NULL, 1, {0, -1}},
    {"%", NULL, 1.0 / 100, {0, 0}},
};

/** What people write and what they may have meant, for an amount and for a rate. */
struct slip {
    const char *wrong;
    const char *right;
    const char *rate;
};

static const struct slip slips[] = {
    {"K", "kB or KiB", "kB/s or KiB/s"},
    {"M", "MB or MiB", "MB/s or MiB/s"},
    {"G", "GB or GiB", "GB/s or GiB/s"},
    {"T", "TB or TiB", "TB/s or TiB/s"},
    {"KB", "kB or KiB", "kB/s or KiB/s"},
    {"Kb", "kbit or kB", "kbit/s or kB/s"},
    {"kb", "kbit or kB", "kbit/s or kB/s"},
    {"Mb", "Mbit or MB", "Mbit/s or MB/s"},
    {"mb", "Mbit or MB", "Mbit/s or MB/s"},
    {"Gb", "Gbit or GB", "Gbit/s or GB/s"},
    {"gb", "Gbit or GB", "Gbit/s or GB/s"},
    {"Tb", "Tbit or TB", "Tbit/s or TB/s"},
    {"tb", "Tbit or TB", "Tbit/s or TB/s"},
    {"mB", "MB", "MB/s"},
    {"gB", "GB", "GB/s"},
    {"tB", "TB", "TB/s"},
    {"b", "bit or B", "bit/s or B/s"},
    {"Ki", "KiB", "KiB/s"},
    {"Mi", "MiB", "MiB/s"},
    {"Gi", "GiB", "GiB/s"},
    {"Ti", "TiB", "TiB/s"},
    {"bits", "bit", "bit/s"},
    {"kbits", "kbit", "kbit/s"},
    {"Mbits", "Mbit", "Mbit/s"},
    {"Gbits", "Gbit", "Gbit/s"},
    {"Tbits", "Tbit", "Tbit/s"},
    {"byte", "B", "B/s"},
    {"bytes", "B", "B/s"},
    {"KByte", "kB or KiB", "kB/s or KiB/s"},
    {"KBytes", "kB or KiB", "kB/s or KiB/s"},
    {"MByte", "MB or MiB", "MB/s or MiB/s"},
    {"MBytes", "MB or MiB", "MB/s or MiB/s"},
    {"GByte", "GB or GiB", "GB/s or GiB/s"},
    {"GBytes", "GB or GiB", "GB/s or GiB/s"},
    {"TByte", "TB or TiB", "TB/s or TiB/s"},
    {"TBytes", "TB or TiB", "TB/s or TiB/s"},
    {"bps", "bit/s", NULL},
    {"nsec", "ns", NULL},
    {"usec", "us", NULL},
    {"\xC2\xB5s", "us", NULL}, /* U+00B5 micro sign */
    {"\xCE\xBCs", "us", NULL}, /* U+03BC Greek mu */
    {"msec", "ms", NULL},
    {"sec", "s", NULL},
    {"secs", "s", NULL},
    {"second", "s", NULL},
    {"seconds", "s", NULL},
    {"mins", "min", NULL},
    {"minute", "min", NULL},
    {"minutes", "min", NULL},
    {"hr", "h", NULL},
    {"hrs", "h", NULL},
    {"hour", "h", NULL},
    {"hours", "h", NULL},
    {"day", "d", NULL},
    {"days", "d", NULL},
    {"kIOPS", "IOPS", NULL},
    {"IO", NULL, "IOPS"},
    {"IOs", NULL, "IOPS"},
    {"op", NULL, "IOPS"},
    {"ops", "IOPS", "IOPS"},
    {"Hz", "/s", NULL},
    {"1", NULL, "/s"},
    {"percent", "%", NULL},
    {"pct", "%", NULL},
};

/** Compares a unit that may be not terminated with a name. */
static bool same(const char *unit, size_t len, const char *name, bool any_case) {
    return name != NULL && strlen(name) == len &&
           (any_case ? strncasecmp(unit, name, len) : memcmp(unit, name, len)) == 0;
}

/** How a unit says "per second", in bytes at its end; 0 if it does not. */
static size_t rate_suffix(const char *unit, size_t len) {
    static const char *const suffixes[] = {"/s", "/sec", "/second", "ps"};
    for (size_t i = 0; i < NG_COUNT(suffixes); i++) {
        size_t size = strlen(suffixes[i]);
        if (len > size && strncasecmp(unit + len - size, suffixes[i], size) == 0) {
            return size;
        }
    }
    return 0;
}

static const char *slip_hint(const char *base, size_t len, bool rate, bool any_case) {
    for (size_t i = 0; i < NG_COUNT(slips); i++) {
        if (same(base, len, slips[i].wrong, any_case)) {
            return rate ? slips[i].rate : slips[i].right;
        }
    }
    return NULL;
}

static const char *unit_hint(const char *base, size_t len, bool rate, bool any_case) {
    for (size_t i = 0; i < NG_COUNT(units); i++) {
        if (same(base, len, units[i].name, any_case)) {
            return rate ? units[i].rate : units[i].name;
        }
    }
    return NULL;
}

static const char *hint_for_base(const char *base, size_t len, bool rate) {
    /* Exact case first: "MB" and "Mb" are different slips. */
    const char *hint = slip_hint(base, len, rate, false);
    hint = hint != NULL ? hint : unit_hint(base, len, rate, false);
    hint = hint != NULL ? hint : slip_hint(base, len, rate, true);
    return hint != NULL ? hint : unit_hint(base, len, rate, true);
}

static const char *find_hint(const char *unit, size_t len) {
    if (len == 0 || len > UNIT_BYTES_MAX) {
        return NULL;
    }
    bool bps = len >= 3 && memcmp(unit + len - 3, "bps", 3) == 0; /* bits, as in Mbps */
    size_t suffix = bps ? 0 : rate_suffix(unit, len);
    const char *hint = suffix == 0 ? NULL : hint_for_base(unit, len - suffix, true);
    return hint != NULL ? hint : hint_for_base(unit, len, false);
}

/** 1e3 for "k" or "K" alone, and so on; 0 for no such letter. */
static double prefix_alone(const char *unit, size_t len) {
    static const char letters[] = "kKmMgGtT";
    static const double factors[] = {1e3, 1e3, 1e6, 1e6, 1e9, 1e9, 1e12, 1e12};
    const char *at = len == 1 ? memchr(letters, *unit, sizeof letters - 1) : NULL;
    return at != NULL ? factors[at - letters] : 0;
}

/** A hint whose unit has the wanted dimension; NULL otherwise. */
static const char *fitting_hint(const char *unit, size_t len, struct ng_dim wanted) {
    bool rate = ng_dim_equal(wanted, NG_DIM_RATE);
    size_t suffix = rate ? rate_suffix(unit, len) : 0;
    bool bps = len >= 3 && memcmp(unit + len - 3, "bps", 3) == 0;
    const char *hint =
        rate && !bps ? hint_for_base(unit, len - suffix, true) : find_hint(unit, len);
    if (hint == NULL) {
        return NULL;
    }
    double factor;
    struct ng_dim dim = NG_DIM_NONE;
    size_t first = strcspn(hint, " "); // of "kB or KiB"
    return ng_unit_find(hint, first, &factor, &dim, NULL) && ng_dim_equal(dim, wanted) ? hint
                                                                                       : NULL;
}

bool ng_unit_suggest(double number, const char *unit, size_t len, struct ng_dim wanted,
    enum ng_spelling spelling, char out[NG_QUANTITY_TEXT]) {
    static const char *const rates[][2] = {
        {"kB/s", "kbit/s"}, {"MB/s", "Mbit/s"}, {"GB/s", "Gbit/s"}, {"TB/s", "Tbit/s"}};
    char plain[NG_QUANTITY_TEXT];
    double prefix = len <= UNIT_BYTES_MAX ? prefix_alone(unit, len) : 0;
    bool counted = ng_dim_equal(wanted, NG_DIM_IOPS) || ng_dim_equal(wanted, NG_DIM_NONE);
    if (prefix > 0 && counted) {
        ng_number_format(number * prefix, out);
        return true;
    }
    ng_number_format(number, plain);
    if (prefix > 0 && ng_dim_equal(wanted, NG_DIM_RATE)) {
        int step = prefix < 1e6 ? 0 : prefix < 1e9 ? 1 : prefix < 1e12 ? 2 : 3;
        snprintf(
            out, NG_QUANTITY_TEXT, "%.24s %s", plain, rates[step][spelling == NG_SPELLING_BITS]);
        return true;
    }
    const char *hint = len == 0 || len > UNIT_BYTES_MAX ? NULL : fitting_hint(unit, len, wanted);
    if (hint != NULL && strchr(hint, ' ') != NULL) { // one of several: the number says nothing
        snprintf(out, NG_QUANTITY_TEXT, "%s", hint);
    } else if (hint != NULL) {
        snprintf(out, NG_QUANTITY_TEXT, "%.24s %s", plain, hint);
    }
    return hint != NULL;
}

bool ng_unit_find(
    const char *unit, size_t len, double *factor, struct ng_dim *dim, const char **hint) {
    for (size_t i = 0; i < NG_COUNT(units); i++) {
        bool rate = same(unit, len, units[i].rate, false);
        if (rate || same(unit, len, units[i].name, false)) {
            *factor = units[i].factor;
            *dim = units[i].dim;
            if (rate) {
                dim->time = -1;
            }
            return true;
        }
    }
    if (hint != NULL) {
        *hint = find_hint(unit, len);
    }
    return false;
}

double ng_unit_scale(double value, double factor) {
    return factor < 1 ? value / rint(1 / factor) : value * factor;
}

bool ng_dim_equal(struct ng_dim a, struct ng_dim b) {
    return a.data == b.data && a.time == b.time;
}

const char *ng_dim_word(struct ng_dim dim) {
    enum { FAR = 2 };
    static const char *const data_by_time[2 * FAR + 1][2 * FAR + 1] = {
        {"1/(bytes^2*s^2)", "1/(bytes^2*s)", "1/bytes^2", "s/bytes^2", "s^2/bytes^2"},
        {"1/(bytes*s^2)", "1/(bytes*s)", "1/bytes", "s/bytes", "s^2/bytes"},
        {"1/s^2", "IOPS", "number", "duration", "s^2"},
        {"bytes/s^2", "rate", "size", "bytes*s", "bytes*s^2"},
        {"bytes^2/s^2", "bytes^2/s", "bytes^2", "bytes^2*s", "bytes^2*s^2"},
    };
    int data = dim.data + FAR, time = dim.time + FAR;
    if (data < 0 || data > 2 * FAR || time < 0 || time > 2 * FAR) {
        return "a high power of bytes or seconds";
    }
    return data_by_time[data][time];
}

/** Sets an error that shows the quantity as it was written. */
static bool refuse(
    struct ng_err *err, const char *text, const char *problem, const char *name, const char *fix) {
    struct ng_buf shown, unit;
    ng_buf_init(&shown, SHOWN_MAX);
    ng_buf_init(&unit, SHOWN_MAX);
    ng_text_clean(&shown, text, strlen(text), NG_TEXT_LINE, SHOWN_MAX);
    ng_text_clean(&unit, name, strlen(name), NG_TEXT_LINE, SHOWN_MAX);
    ng_err_set(err, NG_ERR_FORMAT, "\"%s\": %s%s%s%s%s%s", ng_buf_text(&shown), problem,
        *name == '\0' ? "" : " \"", ng_buf_text(&unit), *name == '\0' ? "" : "\"",
        *fix == '\0' ? "" : "; ", fix);
    ng_buf_release(&shown);
    ng_buf_release(&unit);
    return false;
}

/** What parsing a quantity knows of it when it comes to a unit that does not exist. */
struct wrong_unit {
    const char *text, *unit;
    double number;
    size_t len;
};

static bool refuse_unit(
    struct ng_err *err, const struct wrong_unit *wrong, const struct ng_dim *wanted) {
    const char *text = wrong->text;
    const char *unit = wrong->unit;
    char fix[SHOWN_MAX];
    char fitting[NG_QUANTITY_TEXT];
    if (wanted != NULL) {
        bool any =
            ng_unit_suggest(wrong->number, unit, wrong->len, *wanted, NG_SPELLING_BITS, fitting);
        snprintf(fix, sizeof fix, "write %s", fitting);
        return refuse(err, text, "unknown unit", unit, any ? fix : "");
    }
    const char *hint = find_hint(unit, wrong->len);
    if (hint == NULL) {
        return refuse(err, text, "unknown unit", unit,
            "write a size (kB MB GB TB, KiB MiB GiB TiB), a rate (MB/s, MiB/s, Mbit/s, Gbit/s), a "
            "duration (us ms s min h d), IOPS or %");
    }
    snprintf(fix, sizeof fix, "write %s", hint);
    return refuse(err, text, "unknown unit", unit, fix);
}

static bool refuse_number(struct ng_err *err, const char *text, const char *number) {
    if (*number == '-') {
        return refuse(err, text, "a quantity is never negative", "", "leave the sign out");
    }
    if (*number >= '0' && *number <= '9') {
        return refuse(err, text, "the number is too large", "", "use a larger unit");
    }
    if (*number == '.' && number[1] >= '0' && number[1] <= '9') {
        return refuse(err, text, "the number has no digit before its dot", "", "write 0.5, not .5");
    }
    return refuse(err, text, "no number at the start", "",
        "write digits and a unit, as in 30 GiB, 10 Gbit/s, 250 ms or 95%");
}

static const char *skip_blanks(const char *text) {
    return text + strspn(text, " \t");
}

static bool parse(
    const char *text, const struct ng_dim *wanted, struct ng_quantity *out, struct ng_err *err) {
    const char *number = skip_blanks(text);
    double value;
    size_t used = ng_number_scan(number, strlen(number), &value);
    if (used == 0) {
        return refuse_number(err, text, number);
    }
    const char *unit = skip_blanks(number + used);
    size_t len = strlen(unit);
    while (len > 0 && (unit[len - 1] == ' ' || unit[len - 1] == '\t')) {
        len--;
    }
    if (*unit == ',' || *unit == '.' || *unit == '_' || *unit == '\'') {
        return refuse(err, text, "the number is followed by", unit,
            "write numbers with a dot and without grouping, as in 2.5 or 1000");
    }
    double factor = 1;
    struct ng_dim dim = NG_DIM_NONE;
    if (len > 0 && !ng_unit_find(unit, len, &factor, &dim, NULL)) {
        return refuse_unit(err, &(struct wrong_unit){text, unit, value, len}, wanted);
    }
    value = ng_unit_scale(value, factor);
    if (!isfinite(value)) {
        return refuse(err, text, "the quantity is too large", "", "write a smaller one");
    }
    *out = (struct ng_quantity){value, dim};
    return true;
}

bool ng_quantity_parse(const char *text, struct ng_quantity *out, struct ng_err *err) {
    return parse(text, NULL, out, err);
}

bool ng_quantity_parse_as(
    const char *text, struct ng_dim wanted, struct ng_quantity *out, struct ng_err *err) {
    return parse(text, &wanted, out, err);
}
