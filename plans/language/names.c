/* names.c - open addressing with linear probing, at most half full. */
#include "plans/language/names.h"

#include <stdint.h>
#include <string.h>

void ng_names_init(struct ng_names *names, struct ng_arena *arena) {
    *names = (struct ng_names){.arena = arena};
}

/* FNV-1a, 64 bit. */
static uint64_t hash(const char *name) {
    uint64_t h = UINT64_C(14695981039346656037);
    for (const unsigned char *p = (const unsigned char *)name; *p; p++) {
        h = (h ^ *p) * UINT64_C(1099511628211);
    }
    return h ^ (h >> 32);
}

/* The slot that holds the name, or the free one where it would go. */
static struct ng_name_slot *find(const struct ng_names *names, const char *name) {
    size_t mask = names->room - 1;
    size_t i = (size_t)hash(name) & mask;
    while (names->slots[i].name && strcmp(names->slots[i].name, name) != 0) {
        i = (i + 1) & mask;
    }
    return &names->slots[i];
}

static void make_room(struct ng_names *names) {
    if (names->room > 0 && names->count * 2 < names->room) {
        return;
    }
    struct ng_names larger = {.arena = names->arena, .room = names->room ? names->room * 2 : 16};
    larger.slots = ng_arena_array(names->arena, larger.room, sizeof *larger.slots);
    for (size_t i = 0; i < names->room; i++) {
        if (names->slots[i].name) {
            *find(&larger, names->slots[i].name) = names->slots[i];
        }
    }
    larger.count = names->count;
    *names = larger;
}

const void *ng_names_add(struct ng_names *names, const char *name, const void *thing) {
    make_room(names);
    struct ng_name_slot *slot = find(names, name);
    if (slot->name) {
        return slot->thing;
    }
    *slot = (struct ng_name_slot){name, thing};
    names->count++;
    return NULL;
}

void ng_names_set(struct ng_names *names, const char *name, const void *thing) {
    if (ng_names_add(names, name, thing)) {
        find(names, name)->thing = thing;
    }
}

const void *ng_names_get(const struct ng_names *names, const char *name) {
    return names->room > 0 ? find(names, name)->thing : NULL;
}
