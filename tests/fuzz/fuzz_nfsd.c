/* Fuzzes the NFS server's files and exports. */
#include <stdint.h>

#include "runner/facts/nfsd.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    const char *text = size > 0 ? (const char *)data : "";
    ng_arena_init(&arena);
    struct ng_nfsd nfsd = {0};
    struct ng_exports exports;
    ng_nfsd_files(&nfsd, &arena, text, size);
    ng_nfsd_rpc(&nfsd, text, size);
    ng_exports_parse(&exports, &arena, text, size);
    for (size_t i = 0; i < exports.count && i < 64; i++) {
        if (ng_exports_of(&exports, exports.items[i].path) == NULL) {
            __builtin_trap(); /* an exported path lies on an export */
        }
    }
    ng_arena_release(&arena);
    return 0;
}
