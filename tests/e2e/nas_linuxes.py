"""Fake hosts of systems near to plain Linux: OpenMediaVault, Debian with LVM, OpenWrt."""

from nas_base import BTRFS, NEW_SCRUB, NOT_ROOT, Btrfs, Nas


class Omv(Btrfs, Nas):
    """OpenMediaVault 7: a btrfs of two disks, as its user interface makes one."""

    path, type = "/srv/dev-disk-by-uuid-0b6bd5c4", "btrfs"
    cache = "write-through"
    kernel = "Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org) (gcc-12) #1 SMP Debian"

    def build(self):
        self.put("etc/openmediavault/config.xml", "<config><secret>s</secret></config>\n")
        self.put("etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n')
        self.disk("sda", "8:0", "sda1")
        self.disk("sdb", "8:16")
        self.disk("sdc", "8:32")
        self.mdstat("Personalities : \nunused devices: <none>\n")
        self.store("sdb", "sdc")
        (self.root / "var/lib/btrfs").chmod(0o700)  # what is in it is hidden, not absent

    def store(self, first, second):
        self.source = f"/dev/{first}"
        self.mounts = ("8:1 / / rw,relatime ext4 /dev/sda1 rw,errors=remount-ro",
                       f"0:40 / {self.path} rw,relatime btrfs {self.source} rw,space_cache=v2,subvol=/")
        self.mount(*self.mounts)
        self.devices = [first, second]
        self.operation("none")
        for number in (1, 2):
            self.put(f"sys/fs/btrfs/{BTRFS}/devinfo/{number}/missing", "0\n")
        (self.root / f"sys/fs/btrfs/{BTRFS}/allocation/data/raid1").mkdir(parents=True, exist_ok=True)
        self.scrub("finished")

    def operation(self, word):
        self.put(f"sys/fs/btrfs/{BTRFS}/exclusive_operation", f"{word}\n")

    def scrub(self, status, more="", **words):
        self.btrfs(self.devices, scrub=NEW_SCRUB.replace("STATUS", status).replace("MORE", more), **words)

    def busy(self):
        self.operation("balance")
        self.scrub("finished", balance=(
            f"Balance on '{self.path}' is running\n3 out of about 9 chunks balanced (10 considered),  "
            "67% left\n"))

    def scrubbed(self):
        self.scrub("running", "Time left:        3:06:09\n")
        self.scrub_file(finished=0)

    def degraded(self):
        self.put(f"sys/fs/btrfs/{BTRFS}/devinfo/2/missing", "1\n")

    def cached(self):
        self.disk("nvme0n1", "259:0", queue__rotational="0")
        for i, disk in enumerate(("sdb", "sdc")):
            self.block(f"bcache{i}", f"252:{128 * i}", [disk, "nvme0n1"], bcache__state="clean",
                       bcache__cache_mode="[writethrough] writeback writearound none",
                       bcache__dirty_data="0.0k", bcache__sequential_cutoff="4.0M")
        for disk in self.devices:
            (self.root / f"sys/fs/btrfs/{BTRFS}/devices/{disk}").rmdir()
        self.store("bcache0", "bcache1")


class PlainLinux(Nas):
    """Debian with LVM: a RAID 5 of three disks, XFS on it."""

    path, type, source = "/srv/bench", "xfs", "/dev/mapper/vg0-bench"
    kernel = "Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org) (gcc-12) #1 SMP Debian"
    mounts = ("8:1 / / rw,relatime ext4 /dev/sda1 rw,errors=remount-ro",
              "REAL / /srv/bench rw,relatime xfs /dev/mapper/vg0-bench rw,attr2,inode64,noquota")

    def build(self):
        self.put("etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\n')
        for i, disk in enumerate(("sda", "sdb", "sdc", "sdd")):
            self.disk(disk, f"8:{16 * i}", *(["sda1"] if i == 0 else []))
        self.mdstat("Personalities : \nunused devices: <none>\n")
        for i, disk in enumerate(("sdb", "sdc", "sdd")):
            self.mapped(f"dm-{i + 1}", f"253:{i + 1}", f"vg0-bench_rimage_{i}", [disk], f"LVM-i{i}")
        self.mapped("dm-0", "REAL", "vg0-bench", ["dm-1", "dm-2", "dm-3"], "LVM-abc")
        self.raid("raid5_ls 3 AAA 3906250/3906250 idle 0 0 -")

    def raid(self, status, name="vg0-bench", extra=("", "")):
        images = "".join(f"vg0-bench_rimage_{i}: 0 7812500 linear 8:{16 * (i + 1)} 2048\n"
                         for i in range(3))
        self.dmsetup(f"{images}{name}: 0 15625000 raid raid5_ls 3 128 - 253:1 - 253:2 - 253:3\n{extra[0]}",
                     f"{images}{name}: 0 15625000 raid {status}\n{extra[1]}")
        kind, done, action = status.split(" ")[0], status.split(" ")[3], status.split(" ")[4]
        percent = 100 * int(done.split("/")[0]) / int(done.split("/")[1])
        copies = (f'{{"vg_name":"vg0", "lv_name":"{name[4:]}", "segtype":"{kind}", "lv_attr":"rwi-aor---", '
                  f'"sync_percent":"{percent:.2f}", "raid_sync_action":"{action}"}}')
        cached = ('{"vg_name":"vg0", "lv_name":"bench", "segtype":"writecache", "lv_attr":"Cwi-aoC---", '
                  '"sync_percent":"", "raid_sync_action":""}, ')
        self.put("var/lvs", '{"report": [{"lv": [%s%s]}]}\n' % (cached if extra[0] else "", copies))
        self.tool("lvs", NOT_ROOT.format(said="echo '  WARNING: Running as a non-root user.' >&2\n") +
                  "exec cat /var/lvs\n")

    def busy(self):
        self.raid("raid5_ls 3 AAA 976562/3906250 check 0 0 -")

    def degraded(self):
        self.raid("raid5_ls 3 AAD 3906250/3906250 idle 0 0 -")

    def cached(self):
        self.disk("nvme0n1", "259:0", queue__rotational="0")
        self.mapped("dm-4", "253:4", "vg0-bench_wcorig", ["dm-1", "dm-2", "dm-3"], "LVM-org")
        for disk in ("dm-1", "dm-2", "dm-3"):
            (self.root / "sys/block/dm-0/slaves" / disk).rmdir()
        self.block("dm-0", "REAL", ["dm-4", "nvme0n1"])
        self.raid("raid5_ls 3 AAA 3906250/3906250 idle 0 0 -", "vg0-bench_wcorig", (
            "vg0-bench: 0 15625000 writecache s 253:4 259:0 4096 0\n",
            "vg0-bench: 0 15625000 writecache 0 250000 249000 0\n"))


OPENWRT_MDSTAT = """\
Personalities : [raid1]
md0 : active raid1 sdb1[1] sda1[0]
      976630464 blocks super 1.2 [2/2] [UU]
WORK
unused devices: <none>
"""


class OpenWrt(Nas):
    """OpenWrt: BusyBox alone, an md of two USB disks. Nothing that it has to tell needs a tool."""

    path, type, source = "/mnt/data", "ext4", "/dev/md0"
    kernel = "Linux version 5.15.150 (builder@buildhost) (mips-openwrt-linux-musl-gcc) #0 SMP"
    mounts = ("0:20 / / rw,noatime overlay overlayfs:/overlay rw,lowerdir=/,upperdir=/overlay/upper",
              "REAL / /mnt/data rw,relatime ext4 /dev/md0 rw")

    def build(self):
        self.put("etc/openwrt_release", "DISTRIB_ID='OpenWrt'\nDISTRIB_RELEASE='23.05.3'\n"
                 "DISTRIB_DESCRIPTION='OpenWrt 23.05.3 r23809-234f1a2efa'\n")
        self.put("etc/os-release", 'NAME="OpenWrt"\nID="openwrt"\nPRETTY_NAME="OpenWrt 23.05.3"\n')
        self.disk("sda", "8:0", "sda1")
        self.disk("sdb", "8:16", "sdb1")
        self.array("md0", "REAL", ["sda1", "sdb1"], "raid1", 2)
        self.state()

    def state(self, work="", count="[2/2] [UU]"):
        self.mdstat(OPENWRT_MDSTAT.replace("WORK", work).replace("[2/2] [UU]", count))

    def busy(self):
        self.state("      [===>.................]  recovery = 17.2% (168000000/976630464) finish=88.1min "
                   "speed=152941K/sec\n", "[2/1] [U_]")
        self.md("md0", sync_action="recover", sync_completed="336000000 / 1953260928", degraded=1)

    def degraded(self):
        self.state(count="[2/1] [_U]")
        self.md("md0", degraded=1)

    def cached(self):
        self.disk("nvme0n1", "259:0", queue__rotational="0")
        self.array("md0", "9:0", ["sda1", "sdb1"], "raid1", 2)
        self.block("bcache0", "REAL", ["md0", "nvme0n1"], bcache__state="dirty",
                   bcache__cache_mode="writethrough [writeback] writearound none",
                   bcache__dirty_data="1.5M", bcache__sequential_cutoff="4.0M")
        self.source = "/dev/bcache0"
        self.mounts = (self.mounts[0], self.mounts[1].replace("/dev/md0", "/dev/bcache0"))
        self.mount(*self.mounts)
