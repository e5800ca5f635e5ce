"""A laboratory of network namespaces: a backup server, a NAS with a real sshd, a switch between.

    backup eth0 10.90.0.1 --- p0 [switch br0] p1 --- eth4 10.90.0.2 nas     the link under test
    backup eth9 10.91.0.1 -------------------------- eth9 10.91.0.2 nas     where ssh goes

The NAS has accounts of its own, /tmp, /run and /usr/local/bin of its own, in a mount namespace that
ends with its sshd: the machine's files are never touched. All names carry the pid of the test.
"""

import contextlib
import itertools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

import pytest

import again
from conftest import Done

SSHD = shutil.which("sshd", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
STEM = "ngl"
UID = 64101
NUMBERS = itertools.count()

SSHD_CONFIG = """\
Port 22
HostKey {folder}/host
PidFile none
AuthorizedKeysFile {folder}/authorized
StrictModes no
UsePAM no
PermitRootLogin no
PasswordAuthentication yes
KbdInteractiveAuthentication no
Banner {folder}/banner
MaxStartups 100
MaxSessions 100
"""

# What the NAS sees of the machine, beside everything else: files and folders of its own.
ENTER = """\
set -e
folder=$1
for file in passwd group; do mount --bind "$folder/$file" "/etc/$file"; done
[ ! -e /etc/sudoers ] || mount --bind "$folder/sudoers" /etc/sudoers
mount --bind "$folder/run" /run
mount --bind "$folder/tmp" /tmp
mount --bind "$folder/shm" /dev/shm
mount --bind "$folder/bin" /usr/local/bin
exec setpriv --pdeathsig KILL "$2" -D -e -f "$folder/config"
"""

CANARY = """\
#!/bin/sh
echo "$*" >>{folder}/sung/$$
"""


def ip(*words, check=True):
    return subprocess.run(["ip", *map(str, words)], check=check, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)


def why_not():
    """Why there can be no laboratory here, or None."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    for tool in ("ip", "tc", "ping", "ssh", "ssh-keygen", "busybox", "setpriv", "mount"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed"
    if SSHD is None:
        return "sshd is not installed"
    name = f"{STEM}{os.getpid()}xtry"
    try:
        ip("netns", "add", name)
        ip("-n", name, "link", "add", "try", "type", "veth", "peer", "name", "try2")
        ip("-n", name, "link", "add", "try3", "type", "bridge")
        ip("netns", "exec", name, "mount", "--bind", "/tmp", "/tmp")
    except subprocess.CalledProcessError as error:
        return f"no network namespaces here: {' '.join(error.cmd)}: {error.stderr.strip()}"
    finally:
        ip("netns", "del", name, check=False)
    return None


def spaces(stem=STEM):
    """Names of the namespaces of laboratories."""
    return [line.split()[0] for line in ip("netns", "list", check=False).stdout.splitlines()
            if line.startswith(stem)]


def remove_abandoned():
    """Namespaces and folders of a test that was killed; its sshd died with it."""
    def is_abandoned(name):
        found = re.match(rf"{STEM}(\d+)x", name)
        return found and not os.path.exists(f"/proc/{found.group(1)}")

    for name in filter(is_abandoned, spaces()):
        ip("netns", "del", name, check=False)
    for name in filter(is_abandoned, os.listdir("/var/tmp")):
        shutil.rmtree(f"/var/tmp/{name}", ignore_errors=True)


def pids(space):
    return [int(word) for word in ip("netns", "pids", space, check=False).stdout.split()]


def command_line(pid):
    """What a process is, or None for one that has ended."""
    try:
        if pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
            return None
        name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
        words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
        return f"{name}: {words.decode(errors='replace').strip()[:200]}"
    except OSError:
        return None


class Netlab:
    """One laboratory. Made by `with Netlab(...)`, or by the fixture `lab`."""

    def __init__(self, mtu=9000):
        self.stem = f"{STEM}{os.getpid()}x{next(NUMBERS)}"
        self.backup, self.nas, self.mid = (f"{self.stem}{part}" for part in "bnm")
        self.mtu = mtu
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=self.stem, dir="/var/tmp"))
        self.sshd = None
        self.helpers = []

    # making and removing

    def __enter__(self):
        try:
            self.make_spaces()
            self.make_files()
            self.start_sshd()
        except BaseException:
            self.remove()
            raise
        return self

    def __exit__(self, *error):
        self.remove()

    def make_spaces(self):
        for name in (self.backup, self.nas, self.mid):
            ip("netns", "add", name)
            ip("-n", name, "link", "set", "lo", "up")
        self.pair(self.backup, "eth0", self.mid, "p0")
        self.pair(self.nas, "eth4", self.mid, "p1")
        ip("-n", self.mid, "link", "add", "br0", "type", "bridge")
        for port in ("p0", "p1"):
            ip("-n", self.mid, "link", "set", port, "master", "br0")
        ip("-n", self.mid, "link", "set", "br0", "up")
        self.address(self.backup, "eth0", "10.90.0.1/24")
        self.address(self.nas, "eth4", "10.90.0.2/24")
        self.pair(self.backup, "eth9", self.nas, "eth9", mtu=1500)
        self.address(self.backup, "eth9", "10.91.0.1/24")
        self.address(self.nas, "eth9", "10.91.0.2/24")

    def pair(self, space, name, peer_space, peer, mtu=None):
        mtu = mtu or self.mtu
        ip("-n", space, "link", "add", name, "mtu", mtu, "type", "veth", "peer", "name", peer, "mtu",
           mtu, "netns", peer_space)
        ip("-n", space, "link", "set", name, "up")
        ip("-n", peer_space, "link", "set", peer, "up")

    @staticmethod
    def address(space, name, text):
        ip("-n", space, "addr", "add", text, "dev", name)

    @staticmethod
    def set_mtu(space, name, mtu):
        ip("-n", space, "link", "set", name, "mtu", mtu)

    @staticmethod
    def shape(space, name, rate):
        """What leaves by the interface is let through at this rate."""
        subprocess.run(["tc", "-n", space, "qdisc", "replace", "dev", name, "root", "tbf", "rate",
                        rate, "burst", "256kb", "latency", "50ms"], check=True)

    def gigabit(self):
        self.shape(self.backup, "eth0", "1gbit")
        self.shape(self.nas, "eth4", "1gbit")

    def cut(self, *names):
        """Pulls cables: eth4 is the link's, eth9 that of ssh."""
        for name in names:
            ip("-n", self.nas, "link", "set", name, "down")

    def make_files(self):
        """`t` is the runner's TMPDIR: its control connections need a short name."""
        self.folder.chmod(0o755)
        for name, mode in (("run/sshd", 0o755), ("run/lock", 0o1777), ("tmp", 0o1777),
                           ("shm", 0o1777), ("bin", 0o755), ("sung", 0o1777), ("home", 0o755),
                           ("t", 0o700), ("repo", 0o755), ("box", 0o775)):
            (self.folder / name).mkdir(parents=True)
            (self.folder / name).chmod(mode)
        self.make_accounts()
        for name, kind in (("host", "ed25519"), ("key", "ed25519"), ("other", "ed25519")):
            subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "", "-f",
                            self.folder / name], check=True, stdin=subprocess.DEVNULL)
        (self.folder / "authorized").write_text((self.folder / "key.pub").read_text())
        (self.folder / "banner").write_text("NO ENTRY FOR STRANGERS\n")
        (self.folder / "config").write_text(SSHD_CONFIG.format(folder=self.folder))
        self.know(self.folder / "known", "host")
        canary = self.folder / "bin" / "canary"
        canary.write_text(CANARY.format(folder=self.folder))
        canary.chmod(0o755)

    def make_accounts(self):
        """The NAS's own: ash for all, but one whose shell talks; one that may use sudo."""
        ash, loud = self.folder / "ash", self.folder / "loud"
        ash.symlink_to(shutil.which("busybox"))
        loud.write_text(f"#!{ash}\nprintf 'Welcome to DiskStation, '\necho 'a word on stderr' >&2\n"
                        f"exec {ash} \"$@\"\n")
        loud.chmod(0o755)
        rows, groups = ["root:*:0:0::/root:/bin/sh", "sshd:*:64100:65534::/run/sshd:/bin/false",
                        "nobody:*:65534:65534::/:/bin/false"], ["root:x:0:", "nogroup:x:65534:"]
        for number, (name, shell) in enumerate((("nas", ash), ("nasloud", loud), ("nassudo", ash))):
            rows.append(f"{name}:*:{UID + number}:{UID}::{self.folder}/home:{shell}")
        groups.append(f"nas:x:{UID}:")
        (self.folder / "passwd").write_text("\n".join(rows) + "\n")
        (self.folder / "group").write_text("\n".join(groups) + "\n")
        sudoers = self.folder / "sudoers"
        sudoers.write_text("nassudo ALL=(ALL) NOPASSWD: ALL\nnas ALL=(ALL) ALL\n")
        sudoers.chmod(0o440)
        for name in ("home", "box"):
            os.chown(self.folder / name, UID, UID)

    def know(self, path, key, *addresses):
        """A known_hosts file that says the NAS has this key."""
        kind, text = (self.folder / f"{key}.pub").read_text().split()[:2]
        names = ",".join(addresses or ("10.91.0.2", "10.90.0.2"))
        path.write_text(f"{names} {kind} {text}\n")
        return path

    def start_sshd(self):
        with open(self.folder / "log", "ab") as log:
            self.sshd = subprocess.Popen(
                ["ip", "netns", "exec", self.nas, "sh", "-c", ENTER, "sh", self.folder, SSHD],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        end = time.monotonic() + 60
        while "0016 00000000:0000 0A" not in self.inside(self.nas, "cat", "/proc/net/tcp").stdout:
            if self.sshd.poll() is not None or time.monotonic() > end:
                raise RuntimeError("sshd does not start: " + (self.folder / "log").read_text()[-500:])
            time.sleep(0.05)

    def inside(self, space, *words, **options):
        return subprocess.run(["ip", "netns", "exec", space, *map(str, words)], capture_output=True,
                              stdin=subprocess.DEVNULL, check=False, encoding="utf-8",
                              errors="backslashreplace", **options)

    def help_with(self, space, *words, **options):
        """Starts a process of the test's own in a namespace."""
        child = subprocess.Popen(["ip", "netns", "exec", space, *map(str, words)],
                                 stdin=subprocess.DEVNULL, start_new_session=True, **options)
        self.helpers.append(child)
        return child

    def remove(self):
        for child in self.helpers:
            child.kill()
            child.wait()
        for space in (self.backup, self.nas, self.mid):
            for pid in pids(space):  # all of them are ours: the namespace is
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        if self.sshd is not None:
            self.sshd.wait()
        for space in (self.backup, self.nas, self.mid):
            ip("netns", "del", space, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    # what a test asks

    def left(self, spaces_=None, folders=("run/lock", "tmp", "shm", "t", "home", "repo", "box")):
        """What a run has left on either side: {where: what}, {} if nothing."""
        own = {child.pid for child in self.helpers}
        found = {}
        for space in spaces_ or (self.backup, self.nas, self.mid):
            lines = [command_line(pid) for pid in pids(space) if pid not in own]
            # connections of sshd are its own affair; what runs in them is ours
            lines = [line for line in lines if line and not line.startswith("sshd: ")]
            if lines:
                found[space] = lines
        for name in folders:
            names = [os.path.join(os.path.relpath(where, self.folder), entry)
                     for where, inner, files in os.walk(self.folder / name)
                     for entry in inner + files]
            if names:
                found[name] = names[:10]
        return found

    @staticmethod
    def await_nothing(left, within):
        end = time.monotonic() + within
        while (found := left()) and time.monotonic() < end:
            time.sleep(0.1)
        assert found == {}, f"left after {within} s: {found}"

    def assert_clean(self, within=10.0):
        """Nothing of a run is left on either side, after so many seconds at the latest."""
        self.await_nothing(self.left, within)

    def assert_far_clean(self, within=10.0):
        """Nothing of a run is left on the NAS."""
        self.await_nothing(lambda: self.left([self.nas], ("run/lock", "tmp", "shm", "home", "box")), within)

    def sweep(self):
        """After a failure: the next run shall not be blamed for what this one has left."""
        for space in (self.backup, self.nas):
            for pid in pids(space):
                line = command_line(pid)
                if line and not line.startswith("sshd: "):
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
        for name in ("run/lock", "tmp", "shm", "t", "home", "repo", "box"):
            for path in (self.folder / name).iterdir():
                shutil.rmtree(path, ignore_errors=True)

    @property
    def sung(self):
        """What canaries have sung: a word of a plan was executed."""
        return [path.read_text() for path in (self.folder / "sung").iterdir()]

    # plans

    def host(self, user="nas", address="10.91.0.2", key="key", known="known", extra=""):
        return (f'{{via: ssh, target: "{user}@{address}", options: '
                f'{{IdentityFile: "{self.folder / key}", IdentitiesOnly: "yes", IdentityAgent: none, '
                f'StrictHostKeyChecking: ask, GlobalKnownHostsFile: /dev/null, '
                f'UserKnownHostsFile: "{self.folder / known}"}}{extra}}}')

    def plan(self, conditions="", phases=None, host=None, link="mtu: 9000",
             ends='["backup:eth0", "nas:eth4"]', hosts="", more=""):
        """A plan for the two sides; `phases` are items of its list, `more` are keys beside it."""
        phases = phases or "  - name: never\n    ping: {link: fiber, count: 1}\n"
        return f"""\
nasgate: 1
name: netlab
topology:
  hosts:
    backup: local
    nas: {host or self.host()}
{hosts}  links:
    fiber: {{ends: {ends}, {link}}}
  volumes:
    repo: {{on: backup, path: "{self.folder / "repo"}"}}
    box: {{on: nas, path: "{self.folder / "box"}"}}
{"preconditions:" if conditions else ""}
{conditions}{more}phases:
{phases}"""

    def command(self, nasgate, plan, output, *arguments):
        """argv and options of a run on the backup server."""
        again.made(nasgate, output)
        argv = ["ip", "netns", "exec", self.backup, nasgate.binary, "run", "-o", output, *arguments,
                plan]
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        return argv, {"cwd": nasgate.folder, "stdin": subprocess.DEVNULL, "encoding": "utf-8",
                      "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                      "errors": "backslashreplace",
                      "env": nasgate.env(TMPDIR=str(self.folder / "t"), PATH=path)}

    def run(self, nasgate, plan, *arguments, timeout=150):
        """Runs nasgate on the backup server."""
        output = nasgate.new_output()
        argv, options = self.command(nasgate, plan, output, *arguments)
        began = time.monotonic()
        done = subprocess.run(argv, timeout=timeout, check=False, **options)
        return Done(done.returncode, done.stdout, done.stderr, output, time.monotonic() - began)

    def start(self, nasgate, plan, *arguments, output=None):
        """Starts it there and returns (process, output folder)."""
        output = output or nasgate.new_output()
        argv, options = self.command(nasgate, plan, output, *arguments)
        child = subprocess.Popen(argv, **options)
        nasgate.children.append(child)
        return child, output


def conditions(done):
    return {c["id"]: c for c in done.bundle.result["conditions"]}


def starts(bundle):
    return [event for event in bundle.events if event.get("event") == "start"]


def assert_not_measured(done):
    """Exit 3, all phases skipped, and the evidence has no command of a phase or for a volume."""
    assert done.code == 3, done
    assert done.bundle.result["complete"]
    assert [p["verdict"] for p in done.bundle.result["phases"]] == ["skipped"] * len(
        done.bundle.result["phases"])
    purposes = [start["purpose"] for start in starts(done.bundle)]
    assert purposes, "not even facts were collected"
    assert [p for p in purposes if p.startswith(("phase", "volume"))] == [], purposes


@pytest.fixture(scope="session")
def can_make_labs():
    reason = why_not()
    if reason:
        pytest.skip(reason)


@pytest.fixture(scope="session", autouse=True)
def no_trace():
    """When all is done there is no namespace, process, account or folder of a laboratory."""
    files = {path: pathlib.Path(path).read_bytes() for path in ("/etc/passwd", "/etc/group")}
    if os.geteuid() == 0 and shutil.which("ip"):
        remove_abandoned()
    # a time limit outside asks with SIGTERM, which would spare us the tidying up
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    yield
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    stem = f"{STEM}{os.getpid()}"
    if os.geteuid() == 0 and shutil.which("ip"):
        assert spaces(stem) == []
    assert [p.name for p in pathlib.Path("/var/tmp").glob(f"{stem}*")] == []
    assert {path: pathlib.Path(path).read_bytes() for path in files} == files
    lines = [command_line(int(p.name)) for p in pathlib.Path("/proc").iterdir() if p.name.isdigit()]
    assert [line for line in lines if line and f"/{stem}" in line] == []


@pytest.fixture
def lab(can_make_labs):
    """A laboratory for one test, which must leave nothing on either side."""
    with Netlab() as made:
        yield made
        made.assert_clean()
