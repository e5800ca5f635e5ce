/**
 * cases.h - the results that reports are tested with; built from case_parts.h.
 */
#ifndef NG_TESTS_WRITERS_CASES_H
#define NG_TESTS_WRITERS_CASES_H

#include "tests/unit/writers/case_parts.h"

static struct ng_result *case_pass(void) {
    struct ng_result *result = case_base("pass");
    case_state(result);
    case_held(result);
    case_wire(result);
    struct ng_phase_result *phase = case_write(result, 443.2 * MB, 4.1 * MB, 421.04 * MB);
    case_judged(result, phase, "write.bw within 250 .. 450 MB/s", NG_CMP_WITHIN, NG_DIM_RATE,
        443.2 * MB, 250.0 * MB, 450.0 * MB)
        ->gates = false;
    case_verdict(phase, NG_VERDICT_PASS,
        "write.bw 443.2 MB/s holds >= 421 MB/s (95% of baseline) with 5.3% to spare");
    case_read(result);
    result->baseline = "20261129T090000Z-base";
    case_end(result);
    return result;
}

static struct ng_result *case_fail(void) {
    struct ng_result *result = case_base("fail");
    ng_records_add(&result->arena, &result->hosts[0].environment, "cores", "2");
    ng_records_add(&result->arena, &result->hosts[0].environment, "load", "10.00 8.10 4.20");
    case_held(result);
    case_wire(result);
    struct ng_phase_result *phase = case_write(result, 312.4 * MB, 9.0 * MB, 400.0 * MB);
    case_judged(
        result, phase, "cv(write.bw) <= 1%", NG_CMP_LE, NG_DIM_NONE, 0.0288, 0.01, (double)NAN);
    case_verdict(phase, NG_VERDICT_FAIL,
        "write.bw 312.4 MB/s is below the limit 400 MB/s (95% of baseline) by 21.9%; cv(write.bw) "
        "2.9% is above the limit 1.0% (1%) by 188.0%");
    case_read(result);
    ng_result_warn(result, "the clock of nas is 41 s behind");
    case_end(result);
    return result;
}

static void case_not_run(struct ng_result *result, const char *reason) {
    struct ng_phase_result *wire = case_phase(result, "wire-out", "iperf3", "fiber", 34, 1);
    struct ng_judged *judged = case_judged(result, wire, "throughput >= 90% of link.fiber.speed",
        NG_CMP_GE, NG_DIM_RATE, (double)NAN, (double)NAN, (double)NAN);
    judged->held = NG_UNKNOWN;
    judged->reason = "not judged";
    case_verdict(wire, NG_VERDICT_SKIPPED, reason);
    struct ng_phase_result *write = case_phase(result, "seq-write", "fio", "repo", 40, 3);
    case_verdict(write, NG_VERDICT_SKIPPED, reason);
}

static struct ng_result *case_broken(void) {
    struct ng_result *result = case_base("broken");
    case_state(result);
    case_held(result);
    struct ng_condition_result *rebuild =
        case_condition(result, "no_rebuild-nas", "no_rebuild", 23, NG_BROKEN);
    rebuild->subject = "nas";
    rebuild->expected = "md arrays idle";
    rebuild->seen = "md2 is in check, 41.3%, about 3 h left";
    rebuild->source = "/proc/mdstat on nas";
    rebuild->remedy = "wait for it, or pause it: echo idle > /sys/block/md2/md/sync_action";
    ng_records_add(&result->arena, &rebuild->looked_at, "md2", "active raid6, 5 of 5 disks, check");
    case_not_run(result, "not run: precondition no_rebuild-nas is broken");
    case_end(result);
    return result;
}

static struct ng_result *case_unknown(void) {
    struct ng_result *result = case_base("unknown");
    struct ng_condition_result *tool =
        case_condition(result, "tools-backup", "tools", 0, NG_UNKNOWN);
    tool->subject = "backup";
    tool->implied = true;
    tool->expected = "fio 2.21 or newer on backup";
    tool->seen = "fio printed a version that was not understood: \"fio-next\"";
    tool->source = "fio --version on backup";
    tool->remedy = "install Debian's package fio";
    struct ng_condition_result *space =
        case_condition(result, "free_space-repo", "free_space", 26, NG_UNKNOWN);
    space->subject = "repo";
    space->allow_unknown = true;
    space->expected = "40 GiB free";
    space->seen = "statfs was refused";
    space->remedy = "let the user of the run look at the mount";
    case_not_run(result, "not run: precondition tools-backup is unknown");
    case_end(result);
    return result;
}

static struct ng_result *case_error(void) {
    struct ng_result *result = case_base("error");
    case_held(result);
    case_wire(result);
    struct ng_phase_result *phase = case_write(result, 443.2 * MB, 4.1 * MB, 421.04 * MB);
    struct ng_repeat *last = &phase->repeats[2];
    last->valid = false;
    last->partial = true;
    last->error = "fio was ended at its deadline of 70 s: 12.1 GiB of 30 GiB were written";
    case_verdict(phase, NG_VERDICT_ERROR,
        "repeat 3 of 3: fio was ended at its deadline of 70 s: 12.1 GiB of 30 GiB were written");
    struct ng_phase_result *read = case_phase(result, "rand-read", "fio", "repo", 48, 1);
    struct ng_judged *judged = case_judged(result, read, "read.iops > 1000", NG_CMP_GT, NG_DIM_IOPS,
        (double)NAN, (double)NAN, (double)NAN);
    judged->held = NG_UNKNOWN;
    judged->reason = "not judged";
    case_verdict(read, NG_VERDICT_SKIPPED, "skipped: it needs seq-write, which is error");
    struct ng_phase_result *ping = case_phase(result, "rtt", "ping", "fiber", 55, 1);
    case_repeat(result, ping);
    judged = case_judged(
        result, ping, "rtt.avg <= 1 ms", NG_CMP_LE, NG_DIM_TIME, (double)NAN, 0.001, (double)NAN);
    judged->held = NG_UNKNOWN;
    judged->reason = "rtt.avg was not measured";
    case_verdict(ping, NG_VERDICT_ERROR, "rtt.avg <= 1 ms is unknown: rtt.avg was not measured");
    case_end(result);
    return result;
}

static struct ng_result *case_inconclusive(void) {
    struct ng_result *result = case_base("inconclusive");
    case_held(result);
    struct ng_phase_result *phase = case_write(result, 1443.2 * MB, 4.1 * MB, 421.04 * MB);
    for (size_t i = 0; i < phase->repeat_count; i++) {
        ng_repeat_find(&result->arena, &phase->repeats[i], NG_FINDING_INCONCLUSIVE,
            "faster-than-link", "1.44 GB/s is more than the 1.25 GB/s of the link fiber");
    }
    case_verdict(
        phase, NG_VERDICT_INCONCLUSIVE, "1.44 GB/s is more than the 1.25 GB/s of the link fiber");
    struct ng_phase_result *read = case_phase(result, "seq-read", "fio", "repo", 48, 2);
    ng_repeat_measure(&result->arena, case_repeat(result, read), &read_bw, 380.0 * MB);
    ng_repeat_measure(&result->arena, case_repeat(result, read), &read_bw, 440.0 * MB);
    struct ng_judged *judged = case_judged(result, read, "read.bw >= 400 MB/s", NG_CMP_GE,
        NG_DIM_RATE, 410.0 * MB, 400.0 * MB, (double)NAN);
    judged->held = NG_UNDECIDED;
    judged->low_bound = 28.8 * MB;
    judged->high_bound = 791.2 * MB;
    judged->reason = "the 95.0% interval of the mean of 2 repeats, 28.8 MB/s .. 791.2 MB/s, "
                     "straddles the limit 400 MB/s";
    case_judged(result, read, "read.bw <= 2 GB/s", NG_CMP_LE, NG_DIM_RATE, 410.0 * MB, 2000.0 * MB,
        (double)NAN);
    case_verdict(read, NG_VERDICT_INCONCLUSIVE,
        "read.bw >= 400 MB/s is undecided: the 95.0% interval of the mean of 2 repeats, 28.8 MB/s "
        ".. "
        "791.2 MB/s, straddles the limit 400 MB/s");
    case_end(result);
    return result;
}

/* A guard that broke in the middle of a phase, one that left a trace, and hosts that were watched.
 */
static struct ng_result *case_guards(void) {
    struct ng_result *result = case_base("guards");
    case_held(result);
    for (size_t i = 0; i < result->condition_count; i++) {
        result->conditions[i].when = i % 2 == 0 ? "throughout" : "before";
    }
    struct ng_phase_result *phase = case_write(result, 443.2 * MB, 4.1 * MB, 421.04 * MB);
    const struct ng_metric_def load = {
        .name = "host.backup.load1.max", .better = NG_BETTER_LOWER, .spelling = NG_SPELLING_PLAIN};
    const struct ng_metric_def resync = {.name = "host.backup.resync.max",
        .dim = {1, -1},
        .better = NG_BETTER_LOWER,
        .spelling = NG_SPELLING_PLAIN};
    for (size_t i = 0; i < phase->repeat_count; i++) {
        ng_repeat_measure(&result->arena, &phase->repeats[i], &load, 12.25);
        ng_repeat_measure(&result->arena, &phase->repeats[i], &resync, 33.4 * MB);
    }
    const struct ng_repeat *second = &phase->repeats[1];
    const int64_t middle = second->start_ns + second->duration_ns / 2;
    ng_result_add_event(result, &(struct ng_event){.phase = phase->name,
                                    .repeat = 2,
                                    .attempt = 1,
                                    .guard = "no_rebuild-nas",
                                    .held = NG_BROKEN,
                                    .at_ns = middle,
                                    .until_ns = middle + second->duration_ns / 4,
                                    .exact = true,
                                    .seen = "md2 on nas is in check, 12.6%"});
    struct ng_records looked_at = {0};
    ng_records_add(&result->arena, &looked_at, "carrier changes | of eth4", "%d", 4);
    ng_result_add_event(
        result, &(struct ng_event){.phase = phase->name,
                    .repeat = 2,
                    .attempt = 1,
                    .remedy = "look at the cable <eth4>",
                    .looked_at = looked_at,
                    .guard = "link_speed-fiber",
                    .held = NG_UNKNOWN,
                    .at_ns = second->start_ns + second->duration_ns,
                    .seen = "carrier of nas:eth4 changed 3 times | before, 4 after"});
    for (size_t i = 0; i < result->event_count; i++) {
        char text[NG_EVENT_TEXT];
        ng_repeat_find(&result->arena, &phase->repeats[1], NG_FINDING_INCONCLUSIVE, "guard-broke",
            "%s", ng_event_words(&result->events[i], second->start_ns, text));
    }
    case_verdict(phase, NG_VERDICT_INCONCLUSIVE, phase->repeats[1].findings[0].text);
    case_end(result);
    return result;
}

static struct ng_result *case_interrupted(void) {
    struct ng_result *result = case_base("interrupted");
    case_held(result);
    case_wire(result);
    struct ng_phase_result *phase = case_write(result, 443.2 * MB, 4.1 * MB, 421.04 * MB);
    phase->repeats[1].valid = false;
    phase->repeats[1].partial = true;
    phase->repeats[1].error = "stopped: the run was interrupted";
    phase->repeat_count = 2;
    phase->judged[0].held = NG_UNKNOWN;
    phase->judged[0].reason = "not judged";
    phase->judged[0].left = phase->judged[0].limit = phase->judged[0].margin = (double)NAN;
    struct ng_phase_result *read = case_phase(result, "rand-read", "fio", "repo", 48, 1);
    struct ng_judged *judged = case_judged(result, read, "read.iops > 1000", NG_CMP_GT, NG_DIM_IOPS,
        (double)NAN, (double)NAN, (double)NAN);
    judged->held = NG_UNKNOWN;
    judged->reason = "not judged";
    result->interrupted = 2;
    case_end(result);
    return result;
}

static struct ng_lease_result *case_lease(
    struct ng_result *result, const char *host, enum ng_lease_state state) {
    struct ng_lease_result *lease = ng_result_add_lease(result);
    lease->host = host;
    lease->state = state;
    result->lease_line = 20;
    return lease;
}

/** Of two units one is another run's. */
static struct ng_result *case_busy(void) {
    struct ng_result *result = case_base("busy");
    case_lease(result, "backup", NG_LEASE_HELD)->since = "2026-11-30T11:30:01Z";
    struct ng_lease_result *lease = case_lease(result, "nas", NG_LEASE_BUSY);
    lease->who = "ci@runner-3";
    lease->since = "2026-11-30T11:12:04Z";
    lease->job = "https://gitlab.example/lab/nas/-/jobs/4711";
    lease->plan = "backup-path-10g";
    lease->run = "20261130T111203Z-6d314e";
    case_lease(result, "spare", NG_LEASE_NOT_ASKED);
    case_verdict(case_phase(result, "seq-write", "fio", "repo", 40, 3), NG_VERDICT_SKIPPED,
        "nas is leased by ci@runner-3 since 2026-11-30T11:12:04Z");
    case_end(result);
    return result;
}

static struct ng_result *case_lease_lost(void) {
    struct ng_result *result = case_base("lease-lost");
    case_held(result);
    struct ng_lease_result *lease = case_lease(result, "nas", NG_LEASE_LOST);
    lease->reason = "the connection to nas was lost";
    case_lease(result, "spare", NG_LEASE_FAILED)->reason =
        "/proc does not show when a process began";
    case_wire(result);
    case_verdict(case_phase(result, "seq-write", "fio", "repo", 40, 3), NG_VERDICT_ERROR,
        "the lease of nas was lost: the connection to nas was lost");
    result->error = "the lease of nas was lost: the connection to nas was lost";
    case_end(result);
    return result;
}

/** kill -9: the file as it lay there after the first phase. */
static struct ng_result *case_killed(void) {
    struct ng_result *result = case_base("killed");
    case_held(result);
    case_wire(result);
    case_phase(result, "seq-write", "fio", "repo", 40, 3);
    result->complete = false;
    result->ended_wall_ns = 0;
    result->duration_ns = 0;
    return result;
}

/** Hooks at all places: a phase that one of them fails, and one that could not be ended. */
static struct ng_result *case_hooks(void) {
    static const struct {
        const char *id, *place, *phase, *reason, *remedy;
        enum ng_hook_outcome outcome;
    } rows[] = {
        {"before_run-quiet", "before_run", NULL, "no job runs", NULL, NG_HOOK_HELD},
        {"before_phase-card", "before_phase", "seq-write", "12 counters noted", NULL, NG_HOOK_HELD},
        {"after_phase-card", "after_phase", "seq-write", "rx_crc grew by 3 | <b>", NULL,
            NG_HOOK_FAIL},
        {"after_run-hot", "after_run", NULL, "md2 is at 71 C", "see the fans", NG_HOOK_BROKEN},
        {"after_run-note", "after_run", NULL, "note.lua:3: error: it needs more than 16 MiB [lua]",
            NULL, NG_HOOK_ERROR},
    };
    struct ng_result *result = case_base("hooks");
    struct ng_phase_result *phase = case_write(result, 443.2 * MB, 4.1 * MB, 421.04 * MB);
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        struct ng_hook_result *hook = ng_result_add_hook(result);
        hook->id = rows[i].id;
        hook->place = rows[i].place;
        hook->phase = rows[i].phase;
        hook->line = 40 + (int)i;
        hook->outcome = rows[i].outcome;
        hook->expected = i == 0 ? "no backup job runs on nas" : NULL;
        hook->reason = rows[i].reason;
        hook->remedy = rows[i].remedy;
        ng_records_add(&result->arena, &hook->looked_at, "check", "card.lua, SHA-256 %d", (int)i);
    }
    ng_repeat_find(&result->arena, &phase->repeats[phase->repeat_count - 1], NG_FINDING_FAIL,
        NG_RULE_SCRIPT, "after_phase-card: rx_crc grew by 3 | <b>");
    case_verdict(phase, NG_VERDICT_FAIL, "after_phase-card: rx_crc grew by 3 | <b>");
    case_end(result);
    return result;
}

static struct ng_result *case_predictions(void) {
    struct ng_result *result = case_base("predictions");
    struct ng_phase_result *phase = case_write(result, 443.2 * MB, 4.1 * MB, 421.04 * MB);
    phase->judged_count = 0;
    const struct {
        const char *text;
        enum ng_comparison comparison;
        double limit, high;
    } rows[] = {
        {"write.bw within 250 .. 400 MB/s", NG_CMP_WITHIN, 250.0 * MB, 400.0 * MB},
        {"write.bw >= 3.2 Gbit/s", NG_CMP_GE, 400.0 * MB, (double)NAN},
        {"write.bw != 0 MB/s", NG_CMP_NE, 0, (double)NAN},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        case_judged(result, phase, rows[i].text, rows[i].comparison, NG_DIM_RATE, 443.2 * MB,
            rows[i].limit, rows[i].high)
            ->gates = false;
    }
    struct ng_judged *judged = case_judged(result, phase, "write.bw >= baseline", NG_CMP_GE,
        NG_DIM_RATE, (double)NAN, (double)NAN, (double)NAN);
    judged->gates = false;
    judged->held = NG_UNKNOWN;
    judged->reason = "there is no baseline run to compare with";
    case_verdict(phase, NG_VERDICT_PASS, "measured; the phase has no thresholds");
    case_end(result);
    return result;
}

static struct ng_result *case_not_restored(void) {
    struct ng_result *result = case_base("not-restored");
    case_wire(result);
    result->not_restored = "the run's folder nasgate-20261130T113000Z on volume repo could not be "
                           "removed: Stale file handle. Remove it by hand";
    case_end(result);
    return result;
}

static struct ng_result *case_failed_early(void) {
    struct ng_result *result = case_base("failed-early");
    result->error = "evidence: writing objects: No space left on device";
    result->host_count = 0;
    result->params.count = 0;
    case_end(result);
    return result;
}

#define HOSTILE                                                                                    \
    "a|b||c\\|d `e` ``f`` ]]> <b>&amp;</b> \x1b[31mred\x1b[0m \xff\xfe\xc0\xaf \xed\xa0\x80 "      \
    "\x01\x02 \n::error::x\r\n##vso[task.complete]\t@all #12 !3 ~x %y $z$ www.example.org "        \
    "me@example.org https://example.org/ --> <!-- \xef\xbf\xbe \xe2\x80\xae \x7f \xc2\x85 end\\"

/** A name of `LONG_NAME` characters that ends in HOSTILE. */
static const char *hostile_name(struct ng_arena *arena, char fill) {
    char *name = ng_arena_alloc(arena, LONG_NAME + sizeof HOSTILE);
    memset(name, fill, LONG_NAME);
    memcpy(name + LONG_NAME, HOSTILE, sizeof HOSTILE);
    return name;
}

static void hostile_phase(struct ng_result *result, const char *name, int repeats) {
    struct ng_arena *arena = &result->arena;
    struct ng_phase_result *phase = case_phase(result, name, HOSTILE, HOSTILE, 40, repeats);
    const struct ng_metric_def metric = {
        HOSTILE ".bw", NG_DIM_RATE, NG_SPELLING_PLAIN, NG_BETTER_HIGHER, "", ""};
    for (int i = 0; i < repeats; i++) {
        struct ng_repeat *repeat = case_repeat(result, phase);
        ng_repeat_measure(arena, repeat, &metric, 1e300);
        ng_repeat_measure(arena, repeat, &write_bw, 5e-324);
        ng_repeat_find(arena, repeat, NG_FINDING_NOTE, HOSTILE, "%s", HOSTILE);
        ng_records_add(arena, &repeat->records, HOSTILE, "%s", HOSTILE);
        repeat->error = HOSTILE;
    }
    struct ng_judged *judged =
        case_judged(result, phase, HOSTILE, NG_CMP_GE, NG_DIM_RATE, -1e308, 1e308, (double)NAN);
    judged->reason = HOSTILE;
    judged->comparison = HOSTILE;
    case_judged(result, phase, HOSTILE, NG_CMP_WITHIN, NG_DIM_IOPS, 1, 2, 3)->held = NG_UNDECIDED;
    case_judged(result, phase, HOSTILE, NG_CMP_LE, NG_DIM_NONE, 0, 0, (double)NAN)->gates = false;
    case_verdict(phase, NG_VERDICT_FAIL, HOSTILE);
}

static struct ng_result *case_hostile(void) {
    struct ng_result *result = case_base("hostile");
    struct ng_arena *arena = &result->arena;
    result->run_id = HOSTILE;
    result->plan_name = hostile_name(arena, 'n');
    result->plan_title = HOSTILE;
    result->plan_file = "/somewhere/" HOSTILE "/|plan`.yaml";
    result->plan_digest = HOSTILE;
    result->baseline = HOSTILE;
    result->error = HOSTILE;
    result->not_restored = HOSTILE;
    ng_result_warn(result, "%s", HOSTILE);
    ng_records_add(arena, &result->params, HOSTILE, "%s", HOSTILE);
    struct ng_host_result *host = ng_result_add_host(result);
    host->name = host->via = HOSTILE;
    ng_records_add(arena, &host->environment, HOSTILE, "%s", HOSTILE);
    struct ng_volume_result *volume = ng_result_add_volume(result);
    volume->name = volume->host = volume->path = HOSTILE;
    for (int i = 0; i < 4; i++) {
        struct ng_states *states = i % 2 == 0 ? &host->state : &volume->state;
        case_fact(result, states, "mounts", HOSTILE, HOSTILE, i < 2 ? HOSTILE : NULL,
            i < 2 ? NULL : hostile_name(arena, 'w'), HOSTILE);
    }
    for (int i = 0; i < 2; i++) {
        struct ng_condition_result *condition =
            case_condition(result, HOSTILE, HOSTILE, 21, i == 0 ? NG_HELD : NG_BROKEN);
        condition->subject = condition->expected = condition->seen = HOSTILE;
        condition->source = condition->remedy = HOSTILE;
        ng_records_add(arena, &condition->looked_at, HOSTILE, "%s", hostile_name(arena, 'v'));
    }
    for (int state = NG_LEASE_NOT_ASKED; state <= NG_LEASE_FREE; state++) {
        struct ng_lease_result *lease = case_lease(result, HOSTILE, (enum ng_lease_state)state);
        lease->who = lease->since = lease->job = hostile_name(arena, 'w');
        lease->plan = lease->run = lease->reason = HOSTILE;
    }
    hostile_phase(result, hostile_name(arena, 'p'), 2);
    hostile_phase(result, HOSTILE, 1);
    hostile_phase(result, "", 0);
    case_end(result);
    return result;
}

static const struct {
    const char *name;
    struct ng_result *(*build)(void);
} cases[] = {
    {"busy", case_busy},
    {"error", case_error},
    {"fail", case_fail},
    {"failed-early", case_failed_early},
    {"hostile", case_hostile},
    {"guards", case_guards},
    {"hooks", case_hooks},
    {"inconclusive", case_inconclusive},
    {"interrupted", case_interrupted},
    {"killed", case_killed},
    {"lease-lost", case_lease_lost},
    {"not-restored", case_not_restored},
    {"pass", case_pass},
    {"precondition-broken", case_broken},
    {"precondition-unknown", case_unknown},
    {"predictions", case_predictions},
};

#endif
