"""Fake hosts of appliances: DSM, QTS, Unraid, TrueNAS."""

from nas_base import BTRFS, NEW_SCRUB, NOT_ROOT, Btrfs, Nas

DSM_MDSTAT = """\
Personalities : [raid1] [raid6] [raid5] [raid4] [raidF1]
md2 : active raid6 sata1p3[0] sata4p3[3] sata3p3[2]FLAG sata2p3[1]
      15618409088 blocks super 1.2 level 6, 64k chunk, algorithm 2 [4/4] [MAP]
WORK
md1 : active raid1 sata1p2[0] sata4p2[3] sata3p2[2] sata2p2[1]
      2097088 blocks [8/4] [UUUU____]

md0 : active raid1 sata1p1[0] sata4p1[3] sata3p1[2] sata2p1[1]
      8388544 blocks [8/4] [UUUU____]

unused devices: <none>
"""
DSM_TABLE = """\
vg1-syno_vg_reserved_area: 0 24576 linear 9:2 1152
vg1-volume_1: 0 31236807680 linear 9:2 25728
cachedev_0: 0 31236807680 flashcache-syno conf:
\tssd dev (SSD), disk dev (/dev/vg1/volume_1) cache mode(MODE)
\tcapacity(CAPACITYM), associativity(512), data block size(64K) metadata block size(4096b)
\tskip sequential thresh(1024K)
\ttotal blocks(7616), cached blocks(3000), cache percent(39)
\tdirty blocks(120), dirty percent(1)
\tnr_queued(0)
Size Hist: 4096:7 65536:1021
"""
DSM_STATUS = """\
vg1-syno_vg_reserved_area: 0 24576 linear
vg1-volume_1: 0 31236807680 linear
cachedev_0: 0 31236807680 flashcache-syno stats:
\treads(52011), writes(90210)
\tread hits(1200), read hit percent(2)
\twrite hits(700) write hit percent(0)
"""
DSM_SCRUB = (f"scrub status for {BTRFS}\n\tscrub started at Sun Nov  1 02:00:01 2026 ENDED\n"
             "\ttotal bytes scrubbed: 4.12TiB with 0 errors\n")


class Dsm(Btrfs, Nas):
    """DSM 7: SHR of one RAID 6, LVM, a cachedev, btrfs; bays for eight disks, four of them filled."""

    path, type, source = "/volume1", "btrfs", "/dev/mapper/cachedev_0"
    kernel = "Linux version 4.4.302+ (root@build1) (gcc version 12.2.0 (GCC) ) #69057 SMP"
    mounts = ("9:0 / / rw,noatime ext4 /dev/md0 rw,data=ordered",
              "0:40 /@syno /volume1 rw,nodev,relatime btrfs /dev/mapper/cachedev_0 "
              "rw,ssd,synoacl,space_cache=v2,auto_reclaim_space,metadata_ratio=50,subvol=/@syno")

    def build(self):
        self.put("etc.defaults/VERSION", 'majorversion="7"\nminorversion="2"\nproductversion="7.2.1"\n'
                 'buildnumber="69057"\nsmallfixnumber="5"\n')
        self.put("etc.defaults/synoinfo.conf", 'unique="synology_v1000_1821+"\n')
        self.put("proc/sys/kernel/syno_hw_version", "DS1821+\n")
        disks = [f"sata{i}" for i in range(1, 5)]
        for i, disk in enumerate(disks):
            self.disk(disk, f"8:{16 * i}", f"{disk}p1", f"{disk}p2", f"{disk}p3")
        for i, missing in ((0, 4), (1, 4), (2, 0)):
            self.array(f"md{i}", f"9:{i}", [f"{d}p{i + 1}" for d in disks],
                       "raid6" if i == 2 else "raid1", 4 + missing, degraded=missing)
        self.mapped("dm-0", "253:0", "vg1-syno_vg_reserved_area", ["md2"], "LVM-aaa")
        self.mapped("dm-1", "253:1", "vg1-volume_1", ["md2"], "LVM-bbb")
        self.mapped("dm-2", "253:2", "cachedev_0", ["dm-1"])
        self.state()
        self.flash("DUMMY", "none", 0)
        self.scrub("and finished after 05:12:09")
        self.tool("lvs", NOT_ROOT.format(said="echo '  WARNING: Running as a non-root user.' >&2\n") +
                  """echo '{"report": [{"lv": [{"vg_name":"vg1", "lv_name":"volume_1", """
                  """"segtype":"linear", "lv_attr":"-wi-ao----"}]}]}'\n""")

    def state(self, members="UUUU", flag="", work=""):
        self.mdstat(DSM_MDSTAT.replace("MAP", members).replace("FLAG", flag).replace("WORK", work))

    def flash(self, mode, ssd, capacity):
        self.dmsetup(DSM_TABLE.replace("MODE", mode).replace("SSD", ssd)
                     .replace("CAPACITY", str(capacity)), DSM_STATUS)

    def scrub(self, ended):
        self.btrfs(["dm-2"], scrub=DSM_SCRUB.replace("ENDED", ended), filesystem=(
            f"Label: '2023.04.11-04:11:11 v64570'  uuid: {BTRFS}\n\tTotal devices 1 FS bytes used "
            "4.12TiB\n\tdevid    1 size 14.54TiB used 4.30TiB path /dev/mapper/cachedev_0\n"))

    def busy(self):
        """Data scrubbing: an md check after the scrub of btrfs."""
        self.state(work="      [========>............]  check = 41.0% (3201774592/7809204544) "
                        "finish=187.4min speed=409600K/sec\n")
        self.md("md2", sync_action="check", sync_completed="6403549184 / 15618409088")

    def scrubbed(self):
        self.scrub(", running for 01:02:03")
        self.scrub_file(finished=0)

    def degraded(self):
        self.state("UUEU", "(E)")

    def cached(self):
        for i in range(2):
            self.disk(f"nvme{i}n1", f"259:{8 * i}", f"nvme{i}n1p1", queue__rotational="0")
        self.array("md3", "9:3", ["nvme0n1p1", "nvme1n1p1"], "raid1", 2)
        self.mdstat((self.root / "proc/mdstat").read_text().replace(
            "md1 :", "md3 : active raid1 nvme0n1p1[0] nvme1n1p1[1]\n"
            "      976761536 blocks super 1.2 [2/2] [UU]\n\nmd1 :"))
        self.mapped("dm-3", "253:3", "shared_cache_vg1-alloc_cache_1", ["md3"], "LVM-ccc")
        self.block("dm-2", "253:2", ["dm-3"])
        self.flash("WRITE_BACK", "/dev/shared_cache_vg1/alloc_cache_1", 476)


QTS_SYSTEM = """\
md322 : active raid1 sdd5[3](S) sdc5[2](S) sdb5[1] sda5[0]
      7235136 blocks super 1.0 [2/2] [UU]
      bitmap: 0/1 pages [0KB], 65536KB chunk

md256 : active raid1 sdd2[3](S) sdc2[2](S) sdb2[1] sda2[0]
      530112 blocks super 1.0 [2/2] [UU]
      bitmap: 0/1 pages [0KB], 65536KB chunk

md13 : active raid1 sdd4[34] sdc4[33] sdb4[32] sda4[0]
      458880 blocks super 1.0 [32/4] [UUUU____________________________]
      bitmap: 1/1 pages [4KB], 65536KB chunk

md9 : active raid1 sdd1[34] sdc1[33] sdb1[32] sda1[0]
      530048 blocks super 1.0 [32/4] [UUUU____________________________]
      bitmap: 1/1 pages [4KB], 65536KB chunk

unused devices: <none>
"""
QTS_MDSTAT = ("Personalities : [linear] [raid0] [raid1] [raid10] [raid6] [raid5] [raid4] [multipath]\n"
              "md1 : active raid5 MEMBERS\n"
              "      11691190848 blocks super 1.0 level 5, 512k chunk, algorithm 2 COUNT\n"
              "WORK\n" + QTS_SYSTEM)
QTS_MEMBERS = "sda3[0] sdd3[3] sdc3[2] sdb3[1]"
QTS_VOLUME = """\
[VOL_1]
volId = 1
volName = DataVol1
raidName = /dev/md1
mappingName = /dev/mapper/cachedev1
ssdCache = SSD
writeCache = yes
encryption = no
status = 0
readOnly = no
"""


class Qts(Nas):
    """QTS 5: RAID 5, LVM and a cachedev; system arrays with room for 32 disks."""

    path, type, source = "/share/CACHEDEV1_DATA", "ext4", "/dev/mapper/cachedev1"
    kernel = "Linux version 5.10.60-qnap (root@U16BuildServer124) (gcc) #1 SMP"
    mounts = ("0:2 / / rw tmpfs none rw,size=409600k,mode=755",
              "9:9 / /mnt/HDA_ROOT rw,relatime ext3 /dev/md9 rw,data=ordered",
              "REAL / /share/CACHEDEV1_DATA rw,relatime ext4 /dev/mapper/cachedev1 "
              "rw,usrjquota=aquota.user,jqfmt=vfsv1,user_xattr,data=ordered,data_err=abort,"
              "delalloc,nopriv,nodiscard,noacl")

    def build(self):
        self.put("etc/config/uLinux.conf", "[System]\nModel = TS-X72\nInternal Model = TS-X72\n"
                 "Version = 5.1.0\nBuild Number = 20230801\n")
        self.tool("getcfg", "exit 0\n")
        disks = ["sda", "sdb", "sdc", "sdd"]
        for i, disk in enumerate(disks):
            self.disk(disk, f"8:{16 * i}", *[f"{disk}{p}" for p in range(1, 6)])
        for name, part, level, slots, missing in (("md9", 1, "raid1", 32, 28),
                                                  ("md13", 4, "raid1", 32, 28),
                                                  ("md256", 2, "raid1", 2, 0),
                                                  ("md322", 5, "raid1", 2, 0),
                                                  ("md1", 3, "raid5", 4, 0)):
            self.array(name, f"9:{name[2:]}", [f"{d}{part}" for d in disks], level, slots,
                       degraded=missing)
        self.mapped("dm-0", "253:0", "vg1-lv1", ["md1"], "LVM-abc")
        self.mapped("dm-1", "REAL", "cachedev1", ["dm-0"])
        self.state()
        self.volume("no")
        self.dmsetup("vg1-lv1: 0 22020096 linear 9:1 2048\ncachedev1: 0 22020096 linear 253:0 0\n",
                     "vg1-lv1: 0 22020096 linear \ncachedev1: 0 22020096 linear \n")

    def state(self, members=QTS_MEMBERS, count="[4/4] [UUUU]", work=""):
        self.mdstat(QTS_MDSTAT.replace("MEMBERS", members).replace("COUNT", count)
                    .replace("WORK", work))

    def volume(self, cache):
        self.put("etc/volume.conf", QTS_VOLUME.replace("SSD", cache))

    def busy(self):
        self.state(work="      [=>...................]  resync =  8.5% (331246592/3897063616) "
                        "finish=301.2min speed=197312K/sec\n")
        self.md("md1", sync_action="resync", sync_completed="662493184 / 7794127232",
                resync_start="662493184")

    def degraded(self):
        """A data disk was pulled: nothing carries an (F)."""
        self.state("sda3[0] sdd3[3] sdb3[1]", "[4/3] [UU_U]")
        self.md("md1", degraded=1)

    def cached(self):
        self.disk("nvme0n1", "259:0", queue__rotational="0")
        self.mapped("dm-2", "253:2", "vg256-lv256", ["nvme0n1"], "LVM-def")
        self.block("dm-1", "REAL", ["dm-2"])
        self.volume("yes")
        status = ("cachedev1: 0 22020096 cache 8 1024/16384 128 3000/400000 120 4000 30 9000 0 90 77 "
                  "1 writeback 2 migration_threshold 2048 smq 0 rw - \n")
        self.dmsetup("vg1-lv1: 0 22020096 linear 9:1 2048\nvg256-lv256: 0 9000 linear 259:0 2048\n"
                     "cachedev1: 0 22020096 cache 253:3 253:2 253:0 128 1 writeback smq 0\n",
                     "vg1-lv1: 0 22020096 linear \nvg256-lv256: 0 9000 linear \n" + status)


UNRAID = {
    "sbName": "/boot/config/super.dat", "sbVersion": "2.9.13", "sbState": "1", "sbNumDisks": "4",
    "sbSynced": "1698800401", "sbSynced2": "1698861000", "sbSyncErrs": "0", "sbSyncExit": "0",
    "mdVersion": "2.9.27", "mdState": "STARTED", "mdNumDisks": "4", "mdNumDisabled": "0",
    "mdNumReplaced": "0", "mdNumInvalid": "0", "mdNumMissing": "0", "mdNumWrong": "0",
    "mdNumNew": "0", "mdSwapP": "0", "mdSwapQ": "0", "mdResyncAction": "check P",
    "mdResyncSize": "7814026532", "mdResyncCorr": "1", "mdResync": "0", "mdResyncPos": "0",
    "mdResyncDt": "0", "mdResyncDb": "0"}
UNRAID_SHARE = """\
["bench"]
name="bench"
nameOrig="bench"
comment="secret of the house"
allocator="highwater"
splitLevel=""
useCache="USE"
cachePool="cache"
cachePool2=""
"""


class Unraid(Btrfs, Nas):
    """Unraid 6.12: parity and three disks, a pool of two NVMe for the user shares to write to."""

    path, type, source = "/mnt/user/bench", "fuse.shfs", "shfs"
    kernel = "Linux version 6.1.79-Unraid (root@Develop) (gcc (GCC) 12.2.0) #1 SMP PREEMPT_DYNAMIC"
    mounts = ("0:2 / / rw rootfs rootfs rw,size=16G,mode=755",
              "9:1 / /mnt/disk1 rw,noatime xfs /dev/md1p1 rw,nouuid,attr2,inode64,noquota",
              "9:2 / /mnt/disk2 rw,noatime xfs /dev/md2p1 rw,nouuid,attr2,inode64,noquota",
              "0:40 / /mnt/cache rw,noatime btrfs /dev/nvme0n1p1 rw,ssd,discard=async,subvol=/",
              "REAL / /mnt/user rw,nosuid,nodev,noatime fuse.shfs shfs "
              "rw,user_id=0,group_id=0,default_permissions,allow_other")

    def build(self):
        self.put("etc/unraid-version", 'version="6.12.10"\n')
        self.put("proc/mdcmd", "")
        for i, disk in enumerate(("sdb", "sdc", "sdd", "sde")):
            self.disk(disk, f"8:{16 * i + 16}", f"{disk}1")
        for i in (1, 2, 3):
            self.block(f"md{i}p1", f"9:{i}", size="15628053064")
        for i in range(2):
            self.disk(f"nvme{i}n1", f"259:{8 * i}", f"nvme{i}n1p1", queue__rotational="0")
            self.put(f"sys/fs/btrfs/{BTRFS}/devinfo/{i + 1}/missing", "0\n")
        self.put(f"sys/fs/btrfs/{BTRFS}/exclusive_operation", "none\n")
        self.btrfs(["nvme0n1p1", "nvme1n1p1"], scrub=NEW_SCRUB.replace("STATUS", "finished")
                   .replace("MORE", ""))
        self.state()
        self.share("no")

    def state(self, status="DISK_OK", **more):
        text = "".join(f"{k}={v}\n" for k, v in {**UNRAID, **more}.items())
        for i, disk in enumerate(("sdb", "sdc", "sdd", "sde")):
            text += (f"diskNumber.{i}={i}\ndiskName.{i}={f'md{i}p1' if i else ''}\ndiskSize.{i}=7814026532\n"
                     f"diskState.{i}=7\nrdevNumber.{i}={i}\nrdevStatus.{i}="
                     f"{status if i == 2 else 'DISK_OK'}\nrdevName.{i}={disk}\nrdevNumErrors.{i}=0\n")
        self.mdstat(text + "diskNumber.29=29\ndiskName.29=\nrdevStatus.29=DISK_NP_DSBL\nrdevName.29=\n")

    def share(self, use):
        self.put("var/local/emhttp/shares.ini", UNRAID_SHARE.replace("USE", use))

    def busy(self):
        self.state(mdResync="7814026532", mdResyncPos="1953506633", mdResyncDt="10",
                   mdResyncDb="1500000")

    def scrubbed(self):
        self.btrfs(["nvme0n1p1", "nvme1n1p1"], scrub=NEW_SCRUB.replace("STATUS", "running")
                   .replace("MORE", "Time left:        0:40:00\n"))
        self.scrub_file(finished=0)

    def degraded(self):
        self.state("DISK_DSBL", mdNumDisabled="1")

    def cached(self):
        self.share("yes")

    def tiered(self):
        """Files stay on a pool that has a cache below it."""
        self.share("only")
        self.block("bcache0", "252:0", ["nvme0n1p1"], bcache__state="dirty",
                   bcache__cache_mode="writethrough [writeback] writearound none",
                   bcache__dirty_data="1.5M", bcache__sequential_cutoff="4.0M")
        self.btrfs(["bcache0", "nvme1n1p1"], scrub=NEW_SCRUB.replace("STATUS", "finished")
                   .replace("MORE", ""))
        self.mount(*(row.replace("/dev/nvme0n1p1", "/dev/bcache0") for row in self.mounts))

    def detached(self):
        self.share("only")
        self.mount(*(row for row in self.mounts if "/mnt/cache" not in row))

    def unmounted(self):
        """The array is stopped: no user shares, no disks."""
        self.state(mdState="STOPPED")
        self.mount(self.mounts[0].replace("0:2", "REAL"))


ZPOOL = """\
# Neither devices nor properties need root.
case $1 in
list) printf 'boot-pool\\tONLINE\\t5%\\t0\\ntank\\tSTATE\\t41%\\t0\\n' ;;
*) cat /var/pools ;;
esac
"""
BOOT_POOL = """\
  pool: boot-pool
 state: ONLINE
  scan: scrub repaired 0B in 00:00:09 with 0 errors on Wed Nov 25 03:45:11 2026
config:

\tNAME                STATE     READ WRITE CKSUM
\tboot-pool           ONLINE       0     0     0
\t  /dev/nvme0n1p3    ONLINE       0     0     0

errors: No known data errors

"""
SCRUBBED = "  scan: scrub repaired 0B in 07:12:44 with 0 errors on Sun Nov  1 07:12:46 2026\n"


class TrueNas(Nas):
    """TrueNAS SCALE: a raidz2 of six disks."""

    path, type, source = "/mnt/tank/bench", "zfs", "tank/bench"
    kernel = "Linux version 6.6.32-production+truenas (root@tnsbuilds01) (gcc 12.2.0) #1 SMP"
    mounts = ("0:25 / / rw,relatime zfs boot-pool/ROOT/24.04.2 rw,xattr,noacl,casesensitive",
              "0:50 / /mnt/tank rw,noatime zfs tank rw,xattr,nfs4acl,casesensitive",
              "0:51 / /mnt/tank/bench rw,noatime zfs tank/bench rw,xattr,nfs4acl,casesensitive")

    def build(self):
        self.put("etc/version", "24.04.2")
        self.put("etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n')
        self.put("usr/bin/midclt", "#!/bin/sh\nexit 1\n")
        for i, disk in enumerate(("sda", "sdb", "sdc", "sdd", "sde", "sdf")):
            self.disk(disk, f"8:{16 * i}", f"{disk}1")
        self.disk("nvme0n1", "259:0", "nvme0n1p1", "nvme0n1p2", "nvme0n1p3", queue__rotational="0")
        self.disk("nvme1n1", "259:8", "nvme1n1p1", queue__rotational="0")
        self.mdstat("Personalities : \nunused devices: <none>\n")
        self.put("proc/spl/kstat/zfs/boot-pool/state", "ONLINE\n")
        self.put("proc/spl/kstat/zfs/arcstats", "name type data\nsize 4 1000000\nc_max 4 8000000\n")
        self.pool()

    def pool(self, state="ONLINE", scan=SCRUBBED, third="ONLINE       0     0     0", more=""):
        rows = "".join(f"\t    /dev/sd{d}1       {third if d == 'c' else 'ONLINE       0     0     0'}\n"
                       for d in "abcdef")
        self.put("var/pools", BOOT_POOL + f"  pool: tank\n state: {state}\n{scan}config:\n\n"
                 "\tNAME                STATE     READ WRITE CKSUM\n"
                 f"\ttank                {state}     0     0     0\n"
                 f"\t  raidz2-0          {state}     0     0     0\n{rows}{more}\n"
                 "errors: No known data errors\n")
        self.put("proc/spl/kstat/zfs/tank/state", f"{state}\n")
        self.tool("zpool", ZPOOL.replace("STATE", state))
        self.tool("zfs", "exit 0\n")

    def busy(self):
        self.pool(scan="  scan: scrub in progress since Sun Nov 29 00:00:03 2026\n"
                  "\t8.31T / 20.1T scanned at 1.2G/s, 4.79T / 20.1T issued at 700M/s\n"
                  "\t0B repaired, 23.87% done, 06:21:10 to go\n")

    def resilvered(self):
        self.pool("DEGRADED", "  scan: resilver in progress since Mon Nov 30 08:00:00 2026\n"
                  "\t2.00T / 20.1T scanned at 1.2G/s, 1.00T / 20.1T issued at 700M/s\n"
                  "\t170G resilvered, 4.98% done, 1 days 02:55:32 to go\n",
                  "ONLINE       0     0     0  (resilvering)")

    def degraded(self):
        self.pool("DEGRADED", third="REMOVED      0     0     0")

    def cached(self):
        self.pool(more="\tlogs\t\n\t  /dev/nvme1n1p1    ONLINE       0     0     0\n")

    def refused(self):
        self.tool("zpool", "echo 'Permission denied the ZFS utilities must be run as root.' >&2\n"
                  "exit 1\n")

    def unmounted(self):
        self.mount(*self.mounts[:2])
