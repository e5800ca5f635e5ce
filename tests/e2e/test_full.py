"""The file system of the bundle is full: at the start, and in the middle of a run."""

import pathlib

from small_disk import fill, says_where, small  # noqa: F401

PLAN = """\
nasgate: 1
name: full
topology:
  hosts: {here: local}
  links:
    loop: {ends: ["here:lo", "here:lo"]}
phases:
  - name: before
    ping: {link: loop, count: 2, interval: 200 ms}
    pass: [loss == 0%]
  - name: meanwhile
    ping: {link: loop, count: 15, interval: 200 ms}
    pass: [loss == 0%]
  - name: after
    ping: {link: loop, count: 2, interval: 200 ms}
    pass: [loss == 0%]
"""


def test_at_the_start(nasgate, write_plan, small):  # noqa: F811
    fill(small)
    done = nasgate.run(write_plan(PLAN), output=small / "out")
    assert done.code == 5, done
    assert f"cannot write {small}/out/plan.yaml: " in done.stderr
    assert says_where(small, done.stderr)
    assert "make room there, or write elsewhere" in done.stderr
    assert "nasgate: exit 5" in done.stderr and "pass" not in done.stdout.lower()


def test_in_the_middle(nasgate, write_plan, small, wait_for):  # noqa: F811
    out = small / "out"
    index = pathlib.Path(out, "evidence/index.jsonl")
    child, bundle = nasgate.start(write_plan(PLAN), output=out)
    wait_for(lambda: index.exists() and '"phase meanwhile 1/1: measure"' in index.read_text(),
             seconds=60)
    fill(small)
    printed, errors = child.communicate(timeout=60)
    assert child.returncode == 5, (printed, errors)
    assert "the evidence cannot be kept: cannot write " in printed
    assert "the disk of the bundle is full, it has 0 KiB left" in printed
    assert says_where(small, errors)
    reason = printed.split("report:")[0]
    assert str(small) not in reason and "(tmpfs)" not in reason, "reports name no place"
    lines = [line.split() for line in errors.splitlines()]
    verdicts = {words[1].rstrip(":"): words[0] for words in lines if len(words) > 1}
    assert verdicts["before"] == "pass"
    # Its figure was measured, and nobody could look it up again.
    assert verdicts["meanwhile"] == "error" and verdicts["after"] == "skipped", errors
    # What is on the disk is of before, and says that it is not complete.
    result = bundle.result
    assert result["exit_code"] == 5 and not result["complete"]
    assert [p["verdict"] for p in result["phases"] if p["name"] != "before"] == ["not judged"] * 2
    assert "no report: it could not be written" in printed and not (out / "report.md").exists()
    assert f"cannot write {out}/result.json: " in errors and "nasgate: exit 5" in errors
