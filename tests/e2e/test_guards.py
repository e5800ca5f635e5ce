"""Guards: what was good before a phase and went bad in the middle of it."""

import json
import shutil
import threading

import pytest

from fake_host import FakeHost, need_fake_hosts

IDLE = """\
Personalities : [raid1]
md0 : active raid1 sdb1[1] sda1[0]
      1000 blocks super 1.2 [2/2] [UU]

unused devices: <none>
"""
CHECK = IDLE.replace("\nunused", "      [==>......]  check = 12.6% (126/1000) finish=1.2min "
                                 "speed=10K/sec\n\nunused")

PLAN = """\
nasgate: 1
name: guarded
topology:
  hosts:
    here: local
    nas: {{via: {{prefix: {prefix}}}}}
  links:
    loop: {{ends: ["here:lo", "here:lo"]}}
watch: {{hosts: [nas], every: 200 ms}}
preconditions:
  - no_rebuild: {{host: nas{more}}}
phases:
  - name: first
{retry}    ping: {{link: loop, count: 25, interval: 200 ms}}
    pass: [loss == 0%]
  - name: second
    ping: {{link: loop, count: 2, interval: 200 ms}}
    pass: [loss == 0%]
"""


@pytest.fixture
def nas(tmp_path):
    need_fake_hosts()
    host = FakeHost(tmp_path / "nas")
    host.put("proc/mdstat", IDLE)
    host.md("md0", array_state="clean", sync_action="idle", degraded=0, raid_disks=2,
            level="raid1", last_sync_action="check", mismatch_cnt=0)
    return host


def plan_for(nas, more="", retry=""):
    return PLAN.format(prefix=json.dumps(nas.prefix), more=more, retry=retry)


class Script:
    """Does its steps once the run's first sampler has begun, each some seconds after the one
    before: the run's own evidence tells when."""

    def __init__(self, out, *steps):
        self.out, self.steps, self.done = out, steps, threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _watched(self):
        try:
            text = (self.out / "evidence/index.jsonl").read_text(encoding="utf-8")
        except OSError:
            return False
        return any('"watch: phase first' in line for line in text.splitlines())

    def _run(self):
        while not self._watched():
            if self.done.wait(0.05):
                return
        for seconds, act in self.steps:
            if self.done.wait(seconds):
                return
            act()

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()


def begin_check(nas):
    nas.md("md0", sync_action="check")
    nas.put("proc/mdstat", CHECK)


def end_check(nas):
    nas.md("md0", sync_action="idle")
    nas.put("proc/mdstat", IDLE)


def layers(nas, *below):
    """What lies directly below the volume: swapped, like a table of the device mapper."""
    folder = nas.root / "sys/block/dm-0/slaves"
    fresh, old = folder.with_name("slaves.new"), folder.with_name("slaves.old")
    for name in below:
        (fresh / name).mkdir(parents=True)
    if folder.exists():
        folder.rename(old)
    fresh.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def cached(nas):
    """A volume of LVM behind a dm-cache."""
    for minor, name in enumerate(("dm-0", "dm-1", "dm-2", "dm-3")):
        nas.put(f"sys/block/{name}/dev", f"253:{minor}\n")
        nas.put(f"sys/block/{name}/dm/name", f"vg1-{name}\n")
    nas.put("proc/self/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
                                   "23 22 253:0 / /data rw - ext4 /dev/mapper/vg1-dm--0 rw\n")
    (nas.root / "data").mkdir()
    layers(nas, "dm-1", "dm-2", "dm-3")
    linear = "".join(f"vg1-dm-{n}: 0 99 linear 8:17 {n}\n" for n in (1, 2, 3))
    nas.put("var/table", "vg1-dm-0: 0 99 cache 253:2 253:1 253:3 128 1 writeback smq 0\n" + linear)
    nas.put("var/status", "vg1-dm-0: 0 99 cache 8 1/9 128 1/9 1 1 1 1 0 0 0 1 writeback 2 "
                          "migration_threshold 2048 smq 0 rw - \n" + linear)
    nas.tool("dmsetup", 'cat "/var/$1"\n')
    for name in "dm-1", "dm-2", "dm-3":
        (nas.root / "sys/block" / name / "slaves/sdb").mkdir(parents=True)
    nas.put("sys/block/sdb/dev", "8:17\n")


def with_cache(nas):
    plan = plan_for(nas).replace("watch:", '  volumes: {data: {"on": nas, path: /data}}\nwatch:')
    return plan.replace("phases:", "  - cache_state: {volume: data, expect: write-back}\nphases:")


def phases_of(done):
    return {phase["name"]: phase for phase in done.bundle.result["phases"]}


def test_undisturbed(nasgate, write_plan, nas, tmp_path):
    done = nasgate.run(write_plan(plan_for(nas)), output=tmp_path / "out")
    assert done.code == 0, done
    assert done.bundle.result["events"] == []
    measures = {m["metric"] for m in phases_of(done)["first"]["repeats"][0]["measures"]}
    assert {"host.nas.load1.max", "host.nas.cpu.mean", "host.nas.resync.max"} <= measures
    watches = [e for e in done.bundle.events
               if e.get("event") == "start" and e["purpose"].startswith("watch: ")]
    assert [w["host"] for w in watches] == ["here", "nas"] * 2
    # Afterwards the hosts are asked for what the guards read, and for nothing else.
    asked = [e["argv"] for e in done.bundle.events
             if e.get("event") == "start" and e["purpose"].startswith("facts after ")]
    left_out = [{argv[i + 1] for i, word in enumerate(argv) if word == "-x"} for argv in asked]
    assert left_out == [{"cards", "clock", "interfaces", "load", "mounts", "servers", "sysctls"}] * 4


def test_check_begins_in_the_middle(nasgate, write_plan, nas, tmp_path):
    out = tmp_path / "out"
    with Script(out, (1.5, lambda: begin_check(nas))):
        done = nasgate.run(write_plan(plan_for(nas)), output=out)
    assert done.code == 6, done
    first, second = phases_of(done)["first"], phases_of(done)["second"]
    assert first["verdict"] == second["verdict"] == "inconclusive"
    assert "no_rebuild-nas broke" in first["reason"] and "in check, 12.6%" in first["reason"]
    event = done.bundle.result["events"][0]
    assert event["exact"] and event["held"] == "broken" and event["phase"] == "first"
    repeat = first["repeats"][0]
    assert 0 < event["at_ns"] - repeat["start_ns"] < repeat["duration_ns"]
    # The number is kept, and nobody stands behind it.
    assert any(m["metric"] == "loss" for m in repeat["measures"])
    report = (out / "report.md").read_text(encoding="utf-8")
    assert "no_rebuild-nas broke" in report


def test_check_begins_and_ends_in_the_middle(nasgate, write_plan, nas, tmp_path):
    out = tmp_path / "out"
    with Script(out, (1, lambda: begin_check(nas)), (1.5, lambda: end_check(nas))):
        done = nasgate.run(write_plan(plan_for(nas)), output=out)
    assert done.code == 6, done
    assert phases_of(done)["second"]["verdict"] == "pass"
    event = done.bundle.result["events"][0]
    assert event["until_ns"] > event["at_ns"]
    assert "it held again" in phases_of(done)["first"]["reason"]


def test_what_no_sample_saw_leaves_a_trace(nasgate, write_plan, nas, tmp_path):
    out = tmp_path / "out"
    with Script(out, (1, lambda: nas.md("md0", mismatch_cnt=8))):
        done = nasgate.run(write_plan(plan_for(nas)), output=out)
    assert done.code == 6, done
    reason = phases_of(done)["first"]["reason"]
    assert "mismatch_cnt 0 before" in reason and "mismatch_cnt 8 after" in reason
    assert not done.bundle.result["events"][0]["exact"]
    assert phases_of(done)["second"]["verdict"] == "pass"


def test_cache_taken_away_and_put_back(nasgate, write_plan, nas, tmp_path):
    """Before and after it is the same cache: only a sample can see that it was gone."""
    cached(nas)
    out = tmp_path / "out"
    with Script(out, (1, lambda: layers(nas, "sdb")),
                (1.5, lambda: layers(nas, "dm-1", "dm-2", "dm-3"))):
        done = nasgate.run(write_plan(with_cache(nas)), output=out)
    assert done.code == 6, done
    assert phases_of(done)["second"]["verdict"] == "pass"
    event, = done.bundle.result["events"]
    assert event["guard"] == "cache_state-data" and event["exact"], event
    assert event["until_ns"] > event["at_ns"]
    assert "below it were dm-1 dm-2 dm-3, then sdb" in phases_of(done)["first"]["reason"]


def test_cache_taken_away(nasgate, write_plan, nas, tmp_path):
    """A sample tells when, the facts afterwards what."""
    def detach():
        layers(nas, "sdb")
        nas.put("var/table", "vg1-dm-0: 0 99 linear 8:17 0\n")
        nas.put("var/status", "vg1-dm-0: 0 99 linear \n")
    cached(nas)
    out = tmp_path / "out"
    with Script(out, (1, detach)):
        done = nasgate.run(write_plan(with_cache(nas)), output=out)
    assert done.code == 6, done
    event = done.bundle.result["events"][0]
    assert event["exact"] and event["held"] == "broken" and event["phase"] == "first", event
    assert "then sdb: its table was replaced; then: cache: none" in event["seen"]
    assert "cache_state-data broke" in phases_of(done)["first"]["reason"]


def test_measured_again_once_it_holds(nasgate, write_plan, nas, tmp_path):
    out = tmp_path / "out"
    steps = (1, lambda: begin_check(nas)), (1.5, lambda: end_check(nas))
    with Script(out, *steps):
        done = nasgate.run(write_plan(plan_for(nas, retry="    retry: {times: 1, within: 2 m}\n")),
                           output=out)
    assert done.code == 0, done
    repeat = phases_of(done)["first"]["repeats"][0]
    assert repeat["attempts"] == 2
    finding = next(f for f in repeat["findings"] if f["rule"] == "attempt-disturbed")
    assert finding["weight"] == "warning" and "it had measured" in finding["text"]
    assert done.bundle.result["events"][0]["attempt"] == 1


def test_not_measured_again_when_it_does_not_hold(nasgate, write_plan, nas, tmp_path):
    out = tmp_path / "out"
    with Script(out, (1, lambda: begin_check(nas))):
        done = nasgate.run(write_plan(plan_for(nas, retry="    retry: {times: 3, within: 1 s}\n")),
                           output=out)
    assert done.code == 6, done
    rules = [f["rule"] for f in phases_of(done)["first"]["repeats"][0]["findings"]]
    assert "not-retried" in rules


def test_on_broken_stops_the_run(nasgate, write_plan, nas, tmp_path):
    out = tmp_path / "out"
    with Script(out, (1, lambda: begin_check(nas))):
        done = nasgate.run(write_plan(plan_for(nas, more=", on_broken: stop")), output=out)
    assert done.code == 6, done
    second = phases_of(done)["second"]
    assert second["verdict"] == "skipped" and "on_broken: stop" in second["reason"]


def test_before_is_not_looked_at_again(nasgate, write_plan, nas, tmp_path):
    out = tmp_path / "out"
    with Script(out, (1, lambda: begin_check(nas))):
        done = nasgate.run(write_plan(plan_for(nas, more=", when: before")), output=out)
    assert done.code == 0, done
    assert done.bundle.result["events"] == []


def test_during_does_not_gate_the_start(nasgate, write_plan, nas, tmp_path):
    begin_check(nas)
    done = nasgate.run(write_plan(plan_for(nas, more=", when: during")), output=tmp_path / "out")
    assert done.code == 6, done
    assert phases_of(done)["first"]["verdict"] == "inconclusive"


def test_host_started_anew(nasgate, write_plan, nas, tmp_path):
    out = tmp_path / "out"
    boot = "proc/sys/kernel/random/boot_id"
    with Script(out, (1, lambda: nas.put(boot, "99999999-2222-3333-4444-555555555555\n"))):
        done = nasgate.run(write_plan(plan_for(nas)), output=out)
    assert done.code == 6, done
    assert "nas was started anew meanwhile" in phases_of(done)["first"]["reason"]


def test_telemetry_gates(nasgate, write_plan, nas, tmp_path):
    plan = plan_for(nas).replace("pass: [loss == 0%]", "pass: [host.nas.load1.max < 0]", 1)
    done = nasgate.run(write_plan(plan), output=tmp_path / "out")
    assert done.code == 1, done
    assert "host.nas.load1.max" in phases_of(done)["first"]["reason"]
