"""The protocol of leases itself, in every shell: exactly one holds, whoever comes, goes or dies."""

import os
import pathlib
import select
import shutil
import signal
import subprocess
import time

import pytest

SCRIPT = (pathlib.Path(__file__).resolve().parents[2] / "runner/transport/lease.sh").read_bytes()
SHELLS = {"dash": ["dash"], "bash": ["bash", "--norc"], "ash": ["busybox", "sh"]}
THERE = [name for name, words in SHELLS.items() if shutil.which(words[0])]
BUSY = 75


class Contender:
    """One run that asks for the lease."""

    def __init__(self, shell, folder, run, wait=0, job="https://ci/1", before=()):
        self.child = subprocess.Popen(
            [*before, *SHELLS[shell], "-s", "--", "take", run, str(wait), "ci@box", job, "plan"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C", "NASGATE_LEASE_FOLDER": str(folder)})
        self.child.stdin.write(SCRIPT)
        self.child.stdin.close()
        self.child.stdin = None
        self.run, self.told = run, False

    def spoke(self, seconds=0.0):
        """Whether it holds, or has held."""
        if not self.told and select.select([self.child.stdout], [], [], seconds)[0]:
            line = os.read(self.child.stdout.fileno(), 100)
            assert line.startswith(b"held=20") or line == b"", line
            self.told = line != b""
        return self.told

    def ended(self, seconds=60):
        """(exit status, what it said on standard error)."""
        err = self.child.communicate(timeout=seconds)[1].decode()
        return self.child.returncode, err

    def give_back(self):
        self.child.send_signal(signal.SIGINT)
        status, err = self.ended()
        assert (status, err) == (0, "")

    def kill(self):
        os.killpg(self.child.pid, signal.SIGKILL)
        self.child.communicate()


@pytest.fixture
def contend(tmp_path):
    """contend(shell, run, wait) starts one; all are killed at the end."""
    all_of_them = []

    def start(shell, run, wait=0, folder=tmp_path, **more):
        if shell not in THERE:
            pytest.skip(f"{SHELLS[shell][0]} is not installed")
        all_of_them.append(Contender(shell, folder, run, wait, **more))
        return all_of_them[-1]
    yield start
    for one in all_of_them:
        if one.child.poll() is None:
            one.kill()


def entries(folder):
    place = folder / "nasgate-lease"
    return sorted(p.name for p in place.iterdir()) if place.is_dir() else []


def fields(text):
    return dict(line.split("=", 1) for line in text.splitlines() if "=" in line)


@pytest.mark.parametrize("shell", SHELLS)
def test_hold_and_give_back(contend, tmp_path, shell):
    one = contend(shell, "run-1")
    assert one.spoke(30)
    kinds = [name[:2] for name in entries(tmp_path)]
    assert kinds == ["h.", "t."]
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        one.child.send_signal(number)
        assert one.ended() == (0, "")
        assert list(tmp_path.iterdir()) == [], "nothing is left, not even the folder"
        one = contend(shell, "run-1")
        assert one.spoke(30)


@pytest.mark.parametrize("shell", SHELLS)
def test_busy(contend, shell):
    job = "https://ci/$(id)'\"`x` \\n"
    first = contend(shell, "run-1", job=job)
    assert first.spoke(30)
    for other in THERE:
        status, err = contend(other, "run-2").ended()
        said = fields(err)
        assert status == BUSY
        assert said["who"] == "ci@box" and said["run"] == "run-1" and said["plan"] == "plan"
        assert said["job"] == job and said["since"].startswith("20")
    first.give_back()
    assert contend(shell, "run-2").spoke(30)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_same_run_twice(contend, shell):
    """Two hosts of a plan can be one machine."""
    first, second = contend(shell, "run-1"), contend(shell, "run-1")
    assert first.spoke(30) and second.spoke(30)
    first.give_back()
    assert contend(shell, "run-2").ended()[0] == BUSY
    second.give_back()


@pytest.mark.parametrize("count", range(4))
def test_at_the_same_time(contend, tmp_path, count):
    """Of many that do not wait exactly one holds."""
    crowd = [contend(THERE[i % len(THERE)], f"run-{i}") for i in range(8)]
    end = time.monotonic() + 100
    while time.monotonic() < end and sum(
            one.child.poll() is None and not one.spoke() for one in crowd):
        time.sleep(0.05)
    holders = [one for one in crowd if one.told]
    assert len(holders) == 1, [(one.told, one.child.poll()) for one in crowd]
    assert all(one.ended()[0] == BUSY for one in crowd if not one.told)
    assert len(entries(tmp_path)) == 2
    holders[0].give_back()
    assert entries(tmp_path) == []


def test_one_after_the_other(contend, tmp_path):
    """All that wait get it, never two at a time; some holders are killed."""
    crowd = [contend(THERE[i % len(THERE)], f"run-{i}", wait=300) for i in range(9)]
    waiting, end = list(crowd), time.monotonic() + 200
    while waiting and time.monotonic() < end:
        holders = [one for one in waiting if one.spoke(0.01)]
        assert len(holders) <= 1
        if not holders:
            continue
        time.sleep(0.3)
        assert [one for one in waiting if one.spoke()] == holders
        waiting.remove(holders[0])
        if len(waiting) % 3 == 0:
            holders[0].kill()
        else:
            holders[0].give_back()
    assert waiting == []
    last = contend(THERE[0], "last")
    assert last.spoke(30)
    last.give_back()
    assert list(tmp_path.iterdir()) == [], "what the killed ones left"


@pytest.mark.parametrize("shell", SHELLS)
def test_a_killed_holder_frees_it(contend, tmp_path, shell):
    first = contend(shell, "run-1")
    assert first.spoke(30)
    second = contend(shell, "run-2", wait=100)
    time.sleep(0.5)
    assert not second.spoke()
    began = time.monotonic()
    first.kill()
    assert second.spoke(10), "not within 10 s"
    assert time.monotonic() - began < 10
    assert all(name.endswith(".run-2") for name in entries(tmp_path)), "the dead one's is removed"
    second.give_back()


@pytest.mark.parametrize("shell", SHELLS)
def test_the_parent_dies(contend, tmp_path, shell, wait_for):
    """Whoever started it is killed, and nobody tells it."""
    one = contend(shell, "run-1", before=["sh", "-c", '"$@"; exit 1', "sh"])
    assert one.spoke(30)
    one.child.kill()
    wait_for(lambda: list(tmp_path.iterdir()) == [], 20, "the lease outlives its parent")


def own_name(folder):
    return next(name[2:] for name in entries(folder) if name.startswith("t."))


@pytest.mark.parametrize("shell", SHELLS)
def test_entries_of_the_past(contend, tmp_path, shell):
    """Only what may live stands in the way."""
    probe = contend(shell, "probe")
    assert probe.spoke(30)
    pid, start, boot, space, _run = own_name(tmp_path).split(".", 4)
    folder = tmp_path / "nasgate-lease"
    dead = subprocess.Popen(["true"])
    dead.wait()
    for name in (f"{dead.pid}.17.{boot}.{space}.dead",  # no such process
                 f"{pid}.17.{boot}.{space}.reused",  # its number is another's now
                 f"{pid}.{start}.another-boot.{space}.before",
                 f"{os.getpid()}.{start}0.{boot}.x.blind"):
        for kind in "nth":
            (folder / f"{kind}.{name}").write_text("who=ghost\n")
    probe.give_back()
    one = contend(shell, "run-1")
    assert one.spoke(30), one.ended()
    assert [name[0] for name in entries(tmp_path)] == ["h", "t"]
    (folder / f"t.77.1.{boot}.1{space}.container").write_text("who=somebody in a container\n")
    assert contend(shell, "run-1").ended()[0] == BUSY
    one.give_back()
    status, err = contend(shell, "run-2").ended()
    assert status == BUSY and fields(err)["who"] == "somebody in a container"


@pytest.mark.parametrize("shell", SHELLS)
def test_hostile_folder(contend, tmp_path, shell):
    probe = contend(shell, "probe")
    assert probe.spoke(30)
    name, folder = own_name(tmp_path), tmp_path / "nasgate-lease"
    live = name.rsplit(".", 1)[0]
    os.mkfifo(folder / f"t.{live}.fifo")
    (folder / f"t.{live}.link").symlink_to(folder / f"t.{live}.fifo")
    (folder / f"t.{live}.folder").mkdir()
    for odd in ("t.", "t.x", "t.1.2.3.4.", "t.-1.2.3.4.r", "t.1.2.3.4.a b", "t.$(touch x).2.3.4.r",
                "t.1..3.4.r", "h.", "n.", "junk", ".t", "t.\n.1.1.1.r", "t.*.*.*.*.*"):
        (folder / odd).write_text("who=odd\n")
    status, err = contend(shell, "run-2").ended()
    assert status == BUSY and fields(err)["run"] == "probe"
    large = folder / f"t.{live}.large"
    large.write_bytes(b"who=\x1b[31m\0\xff" + b"x" * 100000)
    probe.child.send_signal(signal.SIGSTOP)
    (folder / f"t.{name}").unlink()
    (folder / f"h.{name}").unlink()
    done = subprocess.run(
        [*SHELLS[shell], "-s", "--", "look"], input=SCRIPT, stdout=subprocess.PIPE, timeout=60,
        stderr=subprocess.PIPE, check=True,
        env={"PATH": os.environ["PATH"], "NASGATE_LEASE_FOLDER": str(tmp_path)})
    assert done.stdout.startswith(b"leased=") and b"who=" in done.stdout
    assert len(done.stdout) < 5000
    probe.child.send_signal(signal.SIGCONT)
    status, err = probe.ended(30)
    assert status == 1 and "was removed" in fields(err)["failed"], "a lease that is taken away is lost"


@pytest.mark.parametrize("shell", SHELLS)
def test_a_link_is_no_folder(contend, tmp_path, shell):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "nasgate-lease").symlink_to(tmp_path / "elsewhere")
    status, err = contend(shell, "run-1").ended()
    assert status == 1 and "symbolic link" in fields(err)["failed"]
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("shell", SHELLS)
def test_a_full_disk(contend, tmp_path, shell):
    """What cannot be written is told, and nothing is held."""
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("needs root and unshare for a small file system")
    mount = ('mount -t tmpfs -o size=16k,nr_inodes=20 none "$0" && '
             'mkdir -m 1777 "$0/nasgate-lease" && { dd if=/dev/zero of="$0/much" bs=1k || :; } '
             '2>/dev/null && exec "$@"')
    before = ["unshare", "-m", "--propagation", "private", "sh", "-c", mount, str(tmp_path)]
    status, err = contend(shell, "run-1", before=before).ended()
    assert status == 1 and "is it full or read-only" in fields(err)["failed"], err


@pytest.mark.parametrize("shell", SHELLS)
def test_a_folder_of_somebody_else(contend, volume, shell):
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        pytest.skip("needs setpriv to be somebody else")
    place = volume
    place.chmod(0o755)
    (place / "nasgate-lease").mkdir()
    (place / "nasgate-lease").chmod(0o555)
    other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] \
        if os.geteuid() == 0 else []
    status, err = contend(shell, "run-1", folder=place, before=other).ended()
    assert status == 1 and "cannot be written to" in fields(err)["failed"], err
    (place / "nasgate-lease").chmod(0o300)
    if os.geteuid() == 0:
        status, err = contend(shell, "run-1", folder=place, before=other).ended()
        assert status == 1 and "cannot be read" in fields(err)["failed"], err
