/* From the collector's frames to what a host says of its block layers. */
#include "runner/facts/volumes.h"

#include "runner/facts/dm.h"
#include "runner/facts/scan.h"

static void read_dm(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_source *table = ng_frames_find(&facts->frames, "dmtable");
    const struct ng_source *status = ng_frames_find(&facts->frames, "dmstatus");
    if (ng_source_read(table)) {
        ng_dm_parse(&facts->blocks, arena, table->text, table->len, false);
    } else {
        facts->blocks.targets_why = ng_source_why(&facts->frames, table, "dmsetup table", arena);
    }
    if (ng_source_read(status)) {
        ng_dm_parse(&facts->blocks, arena, status->text, status->len, true);
    }
}

/* lvs ends with a status of its own when a device is missing, and prints all the same. */
static void read_lvm(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_source *lvs = ng_frames_find(&facts->frames, "lvs");
    if (ng_source_read(lvs) || (lvs->state == NG_SOURCE_FAILED && lvs->len > 0)) {
        ng_lvm_parse(&facts->lvm, arena, lvs->text, lvs->len);
    } else {
        facts->lvm.why = ng_source_why(&facts->frames, lvs, "lvs", arena);
    }
}

void ng_volumes_read(struct ng_facts *facts, struct ng_arena *arena) {
    const struct ng_source *block = ng_frames_find(&facts->frames, "block");
    const struct ng_source *layers = ng_frames_find(&facts->frames, "layers");
    const struct ng_source *flash = ng_frames_find(&facts->frames, "flashcache");
    const struct ng_source *qts = ng_frames_find(&facts->frames, "volumeconf");
    const struct ng_source *shares = ng_frames_find(&facts->frames, "unraid.shares");
    ng_blocks_parse(&facts->blocks, arena, layers->text, layers->len);
    ng_bcache_parse(&facts->bcache, arena, block->text, block->len);
    ng_bcache_parse(&facts->bcache, arena, layers->text, layers->len);
    ng_flashcaches_parse(&facts->flashcaches, arena, flash->text, flash->len);
    if (flash->state == NG_SOURCE_CUT || ng_span_cut(ng_span(flash->text, flash->len))) {
        facts->flashcaches.why = "what is in /proc/flashcache was cut off";
    }
    ng_qts_parse(&facts->qts, arena, qts->text, qts->len);
    ng_unraid_shares_parse(&facts->unraid_shares, arena, shares->text, shares->len);
    read_dm(facts, arena);
    read_lvm(facts, arena);
}
