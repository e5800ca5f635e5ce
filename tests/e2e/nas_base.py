"""What the fake hosts of NAS platforms share: disks, arrays, mounts, tools that need root, btrfs."""

import os
import shutil

from fake_host import ENTER, FakeHost

USER = 1026

NOT_ROOT = 'if [ "$(id -u)" != 0 ]; then\n{said}exit 1\nfi\n'
NO_DM = ("echo '/dev/mapper/control: open failed: Permission denied' >&2\n"
         "echo 'Failure to communicate with kernel device-mapper driver.' >&2\n")
CLEAN = {"array_state": "clean", "sync_action": "idle", "sync_completed": "none", "degraded": 0,
         "resync_start": "none", "last_sync_action": "check", "mismatch_cnt": 0}


class Nas(FakeHost):
    """`path` is the folder that is measured, on a `type` from `source`; `cached` gives it a cache
    that `cache` says the mode of."""

    path = type = source = ""
    cache = "write-back"
    kernel = "Linux version 6.1.0 (builder@build) (gcc) #1 SMP"
    mounts = ()

    def __init__(self, folder):
        super().__init__(folder)
        number = os.stat(self.root).st_dev
        self.real = f"{os.major(number)}:{os.minor(number)}"  # what stat says of every path here
        self.put("proc/version", f"{self.kernel}\n")
        self.put("sys/module/kernel/parameters/panic", "0\n")
        (self.root / self.path.lstrip("/")).mkdir(parents=True)
        self.build()
        self.mount(*self.mounts)

    def build(self):
        raise NotImplementedError

    def mount(self, *lines):
        """mountinfo: "NUMBER ROOT POINT OPTIONS TYPE SOURCE SUPER", REAL for what stat says."""
        text = ""
        for i, line in enumerate(lines):
            number, root, point, options, kind, source, more = line.split(" ", 6)
            text += (f"{22 + i} {1 if i == 0 else 22} {number.replace('REAL', self.real)} {root} {point} "
                     f"{options} - {kind} {source} {more}\n")
        self.put("proc/self/mountinfo", text)

    def disk(self, name, number, *parts, **files):
        """A disk of a driver's major with its partitions, numbered behind it."""
        major, minor = map(int, number.split(":"))
        usual = {"size": "15628053168", "queue__rotational": "1",
                 "queue__scheduler": "[mq-deadline] none", "queue__write_cache": "write back",
                 "device__vendor": "WDC", "device__model": "WD80EFZZ"}
        self.block(name, number, **{**usual, **files})
        for i, part in enumerate(parts, 1):
            self.put(f"sys/block/{name}/{part}/dev", f"{major}:{minor + i}\n")

    def block(self, name, number, below=(), **files):
        self.put(f"sys/block/{name}/dev", f"{number.replace('REAL', self.real)}\n")
        for file, text in files.items():
            self.put(f"sys/block/{name}/{file.replace('__', '/')}", f"{text}\n")
        for slave in below:
            (self.root / f"sys/block/{name}/slaves" / slave).mkdir(parents=True, exist_ok=True)

    def mapped(self, name, number, label, below, uuid=""):
        self.block(name, number, below, size="1000000", dm__name=label, dm__uuid=uuid)

    def array(self, name, number, below, level, disks, **more):
        self.block(name, number, below, size="1000000", md__level=level)
        self.md(name, **{**CLEAN, "level": level, "raid_disks": disks, **more})

    def dmsetup(self, table, status):
        """The driver's control is root's alone, and so is what dmsetup prints."""
        self.put("var/table", table)
        self.put("var/status", status)
        self.put("dev/mapper/control", "")
        (self.root / "dev/mapper/control").chmod(0o600)
        self.tool("dmsetup", NOT_ROOT.format(said=NO_DM) + 'exec cat "/var/$1"\n')

    def mdstat(self, text):
        self.put("proc/mdstat", text)

    def without_tool(self, name):
        (self.root / "bin" / name).unlink()

    def user(self):
        text = ENTER.replace('chroot "{root}"', f'chroot --userspec={USER}:100 "{{root}}"')
        self._enter.write_text(text.format(root=self.root), encoding="utf-8")

    def busy(self):
        raise NotImplementedError

    def degraded(self):
        raise NotImplementedError

    def cached(self):
        raise NotImplementedError

    def unmounted(self):
        """The volume is not mounted: its folder lies on the system's own file system."""
        system, *lines = [line for line in self.mounts if f" {self.path} " not in line]
        number = system.split(" ")[0]
        self.mount(system.replace(number, "REAL", 1), *lines)
        for file in [*self.root.glob("sys/block/*/dev"), *self.root.glob("sys/block/*/*/dev")]:
            if file.read_text() == f"{number}\n":
                file.write_text(f"{self.real}\n")


BTRFS = "0b6bd5c4-0f9c-4e0e-9c51-2b8f1c1d7a11"


NEW_SCRUB = (f"UUID:             {BTRFS}\nScrub started:    Sun Nov 29 02:00:01 2026\nStatus:           "
             "STATUS\nDuration:         1:02:03\nMORETotal to scrub:   8.00TiB\nBytes scrubbed:   "
             "2.00TiB  (25.00%)\nRate:             563.51MiB/s\nError summary:    no errors found\n")


class Btrfs:
    """What btrfs-progs say, old or new; a mix-in of hosts with a btrfs."""

    def btrfs(self, devices, **words):
        """`words` by sub-command: scrub, balance, replace, quota, device, filesystem."""
        for device in devices:
            (self.root / f"sys/fs/btrfs/{BTRFS}/devices/{device}").mkdir(parents=True, exist_ok=True)
        self.scrub_file(finished=1)
        stats = "".join(f"[/dev/{d}].{k}_errs   0\n" for d in devices
                        for k in ("write_io", "read_io", "flush_io", "corruption", "generation"))
        said = {"balance": f"No balance found on '{self.path}'\n", "replace": "Never started\n",
                "quota": "no rescan operation in progress\n", "device": stats, "filesystem": "",
                **words}
        cases = ""
        for word, text in said.items():
            self.put(f"var/btrfs.{word}", text)
            cases += f"{word}) exec cat /var/btrfs.{word} ;;\n"
        said = "echo 'ERROR: scrub status: Operation not permitted' >&2\n"
        self.tool("btrfs", NOT_ROOT.format(said=said) + f"case $1 in\n{cases}esac\nexit 1\n")


    def unmounted(self):
        shutil.rmtree(self.root / f"sys/fs/btrfs/{BTRFS}")
        super().unmounted()

    def scrub_file(self, finished):
        """What btrfs-progs wrote down, for root alone."""
        name = f"var/lib/btrfs/scrub.status.{BTRFS}"
        self.put(name, f"scrub status:1\n{BTRFS}:1|data_extents_scrubbed:9|t_start:1764381601|"
                 f"t_resumed:0|duration:3723|canceled:0|finished:{finished}\n")
        (self.root / name).chmod(0o600)
