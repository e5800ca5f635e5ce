/* Fuzzes the frames of the collector. */
#include <stdint.h>

#include "runner/facts/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    struct ng_frames frames;
    ng_arena_init(&arena);
    ng_frames_parse(&frames, &arena, "t", size > 0 ? (const char *)data : "", size);
    for (size_t i = 0; i < frames.count; i++) {
        const struct ng_source *source = &frames.items[i];
        if (source->text[source->len] != '\0') {
            __builtin_trap();
        }
        (void)ng_source_why(&frames, source, "it", &arena);
    }
    if (!frames.complete && frames.reason == NULL) {
        __builtin_trap(); /* what is not complete has a reason; what is complete may be cut, with
                             one */
    }
    ng_arena_release(&arena);
    return 0;
}
