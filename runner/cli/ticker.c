/* Progress on standard error: a bar on a terminal, plain lines elsewhere. */
#include "runner/cli/ticker.h"

#include <stdio.h>
#include <string.h>

#include "runner/cli/ci_text.h"
#include "runner/result/words.h"

enum { BAR_CELLS = 24, LINE_CAP = 256 * 1024 };

#define REDRAW_NS (250 * NG_NS_PER_MS)
#define HEARTBEAT_NS (60 * NG_NS_PER_S)

static int64_t now(const struct ng_ticker *ticker) {
    return ng_clock_mono(ng_loop_clock(ticker->loop));
}

static void erase(struct ng_ticker *ticker) {
    if (ticker->drawn) {
        fputs("\r\033[K", ticker->output.file);
        ticker->drawn = false;
    }
}

static void draw(struct ng_ticker *ticker) {
    char cells[BAR_CELLS + 1];
    char passed_text[NG_TIME_TEXT];
    char left_text[NG_TIME_TEXT];
    const int64_t passed = now(ticker) - ticker->began_ns;
    erase(ticker);
    fprintf(ticker->output.file, "  %s", ticker->what);
    if (ticker->expect_ns > 0) {
        const double share = (double)passed / (double)ticker->expect_ns;
        const int full = share >= 1.0 ? BAR_CELLS : (int)(share * BAR_CELLS);
        memset(cells, '.', BAR_CELLS);
        memset(cells, '#', (size_t)full);
        cells[BAR_CELLS] = '\0';
        const int64_t left = ticker->expect_ns > passed ? ticker->expect_ns - passed : 0;
        fprintf(ticker->output.file, "  [%s]  %s left", cells,
            ng_duration_format(left / NG_NS_PER_S * NG_NS_PER_S, left_text));
    } else {
        fprintf(ticker->output.file, "  %s",
            ng_duration_format(passed / NG_NS_PER_S * NG_NS_PER_S, passed_text));
    }
    fflush(ticker->output.file);
    ticker->drawn = true;
}

static void heartbeat(struct ng_ticker *ticker) {
    char passed[NG_TIME_TEXT];
    fprintf(ticker->output.file, "  %s: still running after %s\n", ticker->what,
        ng_duration_format(now(ticker) - ticker->began_ns, passed));
    fflush(ticker->output.file);
}

static void fire(void *context) {
    struct ng_ticker *ticker = context;
    if (ticker->what[0] == '\0' || ticker->quiet) {
        return;
    }
    if (ticker->output.animate) {
        draw(ticker);
    } else {
        heartbeat(ticker);
    }
}

static void begin(struct ng_ticker *ticker, int64_t expect_ns) {
    ticker->began_ns = now(ticker);
    ticker->expect_ns = expect_ns;
    ng_timer_stop(ticker->timer);
    const int64_t every = ticker->output.animate ? REDRAW_NS : HEARTBEAT_NS;
    ticker->timer = ng_timer_start(ticker->loop, every, every, fire, ticker);
    if (ticker->quiet) {
        return;
    }
    if (ticker->output.animate) {
        draw(ticker);
    } else {
        char text[NG_TIME_TEXT];
        fprintf(ticker->output.file, "  %s%s%s\n", ticker->what, expect_ns > 0 ? ", about " : "",
            expect_ns > 0 ? ng_duration_format(expect_ns, text) : "");
        fflush(ticker->output.file);
    }
}

static void on_step(void *context, const char *what) {
    struct ng_ticker *ticker = context;
    snprintf(ticker->what, sizeof ticker->what, "%s", what);
    begin(ticker, 0);
}

static void on_repeat(void *context, const struct ng_phase *phase, int repeat, int64_t expect_ns) {
    struct ng_ticker *ticker = context;
    if (phase->repeat > 1) {
        snprintf(ticker->what, sizeof ticker->what, "phase %zu/%zu %s (%s), repeat %d of %d",
            ticker->phases_done + 1, ticker->phases_total, phase->name, phase->kind->record.name,
            repeat, (int)phase->repeat);
    } else {
        snprintf(ticker->what, sizeof ticker->what, "phase %zu/%zu %s (%s)",
            ticker->phases_done + 1, ticker->phases_total, phase->name, phase->kind->record.name);
    }
    begin(ticker, expect_ns);
}

static enum ng_colour verdict_colour(enum ng_verdict verdict) {
    switch (verdict) {
    case NG_VERDICT_PASS:
        return NG_COLOUR_GREEN;
    case NG_VERDICT_FAIL:
    case NG_VERDICT_ERROR:
        return NG_COLOUR_RED;
    case NG_VERDICT_INCONCLUSIVE:
        return NG_COLOUR_YELLOW;
    case NG_VERDICT_SKIPPED:
    case NG_VERDICT_NONE:
        break;
    }
    return NG_COLOUR_DIM;
}

/** A line with a coloured word in front; all of it is safe for the log of a CI system. */
static void tell(struct ng_ticker *ticker, enum ng_colour colour, const char *word,
    const char *name, const char *text) {
    struct ng_buf line;
    ng_buf_init(&line, LINE_CAP);
    ng_ci_text(&line, name);
    if (text != NULL) {
        ng_buf_adds(&line, ": ");
        ng_ci_text(&line, text);
    }
    fprintf(ticker->output.file, "%s%-12s%s  %s\n", ng_output_on(&ticker->output, colour), word,
        ng_output_off(&ticker->output), ng_buf_text(&line));
    ng_buf_release(&line);
}

static void on_phase(void *context, const struct ng_phase_result *phase) {
    struct ng_ticker *ticker = context;
    erase(ticker);
    ticker->what[0] = '\0';
    ticker->phases_done++;
    if (ticker->quiet && phase->verdict == NG_VERDICT_PASS) {
        return;
    }
    tell(ticker, verdict_colour(phase->verdict), ng_verdict_word(phase->verdict), phase->name,
        phase->reason);
    fflush(ticker->output.file);
}

static void on_condition(void *context, const struct ng_condition_result *condition) {
    struct ng_ticker *ticker = context;
    const bool stops = ng_condition_stops(condition);
    if (condition->held == NG_HELD && (ticker->quiet || condition->implied)) {
        return;
    }
    erase(ticker);
    const enum ng_colour colour =
        condition->held == NG_HELD ? NG_COLOUR_GREEN : (stops ? NG_COLOUR_RED : NG_COLOUR_YELLOW);
    tell(ticker, colour, ng_held_word(condition->held), condition->id,
        condition->seen != NULL ? condition->seen : "");
    if (stops) {
        tell(ticker, NG_COLOUR_NONE, "", "expected",
            condition->expected != NULL ? condition->expected : "-");
        tell(ticker, NG_COLOUR_NONE, "", "source",
            condition->source != NULL ? condition->source : "-");
        if (condition->remedy != NULL) {
            tell(ticker, NG_COLOUR_NONE, "", "do", condition->remedy);
        }
    }
    fflush(ticker->output.file);
}

/* What goes on is told once, and once a minute where no line can be redrawn; the bar shows how long
 * it will, as the host reckons. */
static void on_waiting(
    void *context, const struct ng_condition_result *seen, int64_t left_ns, int64_t give_up_ns) {
    struct ng_ticker *ticker = context;
    char give_up[NG_TIME_TEXT];
    const bool fresh = ticker->waits_for != seen->id;
    const bool animate = ticker->output.animate;
    ng_duration_format(give_up_ns > 0 ? give_up_ns / NG_NS_PER_S * NG_NS_PER_S : 0, give_up);
    snprintf(ticker->what, sizeof ticker->what, "waiting at most %s for %s", give_up, seen->id);
    if (!ticker->quiet && (fresh || (!animate && now(ticker) - ticker->told_ns >= HEARTBEAT_NS))) {
        erase(ticker);
        tell(ticker, NG_COLOUR_YELLOW, "waiting", seen->id, seen->seen);
        ticker->told_ns = now(ticker);
    }
    if (fresh) {
        ticker->waits_for = seen->id;
        begin(ticker, 0);
    }
    ticker->expect_ns = left_ns > 0 ? now(ticker) - ticker->began_ns + left_ns : 0;
    if (!animate) {
        ng_timer_stop(ticker->timer); /* the lines above are its sign of life */
        ticker->timer = NULL;
    }
}

static void on_leased(void *context, const struct ng_lease_result *lease, int64_t wait_ns) {
    struct ng_ticker *ticker = context;
    struct ng_buf words;
    ng_buf_init(&words, LINE_CAP);
    ng_lease_words(lease, &words);
    erase(ticker);
    tell(ticker, NG_COLOUR_YELLOW, "busy", lease->host, ng_buf_text(&words));
    ng_buf_release(&words);
    snprintf(ticker->what, sizeof ticker->what, "waiting for the lease of %.60s", lease->host);
    begin(ticker, wait_ns);
}

static void on_stopping(void *context, int signal) {
    struct ng_ticker *ticker = context;
    erase(ticker);
    fprintf(ticker->output.file,
        "stopping on signal %d: ending commands, removing the run's files, writing reports\n",
        signal);
    fflush(ticker->output.file);
}

void ng_ticker_init(struct ng_ticker *ticker, struct ng_loop *loop, struct ng_output output,
    bool quiet, size_t phases) {
    memset(ticker, 0, sizeof *ticker);
    ticker->loop = loop;
    ticker->output = output;
    ticker->quiet = quiet;
    ticker->phases_total = phases;
    ticker->progress = (struct ng_progress){
        .context = ticker,
        .step = on_step,
        .condition = on_condition,
        .waiting = on_waiting,
        .leased = on_leased,
        .repeat = on_repeat,
        .phase = on_phase,
        .stopping = on_stopping,
    };
}

void ng_ticker_release(struct ng_ticker *ticker) {
    ng_timer_stop(ticker->timer);
    ticker->timer = NULL;
    erase(ticker);
    fflush(ticker->output.file);
}
