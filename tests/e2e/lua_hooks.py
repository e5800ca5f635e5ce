"""What the tests of hooks share: a plan with hooks, and what its reports say."""

import xml.etree.ElementTree as ElementTree

import pytest

PLAN = """\
nasgate: 1
name: hooked
topology:
  hosts: {here: local}
"""
PHASES = """\
phases:
  - name: first
    command: {host: here, argv: [sh, -c, 'COMMAND']}
    repeat: 2
    pass: [duration <= 1 m]
  - name: second
    needs: [first]
    command: {host: here, argv: ["true"]}
    pass: [duration <= 1 m]
  - name: third
    command: {host: here, argv: ["true"]}
    pass: [duration <= 1 m]
"""


@pytest.fixture
def hooked(write_plan):
    """hooked({place: [item, ...]}, {file: text}) -> path of a plan"""
    def write(hooks, files=None, command="true"):
        for name, text in (files or {}).items():
            write_plan(text, name)
        lines = [line for place, items in hooks.items()
                 for line in [f"  {place}:"] + [f"    - {item}" for item in items]]
        return write_plan(PLAN + "hooks:\n" + "\n".join(lines) + "\n" + PHASES.replace("COMMAND", command))
    return write


def verdicts(bundle):
    return {p["name"]: p["verdict"] for p in bundle.result["phases"]}


def cases(bundle):
    """suite -> {case: the kind of its outcome, or None}; no case has two."""
    found = {}
    for suite in ElementTree.fromstring(bundle.text("TEST-nasgate.xml")).iter("testsuite"):
        found[suite.get("name")] = {}
        for case in suite.findall("testcase"):
            kinds = [child.tag for child in case if child.tag != "system-out"]
            assert len(kinds) <= 1
            found[suite.get("name")][case.get("name")] = kinds[0] if kinds else None
    return found
