/* From a mount down to the disks, through every layer between. */
#include <string.h>

#include "runner/facts/block.h"

static void gap(struct ng_stack *stack, const char *text) {
    if (stack->gap == NULL) {
        stack->gap = text;
    }
}

static void push(struct ng_stack *stack, const struct ng_block *block) {
    for (size_t i = 0; i < stack->count; i++) {
        if (stack->items[i] == block) {
            return;
        }
    }
    if (stack->count >= NG_STACK_MAX) {
        gap(stack, "there are more devices below than can be followed");
        return;
    }
    stack->items[stack->count++] = block;
}

static void push_named(const struct ng_blocks *blocks, struct ng_arena *arena,
    struct ng_stack *stack, const char *name, const char *above) {
    const struct ng_block *block = ng_blocks_find(blocks, name);
    if (block != NULL) {
        push(stack, block);
    } else {
        gap(stack, ng_arena_printf(arena, "%s below %s is not known", name, above));
    }
}

/* All devices of the btrfs that one device belongs to. */
static void push_btrfs(const struct ng_blocks *blocks, struct ng_arena *arena,
    struct ng_stack *stack, const struct ng_block *first) {
    for (size_t i = 0; i < blocks->btrfs_count; i++) {
        if (strcmp(blocks->btrfs[i].block, first->name) != 0) {
            continue;
        }
        for (size_t j = 0; j < blocks->btrfs_count; j++) {
            if (strcmp(blocks->btrfs[j].uuid, blocks->btrfs[i].uuid) == 0) {
                push_named(blocks, arena, stack, blocks->btrfs[j].block, "btrfs");
            }
        }
        return;
    }
}

/* All devices of a ZFS pool. */
static void push_pool(const struct ng_blocks *blocks, struct ng_arena *arena,
    struct ng_stack *stack, const char *pool) {
    size_t count = 0;
    for (size_t i = 0; i < blocks->pool_count; i++) {
        const struct ng_pool_device *device = &blocks->pools[i];
        if (strcmp(device->pool, pool) != 0) {
            continue;
        }
        count++;
        if (device->block != NULL) {
            push_named(blocks, arena, stack, device->block, pool);
        } else {
            gap(stack, ng_arena_printf(arena, "%s of the ZFS pool %s is no device that is known",
                           device->name, pool));
        }
    }
    if (count == 0) {
        gap(stack, ng_arena_printf(arena, "the devices of the ZFS pool %s are not known", pool));
    }
}

/* A volume of a pool is a block device (zd0) that does not say of which. */
static void push_volume(const struct ng_blocks *blocks, struct ng_arena *arena,
    struct ng_stack *stack, const struct ng_block *volume) {
    if (strncmp(volume->name, "zd", 2) != 0 || volume->name[2] < '0' || volume->name[2] > '9' ||
        volume->disk != NULL) {
        return;
    }
    for (size_t i = 1; i < blocks->pool_count; i++) {
        if (strcmp(blocks->pools[i].pool, blocks->pools[0].pool) != 0) {
            gap(stack,
                ng_arena_printf(arena, "%s is a volume of one of several ZFS pools", volume->name));
            return;
        }
    }
    if (blocks->pool_count > 0) {
        push_pool(blocks, arena, stack, blocks->pools[0].pool);
    } else {
        gap(stack,
            ng_arena_printf(arena, "%s is a volume of a ZFS pool that is not known", volume->name));
    }
}

static void push_top(const struct ng_blocks *blocks, struct ng_arena *arena,
    const struct ng_mount *mount, struct ng_stack *stack) {
    if (strcmp(mount->type, "zfs") == 0) {
        push_pool(blocks, arena, stack,
            ng_arena_strndup(arena, mount->source, strcspn(mount->source, "/@")));
        return;
    }
    const struct ng_block *block = ng_blocks_of_mount(blocks, mount);
    if (block == NULL) {
        gap(stack, ng_arena_printf(arena, "the block device of %s (%s, %u:%u) is not known",
                       mount->source, mount->type, mount->major, mount->minor));
        return;
    }
    push(stack, block);
    if (strcmp(mount->type, "btrfs") == 0) {
        push_btrfs(blocks, arena, stack, block);
    }
}

/* What a loop device lies on: a file of a mounted file system, or a device. */
static void push_file(const struct ng_blocks *blocks, const struct ng_mounts *mounts,
    struct ng_arena *arena, const struct ng_block *loop, struct ng_stack *stack) {
    const struct ng_block *device = ng_blocks_of_path(blocks, loop->loop_file);
    const struct ng_mount *below = ng_mounts_find(mounts, loop->loop_file);
    if (device != NULL) {
        push(stack, device);
    } else if (below != NULL && !ng_mount_is_virtual(below) && !ng_mount_is_network(below)) {
        push_top(blocks, arena, below, stack);
    } else {
        gap(stack, ng_arena_printf(
                       arena, "the file behind %s does not lie on a block device", loop->name));
    }
}

/* Everything below what the stack holds, as far as it can be followed. */
static void descend(const struct ng_blocks *blocks, const struct ng_mounts *mounts,
    struct ng_arena *arena, struct ng_stack *stack) {
    for (size_t i = 0; i < stack->count; i++) {
        const struct ng_block *block = stack->items[i];
        push_volume(blocks, arena, stack, block);
        for (size_t j = 0; j < block->slave_count; j++) {
            push_named(blocks, arena, stack, block->slaves[j], block->name);
        }
        if (block->disk != NULL) {
            push_named(blocks, arena, stack, block->disk, block->name);
        }
        if (block->loop_file != NULL) {
            push_file(blocks, mounts, arena, block, stack);
        }
    }
}

void ng_blocks_stack(const struct ng_blocks *blocks, const struct ng_mounts *mounts,
    const struct ng_mount *mount, struct ng_arena *arena, struct ng_stack *stack) {
    *stack = (struct ng_stack){.gap = blocks->cut};
    push_top(blocks, arena, mount, stack);
    descend(blocks, mounts, arena, stack);
}

void ng_blocks_stack_named(const struct ng_blocks *blocks, const struct ng_mounts *mounts,
    const char *name, struct ng_arena *arena, struct ng_stack *stack) {
    *stack = (struct ng_stack){.gap = blocks->cut};
    const struct ng_block *block = ng_blocks_find(blocks, name);
    if (block == NULL) {
        gap(stack, ng_arena_printf(arena, "the block device %s is not known", name));
        return;
    }
    push(stack, block);
    descend(blocks, mounts, arena, stack);
}
