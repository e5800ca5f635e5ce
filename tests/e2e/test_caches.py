"""Hosts with caches and LVM: what their tools and files print, through collector, facts and
preconditions."""

import pytest

from changing_host import fake_host  # noqa: F401
from test_stores import tool

PLAN = """\
nasgate: 1
name: caches
topology:
  hosts:
    here: local
    nas: VIA
  volumes:
    disk: {on: here, path: "VOLUME"}
    data: {on: nas, path: /data}
preconditions:
  - no_rebuild: nas
  - array_healthy: nas
  - cache_state: {volume: data, expect: EXPECT}
phases:
  - name: w
    fio: {volume: disk, rw: write, bs: 64 KiB, size: 4 MiB, time: 1 s}
    pass: [write.bw >= 1 kB/s]
"""

MOUNT = "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 SOURCE rw\n"
NO_MD = "Personalities : \nunused devices: <none>\n"
DSM = """\
cachedev_0: 0 99 flashcache-syno conf:
\tssd dev (SSD), disk dev (/dev/vg1/volume_1) cache mode(MODE)
\tcapacity(190M), associativity(512), data block size(64K) metadata block size(4096b)
\tskip sequential thresh(1024K)
\ttotal blocks(3040), cached blocks(100), cache percent(3)
\tdirty blocks(16), dirty percent(0)
\tnr_queued(0)
Size Hist: 4096:7
bits_all=12 bits_used=3
vg1-volume_1: 0 99 linear 8:17 0
"""


class Lab:
    def __init__(self, host, write_plan, nasgate, volume):
        self.host, self.write_plan, self.nasgate, self.volume = host, write_plan, nasgate, volume

    def mount(self, source):
        self.host.write("proc/self/mountinfo", MOUNT.replace("SOURCE", source))

    def block(self, name, slaves=(), **files):
        for file, text in files.items():
            self.host.write(f"sys/block/{name}/{file.replace('__', '/')}", f"{text}\n")
        for slave in slaves:
            (self.host.root / f"sys/block/{name}/slaves/{slave}").mkdir(parents=True)

    def dmsetup(self, table, status, code=0):
        self.host.write("var/table", table)
        self.host.write("var/status", status)
        tool(self.host, "dmsetup", f'cat "/var/$1"\nexit {code}\n')

    def verdicts(self, expect="any"):
        """{"no_rebuild": ("held", the text behind it), ...} as doctor tells them."""
        text = PLAN.replace("VIA", self.host.via).replace("VOLUME", str(self.volume))
        done = self.nasgate("doctor", self.write_plan(text.replace("EXPECT", expect)))
        found = {}
        for word in ("no_rebuild-nas", "array_healthy-nas", "cache_state-data"):
            line = next(x for x in done.stdout.splitlines() if f" {word}" in x and
                        x.split()[0] in ("held", "broken", "unknown"))
            rest = done.stdout.split(line, 1)[1]
            found[word.split("-", maxsplit=1)[0]] = (line.split()[0], line + rest[:800])
        return found


@pytest.fixture
def lab(fake_host, write_plan, nasgate, volume):  # noqa: F811
    host = fake_host()
    host.write("proc/mdstat", NO_MD)
    host.write("proc/meminfo", "MemTotal: 1024 kB\nCached: 512 kB\n")
    (host.root / "data").mkdir()
    made = Lab(host, write_plan, nasgate, volume)
    for disk, minor in (("sdb", 16), ("sdc", 32)):
        made.block(disk, dev=f"8:{minor}", size="4096", queue__rotational="1")
    return made


def dsm(lab, mode, ssd="/dev/sdc"):
    """A volume of DSM 7: a cachedev over a volume of LVM, and over an SSD where there is one."""
    lab.mount("253:1 / /data rw - ext4 /dev/mapper/cachedev_0")
    lab.block("dm-0", ["sdb"], dev="253:0", dm__name="vg1-volume_1", dm__uuid="LVM-abc")
    lab.block("dm-1", ["dm-0", "sdc"] if ssd.startswith("/") else ["dm-0"], dev="253:1",
              dm__name="cachedev_0", dm__uuid="")
    lab.dmsetup(DSM.replace("MODE", mode).replace("SSD", ssd),
                "cachedev_0: 0 99 flashcache-syno stats: \n\treads(5), writes(6)\n"
                "vg1-volume_1: 0 99 linear \n")


@pytest.mark.parametrize("mode, word", [("WRITE_BACK", "write-back"), ("WRITE_AROUND", "read"),
                                        ("WRITE_THROUGH", "write-through")])
def test_a_flashcache_of_dsm(lab, mode, word):
    dsm(lab, mode)
    found = lab.verdicts(word)
    assert found["cache_state"][0] == "held", found
    assert found["no_rebuild"][0] == "held", found
    found = lab.verdicts("none")
    assert found["cache_state"][0] == "broken" and word in found["cache_state"][1], found


def test_every_volume_of_dsm_is_a_cachedev(lab):
    dsm(lab, "DUMMY", "none")
    assert lab.verdicts("none")["cache_state"][0] == "held"
    assert lab.verdicts("read")["cache_state"][0] == "broken"


def test_a_cache_that_is_flushed_is_at_work(lab):
    dsm(lab, "WRITE_BACK")
    folder = "proc/flashcache/sdc+volume_1"
    lab.host.write(f"{folder}/cache_info", "ssd_dev=/dev/sdc disk_dev=/dev/vg1/volume_1 "
                   "mode=WRITE_BACK capacity_byte=190 data_block_size_kb=64 dirty_blocks=16 \n")
    lab.host.write(f"{folder}/flashcache_progress", "status=uncacheable_flushing "
                   "initial_num_of_dirty=20 remaining_num_of_dirty=16\n")
    found = lab.verdicts()
    assert found["no_rebuild"][0] == "broken", found
    assert "uncacheable_flushing" in found["no_rebuild"][1], found


def test_without_root_the_files_tell(lab):
    dsm(lab, "WRITE_BACK")
    lab.dmsetup("", "", code=1)
    found = lab.verdicts("write-back")
    assert found["cache_state"][0] == "unknown" and "as root" in found["cache_state"][1], found
    assert found["no_rebuild"][0] == "unknown", found
    lab.host.write("proc/flashcache/sdc+volume_1/cache_info", "ssd_dev=/dev/sdc "
                   "disk_dev=/dev/vg1/volume_1 mode=WRITE_BACK capacity_byte=190 dirty_blocks=1 \n")
    assert lab.verdicts("write-back")["cache_state"][0] == "held"


def lvm(lab, target, status):
    lab.mount("253:0 / /data rw - xfs /dev/mapper/vg1-data")
    lab.block("dm-0", ["sdb", "sdc"], dev="253:0", dm__name="vg1-data", dm__uuid="LVM-abc")
    lab.dmsetup(f"vg1-data: 0 99 {target} x\n", f"vg1-data: 0 99 {target} {status}\n")


@pytest.mark.parametrize("target, status, busy, whole, text", [
    ("raid", "raid1 2 AA 4/4 idle 0", "held", "held", ""),
    ("raid", "raid1 2 Aa 1/4 recover 0", "broken", "broken", "recovery"),
    ("raid", "raid5_ls 3 AAA 2/4 check 0", "broken", "held", "check"),
    ("raid", "raid1 2 AD 4/4 idle 0", "held", "broken", "idle"),
    ("mirror", "2 8:16 8:32 730/2048 1 AA 1 core", "broken", "held", "35.6%"),
    ("raid", "raid1 2", "unknown", "unknown", "not understood"),
])
def test_copies_of_the_device_mapper(lab, target, status, busy, whole, text):
    lvm(lab, target, status)
    found = lab.verdicts("none")
    assert found["no_rebuild"][0] == busy and text in found["no_rebuild"][1], found
    assert found["array_healthy"][0] == whole, found
    assert "vg1/data" in found["no_rebuild"][1], found
    assert found["cache_state"][0] == "held", found


@pytest.mark.parametrize("old", [False, True])
def test_lvs_knows_what_is_missing(lab, old):
    """Its JSON, and the lines of a version that has no JSON."""
    lvm(lab, "raid", "raid1 2 AA 4/4 idle 0")
    lab.host.write("dev/mapper/control", "")
    json = ('{"report": [{"lv": [{"vg_name":"vg1", "lv_name":"data", "segtype":"raid1", '
            '"lv_attr":"rwi-aor-p-", "sync_percent":"100.00", "raid_sync_action":"idle"}]}]}')
    lines = "  vg1|data|raid1|rwi-aor-p-|1024|100.00|data_rimage_0(0)\n"
    lab.host.write("var/json", json)
    lab.host.write("var/lines", lines)
    tool(lab.host, "lvs", 'case "$*" in\n*reportformat*) ' +
         ("exit 3" if old else "cat /var/json") + " ;;\n*) cat /var/lines ;;\nesac\n")
    found = lab.verdicts()
    assert found["array_healthy"][0] == "broken", found
    assert "a device of it is missing" in found["array_healthy"][1], found
    assert found["no_rebuild"][0] == "held", found


def test_a_disk_that_sleeps_is_not_woken(lab):
    lvm(lab, "raid", "raid1 2 AA 4/4 idle 0")
    lab.host.write("dev/mapper/control", "")
    tool(lab.host, "lvs", "echo asked >>/var/asked\n")
    tool(lab.host, "hdparm", 'printf "\\n$2:\\n drive state is:  standby\\n"\n')
    assert lab.verdicts()["no_rebuild"][0] == "held"  # dmsetup has told all
    assert not (lab.host.root / "var/asked").exists()


def test_a_cache_of_lvm(lab):
    lvm(lab, "cache", "8 1/2 128 3/400 1 2 3 4 5 6 7 2 metadata2 writeback 2 "
        "migration_threshold 2048 smq 0 rw -")
    found = lab.verdicts("write-back")
    assert all(v[0] == "held" for v in found.values()), found
    lvm_again = "vg1-data: 0 99 cache 8 1/2 128 3/400 1 2 3 4 5 6 7 1 writeback 0 cleaner 0 rw -\n"
    lab.host.write("var/status", lvm_again)
    found = lab.verdicts("write-back")
    assert found["no_rebuild"][0] == "broken" and "cleaner" in found["no_rebuild"][1], found
    lab.host.write("var/status", "vg1-data: 0 99 cache Fail\n")
    found = lab.verdicts("write-back")
    assert found["cache_state"][0] == "unknown", found
    assert found["array_healthy"][0] == "broken", found


def test_bcache(lab):
    lab.mount("252:0 / /data rw - xfs /dev/bcache0")
    lab.block("bcache0", ["sdb", "sdc"], dev="252:0",
              bcache__cache_mode="writethrough [writeback] writearound none",
              bcache__state="dirty", bcache__dirty_data="1.5M", bcache__sequential_cutoff="4.0M")
    assert lab.verdicts("write-back")["cache_state"][0] == "held"
    assert lab.verdicts("none")["cache_state"][0] == "broken"
    lab.host.write("sys/block/bcache0/bcache/state", "no cache\n")
    assert lab.verdicts("none")["cache_state"][0] == "held"


def test_the_list_of_qts(lab):
    lab.mount("253:0 / /data rw - ext4 /dev/mapper/cachedev1")
    lab.block("dm-0", ["sdb", "sdc"], dev="253:0", dm__name="cachedev1", dm__uuid="")
    lab.host.write("etc/volume.conf", "[VOL_1]\nvolName = DataVol1\nssdCache = no\n"
                   "mappingName = /dev/mapper/cachedev1\n")
    assert lab.verdicts("none")["cache_state"][0] == "held"
    lab.host.write("etc/volume.conf", "[VOL_1]\nssdCache = yes\n"
                   "mappingName = /dev/mapper/cachedev1\n")
    assert lab.verdicts("none")["cache_state"][0] == "unknown"
