/* Fuzzes the lists of NFS servers and volumes. */
#include <stdint.h>

#include "runner/facts/nfsfs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    const char *text = size > 0 ? (const char *)data : "";
    ng_arena_init(&arena);
    struct ng_nfsfs nfsfs = {0};
    ng_nfsfs_servers(&nfsfs, &arena, text, size);
    ng_nfsfs_volumes(&nfsfs, &arena, text, size);
    ng_arena_release(&arena);
    return 0;
}
