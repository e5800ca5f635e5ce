/* reference_parts.c - thresholds, units and rules on the reference page. */
#include "plans/language/reference_parts.h"

#include "plans/language/rules.h"
#include "plans/language/schema_parts.h"

static const char thresholds[] =
    "\n## Thresholds\n"
    "\n"
    "`EXPRESSION COMPARISON EXPRESSION` or `EXPRESSION within LOW .. HIGH` (both ends belong to "
    "the "
    "range).\n"
    "\n"
    "| part | written | meaning |\n"
    "| --- | --- | --- |\n"
    "| comparison | `<=` `<` `>=` `>` `==` `!=` | |\n"
    "| number | `400 MB/s`, `5 ms`, `1000 IOPS`, `3` | with its unit; a bare number may stand "
    "against IOPS and against what has no dimension |\n"
    "| share | `95% of X` | a percentage of any expression |\n"
    "| arithmetic | `+ - * /`, parentheses | dimensions are checked when the plan is loaded |\n"
    "| metric | `write.bw` | a metric of this phase, by its median over the repeats |\n"
    "| earlier phase | `PHASE.METRIC` | a metric of a phase that stands before this one |\n"
    "| link | `link.LINK.speed`, `link.LINK.mtu` | as the topology states it |\n"
    "| volume | `volume.VOLUME.disks` | member disks of its array |\n"
    "| baseline | `baseline`, `baseline.METRIC` | the same metric in an earlier run; alone: the "
    "one "
    "metric on the left side |\n"
    "| function | `min(X)` `max(X)` `mean(X)` `median(X)` | over the repeats of the metrics in X "
    "|\n"
    "| spread | `stddev(X)` `cv(X)` | sample standard deviation; the same divided by the mean |\n"
    "| percentile | `p95(X)`, `p1` to `p99.9` | linear interpolation between order statistics |\n"
    "\n"
    "A name is letters, digits, `_`, `.` and `-`: put blanks around a minus between two names.\n";

void ng_reference_thresholds(struct ng_buf *out) {
    ng_buf_adds(out, thresholds);
}

static void add_units(struct ng_buf *out, const char *what, struct ng_dim dim) {
    const char *const *units = ng_schema_units(dim);
    ng_buf_addf(out, "| %s | ", what);
    for (size_t i = 0; units[i]; i++) {
        ng_buf_addf(out, "%s`%s`", i == 0 ? "" : " ", units[i]);
    }
    ng_buf_adds(out, " |\n");
}

void ng_reference_units(struct ng_buf *out) {
    ng_buf_adds(out, "\n## Units\n\n"
                     "`kB` `MB` `GB` `TB` are powers of 1000, `KiB` `MiB` `GiB` `TiB` powers of "
                     "1024, bits powers of 1000. `m` and `min` are minutes.\n\n"
                     "| quantity | units |\n| --- | --- |\n");
    add_units(out, "size", NG_DIM_SIZE);
    add_units(out, "rate", NG_DIM_RATE);
    add_units(out, "duration", NG_DIM_TIME);
    add_units(out, "operations", NG_DIM_IOPS);
    add_units(out, "share", NG_DIM_NONE);
}

void ng_reference_rules(struct ng_buf *out) {
    ng_buf_adds(out, "\n## Rules\n\n"
                     "Messages about a plan end with one of these words in brackets.\n\n"
                     "| rule | meaning |\n| --- | --- |\n");
    for (size_t i = 0; i < ng_rule_count; i++) {
        ng_buf_addf(out, "| `%s` | %s |\n", ng_rules[i].word, ng_rules[i].meaning);
    }
}
