/**
 * room.h - what is said of a file that cannot be written, with the file system that is full.
 */
#ifndef NG_BASE_ROOM_H
#define NG_BASE_ROOM_H

#include "runner/base/err.h"

/**
 * Sets "cannot write SHOWN" (the path, or what it is called where no path of this machine may
 * stand) with the text of errno `number`; of kind NG_ERR_FILE, or NG_ERR_FULL where no room is
 * left: then with what is available there, and what to do. The device and its mount are named
 * beside the path alone, since they as well name users and machines, which no report may. Returns
 * false.
 */
bool ng_room_failed(struct ng_err *err, int number, const char *path, const char *shown);

#endif
