"""Fixtures for tests of the built program: run it, give it plans and volumes, read its bundles."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

import pytest

import again

ROOT = pathlib.Path(__file__).resolve().parents[2]


def pytest_sessionfinish(session, exitstatus):
    """A file whose tests were all skipped ends with 77, so that ctest counts it as skipped."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    stats = reporter.stats if reporter else {}
    ran = [k for k in ("passed", "failed", "error", "xfailed", "xpassed") if stats.get(k)]
    if exitstatus == 0 and stats.get("skipped") and not ran:
        session.exitstatus = 77


@pytest.fixture(scope="session")
def root():
    """The project's folder."""
    return ROOT


@pytest.fixture(scope="session")
def binary():
    """The program under test: $NASGATE, else the newest build."""
    path = os.environ.get("NASGATE")
    if path is None:
        builds = sorted(ROOT.glob("build/*/nasgate"), key=lambda p: p.stat().st_mtime)
        path = builds[-1] if builds else None
    if path is None or not os.access(path, os.X_OK):
        pytest.fail(f"no program to test: build it, or set NASGATE (now {path})")
    return pathlib.Path(path).resolve()


class Done:
    """How a run of nasgate ended. `bundle` is a Bundle when the run got as far as making one."""

    def __init__(self, code, stdout, stderr, output, seconds):
        self.code, self.stdout, self.stderr, self.seconds = code, stdout, stderr, seconds
        self.output = output

    @property
    def bundle(self):
        return Bundle(self.output)

    def __repr__(self):
        return f"exit {self.code}\n--- stdout\n{self.stdout}\n--- stderr\n{self.stderr}"


class Bundle:
    """A bundle folder, read. `result` is result.json, `events` the lines of the evidence index."""

    def __init__(self, path):
        self.path = pathlib.Path(path)

    @property
    def result(self):
        return json.loads((self.path / "result.json").read_text(encoding="utf-8"))

    @property
    def events(self):
        text = (self.path / "evidence" / "index.jsonl").read_text(encoding="utf-8")
        return [json.loads(line) for line in text.split("\n") if line]

    @property
    def commands(self):
        """The argv of every command that was started, in order."""
        return [e["argv"] for e in self.events if e.get("event") == "start"]

    def phase(self, name):
        return next(p for p in self.result["phases"] if p["name"] == name)

    def text(self, name):
        return (self.path / name).read_text(encoding="utf-8")

    def __fspath__(self):
        return str(self.path)


class Nasgate:
    """Runs the program: `nasgate("check", plan)`, `nasgate.run(plan)`, `nasgate.start(plan)`."""

    def __init__(self, binary, folder):
        self.binary, self.folder, self.count = binary, folder, 0
        self.children = []

    def env(self, **more):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(("NASGATE", "LC_", "CLICOLOR", "FORCE_COLOR", "GITHUB_",
                                    "TF_BUILD"))}
        # LeakSanitizer cannot work when the program is traced, and its exit code must be no code of ours.
        env.setdefault("ASAN_OPTIONS", "exitcode=99:detect_leaks=1")
        env.setdefault("UBSAN_OPTIONS", "print_stacktrace=1")
        env.update(CI="true", NO_COLOR="1")
        env.update(more)
        return env

    def __call__(self, *arguments, timeout=120, cwd=None, stdin=None, env=None, output=None):
        began = time.monotonic()
        done = subprocess.run(
            [self.binary, *map(os.fspath, arguments)], timeout=timeout, cwd=cwd or self.folder,
            stdin=subprocess.DEVNULL if stdin is None else stdin, env=self.env(**(env or {})),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
            encoding="utf-8", errors="backslashreplace")
        return Done(done.returncode, done.stdout, done.stderr, output, time.monotonic() - began)

    def new_output(self):
        self.count += 1
        return self.folder / f"out-{self.count}"

    def run(self, plan, *arguments, output=None, **options):
        """`nasgate run` into a bundle of its own."""
        output = output or self.new_output()
        again.made(self, output)
        return self("run", "-o", output, *arguments, plan, output=output, **options)

    def start(self, plan, *arguments, output=None, env=None):
        """Starts `nasgate run` and returns (process, bundle); it is killed after the test."""
        output = output or self.new_output()
        again.made(self, output)
        child = subprocess.Popen(
            [self.binary, "run", "-o", output, *map(os.fspath, arguments), plan], cwd=self.folder,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            encoding="utf-8", errors="backslashreplace", env=self.env(**(env or {})))
        self.children.append(child)
        return child, Bundle(output)

    def end(self):
        for child in self.children:
            if child.poll() is None:
                child.kill()
            child.communicate()


@pytest.fixture(autouse=True)
def every_bundle_replays():
    yield
    again.check_all()


@pytest.fixture
def nasgate(binary, tmp_path):
    runner = Nasgate(binary, tmp_path)
    yield runner
    runner.end()


@pytest.fixture
def write_plan(tmp_path):
    """write_plan(text, name="plan.yaml") -> path"""
    def write(text, name="plan.yaml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path
    return write


@pytest.fixture
def volume():
    """A folder to measure on: below $NASGATE_TEST_VOLUME or /var/tmp, which is rarely RAM."""
    parent = os.environ.get("NASGATE_TEST_VOLUME", "/var/tmp")
    if not os.access(parent, os.W_OK):
        parent = None
    path = pathlib.Path(tempfile.mkdtemp(prefix="nasgate-test-", dir=parent)).resolve()
    yield path
    shutil.rmtree(path, ignore_errors=True)


def marked(prefix=""):
    """Processes whose environment carries NASGATE_CHILD=PREFIX...: {pid: command line}."""
    found = {}
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            environ = (folder / "environ").read_bytes().split(b"\0")
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z" and any(e.startswith(b"NASGATE_CHILD=" + prefix.encode()) for e in environ):
            found[int(folder.name)] = line.strip()
    return found


@pytest.fixture
def leftovers():
    """leftovers(prefix, within=0): what of a run is alive after at most `within` seconds."""
    def look(prefix="", within=0.0):
        end = time.monotonic() + within
        found = marked(prefix)
        while found and time.monotonic() < end:
            time.sleep(0.05)
            found = marked(prefix)
        return found
    yield look


@pytest.fixture
def wait_for():
    """wait_for(what, seconds=20): polls until what() is true and returns it, else fails."""
    def wait(what, seconds=20, text="the awaited thing did not happen"):
        end = time.monotonic() + seconds
        while True:
            value = what()
            if value:
                return value
            if time.monotonic() > end:
                pytest.fail(f"{text} within {seconds} s")
            time.sleep(0.02)
    return wait


@pytest.fixture(autouse=True)
def sigint_works():
    """A shell's background job ignores SIGINT and so would all that we start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def consumers():
    """The folder of the npm programs that `./bootstrap test` installs; skips where it is not there."""
    folder = pathlib.Path(os.environ.get("NASGATE_CONSUMERS", ROOT / "build" / "consumers"))
    if not (folder / "installed").is_file() or shutil.which("node") is None:
        pytest.skip("no JUnit readers from npm in build/consumers: ./bootstrap test installs them")
    return folder


@pytest.fixture
def reader(consumers, tmp_path):
    """reader(NAME, ARGUMENTS...) runs a program of the npm packages; returns (code, output)."""
    def run(name, *arguments):
        done = subprocess.run(
            [consumers / "node_modules" / ".bin" / name, *map(os.fspath, arguments)],
            cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=120, check=False, encoding="utf-8",
            env={**os.environ, "NO_COLOR": "1"})
        return done.returncode, done.stdout
    return run
