"""Hooks of a run that ends early: refused, interrupted, its lease lost. What was paused is resumed."""

import pytest

from lua_hooks import hooked, verdicts, cases  # a fixture among them

PAUSE = 'run{host = "here", argv = {"touch", args.file}} held()'
RESUME = 'local a = run{host = "here", argv = {"rm", args.file}} if not a.ok then unknown(a.err) end held()'


@pytest.fixture
def paused(hooked, tmp_path):
    """paused(more hooks before, command, resume, files) -> plan that pauses a job, and the job's file"""
    def write(before=(), command="true", resume=RESUME, files=None):
        file = tmp_path / "paused"
        plan = hooked({"before_run": ['{lua: pause, file: "%s"}' % file, *before],
                       "after_run": ['{lua: resume, file: "%s"}' % file]},
                      {"pause.lua": PAUSE, "resume.lua": resume, **(files or {})}, command)
        return plan, file
    return write


def told(bundle):
    return [(h["id"], h["outcome"]) for h in bundle.result["hooks"]]


def begun(bundle, argv, times=1):
    """Whether a run that goes on has begun a command."""
    try:
        return sum(c == argv for c in bundle.commands) >= times
    except (OSError, ValueError):
        return False


def test_what_was_paused_is_resumed_when_a_hook_refuses(nasgate, paused):
    plan, file = paused(["lua: no", "lua: never"], files={"no.lua": 'broken("busy")', "never.lua": "held()"})
    done = nasgate.run(plan)
    assert done.code == 3 and not file.exists(), done
    assert told(done.bundle) == [("before_run-pause", "held"), ("before_run-no", "broken"),
                                 ("after_run-resume", "held")]
    assert nasgate("verify", done.bundle).code == 0


@pytest.mark.parametrize("where", ["measured", "before", "resumed"])
def test_what_was_paused_is_resumed_after_an_interrupt(nasgate, paused, wait_for, tmp_path, where):
    hang = ["sleep", "600"]
    flag = tmp_path / "flag"
    once = ["sh", "-c", f"test -e {flag} || { '{' } touch {flag}; exec sleep 600; { '}' }"]
    resume = 'run{host = "here", argv = {"sh", "-c", "%s"}, timeout = "600 s"}\n' % once[2] + RESUME
    slow = {"slow.lua": 'run{host = "here", argv = {"sleep", "600"}, timeout = "600 s"}'}
    plan, file = {"measured": lambda: paused(command="sleep 600"),
                  "before": lambda: paused(["lua: slow"], files=slow),
                  "resumed": lambda: paused(resume=resume)}[where]()
    child, bundle = nasgate.start(plan)
    argv = {"measured": ["sh", "-c", "sleep 600"], "before": hang, "resumed": once}[where]
    wait_for(lambda: begun(bundle, argv) and (where != "resumed" or flag.exists()))
    assert file.exists()
    child.send_signal(2)
    child.communicate(timeout=60)
    assert child.returncode == -2 and not file.exists()
    more = {"measured": [], "before": [("before_run-slow", "interrupted")],
            "resumed": [("after_run-resume", "interrupted")]}[where]
    assert told(bundle) == [("before_run-pause", "held"), *more, ("after_run-resume", "held")]
    assert nasgate("verify", bundle).code == 0


def test_interrupted_before_its_hooks_were_looked_at(nasgate, hooked, wait_for):
    """What was measured is complete, and yet nobody knows what the hook would have said."""
    plan = hooked({"after_phase": ["lua: a"]},
                  {"a.lua": 'run{host = "here", argv = {"sleep", "600"}, timeout = "600 s"}'})
    child, bundle = nasgate.start(plan)
    wait_for(lambda: begun(bundle, ["sleep", "600"]))
    child.send_signal(2)
    child.communicate(timeout=60)
    assert child.returncode == -2
    first = bundle.phase("first")
    assert (first["verdict"], first["reason"]) == ("error", "interrupted before its hooks were looked at")
    assert told(bundle) == [("after_phase-a", "interrupted")]
    assert cases(bundle)["first"] == {"measured": "error", "duration <= 1 m": "skipped"}
    assert 'type="nasgate.interrupted"' in bundle.text("TEST-nasgate.xml")
    assert nasgate("verify", bundle).code == 0


def test_a_lease_lost_in_a_hook_before_the_run(nasgate, paused, wait_for, tmp_path):
    """An error of the lab, no refusal of the hook; and what was paused is resumed."""
    plan, file = paused(["lua: slow"], files={
        "slow.lua": 'run{host = "here", argv = {"sleep", "600"}, timeout = "600 s"} held()'})
    plan.write_text(plan.read_text().replace("phases:\n", "lease: here\nphases:\n", 1))
    leases = tmp_path / "leases"
    leases.mkdir()
    child, bundle = nasgate.start(plan, env={"NASGATE_LEASE_FOLDER": str(leases)})
    wait_for(lambda: begun(bundle, ["sleep", "600"]))
    for path in [p for p in leases.rglob("*") if p.is_file()]:
        path.unlink()
    out, err = child.communicate(timeout=60)
    assert child.returncode == 5, (out, err)
    assert told(bundle) == [("before_run-pause", "held"), ("before_run-slow", "interrupted"),
                            ("after_run-resume", "held")]
    assert "the lease of here was lost: " in bundle.result["hooks"][1]["reason"]
    assert not file.exists()
    assert set(verdicts(bundle).values()) == {"skipped"}
    assert nasgate("verify", bundle).code == 0


def test_an_interrupt_in_a_hook_before_a_phase_skips_it(nasgate, hooked, wait_for):
    plan = hooked({"before_phase": ["lua: a"]},
                  {"a.lua": 'run{host = "here", argv = {"sleep", "600"}, timeout = "600 s"}'})
    child, bundle = nasgate.start(plan)
    wait_for(lambda: begun(bundle, ["sleep", "600"]))
    child.send_signal(2)
    child.communicate(timeout=60)
    assert child.returncode == -2
    assert {(p["verdict"], p["reason"]) for p in bundle.result["phases"]
            if p["name"] != "second"} == {("skipped", "the run was interrupted")}
    hook, = bundle.result["hooks"]
    assert (hook["outcome"], hook["reason"]) == ("interrupted", "interrupted")


def test_hooks_after_do_not_run_once_the_user_ends_it(nasgate, hooked, wait_for):
    plan = hooked({"after_phase": ["lua: a"], "after_run": ["lua: a"]}, {"a.lua": 'held("ran")'},
                  command="sleep 600")
    child, bundle = nasgate.start(plan)

    def measures():
        try:
            return any("sleep 600" in c for c in bundle.commands)
        except (OSError, ValueError):
            return False
    wait_for(measures)
    child.send_signal(2)
    child.communicate(timeout=60)
    assert child.returncode == -2 and bundle.result["hooks"] == []


def test_a_hook_that_is_ended_by_the_user(nasgate, hooked, wait_for):
    plan = hooked({"before_run": ["lua: a"]}, {"a.lua": 'run{host = "here", argv = {"sleep", "600"}, timeout = "600 s"}'})
    child, bundle = nasgate.start(plan)

    def runs():
        try:
            return ["sleep", "600"] in bundle.commands
        except (OSError, ValueError):
            return False
    wait_for(runs)
    child.send_signal(15)
    child.communicate(timeout=60)
    assert child.returncode == -15
    assert set(verdicts(bundle).values()) == {"skipped"}
    assert bundle.result["hooks"][0]["outcome"] == "interrupted"
    assert nasgate("verify", bundle).code == 0
