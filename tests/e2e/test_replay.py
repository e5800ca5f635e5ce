"""Replay and verify: same bytes anywhere, no process, no network; other plans; what was tampered with."""

import json
import os
import re
import shutil
import subprocess

import pytest

import again
from conftest import Bundle, Nasgate

PLAN = """\
nasgate: 1
name: replayed
title: Größe | and a `pipe`
topology:
  hosts: {{here: local}}
  links:
    loop: {{ends: ["here:lo", "here:lo"]}}
  volumes:
    disk: {{on: here, path: "{volume}"}}
preconditions:
  - free_space: {{volume: disk, at_least: 1 MB}}
phases:
  - name: wire
    ping: {{link: loop, count: 3}}
    repeat: 2
    predict: [rtt.avg within 1 us .. 1 s]
    pass:
      - loss == 0%
      - rtt.max <= {limit}
{more}"""
FIO = """\
  - name: disk
    fio: {volume: disk, rw: write, bs: 64 KiB, size: 4 MiB, time: 1 s}
    pass: [write.bw >= 1 kB/s]
"""


@pytest.fixture(scope="module")
def recorded(binary, tmp_path_factory):
    """One run: (runner, bundle, the text of its plan)."""
    if shutil.which("ping") is None:
        pytest.skip("ping is not installed")
    folder = tmp_path_factory.mktemp("recorded")
    more = FIO if shutil.which("fio") else ""
    text = PLAN.format(volume=folder, limit="10 s", more=more)
    (folder / "plan.yaml").write_text(text, encoding="utf-8")
    runner = Nasgate(binary, folder)
    done = runner.run(folder / "plan.yaml", "--seed", "18446744073709551615")
    assert done.code == 0, done
    return runner, done.bundle, text


@pytest.fixture
def bundle(recorded):
    return recorded[1]


@pytest.fixture
def copy(bundle, tmp_path):
    """A copy of the bundle that a test may spoil."""
    shutil.copytree(bundle.path, tmp_path / "copy")
    return tmp_path / "copy"


@pytest.fixture(scope="module")
def comma_locale(tmp_path_factory):
    """LOCPATH of a locale that writes 1,5."""
    folder = tmp_path_factory.mktemp("locale")
    if shutil.which("localedef") is None or not os.path.exists("/usr/share/i18n/locales/de_DE"):
        pytest.skip("no localedef with the sources of de_DE (Debian's package locales)")
    done = subprocess.run(["localedef", "-f", "UTF-8", "-i", "de_DE", folder / "de_DE.UTF-8"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {"LOCPATH": str(folder), "LC_ALL": "de_DE.UTF-8"}


@pytest.mark.parametrize("umask", [0o022, 0o077])
@pytest.mark.parametrize("zone", ["UTC0", "NPT-5:45"])
@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "comma"])
def test_same_bytes_everywhere(recorded, tmp_path, request, locale, zone, umask):
    runner, bundle, _ = recorded
    where = request.getfixturevalue("comma_locale") if locale == "comma" else {"LC_ALL": locale}
    done = subprocess.run(
        ["sh", "-c", f'umask {umask:04o}; exec "$0" "$@"', runner.binary, "replay", bundle, "-o",
         tmp_path / "again"], env=runner.env(TZ=zone, **where), capture_output=True, text=True,
        timeout=60, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert again.differences(again.reports(bundle.path), again.reports(tmp_path / "again")) == []


@pytest.mark.parametrize("dialect", ["wide", "strict"])
def test_dialect_is_part_of_the_run(recorded, nasgate, tmp_path, dialect):
    runner, _, _ = recorded
    done = runner.run(runner.folder / "plan.yaml", "--junit", dialect)
    assert done.code == 0, done
    text = done.bundle.text("TEST-nasgate.xml")
    assert ("<testsuites>" in text) == (dialect == "strict")
    other = "wide" if dialect == "strict" else "strict"
    replayed = nasgate("replay", done.bundle, "-o", tmp_path / "other", "--junit", other)
    assert replayed.code == 0, replayed
    assert ("<testsuites>" in Bundle(tmp_path / "other").text("TEST-nasgate.xml")) == \
        (other == "strict")
    assert nasgate("replay", done.bundle, "--junit", "narrow").code == 2


@pytest.mark.parametrize("command", [["replay", "-o", "OUT"], ["verify"], ["report", "-o", "OUT"]],
                         ids=lambda c: c[0])
def test_starts_no_process_and_opens_no_socket(recorded, tmp_path, command):
    runner, bundle, _ = recorded
    if shutil.which("strace") is None:
        pytest.skip("no strace")
    log = tmp_path / "calls"
    words = [str(tmp_path / "out") if word == "OUT" else word for word in command]
    # The leak check would trace the program itself, with a thread of its own.
    done = subprocess.run(
        ["strace", "-f", "-qq", "-e", "trace=process,network", "-o", log, runner.binary, *words,
         bundle], env=runner.env(ASAN_OPTIONS="exitcode=99:detect_leaks=0"), capture_output=True,
        text=True, timeout=120, check=False, cwd=tmp_path)
    if "ptrace" in done.stderr:
        pytest.skip("strace may not trace here")
    assert done.returncode == 0, done.stderr
    calls = re.findall(r"^\d+ +(\w+)\(", log.read_text(encoding="utf-8"), re.M)
    assert calls[0] == "execve" and calls.count("execve") == 1, calls
    forbidden = {"fork", "vfork", "clone", "clone3", "execveat", "socket", "socketpair", "connect",
                 "bind", "listen", "sendto", "sendmsg", "kill", "tgkill"}
    assert forbidden & set(calls) == set()


def test_another_threshold_judges_the_run_again(recorded, nasgate, tmp_path):
    _, bundle, text = recorded
    (tmp_path / "strict.yaml").write_text(text.replace("rtt.max <= 10 s", "rtt.max <= 1 ns"),
                                          encoding="utf-8")
    done = nasgate("replay", bundle, "--plan", tmp_path / "strict.yaml", "-o", tmp_path / "out")
    assert done.code == 1, done
    new = Bundle(tmp_path / "out")
    assert new.phase("wire")["verdict"] == "fail"
    assert new.phase("wire")["repeats"] == bundle.phase("wire")["repeats"]
    assert new.result["plan_digest"] != bundle.result["plan_digest"]


def test_more_of_what_was_measured_can_be_judged(recorded, nasgate, tmp_path):
    _, bundle, text = recorded
    (tmp_path / "more.yaml").write_text(
        text.replace("      - loss == 0%\n", "      - loss == 0%\n      - rtt.min >= 1 ns\n"),
        encoding="utf-8")
    done = nasgate("replay", bundle, "--plan", tmp_path / "more.yaml", "-o", tmp_path / "out")
    assert done.code == 0, done
    assert len(Bundle(tmp_path / "out").phase("wire")["judged"]) == \
        len(bundle.phase("wire")["judged"]) + 1


@pytest.mark.parametrize("old, new, words", [
    ("count: 3", "count: 4", 'the evidence has no answer to ping with "4 '),
    ("repeat: 2", "repeat: 3", "the evidence has not that many runs of: ping"),
], ids=["another-command", "one-more-repeat"])
def test_what_the_evidence_cannot_answer_is_said(recorded, nasgate, tmp_path, old, new, words):
    _, bundle, text = recorded
    (tmp_path / "other.yaml").write_text(text.replace(old, new), encoding="utf-8")
    done = nasgate("replay", bundle, "--plan", tmp_path / "other.yaml", "-o", tmp_path / "out")
    assert done.code == 5, done
    assert "not in the evidence" in done.stderr
    assert words in done.stderr
    assert ('the nearest, phase wire 1/2: measure, has "3 ' in done.stderr) == ("count" in old)
    assert Bundle(tmp_path / "out").phase("wire")["verdict"] == "error"


def test_a_phase_that_was_never_run_is_an_error(recorded, nasgate, tmp_path):
    _, bundle, text = recorded
    (tmp_path / "new.yaml").write_text(
        text + "  - name: added\n    ping: {link: loop, count: 9}\n    pass: [loss == 0%]\n",
        encoding="utf-8")
    done = nasgate("replay", bundle, "--plan", tmp_path / "new.yaml", "-o", tmp_path / "out")
    assert done.code == 5, done
    assert Bundle(tmp_path / "out").phase("wire")["verdict"] == "pass"
    reason = Bundle(tmp_path / "out").phase("added")["reason"]
    assert "phase added 1/1: measure: the evidence has no answer to ping" in reason


def test_replay_never_writes_over_a_bundle(recorded, nasgate):
    bundle = recorded[1]
    before = again.reports(bundle.path)
    done = nasgate("replay", bundle, "-o", bundle)
    assert done.code == 2 and "not empty" in done.stderr, done
    assert again.reports(bundle.path) == before


@pytest.mark.parametrize("missing", ["evidence", "evidence/index.jsonl", "plan.yaml"])
def test_replay_without_its_parts(copy, nasgate, tmp_path, missing):
    path = copy / missing
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    done = nasgate("replay", copy, "-o", tmp_path / "out")
    assert done.code in (2, 5) and missing.split("/")[0] in done.stderr, done


def test_evidence_of_an_earlier_version_is_read(copy, nasgate, tmp_path):
    """Without the members that came later."""
    index = copy / "evidence" / "index.jsonl"
    lines = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]
    del lines[0]["junit"], lines[-1]["chain"]
    index.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    done = nasgate("replay", copy, "-o", tmp_path / "out")
    assert done.code == 0 and "warning" not in done.stderr, done
    assert again.differences(again.reports(copy), again.reports(tmp_path / "out")) == []


def test_evidence_of_a_later_version_is_refused(copy, nasgate, tmp_path):
    index = copy / "evidence" / "index.jsonl"
    index.write_text(index.read_text(encoding="utf-8").replace('"version":1', '"version":2', 1),
                     encoding="utf-8")
    done = nasgate("replay", copy, "-o", tmp_path / "out")
    assert done.code == 5 and "version 2" in done.stderr, done


def test_verify_believes_an_untouched_bundle(recorded, nasgate):
    done = nasgate("verify", recorded[1])
    assert done.code == 0, done
    assert "follows from them" in done.stdout


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def objects(bundle):
    """Outputs that are not empty, largest first."""
    found = [p for p in (bundle / "evidence" / "objects").iterdir() if p.stat().st_size > 0]
    return sorted(found, key=lambda p: -p.stat().st_size)


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def edit_index(bundle, member, change):
    """Changes a member of the last line that has it."""
    index = bundle / "evidence" / "index.jsonl"
    lines = index.read_text(encoding="utf-8").splitlines()
    number = max(i for i, line in enumerate(lines) if member in json.loads(line))
    line = json.loads(lines[number])
    line[member] = change(line[member])
    lines[number] = json.dumps(line, separators=(",", ":"), sort_keys=True)
    index.write_text("\n".join(lines) + "\n", encoding="utf-8")


def drop_line(bundle):
    index = bundle / "evidence" / "index.jsonl"
    lines = index.read_text(encoding="utf-8").splitlines(keepends=True)
    del lines[-2]
    index.write_text("".join(lines), encoding="utf-8")


TAMPERED = {
    "flipped-byte": (lambda b: flip(objects(b)[0]), "was changed"),
    "deleted-object": (lambda b: objects(b)[-1].unlink(), "objects/"),
    "verdict": (lambda b: edit(b / "result.json", '"verdict": "pass"', '"verdict": "fail"'),
                "result.json does not follow"),
    "measure": (lambda b: edit(b / "result.json", '"evidence": [', '"evidence": [1, '),
                "result.json does not follow"),
    "plan": (lambda b: edit(b / "plan.yaml", "rtt.max <= 10 s", "rtt.max <= 11 s"),
             "result.json does not follow"),
    "plan-comment": (lambda b: edit(b / "plan.yaml", "nasgate: 1\n", "nasgate: 1 # x\n"),
                     "result.json does not follow"),
    "effective": (lambda b: edit(b / "effective.yaml", "replayed", "replayd"), "effective.yaml"),
    "report": (lambda b: edit(b / "report.md", "pass", "FAIL"), "report.md does not follow"),
    "junit": (lambda b: edit(b / "TEST-nasgate.xml", 'failures="0"', 'failures="1"'),
              "TEST-nasgate.xml does not follow"),
    "index-status": (lambda b: edit_index(b, "status", lambda v: v + 1), "index.jsonl was changed"),
    "index-rss": (lambda b: edit_index(b, "max_rss", lambda v: v + 1), "index.jsonl was changed"),
    "index-end": (lambda b: edit_index(b, "signal", lambda v: 2), "index.jsonl was changed"),
    "index-line": (drop_line, "index.jsonl was changed"),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_verify_finds(name, copy, nasgate):
    change, words = TAMPERED[name]
    change(copy)
    done = nasgate("verify", copy)
    assert done.code == 1, done
    assert words in done.stderr
    assert re.search(r"^nasgate: exit 1: \d+ of \d+ checks failed$", done.stderr, re.M)


def test_verify_needs_a_bundle(nasgate, tmp_path):
    done = nasgate("verify", tmp_path)
    assert done.code == 2 and "result.json" in done.stderr, done


SCRIPTED = """\
nasgate: 1
name: scripted
topology:
  hosts: {{here: local}}
preconditions:
  - {{lua: note, host: here, file: "{file}", when: throughout}}
hooks:
  after_phase:
    - {{lua: note, host: here, file: "{file}"}}
phases:
  - {{name: a, command: {{host: here, argv: [sh, -c, "echo 1 > {file}"]}}, pass: [duration <= {limit}]}}
  - {{name: b, needs: [a], command: {{host: here, argv: [sh, -c, "echo 2 > {file}"]}}, pass: [duration <= 1 m]}}
  - {{name: c, command: {{host: here, argv: [sh, -c, "echo 3 > {file}"]}}, pass: [duration <= 1 m]}}
"""
NOTE = ('local text = read{host = args.host, path = args.file}\nrecord("n", trim(text))\n'
        'if not phase() and trim(text) == "3" then broken("it is 3") end\nheld()')


@pytest.fixture
def scripted(nasgate, write_plan, tmp_path):
    """A bundle of a run whose hooks and guard read the same file, and a function that writes a plan."""
    counter = tmp_path / "counter"
    counter.write_text("0\n", encoding="utf-8")

    def write(limit, name="plan.yaml", note=NOTE):
        write_plan(note, f"{name}.d/note.lua")
        return write_plan(SCRIPTED.format(file=counter, limit=limit), f"{name}.d/{name}")
    done = nasgate.run(write("1 m"))
    assert done.code == 6, done
    return done.bundle, write


def noted(bundle):
    return {h["phase"]: r["value"] for h in bundle.result["hooks"] for r in h["looked_at"] if r["key"] == "n"}


def test_what_a_phase_that_is_left_out_was_told_is_its_own(scripted, nasgate, tmp_path):
    bundle, write = scripted
    assert noted(bundle) == {"a": "1", "b": "2", "c": "3"}
    done = nasgate("replay", bundle, "--plan", write("1 ns", "strict.yaml"), "-o", tmp_path / "out")
    assert done.code == 1, done
    new = Bundle(tmp_path / "out")
    assert new.phase("b")["verdict"] == "skipped" and noted(new) == {"a": "1", "c": "3"}
    assert new.phase("c")["verdict"] == "inconclusive", "its guard is given what it was given"
    assert [e["phase"] for e in new.result["events"]] == ["c"]
    assert "another note.lua" not in new.text("report.md")


def test_evidence_with_purposes_of_an_older_version(scripted, nasgate, tmp_path):
    """Purposes that did not name the phase: the order decides, as it did."""
    bundle, _ = scripted
    older = shutil.copytree(bundle.path, tmp_path / "older")
    index = older / "evidence" / "index.jsonl"
    lines = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if "purpose" in line:
            line["purpose"] = re.sub(" of phase [abc]:|probe after [abc]:",
                                     lambda m: "probe:" if m[0].startswith("probe") else ":", line["purpose"])
    index.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    done = nasgate("replay", older, "-o", tmp_path / "out")
    assert done.code == 6, done
    assert again.differences(again.reports(bundle.path), again.reports(tmp_path / "out")) == []


@pytest.mark.parametrize("how", ["beside another plan", "in the bundle"])
def test_another_script_is_said(scripted, nasgate, tmp_path, how):
    bundle, write = scripted
    changed = NOTE.replace('== "3"', '== "4"')
    copied = shutil.copytree(bundle.path, tmp_path / "copied")
    words = ["replay", copied, "-o", tmp_path / "out"]
    if how == "in the bundle":
        (copied / "lua" / "note.lua").write_text(changed, encoding="utf-8")
    else:
        words += ["--plan", write("1 m", "other.yaml", changed)]
    done = nasgate(*words)
    assert done.code == 0, done
    for text in (done.stdout, Bundle(tmp_path / "out").text("report.md")):
        text = " ".join(text.split())
        assert "judged again: the evidence is of a run with another note.lua" in text, text
        assert "by another plan" not in text, "the plan is the same"


def test_a_script_that_the_run_did_not_have_is_said(scripted, nasgate, write_plan, tmp_path):
    bundle, write = scripted
    plan = write("1 m", "more.yaml")
    write_plan("held()", "more.yaml.d/more.lua")
    plan.write_text(plan.read_text(encoding="utf-8").replace(
        "  after_phase:\n", "  after_run: [{lua: more}]\n  after_phase:\n"), encoding="utf-8")
    done = nasgate("replay", bundle, "--plan", plan, "-o", tmp_path / "out")
    assert "the evidence is of a run without more.lua" in " ".join(done.stdout.split()), done
