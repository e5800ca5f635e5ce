/* iperf3_words.c - what iperf3's messages mean. They are matched by substring, since their prefixes
 * vary. */
#include <string.h>

#include "runner/base/guard.h"
#include "runner/engines/iperf3.h"

struct saying {
    const char *words;
    bool transient;
    const char *hint; /* NULL: the words say it all */
};

static const struct saying sayings[] = {
    {"the server is busy running a test", true, NULL},
    {"control socket has closed unexpectedly", true, "the other iperf3 went away"},
    {"Address already in use", true, "another program has the port"},
    {"unable to receive control message", true, "the other iperf3 went away"},
    {"unable to send control message", true, "the other iperf3 went away"},
    {"Connection refused", false,
        "a firewall refuses the port, or the address belongs to another host"},
    {"Connection timed out", false,
        "no answer came: is a firewall between, or is the address that of another link?"},
    {"Operation now in progress", false,
        "no answer came: is a firewall between, or is the address that of another link?"},
    {"No route to host", false, "the sender has no route to this address, or the link is down"},
    {"Network is unreachable", false, "the sender has no route to this address"},
    {"Resource temporarily unavailable", false, "the name of the host could not be resolved"},
    {"Cannot assign requested address", false, "the address is not one of this host's"},
    {"unknown control message", false, "what listens there is no iperf3 of a fitting version"},
    {"Connection reset by peer", false, "the link or the other iperf3 went away during the test"},
    {"idle timeout for receiving data", false, "the link went dark during the test"},
    {"unable to receive results", false, "the link went dark at the end of the test"},
    {"the server has terminated", false, "the server was ended during the test"},
    {"the client has terminated", false, "the client was ended during the test"},
    {"interrupt - ", false, "it was ended by a signal during the test"},
    {"socket buffer size not set correctly", false,
        "the kernel limits window: raise net.core.rmem_max and wmem_max, or lower window"},
    {"larger than server limit", false, NULL},
};

static const struct saying *find(const char *words) {
    for (size_t i = 0; i < NG_COUNT(sayings); i++) {
        if (strstr(words, sayings[i].words) != NULL) {
            return &sayings[i];
        }
    }
    return NULL;
}

bool ng_iperf3_is_transient(const char *words) {
    const struct saying *saying = find(words);
    return saying != NULL && saying->transient;
}

const char *ng_iperf3_hint(const char *words) {
    const struct saying *saying = find(words);
    return saying != NULL ? saying->hint : NULL;
}
