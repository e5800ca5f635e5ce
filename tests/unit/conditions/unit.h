/**
 * unit.h - frames of a Synology unit, for the preconditions about arrays.
 */
#ifndef NG_TESTS_CONDITIONS_UNIT_H
#define NG_TESTS_CONDITIONS_UNIT_H

#include "tests/unit/conditions/bench.h"

#define HEAD "Personalities : [raid1] \n"

/* A DSM unit: md0 and md2 have a partition on each of two disks, md3 lies on a disk of its own. */
#define UNIT(md0, md2, md3)                                                                        \
    F("dsm", "majorversion=\"7\"\n")                                                               \
    F("mdstat",                                                                                    \
        HEAD "md3 : active raid1 sdc3[0]\n      900 blocks super 1.2 [1/1] [U]\n" md3              \
             "md2 : active raid1 sda3[0] sdb3[1]\n"                                                \
             "      900 blocks super 1.2 [2/2] [UU]\n" md2 "md0 : active raid1 sda1[0] sdb1[1]\n"  \
             "      900 blocks [8/2] [UU______]\n" md0 "unused devices: <none>\n")                 \
    F("block",                                                                                     \
        "block/sda/dev\t8:0\nblock/sda/part/sda1/dev\t8:1\nblock/sda/part/sda3/dev\t8:3\n"         \
        "block/sdb/dev\t8:16\nblock/sdb/part/sdb1/dev\t8:17\nblock/sdb/part/sdb3/dev\t8:19\n"      \
        "block/sdc/dev\t8:32\nblock/sdc/part/sdc3/dev\t8:35\n"                                     \
        "block/md0/dev\t9:0\nblock/md0/slaves/sda1\t\nblock/md0/slaves/sdb1\t\n"                   \
        "block/md2/dev\t9:2\nblock/md2/slaves/sda3\t\nblock/md2/slaves/sdb3\t\n"                   \
        "block/md3/dev\t9:3\nblock/md3/slaves/sdc3\t\n"                                            \
        "block/dm-0/dev\t253:0\nblock/dm-0/dm/name\tcachedev_0\nblock/dm-0/slaves/md2\t\n")        \
    F("mountinfo", "1 0 9:0 / / rw - ext4 /dev/md0 rw\n"                                           \
                   "2 1 253:0 / /volume1 rw - ext4 /dev/mapper/cachedev_0 rw\n"                    \
                   "3 1 9:3 / /volume2 rw - ext4 /dev/md3 rw\n")
#define AT(path)                                                                                   \
    F("path.1.name", path)                                                                         \
    F("path.1.test", "exists yes\ndirectory yes\nreal " path "\nwritable yes\n")

#endif
