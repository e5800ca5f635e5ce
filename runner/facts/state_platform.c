/* The state of a host: what system on what machine, its clock, with which rights it was asked. */
#include <string.h>

#include "runner/base/clock.h"
#include "runner/facts/state_parts.h"

static const char *environment(const struct ng_facts *facts, const char *key) {
    for (size_t i = 0; i < facts->environment_count; i++) {
        if (strcmp(facts->environment[i].key, key) == 0) {
            return facts->environment[i].value;
        }
    }
    return NULL;
}

/* Why a text is not among the environment: its source could not be read, or does not have it. */
static const char *why_not(
    struct ng_state *state, const struct ng_facts *facts, const char *frame, const char *what) {
    const struct ng_source *source = ng_frames_find(&facts->frames, frame);
    if (ng_source_read(source)) {
        return ng_arena_printf(state->arena, "%s does not tell it", what);
    }
    if (source->state == NG_SOURCE_MISSING && facts->frames.complete) {
        return "no file that tells it is there";
    }
    return ng_source_why(&facts->frames, source, what, state->arena);
}

static void describe_environment(struct ng_state *state, const struct ng_facts *facts) {
    static const struct {
        const char *key, *frame, *source;
    } rows[] = {
        {"os", "os-release", "/etc/os-release"},
        {"kernel", "uname", "uname"},
        {"model", "model", "/sys/class/dmi/id/product_name"},
        {"cpu", "cpuinfo", "/proc/cpuinfo"},
        {"cores", "cpus", "/sys/devices/system/cpu/online"},
        {"memory", "meminfo", "/proc/meminfo"},
        {"uptime", "uptime", "/proc/uptime"},
        {"privilege", "id", "id -u"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const struct ng_state_thing host = {state, NG_STATE_PLATFORM, "", rows[i].source};
        const char *value = environment(facts, rows[i].key);
        ng_state_text(&host, rows[i].key, value,
            value != NULL ? NULL : why_not(state, facts, rows[i].frame, rows[i].source));
    }
    const char *version = environment(facts, "version");
    if (version != NULL) {
        const struct ng_state_thing host = {state, NG_STATE_PLATFORM, "", "/etc/version"};
        ng_state_known(&host, "version", "%s", version);
    }
}

void ng_state_platform(struct ng_state *state, const struct ng_facts *facts) {
    const struct ng_state_thing host = {state, NG_STATE_PLATFORM, "", "marker files, uname"};
    const struct ng_state_thing clock = {state, NG_STATE_PLATFORM, "", "date"};
    ng_state_text(&host, "platform",
        facts->platform != NG_PLATFORM_UNKNOWN ? ng_platform_word(facts->platform) : NULL,
        "none of the signs of a known one is there");
    describe_environment(state, facts);
    ng_state_answer(&host, "container", facts->container, "its signs could not be looked for");
    if (facts->clock.ns >= 0) {
        char text[NG_TIME_TEXT];
        ng_state_known(&clock, "clock", "%s", ng_time_format(facts->clock.ns, text));
    } else {
        ng_state_unknown(&clock, "clock", "%s", why_not(state, facts, "clock", "date"));
    }
}
