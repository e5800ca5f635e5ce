"""What CI systems get: annotations, the summary of a job, metrics, and the recipes of docs/ci."""

import csv
import json
import os
import re
import shutil
import subprocess

import pytest

from conftest import ROOT, Bundle, Nasgate

PLAN = """\
nasgate: 1
name: ci
topology:
  hosts: {{here: local}}
  links:
    loop: {{ends: ["here:lo", "here:lo"]}}
phases:
  - name: wire
    ping: {{link: loop, count: 2}}
    repeat: 2
    pass:
{limits}"""
BAD = "rtt.max <= 1 ns"
RECIPES = ("github.yml", "gitlab.yml", "gitea.yml", "azure.yml")


def plan_text(*limits):
    return PLAN.format(limits="".join(f"      - {limit}\n" for limit in limits))


def fails(nasgate, write_plan, *arguments, count=1, env=None):
    """A run in which `count` thresholds fail."""
    if shutil.which("ping") is None:
        pytest.skip("ping is not installed")
    limits = [f"rtt.max <= {i} ns" for i in range(1, count + 1)]
    write_plan(plan_text("loss == 0%", *limits))
    done = nasgate.run("plan.yaml", *arguments, env=env)
    assert done.code == 1, done
    return done


@pytest.fixture(scope="module")
def passed(binary, tmp_path_factory):
    if shutil.which("ping") is None:
        pytest.skip("ping is not installed")
    folder = tmp_path_factory.mktemp("passed")
    (folder / "plan.yaml").write_text(plan_text("loss == 0%"), encoding="utf-8")
    done = Nasgate(binary, folder).run("plan.yaml")
    assert done.code == 0, done
    return done


def commands(done):
    """Lines that GitHub or Azure would take for commands."""
    return [line for line in done.stdout.splitlines()
            if line.lstrip().startswith("::") or "##[" in line or "##vso[" in line]


def test_no_annotations_outside_of_ci(nasgate, write_plan):
    assert commands(fails(nasgate, write_plan)) == []


@pytest.mark.parametrize("arguments, env", [
    ([], {"GITHUB_ACTIONS": "true"}),
    (["--annotations", "auto"], {"GITHUB_ACTIONS": "true"}),
    (["--annotations", "github"], {}),
    (["--annotations=github"], {"TF_BUILD": "True"}),
])
def test_annotations_for_github(nasgate, write_plan, arguments, env):
    done = fails(nasgate, write_plan, *arguments, env=env)
    lines = commands(done)
    assert len(lines) == 1, done
    match = re.fullmatch(r"::error file=([^,:]+),line=(\d+),title=([^,:]+(?:%3A|%2C|[^,:])*)::(.*)",
                         lines[0])
    assert match, lines
    assert match.group(1) == "plan.yaml" and "wire" in match.group(3)
    text = (nasgate.folder / "plan.yaml").read_text(encoding="utf-8").splitlines()
    assert "rtt.max <= 1 ns" in text[int(match.group(2)) - 1]
    assert "above the limit" in match.group(4)
    assert done.stdout.index("Phases") < done.stdout.index("::error"), "behind the summary"


@pytest.mark.parametrize("arguments, env", [
    ([], {"TF_BUILD": "True"}), (["--annotations", "azure"], {"GITHUB_ACTIONS": "true"})])
def test_annotations_for_azure(nasgate, write_plan, arguments, env):
    lines = commands(fails(nasgate, write_plan, *arguments, env=env))
    assert len(lines) == 1
    assert re.fullmatch(
        r"##vso\[task\.logissue type=error;sourcepath=plan\.yaml;linenumber=\d+\]wire: .* above the limit .*",
        lines[0]), lines


def test_annotations_can_be_left_out(nasgate, write_plan):
    done = fails(nasgate, write_plan, "--annotations", "none", env={"GITHUB_ACTIONS": "true"})
    assert commands(done) == []
    wrong = nasgate("run", "--annotations", "gitlab", "plan.yaml")
    assert wrong.code == 2 and "write auto, github, azure or none" in wrong.stderr


def test_at_most_nine_annotations_and_how_many_more(nasgate, write_plan):
    done = fails(nasgate, write_plan, "--annotations", "github", count=12)
    lines = commands(done)
    assert len(lines) == 10
    assert lines[9].startswith("::error title=nasgate::and 3 more")


def test_replay_annotates_too(nasgate, write_plan, tmp_path):
    done = fails(nasgate, write_plan)
    replayed = nasgate("replay", done.bundle, "-o", tmp_path / "again", "--annotations", "github")
    assert replayed.code == 1 and len(commands(replayed)) == 1, replayed


def test_no_tool_can_forge_a_command(nasgate, write_plan, tmp_path):
    """A ping that prints commands; what it says is shown on both streams."""
    if shutil.which("ping") is None:
        pytest.skip("ping is not installed")
    script = tmp_path / "bin" / "ping"
    script.parent.mkdir()
    script.write_text(f"""#!/bin/sh
case "$*" in *-V*) exec {shutil.which("ping")} "$@" ;; esac
echo '##vso[task.complete result=Succeeded;]x ##[error]y ::error::forged' >&2
exit 2
""", encoding="utf-8")
    script.chmod(0o755)
    write_plan(plan_text("loss == 0%"))
    done = nasgate.run("plan.yaml", "--annotations", "none",
                       env={"PATH": f"{script.parent}:{os.environ['PATH']}"})
    assert done.code == 5, done
    assert "task.complete" in done.stdout + done.stderr, "the test shows nothing"
    for line in (done.stdout + done.stderr).splitlines():
        assert not line.lstrip().startswith("::") and "##[" not in line and "##vso[" not in line


def test_summary_is_appended_to_the_page_of_the_job(nasgate, write_plan, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("### Another step\n\n", encoding="utf-8")
    done = fails(nasgate, write_plan, env={"GITHUB_STEP_SUMMARY": str(page)})
    text = page.read_text(encoding="utf-8")
    assert text == "### Another step\n\n" + done.bundle.text("summary.md")
    assert text.splitlines()[2].startswith("### FAIL - ci")


@pytest.mark.parametrize("used, kept", [(898_700, "Cut:"), (899_990, None), (2_000_000, None)])
def test_summary_keeps_to_what_is_left_of_the_page(nasgate, write_plan, tmp_path, used, kept):
    page = tmp_path / "page.md"
    page.write_text("x" * used, encoding="utf-8")
    done = fails(nasgate, write_plan, env={"GITHUB_STEP_SUMMARY": str(page)})
    size = page.stat().st_size
    if kept is None:
        assert size == used and "no summary" in done.stderr
    else:
        assert used < size <= 900_000 and kept in page.read_text(encoding="utf-8")[used:]


def test_a_page_that_cannot_be_written_changes_no_verdict(nasgate, write_plan, tmp_path):
    done = fails(nasgate, write_plan, env={"GITHUB_STEP_SUMMARY": str(tmp_path / "no" / "page")})
    assert "warning: no summary" in done.stderr
    assert done.stderr.rstrip().splitlines()[-1].startswith("nasgate: exit 1: ")


def test_openmetrics_is_read(passed):
    parser = pytest.importorskip("prometheus_client.openmetrics.parser")
    families = {f.name: f for f in
                parser.text_string_to_metric_families(passed.bundle.text("metrics.txt"))}
    assert families["nasgate_run_exit_code"].samples[0].value == 0
    assert families["nasgate_run_phase_passed"].samples[0].labels == {"phase": "wire"}
    rtt = families["nasgate_metric_rtt_avg_seconds"].samples[0]
    values = [m["value"] for r in passed.bundle.phase("wire")["repeats"] for m in r["measures"]
              if m["metric"] == "rtt.avg"]
    assert rtt.value == pytest.approx(sum(values) / 2, rel=1e-3)


def test_golden_openmetrics_are_read():
    parser = pytest.importorskip("prometheus_client.openmetrics.parser")
    files = sorted(ROOT.glob("tests/golden/reports/*/metrics.txt"))
    assert files
    for path in files:
        assert list(parser.text_string_to_metric_families(path.read_text(encoding="utf-8"))), path


def test_csv_has_every_repeat(passed):
    lines = list(csv.DictReader(passed.bundle.text("metrics.csv").splitlines()))
    assert list(lines[0]) == ["phase", "repeat", "metric", "value", "unit", "valid"]
    got = {(line["phase"], int(line["repeat"]), line["metric"]): float(line["value"])
           for line in lines}
    want = {("wire", r["number"], m["metric"]): m["value"]
            for r in passed.bundle.phase("wire")["repeats"] for m in r["measures"]}
    assert got == want and {line["valid"] for line in lines} == {"true"}


def test_golden_csv_is_a_table():
    for path in ROOT.glob("tests/golden/reports/*/metrics.csv"):
        with path.open(encoding="utf-8", newline="") as f:
            rows = list(csv.reader(f, strict=True))
        assert all(len(row) == 6 for row in rows), path
        assert not any(cell[:1] in ("=", "+", "@") for row in rows for cell in row), path


def test_benchmark_files(passed):
    both = [json.loads(passed.bundle.text(f"benchmark-{word}.json")) for word in ("bigger", "smaller")]
    for entry in both[0] + both[1]:
        assert {"name", "unit", "value", "range", "extra"} == set(entry)
        assert isinstance(entry["value"], (int, float)) and entry["name"].startswith("wire / ")
    names = [[e["name"] for e in entries] for entries in both]
    assert "wire / rtt.avg" in names[1] and not set(names[0]) & set(names[1])


def test_ctrf_is_valid_and_counts_as_junit_does(passed, consumers):
    schema = consumers / "node_modules" / "ctrf" / "dist" / "ctrf-schema.json"
    jsonschema = pytest.importorskip("jsonschema")
    paths = [passed.bundle.path / "ctrf.json", *ROOT.glob("tests/golden/reports/*/ctrf.json")]
    for path in paths:
        document = json.loads(path.read_text(encoding="utf-8"))
        jsonschema.validate(document, json.loads(schema.read_text(encoding="utf-8")))
        junit = (path.parent / "TEST-nasgate.xml").read_text(encoding="utf-8")
        summary = document["results"]["summary"]
        assert summary["tests"] == len(document["results"]["tests"]) == junit.count("<testcase ")
        assert summary["skipped"] == junit.count("<skipped ")
        assert summary["failed"] == junit.count("<failure ") + junit.count("<error ")


def test_summary_and_recipes_pass_markdownlint(passed, reader, tmp_path):
    (tmp_path / ".markdownlint-cli2.jsonc").write_text(json.dumps({"config": {
        "default": True, "MD013": False, "MD041": False,
        "MD033": {"allowed_elements": ["details", "summary", "code"]}}}), encoding="utf-8")
    shutil.copy(passed.bundle.path / "summary.md", tmp_path / "passed.md")
    shutil.copy(ROOT / "docs" / "ci" / "README.md", tmp_path / "recipes.md")
    for path in ROOT.glob("tests/golden/reports/*/summary.md"):
        shutil.copy(path, tmp_path / f"{path.parent.name}.md")
    code, out = reader("markdownlint-cli2", "*.md")
    assert code == 0, out


def steps(recipe):
    """Every step of a recipe, whichever system it is for."""
    if "nas-gate" in recipe:
        return [recipe["nas-gate"]]
    if "jobs" in recipe:
        return [s for job in recipe["jobs"].values() for s in job["steps"]]
    return recipe["steps"]


@pytest.mark.parametrize("name", RECIPES)
def test_recipe(name):
    """It can be read, runs nasgate where the exit code counts, and keeps the bundle always."""
    yaml = pytest.importorskip("yaml")
    text = (ROOT / "docs" / "ci" / name).read_text(encoding="utf-8")
    recipe = yaml.safe_load(text)
    runs = [s for s in steps(recipe) if "nasgate run" in json.dumps(s)]
    assert len(runs) == 1
    assert "continue-on-error" not in text and "|| true" not in text and "continueOnError" not in text
    if name == "gitlab.yml":
        job = recipe["nas-gate"]
        assert job["artifacts"]["when"] == "always"
        assert job["allow_failure"] == {"exit_codes": [3, 4]}
        assert job["artifacts"]["reports"].keys() == {"junit", "metrics"}
    else:
        kept = [s for s in steps(recipe) if "artifact" in str(s.get("uses", s.get("task", ""))).lower()]
        assert kept and all(s.get("if", s.get("condition")) == "always()" for s in kept)


def test_jenkinsfile():
    text = (ROOT / "docs" / "ci" / "Jenkinsfile").read_text(encoding="utf-8")
    assert text.count("{") == text.count("}")
    always = text.split("always {")[1]
    assert "junit " in always and "archiveArtifacts" in always and "returnStatus" not in text


def test_commands_and_files_of_the_recipes_exist(nasgate, passed):
    for path in sorted((ROOT / "docs" / "ci").iterdir()):
        text = path.read_text(encoding="utf-8")
        for command in set(re.findall(r"nasgate (run|check|report|replay)\b", text)):
            assert nasgate(command, "--help").code == 0
        for option in set(re.findall(r"nasgate \w+ [^\n`]*?(--[\w-]+)", text)):
            assert option in "".join(nasgate(c, "--help").stdout for c in ("run", "report")), option
        for name in re.findall(r"nasgate-bundle/([\w-]+\.\w+)", text):
            assert (passed.bundle.path / name).is_file(), f"{path.name}: {name}"


def test_problem_matcher_finds_what_check_says(nasgate, write_plan):
    path = ROOT / "docs" / "ci" / "nasgate-problem-matcher.json"
    pattern = json.loads(path.read_text(encoding="utf-8"))["problemMatcher"][0]["pattern"][0]
    write_plan(plan_text("los == 0%", BAD).replace("count: 2", "cuont: 2"))
    done = nasgate("check", "plan.yaml")
    assert done.code == 2, done
    found = [m for m in (re.search(pattern["regexp"], line) for line in done.stderr.splitlines()) if m]
    assert len(found) >= 2
    for match in found:
        assert match.group(pattern["file"]) == "plan.yaml"
        assert int(match.group(pattern["line"])) > 0 and int(match.group(pattern["column"])) > 0
        assert match.group(pattern["severity"]) in ("error", "warning")
        assert match.group(pattern["message"]) and match.group(pattern["code"])


# -- runs that were cut short ------------------------------------------------------------------------

def kill_run(nasgate, write_plan, wait_for, when):
    if shutil.which("ping") is None:
        pytest.skip("ping is not installed")
    text = plan_text("loss == 0%") + (
        "  - name: long\n    ping: {link: loop, count: 600}\n    pass: [loss == 0%]\n"
        "  - name: never\n    needs: long\n    ping: {link: loop, count: 2}\n    pass: [loss == 0%]\n")
    child, bundle = nasgate.start(write_plan(text))
    index = bundle.path / "evidence" / "index.jsonl"
    wait_for(lambda: index.is_file() and when in index.read_text(encoding="utf-8"))
    child.kill()
    child.communicate(timeout=30)
    return bundle


@pytest.mark.parametrize("when", ['"purpose":"facts"', "phase long"],
                         ids=["before-anything", "in-a-phase"])
def test_report_of_a_killed_run_says_what_is_missing(nasgate, write_plan, wait_for, tmp_path, when):
    bundle = kill_run(nasgate, write_plan, wait_for, when)
    assert bundle.result["complete"] is False and not (bundle.path / "report.md").exists()
    missing = [p["name"] for p in bundle.result["phases"] if p["verdict"] == "not judged"]
    assert {"long", "never"} <= set(missing)
    done = nasgate("report", bundle, "-o", tmp_path / "reports")
    assert done.code == 0, done
    made = Bundle(tmp_path / "reports")
    report = made.text("report.md")
    assert report.startswith("# ERROR - ci")
    assert f"cut short: {len(missing)} of 3 phases have no verdict" in report
    for name in missing:
        assert re.search(rf"`{name}`.*(not run|not judged)", report), name
    assert "<error " in made.text("TEST-nasgate.xml")
    assert "cut short" in made.text("summary.md")
    assert json.loads(made.text("ctrf.json"))["results"]["summary"]["failed"] >= 1
    assert nasgate("report", bundle).code == 0
    assert bundle.text("report.md") == report, "into the bundle itself, the same"


def test_every_format_of_a_killed_run(nasgate, write_plan, wait_for):
    bundle = kill_run(nasgate, write_plan, wait_for, "phase long")
    names = re.search(r"there are: (.*)", nasgate("report", "--format", "x", bundle).stderr).group(1)
    shown = [n for n in names.split(", ") if n != "plots"]
    assert {"markdown", "junit", "summary", "csv"} <= set(shown)
    for name in shown:
        done = nasgate("report", "--format", name, bundle)
        assert done.code == 0 and done.stdout, name


def test_a_half_written_result_is_no_result(nasgate, passed, tmp_path):
    shutil.copytree(passed.bundle.path, tmp_path / "copy")
    text = (tmp_path / "copy" / "result.json").read_text(encoding="utf-8")
    (tmp_path / "copy" / "result.json").write_text(text[:len(text) // 2], encoding="utf-8")
    done = nasgate("report", tmp_path / "copy")
    assert done.code == 2 and "result.json" in done.stderr, done


def test_reports_are_made_from_the_result_alone(passed, nasgate, tmp_path):
    shutil.copy(passed.bundle.path / "result.json", tmp_path / "result.json")
    done = nasgate("report", tmp_path / "result.json", "-o", tmp_path / "made")
    assert done.code == 0, done
    for path in (tmp_path / "made").rglob("*"):
        if path.is_file():
            name = path.relative_to(tmp_path / "made")
            assert path.read_bytes() == (passed.bundle.path / name).read_bytes(), name
    code = subprocess.run([nasgate.binary, "report", "--format", "csv", tmp_path / "result.json"],
                          stdout=subprocess.PIPE, env=nasgate.env(), check=False)
    assert code.stdout == (passed.bundle.path / "metrics.csv").read_bytes()
