/**
 * shells.h - the shells in which the watchdog is tried, and how each gets in the place of /bin/sh.
 */
#ifndef NG_TEST_TRANSPORT_SHELLS_H
#define NG_TEST_TRANSPORT_SHELLS_H

#include <stdio.h>
#include <unistd.h>

#include "runner/base/text.h"

/* The words before "/bin/sh -c STAGE": they put another shell in the place of /bin/sh, one with
 * BusyBox's own tools; the last does as if there were no setsid. */
static const char tools[] = "d=$TMPDIR/tools; mkdir -p $d; for t in dd grep head wc rm mkdir sleep "
                            "ln cat seq env yes stat; do "
                            "ln -sf /bin/busybox $d/$t; done; ";

static const char blind[] = "command() { [ \"$2\" != setsid ] && builtin command \"$@\"; }; ";

static const struct {
    const char *host, *need, *before, *shell;
} shells[] = {
    {"dash", "dash", "", "dash"},
    {"bash", "bash", "", "bash --norc"},
    {"ash", "busybox", "", "busybox sh"},
    {"ash-tools", "busybox", "ln -sf /bin/busybox $d/setsid; PATH=$d; ", "/bin/busybox sh"},
    {"no-setsid", "bash", "export -f command; ", "bash --norc"},
};

static bool is_there(const char *need) {
    static const char *const folders[] = {"/bin", "/usr/bin", "/usr/local/bin"};
    char path[100];
    for (size_t i = 0; i < NG_COUNT(folders); i++) {
        snprintf(path, sizeof path, "%s/%s", folders[i], need);
        if (access(path, X_OK) == 0) {
            return true;
        }
    }
    print_message("skipped: no %s here\n", need);
    return false;
}

#endif
