/* iperf3_args.c - from an iperf3 phase to its server and its client. */
#include <inttypes.h>

#include "runner/base/clock.h"
#include "runner/engines/helpers.h"
#include "runner/engines/iperf3.h"

enum { PORT_FIRST = 20000, PORT_COUNT = 10000, CONNECT_MS = 5000, GRACE_S = 15 };

/** Another port for each phase, repeat and attempt, the same ones in the same run. */
static uint16_t port_of(const struct ng_site *site) {
    uint64_t bits = ng_site_bits(site, 1000 + (uint64_t)site->attempt);
    return (uint16_t)(PORT_FIRST + bits % PORT_COUNT);
}

static void push_server(struct ng_strv *argv, const char *address, uint16_t port) {
    ng_strv_push(argv, "iperf3");
    ng_strv_push(argv, "-s");
    ng_strv_push(argv, "-1"); /* one client, then it ends */
    ng_strv_push(argv, "-B");
    ng_strv_push(argv, address);
    ng_strv_push(argv, "-p");
    ng_strv_pushf(argv, "%d", port);
    ng_strv_push(argv, "-J");
    ng_strv_push(argv, "--forceflush");
}

static void push_test(struct ng_strv *argv, const struct ng_iperf3_params *p) {
    ng_strv_push(argv, "-t");
    ng_strv_pushf(argv, "%" PRId64, p->time_ns / NG_NS_PER_S);
    if (p->omit_ns > 0) {
        ng_strv_push(argv, "-O");
        ng_strv_pushf(argv, "%" PRId64, p->omit_ns / NG_NS_PER_S);
    }
    ng_strv_push(argv, "-P");
    ng_strv_pushf(argv, "%" PRId64, p->streams);
    ng_strv_push(argv, "-i");
    ng_strv_push(argv, "1");
    if (p->reverse) {
        ng_strv_push(argv, "-R");
    }
    if (p->bidir) {
        ng_strv_push(argv, "--bidir");
    }
    if (p->udp) {
        ng_strv_push(argv, "-u");
    }
    if (p->rate > 0) {
        ng_strv_push(argv, "-b"); /* of one stream */
        ng_strv_pushf(argv, "%" PRId64, p->rate / p->streams);
    }
    if (p->window > 0) {
        ng_strv_push(argv, "-w");
        ng_strv_pushf(argv, "%" PRId64, p->window);
    }
}

static void push_client(struct ng_strv *argv, const struct ng_iperf3_params *p, const char *server,
    const char *own, uint16_t port) {
    ng_strv_push(argv, "iperf3");
    ng_strv_push(argv, "-c");
    ng_strv_push(argv, server);
    ng_strv_push(argv, "-p");
    ng_strv_pushf(argv, "%d", port);
    ng_strv_push(argv, "-J");
    if (own != NULL && ng_same_family(own, server)) {
        ng_strv_push(argv, "-B"); /* from its end of the link */
        ng_strv_push(argv, own);
    }
    push_test(argv, p);
    ng_strv_push(argv, "--connect-timeout");
    ng_strv_pushf(argv, "%d", CONNECT_MS);
}

bool ng_iperf3_build(const struct ng_site *site, struct ng_commands *out, struct ng_err *err) {
    const struct ng_iperf3_params *p = site->phase->params;
    int client = ng_link_from_end(p->link, p->from);
    int server = 1 - client;
    const char *address = ng_site_address(site, p->link, server, err);
    if (address == NULL) {
        return false;
    }
    int64_t took_ns = p->time_ns + p->omit_ns;
    int64_t deadline_ns = ng_site_deadline(site, took_ns + GRACE_S * NG_NS_PER_S);
    uint16_t port = port_of(site);

    struct ng_command *command = ng_commands_add(out, "server", p->link->ends[server].at.host);
    push_server(&command->argv, address, port);
    command->background = true;
    command->listen_port = port;
    command->deadline_ns = deadline_ns + GRACE_S * NG_NS_PER_S;

    command = ng_commands_add(out, "client", p->link->ends[client].at.host);
    push_client(&command->argv, p, address, ng_site_address(site, p->link, client, NULL), port);
    command->deadline_ns = deadline_ns;
    command->measures = true;
    return true;
}
