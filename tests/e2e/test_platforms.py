"""Each platform as a fake host, whole: collector, parsers, preconditions, exit code, report."""

import json

import pytest

import fake_nas
from fake_host import need_fake_hosts

PLAN = """\
nasgate: 1
name: platform
topology:
  hosts:
    here: local
    nas: {{via: {{prefix: {prefix}}}}}
  volumes:
    data: {{on: nas, path: {path}, mount: {{type: {type}, export: {source}}}}}
  links:
    loop: {{ends: ["here:lo", "here:lo"]}}
preconditions:
  - no_rebuild: nas
  - array_healthy: nas
  - cache_state: {{volume: data, expect: {cache}}}
  - mounted: data
phases:
  - name: trivial
    ping: {{link: loop, count: 1}}
    pass: [loss == 0%]
"""

KINDS = ("no_rebuild", "array_healthy", "cache_state", "mounted")

# What is done to a host, in order; the cache that is expected: of the host where it is True.
CASES = {
    "healthy": ((), False),
    "busy": (("busy",), False),
    "scrubbed": (("scrubbed",), False),
    "resilvered": (("resilvered",), False),
    "degraded": (("degraded",), False),
    "cache on": (("cached",), True),
    "cache on, none expected": (("cached",), False),
    "cache off, one expected": ((), True),
    "kept on a tiered pool": (("tiered",), False),
    "kept on a pool that is not there": (("detached",), False),
    "wrong mount": (("unmounted",), False),
    "tool missing": (("cached", "tool"), True),
    "tool missing, scrubbed": (("scrubbed", "tool"), False),
    "no privilege": (("cached", "user"), True),
    "refused": (("refused",), False),
}
TOOL = {"dsm": "dmsetup", "qts": "dmsetup", "unraid": "btrfs", "truenas": "zpool", "omv": "btrfs",
        "linux": "dmsetup"}

# The preconditions that do not hold, with words of the report that name the cause. All others hold.
U, B = "unknown", "broken"
DM = {kind: (U, "copies something is unknown: there is no dmsetup table")
      for kind in ("no_rebuild", "array_healthy")}
DENIED = {kind: (U, "copies something is unknown: dmsetup table failed with status 1: "
                 "/dev/mapper/control: open failed: Permission denied")
          for kind in ("no_rebuild", "array_healthy")}
TABLE = {
    ("dsm", "healthy"): {},
    ("dsm", "busy"): {"no_rebuild": (B, "md2 on nas is in check, 41.0%, 3 h left")},
    ("dsm", "scrubbed"): {"no_rebuild": (B, "is in a scrub")},
    ("dsm", "degraded"): {"array_healthy": (B, "sata3p3 had a disk error (E)")},
    ("dsm", "cache on"): {},
    ("dsm", "cache on, none expected"): {"cache_state": (B, "cache: write-back")},
    ("dsm", "cache off, one expected"): {"cache_state": (B, "cache: none")},
    ("dsm", "wrong mount"): {"mounted": (B, "/volume1 is on ext4 /dev/md0, not on btrfs")},
    ("dsm", "tool missing"): {**DM, "cache_state": (U, "there is no dmsetup")},
    ("dsm", "no privilege"): {"no_rebuild": (U, "btrfs tells it only to root"),
                              "array_healthy": (U, "btrfs tells it only to root"),
                              "cache_state": (U, "Permission denied")},

    ("qts", "healthy"): {},
    ("qts", "busy"): {"no_rebuild": (B, "md1 on nas is in resync, 8.5%, 5 h left")},
    ("qts", "degraded"): {"array_healthy": (B, "md1 on nas is not whole: degraded [4/3] [UU_U]")},
    ("qts", "cache on"): {},
    ("qts", "cache on, none expected"): {"cache_state": (B, "cache: write-back")},
    ("qts", "cache off, one expected"): {"cache_state": (B, "cache: none")},
    ("qts", "wrong mount"): {"mounted": (B, "is on tmpfs none, not on ext4"),
                             "cache_state": (U, "its tmpfs lies in memory")},
    ("qts", "tool missing"): {**DM, "cache_state": (U, "there is no dmsetup")},
    ("qts", "no privilege"): {**DENIED, "cache_state": (U, "Permission denied")},

    ("unraid", "healthy"): {},
    ("unraid", "busy"): {"no_rebuild": (B, "is in check P, 25.0%, 11 h left")},
    ("unraid", "degraded"): {"array_healthy": (B, "slot 2 DISK_DSBL")},
    ("unraid", "cache on"): {},
    ("unraid", "cache on, none expected"): {"cache_state": (B, "cache: write-back")},
    ("unraid", "cache off, one expected"): {"cache_state": (B, "cache: none")},
    ("unraid", "kept on a tiered pool"): {"cache_state": (B, "cache: write-back")},
    ("unraid", "kept on a pool that is not there"): {
        "cache_state": (U, "nothing is mounted on /mnt/cache")},
    ("unraid", "wrong mount"): {"mounted": (B, "is on rootfs rootfs, not on fuse.shfs"),
                                "array_healthy": (U, "mdState STOPPED"),
                                "cache_state": (U, "what lies below its rootfs is not visible")},
    ("unraid", "scrubbed"): {"no_rebuild": (B, "is in a scrub, 25.0%, 40 min left")},
    ("unraid", "tool missing, scrubbed"): {"no_rebuild": (U, "its last scrub may still go on")},
    ("unraid", "no privilege"): {"no_rebuild": (U, "its status file is not readable")},

    ("truenas", "healthy"): {},
    ("truenas", "busy"): {"no_rebuild": (B, "tank on nas is in a scrub, 23.9%, 6 h left")},
    ("truenas", "resilvered"): {"no_rebuild": (B, "tank on nas is in a resilver, 5.0%, 27 h left"),
                                "array_healthy": (B, "tank")},
    ("truenas", "degraded"): {"array_healthy": (B, "/dev/sdc1 is REMOVED")},
    ("truenas", "cache on"): {},
    ("truenas", "cache on, none expected"): {"cache_state": (B, "cache: write-back")},
    ("truenas", "cache off, one expected"): {"cache_state": (B, "cache: none")},
    ("truenas", "wrong mount"): {"mounted": (B, "mounted from tank, not from tank/bench")},
    ("truenas", "tool missing"): {"no_rebuild": (U, "no zpool here"), "cache_state": (U, "zpool")},
    ("truenas", "no privilege"): {},
    ("truenas", "refused"): {"no_rebuild": (U, "must be run as root"),
                             "cache_state": (U, "must be run as root")},

    ("omv", "healthy"): {},
    ("omv", "busy"): {"no_rebuild": (B, "is in balance, 33.0%")},
    ("omv", "scrubbed"): {"no_rebuild": (B, "is in a scrub, 25.0%, 3 h left")},
    ("omv", "degraded"): {"array_healthy": (B, "1 device is missing")},
    ("omv", "cache on"): {},
    ("omv", "cache on, none expected"): {"cache_state": (B, "cache: write-through")},
    ("omv", "cache off, one expected"): {"cache_state": (B, "cache: none")},
    ("omv", "wrong mount"): {"mounted": (B, "is on ext4 /dev/sda1, not on btrfs")},
    ("omv", "tool missing, scrubbed"): {"no_rebuild": (U, "its last scrub may still go on")},
    ("omv", "no privilege"): {"no_rebuild": (U, "its status file is not readable")},

    ("linux", "healthy"): {},
    ("linux", "busy"): {"no_rebuild": (B, "vg0/bench on nas is in check, 25.0%")},
    ("linux", "degraded"): {"array_healthy": (B, "[AAD]: 1 of 3 failed or missing")},
    ("linux", "cache on"): {},
    ("linux", "cache on, none expected"): {"cache_state": (B, "cache: write-back")},
    ("linux", "cache off, one expected"): {"cache_state": (B, "cache: none")},
    ("linux", "wrong mount"): {"mounted": (B, "is on ext4 /dev/sda1, not on xfs")},
    ("linux", "tool missing"): {"cache_state": (U, "dmsetup")},
    ("linux", "no privilege"): {**DENIED, "cache_state": (U, "Permission denied")},

    # what it has to tell needs neither a tool nor root
    ("openwrt", "healthy"): {},
    ("openwrt", "busy"): {"no_rebuild": (B, "md0 on nas is in recovery, 17.2%"),
                          "array_healthy": (B, "degraded [2/1] [U_]")},
    ("openwrt", "degraded"): {"array_healthy": (B, "degraded [2/1] [_U]")},
    ("openwrt", "cache on"): {},
    ("openwrt", "cache on, none expected"): {"cache_state": (B, "cache: write-back")},
    ("openwrt", "cache off, one expected"): {"cache_state": (B, "cache: none")},
    ("openwrt", "wrong mount"): {"mounted": (B, "is on overlay overlayfs:/overlay, not on ext4"),
                                 "cache_state": (U, "what lies below its overlay")},
    ("openwrt", "no privilege"): {},
}
REPLAYED = {("dsm", "busy"), ("truenas", "healthy")}


def act(host, platform, what):
    if what == "tool":
        host.without_tool(TOOL[platform])
    else:
        getattr(host, what)()


@pytest.mark.parametrize("platform, case", TABLE, ids=[" ".join(row) for row in TABLE])
def test_platform(nasgate, write_plan, tmp_path, platform, case):
    need_fake_hosts()
    host = fake_nas.PLATFORMS[platform](tmp_path / "nas")
    acts, expects_cache = CASES[case]
    for what in acts:
        act(host, platform, what)
    plan = write_plan(PLAN.format(
        prefix=json.dumps(host.prefix), path=host.path, type=host.type, source=host.source,
        cache=host.cache if expects_cache else "none"))
    if (platform, case) in REPLAYED:
        done = nasgate.run(plan)
    else:  # each bundle that `run` makes is replayed behind the test, which is not what this is for
        output = nasgate.new_output()
        done = nasgate("run", "-o", output, plan, output=output)
    wanted = TABLE[platform, case]
    found = {c["kind"]: c for c in done.bundle.result["conditions"]}
    held = {kind: found[kind]["held"] for kind in KINDS}
    assert held == {kind: wanted.get(kind, ("held", ""))[0] for kind in KINDS}, {
        kind: found[kind]["seen"] for kind in KINDS}
    report = done.bundle.text("report.md")
    for kind, (_, words) in wanted.items():
        assert words in found[kind]["seen"], found[kind]["seen"]
        assert words in report, report
    assert done.code == (3 if wanted else 0), done
