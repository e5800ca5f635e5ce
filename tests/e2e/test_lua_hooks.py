"""Hooks: scripts before and after the run and each phase, what each outcome does, and that a replay
runs them again."""

import json
import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

from conftest import ROOT, Bundle
from lua_bombs import BOMBS
from lua_hooks import PLAN, PHASES, hooked, verdicts, cases  # a fixture among them

PAGE = (ROOT / "docs" / "lua.md").read_text(encoding="utf-8")


def test_all_places_in_their_order_and_a_replay(nasgate, hooked, tmp_path):
    note = ('local p = phase()\nlocal a = run{host = "here", argv = {"echo", p and p.name or "run"}}\n'
            'record("out", a.out)\nrecord("metrics", p and p.metrics and p.metrics.duration and "yes")\n'
            'record("repeats", p and p.repeats) record("results", results().third.verdict)\n'
            'record("drawn", math.random(1000000)) expect("calm") held("noted")')
    places = ["before_run", "before_phase", "after_phase", "after_run"]
    plan = hooked({place: ["{lua: note, place: %s}" % place] for place in places}, {"note.lua": note})
    done = nasgate.run(plan)
    assert done.code == 0, done
    hooks = done.bundle.result["hooks"]
    assert [(h["place"], h["phase"]) for h in hooks] == [("before_run", None)] + [
        (place, name) for name in ("first", "second", "third")
        for place in ("before_phase", "after_phase")] + [("after_run", None)]
    assert all(h["outcome"] == "held" and h["reason"] == "noted" and h["expected"] == "calm" for h in hooks)
    looked = [{r["key"]: r["value"] for r in h["looked_at"]} for h in hooks]
    assert [x["out"] for x in looked] == ["run", *sum((["%s" % n] * 2 for n in ("first", "second", "third")), []), "run"]
    assert [x["metrics"] for x in looked][1:3] == ["nil", "yes"] and looked[2]["repeats"] == "2"
    assert looked[0]["results"] == "nil" and looked[-1]["results"] == "pass"
    report = done.bundle.text("report.md")
    assert "## Hooks" in report and "`before_run-note`" in report
    assert cases(done.bundle)["hooks before the run"] == {"before_run-note": None}
    assert cases(done.bundle)["hooks after the run"] == {"after_run-note": None}
    (plan.parent / "note.lua").unlink()
    assert nasgate("verify", done.bundle).code == 0
    again = nasgate("replay", done.bundle, "-o", tmp_path / "again")
    assert again.code == 0, again
    again = Bundle(tmp_path / "again")
    assert again.result["hooks"] == hooks
    for name in ("report.md", "TEST-nasgate.xml", "summary.md"):
        assert again.text(name) == done.bundle.text(name)


@pytest.mark.parametrize("text, outcome", [
    ('broken("busy", "wait")', "broken"), ('unknown("no idea")', "unknown"),
    ("local t = nil\nheld(t.x)", "error"), ('skip("x")', "error"), ('fail("x")', "error"),
    ('metric("x", 1)', "error")])
def test_before_the_run(nasgate, hooked, text, outcome):
    done = nasgate.run(hooked({"before_run": ["lua: a", "lua: b"]}, {"a.lua": text, "b.lua": "held()"}))
    assert done.code == 3, done
    hook, = done.bundle.result["hooks"]
    assert hook["outcome"] == outcome, "the next one may build on what this one refused"
    assert set(verdicts(done.bundle).values()) == {"skipped"}
    assert "before_run-a says " + outcome in done.stdout, done
    assert ("what to do: wait" in done.stdout) == (outcome == "broken"), done
    assert cases(done.bundle)["hooks before the run"] == {"before_run-a": "error"}
    assert not [c for c in done.bundle.commands if c == ["true"]], "nothing was measured"


@pytest.mark.parametrize("text, verdict, code", [
    ('skip("not here")', "skipped", 0), ('fail("wrong pool")', "fail", 1),
    ('broken("a job", "stop it")', "inconclusive", 6), ('unknown("no idea")', "inconclusive", 6),
    ("error('x')", "error", 5)])
def test_before_a_phase(nasgate, hooked, text, verdict, code):
    script = f'if phase().name == "first" then {text} end'
    done = nasgate.run(hooked({"before_phase": ["lua: a", "lua: b"]}, {"a.lua": script, "b.lua": "held()"}))
    assert done.code == code, done
    assert verdicts(done.bundle) == {"first": verdict, "second": "skipped", "third": "pass"}
    first = done.bundle.phase("first")
    assert first["repeats"] == [] and "before_phase-a: " in first["reason"], first
    assert [h["id"] for h in done.bundle.result["hooks"] if h["phase"] == "first"] == ["before_phase-a"]
    kind = {"skipped": "skipped", "fail": "failure"}.get(verdict, "error")
    assert cases(done.bundle)["first"]["measured"] == kind
    assert cases(done.bundle)["first"]["duration <= 1 m"] == "skipped"


@pytest.mark.parametrize("text, verdict, code", [
    ('fail("wrong pool")', "fail", 1), ('broken("it grew", "see why")', "inconclusive", 6),
    ('unknown("no idea")', "inconclusive", 6), ("error('x')", "error", 5), ('skip("x")', "error", 5)])
def test_after_a_phase(nasgate, hooked, text, verdict, code):
    script = f'if phase().name == "first" then {text} end'
    done = nasgate.run(hooked({"after_phase": ["lua: a", "lua: b"]}, {"a.lua": script, "b.lua": "held()"}))
    assert done.code == code, done
    assert verdicts(done.bundle) == {"first": verdict, "second": "skipped", "third": "pass"}
    first = done.bundle.phase("first")
    assert len(first["repeats"]) == 2 and "after_phase-a: " in first["reason"], first
    assert len([h for h in done.bundle.result["hooks"] if h["phase"] == "first"]) == 2
    assert cases(done.bundle)["first"]["measured"] == ("failure" if verdict == "fail" else "error")


@pytest.mark.parametrize("text, outcome, code", [
    ('fail("a disk died")', "fail", 1), ('broken("hot")', "broken", 6), ('unknown("hm")', "unknown", 6),
    ("error('x')", "error", 5), ('skip("x")', "error", 5), ('record("all", "well")', "held", 0)])
def test_after_the_run(nasgate, hooked, text, outcome, code, tmp_path):
    done = nasgate.run(hooked({"after_run": ["lua: a"]}, {"a.lua": text}))
    assert done.code == code, done
    hook, = done.bundle.result["hooks"]
    assert hook["outcome"] == outcome
    assert set(verdicts(done.bundle).values()) == {"pass"}
    if code:
        assert "after_run-a says " + outcome in done.stdout, done
        assert cases(done.bundle)["hooks after the run"]["after_run-a"] in ("failure", "error")
        assert f"after_run-a says {outcome}" in done.bundle.text("report.md")
    assert nasgate("replay", done.bundle, "-o", tmp_path / "again").code == code


def test_earlier_is_what_the_same_script_recorded(nasgate, hooked, tmp_path):
    counter = tmp_path / "counter"
    counter.write_text("3\n")
    grows = ('local now = tonumber(read{host = "here", path = args.file})\n'
             'local before = tonumber(earlier("n") or now)\nrecord("n", now)\n'
             'if now > before then broken("it grew by " .. now - before) end\nheld()')
    item = f'{{lua: grows, file: "{counter}"}}'
    other = f'{{lua: grows, file: "{counter}", other: true}}'
    done = nasgate.run(hooked({"before_phase": [item], "after_phase": [item], "after_run": [other]},
                              {"grows.lua": grows}, command=f"echo 5 > {counter}"))
    assert done.code == 6, done
    assert verdicts(done.bundle) == {"first": "inconclusive", "second": "skipped", "third": "pass"}
    assert "it grew by 2" in done.bundle.phase("first")["reason"]
    assert done.bundle.result["hooks"][-1]["outcome"] == "held", "other arguments, other memory"


def test_every_bomb_before_the_run_stops_it(nasgate, hooked):
    for name, (text, reason) in BOMBS.items():
        done = nasgate.run(hooked({"before_run": [f"lua: {name}"]}, {f"{name}.lua": text}))
        assert done.code == 3, done
        hook, = done.bundle.result["hooks"]
        assert hook["outcome"] == "error" and reason in hook["reason"], hook


@pytest.mark.parametrize("place", ["before_phase", "after_phase", "after_run"])
def test_every_bomb_is_an_error_and_the_run_goes_on(nasgate, write_plan, place):
    """A phase per bomb, at which that one goes off; before and after the run all of them do."""
    for name, (text, _) in BOMBS.items():
        write_plan(f'local p = phase()\nif p and p.name ~= "{name}" then held() end\n{text}', f"{name}.lua")
    phases = "".join(f"  - name: {n}\n    command: {{host: here, argv: [\"true\"]}}\n    pass: [duration <= 1 m]\n"
                     for n in [*BOMBS, "last"])
    hooks = "".join(f"    - lua: {name}\n" for name in BOMBS)
    done = nasgate.run(write_plan(PLAN + f"hooks:\n  {place}:\n{hooks}phases:\n{phases}"))
    assert done.code == 5, done
    found = {h["id"]: h for h in done.bundle.result["hooks"] if h["outcome"] == "error"}
    assert len(found) == len(BOMBS)
    for name, (_, reason) in BOMBS.items():
        hook = found[f"{place}-{name}"]
        assert reason in hook["reason"] and f"{name}.lua" in hook["reason"], hook
        if "phase" in place:
            assert done.bundle.phase(name)["verdict"] == "error" and hook["phase"] == name
    assert done.bundle.phase("last")["verdict"] == "pass"


def test_a_hook_that_dies_takes_no_failure_back(nasgate, write_plan):
    write_plan("error('x')", "dies.lua")
    write_plan('metric("n", 1) fail("wrong pool")', "fails.lua")
    phases = ('  - name: slow\n    command: {host: here, argv: ["true"]}\n    pass: [duration >= 1 h]\n'
              '  - name: said\n    lua: {check: fails, metrics: {n: count}}\n    pass: [n == 1]\n'
              '  - name: good\n    command: {host: here, argv: ["true"]}\n    pass: [duration <= 1 h]\n')
    done = nasgate.run(write_plan(PLAN + "hooks:\n  after_phase:\n    - lua: dies\nphases:\n" + phases))
    assert done.code == 1 and verdicts(done.bundle) == {"slow": "fail", "said": "fail", "good": "error"}, done
    assert "duration" in done.bundle.phase("slow")["reason"]
    assert done.bundle.phase("said")["reason"] == "wrong pool"
    good = done.bundle.phase("good")
    assert good["repeats"][0]["valid"] and good["judged"][0]["held"] == "held", good
    assert [f["weight"] for f in good["repeats"][0]["findings"]] == ["error"]
    assert cases(done.bundle)["good"] == {"measured": "error", "duration <= 1 h": None}
    assert cases(done.bundle)["slow"] == {"measured": "error", "duration >= 1 h": "failure"}
    assert done.stderr.rstrip().endswith("exit 1: fail: a threshold failed, or a script says so"), done


@pytest.mark.parametrize("text, verdict, code", [
    ("held()", "skipped", 0), ('fail("wrong pool")', "fail", 1), ("error('x')", "error", 5),
    ('broken("a job")', "inconclusive", 6)])
def test_a_skipped_phase_is_judged_by_its_hooks(nasgate, write_plan, text, verdict, code):
    write_plan('skip("no cache here")', "skips.lua")
    write_plan(f'if phase().name == "first" then {text} end', "after.lua")
    phases = ('  - name: first\n    lua: {check: skips, metrics: {n: count}}\n    pass: [n == 1]\n'
              '  - name: good\n    command: {host: here, argv: ["true"]}\n    pass: [duration <= 1 h]\n')
    done = nasgate.run(write_plan(PLAN + "hooks:\n  after_phase:\n    - lua: after\nphases:\n" + phases))
    assert done.code == code and verdicts(done.bundle) == {"first": verdict, "good": "pass"}, done


def test_what_a_hook_looked_at_is_told(nasgate, hooked):
    """Its commands with their evidence, and in JUnit its place and records as well."""
    script = ('local a = run{host = "here", argv = {"echo", "two words"}}\n'
              'run{host = "here", argv = {"sh", "-c", "exit 3"}}\nrecord("seen", a.out)\n'
              'if phase().name == "first" then broken("odd", "look") end')
    plan = hooked({"after_phase": ["lua: a"]}, {"a.lua": script})
    done = nasgate.run(plan)
    assert done.code == 6, done
    started = {e["id"]: e["argv"] for e in done.bundle.events if e.get("event") == "start"}
    for hook in done.bundle.result["hooks"]:
        looked = {r["key"]: r["value"] for r in hook["looked_at"]}
        for key, how, argv in (("command 1 on here", "echo 'two words': status 0", ["echo", "two words"]),
                               ("command 2 on here", "sh -c 'exit 3': status 3", ["sh", "-c", "exit 3"])):
            told, number = re.fullmatch(r"(.*) \(evidence (\d+)\)", looked[key]).groups()
            assert told == how and started[int(number)] == argv, looked
    assert "echo 'two words': status 0" in done.bundle.text("report.md")
    suites = {s.get("name"): s for s in ElementTree.fromstring(done.bundle.text("TEST-nasgate.xml")).iter("testsuite")}
    line = plan.read_text().split("\n").index("    - lua: a") + 1
    for name, place in (("first", "error"), ("third", "system-out")):
        body = suites[name].find("testcase").find(place).text
        for part in (f"hook after_phase-a, {plan.name}:{line}", "looked at seen: two words",
                     "looked at command 2 on here: sh -c 'exit 3': status 3"):
            assert part in body, body


def test_check_tells_what_is_wrong(nasgate, hooked):
    done = nasgate("check", hooked(
        {"before_run": ["lua: a", "mounted: x", "{lua: gone, host: here}", "{lua: a, unknown: allow}"],
         "before_runn": ["lua: a"], "after_run": ["{lua: a, host: there}", "lua: sub/b.lua"]},
        {"a.lua": "prnt(1)", "sub/b.lua": "held("}))
    assert done.code == 2
    for part in ('a.lua:1:1: error: prnt is unknown; did you mean "print"? [lua-name]',
                 'a hook is a script, written "- lua: NAME"', "there is no gone.lua",
                 'hooks have no "unknown"', 'hooks: unknown key "before_runn"; did you mean "before_run"?',
                 '"there"', "sub/b.lua:1:1: error: "):
        assert part in done.stderr, (part, done)


def test_what_is_said_before_a_run_names_hooks(nasgate, hooked):
    plan = hooked({"before_run": ["{lua: a, host: here}"], "before_phase": ["lua: b"],
                   "after_phase": ["lua: b"], "after_run": ["lua: b"]},
                  {"a.lua": "held(args.host)", "b.lua": "held()"})
    assert ", 4 hooks, " in nasgate("check", plan).stdout
    shown = nasgate("show", plan).stdout
    steps = [line.split("(")[0].strip() for line in shown[shown.index("\nSchedule"):].splitlines()
             if re.match(r"  (\d+\.|before|after)", line)]
    assert steps[:2] == ["before_run: before_run-a-here", "before_phase: before_phase-b"], shown
    assert steps[-2:] == ["after_phase: after_phase-b", "after_run: after_run-b"], shown
    assert steps.count("before_phase: before_phase-b") == steps.count("after_phase: after_phase-b") > 0
    told = nasgate("doctor", plan)
    assert "Not run here: 1 hook, which may still stop a run: before_run-a-here" in told.stdout, told
    assert "nothing stands against it" not in told.stdout
    for engine in ("lua", "command"):
        assert "the plan states what a script of it measures" in nasgate("metrics", engine).stdout


def test_show_and_schema_know_hooks(nasgate, hooked):
    plan = hooked({"before_run": ["{lua: a, host: here}"]}, {"a.lua": "held()"})
    shown = nasgate("show", plan)
    assert "hooks:\n  before_run:\n    - lua:\n        check: \"a.lua\"\n" in shown.stdout, shown
    jsonschema = pytest.importorskip("jsonschema", reason="no jsonschema for Python")
    schema = json.loads(nasgate("schema").stdout)
    validator = jsonschema.Draft7Validator(
        {"definitions": schema["definitions"], "$ref": "#/definitions/hooks"})
    for good in ({}, {"before_run": [{"lua": "a"}, {"lua": "a", "host": "nas"}]},
                 {"after_phase": [{"lua": {"check": "a", "args": {"x": 1}}}]}):
        assert validator.is_valid(good), good
    for bad in ({"before": []}, {"before_run": {"lua": "a"}}, {"before_run": [{"mounted": "x"}]},
                {"before_run": [{"lua": {"check": "a", "unknown": "allow"}}]}):
        assert not validator.is_valid(bad), bad


def test_hooks_of_the_page_run(nasgate, write_plan):
    section = PAGE[PAGE.index("## Hooks"):]
    text = re.search(r"^```lua\n(.*?)^```", section, re.M | re.S).group(1)
    yaml = re.search(r"^```yaml\n(.*?)^```", section, re.M | re.S).group(1)
    write_plan(text, "checks/note_load.lua")
    yaml = yaml.replace("host: nas", "host: here").replace("eth4", "lo")
    plan = write_plan(PLAN + yaml + PHASES.replace("COMMAND", "true"))
    assert nasgate("check", plan).code == 0
    done = nasgate.run(plan)
    assert done.code in (0, 3), done
    if done.code == 0:  # no backup job runs here
        hook = done.bundle.result["hooks"][-1]
        assert {"key": "passed", "value": "3"} in hook["looked_at"], hook


ETHTOOL = """\
#!/bin/sh
# The real one, and one counter more: of a cable that is bad.
[ -z "REAL" ] || REAL "$@" 2>/dev/null
[ "$1" != -S ] || printf 'NIC statistics:\n     rx_crc_errors: %s\n' "$(cat FILE)"
exit 0
"""
CABLE = """\
nasgate: 1
name: cable
topology:
  hosts: {{here: {via}}}
  links:
    cable: {{ends: ["here:{interface}", "here:{interface}"]}}
hooks:
  before_phase:
    - {{lua: nic_errors_quiet, host: here, interface: {interface}}}
  after_phase:
    - {{lua: nic_errors_quiet, host: here, interface: {interface}}}
    - {{lua: old, host: here}}
phases:
  - {{name: quiet, command: {{host: here, argv: ["true"]}}, pass: [duration <= 1 m]}}
  - {{name: noisy, command: {{host: here, argv: [sh, -c, "echo 12 > {file}"]}}, pass: [duration <= 1 m]}}
  - {{name: between, command: {{host: here, argv: ["true"]}}, pass: [duration <= 1 m]}}
"""
OLD = """\
local text, why = source(args.host, "nic.1.stats")
record("now", text or why)
record("old", source(args.host, "nic.1.stats", "before_run"))
record("facts", select(2, facts(args.host)))
"""


@pytest.fixture(params=["lo", "veth"])
def cable(request, write_plan, tmp_path):
    """A plan over a link end whose ethtool -S has counters, and the environment to run it in."""
    counter = tmp_path / "crc"
    counter.write_text("7\n", encoding="utf-8")
    tool = tmp_path / "bin" / "ethtool"
    tool.parent.mkdir()
    real = shutil.which("ethtool", path=os.environ["PATH"] + ":/usr/sbin") or ""
    tool.write_text(ETHTOOL.replace("REAL", real).replace("FILE", str(counter)), encoding="utf-8")
    tool.chmod(0o755)
    via, interface, space = "local", "lo", f"ngh{os.getpid()}"
    if request.param == "veth":
        if os.geteuid() != 0 or shutil.which("ip") is None:
            pytest.skip("network namespaces need root and ip")
        made = subprocess.run(["ip", "netns", "add", space], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            pytest.skip(f"no network namespaces here: {made.stderr.strip()}")
        request.addfinalizer(lambda: subprocess.run(["ip", "netns", "del", space], check=True))
        subprocess.run(["ip", "-n", space, "link", "add", "eth0", "type", "veth", "peer", "name", "eth1"], check=True)
        via, interface = f"{{via: {{prefix: [ip, netns, exec, {space}]}}}}", "eth0"
    write_plan(OLD, "old.lua")
    plan = write_plan(CABLE.format(via=via, interface=interface, file=counter))
    return plan, {"PATH": f"{tool.parent}:{os.environ['PATH']}"}


def test_errors_of_a_link_end_are_asked_anew_before_and_after_each_phase(nasgate, cable, tmp_path):
    plan, env = cable
    done = nasgate.run(plan, env=env)
    assert done.code == 6, done
    assert verdicts(done.bundle) == {"quiet": "pass", "noisy": "inconclusive", "between": "pass"}
    assert "rx_crc_errors by 5 on" in done.bundle.phase("noisy")["reason"]
    looked = {(h["phase"], h["id"], h["place"]): {r["key"]: r["value"] for r in h["looked_at"]}
              for h in done.bundle.result["hooks"]}
    counted = {(phase, place): x["rx_crc_errors"] for (phase, _, place), x in looked.items() if "rx_crc_errors" in x}
    assert counted == {("quiet", "before_phase"): "7", ("quiet", "after_phase"): "7",
                       ("noisy", "before_phase"): "7", ("noisy", "after_phase"): "12",
                       ("between", "before_phase"): "12", ("between", "after_phase"): "12"}
    old = [x for x in looked.values() if "old" in x]
    assert len(old) == 3
    for found in old:
        assert "from before the run" in found["now"] and "from before the run" in found["facts"]
        assert "rx_crc_errors: 7" in found["old"]
    again = nasgate("replay", done.bundle, "-o", tmp_path / "again")
    assert Bundle(tmp_path / "again").result["hooks"] == done.bundle.result["hooks"], again


def test_earlier_is_of_before_this_phase_and_of_nothing_else(nasgate, hooked, tmp_path):
    """What grows between phases is nobody's."""
    note = ('record("ran", earlier()) record("was", earlier("n"))\n'
            'record("n", read{host = "here", path = args.file})\nheld()')
    counter = tmp_path / "n"
    counter.write_text("1", encoding="utf-8")
    item = f'{{lua: note, file: "{counter}"}}'
    done = nasgate.run(hooked({place: [item] for place in ("before_run", "before_phase", "after_phase", "after_run")},
                              {"note.lua": note}, command=f"printf 1 >> {counter}"))
    assert done.code == 0, done
    found = [(h["place"], h["phase"], *({r["key"]: r["value"] for r in h["looked_at"]}[k] for k in ("ran", "was")))
             for h in done.bundle.result["hooks"]]
    assert found == [
        ("before_run", None, "false", "nil"),
        ("before_phase", "first", "false", "nil"), ("after_phase", "first", "true", "1"),
        ("before_phase", "second", "false", "nil"), ("after_phase", "second", "true", "111"),
        ("before_phase", "third", "false", "nil"), ("after_phase", "third", "true", "111"),
        ("after_run", None, "true", "1")], found
