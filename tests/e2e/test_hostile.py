"""A hostile surrounding: closed descriptors, lost terminals, vanished volumes, tools that lie."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys

import pytest

PLAN = """\
nasgate: 1
name: hostile
topology:
  hosts: {here: local}
  volumes:
    disk: {on: here, path: "VOLUME"}
phases:
  - name: w
    fio: {volume: disk, rw: write, bs: 64 KiB, size: 4 MiB, time: 1 s}
    pass: [write.bw >= 1 kB/s]
"""
LONG = PLAN.replace("time: 1 s", "time: 60 s")
PING = """\
nasgate: 1
name: hostile
topology:
  hosts: {here: local}
  links:
    loop: {ends: ["here:lo", "here:lo"]}
phases:
  - name: p
    ping: {link: loop, count: 2}
"""
# What fio prints after a second of writing, by an earlier run.
STALE = """\
{"fio version": "fio-3.33", "jobs": [{"jobname": "w", "error": 0, "elapsed": 2,
  "read": {"io_bytes": 0, "total_ios": 0, "runtime": 0, "bw_bytes": 0, "iops": 0},
  "write": {"io_bytes": 65536000, "total_ios": 1000, "runtime": RUNTIME, "bw_bytes": 65536000,
            "iops": 1000}, "usr_cpu": 1, "sys_cpu": 1}]}
"""


def needs(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")


def last(text):
    return text.rstrip().splitlines()[-1]


@pytest.fixture
def fake_tool(tmp_path):
    """fake_tool("fio", "3.33", shell text) -> the PATH on which it comes first."""
    def make(name, version, text):
        path = tmp_path / "fakes" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'#!/bin/sh\ncase "$*" in --version|-V) echo "{version}"; exit 0;; esac\n'
                        + text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return f"{path.parent}:{os.environ['PATH']}"
    return make


@pytest.mark.parametrize("closed, code", [((0,), 0), ((2,), 0), ((1,), 5), ((0, 1, 2), 5)])
def test_closed_standard_files(nasgate, write_plan, closed, code):
    """Files that are opened later must not become our standard output or error."""
    needs("ping")
    output = nasgate.new_output()
    run = 'import os, sys\n[os.close(int(n)) for n in sys.argv[1].split(",")]\n' \
          'os.execv(sys.argv[2], sys.argv[2:])'
    done = subprocess.run(
        [sys.executable, "-c", run, ",".join(map(str, closed)), nasgate.binary, "run", "-o", output,
         write_plan(PING)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, timeout=60, check=False, encoding="utf-8", env=nasgate.env())
    assert done.returncode == code, done
    if 2 not in closed:
        assert last(done.stderr).startswith(f"nasgate: exit {code}: "), done.stderr
    assert (output / "report.md").is_file() and (output / "result.json").is_file()
    for path in output.rglob("*"):
        assert path.is_dir() or b"nasgate: exit" not in path.read_bytes(), path


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["schema"], ["metrics", "fio"]])
def test_full_standard_output(nasgate, arguments):
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([nasgate.binary, *arguments], stdout=full, stderr=subprocess.PIPE,
                              timeout=60, check=False, encoding="utf-8", env=nasgate.env())
    assert done.returncode == 5 and "standard output" in done.stderr, done


def test_the_last_line_tells_the_code(nasgate, write_plan):
    """Also when all is well but for the summary, which could not be printed."""
    needs("ping")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [nasgate.binary, "run", "-o", nasgate.new_output(), write_plan(PING)], stdout=full,
            stderr=subprocess.PIPE, timeout=60, check=False, encoding="utf-8", env=nasgate.env())
    assert done.returncode == 5, done
    assert last(done.stderr).startswith("nasgate: exit 5: "), done.stderr


def test_runs_of_the_same_second(nasgate, write_plan, tmp_path):
    """Each gets a folder of its own, whoever is first."""
    needs("ping")
    plan = write_plan(PING)
    runs = [subprocess.Popen([nasgate.binary, "run", "-q", plan], cwd=tmp_path,
                             stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.PIPE, encoding="utf-8", env=nasgate.env())
            for _ in range(6)]
    ends = [(run.communicate(timeout=60)[1], run.returncode) for run in runs]
    assert [code for _, code in ends] == [0] * 6, ends
    bundles = list((tmp_path / "nasgate-out" / "hostile").iterdir())
    assert len(bundles) == 6 and all((b / "report.md").is_file() for b in bundles)


@pytest.mark.parametrize("text, code", [(PING, 0), (PING.replace("ping:", "pong:"), 2)],
                         ids=["good", "bad"])
def test_a_plan_with_a_hostile_name(nasgate, write_plan, tmp_path, text, code):
    write_plan(text, "::error::\033[31m\nx.yaml")
    done = nasgate("check", "::error::\033[31m\nx.yaml", cwd=tmp_path)
    assert done.code == code, done
    for stream in (done.stdout, done.stderr):
        assert "\033" not in stream
        assert not any(line.startswith("::") for line in stream.splitlines()), done


def test_files_have_a_limit(nasgate, write_plan):
    """What cannot be kept is an error of the run, in its record too, and not the program's death."""
    needs("ping", "prlimit")
    output = nasgate.new_output()
    done = subprocess.run(
        ["prlimit", "--fsize=6000", nasgate.binary, "run", "-o", output, write_plan(PING)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
        check=False, encoding="utf-8", env=nasgate.env())
    assert done.returncode == 5, done
    assert last(done.stderr).startswith("nasgate: exit 5: ")
    assert "File too large" in done.stdout + done.stderr and "interrupted" not in done.stderr
    result = json.loads((output / "result.json").read_text(encoding="utf-8"))
    assert result["exit_code"] == 5, result["verdict"]


def running(nasgate, write_plan, volume, wait_for, leftovers):
    """A run whose fio writes: (process, bundle, run id)."""
    child, bundle = nasgate.start(write_plan(LONG.replace("VOLUME", str(volume))))
    wait_for(lambda: (bundle.path / "result.json").is_file())
    run_id = bundle.result["run_id"]
    wait_for(lambda: any("--rw=write" in line for line in leftovers(run_id).values()))
    return child, bundle, run_id


def test_the_terminal_goes_away(nasgate, write_plan, volume, wait_for, leftovers):
    needs("fio")
    child, bundle, run_id = running(nasgate, write_plan, volume, wait_for, leftovers)
    child.send_signal(signal.SIGHUP)
    _, err = child.communicate(timeout=30)
    assert child.returncode == -signal.SIGHUP, err
    assert last(err).startswith("nasgate: exit 129: ")
    assert bundle.result["complete"] and bundle.result["exit_code"] == 129
    assert (bundle.path / "report.md").is_file()
    assert list(volume.iterdir()) == [] and leftovers(run_id) == {}


def test_nohup_is_heeded(nasgate, write_plan, volume):
    needs("fio")
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        child, bundle = nasgate.start(write_plan(PLAN.replace("VOLUME", str(volume))))
        child.send_signal(signal.SIGHUP)
        _, err = child.communicate(timeout=60)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert child.returncode == 0, err
    assert bundle.phase("w")["verdict"] == "pass"


def test_the_folder_is_swapped_for_a_link(
        nasgate, write_plan, volume, tmp_path, wait_for, leftovers):
    """What the run's name points to at the end is not ours: nothing there is touched."""
    needs("fio")
    child, bundle, run_id = running(nasgate, write_plan, volume, wait_for, leftovers)
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("precious")
    (precious / ".nasgate-run").write_text(f"{run_id}\n")
    ours = volume / f"nasgate-{run_id}"
    ours.rename(volume / "moved")
    ours.symlink_to(precious)
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=30)
    assert sorted(p.name for p in precious.iterdir()) == [".nasgate-run", "file"]
    assert ours.is_symlink()
    assert "symbolic link" in bundle.result["not_restored"]


def test_the_folder_goes_away(nasgate, write_plan, volume, wait_for, leftovers):
    """A volume unmounted in the middle still holds our files: that is not told as removed."""
    needs("fio")
    child, bundle, run_id = running(nasgate, write_plan, volume, wait_for, leftovers)
    (volume / f"nasgate-{run_id}").rename(volume / "elsewhere")
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=30)
    assert "not there any more" in bundle.result["not_restored"]


def test_tools_are_found_without_a_path(nasgate, write_plan, volume):
    """What the facts find is what can be started."""
    needs("fio")
    done = nasgate.run(write_plan(PLAN.replace("VOLUME", str(volume))),
                       env={"PATH": "/nonexistent"})
    assert done.code in (0, 3), done
    if done.code == 0:
        assert done.bundle.phase("w")["verdict"] == "pass"


@pytest.mark.parametrize("runtime", [60000, 10**18])
def test_a_result_of_an_earlier_run(nasgate, write_plan, volume, fake_tool, runtime):
    """A wrapper that prints a stored result is faster than the measurement that it tells of."""
    path = fake_tool("fio", "fio-3.33",
                     f"cat <<'end'\n{STALE.replace('RUNTIME', str(runtime))}end\n")
    done = nasgate.run(write_plan(PLAN.replace("VOLUME", str(volume))), env={"PATH": path})
    assert done.code == 5, done
    assert "not of this run" in done.bundle.phase("w")["reason"]
    assert list(volume.iterdir()) == []


@pytest.mark.parametrize("text, part", [
    ("", "without a result"),
    ("head -c 40000000 /dev/zero", "more than this program keeps"),
    ("kill -9 $$", "died of signal 9"),
    ('printf "\\033[31m::error::x\\n##vso[task.complete]\\n" >&2; exit 3', "::error::x"),
    ("echo '[[[[[[[['", "result"),
    ("echo '{\"fio version\": 3}'", "fio"),
])
def test_a_tool_that_lies(nasgate, write_plan, volume, fake_tool, leftovers, text, part):
    path = fake_tool("fio", "fio-3.33", text + "\n")
    done = nasgate.run(write_plan(PLAN.replace("VOLUME", str(volume))), env={"PATH": path})
    assert done.code == 5, done
    phase = done.bundle.phase("w")
    assert phase["verdict"] == "error" and part in phase["reason"]
    shown = [done.stdout, done.stderr, done.bundle.text("report.md"),
             done.bundle.text("TEST-nasgate.xml")]
    for text in shown:
        assert "\033" not in text
        assert not any(line.startswith(("::error", "##vso")) for line in text.splitlines())
    assert list(volume.iterdir()) == []
    assert leftovers(done.bundle.result["run_id"]) == {}
