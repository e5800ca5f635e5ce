// Looks for a listening TCP socket in the kernel's table of a network namespace.
#include "runner/process/netwait.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 512, TCP_LISTEN = 0x0A };

/** Skips blanks and one word; returns where the next word begins. */
static const char *after_word(const char *at) {
    at += strspn(at, " ");
    at += strcspn(at, " \n");
    return at + strspn(at, " ");
}

bool ng_net_line_listens(const char *line, uint16_t port) {
    const char *local = after_word(line);   // behind "0:"
    const char *remote = after_word(local); // behind "0100007F:1451"
    const char *state = after_word(remote); // behind "00000000:0000"
    const char *colon = strchr(local, ':');
    if (!colon || colon >= remote) {
        return false; // the header line
    }
    return strtoul(colon + 1, NULL, 16) == port && strtoul(state, NULL, 16) == TCP_LISTEN;
}

static bool file_listens(pid_t pid, const char *file, uint16_t port) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/net/%s", (long)pid, file);
    FILE *table = fopen(path, "re");
    if (!table) {
        return false;
    }
    char line[LINE_MAX_BYTES];
    bool found = false;
    while (!found && fgets(line, sizeof line, table)) {
        found = ng_net_line_listens(line, port);
    }
    fclose(table);
    return found;
}

bool ng_net_listens(pid_t pid, uint16_t port) {
    return file_listens(pid, "tcp", port) || file_listens(pid, "tcp6", port);
}
