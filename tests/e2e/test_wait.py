"""A run that waits for a rebuild: until it is done, until the time is over, and not at all."""

import json
import signal

import pytest

from changing_host import fake_host  # noqa: F401

PLAN = """\
nasgate: 1
name: waits
topology:
  hosts:
    here: local
    nas: VIA
  volumes:
    disk: {on: here, path: "VOLUME"}
preconditions:
  - no_rebuild: {host: nas, wait: 20 s}
MORE
phases:
  - name: w
    fio: {volume: disk, rw: write, bs: 64 KiB, size: 4 MiB, time: 1 s}
    pass: [write.bw >= 1 kB/s]
"""


def mdstat(work="", counters="[2/2] [UU]"):
    line = f"      [==>..]  {work} finish=0.0min speed=9K/sec\n" if work else ""
    return ("Personalities : [raid1] \nmd2 : active raid1 sda3[0] sdb3[1]\n"
            f"      900 blocks super 1.2 {counters}\n{line}\nunused devices: <none>\n")


CHECK = "check = 41.0% (369/900)"


@pytest.fixture
def lab(fake_host, write_plan, volume):  # noqa: F811
    """lab(more="", wait="20 s") -> (host, plan)"""
    def make(more="", wait="20 s"):
        host = fake_host()
        text = PLAN.replace("VIA", host.via).replace("VOLUME", str(volume))
        return host, write_plan(text.replace("MORE", more).replace("20 s", wait))
    return make


def condition(done, kind):
    return next(c for c in done.bundle.result["conditions"] if c["kind"] == kind)


def asked(done, host):
    """How often a host was asked for its facts before anything was measured."""
    count = 0
    for event in done.bundle.events:
        if event.get("event") == "start" and event["purpose"].startswith("phase"):
            break
        if event.get("event") == "start" and event["host"] == host and event["purpose"] == "facts":
            count += 1
    return count


def test_waits_until_it_is_done(lab, nasgate):
    host, plan = lab()
    host.write("proc/mdstat", mdstat(CHECK))
    host.write("proc/mdstat", mdstat("check = 90.5% (815/900)"), look=3)
    host.write("proc/mdstat", mdstat(), look=4)
    done = nasgate.run(plan)
    assert done.code == 0, done
    assert "waiting       no_rebuild-nas: md2 on nas is in check, 41.0%, less than a minute left" in done.stderr
    assert "waiting at most" in done.stderr
    found = condition(done, "no_rebuild")
    assert found["held"] == "held" and found["seen"] == "1 array is idle: md2"
    assert "waited" in str(found["looked_at"])
    # twice while it waited, and once more with all other hosts when it was done
    assert asked(done, "nas") == 5 and asked(done, "here") == 2, done


def test_the_time_is_over(lab, nasgate):
    host, plan = lab(wait="1 s")
    host.write("proc/mdstat", mdstat(CHECK))
    done = nasgate.run(plan)
    assert done.code == 3, done
    found = condition(done, "no_rebuild")
    assert found["held"] == "broken"
    assert found["seen"].startswith("md2 on nas is in check, 41.0%, less than a minute left; the run waited ")
    assert done.seconds < 60


def test_does_not_wait_when_something_else_is_broken(lab, nasgate):
    host, plan = lab(more='  - free_space: {volume: disk, at_least: 900 TiB}', wait="2 h")
    host.write("proc/mdstat", mdstat(CHECK))
    done = nasgate.run(plan)
    assert done.code == 3, done
    assert "waiting" not in done.stderr and asked(done, "nas") == 1
    assert condition(done, "no_rebuild")["seen"].endswith("less than a minute left")


def test_all_is_looked_at_anew_after_it(lab, nasgate):
    host, plan = lab(more="  - array_healthy: nas")
    host.write("proc/mdstat", mdstat(CHECK))
    host.write("proc/mdstat", mdstat(counters="[2/1] [U_]"), look=2)
    done = nasgate.run(plan)
    assert done.code == 3, done
    assert condition(done, "no_rebuild")["held"] == "held"
    assert "md2 on nas is not whole: degraded [2/1] [U_]" in condition(done, "array_healthy")["seen"]


RECOVERY = "recovery = 41.0% (369/900)"
DEGRADED = "[2/1] [U_]"


def test_degraded_array_that_is_filled_anew(lab, nasgate):
    """What is waited for mends the array: that it is degraded meanwhile does not forbid to wait."""
    host, plan = lab(more="  - array_healthy: nas")
    host.write("proc/mdstat", mdstat(RECOVERY, DEGRADED))
    host.write("proc/mdstat", mdstat(), look=3)
    done = nasgate.run(plan)
    assert done.code == 0, done
    assert "waiting       no_rebuild-nas" in done.stderr
    for kind in "no_rebuild", "array_healthy":
        assert condition(done, kind)["held"] == "held"
        assert "waited" in str(condition(done, kind)["looked_at"])


def test_still_degraded_when_it_is_done(lab, nasgate):
    host, plan = lab(more="  - array_healthy: nas")
    host.write("proc/mdstat", mdstat(RECOVERY, DEGRADED))
    host.write("proc/mdstat", mdstat(counters=DEGRADED), look=2)
    done = nasgate.run(plan)
    assert done.code == 3, done
    assert condition(done, "no_rebuild")["held"] == "held"
    found = condition(done, "array_healthy")
    assert found["held"] == "broken"
    assert found["seen"].startswith("md2 on nas is not whole: degraded [2/1] [U_], no member in "
                                    "sync in slot 1; the run waited ")
    assert asked(done, "nas") == 3  # when it was done no more is waited for


def test_degraded_until_the_time_is_over(lab, nasgate):
    host, plan = lab(more="  - array_healthy: nas", wait="1 s")
    host.write("proc/mdstat", mdstat(RECOVERY, DEGRADED))
    done = nasgate.run(plan)
    assert done.code == 3, done
    for kind in "no_rebuild", "array_healthy":
        assert condition(done, kind)["held"] == "broken"
        assert "the run waited " in condition(done, kind)["seen"]
    assert done.seconds < 60


@pytest.mark.parametrize("work, array", [
    ("check = 41.0% (369/900)", "md2"),                  # reads it, and mends nothing
    (RECOVERY, "md3"),                                   # another one is filled anew
])
def test_degraded_and_not_being_mended(lab, nasgate, work, array):
    host, plan = lab(more="  - array_healthy: nas", wait="2 h")
    text = mdstat(work, DEGRADED)
    if array != "md2":
        idle = mdstat(counters=DEGRADED).replace("md2", array).replace("sd", "sx")
        text = text.replace("unused", idle[idle.index(array):idle.index("unused")] + "unused")
    host.write("proc/mdstat", text)
    done = nasgate.run(plan)
    assert done.code == 3, done
    assert "waiting" not in done.stderr and asked(done, "nas") == 1
    assert array + " on nas is not whole" in condition(done, "array_healthy")["seen"]


def test_begins_again_right_after_its_end(lab, nasgate):
    host, plan = lab()
    host.write("proc/mdstat", mdstat(CHECK))
    host.write("proc/mdstat", mdstat(), look=2)
    host.write("proc/mdstat", mdstat("resync = 1.0% (9/900)"), look=3)
    host.write("proc/mdstat", mdstat(), look=4)
    done = nasgate.run(plan)
    assert done.code == 0, done
    assert "collecting facts again" in done.stderr
    assert asked(done, "nas") == 5 and asked(done, "here") == 3, done


def test_host_out_of_reach_for_a_moment(lab, nasgate):
    host, plan = lab()
    host.write("proc/mdstat", mdstat(CHECK))
    host.write("proc/mdstat", mdstat(), look=3)
    host.script('[ "$look" != 2 ] || exit 255')
    done = nasgate.run(plan)
    assert done.code == 0, done


def test_facts_that_take_too_long(fake_host, write_plan, volume, nasgate):  # noqa: F811
    """What came counts; what did not is unknown, and the message says what to do."""
    host = fake_host()
    host.tool("uname", "sleep 100\n")
    via = host.via.replace("{via:", "{facts_within: 1 s, via:", 1)
    done = nasgate.run(write_plan(PLAN.replace("VIA", via).replace("VOLUME", str(volume))
                                  .replace("MORE", "")))
    assert done.code == 3, done
    found = condition(done, "no_rebuild")
    assert found["held"] == "unknown"
    assert "the collector on nas was stopped after 1 s: if the host is slow" in found["seen"], found
    assert "(facts_within: of host nas)" in found["seen"]
    assert done.seconds < 15


def test_unknown_is_not_waited_for(lab, nasgate):
    host, plan = lab(wait="2 h")
    host.write("proc/mdstat", "")
    done = nasgate.run(plan)
    assert done.code == 3, done
    assert asked(done, "nas") == 1 and condition(done, "no_rebuild")["held"] == "unknown"


def collected(bundle):
    """How many hosts have told their facts."""
    if not (bundle.path / "evidence/index.jsonl").exists():
        return 0
    text = bundle.text("evidence/index.jsonl")
    events = [json.loads(line) for line in text[:text.rfind("\n") + 1].splitlines()]
    asked_for = {e["id"] for e in events if e.get("purpose") == "facts"}
    return len([e for e in events if e.get("event") == "end" and e["id"] in asked_for])


def test_signal_ends_the_wait(lab, nasgate, wait_for):
    host, plan = lab(wait="60 s")
    host.write("proc/mdstat", mdstat(CHECK))
    child, bundle = nasgate.start(plan)
    wait_for(lambda: collected(bundle) >= 3, seconds=60)
    child.send_signal(signal.SIGINT)
    printed, errors = child.communicate(timeout=60)
    assert child.returncode in (-signal.SIGINT, 130), (printed, errors)
    assert bundle.result["exit_code"] == 130
    assert all("interrupted" in p["reason"] for p in bundle.result["phases"])


def test_a_check_that_draws_numbers_does_not_forbid_to_wait(lab, nasgate, write_plan):
    """Its command has a drawn word in it: where the wait looks, it draws the same."""
    write_plan('local answer = run{host = "here", argv = {"echo", math.random(1000000000)}}\n'
               "held(trim(answer.out))", "drawn.lua")
    host, plan = lab("  - lua: drawn")
    host.write("proc/mdstat", mdstat(CHECK))
    host.write("proc/mdstat", mdstat(), look=3)
    done = nasgate.run(plan)
    assert done.code == 0, done
    assert condition(done, "lua")["held"] == "held"
