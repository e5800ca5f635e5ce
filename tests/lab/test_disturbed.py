"""A laboratory that was good and goes bad while a phase is measured: no number of it is a pass."""

import time

from small_disk import fill, says_where

import cases


def test_rebuild_begins(run, lab):
    """Disturbed, and measured again once the rebuild has ended."""
    def act(_):
        lab.nas.ssh("/lab/rebuild start 10000")
    done = run(cases.plan("no_rebuild: nas", "array_healthy: nas", seconds=20,
                          more="retry: {times: 1, within: 5 m}"), meanwhile=act)
    assert done.code == 0, done
    repeat = done.bundle.phase("write")["repeats"][0]
    assert repeat["attempts"] == 2
    finding = next(f for f in repeat["findings"] if f["rule"] == "attempt-disturbed")
    assert "no_rebuild-nas broke" in finding["text"] and "it had measured" in finding["text"]
    event = next(e for e in done.bundle.result["events"] if e["guard"] == "no_rebuild-nas")
    assert event["held"] == "broken" and event["attempt"] == 1 and "in recover" in event["seen"]
    assert "attempt 1 was disturbed" in done.bundle.text("report.md")


def test_cache_detached(run, lab):
    lab.nas.ssh("/lab/cache attach writethrough")

    def act(_):
        lab.nas.ssh("/lab/cache detach")
    done = run(cases.plan("cache_state: {volume: repo, expect: write-through}", seconds=20),
               meanwhile=act)
    cases.disturbed(done, "cache_state-repo broke", "cache: none")


def test_frozen_for_a_while(run, lab):
    """The machine stands still, with its clock, and goes on before any deadline."""
    def act(over):
        lab.nas.qmp("stop")
        over.wait(14)
        lab.nas.qmp("cont")
    done = run(cases.plan("mounted: repo", seconds=30), meanwhile=act)
    cases.disturbed(done, "host-nas")
    event = next(e for e in done.bundle.result["events"] if e["guard"] == "host-nas")
    assert any(words in event["seen"] for words in ("no sign of life", "stood still", "is unknown"))


def test_rebooted(run, lab):
    """Power cut: the mount is hard, so that the backup server goes on when the NAS is back."""
    def act(_):
        lab.nas.qmp("system_reset")
        lab.boots += 1
        lab.nas.wait_ready(lab.boots)
    done = run(cases.plan("mounted: repo", seconds=30, timeout="5 m"), meanwhile=act)
    cases.disturbed(done, "nas was started anew meanwhile")


def test_link_down_and_up(run, lab):
    def act(_):
        lab.link(False)
        time.sleep(2)
        lab.link(True)
    done = run(cases.plan("link_speed: fiber", seconds=20), meanwhile=act)
    cases.disturbed(done, "link_speed-fiber broke", "nas:eth1")


def test_no_room_for_the_evidence(run, lab, small):
    """The disk of the machine that runs nasgate: what was measured cannot be kept, and is no pass."""
    done = run(cases.plan("mounted: repo", seconds=10), meanwhile=lambda _: fill(small),
               output=small / "out")
    assert done.code == 5, done
    assert "the evidence cannot be kept: cannot write " in done.stdout
    assert says_where(small, done.stdout)
    assert not (small / "out/report.md").exists()
    assert any(line.split()[:2] == ["error", "write:"] for line in done.stderr.splitlines()), done
    assert "nasgate" not in lab.nas.ssh("ls -A /volume1/bench")


def test_frozen_beyond_the_deadline(run, lab):
    """Nothing answers any more: an error in time, and no number. The run's folder stays behind."""
    began = time.monotonic()
    done = run(cases.plan("mounted: repo", seconds=10, timeout="20 s", within="20 s"),
               meanwhile=lambda _: lab.nas.qmp("stop"))
    assert done.code == 7, done
    assert time.monotonic() - began < 420
    assert "was not removed" in done.bundle.result["not_restored"]
    phase = done.bundle.phase("write")
    assert phase["verdict"] == "error" and "deadline" in phase["reason"], phase
    assert not any(repeat["valid"] for repeat in phase["repeats"])
