"""The reports in the hands of those who read them: JUnit readers of CI systems, a Markdown linter.

Documents are made by real runs with a known outcome; the golden reports are read as well.
"""

import json
import pathlib
import shutil
import subprocess
import xml.etree.ElementTree as ET

import pytest

from conftest import ROOT, Nasgate

PLAN = """\
nasgate: 1
name: consumers
title: "Pipes | backticks ` and <tags> & @names"
topology:
  hosts:
    here: {{via: local}}
  links:
    loopback: {{ends: ["here:lo", "here:lo"]}}
  volumes:
    disk: {{on: here, path: {volume}}}
preconditions:
  - free_space: {{volume: disk, at_least: {space}}}
phases:
  - name: first
    ping: {{link: loopback, count: 2}}
    pass:
      - loss == 0%
      - rtt.max <= {limit}
  - name: second
    needs: first
    ping: {{link: loopback, count: 2}}
    pass:
      - loss == 0%
"""

# name: (values of the plan, exit code, are there failures, errors, skipped cases)
RUNS = {
    "passes": ({"space": "1 kB", "limit": "10 s"}, 0, (False, False, False)),
    "fails": ({"space": "1 kB", "limit": "1 ns"}, 1, (True, False, True)),
    "is-broken": ({"space": "900 TB", "limit": "10 s"}, 3, (False, True, True)),
}
GOLDEN = sorted(str(p.parent.relative_to(ROOT))
                for p in ROOT.glob("tests/golden/reports/*/TEST-nasgate.xml"))


@pytest.fixture(scope="module")
def bundles(binary, tmp_path_factory):
    """One bundle for each of RUNS."""
    made = {}
    for name, (values, code, _) in RUNS.items():
        folder = tmp_path_factory.mktemp(name)
        plan = folder / "plan.yaml"
        plan.write_text(PLAN.format(volume=folder, **values), encoding="utf-8")
        done = Nasgate(binary, folder).run(plan)
        assert done.code == code, f"{name}: {done}"
        made[name] = done.bundle
    return made


@pytest.fixture(params=[*RUNS, *GOLDEN])
def bundle(request, bundles):
    """The folder of one report after the other."""
    return bundles[request.param].path if request.param in RUNS else ROOT / request.param


@pytest.fixture
def document(bundle):
    return bundle / "TEST-nasgate.xml"


def recount(document):
    """What is in the document, by its elements alone."""
    cases = list(ET.parse(document).getroot().iter("testcase"))
    kinds = {k: sum(c.find(k) is not None for c in cases) for k in ("failure", "error", "skipped")}
    return {"tests": len(cases), **kinds, "passed": len(cases) - sum(kinds.values())}


def is_red(document):
    count = recount(document)
    return count["failure"] + count["error"] > 0


@pytest.mark.parametrize("name", RUNS)
def test_outcome_of_the_run_is_the_outcome_of_the_document(name, bundles):
    count = recount(bundles[name].path / "TEST-nasgate.xml")
    failures, errors, skipped = RUNS[name][2]
    assert (count["failure"] > 0, count["error"] > 0, count["skipped"] > 0) == \
        (failures, errors, skipped), count
    assert count["tests"] >= 3, "two phases and a precondition"


def test_document_keeps_to_what_all_readers_understand(document):
    root = ET.parse(document).getroot()
    assert root.tag == "testsuites" and "{" not in root.tag
    seen = set()
    totals = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    for suite in root:
        assert suite.tag == "testsuite" and suite.get("name")
        assert {c.tag for c in suite} <= {"properties", "testcase", "system-out", "system-err"}
        cases = suite.findall("testcase")
        for case in cases:
            key = (case.get("classname"), case.get("name"))
            assert all(key) and key not in seen, f"not unique: {key}"
            seen.add(key)
            assert len(case.get("name")) < 200 and case.get("classname").startswith("nasgate.")
            assert float(case.get("time")) >= 0 and len(case.get("time").split(".")[1]) == 3
            outcomes = [c for c in case if c.tag in ("failure", "error", "skipped")]
            assert len(outcomes) <= 1
            for outcome in outcomes:
                message = outcome.get("message")
                assert message and "\n" not in message and len(message) <= 250
                assert outcome.text and message in outcome.text, "GitLab shows the text alone"
                assert outcome.tag == "skipped" or "." in outcome.get("type")
        for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            number = sum(c.find(tag) is not None for c in cases)
            assert int(suite.get(key)) == number
            totals[key] += number
        assert int(suite.get("tests")) == len(cases)
        totals["tests"] += len(cases)
    assert {k: int(root.get(k)) for k in totals} == totals and totals["tests"] > 0


def test_xmllint(document):
    if shutil.which("xmllint") is None:
        pytest.skip("no xmllint")
    done = subprocess.run(["xmllint", "--noout", "--nonet", document], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_junitparser(document):
    if shutil.which("junitparser") is None:
        pytest.skip("no junitparser")
    # Debian's script asks for the first python3 in PATH, which may not see its module.
    script = pathlib.Path(shutil.which("junitparser"))
    done = subprocess.run(["/usr/bin/python3", script, "verify", document], capture_output=True,
                          text=True, check=False)
    assert done.returncode == (1 if is_red(document) else 0), done.stderr


def test_junitparser_counts(document):
    junitparser = pytest.importorskip("junitparser")
    words = {"Failure": "failure", "Error": "error", "Skipped": "skipped"}
    got = {"tests": 0, "failure": 0, "error": 0, "skipped": 0, "passed": 0}
    for suite in junitparser.JUnitXml.fromfile(str(document)):
        for case in suite:
            got["tests"] += 1
            got[words[type(case.result[0]).__name__] if case.result else "passed"] += 1
    assert got == recount(document)


def test_junit2json(document, reader):
    code, out = reader("junit2json", document)
    assert code == 0, out
    want, read = recount(document), json.loads(out)
    cases = [c for s in read["testsuite"] for c in s["testcase"]]
    got = {k: sum(k in c for c in cases) for k in ("failure", "error", "skipped")}
    assert {"tests": len(cases), **got, "passed": len(cases) - sum(got.values())} == want
    assert (read["tests"], read["failures"], read["errors"], read["skipped"]) == \
        (want["tests"], want["failure"], want["error"], want["skipped"])


def test_junit_to_ctrf(document, reader, tmp_path):
    code, out = reader("junit-to-ctrf", document, "-o", tmp_path / "ctrf.json", "-t", "nasgate")
    assert code == 0, out
    summary = json.loads((tmp_path / "ctrf.json").read_text(encoding="utf-8"))["results"]["summary"]
    want = recount(document)
    assert (summary["tests"], summary["passed"], summary["failed"], summary["skipped"]) == \
        (want["tests"], want["passed"], want["failure"] + want["error"], want["skipped"])


def test_verify_junit_xml(document, reader):
    code, out = reader("verify-junit-xml", document)
    assert code == (1 if is_red(document) else 0), out


def test_test_results_parser(document, consumers):
    script = """
        const r = require('test-results-parser').parse({type: 'junit', files: [process.argv[1]]});
        console.log(JSON.stringify(r));"""
    done = subprocess.run(["node", "-e", script, document], cwd=consumers, capture_output=True,
                          text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    read, want = json.loads(done.stdout), recount(document)
    # It takes skipped cases out of the total.
    assert (read["total"], read["passed"], read["failed"], read["errors"], read["skipped"]) == \
        (want["tests"] - want["skipped"], want["passed"], want["failure"], want["error"],
         want["skipped"])
    assert read["status"] == ("FAIL" if is_red(document) else "PASS")


def test_markdownlint(bundle, reader, tmp_path):
    # Long lines are tables; HTML is for folding and for code that holds a backslash and a pipe.
    (tmp_path / ".markdownlint-cli2.jsonc").write_text(json.dumps({"config": {
        "default": True, "MD013": False,
        "MD033": {"allowed_elements": ["details", "summary", "code"]}}}), encoding="utf-8")
    shutil.copy(bundle / "report.md", tmp_path / "report.md")
    code, out = reader("markdownlint-cli2", "report.md")
    assert code == 0, out
