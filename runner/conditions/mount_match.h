/**
 * mount_match.h - a mount that is in force against what the plan says it must be; used by
 * mounted.c.
 */
#ifndef NG_CONDITIONS_MOUNT_MATCH_H
#define NG_CONDITIONS_MOUNT_MATCH_H

#include "runner/conditions/outcome.h"

/** "nfs" also means nfs4, "cifs" also smb3; NULL means any. */
bool ng_mount_type_matches(const char *wanted, const struct ng_mount *mount);
/** Splits "nas:/volume1/bench", "[fe80::1]:/x" or "//nas/share/sub" into server and export. False
 * for what names no server. */
bool ng_mount_source_split(
    const struct ng_mount *mount, struct ng_arena *arena, const char **server, const char **export);
/** Exports are equal but for slashes at their ends; a share may be written with or without
 * "//server/". */
bool ng_mount_export_matches(
    const char *wanted, const struct ng_mount *mount, struct ng_arena *arena);
/** "128 KiB" has become bytes in the plan: numbers compare as numbers, vers 4 takes any 4.x. */
bool ng_mount_value_matches(const char *name, const char *wanted, const char *in_force);
/** Says how one option in force differs from what is wanted, or why that is unknown. */
void ng_mount_compare_option(struct ng_outcome *outcome, const struct ng_volume *volume,
    const struct ng_pair *pair, const struct ng_mount *mount);
/** Says which other mounts share file system or connections with this one, whose options are then
 * those of the first. */
void ng_mount_look_peers(
    struct ng_outcome *outcome, const struct ng_facts *facts, const struct ng_mount *mount);
/** Says all that differs in server, export and options. */
void ng_mount_compare(
    struct ng_outcome *outcome, const struct ng_volume *volume, const struct ng_mount *mount);

#endif
