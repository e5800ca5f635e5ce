/**
 * keeper.h - what binds the run's folder on a volume to the run: a command on the volume's host
 * that does nothing until it is asked to end, and then removes the folder (volume.sh: keep).
 *
 * Whoever ends our commands when we are gone, be it the guard on this machine or the watchdog on
 * another one, asks it. Only when the machine itself stops, or a removal takes longer than their
 * patience, is the folder left; the next run tells of it then.
 */
#ifndef NG_EXECUTE_KEEPER_H
#define NG_EXECUTE_KEEPER_H

#include "runner/execute/context.h"

/**
 * Starts one for each volume that is used, before anything is made there, and waits until each is
 * up. One that cannot be started is no error: the folder is removed all the same when the run ends
 * in order. One that ends before it is asked to takes the folder with it, so its volume has failed
 * from then on.
 */
void ng_keepers_start(struct ng_run *run);

/** Asks all to remove their folders and waits for them. Where one has done so the volume is no more
 *  `made`. */
void ng_keepers_stop(struct ng_run *run);

#endif
