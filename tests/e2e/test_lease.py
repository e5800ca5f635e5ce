"""One run at a time on a unit: two runners at once, waiting, and every way in which a lease ends."""

import json
import os
import shutil
import signal
import subprocess
import time

import pytest

from remote_lab import processes, same_again, sshd, written  # fixtures among them

PLAN = """\
nasgate: 1
name: leased
topology:
  hosts:
    nas: HOST
  volumes:
    disk: {on: nas, path: "VOLUME"}
lease: LEASE
phases:
  - name: w
    fio: {volume: disk, rw: randwrite, bs: 64 KiB, size: 4 MiB, time: TIME}
    pass: [write.bw >= 1 kB/s]
  - name: again
    fio: {volume: disk, rw: randwrite, bs: 64 KiB, size: 4 MiB, time: 1 s}
    pass: [write.bw >= 1 kB/s]
"""
JOB = "https://gitlab.example/lab/-/jobs/4711"


class Unit:
    """A host of one kind, the folder of its leases, and plans that lease it."""

    def __init__(self, kind, host, leases, volume, write_plan):
        self.kind, self.host, self.leases = kind, host, leases
        self.volume, self.write_plan = volume, write_plan
        self.env = {"NASGATE_LEASE_FOLDER": str(leases)} if kind == "local" else {}

    def plan(self, lease="nas", duration="1 s", name="plan.yaml", host=None):
        text = PLAN.replace("LEASE", lease).replace("TIME", duration)
        text = text.replace("HOST", host or self.host).replace("VOLUME", str(self.volume))
        return self.write_plan(text, name)

    def entries(self):
        return [p for p in self.leases.rglob("*") if p.is_file()]

    def empty(self):
        return list(self.leases.iterdir()) == []


@pytest.fixture(params=["local", "prefix", "ssh"])
def unit(request, tmp_path, volume, write_plan):
    if shutil.which("fio") is None:
        pytest.skip("fio is not installed")
    leases = tmp_path / "leases"
    if request.param == "ssh":
        server = request.getfixturevalue("sshd")
        leases = server.leases
        shutil.rmtree(leases / "nasgate-lease", ignore_errors=True)
        host = server.host()
    else:
        leases.mkdir()
        host = "local" if request.param == "local" else \
            f'{{via: {{prefix: [env, "NASGATE_LEASE_FOLDER={leases}"]}}}}'
    return Unit(request.param, host, leases, volume, write_plan)


@pytest.fixture
def holding(nasgate, unit, wait_for):
    """holding(job) -> (process, bundle, run id) of a run in the middle of its long phase."""
    def start(duration="60 s", **env):
        child, bundle = nasgate.start(
            unit.plan(duration=duration, name="holder.yaml"), env={**unit.env, **env})
        wait_for(lambda: (bundle.path / "result.json").is_file(), 60)
        run_id = bundle.result["run_id"]
        wait_for(lambda: any(written(pid) >= 1 << 20 for pid, line in processes(
            "NASGATE_CHILD" if unit.kind == "local" else "NASGATE_REMOTE", run_id + ".").items()
            if "--time_based" in line), 60, "fio is not measuring")
        return child, bundle, run_id
    return start


def last_line(text):
    return text.strip().splitlines()[-1]


def purposes(bundle):
    return [e["purpose"] for e in bundle.events if e.get("event") == "start"]


def busy(bundle, stderr, run_id):
    """Everything of a run that found the unit busy says who has it."""
    result = bundle.result
    lease = result["leases"][0]
    assert lease["state"] == "busy" and lease["run"] == run_id and lease["plan"] == "leased"
    assert lease["who"].count("@") == 1 and lease["since"].startswith("20")
    assert lease["job"] == JOB
    assert {p["verdict"] for p in result["phases"]} == {"skipped"}
    assert result["conditions"] == [] and result["exit_code"] == 4
    assert set(purposes(bundle)) <= {"origin of the plan", "lease"}, "the unit is left alone"
    for said in (last_line(stderr), bundle.text("report.md"), bundle.text("summary.md"),
                 bundle.text("report.html"), bundle.text("TEST-nasgate.xml"),
                 *(p["reason"] for p in result["phases"])):
        for word in (lease["who"], lease["since"], JOB, run_id):
            assert word in said, (word, said)
    assert "nasgate.busy" in bundle.text("TEST-nasgate.xml")
    assert 'nasgate_run_lease_held{unit="nas"} 0' in bundle.text("metrics.txt")
    assert last_line(stderr).startswith("nasgate: exit 4: the lab is busy: nas is leased by ")


def test_two_at_once(nasgate, unit):
    """Exactly one measures, the other says who does."""
    pair = [nasgate.start(unit.plan(duration="5 s"), env={**unit.env, "CI_JOB_URL": JOB})
            for _ in range(2)]
    ended = [(*child.communicate(timeout=120), child.returncode, bundle) for child, bundle in pair]
    assert sorted(code for _, _, code, _ in ended) == [0, 4], ended
    winner = next(bundle for _, _, code, bundle in ended if code == 0)
    loser = next(e for e in ended if e[2] == 4)
    busy(loser[3], loser[1], winner.result["run_id"])
    held = winner.result["leases"][0]
    assert held["state"] == "held" and held["since"].startswith("20") and held["who"] is None
    assert "this run" in winner.text("report.md")
    assert 'nasgate_run_lease_held{unit="nas"} 1' in winner.text("metrics.txt")
    assert unit.empty() and list(unit.volume.iterdir()) == []


def test_busy(nasgate, unit, holding):
    child, bundle, run_id = holding(CI_JOB_URL=JOB)
    done = nasgate.run(unit.plan(), env=unit.env)
    assert done.code == 4, done
    busy(done.bundle, done.stderr, run_id)
    same_again(nasgate, done.bundle)
    again = nasgate.new_output()
    replayed = nasgate("replay", done.bundle, "-o", again, output=again)
    assert replayed.code == 4 and last_line(replayed.stderr) == last_line(done.stderr)
    looked = nasgate("doctor", unit.plan(), env=unit.env)
    assert "busy     nas is leased by" in looked.stdout and run_id in looked.stdout, looked
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=60)
    assert child.returncode == -signal.SIGINT
    assert unit.empty()
    same_again(nasgate, bundle)
    assert bundle.result["leases"][0]["state"] == "held"
    looked = nasgate("doctor", unit.plan(), env=unit.env)
    assert "free     " in looked.stdout and unit.empty(), looked


def test_wait(nasgate, unit, holding):
    """It waits there, tells for whom, and begins when the unit is free."""
    first, held, _ = holding(duration="5 s", CI_JOB_URL=JOB)
    done = nasgate.run(unit.plan("{hosts: nas, wait: 3 m}"), env=unit.env)
    first.communicate(timeout=60)
    assert first.returncode == 0 and done.code == 0, done
    assert JOB in done.stderr and "waiting for the lease of nas" in done.stderr
    end = max(e.get("at", 0) for e in held.events) + int(held.events[0]["started"])
    facts = next(e["at"] for e in done.bundle.events if e.get("purpose") == "facts")
    assert int(done.bundle.events[0]["started"]) + facts > end - 10**9, "measured only then"
    assert purposes(done.bundle).count("lease") == 2, "nobody asks over the network again and again"
    assert unit.empty()


def test_wait_in_vain(nasgate, unit, holding):
    child, _, run_id = holding(CI_JOB_URL=JOB)
    began = time.monotonic()
    done = nasgate.run(unit.plan("{hosts: nas, wait: 4 s}"), env=unit.env)
    assert done.code == 4, done
    assert time.monotonic() - began >= 4
    busy(done.bundle, done.stderr, run_id)
    child.kill()
    child.communicate(timeout=30)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_while_waiting(nasgate, unit, holding, wait_for, number):
    holder, _, _ = holding()
    child, bundle = nasgate.start(unit.plan("{hosts: nas, wait: 1 h}"), env=unit.env)
    wait_for(lambda: (bundle.path / "evidence" / "index.jsonl").is_file() and
             purposes(bundle).count("lease") == 2, 60)
    child.send_signal(number)
    out, err = child.communicate(timeout=60)
    assert child.returncode == -number, (out, err)
    assert {p["reason"] for p in bundle.result["phases"]} == {"the run was interrupted"}
    same_again(nasgate, bundle)
    holder.send_signal(signal.SIGINT)
    holder.communicate(timeout=60)
    assert unit.empty()


def test_kill_of_the_holder(nasgate, unit, holding, wait_for):
    """kill -9: whoever waits has it within 10 s, and nothing is left."""
    child, _, run_id = holding()
    waiting, bundle = nasgate.start(unit.plan("{hosts: nas, wait: 5 m}"), env=unit.env)
    wait_for(lambda: (bundle.path / "evidence" / "index.jsonl").is_file() and
             purposes(bundle).count("lease") == 2, 60)
    child.kill()
    began = time.monotonic()
    wait_for(lambda: "facts" in purposes(bundle), 20, "the lease outlives its run")
    assert time.monotonic() - began < 10
    child.communicate(timeout=30)
    out, err = waiting.communicate(timeout=120)
    assert waiting.returncode == 0, (out, err)
    wait_for(unit.empty, 10, "an entry is left")
    assert processes("NASGATE_REMOTE", run_id + ".") == {}


def test_kill_alone(unit, holding, wait_for):
    """Nobody waits, so nobody but the run's own end removes its entry."""
    child, _, _ = holding()
    child.kill()
    child.communicate(timeout=30)
    wait_for(unit.empty, 10, "an entry is left")


def lost(bundle, reason):
    result = bundle.result
    assert result["exit_code"] == 5 and result["leases"][0]["state"] == "lost"
    assert reason in result["leases"][0]["reason"]
    for phase, verdict in zip(result["phases"], ("error", "skipped")):
        assert phase["verdict"] == verdict
        assert "the lease of nas was lost: " in phase["reason"] and reason in phase["reason"]
    assert "the lease of nas was lost: " in result["error"]


def test_lost(nasgate, unit, holding):
    """Somebody kills the command that holds it."""
    child, bundle, run_id = holding()
    pids = [pid for pid, line in processes("NASGATE_CHILD" if unit.kind == "local" else
                                           "NASGATE_REMOTE", run_id + ".").items()
            if line.startswith("/bin/sh -s -- take ")]
    assert len(pids) == 1
    os.kill(pids[0], signal.SIGKILL)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 5, (out, err)
    lost(bundle, "signalled 9")
    assert list(unit.volume.iterdir()) == []
    same_again(nasgate, bundle)


def test_taken_away(nasgate, unit, holding):
    """Somebody removes its entry."""
    child, bundle, _ = holding()
    for path in unit.entries():
        path.unlink()
    out, err = child.communicate(timeout=60)
    assert child.returncode == 5, (out, err)
    lost(bundle, "was removed by somebody")
    same_again(nasgate, bundle)


def test_lost_with_the_connection(nasgate, unit, holding, request):
    if unit.kind != "ssh":
        pytest.skip("only ssh has a connection to lose")
    server = request.getfixturevalue("sshd")
    child, bundle, _ = holding()
    for pid in server.connections():
        os.kill(pid, signal.SIGKILL)
    out, err = child.communicate(timeout=90)
    assert child.returncode == 5, (out, err)
    lost(bundle, "the connection to nas was lost")
    same_again(nasgate, bundle)


def test_no_place_for_entries(nasgate, unit):
    shutil.rmtree(unit.leases)
    try:
        done = nasgate.run(unit.plan(), env=unit.env)
    finally:
        unit.leases.mkdir()
    assert done.code == 5, done
    assert "NASGATE_LEASE_FOLDER is no folder there" in done.bundle.result["error"]
    assert {p["verdict"] for p in done.bundle.result["phases"]} == {"skipped"}
    assert done.bundle.result["leases"][0]["state"] == "failed"
    assert set(purposes(done.bundle)) <= {"origin of the plan", "lease"}


def test_unreachable(nasgate, unit):
    if unit.kind != "prefix":
        pytest.skip("one is enough")
    done = nasgate.run(unit.plan(host="{via: {prefix: [/no/such/program]}}"))
    assert done.code == 5, done
    assert "nas cannot be reached" in done.bundle.result["error"]


SEVERAL = """\
nasgate: 1
name: several
topology:
  hosts:
    one: {via: {prefix: [env, "NASGATE_LEASE_FOLDER=ONE"]}}
    two: {via: {prefix: [env, "NASGATE_LEASE_FOLDER=TWO"]}}
  volumes:
    disk: {on: one, path: "VOLUME"}
lease: [two, one]
phases:
  - name: w
    fio: {volume: disk, rw: randwrite, bs: 64 KiB, size: 4 MiB, time: 1 s}
    pass: [write.bw >= 1 kB/s]
"""


@pytest.fixture
def several(tmp_path, volume, write_plan):
    """several(same) -> (plan, folder of the first, folder of the second)."""
    if shutil.which("fio") is None:
        pytest.skip("fio is not installed")

    def make(same):
        one, two = tmp_path / "lease-1", tmp_path / "lease-2"
        one.mkdir()
        two = one if same else two
        two.mkdir(exist_ok=True)
        text = SEVERAL.replace("ONE", str(one)).replace("TWO", str(two))
        return write_plan(text.replace("VOLUME", str(volume))), one, two
    return make


def test_two_hosts_are_one_machine(nasgate, several):
    plan, one, _ = several(same=True)
    done = nasgate.run(plan)
    assert done.code == 0, done
    assert [x["state"] for x in done.bundle.result["leases"]] == ["held", "held"]
    assert list(one.iterdir()) == []


def test_all_or_none(nasgate, several, root):
    plan, one, two = several(same=False)
    script = (root / "runner/transport/lease.sh").read_bytes()
    other = subprocess.Popen(
        ["sh", "-s", "--", "take", "other", "0", "ci@box", JOB, "plan"], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={"PATH": os.environ["PATH"], "NASGATE_LEASE_FOLDER": str(two)})
    try:
        other.stdin.write(script)
        other.stdin.close()
        assert other.stdout.readline().startswith(b"held=")
        done = nasgate.run(plan)
        assert done.code == 4, done
        assert [(x["host"], x["state"]) for x in done.bundle.result["leases"]] == [
            ("one", "held"), ("two", "busy")]
        assert list(one.iterdir()) == [], "given back at once"
    finally:
        other.send_signal(signal.SIGINT)
        other.wait(timeout=30)


def test_judged_again_by_a_plan_with_a_lease(nasgate, several):
    plan, _, _ = several(same=True)
    text = plan.read_text()
    plan.write_text(text.replace("lease: [two, one]\n", ""))
    done = nasgate.run(plan)
    assert done.code == 0, done
    plan.write_text(text.replace(">= 1 kB/s", ">= 1 TB/s"))
    again = nasgate.new_output()
    judged = nasgate("replay", done.bundle, "--plan", plan, "-o", again, output=again)
    assert judged.code == 1, judged
    assert json.loads((again / "result.json").read_text())["leases"] == []
