/* rules.c - the table of rules. */
#include "plans/language/rules.h"

#include <string.h>

#include "runner/base/guard.h"

const struct ng_rule ng_rules[] = {
    {"alias", "an alias has no anchor before it, or stands inside its own anchor"},
    {"baseline", "`baseline` alone needs exactly one metric of the phase on the left side"},
    {"choice", "the value is none of those that can be chosen"},
    {"constant", "a threshold or function without anything that is measured"},
    {"depth-without-async", "a queue depth that the I/O engine cannot keep"},
    {"dimension", "quantities of different dimensions are compared or added"},
    {"direct-block", "a block size that direct I/O does not allow"},
    {"direct-off", "I/O through the page cache measures memory"},
    {"disputed", "a scalar that YAML readers take for different things where it matters"},
    {"division", "a division by zero"},
    {"documents", "a file with more than one YAML document"},
    {"duplicate-key", "a key stands twice in one map"},
    {"duplicate-name", "two phases have the same name"},
    {"empty", "there is nothing in the file"},
    {"encoding", "the file is not UTF-8 text, or has characters that no text needs"},
    {"file", "the plan cannot be read"},
    {"from-not-on-link", "the host has no end on the link"},
    {"key", "a key that is no plain word"},
    {"larger-than-mtu", "a packet larger than the MTU that the link states"},
    {"link", "a volume's link has no end on the volume's host"},
    {"merge-key", "`<<`, which YAML 1.2 does not have"},
    {"missing-key", "a required key is absent"},
    {"missing-param", "a parameter has neither a default nor a value from the command line"},
    {"mix-without-both", "a share of reads where nothing is mixed"},
    {"name", "a name with characters that names do not have, or one that is taken"},
    {"no-threshold", "a phase that passes whatever it measures"},
    {"no-time-limit", "a phase that ends only when its work is done"},
    {"not-measured", "a metric that the phase does not measure with its settings"},
    {"not-stated", "a threshold names a property that the topology does not state"},
    {"one-engine", "a phase has no engine, or more than one"},
    {"order", "a phase refers to itself or to a later one"},
    {"param", "a value of a parameter that cannot be used, or an unfinished `${`"},
    {"path", "a path that is not absolute and plain"},
    {"ramp-without-time", "a ramp before a measurement that has no set time"},
    {"range", "a number outside its range"},
    {"rate-too-low", "a rate too low to measure"},
    {"repeats", "too few repeats for what is asked of them"},
    {"reverse-and-bidir", "one direction and both directions at once"},
    {"reverse-between-hosts", "a reversed phase where the other host can be the sender"},
    {"syntax", "the file is no YAML"},
    {"tag", "YAML tags are not allowed"},
    {"threshold", "a threshold that is not `EXPRESSION COMPARISON EXPRESSION`"},
    {"too-deep", "nested too deeply"},
    {"too-large", "more bytes or values than a plan may have"},
    {"too-many", "a list or map with too many items"},
    {"tool-need", "a need for a tool that is not written TOOL or TOOL >= VERSION"},
    {"type", "a value of the wrong type"},
    {"udp-without-rate", "UDP without a rate"},
    {"unit", "a quantity without its unit, or with one of another dimension"},
    {"unknown-key", "a key that the language does not have here"},
    {"unknown-name", "a name that stands for nothing"},
    {"unknown-param", "a parameter that the plan does not have"},
    {"unsupported", "a part of the language that this version does not carry out"},
    {"unused-param", "a parameter that nothing uses"},
    {"value", "a value that cannot be understood"},
    {"version", "a plan format that this version does not read"},
    {"via", "how a host is reached does not fit the rest of it"},
    {"whole-blocks", "a size that is no whole number of blocks"},
    {"whole-milliseconds", "a duration that the engine takes in milliseconds only"},
    {"whole-percent", "a percentage that the engine takes as a whole number only"},
    {"whole-seconds", "a duration that the engine takes in seconds only"},
};
const size_t ng_rule_count = NG_COUNT(ng_rules);

const struct ng_rule *ng_rule_find(const char *word) {
    for (size_t i = 0; i < ng_rule_count; i++) {
        if (strcmp(ng_rules[i].word, word) == 0) {
            return &ng_rules[i];
        }
    }
    return NULL;
}
