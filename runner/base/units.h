/**
 * units.h - quantities: numbers with a dimension.
 *
 * A dimension is a pair of exponents of data and time, so that sizes divide by durations into
 * rates. Base units: byte, second. A rate is bytes per second whether it was written in bits or
 * bytes. IOPS are 1/s. Counts, ratios and percentages have no dimension (50% is 0.5).
 *
 * Units that can be written (exact case): B kB MB GB TB (powers of 1000), KiB MiB GiB TiB (powers
 * of 1024), bit kbit Mbit Gbit Tbit (powers of 1000), any of them with "/s"; kbps Mbps Gbps Tbps;
 * ns us ms s m min h d (m and min are both minutes); IOPS, /s, %. Wrong but common spellings (KB,
 * kb, Mb, mb, gbit, sec, µs ...) are refused with the right one. IEC and SI names: IEC 80000-13.
 */
#ifndef NG_BASE_UNITS_H
#define NG_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runner/base/err.h"

struct ng_dim {
    int8_t data; /* exponent of bytes */
    int8_t time; /* exponent of seconds */
};

#define NG_DIM_NONE ((struct ng_dim){0, 0})
#define NG_DIM_SIZE ((struct ng_dim){1, 0})
#define NG_DIM_TIME ((struct ng_dim){0, 1})
#define NG_DIM_RATE ((struct ng_dim){1, -1})
#define NG_DIM_IOPS ((struct ng_dim){0, -1})

struct ng_quantity {
    double value; /* in base units */
    struct ng_dim dim;
};

enum { NG_QUANTITY_TEXT = 48 };

/** How people read values of a dimension where there is more than one way. */
enum ng_spelling {
    NG_SPELLING_PLAIN, /* rates in bytes per second, numbers as they are */
    NG_SPELLING_BITS,  /* rates in bits per second, as wires state them */
    NG_SPELLING_SHARE, /* numbers as percentages: 1 is 100% */
};

bool ng_dim_equal(struct ng_dim a, struct ng_dim b);
/** "size", "duration", "rate", "IOPS", "number", or "bytes^2/s" for the odd ones. Static. */
const char *ng_dim_word(struct ng_dim dim);

/**
 * Parses "30 GiB", "10Gbit/s", "250 ms", "95%", "4", "1e3 IOPS" completely. A number is digits with
 * an optional fraction and exponent, never negative, always with a dot, whatever the locale.
 * Returns false with a text that says what to write.
 */
bool ng_quantity_parse(const char *text, struct ng_quantity *out, struct ng_err *err) NG_MUST_USE;
/** The same where one dimension is wanted, so that what is said of a wrong unit fits it (rates: in
 * bits, as wires state them). Quantities of other dimensions are parsed as well. */
bool ng_quantity_parse_as(const char *text, struct ng_dim wanted, struct ng_quantity *out,
    struct ng_err *err) NG_MUST_USE;

/**
 * Looks a unit up for a parser that reads number and unit apart (threshold expressions). `unit`
 * need not be terminated. On failure `hint` (may be NULL) gets the right spelling or NULL.
 */
bool ng_unit_find(
    const char *unit, size_t len, double *factor, struct ng_dim *dim, const char **hint);

/**
 * What to write for a number with a unit that does not exist, where the dimension is known:
 * "10 Gbit/s" for 10 with "G" where a rate is wanted, "50000" for 50 with "k" where IOPS or a count
 * is, "kB or KiB" where only the writer can say which. False, with `out` untouched, when nothing
 * that fits can be guessed.
 */
bool ng_unit_suggest(double number, const char *unit, size_t len, struct ng_dim wanted,
    enum ng_spelling spelling, char out[NG_QUANTITY_TEXT]);

/** A number with its unit's factor. Fractions such as % and ms divide, so that 95% is exactly 0.95.
 */
double ng_unit_scale(double value, double factor);

/**
 * Parses one decimal number (digits, optional fraction and exponent, no sign) at `text` in the C
 * locale. Returns the number of bytes used; 0, with `out` untouched, if there is none, it is beyond
 * the range of double, or longer than 127 bytes. A dot without a digit behind it is left over.
 */
size_t ng_number_scan(const char *text, size_t len, double *out);

/**
 * Formats for people: four significant digits in a fitting unit ("443.2 MB/s", "1391 IOPS",
 * "130 us"). Sizes print as whole binary units ("30 GiB"), or as decimal ones that four digits say
 * exactly ("16 GB", "9 kB"), else rounded in binary units ("41.37 GiB"). Whole plain numbers are
 * counts and print in full. Rates print as SI bytes per second; see ng_rate_format_bits for wires.
 * NaN prints as "unknown", infinity as "infinite". Never depends on the locale. Returns `out`.
 */
const char *ng_quantity_format(struct ng_quantity q, char out[NG_QUANTITY_TEXT]);
/** A rate in bits per second: "9.41 Gbit/s". `bytes_per_s` as in a quantity. */
const char *ng_rate_format_bits(double bytes_per_s, char out[NG_QUANTITY_TEXT]);
/** A plain decimal that reads back exactly ("%.17g" shortened), dot in every locale, no nan or inf
 *  (those give "null"). For data files, not for people. */
const char *ng_number_format(double value, char out[NG_QUANTITY_TEXT]);

#endif
