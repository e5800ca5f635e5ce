/* iperf3_find.c - doubts about an iperf3 result that was accepted. */
#include <math.h>

#include "runner/engines/helpers.h"
#include "runner/engines/iperf3.h"

/* Bounds. */
#define SATURATED 0.95  /* of one core */
#define NEAR_SPEED 0.90 /* of the link's speed: then the tool was not the limit */
#define SPREAD 0.30     /* coefficient of variation of the intervals */
#define SPREAD_MIN 4    /* fewer intervals say nothing */
#define LOSS_TOLD 0.01
#define DIFFERENCE 0.02

/* Since 3.16 each stream has a thread, and the whole may use more than one core. */
static double cores_of(const struct ng_iperf3_params *p, const struct ng_iperf3_report *report) {
    bool threads = !ng_tool_version_below(report->major, report->minor, 3, 16);
    return threads ? (double)p->streams * (p->bidir ? 2 : 1) : 1;
}

static void find_saturation(const struct ng_site *site, const struct ng_iperf3_report *report,
    double throughput, double cpu, const char *end, struct ng_repeat *repeat) {
    const struct ng_iperf3_params *p = site->phase->params;
    if (!(cpu >= SATURATED * cores_of(p, report))) {
        return;
    }
    double speed = (double)p->link->speed / 8;
    if (speed > 0 && throughput < NEAR_SPEED * speed) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_INCONCLUSIVE, "tool-bound",
            "iperf3 on the %s end used %.0f%% of a core at %s of %s: the tool was the limit, not "
            "the link; more streams or a faster host would tell",
            end, cpu * 100, ng_say_wire(site->arena, throughput), ng_say_wire(site->arena, speed));
    } else {
        ng_repeat_find(site->arena, repeat, NG_FINDING_NOTE, "tool-bound",
            "iperf3 on the %s end used %.0f%% of a core at %s%s", end, cpu * 100,
            ng_say_wire(site->arena, throughput),
            speed > 0 ? "" : "; link has no stated speed to compare with");
    }
}

/* Both ends count the payload: what arrives was sent. */
static void find_surplus(const struct ng_site *site, const struct ng_iperf3_sum *sent,
    const struct ng_iperf3_sum *received, const char *direction, struct ng_repeat *repeat) {
    if (sent->bytes > 0 && received->bytes > sent->bytes &&
        !ng_agree(received->bytes, sent->bytes, DIFFERENCE)) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_INCONCLUSIVE, "more-than-sent",
            "%.0f bytes were received of %.0f that were sent in the %s direction: one of the ends "
            "counts wrongly",
            received->bytes, sent->bytes, direction);
    }
}

static void find_udp_loss(const struct ng_site *site, struct ng_repeat *repeat) {
    double loss = 0;
    if (ng_repeat_value(repeat, "loss", &loss) && loss > LOSS_TOLD) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "udp-loss",
            "%.1f%% of the UDP packets did not arrive: the rate is beyond what the path carries",
            loss * 100);
    }
}

void ng_iperf3_find(const struct ng_site *site, const struct ng_iperf3_report *report,
    double throughput, struct ng_repeat *repeat) {
    const struct ng_iperf3_params *p = site->phase->params;
    ng_find_faster_than_link(site, repeat, p->link, "throughput", throughput);
    double other = 0;
    if (ng_repeat_value(repeat, "reverse.throughput", &other)) {
        ng_find_faster_than_link(site, repeat, p->link, "reverse.throughput", other);
    }
    double cpu = 0;
    if (ng_repeat_value(repeat, "cpu.sender", &cpu)) {
        find_saturation(site, report, throughput, cpu, "sending", repeat);
    }
    if (ng_repeat_value(repeat, "cpu.receiver", &cpu)) {
        find_saturation(site, report, throughput, cpu, "receiving", repeat);
    }
    if (report->intervals >= SPREAD_MIN && report->deviation > SPREAD * report->mean) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "high-spread",
            "the intervals vary by %.0f%% (standard deviation): other traffic, or drops",
            report->deviation / report->mean * 100);
    }
    if (report->idle_streams > 0) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "idle-stream",
            "%zu of %zu streams received nothing", report->idle_streams, report->streams);
    }
    const struct ng_iperf3_sum *sum = &report->received;
    double own = ng_iperf3_rate(sum);
    if (isfinite(own) && isfinite(sum->bits_per_s) &&
        !ng_agree(own, sum->bits_per_s / 8, DIFFERENCE)) {
        ng_repeat_find(site->arena, repeat, NG_FINDING_WARNING, "counts-disagree",
            "iperf3 prints %s, its own bytes and times give %s",
            ng_say_wire(site->arena, sum->bits_per_s / 8), ng_say_wire(site->arena, own));
    }
    find_surplus(site, &report->sent, sum, "forward", repeat);
    find_surplus(site, &report->reverse_sent, &report->reverse_received, "reverse", repeat);
    find_udp_loss(site, repeat);
}
