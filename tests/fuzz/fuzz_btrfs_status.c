/* Fuzzes the readers of what the btrfs tool prints, one after the other. */
#include <stdint.h>

#include "runner/facts/btrfs_status.h"
#include "runner/facts/scrub.h"

static void check(struct ng_btrfs_job job) {
    if (job.percent > 100 || (job.paused && job.runs == NG_ANSWER_YES) || job.last == NULL) {
        __builtin_trap();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = size > 0 ? (const char *)data : "";
    struct ng_arena arena;
    ng_arena_init(&arena);
    check(ng_btrfs_scrub_parse(&arena, text, size));
    check(ng_btrfs_balance_parse(&arena, text, size));
    check(ng_btrfs_replace_parse(&arena, text, size));
    check(ng_btrfs_rescan_parse(&arena, text, size));
    struct ng_btrfs_stats stats = ng_btrfs_stats_parse(&arena, text, size);
    if (stats.missing > stats.devices) {
        __builtin_trap();
    }
    (void)ng_btrfs_show_missing("u-1", text, size);
    (void)ng_scrub_file(text, size);
    ng_arena_release(&arena);
    return 0;
}
