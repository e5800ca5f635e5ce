"""Signals in the middle of a phase: reports, clean volume, no process left."""

import contextlib
import os
import pathlib
import shutil
import signal

import pytest

PLAN = """\
nasgate: 1
name: long
topology:
  hosts: {here: local}
  volumes:
    disk: {on: here, path: "VOLUME"}
  links:
    loop: {ends: ["here:lo", "here:lo"]}
phases:
  - name: quick
    fio: {volume: disk, rw: write, bs: 64 KiB, size: 4 MiB, time: 1 s}
    pass: [write.bw >= 1 kB/s]
  - name: long
    ENGINE
  - name: later
    needs: long
    fio: {volume: disk, rw: read, bs: 64 KiB, size: 4 MiB, time: 1 s}
    pass: [read.bw >= 1 kB/s]
"""
FIO = "fio: {volume: disk, rw: randwrite, bs: 4 KiB, size: 4 MiB, time: 60 s, jobs: 2}"
IPERF3 = "iperf3: {link: loop, time: 60 s}"


@pytest.fixture(params=[("fio", FIO), ("iperf3", IPERF3)], ids=["fio", "iperf3"])
def running(request, nasgate, write_plan, volume, wait_for, leftovers):
    """A run in the middle of its long phase: (process, bundle, run id)."""
    tool, engine = request.param
    for name in ("fio", tool):
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed")
    plan = write_plan(PLAN.replace("VOLUME", str(volume)).replace("ENGINE", engine))
    child, bundle = nasgate.start(plan)
    wait_for(lambda: (bundle.path / "result.json").is_file())
    run_id = bundle.result["run_id"]
    measures = lambda: [line for line in leftovers(run_id).values()
                        if line.startswith(tool) and ("--name=long" in line or " -c " in line)]
    wait_for(measures, text=f"{tool} is not measuring")
    return child, bundle, run_id


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_polite_signal(running, volume, leftovers, number):
    child, bundle, run_id = running
    child.send_signal(number)
    out, err = child.communicate(timeout=30)
    assert child.returncode == -number, (out, err)
    result = bundle.result
    assert result["complete"] and result["interrupted"] == number
    assert bundle.phase("quick")["verdict"] == "pass"
    assert bundle.phase("long")["verdict"] == "error"
    assert "interrupted" in bundle.phase("long")["reason"]
    assert bundle.phase("later")["verdict"] == "skipped"
    assert "interrupted" in bundle.text("report.md").lower()
    assert "<error" in bundle.text("TEST-nasgate.xml")
    assert list(volume.iterdir()) == []
    assert leftovers(run_id) == {}


def test_impatient_user(running, volume, leftovers):
    child, bundle, run_id = running
    child.send_signal(signal.SIGINT)
    child.send_signal(signal.SIGINT)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=30)
    assert child.returncode == -signal.SIGINT
    assert bundle.result["complete"]
    assert list(volume.iterdir()) == [] and leftovers(run_id) == {}


def test_kill(running, volume, leftovers):
    child, bundle, run_id = running
    child.kill()
    child.communicate(timeout=30)
    assert leftovers(run_id, within=10.0) == {}
    assert list(volume.iterdir()) == []
    result = bundle.result
    assert not result["complete"]
    assert bundle.phase("quick")["verdict"] == "pass"


def stat_of(pid):
    """Name, state and parent of a process, and more; [] for one that has ended."""
    try:
        name, _, rest = pathlib.Path(f"/proc/{pid}/stat").read_text().partition("(")[2].rpartition(")")
        return [name, *rest.split()]
    except OSError:
        return []


def power_fails(child, run_id, leftovers):
    """All processes of a run end at once, its guard among them: nobody puts anything in order."""
    child.send_signal(signal.SIGSTOP)
    guards = [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc")))
              if (stat := stat_of(pid))[:1] == ["ng-guard"] and int(stat[2]) == child.pid]
    assert len(guards) == 1
    for pid in [*guards, *leftovers(run_id)]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    child.kill()
    child.communicate(timeout=30)
    assert leftovers(run_id, within=5.0) == {}


def test_the_next_run_tells_of_what_a_lost_one_left(
        running, nasgate, write_plan, volume, leftovers):
    child, _, run_id = running
    power_fails(child, run_id, leftovers)
    left = [p.name for p in volume.iterdir()]
    assert left == [f"nasgate-{run_id}"]
    short = PLAN.replace("VOLUME", str(volume)).replace("ENGINE", FIO.replace("60 s", "1 s"))
    done = nasgate.run(write_plan(short, "next.yaml"), "--only", "quick")
    assert done.code == 0, done
    assert any(run_id in w for w in done.bundle.result["warnings"])
    assert [p.name for p in volume.iterdir()] == left, "another run's folder is not ours to remove"


def test_closed_terminal(running, nasgate, volume, leftovers):
    """A reader of our output that goes away must not end the run half-way."""
    child, bundle, run_id = running
    nasgate.children.remove(child)
    child.stdout.close()
    child.stderr.close()
    child.send_signal(signal.SIGINT)
    child.wait(timeout=30)
    assert child.returncode == -signal.SIGINT
    assert bundle.result["complete"]
    assert list(volume.iterdir()) == [] and leftovers(run_id) == {}
