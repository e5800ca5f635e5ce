"""Checks in Lua that are looked at again while and after phases: what they ask is asked anew, and
earlier() is what they recorded before."""

import re

import pytest

from conftest import Bundle
from lua_bombs import BOMBS

PLAN = """\
nasgate: 1
name: guarded
topology:
  hosts: {{here: local}}
preconditions:
  - {{lua: guard, host: here, file: "{file}", when: throughout{more}}}
phases:
  - name: first
{retry}    command: {{host: here, argv: [sh, -c, {first}]}}
    pass: [duration <= 1 m]
  - name: second
    command: {{host: here, argv: [sh, -c, {second}]}}
    pass: [duration <= 1 m]
"""
GROWS = """\
local text, why = read{host = args.host, path = args.file}
if not text then unknown(why) end
local now, before = tonumber(text), tonumber(earlier("count") or text)
record("count", now)
record("again", earlier())
if now > before then broken("it grew from " .. before .. " to " .. now) end
held("it is " .. now)
"""


@pytest.fixture
def guarded(write_plan, tmp_path):
    """guarded(script, first, second) -> path of a plan; FILE in a command is the file looked at."""
    counter = tmp_path / "counter"
    counter.write_text("3\n")

    def write(script, first="true", second="true", more="", retry=""):
        write_plan(script, "guard.lua")
        commands = [f"'{text}'".replace("FILE", str(counter)) for text in (first, second)]
        return write_plan(PLAN.format(file=counter, more=more, retry=retry,
                                      first=commands[0], second=commands[1]))
    return write


def verdicts(bundle):
    return {p["name"]: p["verdict"] for p in bundle.result["phases"]}


def test_what_it_asks_is_asked_anew(nasgate, guarded, tmp_path):
    done = nasgate.run(guarded(GROWS, first="echo 5 > FILE"))
    assert done.code == 6, done
    assert verdicts(done.bundle) == {"first": "inconclusive", "second": "pass"}
    event, = done.bundle.result["events"]
    assert event["guard"] == "lua-guard-here" and event["seen"] == "it grew from 3 to 5", event
    assert event["phase"] == "first" and not event["exact"]
    condition, = done.bundle.result["conditions"]
    assert {"key": "again", "value": "false"} in condition["looked_at"]
    asked = [c for c in done.bundle.commands if c[0] == "cat"]
    assert len(asked) == 3, "before the run, and after each phase"
    again = nasgate("replay", done.bundle, "-o", tmp_path / "again")
    assert again.code == 6, again
    assert Bundle(tmp_path / "again").result["events"] == done.bundle.result["events"]


def test_it_holds_as_long_as_nothing_changes(nasgate, guarded):
    done = nasgate.run(guarded(GROWS))
    assert done.code == 0 and not done.bundle.result["events"], done


def test_a_disturbed_phase_is_measured_again(nasgate, guarded):
    """What has grown once does not grow for ever: the guard holds again at the next look."""
    done = nasgate.run(guarded(GROWS, first="test -e FILE.on || { touch FILE.on; echo 9 > FILE; }",
                               retry="    retry: {times: 1}\n"))
    assert done.code == 0, done
    assert verdicts(done.bundle) == {"first": "pass", "second": "pass"}
    assert done.bundle.phase("first")["repeats"][0]["attempts"] == 2


def test_what_cannot_be_told_afterwards_is_unknown(nasgate, guarded):
    done = nasgate.run(guarded(GROWS, first="rm FILE"))
    assert done.code == 6, done
    assert verdicts(done.bundle) == {"first": "inconclusive", "second": "inconclusive"}
    assert all(e["held"] == "unknown" for e in done.bundle.result["events"])


def test_facts_are_there_at_each_look(nasgate, guarded):
    script = ('local f = facts(args.host)\nif not f or not f.platform.kernel then unknown("no facts") end\n'
              'held(f.platform.kernel)')
    done = nasgate.run(guarded(script))
    assert done.code == 0, done


@pytest.mark.parametrize("name", BOMBS)
def test_every_bomb_is_unknown_in_a_guard(nasgate, guarded, name):
    """It behaves before the run, and only then: that phase is inconclusive, and the run goes on."""
    text, reason = BOMBS[name]
    script = f'if earlier() then\n{text}\nend\nrecord("first", 1)\nheld("quiet")'
    done = nasgate.run(guarded(script))
    assert done.code == 6, done
    assert verdicts(done.bundle) == {"first": "inconclusive", "second": "inconclusive"}
    events = done.bundle.result["events"]
    assert len(events) == 2 and all(e["held"] == "unknown" and reason in e["seen"] for e in events), events


def test_interrupted_before_guards_were_looked_at(nasgate, write_plan, tmp_path, wait_for):
    """What was measured is complete, and yet nobody knows whether the guard held."""
    flag = tmp_path / "flag"
    ask = f"test ! -e {flag} || exec sleep 600"
    write_plan(f'run{{host = "here", argv = {{"sh", "-c", "{ask}"}}, timeout = "600 s"}} held()', "slow.lua")
    plan = write_plan("nasgate: 1\nname: guarded\ntopology:\n  hosts: {here: local}\n"
                      "preconditions:\n  - {lua: slow, when: throughout}\nphases:\n"
                      f"  - name: a\n    command: {{host: here, argv: [touch, \"{flag}\"]}}\n"
                      "    pass: [duration <= 1 h]\n")
    child, bundle = nasgate.start(plan)

    def looks_again():
        try:
            return flag.exists() and sum(ask in c for c in bundle.commands) == 2
        except (OSError, ValueError):
            return False
    wait_for(looks_again)
    child.send_signal(2)
    child.communicate(timeout=60)
    assert child.returncode == -2
    phase = bundle.phase("a")
    assert (phase["verdict"], phase["reason"]) == ("error", "interrupted before its guards were looked at")
    assert nasgate("verify", bundle).code == 0


UPTIME = """\
local text = read{host = args.host, path = "/proc/uptime"}
local now, before = tonumber(fields(text)[1]), tonumber(earlier("up"))
record("up", now)
if before and now <= before then broken("uptime stands still at " .. now, "wind it") end
held("up " .. now)
"""
WATCHED = "watch: {hosts: [here], every: 100 ms}\nphases:\n"


def watched(plan):
    """The same with samples, of which some change: what is guarded is looked at while it runs."""
    plan.write_text(plan.read_text(encoding="utf-8").replace("phases:\n", WATCHED), encoding="utf-8")
    return plan


def test_what_must_grow_is_compared_only_where_it_was_asked_anew(nasgate, guarded):
    done = nasgate.run(watched(guarded(UPTIME, first="sleep 0.5", second="sleep 0.5")))
    assert done.code == 0 and not done.bundle.result["events"], done


def test_a_command_that_only_a_later_look_asks_is_no_doubt_before(nasgate, guarded):
    script = ('if earlier("x") then run{host = args.host, argv = {"cat", args.file}} end\n'
              'record("x", 1)\nheld("quiet")')
    done = nasgate.run(watched(guarded(script, first="sleep 0.5", second="sleep 0.5")))
    assert done.code == 0 and not done.bundle.result["events"], done
    assert len([c for c in done.bundle.commands if c[0] == "cat"]) == 2, "after each phase"


def test_a_look_without_an_end_is_not_compared_with(nasgate, guarded):
    """The second look is unknown and records a part: the third still sees what grew since the first."""
    script = ('local text = read{host = args.host, path = args.file}\nlocal now = tonumber(text)\n'
              'if now == 4 then record("part", 1) unknown("half seen") end\n'
              'record("again", earlier()) local before = tonumber(earlier("n") or now)\nrecord("n", now)\n'
              'if now > before then broken("grew from " .. before .. " to " .. now) end\nheld("same")')
    done = nasgate.run(guarded(script, first="echo 4 > FILE", second="echo 9 > FILE"))
    assert done.code == 6, done
    seen = [(e["phase"], e["exact"], e["seen"]) for e in done.bundle.result["events"]]
    assert seen == [("first", False, "half seen"), ("second", False, "grew from 3 to 9")], seen


def test_one_that_was_never_seen_has_no_earlier_look(nasgate, guarded, tmp_path):
    """Unknown is allowed before the run: what the first look with an end sees is no growth from 0."""
    (tmp_path / "counter").unlink()
    script = ('local text, why = read{host = args.host, path = args.file}\nif not text then unknown(why) end\n'
              'record("n", trim(text))\nif earlier() then broken("compared with nothing") end\nheld("noted")')
    done = nasgate.run(guarded(script, first="echo 7 > FILE", second="true", more=", unknown: allow"))
    assert [e["phase"] for e in done.bundle.result["events"]] == ["second"], done


def test_what_is_broken_when_a_repeat_begins_breaks_it(nasgate, guarded):
    """A state, not a comparison: it was so at the last look, and nothing says that it ended before."""
    script = ('local text = read{host = args.host, path = args.file}\n'
              'if trim(text) == "5" then broken("a job runs", "wait for it") end\nheld("none")')
    done = nasgate.run(guarded(script, first="echo 5 > FILE", second="echo 3 > FILE"))
    assert done.code == 6, done
    assert verdicts(done.bundle) == {"first": "inconclusive", "second": "inconclusive"}
    first, second = done.bundle.result["events"]
    assert (first["phase"], first["exact"], first["until_ns"]) == ("first", False, 0)
    assert second["phase"] == "second" and second["exact"] and second["until_ns"] > second["at_ns"]


def test_a_retry_compares_each_look_with_the_one_before(nasgate, guarded):
    """One error is counted while it waits for a job to end: that blocks one look, not all of them."""
    script = ('local step = run{host = args.host, argv = {"sh", "-c", "echo >> $0; wc -l < $0", args.file .. ".looks"}}\n'
              'local look = tonumber(trim(step.out))\nlocal errors = look < 3 and 0 or 1\n'
              'local before = tonumber(earlier("errors") or errors)\nrecord("errors", errors)\n'
              'if look == 2 then broken("a job runs") end\n'
              'if errors > before then broken("an error more") end\nheld("quiet")')
    done = nasgate.run(guarded(script, retry="    retry: {times: 1, within: 14 s}\n"))
    assert done.code == 0, done
    assert done.bundle.phase("first")["repeats"][0]["attempts"] == 2
    assert len([c for c in done.bundle.commands if "echo >> $0" in " ".join(c)]) == 6


def test_the_event_tells_what_to_do_and_what_was_looked_at(nasgate, guarded):
    script = GROWS.replace('" to " .. now)', '" to " .. now, "mend the cable | now")')
    done = nasgate.run(guarded(script, first="echo 5 > FILE"))
    event, = done.bundle.result["events"]
    assert event["remedy"] == "mend the cable | now" and event["seen"] == "it grew from 3 to 5"
    assert {"key": "count", "value": "5"} in event["looked_at"]
    assert "mend the cable" in done.bundle.phase("first")["reason"]
    report = done.bundle.text("report.md")
    details = report[report.index("What guards looked at when they did not hold"):]
    assert re.search(r"\| `lua-guard-here` \| `first` \| 1 \| `count` \| `5` \|", details), details[:900]
    assert re.search("What to do:\n\n- .*lua-guard-here.*mend the cable", report), report
    assert "mend the cable" in done.bundle.text("TEST-nasgate.xml")
