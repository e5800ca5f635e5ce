"""Hosts with ZFS and btrfs: what their tools print, through collector, facts and preconditions."""

import pytest

from changing_host import fake_host  # noqa: F401

PLAN = """\
nasgate: 1
name: stores
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
  - cache_state: {volume: data, expect: none}
phases:
  - name: w
    fio: {volume: disk, rw: write, bs: 64 KiB, size: 4 MiB, time: 1 s}
    pass: [write.bw >= 1 kB/s]
"""

MOUNT = "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n"
NO_MD = "Personalities : \nunused devices: <none>\n"
IDLE = "  scan: scrub repaired 0B in 00:19:47 with 0 errors on Sun Aug  1 00:43:48 2021\n"
RESILVER = ("  scan: resilver in progress since Mon Aug  2 10:00:00 2021\n"
            "\t1.53T / 2.99T scanned at 1.02G/s, 732G / 2.99T issued at 488M/s\n"
            "\t120G resilvered, 23.87% done, 03:10:04 to go\n")


def status(scan=IDLE, state="ONLINE", disk="ONLINE       0     0     0", more=""):
    return (f"  pool: tank\n state: {state}\n{scan}config:\n\n"
            f"\tNAME           STATE     READ WRITE CKSUM\n"
            f"\ttank           {state}     0     0     0\n"
            f"\t  mirror-0     {state}     0     0     0\n"
            f"\t    /dev/sdb1  ONLINE       0     0     0\n"
            f"\t    /dev/sdc1  {disk}\n{more}\nerrors: No known data errors\n")


def tool(host, name, script):
    host.write(f"bin/{name}", f"#!/bin/sh\n{script}")
    (host.root / "bin" / name).chmod(0o755)


class Lab:
    def __init__(self, host, plan, nasgate):
        self.host, self.plan, self.nasgate = host, plan, nasgate

    def verdicts(self):
        """{"no_rebuild": ("held", the text behind it), ...} as doctor tells them."""
        done = self.nasgate("doctor", self.plan)
        found = {}
        for word in ("no_rebuild-nas", "array_healthy-nas", "cache_state-data"):
            line = next(x for x in done.stdout.splitlines() if f" {word}" in x and
                        x.split()[0] in ("held", "broken", "unknown"))
            rest = done.stdout.split(line, 1)[1]
            found[word.split("-")[0]] = (line.split()[0], line + rest[:1500])
        held = all(v[0] == "held" for v in found.values())
        assert done.code == (0 if held else 3) or "tools-here-fio" in done.stdout, done
        return found


@pytest.fixture
def lab(fake_host, write_plan, nasgate, volume):  # noqa: F811
    host = fake_host()
    host.write("proc/mdstat", NO_MD)
    host.write("proc/meminfo", "MemTotal: 1024 kB\nCached: 512 kB\n")
    (host.root / "data").mkdir()
    for disk, minor in (("sdb", 16), ("sdc", 32), ("nvme0n1", 48)):
        part = f"{disk}p1" if disk[-1].isdigit() else f"{disk}1"
        host.write(f"sys/block/{disk}/dev", f"8:{minor}\n")
        host.write(f"sys/block/{disk}/{part}/dev", f"8:{minor + 1}\n")
    text = PLAN.replace("VIA", host.via).replace("VOLUME", str(volume))
    return Lab(host, write_plan(text), nasgate)


@pytest.fixture
def zfs(lab):
    """zfs(what zpool status prints, its exit status) -> the lab"""
    def make(text, code=0, before=""):
        lab.host.write("proc/self/mountinfo", MOUNT + "2 1 0:40 / /data rw - zfs tank/data rw\n")
        lab.host.write("proc/spl/kstat/zfs/tank/state", "ONLINE\n")
        lab.host.write("var/status", text)
        tool(lab.host, "zpool", f'echo "$*" >>/var/asked\n{before}\ncase "$1 $2" in\n'
             f'"status "* | status*) cat /var/status; exit {code} ;;\n'
             "list*) printf 'tank\\tONLINE\\t42%%\\t0\\n' ;;\nesac\n")
        return lab
    return make


def asked(lab):
    return (lab.host.root / "var/asked").read_text().splitlines()


def test_a_pool_that_is_healthy(zfs):
    lab = zfs(status())
    found = lab.verdicts()
    assert {verdict for verdict, _ in found.values()} == {"held"}, found
    assert "tank" in found["no_rebuild"][1] and "cache: none" in found["cache_state"][1]
    # -v would list every damaged file, which takes long
    assert sorted(asked(lab)) == ["list -H -o name,health,cap,freeing", "status -LP"]


def test_a_pool_in_a_resilver(zfs):
    found = zfs(status(RESILVER)).verdicts()
    assert found["no_rebuild"][0] == "broken"
    assert "tank on nas is in a resilver, 23.9%, 3 h left" in found["no_rebuild"][1]


def test_a_pool_without_a_disk(zfs):
    found = zfs(status(state="DEGRADED", disk="UNAVAIL      0     0     0  cannot open")).verdicts()
    assert found["array_healthy"][0] == "broken"
    assert "/dev/sdc1 is UNAVAIL, cannot open" in found["array_healthy"][1]


@pytest.mark.parametrize("heading, word", [("cache", "read"), ("logs", "write-back")])
def test_a_pool_with_a_cache(zfs, heading, word):
    more = f"\t{heading}\n\t  /dev/nvme0n1p1  ONLINE       0     0     0\n"
    found = zfs(status(more=more)).verdicts()
    assert found["cache_state"][0] == "broken" and f"cache: {word}" in found["cache_state"][1]
    assert found["no_rebuild"][0] == "held"


def test_a_zpool_that_does_not_know_the_options(zfs):
    lab = zfs(status(), before='[ "$2" != -LP ] || { echo "invalid option" >&2; exit 2; }')
    assert lab.verdicts()["no_rebuild"][0] == "held"
    assert {"status -LP", "status"} <= set(asked(lab))


def test_a_zpool_that_is_refused(zfs):
    lab = zfs("", 1, before='echo "Permission denied the ZFS utilities must be run as root." >&2')
    found = lab.verdicts()
    assert found["no_rebuild"][0] == "unknown"
    assert "must be run as root" in found["no_rebuild"][1]
    # the kernel tells the state to everybody
    assert found["array_healthy"][0] == "held", found
    assert found["cache_state"][0] == "unknown"


def test_no_zpool(zfs):
    lab = zfs("")
    (lab.host.root / "bin/zpool").unlink()
    found = lab.verdicts()
    assert found["no_rebuild"][0] == "unknown" and "no zpool here" in found["no_rebuild"][1]


def test_a_module_is_not_loaded_by_a_question(lab):
    tool(lab.host, "zpool", 'echo "$*" >>/var/asked\n')
    lab.host.write("var/asked", "")
    assert lab.verdicts()["no_rebuild"][0] == "held"
    assert asked(lab) == []


UUID = "0abb23a9-579b-43e6-ad30-227ef47fcb9d"
NEW = {"exclusive_operation": "none\n", "devinfo/1/missing": "0\n"}


@pytest.fixture
def btrfs(lab):
    """btrfs(files of /sys/fs/btrfs/UUID, {"scrub status": (text, exit status)}) -> the lab"""
    def make(files, answers=None):
        words = {"scrub status": ("UUID: u\n\tno stats available\n", 0),
                 "balance status": ("No balance found on '/data'\n", 0),
                 "replace status": ("Never started\n", 0),
                 "quota rescan": ("no rescan operation in progress\n", 0),
                 "device stats": ("[/dev/sdb1].write_io_errs 0\n", 0), **(answers or {})}
        lab.host.write("proc/self/mountinfo", MOUNT + "2 1 0:40 / /data rw - btrfs /dev/sdb1 rw\n")
        lab.host.write(f"sys/fs/btrfs/{UUID}/devices/sdb1/dev", "8:17\n")
        for name, text in files.items():
            lab.host.write(f"sys/fs/btrfs/{UUID}/{name}", text)
        cases = ""
        for key, (text, code) in words.items():
            lab.host.write(f"var/{key}", text)
            cases += f'"{key}") cat "/var/{key}"; exit {code} ;;\n'
        tool(lab.host, "btrfs",
             f'echo "$*" >>/var/asked\ncase "$1 $2" in\n{cases}*) exit 1 ;;\nesac\n')
        return lab
    return make


def test_a_btrfs_that_is_healthy(btrfs):
    lab = btrfs(NEW)
    found = lab.verdicts()
    assert {verdict for verdict, _ in found.values()} == {"held"}, found
    # what the kernel tells is not asked once more
    assert sorted(asked(lab)) == ["device stats /data", "scrub status /dev/sdb1"]


def test_a_kernel_that_has_no_word_for_a_balance(btrfs):
    lab = btrfs({})
    assert lab.verdicts()["no_rebuild"][0] == "held"
    assert {"balance status /data", "replace status -1 /data"} <= set(asked(lab))
    text = ("Balance on '/data' is running\n"
            "3 out of about 9 chunks balanced (10 considered),  67% left\n")
    found = btrfs({}, {"balance status": (text, 1)}).verdicts()
    assert found["no_rebuild"][0] == "broken" and "is in balance, 33.0%" in found["no_rebuild"][1]


def test_a_btrfs_in_a_scrub_and_without_a_disk(btrfs):
    scrub = ("UUID: u\nScrub started: Wed\nStatus: running\nTime left: 3:00:00\n"
             "Bytes scrubbed: 1GiB (25.00%)\n")
    found = btrfs({**NEW, "devinfo/2/missing": "1\n"}, {"scrub status": (scrub, 0)}).verdicts()
    assert found["no_rebuild"][0] == found["array_healthy"][0] == "broken"
    assert "is in a scrub, 25.0%, 3 h left" in found["no_rebuild"][1]
    assert "1 device is missing" in found["array_healthy"][1]


def test_no_btrfs_and_an_old_kernel(btrfs):
    lab = btrfs({})
    (lab.host.root / "bin/btrfs").unlink()
    found = lab.verdicts()
    assert found["no_rebuild"][0] == "unknown" and "cannot be excluded" in found["no_rebuild"][1]
    assert found["array_healthy"][0] == "unknown"
