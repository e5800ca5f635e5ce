/**
 * testparm.h - what `testparm -sv` says of a Samba server's configuration: all parameters with
 * their effective values, also those at their defaults.
 *
 * It reads the files, not the running daemon; smbstatus.h tells what is in force per session.
 */
#ifndef NG_FACTS_TESTPARM_H
#define NG_FACTS_TESTPARM_H

#include <stdbool.h>
#include <stddef.h>

#include "runner/base/arena.h"

enum { NG_SMB_SECTIONS_MAX = 4096, NG_SMB_PARAMETERS_MAX = 65536 };

struct ng_smb_parameter {
    const char *name, *value; /* as printed, clean */
};

struct ng_smb_section {
    const char *name; /* "global", a share */
    struct ng_smb_parameter *items;
    size_t count, capacity;
};

struct ng_smb_config {
    struct ng_smb_section *sections;
    size_t count, capacity;
    size_t parameters;
    bool cut; /* there was more than is kept */
};

/** Sections and their parameters; status lines of any version between them are left out. */
void ng_smb_config_parse(
    struct ng_smb_config *config, struct ng_arena *arena, const char *text, size_t len);
/** A section by its name, in any case; NULL: there is none. */
const struct ng_smb_section *ng_smb_config_section(
    const struct ng_smb_config *config, const char *name);
/**
 * The effective value of a parameter in a share, or of the server (`share` NULL): the share's own,
 * else the one of [global]. Names are compared as Samba does it: in any case, without blanks, by
 * their synonyms ("max protocol" is "server max protocol", "writeable" the opposite of "read
 * only"). NULL: it is not printed, which is unknown and no default.
 */
const char *ng_smb_config_value(
    const struct ng_smb_config *config, const char *share, const char *name);
/** Whether two values of a parameter say the same: yes, true, 1, on; numbers; lists whatever
 * separates them; names of protocols and of signing by their synonyms. */
bool ng_smb_value_equal(const char *a, const char *b);

#endif
