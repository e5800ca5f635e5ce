"""Scripts that measure: a phase that is a script, and metrics of what a command printed."""

import json
import re
import subprocess

import pytest

from conftest import ROOT, Bundle
from lua_bombs import BOMBS

HEAD = """\
nasgate: 1
name: measured
topology:
  hosts: {here: local}
phases:
"""
PAGE = (ROOT / "docs" / "lua.md").read_text(encoding="utf-8")


def lua_phase(name, metrics="{n: count}", limits="[n >= 1]", more=""):
    return (f"  - name: {name}\n    lua: {{check: {name}, args: {{host: here}}, metrics: {metrics}}}\n"
            f"{more}    pass: {limits}\n")


def command_phase(name, argv, metrics="{n: count}", limits="[n >= 1]", more=""):
    return (f"  - name: {name}\n    command: {{host: here, argv: {json.dumps(argv)}, "
            f"extract: {name}, metrics: {metrics}{more}}}\n    pass: {limits}\n")


@pytest.fixture
def measured(write_plan):
    """measured(phases, {name: script}) -> path of a plan"""
    def write(phases, scripts=None):
        for name, text in (scripts or {}).items():
            write_plan(text, f"{name}.lua")
        return write_plan(HEAD + phases)
    return write


def started(bundle):
    """The commands of a run that goes on: its last line may be a part."""
    try:
        return bundle.commands
    except (OSError, ValueError):
        return []


def records(repeat):
    return {r["key"]: r["value"] for r in repeat["records"]}


def test_a_phase_asks_measures_and_is_judged(nasgate, measured, tmp_path):
    plan = measured(
        lua_phase("copies", "{n: count, rate: {unit: Mbit/s, better: higher}}",
                  "[n == 2, rate >= 7 Mbit/s, rate within 1 .. 2 MB/s]", "    repeat: 2\n"),
        {"copies": 'local a = run{host = args.host, argv = {"echo", "1", "2"}}\n'
                   'local b = run{host = args.host, argv = {"sh", "-c", "echo x >&2; exit 3"}}\n'
                   'assert(b.status == 3 and not b.ok and b.err == "x\\n")\n'
                   'metric("n", #fields(a.out))\nmetric("rate", 1, "MB/s")\n'
                   'record("repeat", phase().number)\nrecord("drawn", math.random(1000000))\n'
                   'print("looked")\nheld("fine")\n'})
    done = nasgate.run(plan)
    assert done.code == 0, done
    phase = done.bundle.phase("copies")
    assert [records(r)["repeat"] for r in phase["repeats"]] == ["1", "2"]
    first, second = map(records, phase["repeats"])
    assert first["drawn"] != second["drawn"]
    assert first["said"] == "fine" and first["printed"] == "looked"
    assert first["script"].startswith("copies.lua, SHA-256 ")
    assert {m["metric"]: m["value"] for m in phase["repeats"][0]["measures"]} == {"n": 2, "rate": 1e6}
    assert len(phase["repeats"][0]["evidence"]) == 2 and phase["repeats"][0]["duration_ns"] > 0
    assert [c for c in done.bundle.commands if c[0] == "echo"] == [["echo", "1", "2"]] * 2
    (plan.parent / "copies.lua").unlink()  # a replay needs nothing but the bundle
    assert nasgate("verify", done.bundle).code == 0
    again = nasgate("replay", done.bundle, "-o", tmp_path / "again")
    assert again.code == 0, again
    assert Bundle(tmp_path / "again").result["phases"] == done.bundle.result["phases"]
    assert (tmp_path / "again" / "report.md").read_bytes() == done.bundle.text("report.md").encode()


def test_thresholds_of_own_metrics_are_checked_when_loaded(nasgate, measured):
    done = nasgate("check", measured(
        lua_phase("a", "{n: count, lat: ms, host.x: count, bad-name: ms, u: parsecs}",
                  "[lat <= 3 MB/s, nn >= 1]")
        + lua_phase("b", "{}") + "  - name: c\n    lua: a\n",
        {"a": "metric('n', 1)", "b": "y = 1"}))
    assert done.code == 2
    for part in ("[unit]", 'cannot be called "host.x"', '"bad-name" is no name of a metric',
                 "b.lua:1:1: error: globals are read-only", "[lua-name]",):
        assert part in done.stderr, done
    done = nasgate("check", measured(
        lua_phase("a", "{n: count, lat: ms}", "[lat <= 3 MB/s, nn >= 1]") + lua_phase("b", "{}", "[]"),
        {"a": "metric('n', 1)", "b": "held()"}))
    for part in ("unknown name \"nn\"", "[dimension]", "name at least one metric"):
        assert part in done.stderr, done


def test_a_script_of_a_phase_is_tried_by_a_replay(nasgate, measured):
    plan = measured(lua_phase("a", "{n: count}", "[n >= 1]"), {"a": "metric('n', 1)"})
    done = nasgate.run(plan)
    assert done.code == 0, done
    tried = nasgate("lua", plan.parent / "a.lua", "--facts", done.bundle)
    assert tried.code == 2 and "a.lua is the measurement of the phase a in that plan" in tried.stderr, tried
    assert "nasgate replay --plan PLAN" in tried.stderr, tried
    (plan.parent / "a.lua").write_text("metric('n', 0)")
    again = nasgate("replay", "--plan", plan, done.bundle)
    assert again.code == 1, again


OUTCOMES = [
    ('metric("n", 0)', "fail", 1, "n 0 "),
    ('metric("n", 1) fail("too slow")', "fail", 1, "too slow"),
    ('fail("too slow")', "fail", 1, "too slow"),
    ('metric("n", 1) broken("a job began", "stop it")', "inconclusive", 6, "a job began; stop it"),
    ('broken("a job began")', "inconclusive", 6, "a job began"),
    ('metric("n", 1) unknown("cannot tell")', "inconclusive", 6, "cannot tell"),
    ('skip("no cache here")', "skipped", 5, "no cache here"),
    ("local x = 1", "error", 5, 'did not measure "n"'),
    ("held()", "error", 5, 'did not measure "n"'),
    ('metric("m", 1)', "error", 5, 'the plan names no metric "m"; add it'),
    ('metric("n", "1")', "error", 5, 'the value of "n" is a text; write tonumber(...)'),
    ('metric("n", 1, "ms")', "error", 5, '"ms" is a duration'),
    ('metric("n", 1, "ms")', "error", 5, 'give a unit, such as "count"'),
    ('metric("n", 1) metric("n", 2)', "error", 5, "measured already"),
    ('metric("n", 1)\nlocal t = nil\nheld(t.x)', "error", 5, ":3: error: attempt to index a nil value"),
]


@pytest.mark.parametrize("text, verdict, code, reason", OUTCOMES)
@pytest.mark.parametrize("place", ["lua", "command"])
def test_outcomes(nasgate, measured, place, text, verdict, code, reason):
    if place == "command" and "skip(" in text:  # what has run cannot be skipped
        verdict, code, reason = "error", 5, "skip() has no meaning in the metrics of a command"
    phases = (lua_phase("first") if place == "lua" else command_phase("first", ["true"])) + lua_phase(
        "second", more="    needs: [first]\n") + lua_phase("third")
    done = nasgate.run(measured(phases, {"first": text, "second": 'metric("n", 1)',
                                         "third": 'metric("n", 1)'}))
    first = done.bundle.phase("first")
    assert first["verdict"] == verdict and reason in first["reason"], first
    assert done.bundle.phase("second")["verdict"] == "skipped"
    assert done.bundle.phase("third")["verdict"] == "pass", "the run goes on"
    assert done.code == (0 if verdict == "skipped" else code), done
    xml = done.bundle.text("TEST-nasgate.xml")
    assert (verdict == "skipped") or re.search(r"<(failure|error|skipped)[^>]*message=\"[^\"]*" +
                                               re.escape(reason.split('"')[0].split(";")[0][:20]), xml), xml


def test_nothing_but_skipped_phases_is_no_pass(nasgate, measured):
    done = nasgate.run(measured(lua_phase("a"), {"a": 'skip("not here")'}))
    assert done.code == 5 and done.bundle.phase("a")["verdict"] == "skipped", done


@pytest.mark.parametrize("place", ["lua", "command"])
def test_every_bomb_is_an_error_and_the_run_goes_on(nasgate, measured, place):
    make = (lambda n: command_phase(n, ["echo", "x"])) if place == "command" else lua_phase
    phases = "".join(make(name) for name in BOMBS) + lua_phase("last")
    scripts = {name: f'metric("n", 7)\n{text}' for name, (text, _) in BOMBS.items()}
    done = nasgate.run(measured(phases, {**scripts, "last": 'metric("n", 1)'}))
    assert done.code == 5, done
    for name, (_, reason) in BOMBS.items():
        phase = done.bundle.phase(name)
        assert phase["verdict"] == "error" and reason in phase["reason"], phase
        assert f"{name}.lua" in phase["reason"]
    assert done.bundle.phase("last")["verdict"] == "pass"


def test_a_phase_that_asks_without_end_is_ended(nasgate, measured):
    plan = measured(
        lua_phase("asks") + lua_phase("late", more="    timeout: 1 s\n") + lua_phase("slow"),
        {"asks": 'while true do run{host = "here", argv = {"true"}} end',
         "late": 'run{host = "here", argv = {"sleep", "60"}}\n'
                 'run{host = "here", argv = {"true"}} metric("n", 1)',
         "slow": 'local a = run{host = "here", argv = {"sleep", "60"}, timeout = "100 ms"}\n'
                 'assert(a.failed and not a.status) metric("n", 1) unknown(a.failed)'})
    done = nasgate.run(plan)
    assert done.code == 5, done
    assert "asks.lua:1: error: a script runs at most 20 commands" in done.bundle.phase("asks")["reason"]
    assert done.bundle.phase("late")["reason"] == "the phase's timeout of 1 s was over"
    assert done.bundle.phase("slow")["verdict"] == "inconclusive"
    assert len([c for c in done.bundle.commands if c == ["true"]]) == 20


def test_what_the_timeout_of_the_phase_cuts_is_no_measurement(nasgate, measured):
    """Whatever the script makes of it: the command would have had more time by its own."""
    ends = {"measures": 'metric("n", 1)', "fails": 'if not a.ok then fail("no sync") end',
            "skips": 'if not a.ok then skip("no sync") end',
            "asks": 'run{host = args.host, argv = {"true"}} metric("n", 1)'}
    ask = 'local a = run{host = args.host, argv = {"sleep", "5"}, timeout = "9 s"}\n'
    done = nasgate.run(measured("".join(lua_phase(n, more="    timeout: 1 s\n") for n in ends),
                                {n: ask + text for n, text in ends.items()}))
    assert done.code == 5, done
    for phase in done.bundle.result["phases"]:
        assert (phase["verdict"], phase["reason"]) == ("error", "the phase's timeout of 1 s was over"), phase
    assert done.bundle.text("TEST-nasgate.xml").count('type="nasgate.timeout"') == len(ends)
    assert ["true"] not in done.bundle.commands
    assert nasgate("verify", done.bundle).code == 0


def test_what_a_script_said_is_not_taken_back_by_a_skip(nasgate, measured):
    done = nasgate.run(measured(
        lua_phase("pool", more="    repeat: 2\n") + lua_phase("half", more="    repeat: 2\n") + lua_phase("good"),
        {"pool": 'if phase().number == 2 then skip("gone") end metric("n", 1) fail("wrong pool")',
         "half": 'if phase().number == 2 then skip("gone") end metric("n", 1)', "good": 'metric("n", 1)'}))
    assert done.code == 1, done
    found = {p["name"]: (p["verdict"], p["reason"]) for p in done.bundle.result["phases"]}
    assert found["pool"] == ("fail", "wrong pool") and found["good"][0] == "pass"
    assert found["half"] == ("error", "repeat 2 of 2: skipped: gone")
    assert done.stderr.rstrip().endswith("fail: a threshold failed, or a script says so"), done


def test_commands_of_a_phase_are_in_its_records(nasgate, measured):
    done = nasgate.run(measured(lua_phase("asks"), {
        "asks": 'run{host = "here", argv = {"echo", "a b"}}\n'
                'run{host = "here", argv = {"sleep", "9"}, timeout = "50 ms"} metric("n", 1)'}))
    assert done.code == 0, done
    repeat, = done.bundle.phase("asks")["repeats"]
    first, second = repeat["evidence"]
    assert records(repeat)["command 1 on here"] == f"echo 'a b': status 0 (evidence {first})"
    assert records(repeat)["command 2 on here"] == f"sleep 9: it ended early (deadline) (evidence {second})"


def test_a_command_is_no_shell_and_its_status_counts(nasgate, measured):
    extract = 'metric("n", tonumber(output())) record("status", status()) record("err", output("err"))'
    plan = measured(
        command_phase("words", ["printf", "%s", "$HOME;2"], limits="[duration <= 1 m]")
        + command_phase("fails", ["sh", "-c", "echo 1; echo bad luck >&2; exit 3"])
        + command_phase("any", ["sh", "-c", "echo 1; echo hm >&2; exit 3"], more=", status: any")
        + command_phase("gone", ["no-such-command-here"])
        + "  - name: plain\n    command: {host: here, argv: [true]}\n    pass: [duration <= 1 m]\n",
        {"words": 'assert(output() == "$HOME;2") metric("n", 1)', "fails": extract, "any": extract,
         "gone": extract})
    done = nasgate.run(plan)
    assert done.code == 5, done
    verdicts = {p["name"]: (p["verdict"], p["reason"]) for p in done.bundle.result["phases"]}
    assert verdicts["words"][0] == verdicts["any"][0] == verdicts["plain"][0] == "pass", verdicts
    assert verdicts["fails"][0] == "error" and "failed with status 3: bad luck" in verdicts["fails"][1]
    assert verdicts["gone"][0] == "error" and "no-such-command-here" in verdicts["gone"][1]
    found = records(done.bundle.phase("any")["repeats"][0])
    assert found["err"] == "hm" and found["status"] == "3"


def test_what_a_command_prints_is_bounded(nasgate, measured):
    flood = ["sh", "-c", "head -c 300000 /dev/zero | tr '\\\\0' x"]
    plan = measured(
        command_phase("flood", flood) + lua_phase("reads"),
        {"flood": 'metric("n", #output())',
         "reads": 'local a = run{host = "here", argv = {"head", "-c", "300000", "/dev/zero"}}\n'
                  'assert(a.cut and not a.ok and #a.out <= 262144) metric("n", 1)'})
    done = nasgate.run(plan)
    assert "printed more than 256 KiB" in done.bundle.phase("flood")["reason"], done
    assert done.bundle.phase("reads")["verdict"] == "pass", done


def test_what_a_command_must_say_in_the_plan(nasgate, measured):
    for item, part in (
            ("{host: here, argv: [ps], metrics: {n: count}}", "nothing measures them"),
            ("{host: here, argv: [ps], status: any}", "needs a script that judges it"),
            ("{host: here, argv: ps -e}", "write [ps, ...]"),
            ("{host: here, argv: []}", "argv"),
            ("{host: gone, argv: [ps]}", "gone"),
            ("{host: here, argv: [ps], extract: a, metrics: {duration: ms}}", "measured by nasgate itself"),
            ("{host: here, argv: [ps], extract: gone}", "there is no gone.lua beside the plan"),
            ("{host: here, argv: [ps], extract: b}", "b.lua:2:1: error: prnt is unknown"),
            ("{host: here, argv: [ps], extract: {check: c, args: {host: there}}}", "c.lua:1:1: error: "),
            ("{host: here, argv: [ps], extract: {check: a, args: {host: there}}}", '"there"')):
        done = nasgate("check", measured(f"  - name: x\n    command: {item}\n    pass: [duration <= 1 s]\n",
                                         {"a": "held()", "b": "held()\nprnt(1)", "c": "held("}))
        assert done.code == 2 and part in done.stderr, done


def test_an_interrupted_script_is_no_measurement(nasgate, measured, wait_for):
    plan = measured(lua_phase("a"), {"a": 'run{host = "here", argv = {"sleep", "600"}, timeout = "600 s"}\n'
                                          'metric("n", 1)'})
    child, bundle = nasgate.start(plan)
    wait_for(lambda: any(c[0] == "sleep" for c in started(bundle)))
    child.send_signal(2)
    child.communicate(timeout=60)
    assert child.returncode == -2
    assert bundle.phase("a")["verdict"] == "error" and "interrupted" in bundle.phase("a")["reason"]


def test_examples_of_the_page_run(nasgate, write_plan):
    """The scripts and the plan that the page shows are written down as they are, and work."""
    section = PAGE[PAGE.index("## A phase of its own"):]
    scripts = re.findall(r"^```lua\n(.*?)^```", section, re.M | re.S)[:2]
    yaml = re.search(r"^```yaml\n(phases:\n.*?)^```", section, re.M | re.S).group(1)
    for name, text in zip(("copies", "speed"), scripts):
        write_plan(text, f"checks/{name}.lua")
    plan = write_plan(HEAD.replace("phases:\n", "") + yaml.replace("host: nas", "host: here"))
    assert nasgate("check", plan).code == 0
    done = nasgate.run(plan)
    assert done.code == 0, done


def test_a_script_that_does_without_an_answer_is_no_pass(nasgate, measured, tmp_path):
    """What it falls back to was not measured: the record says the code that the replay ends with."""
    script = ('local a = run{host = args.host, argv = {"sh", "-c", "echo 5"}}\n'
              'metric("n", a.ok and tonumber(a.out) or 7)\n')
    done = nasgate.run(measured(lua_phase("falls", limits="[n >= 1]"), {"falls": script}))
    assert done.code == 0, done
    other = measured(lua_phase("falls", limits="[n >= 1]"), {"falls": script.replace("5", "6")})
    again = nasgate("replay", done.bundle, "--plan", other, "-o", tmp_path / "out")
    assert again.code == 5, again
    made = Bundle(tmp_path / "out")
    assert made.result["exit_code"] == 5 and "not in the evidence" in made.result["error"]
    assert "not in the evidence" in made.text("report.md") + made.text("TEST-nasgate.xml")


@pytest.mark.parametrize("kind", ["lua", "extract"])
def test_a_baseline_by_another_script_is_none(nasgate, measured, kind):
    """The same name is not the same measurement."""
    phase = (lua_phase if kind == "lua" else
             lambda name, limits: command_phase(name, ["true"], limits=limits))
    plan = measured(phase("m", limits="[n >= 1]"), {"m": 'metric("n", 5)\n'})
    first = nasgate.run(plan)
    assert first.code == 0, first
    plan = measured(phase("m", limits="[n >= 95% of baseline]"), {"m": 'metric("n", 5)\n'})
    assert nasgate.run(plan, "--baseline", first.bundle).code == 0
    plan = measured(phase("m", limits="[n >= 95% of baseline]"), {"m": 'metric("n", 900)\n'})
    other = nasgate.run(plan, "--baseline", first.bundle)
    assert other.code == 2 and "measured something else" in other.stderr, other


def test_what_a_command_leaves_behind_is_ended_and_told(nasgate, measured):
    """No later number is measured beside it, and its own time is not its own."""
    left = "setsid sleep 300 >/dev/null 2>&1 & setsid sleep 300 >/dev/null 2>&1 & exit 0"
    count = ('local n = 0\nlocal a = run{host = args.host, argv = {"pgrep", "-fc", "^sleep 30[0]"}}\n'
             'metric("n", tonumber(a.out))\n')
    script = ('run{host = args.host, argv = {"sh", "-c", "' + left + '"}}\nmetric("n", 1)\n')
    before = int(subprocess.run(["pgrep", "-fc", "^sleep 30[0]"], capture_output=True, text=True,
                                check=False).stdout)
    done = nasgate.run(measured(
        command_phase("leaves", ["sh", "-c", left]).replace(", extract: leaves, metrics: {n: count}", "")
        .replace("[n >= 1]", "[duration <= 1 m]") + lua_phase("scripted") +
        lua_phase("counts", limits=f"[n == {before}]"), {"scripted": script, "counts": count}))
    assert done.code == 6, done
    phase = done.bundle.phase("leaves")
    assert phase["verdict"] == "inconclusive" and "left 2 processes behind" in phase["reason"], phase
    assert done.bundle.phase("counts")["verdict"] == "pass"
    assert sum(e.get("leftovers", 0) for e in done.bundle.events) == 4


def test_names_of_a_script_are_no_wire(nasgate, measured):
    """What limits the path is told from what engines measured, not from what a script calls it."""
    done = nasgate.run(measured(
        lua_phase("a", "{throughput: MB/s}", "[throughput >= 1 MB/s]") +
        lua_phase("b", "{read.bw: MB/s}", "[read.bw >= 1 MB/s]"),
        {"a": 'metric("throughput", 125, "MB/s")\nrecord("link.speed", "1 Mbit/s")\n',
         "b": 'metric("read.bw", 118, "MB/s")\nrecord("link.speed", "1 Mbit/s")\nrecord("disks", "4")\n'}))
    assert done.code == 0, done
    report = done.bundle.text("report.md")
    assert "measured wire" not in report and "94400" not in report and "29.5 MB/s" not in report
