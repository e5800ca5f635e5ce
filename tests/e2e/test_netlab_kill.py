"""Cables pulled and runners killed in the middle of a run: it ends in time, and nothing is left."""

import concurrent.futures
import contextlib
import json
import random
import shutil
import subprocess
import time

import pytest

import again
from conftest import Bundle
from netlab import Netlab, can_make_labs, lab, no_trace, pids, starts

SEED = 20261130
RUNS = 50
LANES = 5
LONGEST = 30  # seconds of a run: beyond, the machine is so busy that not all of it is gone through

MORE = "watch: {hosts: [backup, nas], every: 1 s}\nlease: {hosts: [nas]}\n"

STREAM = """\
  - name: stream
    timeout: 12 s
    iperf3: {link: fiber, from: backup, time: 60 s}
    pass: [throughput >= 1 kbit/s]
"""

WHOLE = """\
  - name: wire
    iperf3: {link: fiber, from: backup, time: 1 s}
  - name: far
    fio: {volume: box, rw: randwrite, bs: 64 KiB, size: 4 MiB, time: 1 s}
  - name: near
    fio: {volume: repo, rw: write, bs: 64 KiB, size: 4 MiB, time: 1 s}
"""


@pytest.fixture(autouse=True)
def tools():
    for tool in ("fio", "iperf3"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")


@pytest.fixture
def streaming(nasgate, write_plan, lab, wait_for):
    """(process, bundle) of a run whose iperf3 sends."""
    def counted():
        path = "/sys/class/net/eth0/statistics/tx_bytes"
        return int(lab.inside(lab.backup, "cat", path).stdout)

    lab.gigabit()
    child, output = lab.start(nasgate, write_plan(lab.plan(phases=STREAM, more=MORE)))
    before = counted()
    wait_for(lambda: child.poll() is not None or counted() - before > 10_000_000, 60,
             "iperf3 does not send")
    assert child.poll() is None, child.communicate()
    return child, Bundle(output)


@pytest.mark.parametrize("cables", [("eth4",), ("eth4", "eth9")], ids=["link", "link-and-ssh"])
def test_cable_pulled(lab, streaming, cables):
    """The link alone, and the way of ssh with it: the far end must give up by itself."""
    child, bundle = streaming
    began = time.monotonic()
    lab.cut(*cables)
    lab.assert_far_clean(within=40.0 if len(cables) == 1 else 10.0)
    out, err = child.communicate(timeout=90)
    assert child.returncode == 5, (out, err)
    assert time.monotonic() - began < 60
    phase = bundle.phase("stream")
    assert phase["verdict"] == "error"
    assert "deadline" in phase["reason"], phase
    assert bundle.result["complete"]


def test_runner_killed(lab, streaming):
    """What it had started on both sides is gone within ten seconds."""
    child, bundle = streaming
    assert len(pids(lab.nas)) > 2, "nothing of the run was on the NAS"
    left = set(lab.left())
    assert "run/lock" in left and left & {"tmp", "shm"}, f"there is no lease, or no watchdog: {left}"
    child.kill()
    child.communicate(timeout=30)
    lab.assert_clean(within=10.0)
    assert not bundle.result["complete"]


def last_step(output):
    """What a run was doing when it was killed."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        lines = (output / "evidence" / "index.jsonl").read_text(encoding="utf-8").splitlines()
        events = [json.loads(line) for line in lines if line.endswith("}")]
        return next((e["purpose"] for e in reversed(events) if e.get("event") == "start"), "start")
    return "start"


class Lane:
    """A laboratory in which one run after the other is killed."""

    def __init__(self, nasgate, folder, lab):
        self.nasgate, self.lab, self.folder = nasgate, lab, folder
        self.plan = folder / "plan.yaml"
        self.plan.write_text(lab.plan(
            phases=WHOLE, conditions="  - mtu_match: fiber\n", more=MORE))

    def whole(self):
        """A run to its end; how long it takes here."""
        began = time.monotonic()
        child, output = self.lab.start(self.nasgate, self.plan, output=self.folder / "whole")
        again.spoilt(output)  # five of the same: others are replayed
        out, err = child.communicate(timeout=120)
        assert child.returncode == 0, (out, err)
        self.lab.assert_clean(within=0)
        return time.monotonic() - began

    def lease(self):
        """What a run says that wants the lease at once and does not get it."""
        plan = self.folder / "last.yaml"
        plan.write_text(self.lab.plan(more="lease: {hosts: [nas]}\n"))
        child, output = self.lab.start(self.nasgate, plan, output=self.folder / "last")
        again.spoilt(output)
        said = child.communicate(timeout=120)
        return "" if child.returncode == 0 else said

    def kill(self, number, after):
        """Kills a run and returns (number, after, step, whether it was alive, what is left)."""
        child, output = self.lab.start(self.nasgate, self.plan, output=self.folder / f"run-{number}")
        again.spoilt(output)  # it may end between its evidence and its reports
        try:
            child.communicate(timeout=after)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate(timeout=60)
        try:
            self.lab.assert_clean(within=10.0)
            left = None
        except AssertionError as error:
            left = str(error)
            self.lab.sweep()
        return number, after, last_step(output), child.returncode == -9, left


def test_fifty_runners_killed(nasgate, can_make_labs, tmp_path):
    """At moments spread over the whole run: no process, no lease, no file on either side."""
    dice = random.Random(SEED)
    print(f"seed {SEED}")
    with contextlib.ExitStack() as stack:
        lanes = []
        for number in range(LANES):
            folder = tmp_path / f"lane-{number}"
            folder.mkdir()
            lab = stack.enter_context(Netlab())
            lab.shape(lab.backup, "eth0", "100mbit")  # so that no lane takes the processors
            lanes.append(Lane(nasgate, folder, lab))
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(LANES))
        length = min(max(pool.map(Lane.whole, lanes)), LONGEST)
        moments = [length * (n + dice.random()) / RUNS for n in range(RUNS)]
        dice.shuffle(moments)
        work = list(enumerate(moments))
        ends = [end for lane in pool.map(
            lambda n: [lanes[n].kill(*item) for item in work[n::LANES]], range(LANES)) for end in lane]
        leases = list(pool.map(Lane.lease, lanes))
    for number, after, step, alive, left in sorted(ends, key=lambda end: end[1]):
        print(f"{after:6.2f} s run {number:2} {'killed' if alive else 'ended '} in {step}"
              f"{': ' + left if left else ''}")
    assert [end for end in ends if end[4]] == []
    assert leases == [""] * LANES, "the unit is still leased"
    assert sum(end[3] for end in ends) >= RUNS * 2 // 3, "hardly a run was killed in time"
    steps = {step.split(":")[0].split(" ")[0] for _, _, step, _, _ in ends}
    assert {"facts", "phase"} <= steps, steps
