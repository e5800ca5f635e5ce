// Readiness: lines of the kernel's socket table, and a real server.
#include "tests/unit/process/children.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "runner/process/netwait.h"

static void test_lines(void **state) {
    (void)state;
    static const struct {
        const char *line;
        bool listens; /* on 5201, 0x1451 */
    } cases[] = {
        {"   0: 00000000:1451 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0\n",
            true},
        {" 999: 0100007F:1451 00000000:0000 0A 00000000:00000000\n", true},
        {"   0: 00000000000000000000000000000000:1451 "
         "00000000000000000000000000000000:0000 0A 00000000:00000000\n",
            true},
        {"   0: 0100007F:1451 0100007F:D2F0 01 00000000:00000000\n", false}, // established
        {"   0: 0100007F:D2F0 0100007F:1451 0A 00000000:00000000\n", false}, // the other end
        {"   0: 00000000:1452 00000000:0000 0A 00000000:00000000\n", false},
        {"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt\n", false},
        {"\n", false},
        {"", false},
        {"   0:", false},
        {"   0: 00000000:1451", false},
    };
    for (size_t i = 0; i < NG_COUNT(cases); i++) {
        assert_int_equal(ng_net_line_listens(cases[i].line, 5201), cases[i].listens);
    }
}

/** A loopback socket on a port of the kernel's choice. */
static int bound(uint16_t *port, bool listens) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t len = sizeof address;
    assert_int_equal(bind(fd, (struct sockaddr *)&address, len), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &len), 0);
    if (listens) {
        assert_int_equal(listen(fd, 1), 0);
    }
    *port = ntohs(address.sin_port);
    return fd;
}

static void test_real_socket(void **state) {
    (void)state;
    uint16_t port;
    int fd = bound(&port, false);
    assert_false(ng_net_listens(getpid(), port));
    assert_int_equal(listen(fd, 1), 0);
    assert_true(ng_net_listens(getpid(), port));
    close(fd);
    assert_false(ng_net_listens(getpid(), port));
    assert_false(ng_net_listens(0x7ffffff0, port));
}

struct server {
    struct watched watched;
    uint16_t port;
    bool connected;
};

static void on_server_ready(void *context) {
    struct server *server = context;
    watched_ready(&server->watched);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(server->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server->connected = connect(fd, (struct sockaddr *)&address, sizeof address) == 0;
    close(fd);
    ng_child_stop(server->watched.child);
}

static void on_server_ended(void *context, struct ng_child_end *end) {
    watched_ended(&((struct server *)context)->watched, end);
}

static void test_server(void **state) {
    struct fixture *fixture = *state;
    if (access("/usr/bin/iperf3", X_OK) != 0) {
        print_message("skipped: /usr/bin/iperf3 is not installed\n");
        skip();
    }
    struct server server = {0};
    close(bound(&server.port, false)); // free a moment ago; nothing else here asks for it by number
    char port[8];
    snprintf(port, sizeof port, "%u", server.port);
    const char *argv[] = {"iperf3", "-s", "-p", port, NULL};
    struct ng_child_spec spec = spec_of(&server.watched, argv);
    spec.listen_port = server.port;
    spec.ready = on_server_ready;
    spec.ended = on_server_ended;
    spec.context = &server;
    start(&server.watched, fixture->loop, &spec);
    ng_loop_run(fixture->loop, watched_done, &server.watched);
    assert_true(server.watched.ready);
    assert_true(server.connected);
    assert_int_equal(server.watched.end.how, NG_CHILD_STOPPED);
    assert_false(server.watched.end.by_kill);
    watched_release(&server.watched);
}

static void test_never_listens(void **state) {
    struct fixture *fixture = *state;
    struct watched watched = {0};
    uint16_t port;
    int fd = bound(&port, false);
    const char *argv[] = {"true", NULL};
    struct ng_child_spec spec = spec_of(&watched, argv);
    spec.listen_port = port;
    run_spec(&watched, fixture->loop, &spec);
    assert_false(watched.ready);
    assert_int_equal(watched.end.how, NG_CHILD_EXITED);
    watched_release(&watched);

    const char *waits[] = {"sleep", "300", NULL};
    spec = spec_of(&watched, waits);
    spec.listen_port = port;
    spec.deadline_ns = MILLIS(100);
    run_spec(&watched, fixture->loop, &spec);
    assert_false(watched.ready);
    assert_int_equal(watched.end.how, NG_CHILD_DEADLINE);
    watched_release(&watched);
    close(fd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_real_socket),
        cmocka_unit_test_setup_teardown(test_server, fixture_setup, fixture_teardown),
        cmocka_unit_test_setup_teardown(test_never_listens, fixture_setup, fixture_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
