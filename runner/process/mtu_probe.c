/* Whether one UDP datagram of a given size reaches an address without being cut. */
#include "runner/process/mtu_probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/errqueue.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { TRIES = 3, WAIT_MS = 1000, FIRST_PORT = 33434 /* where traceroute expects nobody */ };

/** One socket on its way. */
struct probe {
    int fd;
    int family;
    struct sockaddr_storage to;
    socklen_t to_len;
};

static bool set_option(int fd, int level, int name, int value) {
    return setsockopt(fd, level, name, &value, sizeof value) == 0;
}

static bool resolve(struct probe *probe, const char *address, struct ng_err *err) {
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_DGRAM};
    struct addrinfo *found = NULL;
    const int rc = getaddrinfo(address, NULL, &hints, &found);
    if (rc != 0 || found == NULL || found->ai_addrlen > sizeof probe->to) {
        return ng_err_set(err, NG_ERR_USAGE, "\"%.60s\" is no IPv4 or IPv6 address", address);
    }
    memcpy(&probe->to, found->ai_addr, found->ai_addrlen);
    probe->to_len = found->ai_addrlen;
    probe->family = found->ai_family;
    freeaddrinfo(found);
    return true;
}

static bool open_socket(struct probe *probe, struct ng_err *err) {
    probe->fd = socket(probe->family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (probe->fd < 0) {
        return ng_err_set_errno(err, NG_ERR_HOST, errno, "a socket");
    }
    const bool six = probe->family == AF_INET6;
    if (six ? !set_option(probe->fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE) ||
                  !set_option(probe->fd, IPPROTO_IPV6, IPV6_RECVERR, 1)
            : !set_option(probe->fd, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE) ||
                  !set_option(probe->fd, IPPROTO_IP, IP_RECVERR, 1)) {
        return ng_err_set_errno(err, NG_ERR_HOST, errno, "the options of a probe");
    }
    return true;
}

/* Each try goes to a port of its own: one of them might be in use. */
static bool aim(struct probe *probe, int port, struct ng_err *err) {
    const in_port_t wire = htons((uint16_t)port);
    if (probe->family == AF_INET6) {
        ((struct sockaddr_in6 *)(void *)&probe->to)->sin6_port = wire;
    } else {
        ((struct sockaddr_in *)(void *)&probe->to)->sin_port = wire;
    }
    if (connect(probe->fd, (const struct sockaddr *)(const void *)&probe->to, probe->to_len) != 0) {
        return ng_err_set_errno(err, NG_ERR_HOST, errno, "no way there");
    }
    return true;
}

static void name_offender(const struct sock_extended_err *report, char from[NG_MTU_PROBE_FROM]) {
    /* SO_EE_OFFENDER, without its cast that drops const */
    const struct sockaddr *who = (const struct sockaddr *)(const void *)(report + 1);
    if (report->ee_origin == SO_EE_ORIGIN_LOCAL) {
        snprintf(from, NG_MTU_PROBE_FROM, "here");
    } else if (who->sa_family == AF_INET) {
        (void)inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)who)->sin_addr, from,
            NG_MTU_PROBE_FROM);
    } else if (who->sa_family == AF_INET6) {
        (void)inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)(const void *)who)->sin6_addr,
            from, NG_MTU_PROBE_FROM);
    }
}

static bool is_report(const struct cmsghdr *part) {
    return (part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_RECVERR) ||
           (part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_RECVERR);
}

/* What a report says of the datagram; false when it is not about it. */
static bool take_report(const struct sock_extended_err *report, struct ng_mtu_answer *answer) {
    if (report->ee_errno == ECONNREFUSED) {
        answer->fate = NG_MTU_PASSES;
        return true;
    }
    if (report->ee_errno == EMSGSIZE) {
        answer->fate = NG_MTU_TOO_LONG;
        answer->mtu = report->ee_info;
        name_offender(report, answer->from);
        return true;
    }
    return false;
}

/* Reads one entry of the error queue. 1: it was an answer, 0: there is none, -1: an error. */
static int read_report(
    const struct probe *probe, struct ng_mtu_answer *answer, struct ng_err *err) {
    union {
        char bytes[512];
        struct cmsghdr align;
    } control;
    char data[64];
    struct iovec part = {.iov_base = data, .iov_len = sizeof data};
    struct msghdr message = {.msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes};
    if (recvmsg(probe->fd, &message, MSG_ERRQUEUE) < 0) {
        return 0;
    }
    for (struct cmsghdr *at = CMSG_FIRSTHDR(&message); at != NULL; at = CMSG_NXTHDR(&message, at)) {
        const struct sock_extended_err *report =
            (const struct sock_extended_err *)(const void *)CMSG_DATA(at);
        if (!is_report(at)) {
            continue;
        }
        if (take_report(report, answer)) {
            return 1;
        }
        ng_err_set_errno(err, NG_ERR_HOST, (int)report->ee_errno, "the probe was refused");
        return -1;
    }
    return 0;
}

/* Waits for a word about one datagram. 1: an answer, 0: none, -1: an error. */
static int listen_for(const struct probe *probe, struct ng_mtu_answer *answer, struct ng_err *err) {
    struct pollfd wait = {.fd = probe->fd, .events = POLLIN};
    char byte;
    const int count = poll(&wait, 1, WAIT_MS);
    if (count <= 0) {
        return 0;
    }
    const int report = read_report(probe, answer, err);
    if (report != 0) {
        return report;
    }
    if (recv(probe->fd, &byte, 1, MSG_TRUNC) >= 0 || errno == ECONNREFUSED) {
        answer->fate = NG_MTU_PASSES; /* somebody answered, or the refusal came without details */
        return 1;
    }
    return 0;
}

static int try_once(const struct probe *probe, const char *bytes, size_t size,
    struct ng_mtu_answer *answer, struct ng_err *err) {
    if (send(probe->fd, bytes, size, MSG_NOSIGNAL) >= 0) {
        return listen_for(probe, answer, err);
    }
    const int number = errno;
    if (number == EMSGSIZE) {
        answer->fate = NG_MTU_TOO_LONG;
        snprintf(answer->from, sizeof answer->from, "here");
        return read_report(probe, answer, err) < 0 ? -1 : 1;
    }
    if (number == ENOBUFS || number == EAGAIN) {
        return 0; /* dropped by this machine's own device: as good as silence */
    }
    ng_err_set_errno(err, NG_ERR_HOST, number, "the probe cannot be sent");
    return -1;
}

bool ng_mtu_probe(
    const char *address, size_t size, struct ng_mtu_answer *answer, struct ng_err *err) {
    static const char bytes[NG_MTU_PROBE_MAX];
    struct probe probe = {.fd = -1};
    *answer = (struct ng_mtu_answer){.fate = NG_MTU_SILENT};
    if (size > sizeof bytes) {
        return ng_err_set(
            err, NG_ERR_USAGE, "a datagram carries at most %d bytes", NG_MTU_PROBE_MAX);
    }
    if (!resolve(&probe, address, err)) {
        return false;
    }
    int got = 0;
    bool ok = open_socket(&probe, err);
    for (int i = 0; ok && got == 0 && i < TRIES; i++) {
        ok = aim(&probe, FIRST_PORT + i, err);
        got = ok ? try_once(&probe, bytes, size, answer, err) : got;
    }
    if (probe.fd >= 0) {
        close(probe.fd);
    }
    return ok && got >= 0;
}
