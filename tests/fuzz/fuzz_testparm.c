/* Fuzzes what testparm prints. */
#include <stdint.h>

#include "runner/facts/testparm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ng_arena arena;
    const char *text = size > 0 ? (const char *)data : "";
    ng_arena_init(&arena);
    struct ng_smb_config config;
    ng_smb_config_parse(&config, &arena, text, size);
    (void)ng_smb_config_value(&config, "share", "max protocol");
    for (size_t i = 0; i < config.count && i < 16; i++) {
        const struct ng_smb_section *section = &config.sections[i];
        for (size_t j = 0; j < section->count && j < 16; j++) {
            const char *value = section->items[j].value;
            if (!ng_smb_value_equal(value, value) ||
                ng_smb_config_value(&config, section->name, section->items[j].name) == NULL) {
                __builtin_trap(); /* what is printed is known, and equal to itself */
            }
        }
    }
    ng_arena_release(&arena);
    return 0;
}
