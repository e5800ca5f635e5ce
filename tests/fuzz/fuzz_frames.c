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
    const bool all = frames.complete && frames.dropped == 0;
    if (all != (frames.reason == NULL)) {
        __builtin_trap(); /* a reason exactly where not all is known */
    }
    ng_arena_release(&arena);
    return 0;
}
