/**
 * holder.h - for whom a run takes leases: what others are told while it has them.
 */
#ifndef NG_CLI_HOLDER_H
#define NG_CLI_HOLDER_H

#include "runner/base/arena.h"

enum { NG_HOLDER_CHARS = 300 };

/** "ci@runner-3": user and machine, clean and in `arena`. */
const char *ng_holder_who(struct ng_arena *arena);
/**
 * The address of the CI job that runs this, from the environment of GitLab, GitHub, Gitea, Jenkins,
 * Buildkite, CircleCI, Azure, Drone, Woodpecker, Travis or Bitbucket; "" elsewhere. Clean.
 */
const char *ng_holder_job(struct ng_arena *arena);

#endif
