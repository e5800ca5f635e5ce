"""A laboratory that is not as the plan says: nothing is measured, and the report tells why."""

from small_disk import fill, says_where

import cases
import lab as laboratory

REBUILD_KIB = 300  # seven minutes for a member


def test_rebuild(run, lab):
    lab.nas.ssh(f"/lab/rebuild start {REBUILD_KIB}")
    done = run(cases.plan("no_rebuild: nas"))
    cases.refused(done, "no_rebuild", "md0", "in recover", "min left")


def test_rebuild_waited_for(run, lab):
    lab.nas.ssh("/lab/rebuild start 4000")
    done = run(cases.plan("no_rebuild: {host: nas, wait: 5 m}"))
    assert done.code == 0, done
    assert cases.condition(done, "no_rebuild")["held"] == "held"
    assert done.bundle.phase("write")["verdict"] == "pass"
    assert lab.nas.ssh("cat /sys/block/md0/md/degraded").strip() == "0"


def test_degraded(run, lab):
    lab.nas.ssh("/lab/rebuild degrade")
    done = run(cases.plan("array_healthy: {volume: repo}"))
    cases.refused(done, "array_healthy", "md0", "degraded")


def test_write_back_cache(run, lab):
    lab.nas.ssh("/lab/cache attach writeback")
    done = run(cases.plan("cache_state: {volume: repo, expect: none}"))
    cases.refused(done, "cache_state", "cache: write-back")


def test_rsize(run, lab):
    lab.backup.ssh("umount /mnt/bench && mount -t nfs -o vers=3,rsize=65536 nas:/volume1/bench /mnt/bench")
    done = run(cases.plan("mounted: repo"))
    cases.refused(done, "mounted", "rsize", "65536")


def test_inherited_options(run, lab):
    """A second mount of one server shares the connection of the first, however many it asked for."""
    lab.backup.ssh(laboratory.NFS.replace("hard", "hard,nconnect=4").replace("/mnt/bench", "/mnt/other"))
    done = run(cases.plan("mounted: repo", path="/mnt/other",
                          mount=cases.NFS.replace("rsize", "nconnect: '4', rsize")))
    cases.refused(done, "mounted", "nconnect=1 is in force", "whichever was mounted first")


def test_not_mounted(run, lab):
    lab.backup.ssh("umount /mnt/bench")
    before = lab.backup.ssh("stat -c %y /mnt/bench")
    done = run(cases.plan("no_rebuild: nas"))
    assert done.code == 3, done
    row = cases.condition(done, "mounted")
    assert row["held"] == "broken" and "share not mounted" in row["seen"], row
    # Not even for a moment was anything in the folder below the mount.
    assert lab.backup.ssh("stat -c %y /mnt/bench") == before
    assert lab.backup.ssh("ls -A /mnt/bench") == ""


def test_mtu(run, lab):
    lab.mtu(lab.nas, 1500)
    done = run(cases.plan("mtu_match: {link: fiber, directions: one}"))
    cases.refused(done, "mtu_match", "nas:eth1 has MTU 1500", "backup:eth1 has MTU 9000")


def test_backup_server_full(run, lab):
    """Its own disk is."""
    lab.backup.ssh("dd if=/dev/zero of=/full bs=64k 2>/dev/null; true")
    done = run(cases.plan("free_space: {volume: repo, at_least: 16 MiB}", path="/mnt/full",
                          mount="{type: ext4}"))
    cases.refused(done, "free_space", "available")


def test_no_room_for_a_bundle(run, lab, small):
    """On the machine that runs nasgate: nothing is contacted."""
    fill(small)
    done = run(cases.plan("mounted: repo"), output=small / "out")
    assert done.code == 5, done
    assert says_where(small, done.stderr) and "pass" not in done.stdout
