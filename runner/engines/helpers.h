/**
 * helpers.h - what the engines share: commands, replies in words, versions, measures, link checks.
 * Private to runner/engines.
 */
#ifndef NG_ENGINES_HELPERS_H
#define NG_ENGINES_HELPERS_H

#include "runner/engines/engine.h"

/* Dimension and spelling of a row of a metric table. */
#define NG_NONE_INIT {0, 0}, NG_SPELLING_PLAIN
#define NG_SIZE_INIT {1, 0}, NG_SPELLING_PLAIN
#define NG_TIME_INIT {0, 1}, NG_SPELLING_PLAIN
#define NG_RATE_INIT {1, -1}, NG_SPELLING_PLAIN
#define NG_WIRE_INIT {1, -1}, NG_SPELLING_BITS
#define NG_IOPS_INIT {0, -1}, NG_SPELLING_PLAIN
#define NG_SHARE_INIT {0, 0}, NG_SPELLING_SHARE

/** Numbers in base units as text for people. All live in `arena`. */
const char *ng_say_size(struct ng_arena *arena, double bytes);
const char *ng_say_rate(struct ng_arena *arena, double bytes_per_s);
/** A rate as wires state it: "9.41 Gbit/s". */
const char *ng_say_wire(struct ng_arena *arena, double bytes_per_s);
const char *ng_say_time(struct ng_arena *arena, double seconds);

/** Adds an empty command. That there is room is the engine's to know. */
struct ng_command *ng_commands_add(
    struct ng_commands *commands, const char *role, const struct ng_host *host);
bool ng_command_is(const struct ng_command *command, const char *role);

/** Which end of a link a phase starts from: that on the host `from`, the first end without one. */
int ng_link_from_end(const struct ng_link *link, const struct ng_host *from);
/** The rule "from-not-on-link": a host that is named has an end of the link. NULLs are told
 * already.
 */
void ng_link_check_from(const struct ng_link *link, const struct ng_host *from,
    const struct ng_node *node, struct ng_diags *diags);
/** Whether both addresses are IPv4 or both are IPv6. */
bool ng_same_family(const char *a, const char *b);

/** Seconds as nanoseconds, rounded up to whole seconds and kept within 0 .. 7 days: no estimate and
 *  no deadline of a phase is longer, whatever sizes and rates a plan gives. */
int64_t ng_seconds_bounded(double seconds);

/** Bits that depend on the run's seed, the phase and the repeat, and on `salt`: the same run makes
 *  the same bits again. Generator: splitmix64 (Steele, Lea, Flood 2014). */
uint64_t ng_site_bits(const struct ng_site *site, uint64_t salt);
/** Whether some threshold that gates the phase reads its metric of that name. */
bool ng_site_gates(const struct ng_site *site, const char *metric);
/** The phase's own timeout where it has one, else `own_ns`. */
int64_t ng_site_deadline(const struct ng_site *site, int64_t own_ns);

/**
 * The address of one end (0 or 1) of the phase's link: what the site knows, else what the plan
 * states. NULL with an error that says how to state it.
 */
const char *ng_site_address(
    const struct ng_site *site, const struct ng_link *link, int end, struct ng_err *err);

/**
 * Whether a command ran and ended by itself, whatever its exit status. If not, *err says how it
 * ended: not started, deadline, stopped, signalled, stuck.
 */
bool ng_reply_exited(const char *tool, const struct ng_reply *reply, struct ng_err *err);
/** Whether it was ended from outside after it had started, so that its output may hold a part. */
bool ng_reply_cut_short(const struct ng_reply *reply);
/**
 * Whether the command ran at least as long as its result claims that the measurement took, give or
 * take 2 % and half a second. A result that claims more was not made by this command: a stale file,
 * a wrapper, a broken clock. Else *err says so.
 */
bool ng_reply_lasted(
    const char *tool, const struct ng_reply *reply, double claimed_s, struct ng_err *err);
/** Whether all output was kept; else *err says so. */
bool ng_reply_whole(const char *tool, const struct ng_reply *reply, struct ng_err *err);
/**
 * What a tool said, as one clean bounded line: the first line on standard error, else the first
 * line on standard output that is not part of a JSON document, else "it printed no message".
 */
const char *ng_reply_words(struct ng_arena *arena, const struct ng_reply *reply);
/** Whether `text` occurs in either output. */
bool ng_reply_has(const struct ng_reply *reply, const char *text);

/** Reads major and minor from "3.39-30-g58818"; false when there is none. */
bool ng_tool_version_read(const char *text, int *major, int *minor);
bool ng_tool_version_below(int major, int minor, int least_major, int least_minor);

/** Adds one measure of the engine's table. A value that is not finite, or negative, which no metric
 *  can be, is left out: absent is not 0. */
void ng_measure(const struct ng_site *site, struct ng_repeat *repeat,
    const struct ng_engine *engine, const char *metric, double value);
/** Whether two numbers differ by at most `share` of the larger one. */
bool ng_agree(double a, double b, double share);
/** Adds the finding "faster-than-link" when `bytes_per_s` is more than 2 % above the link's speed.
 */
void ng_find_faster_than_link(const struct ng_site *site, struct ng_repeat *repeat,
    const struct ng_link *link, const char *metric, double bytes_per_s);

#endif
