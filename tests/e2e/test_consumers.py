"""The reports in the hands of those who read them: JUnit readers of CI systems, a Markdown linter.

Documents are made by real runs with a known outcome; the golden reports are read as well.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree as ET

import pytest

import again
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
    ping: {{link: loopback, count: {count}}}
    pass:
      - loss == 0%
      - rtt.max <= {limit}
  - name: second
    needs: first
    ping: {{link: loopback, count: 2}}
    pass:
      - loss == 0%
"""

STRADDLES = """\
    repeat: 3
    confidence: 95%
    pass:
      - loss == 0%
      - rtt.avg <= median(rtt.avg)
"""
ORDINARY = {"space": "1 kB", "limit": "10 s", "count": 2}

# name: (values of the plan, exit code, counts of tests, failures, errors, skipped): two preconditions,
# and of each phase "measured" and its thresholds.
RUNS = {
    "passes": ({}, 0, (7, 0, 0, 0)),
    "fails": ({"limit": "1 ns"}, 1, (7, 1, 0, 2)),
    "is-broken": ({"space": "900 TB"}, 3, (7, 0, 1, 5)),
    "has-an-error": ({"limit": "20 s"}, 5, (7, 0, 1, 4)),
    "is-inconclusive": ({}, 6, (7, 0, 1, 2)),
    "is-interrupted": ({"count": 600}, -signal.SIGTERM, (7, 0, 1, 4)),
}
GOLDEN = sorted(str(p.parent.relative_to(ROOT))
                for p in ROOT.glob("tests/golden/reports/*/TEST-nasgate.xml"))


def broken_ping(folder):
    """A PATH with a ping that knows its version and else fails."""
    script = folder / "bin" / "ping"
    script.parent.mkdir()
    script.write_text(f"""#!/bin/sh
case "$*" in *-V*) exec {shutil.which("ping")} "$@" ;; esac
echo "ping: sendmsg: Operation not permitted" >&2
exit 2
""", encoding="utf-8")
    script.chmod(0o755)
    return {"PATH": f"{script.parent}:{os.environ['PATH']}"}


def interrupt(runner, plan):
    """A run that gets SIGTERM while its first phase measures."""
    child, bundle = runner.start(plan)
    end = time.monotonic() + 30
    index = bundle.path / "evidence" / "index.jsonl"
    while "phase first" not in (index.read_text(encoding="utf-8") if index.exists() else ""):
        assert time.monotonic() < end and child.poll() is None, "the phase did not begin"
        time.sleep(0.02)
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=30)
    return child.returncode, bundle


def make(name, runner):
    """(exit code, bundle) of one of RUNS."""
    values, _, _ = RUNS[name]
    text = PLAN.format(volume=runner.folder, **{**ORDINARY, **values})
    if name == "is-inconclusive":
        text = re.sub(r"    pass:\n.*?(?=  - name: second)", STRADDLES, text, flags=re.S)
    plan = runner.folder / "plan.yaml"
    plan.write_text(text, encoding="utf-8")
    if name == "is-interrupted":
        return interrupt(runner, plan)
    done = runner.run(plan, env=broken_ping(runner.folder) if name == "has-an-error" else None)
    return done.code, done.bundle


@pytest.fixture(scope="module")
def bundles(binary, tmp_path_factory):
    """One bundle for each of RUNS."""
    if shutil.which("ping") is None:
        pytest.skip("ping is not installed")
    made = {}
    for name, (_, want, _) in RUNS.items():
        runner = Nasgate(binary, tmp_path_factory.mktemp(name))
        code, made[name] = make(name, runner)
        assert code == want, f"{name}: {code}, {made[name].result}"
        strict = runner("report", made[name], "-o", runner.folder / "strict", "--junit", "strict")
        assert strict.code == 0, strict
    return made


@pytest.fixture(params=[*RUNS, *GOLDEN])
def bundle(request, bundles):
    """The folder of one report after the other."""
    return bundles[request.param].path if request.param in RUNS else ROOT / request.param


@pytest.fixture
def document(bundle):
    return bundle / "TEST-nasgate.xml"


@pytest.fixture(params=[*[f"{name}-{dialect}" for name in RUNS for dialect in ("wide", "strict")],
                        *GOLDEN])
def either(request, bundles):
    """A document in both dialects of every run, and all golden ones."""
    name, _, dialect = request.param.rpartition("-")
    if name not in RUNS:
        return ROOT / request.param / "TEST-nasgate.xml"
    folder = bundles[name].path
    return (folder.parent / "strict" if dialect == "strict" else folder) / "TEST-nasgate.xml"


def recount(document):
    """What is in the document, by its elements alone."""
    cases = list(ET.parse(document).getroot().iter("testcase"))
    kinds = {k: sum(c.find(k) is not None for c in cases) for k in ("failure", "error", "skipped")}
    return {"tests": len(cases), **kinds, "passed": len(cases) - sum(kinds.values())}


def is_red(document):
    count = recount(document)
    return count["failure"] + count["error"] > 0


@pytest.mark.parametrize("name", RUNS)
def test_counts_of_a_run_are_known(name, bundles):
    for folder in (bundles[name].path, bundles[name].path.parent / "strict"):
        count = recount(folder / "TEST-nasgate.xml")
        assert (count["tests"], count["failure"], count["error"], count["skipped"]) == \
            RUNS[name][2]


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


def test_xmllint(either):
    if shutil.which("xmllint") is None:
        pytest.skip("no xmllint")
    done = subprocess.run(["xmllint", "--noout", "--nonet", either], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_junitparser(either):
    if shutil.which("junitparser") is None:
        pytest.skip("no junitparser")
    # Debian's script asks for the first python3 in PATH, which may not see its module.
    script = pathlib.Path(shutil.which("junitparser"))
    done = subprocess.run(["/usr/bin/python3", script, "verify", either], capture_output=True,
                          text=True, check=False)
    assert done.returncode == (1 if is_red(either) else 0), done.stderr


def test_junitparser_counts(either):
    junitparser = pytest.importorskip("junitparser")
    words = {"Failure": "failure", "Error": "error", "Skipped": "skipped"}
    got = {"tests": 0, "failure": 0, "error": 0, "skipped": 0, "passed": 0}
    for suite in junitparser.JUnitXml.fromfile(str(either)):
        for case in suite:
            got["tests"] += 1
            got[words[type(case.result[0]).__name__] if case.result else "passed"] += 1
    assert got == recount(either)


def test_junit2json(document, reader):
    code, out = reader("junit2json", document)
    assert code == 0, out
    want, read = recount(document), json.loads(out)
    cases = [c for s in read["testsuite"] for c in s["testcase"]]
    got = {k: sum(k in c for c in cases) for k in ("failure", "error", "skipped")}
    assert {"tests": len(cases), **got, "passed": len(cases) - sum(got.values())} == want
    assert (read["tests"], read["failures"], read["errors"], read["skipped"]) == \
        (want["tests"], want["failure"], want["error"], want["skipped"])


def test_junit_to_ctrf(either, reader, tmp_path):
    code, out = reader("junit-to-ctrf", either, "-o", tmp_path / "ctrf.json", "-t", "nasgate")
    assert code == 0, out
    summary = json.loads((tmp_path / "ctrf.json").read_text(encoding="utf-8"))["results"]["summary"]
    want = recount(either)
    assert (summary["tests"], summary["passed"], summary["failed"], summary["skipped"]) == \
        (want["tests"], want["passed"], want["failure"] + want["error"], want["skipped"])


def test_verify_junit_xml(either, reader):
    code, out = reader("verify-junit-xml", either)
    assert code == (1 if is_red(either) else 0), out


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


def test_gitlab_view(either):
    """GitLab keeps every case, with a text for each outcome."""
    if shutil.which("ruby") is None:
        pytest.skip("no ruby")
    done = subprocess.run(["ruby", ROOT / "tests" / "consumers" / "gitlab-view.rb", either],
                          capture_output=True, encoding="utf-8", check=False,
                          env={**os.environ, "LC_ALL": "C.UTF-8"})
    if "cannot load such file" in done.stderr:
        pytest.skip("no ActiveSupport or Nokogiri for ruby")
    assert done.returncode == 0, done.stderr
    kinds = [line.split("\t")[0] for line in done.stdout.splitlines()]
    got = {k: kinds.count(k) for k in ("failure", "error", "skipped")}
    assert {"tests": len(kinds), **got, "passed": kinds.count("success")} == recount(either)


@pytest.fixture(scope="module")
def merged(bundles, tmp_path_factory):
    """Two documents for the programs that merge: what they must add up to."""
    parts = [bundles[n].path / "TEST-nasgate.xml" for n in ("fails", "is-broken")]
    counts = [recount(p) for p in parts]
    return parts, {k: counts[0][k] + counts[1][k] for k in counts[0]}, tmp_path_factory


def test_junitparser_merge(merged, tmp_path):
    if shutil.which("junitparser") is None:
        pytest.skip("no junitparser")
    parts, want, _ = merged
    done = subprocess.run(["/usr/bin/python3", shutil.which("junitparser"), "merge", *parts,
                           tmp_path / "merged.xml"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert recount(tmp_path / "merged.xml") == want


def test_junit_report_merger(merged, reader, tmp_path):
    parts, want, _ = merged
    code, out = reader("junit-report-merger", tmp_path / "merged.xml", *parts)
    assert code == 0, out
    assert recount(tmp_path / "merged.xml") == want


def test_xunit_viewer(either, reader, tmp_path):
    code, out = reader("xunit-viewer", "-r", either, "-c", "-o", tmp_path / "out.html")
    if "ERR_UNKNOWN_ENCODING" in out:
        pytest.skip("xunit-viewer guesses an encoding that node does not know")
    assert code == 0, out
    want = recount(either)
    lines = out.splitlines()
    totals = [line for line in lines if re.fullmatch(r"\s*\d+ \w+(, \d+ \w+)*", line)][-1]
    for word, key in (("passed", "passed"), ("failure", "failure"), ("error", "error"),
                      ("skipped", "skipped")):
        found = re.search(rf"(\d+) {word}", totals)
        assert (int(found.group(1)) if found else 0) == want[key], out


STRICT = [*RUNS, *GOLDEN]


@pytest.mark.parametrize("name", STRICT)
def test_strict_is_valid_for_the_public_schemas(name, bundles):
    document = (bundles[name].path.parent / "strict" / "TEST-nasgate.xml" if name in RUNS
                else ROOT / name / "TEST-nasgate.strict.xml")
    if not again.schemas() or shutil.which("xmllint") is None:
        pytest.skip("no public JUnit schema or no xmllint")
    assert again.violations(document.read_text(encoding="utf-8")) == {}
    xmlschema = pytest.importorskip("xmlschema")
    for schema in again.schemas().values():
        errors = list(xmlschema.XMLSchema(str(schema)).iter_errors(str(document)))
        assert errors == [], f"{schema}: {errors}"


def test_wide_is_not_and_the_schemas_can_tell(bundles):
    if not again.schemas() or shutil.which("xmllint") is None:
        pytest.skip("no public JUnit schema or no xmllint")
    text = bundles["fails"].text("TEST-nasgate.xml")
    assert again.violations(text).keys() == again.schemas().keys()


def test_markdownlint(bundle, reader, tmp_path):
    # Long lines are tables; HTML is for folding and for code that holds a backslash and a pipe.
    (tmp_path / ".markdownlint-cli2.jsonc").write_text(json.dumps({"config": {
        "default": True, "MD013": False,
        "MD033": {"allowed_elements": ["details", "summary", "code"]}}}), encoding="utf-8")
    shutil.copy(bundle / "report.md", tmp_path / "report.md")
    code, out = reader("markdownlint-cli2", "report.md")
    assert code == 0, out
