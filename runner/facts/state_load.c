/* The state of a host: its load, settings of its kernel, the programs that were looked for. */
#include <string.h>

#include "runner/base/units.h"
#include "runner/facts/state_parts.h"

void ng_state_load(struct ng_state *state, const struct ng_facts *facts) {
    const struct ng_state_thing thing = {state, NG_STATE_LOAD, "", "/proc/loadavg"};
    const char *load = NULL;
    for (size_t i = 0; i < facts->environment_count; i++) {
        if (strcmp(facts->environment[i].key, "load") == 0) {
            load = facts->environment[i].value;
        }
    }
    const struct ng_source *source = ng_frames_find(&facts->frames, "loadavg");
    ng_state_text(&thing, "load of 1, 5, 15 min", load,
        ng_source_read(source)
            ? "/proc/loadavg is not understood"
            : ng_source_why(&facts->frames, source, "/proc/loadavg", state->arena));
}

void ng_state_settings(struct ng_state *state, const struct ng_facts *facts) {
    const struct ng_state_thing thing = {state, NG_STATE_SETTINGS, "", "/proc/sys"};
    if (facts->sysctls_why != NULL) {
        ng_state_unknown(&thing, "settings", "%s", facts->sysctls_why);
    }
    for (size_t i = 0; i < facts->sysctls.count; i++) {
        const struct ng_sysctl *item = &facts->sysctls.items[i];
        ng_state_text(&thing, item->path, item->value, "it cannot be read");
    }
}

void ng_state_tools(struct ng_state *state, const struct ng_facts *facts) {
    for (size_t i = 0; i < facts->tool_count; i++) {
        const struct ng_tool *tool = &facts->tools[i];
        const struct ng_state_thing thing = {
            state, NG_STATE_TOOLS, "", tool->path != NULL ? tool->path : "command -v"};
        if (tool->found == NG_ANSWER_UNKNOWN) {
            ng_state_unknown(
                &thing, tool->name, "%s", tool->why != NULL ? tool->why : "it was not looked for");
        } else {
            ng_state_known(&thing, tool->name, "%s",
                tool->found == NG_ANSWER_NO ? "not installed" : tool->text);
        }
    }
}
