/* nasgate probe-mtu: one probe of a path, started by nasgate itself so that it is recorded. */
#include <stdio.h>

#include "runner/base/clock.h"
#include "runner/cli/cli.h"
#include "runner/cli/output.h"
#include "runner/process/mtu_probe.h"
#include "runner/result/verdict.h"

static bool read_size(const char *text, size_t *size) {
    *size = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && *size <= NG_MTU_PROBE_MAX; at++) {
        *size = *size * 10 + (size_t)(*at - '0');
    }
    return at != text && *at == '\0';
}

static int probe_mtu(const struct ng_arguments *arguments) {
    struct ng_err err = {0};
    struct ng_mtu_answer answer;
    size_t size;
    if (!read_size(arguments->words[1], &size)) {
        ng_err_set(&err, NG_ERR_USAGE, "\"%.40s\" is no size in bytes", arguments->words[1]);
        ng_cli_complain(&err);
        return NG_EXIT_USAGE;
    }
    if (!ng_mtu_probe(arguments->words[0], size, &answer, &err)) {
        ng_cli_complain(&err);
        return err.kind == NG_ERR_USAGE ? NG_EXIT_USAGE : NG_EXIT_ERROR;
    }
    struct ng_buf out;
    ng_buf_init(&out, 200);
    if (answer.fate == NG_MTU_TOO_LONG) {
        ng_buf_addf(&out, "too-long %lld %s\n", (long long)answer.mtu, answer.from);
    } else {
        ng_buf_adds(&out, answer.fate == NG_MTU_PASSES ? "passes\n" : "silent\n");
    }
    const bool ok = ng_cli_print(&out);
    ng_buf_release(&out);
    return ok ? NG_EXIT_PASS : NG_EXIT_ERROR;
}

const struct ng_command_row ng_command_probe_mtu = {
    .name = "probe-mtu",
    .words = "ADDRESS SIZE",
    .summary = "send one UDP datagram that must not be cut, and say what became of it",
    .examples = "  nasgate probe-mtu 10.0.0.2 8972\n",
    .words_min = 2,
    .words_max = 2,
    .hidden = true,
    .run = probe_mtu,
};
