/* Fuzzes what smbstatus prints. */
#include <stdint.h>

#include "runner/facts/smbstatus.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    const char *text = size > 0 ? (const char *)data : "";
    ng_arena_init(&arena);
    struct ng_smb_status status;
    ng_smb_status_parse(&status, &arena, text, size);
    if (status.session_count > 0 && !status.understood) {
        __builtin_trap(); /* sessions stand in a table */
    }
    ng_arena_release(&arena);
    return 0;
}
