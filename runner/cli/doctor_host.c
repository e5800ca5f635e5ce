/* One host as the doctor sees it. */
#include "runner/cli/doctor_host.h"

#include <string.h>

#include "runner/base/clock.h"
#include "runner/base/guard.h"
#include "runner/base/text.h"
#include "runner/facts/state.h"
#include "runner/facts/tool_advice.h"

enum { LINE_MAX_BYTES = 1200, UNKNOWN_MAX = 6 };

/* What is told of one host. */
struct page {
    struct ng_buf *out;
    struct ng_arena arena;
    const struct ng_host *host;
    const struct ng_facts *facts;
};

/* A line behind a label, which stands on the first of several only. */
static void say(const struct page *page, const char *label, const char *text) {
    ng_buf_addf(page->out, "  %-9s ", label);
    ng_text_clean(page->out, text, strlen(text), NG_TEXT_LINE, LINE_MAX_BYTES);
    ng_buf_addc(page->out, '\n');
}

static const char *environment(
    const struct ng_facts *facts, const char *key, const char *otherwise) {
    for (size_t i = 0; i < facts->environment_count; i++) {
        if (strcmp(facts->environment[i].key, key) == 0) {
            return facts->environment[i].value;
        }
    }
    return otherwise;
}

static void say_system(struct page *page) {
    const struct ng_facts *facts = page->facts;
    say(page, "system",
        ng_arena_printf(&page->arena, "%s, platform %s%s%s", environment(facts, "os", "unknown"),
            ng_platform_word(facts->platform),
            environment(facts, "model", "")[0] != '\0' ? ", " : "",
            environment(facts, "model", "")));
    say(page, "kernel", environment(facts, "kernel", "unknown"));
    say(page, "machine",
        ng_arena_printf(&page->arena, "%s, %s cores, %s memory%s",
            environment(facts, "cpu", "processor unknown"), environment(facts, "cores", "unknown"),
            environment(facts, "memory", "unknown"),
            facts->container == NG_ANSWER_YES
                ? "; a container: arrays, caches and cards of the machine may be hidden from it"
                : ""));
}

static void say_privilege(struct page *page) {
    const struct ng_host *host = page->host;
    const struct ng_facts *facts = page->facts;
    const bool sudo = host->privilege == NG_PRIVILEGE_SUDO;
    if (facts->root == NG_ANSWER_YES) {
        say(page, "privilege",
            ng_arena_printf(&page->arena, "%s",
                sudo ? "root for facts, by sudo -n; commands run as the login" : "root"));
    } else if (facts->root == NG_ANSWER_NO) {
        say(page, "privilege",
            ng_arena_printf(&page->arena, "not root: what only root may see stays unknown; %s",
                sudo ? "sudo -n does not make it root: see its configuration there"
                     : "write privilege: sudo for this host, or use a login that is root"));
    } else {
        say(page, "privilege", "unknown: id -u gave no number");
    }
}

/* Between these the host's clock is ahead of this machine's; it was read while we waited. */
static void say_clock(
    struct page *page, const struct ng_asked *asked, const struct ng_doctor_began *began) {
    const struct ng_facts *facts = page->facts;
    char low_text[NG_TIME_TEXT];
    char high_text[NG_TIME_TEXT];
    if (facts->clock.ns < 0) {
        say(page, "clock", "unknown: date gave no time");
        return;
    }
    const int64_t low = facts->clock.ns - (began->latest_wall_ns + asked->answered_ns);
    const int64_t high =
        facts->clock.ns + facts->clock.step - (began->earliest_wall_ns + asked->sent_ns);
    if (low <= 0 && high >= 0) {
        const int64_t most = -low > high ? -low : high;
        say(page, "clock",
            ng_arena_printf(&page->arena, "as here, to within the %s that it took to ask",
                ng_duration_format(most, low_text)));
    } else if (low > 0) {
        say(page, "clock",
            ng_arena_printf(&page->arena, "%s to %s ahead of this machine's",
                ng_duration_format(low, low_text), ng_duration_format(high, high_text)));
    } else {
        say(page, "clock",
            ng_arena_printf(&page->arena, "%s to %s behind this machine's",
                ng_duration_format(-high, low_text), ng_duration_format(-low, high_text)));
    }
}

static void say_tools(struct page *page) {
    const struct ng_facts *facts = page->facts;
    const char *label = "tools";
    for (size_t i = 0; i < facts->tool_count; i++) {
        const struct ng_tool *tool = &facts->tools[i];
        if (tool->found == NG_ANSWER_YES) {
            say(page, label,
                ng_arena_printf(&page->arena, "%s: %s (%s)", tool->name, tool->text, tool->path));
            label = "";
        } else if (tool->found == NG_ANSWER_UNKNOWN) {
            say(page, label,
                ng_arena_printf(&page->arena, "%s: unknown: %s", tool->name,
                    tool->why != NULL ? tool->why : "it was not looked for"));
            label = "";
        }
    }
}

/* Programs whose absence the collector tells by the frame that they would have filled. */
static const struct {
    const char *frame, *tool, *tells;
} sources[] = {
    {"addresses", "ip", "addresses and routes"},
    {"dmtable", "dmsetup", "caches and RAID of the device mapper"},
    {"ethtool", "ethtool", "rings, offloads, pause frames and errors of cards"},
    {"qdiscs", "tc", "what shapes or drops packets"},
};

static void say_missing(struct page *page) {
    const struct ng_host *host = page->host;
    const struct ng_facts *facts = page->facts;
    const char *label = "missing";
    const bool as_root = facts->root == NG_ANSWER_YES && host->privilege != NG_PRIVILEGE_SUDO;
    for (size_t i = 0; i < facts->tool_count; i++) {
        const struct ng_tool *tool = &facts->tools[i];
        const struct ng_texts *words = ng_host_tool(host, tool->name);
        /* docker is looked for to give advice; nothing of the plan needs it */
        if (tool->found != NG_ANSWER_NO || strcmp(tool->name, "docker") == 0) {
            continue;
        }
        say(page, label,
            ng_arena_printf(&page->arena, "%s: %s", tool->name,
                words != NULL
                    ? ng_arena_printf(&page->arena,
                          "tools: of this host runs it by %s, which is not there", words->items[0])
                    : ng_tool_advice(facts, &page->arena, tool->name, NULL, as_root)));
        label = "";
    }
    for (size_t i = 0; i < NG_COUNT(sources); i++) {
        const struct ng_source *source = ng_frames_find(&facts->frames, sources[i].frame);
        if (source->state == NG_SOURCE_ABSENT) {
            say(page, label,
                ng_arena_printf(&page->arena, "%s, which tells %s: %s", sources[i].tool,
                    sources[i].tells,
                    ng_tool_advice(facts, &page->arena, sources[i].tool, NULL, as_root)));
            label = "";
        }
    }
}

static void say_unknown(struct page *page) {
    const struct ng_facts *facts = page->facts;
    const struct ng_state *state = ng_state_of_host(&page->arena, facts);
    const char *label = "unknown";
    size_t count = 0;
    for (size_t i = 0; i < state->count; i++) {
        const struct ng_state_row *row = &state->rows[i];
        if (row->value != NULL) {
            continue;
        }
        if (++count <= UNKNOWN_MAX) {
            say(page, label,
                ng_arena_printf(&page->arena, "%s%s%s: %s", row->about,
                    row->about[0] != '\0' ? " " : "", row->key, row->why));
            label = "";
        }
    }
    if (count > UNKNOWN_MAX) {
        say(page, "",
            ng_arena_printf(
                &page->arena, "and %zu more: nasgate facts tells all", count - UNKNOWN_MAX));
    }
}

void ng_doctor_host(struct ng_buf *out, const struct ng_host *host, const struct ng_facts *facts,
    const struct ng_asked *asked, const struct ng_doctor_began *began) {
    struct page page = {.out = out, .host = host, .facts = facts};
    ng_arena_init(&page.arena);
    ng_buf_addf(out, "%s (%s%s%s)\n", host->name, ng_via_word(host),
        host->target != NULL ? " " : "", host->target != NULL ? host->target : "");
    if (facts->reason != NULL) {
        say(&page, "silent", facts->reason);
    } else {
        say_system(&page);
        say_privilege(&page);
        say_clock(&page, asked, began);
        say_tools(&page);
        say_missing(&page);
        say_unknown(&page);
    }
    ng_arena_release(&page.arena);
}
