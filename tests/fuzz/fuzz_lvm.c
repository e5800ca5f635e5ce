/* Fuzzes LVM's reports, in JSON and in lines. */
#include <stdint.h>

#include "runner/facts/lvm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    struct ng_lvm lvm = {0};
    ng_arena_init(&arena);
    ng_lvm_parse(&lvm, &arena, size > 0 ? (const char *)data : "", size);
    if (!lvm.known && lvm.why == NULL) {
        __builtin_trap(); /* what is unknown says why */
    }
    for (size_t i = 0; i < lvm.count; i++) {
        const char *what = NULL, *why = "";
        if (ng_lvm_busy(&lvm.volumes[i], &arena, &what, &why) != NG_ANSWER_NO && why[0] == '\0') {
            __builtin_trap();
        }
        if (ng_lvm_degraded(&lvm.volumes[i], &arena, &why) != NG_ANSWER_NO && why[0] == '\0') {
            __builtin_trap();
        }
    }
    ng_arena_release(&arena);
    return 0;
}
