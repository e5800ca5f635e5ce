/* Fuzzes the SMB client's DebugData. */
#include <stdint.h>

#include "runner/facts/cifs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    const char *text = size > 0 ? (const char *)data : "";
    ng_arena_init(&arena);
    struct ng_cifs cifs;
    ng_cifs_parse(&cifs, &arena, text, size);
    if (cifs.count > 0 && !cifs.understood) {
        __builtin_trap(); /* servers stand in a list of servers */
    }
    (void)ng_cifs_find(&cifs, "//nas/share/x");
    ng_arena_release(&arena);
    return 0;
}
