"""Fixtures of the laboratory's cases: both machines, reset before each; runs of nasgate on them."""

import importlib
import importlib.util
import os
import pathlib
import signal
import sys
import threading

import pytest

import cases
import lab as laboratory

# The fixtures of the end-to-end tests, whose file has the same name as this one.
E2E = pathlib.Path(__file__).resolve().parents[1] / "e2e"
sys.path.insert(0, str(E2E))
spec = importlib.util.spec_from_file_location("e2e_fixtures", E2E / "conftest.py")
e2e = importlib.util.module_from_spec(spec)
spec.loader.exec_module(e2e)
small_disk = importlib.import_module("small_disk")

pytest_sessionfinish = e2e.pytest_sessionfinish
binary = e2e.binary
every_bundle_replays = e2e.every_bundle_replays
nasgate = e2e.nasgate
root = e2e.root
write_plan = e2e.write_plan
small = small_disk.small


# The longest case waits for a NAS that is gone, with every deadline of nasgate's own.
CASE_SECONDS = 540


@pytest.fixture(scope="session")
def machines():
    why = laboratory.missing()
    if why is not None:
        pytest.skip(why)
    # Asked to end, the suite takes its machines and files with it.
    for number in signal.SIGTERM, signal.SIGHUP:
        signal.signal(number, signal.default_int_handler)
    both = laboratory.Lab()
    yield both
    both.end()


@pytest.fixture
def lab(machines, monkeypatch):
    """Both machines as they were after their boot, and `ssh` that knows them."""
    machines.reset()
    monkeypatch.setenv("PATH", f"{machines.path}:{os.environ['PATH']}")
    return machines


@pytest.fixture
def run(nasgate, write_plan, lab):
    """run(PLAN, meanwhile=ACT): runs a plan, and does ACT once its first phase measures."""
    def go(text, meanwhile=None, output=None):
        output = output or nasgate.new_output()
        act = cases.Meanwhile(output, meanwhile)
        with act:
            done = nasgate.run(write_plan(text), output=output, timeout=cases.DEADLINE)
        assert act.error is None, act.error
        assert act.began.is_set() == (meanwhile is not None), done
        return done
    return go


@pytest.fixture(autouse=True)
def limit():
    """No case may take longer than this, whatever hangs: it fails, and the next one begins."""
    def over(*_):
        raise TimeoutError(f"the case took longer than {CASE_SECONDS} s")
    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(CASE_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(autouse=True, scope="session")
def nothing_left():
    """The suite leaves no thread that still does something to a machine."""
    yield
    assert threading.active_count() == 1, threading.enumerate()
