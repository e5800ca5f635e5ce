/* What kind of file system a mount is: on another machine, without a disk, or on a block device. */
#include <string.h>

#include "runner/facts/mountinfo.h"

static bool listed(const char *const *names, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

bool ng_mount_is_network(const struct ng_mount *mount) {
    static const char *const types[] = {"9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs",
        "fuse.ceph", "fuse.davfs2", "fuse.glusterfs", "fuse.gvfsd-fuse", "fuse.rclone", "fuse.s3fs",
        "fuse.sshfs", "lustre", "ncpfs", "nfs", "nfs4", "smb3", "smbfs", "virtiofs"};
    return listed(types, NG_COUNT(types), mount->type);
}

bool ng_mount_is_virtual(const struct ng_mount *mount) {
    static const char *const types[] = {"aufs", "autofs", "binfmt_misc", "bpf", "cgroup", "cgroup2",
        "configfs", "debugfs", "devpts", "devtmpfs", "ecryptfs", "efivarfs", "fusectl", "hugetlbfs",
        "mqueue", "nsfs", "overlay", "overlayfs", "proc", "pstore", "ramfs", "rootfs", "securityfs",
        "sysfs", "tmpfs", "tracefs"};
    if (ng_mount_is_network(mount)) {
        return false;
    }
    return listed(types, NG_COUNT(types), mount->type) || strcmp(mount->type, "fuse") == 0 ||
           strncmp(mount->type, "fuse.", 5) == 0;
}
