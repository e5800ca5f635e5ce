"""What a run tells on standard output: all of it where nobody looks, cut to a terminal's width."""

import fcntl
import os
import pty
import shutil
import struct
import subprocess
import termios

import pytest

PLAN = """\
nasgate: 1
name: wire
topology:
  hosts: {here: local}
  links:
    loop: {ends: ["here:lo", "here:lo"]}
phases:
  - name: rtt
    ping: {link: loop, count: 2}
    pass: [rtt.avg %s, rtt.max <= 10 s]
"""

BROKEN = """\
nasgate: 1
name: wire
topology:
  hosts: {here: local}
  links:
    loop: {ends: ["here:lo", "here:lo"], mtu: 1234}
preconditions:
  - mtu_match: loop
  - tools: "a-tool-that-nobody-has >= 1.2"
phases:
  - name: rtt
    ping: {link: loop, count: 2}
    pass: [rtt.avg <= 1 s]
"""


@pytest.fixture(autouse=True)
def ping():
    if shutil.which("ping") is None:
        pytest.skip("ping is not installed")


def test_quiet_and_passed_is_one_line(nasgate, write_plan):
    done = nasgate.run(write_plan(PLAN % "<= 10 s"), "-q")
    assert done.code == 0, done
    assert done.stdout == f"pass  1 phase passed; report: {done.output}/report.md\n"


def test_quiet_tells_only_what_is_wrong(nasgate, write_plan):
    text = PLAN % "<= 1 ns" + PLAN.partition("phases:\n")[2].replace("rtt\n", "fine\n") % "<= 10 s"
    done = nasgate.run(write_plan(text), "-q")
    assert done.code == 1, done
    assert "rtt" in done.stdout and "fine" not in done.stdout


def test_reasons_are_whole_without_a_terminal(nasgate, write_plan):
    done = nasgate.run(write_plan(PLAN.replace("10 s", "1 ns") % "<= 1 ns"))
    assert done.code == 1, done
    reason = done.bundle.phase("rtt")["reason"]
    assert len(reason) > 48
    assert done.stdout.count(reason) == 2  # at the top and in the table


def test_preconditions_one_below_the_other(nasgate, write_plan):
    done = nasgate.run(write_plan(BROKEN))
    assert done.code == 3, done
    top = done.stdout.strip().splitlines()[0]
    assert top.startswith("PRECONDITION BROKEN  mtu_match-loop is broken: expected ")
    assert top.endswith("; and 1 more precondition")
    for condition in done.bundle.result["conditions"]:
        if condition["held"] != "held":
            for key in ("expected", "seen"):
                assert f"    {key}: {condition[key]}\n" in done.stdout


def test_a_terminal_gets_no_line_longer_than_it_is(nasgate, write_plan, tmp_path):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    plan = write_plan(PLAN.replace("10 s", "1 ns") % "<= 1 ns")
    child = subprocess.Popen(
        [nasgate.binary, "run", "-o", tmp_path / "out", plan], stdin=subprocess.DEVNULL,
        stdout=theirs, stderr=subprocess.DEVNULL, env=nasgate.env())
    os.close(theirs)
    text = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
    os.close(ours)
    assert child.wait(timeout=60) == 1
    table = text.decode().replace("\r\n", "\n").partition("\nPhases\n")[2].partition("\nreport:")[0]
    table = table.partition("\nnote:")[0]  # a sentence, which the terminal wraps
    assert "rtt" in table and "..." in table
    assert max(map(len, table.splitlines())) <= 100
