/* SMB: what the client has agreed, what the server is configured to, who is connected. */
#include "tests/unit/facts/parse.h"

#include "runner/facts/cifs.h"
#include "runner/facts/smbstatus.h"
#include "runner/facts/testparm.h"

static struct ng_cifs cifs(const char *text) {
    struct ng_cifs out;
    ng_cifs_parse(&out, &arena, text, strlen(text));
    return out;
}

static void channels_in_use(void **state) {
    (void)state;
    const struct ng_cifs out =
        cifs("Display Internal CIFS Data Structures for Debugging\n"
             "---------------------------------------------------\n"
             "CIFS Version 2.40\nCIFSMaxBufSize: 16384\nActive VFS Requests: 0\n\nServers: \n"
             "1) ConnectionId: 0x1 Hostname: nas \nClientGUID: D97A\n"
             "Number of credits: 512,1,1 Dialect 0x311 signed\nTCP status: 1 Instance: 1\n"
             "\n\tSessions: \n"
             "\t1) Address: 10.77.0.2 Uses: 2 Capability: 0x300067\tSession Status: 1\n"
             "\tSecurity type: RawNTLMSSP  SessionId: 0xa1 encrypted\n\tUser: 0 Cred User: 0\n"
             "\n\tExtra Channels: 3 \n"
             "\n\t\tChannel: 2 ConnectionId: 0x2\n\t\tNumber of credits: 500 Dialect 0x302\n"
             "\n\tShares: \n"
             "\t0) IPC: \\\\nas\\IPC$ Mounts: 1 DevInfo: 0x0 Attributes: 0x0\n"
             "\t1) \\\\nas\\my share Mounts: 1 DevInfo: 0x20 Attributes: 0x1006f\n"
             "\n\tServer interfaces: 2\n\t1)\tSpeed: 10Gbps\n\t\tCapabilities: rss\n\t\tIPv4: "
             "10.77.0.2\n"
             "\t2)\tSpeed: 1Gbps\n\t\tCapabilities: None\n\t\tIPv6: fe80::1\n"
             "2) ConnectionId: 0x9 Hostname: other \nNumber of credits: 512 Dialect 0x210\n"
             "\t1) Address: 10.77.0.3 Uses: 1 Capability: 0x1\tSession Status: 1\n"
             "\t1) \\\\other\\b Mounts: 1 DevInfo: 0x20\n");
    assert_true(out.understood);
    assert_int_equal(out.count, 2);
    const struct ng_cifs_server *server = ng_cifs_find(&out, "//NAS/my share/deep");
    assert_true(server == &out.servers[0]);
    assert_string_equal(server->name, "nas");
    assert_string_equal(server->address, "10.77.0.2");
    assert_int_equal(server->dialect, 0x311);
    assert_int_equal(server->is_signed, NG_ANSWER_YES);
    assert_int_equal(server->encrypted, NG_ANSWER_YES);
    assert_int_equal(server->channels, 4);
    assert_int_equal(server->interface_count, 2);
    assert_string_equal(server->interfaces[0].speed, "10Gbps");
    assert_string_equal(server->interfaces[1].address, "fe80::1");
    server = ng_cifs_find(&out, "//other/b");
    assert_int_equal(server->dialect, 0x210);
    assert_int_equal(server->is_signed, NG_ANSWER_NO);
    assert_int_equal(server->encrypted, NG_ANSWER_NO);
    assert_int_equal(server->channels, 1);
    assert_null(ng_cifs_find(&out, "//nas/my"));
    assert_string_equal(ng_cifs_dialect_word(0x311), "3.1.1");
    assert_null(ng_cifs_dialect_word(0x999));
}

/* Kernels before 5.5: no host name, the server is what the session names. */
static void an_old_client(void **state) {
    (void)state;
    const struct ng_cifs out =
        cifs("CIFS Version 2.09\nServers:\nNumber of credits: 66 Dialect 0x300\n"
             "1) ConnectionId: 0x1 Number of credits: 66 Dialect 0x300 signed\n"
             "1) Name: 10.0.0.2 Uses: 1 Capability: 0x300046\tSession Status: 1\tTCP status: 1\n"
             "\tShares:\n\t1) \\\\10.0.0.2\\b Mounts: 1 DevInfo: 0x20\n");
    assert_int_equal(out.count, 1);
    assert_int_equal(out.servers[0].dialect, 0x300);
    assert_string_equal(out.servers[0].address, "10.0.0.2");
    assert_false(cifs("no such text\n").understood);
    assert_true(cifs("Servers:\n").understood);
    /* one share of two sessions: which one a mount uses is not known */
    const struct ng_cifs both =
        cifs("Servers:\n1) ConnectionId: 0x1 Hostname: a\n\t1) \\\\n\\b Mounts: 1\n"
             "2) ConnectionId: 0x2 Hostname: a\n\t1) \\\\n\\b Mounts: 1\n");
    assert_null(ng_cifs_find(&both, "//n/b"));
}

static struct ng_smb_config config(const char *text) {
    struct ng_smb_config out;
    ng_smb_config_parse(&out, &arena, text, strlen(text));
    return out;
}

#define NOISE                                                                                      \
    "Load smb config files from /etc/samba/smb.conf\nrlimit_max: increasing rlimit_max (1024) to " \
    "minimum Windows limit (16384)\nUnknown parameter encountered: \"syno = x\"\n"                 \
    "Ignoring unknown parameter \"syno = x\"\nProcessing section \"[Bench Share]\"\n"              \
    "WARNING: The \"a = b\" option is deprecated\nLoaded services file OK.\n"                      \
    "Server role: ROLE_STANDALONE\nPress enter to see a dump of your service definitions\n\n"

static void effective_values(void **state) {
    (void)state;
    const struct ng_smb_config out =
        config(NOISE "# Global parameters\n[global]\n\tworkgroup = LAB\n\taio read size = 1\n"
                     "\tserver max protocol = SMB3\n\tserver signing = required\n"
                     "\tidmap config * : backend = tdb\n\tstrict sync = Yes\n\tvfs objects = \n"
                     "\tread only = Yes\n\n\n[Bench Share]\n\tpath = /srv/a=b\n\tread only = No\n"
                     "WARNING: x = y\n\tvfs objects = full_audit recycle\n");
    assert_int_equal(out.count, 2);
    static const struct {
        const char *share, *name, *value;
    } rows[] = {
        {NULL, "aio read size", "1"},
        {NULL, "AIO Read  Size", "1"},
        {NULL, "aioreadsize", "1"},
        {NULL, "max protocol", "SMB3"},
        {NULL, "idmap config * : backend", "tdb"},
        {NULL, "vfs objects", ""},
        {"bench share", "vfs objects", "full_audit recycle"},
        {"Bench Share", "strict sync", "Yes"},
        {"Bench Share", "path", "/srv/a=b"},
        {"Bench Share", "writeable", "Yes"},
        {NULL, "writable", "No"},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        const char *value = ng_smb_config_value(&out, rows[i].share, rows[i].name);
        if (value == NULL || strcmp(value, rows[i].value) != 0) {
            fail_msg("%s: %s", rows[i].name, value == NULL ? "-" : value);
        }
    }
    /* not printed is unknown, and noise is no parameter */
    assert_null(ng_smb_config_value(&out, NULL, "use sendfile"));
    assert_null(ng_smb_config_value(&out, "Bench Share", "WARNING: x"));
    assert_null(ng_smb_config_section(&out, "no such"));
    assert_int_equal(config("x = y\nLoad smb config files\n").count, 0);
    /* a copy that lost its tabs */
    const struct ng_smb_config flat = config("[global]\nlog level = 10\n[s]\npath = /x\n");
    assert_string_equal(ng_smb_config_value(&flat, "s", "log level"), "10");
}

static void equal_values(void **state) {
    (void)state;
    static const struct {
        const char *a, *b;
        bool equal;
    } rows[] = {
        {"Yes", "true", true},
        {"No", "0", true},
        {"Yes", "No", false},
        {"SMB3", "SMB3_11", true},
        {"SMB2", "SMB3", false},
        {"required", "mandatory", true},
        {"auto", "if_required", true},
        {"AES-128-GMAC, AES-128-CMAC", "aes-128-gmac aes-128-cmac", true},
        {"full_audit recycle", "recycle full_audit", false},
        {"", "", true},
        {"", "x", false},
        {"TCP_NODELAY", "TCP_NODELAY SO_KEEPALIVE", false},
        {"16384", "16384", true},
    };
    for (size_t i = 0; i < NG_COUNT(rows); i++) {
        if (ng_smb_value_equal(rows[i].a, rows[i].b) != rows[i].equal ||
            ng_smb_value_equal(rows[i].b, rows[i].a) != rows[i].equal) {
            fail_msg("%s and %s", rows[i].a, rows[i].b);
        }
    }
}

static struct ng_smb_status status(const char *text) {
    struct ng_smb_status out;
    ng_smb_status_parse(&out, &arena, text, strlen(text));
    return out;
}

#define HEAD                                                                                       \
    "\nSamba version 4.17.12-Debian\n"                                                             \
    "PID     Username     Group        Machine                                   Protocol Version" \
    "  Encryption           Signing              \n----------------------------------------\n"

static void sessions(void **state) {
    (void)state;
    const struct ng_smb_status out = status(HEAD
        "863     nobody       nogroup      127.0.0.1 (ipv4:127.0.0.1:49586)          SMB3_11"
        "           -                    -                    \n"
        "0:862   DOM\\jo doe   DOM\\domain users 10.0.0.5 (ipv4:10.0.0.5:49576)  SMB3_11"
        "           partial(AES-128-GCM) AES-128-GMAC         \n"
        "9       u            g            10.0.0.6 (ipv6:fe80::1:1)  Unknown (0x9999)  AES-256-GCM"
        " partial(AES-128-CMAC)\n");
    assert_true(out.understood);
    assert_int_equal(out.bad, 0);
    assert_int_equal(out.session_count, 3);
    assert_string_equal(out.version, "4.17.12-Debian");
    assert_string_equal(out.sessions[0].dialect, "SMB3_11");
    assert_int_equal(out.sessions[0].signing, NG_SMB_NONE);
    assert_int_equal(out.sessions[0].encryption, NG_SMB_NONE);
    assert_int_equal(out.sessions[1].pid, 862);
    assert_string_equal(out.sessions[1].machine, "10.0.0.5 (ipv4:10.0.0.5:49576)");
    assert_int_equal(out.sessions[1].encryption, NG_SMB_PARTIAL);
    assert_string_equal(out.sessions[1].cipher, "AES-128-GCM");
    assert_int_equal(out.sessions[1].signing, NG_SMB_FULL);
    assert_string_equal(out.sessions[1].signer, "AES-128-GMAC");
    assert_string_equal(out.sessions[2].dialect, "Unknown");
    assert_int_equal(out.sessions[2].encryption, NG_SMB_FULL);
    assert_int_equal(out.sessions[2].signing, NG_SMB_PARTIAL);
}

static void no_sessions_and_no_table(void **state) {
    (void)state;
    struct ng_smb_status out = status(HEAD);
    assert_true(out.understood);
    assert_int_equal(out.session_count, 0);
    out = status("Can't open sessionid.tdb\n");
    assert_false(out.understood);
    out = status("");
    assert_false(out.understood);
    out = status(HEAD "863 nobody\nx y z\n1 2 3 SMB3_11 - !\n");
    assert_int_equal(out.session_count, 0);
    assert_int_equal(out.bad, 3);
    /* Samba 3 and 4.1 tell no dialect */
    out = status("Samba version 3.6.25\nPID     Username      Group         Machine\n-----------\n"
                 "12668   testsmb       testsmb       pc            (10.0.0.5)\n");
    assert_int_equal(out.session_count, 1);
    assert_null(out.sessions[0].dialect);
    assert_int_equal(out.sessions[0].signing, NG_SMB_UNTOLD);
}

static void connections(void **state) {
    (void)state;
    const struct ng_smb_status out = status(
        "\nService      pid     Machine       Connected at                     Encryption   "
        "Signing\n"
        "----------------------------------------\n"
        "Bench Share  861     127.0.0.1     Mon Nov 30 16:35:37 2026 UTC     -            -       "
        "\n"
        "Photos from 2019 77  127.0.0.1     Mon Nov 30 16:35:37 2026 UTC     -   AES-128-GMAC\n"
        "short\n\nLocked files:\nPid  Uid\n");
    assert_true(out.understood);
    assert_int_equal(out.connection_count, 2);
    assert_string_equal(out.connections[0].share, "Bench Share");
    assert_int_equal(out.connections[0].pid, 861);
    assert_string_equal(out.connections[1].share, "Photos from 2019");
    assert_int_equal(out.connections[1].signing, NG_SMB_FULL);
    assert_int_equal(out.bad, 1);
}

static void sessions_in_json(void **state) {
    (void)state;
    struct ng_smb_status out = status(
        "{\"timestamp\": \"x\", \"version\": \"4.17.12\", \"smb_conf\": \"smb.conf\", "
        "\"sessions\": {"
        "\"41\": {\"session_id\": \"41\", \"server_id\": {\"pid\": \"863\"}, \"username\": "
        "\"***\", "
        "\"remote_machine\": \"127.0.0.1\", \"session_dialect\": \"SMB3_11\", "
        "\"encryption\": {\"cipher\": \"AES-128-GCM\", \"degree\": \"partial\"}, "
        "\"signing\": {\"cipher\": \"-\", \"degree\": \"none\"}}, \"42\": 7}, \"tcons\": {"
        "\"14\": {\"service\": \"Bench\", \"server_id\": {\"pid\": 861}, \"machine\": \"m\"}}}\n");
    assert_true(out.understood);
    assert_int_equal(out.session_count, 1);
    assert_int_equal(out.bad, 1);
    assert_int_equal(out.sessions[0].pid, 863);
    assert_string_equal(out.sessions[0].dialect, "SMB3_11");
    assert_int_equal(out.sessions[0].encryption, NG_SMB_PARTIAL);
    assert_int_equal(out.sessions[0].signing, NG_SMB_NONE);
    assert_null(out.sessions[0].signer);
    assert_string_equal(out.connections[0].share, "Bench");
    assert_int_equal(out.connections[0].signing, NG_SMB_UNTOLD);
    out = status("{\"sessions\": {}, \"tcons\": {}}");
    assert_true(out.understood);
    assert_int_equal(out.session_count, 0);
    assert_false(status("{\"sessions\": [").understood);
    assert_false(status("{\"tcons\": {}}").understood);
}

static void dialects_have_an_order(void **state) {
    (void)state;
    assert_int_equal(ng_smb_dialect_number("SMB3_11"), ng_smb_dialect_number("3.1.1"));
    assert_true(ng_smb_dialect_number("smb3") > ng_smb_dialect_number("SMB3_02"));
    assert_true(ng_smb_dialect_number("SMB2_02") > ng_smb_dialect_number("NT1"));
    assert_int_equal(ng_smb_dialect_number("Unknown"), 0);
}

static struct ng_smb_status recorded_status(const char *file) {
    size_t len;
    const char *text = recording(file, &len);
    struct ng_smb_status out;
    ng_smb_status_parse(&out, &arena, text, len);
    return out;
}

static void recorded(void **state) {
    (void)state;
    struct ng_smb_status out = recorded_status("other/smbstatus-p.txt");
    assert_true(out.understood && out.bad == 0 && out.session_count == 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(out.sessions[i].dialect, "SMB2_02");
        assert_int_equal(out.sessions[i].encryption, NG_SMB_NONE);
        assert_int_equal(out.sessions[i].signing, NG_SMB_NONE);
    }
    assert_string_equal(out.sessions[2].machine, "10.66.208.169 (ipv4:10.66.208.169:34376)");
    out = recorded_status("other/smbstatus-p-one.txt");
    assert_true(out.session_count == 1 && out.sessions[0].pid == 12668);
    out = recorded_status("other/smbstatus-S.txt");
    assert_true(out.understood && out.bad == 0 && out.connection_count == 3);
    assert_string_equal(out.connections[0].share, "share_test1");
    assert_int_equal(out.connections[1].pid, 12648);
    assert_int_equal(out.connections[2].signing, NG_SMB_NONE);
    out = recorded_status("other/smbstatus-S-one.txt");
    assert_true(out.connection_count == 1 && out.connections[0].pid == 13668);
    assert_false(recorded_status("other/smbstatus-damaged-header.txt").understood);
    assert_false(recorded_status("other/smbstatus-tdb-error.txt").understood);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(channels_in_use),
        TEST(an_old_client),
        TEST(effective_values),
        TEST(equal_values),
        TEST(sessions),
        TEST(no_sessions_and_no_table),
        TEST(connections),
        TEST(sessions_in_json),
        TEST(dialects_have_an_order),
        TEST(recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
