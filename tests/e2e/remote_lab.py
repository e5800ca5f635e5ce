"""A real sshd on a loopback port as another host: fixtures for tests of remote runs."""

import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

import pytest

SSHD = shutil.which("sshd", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")

PLAN = """\
nasgate: 1
name: far
topology:
  hosts:
    here: local
    nas: HOST
  volumes:
    disk: {on: nas, path: "VOLUME"}
preconditions:
  - free_space: {volume: disk, at_least: 1 MiB}
phases:
  - name: w
    fio: {volume: disk, rw: randwrite, bs: 64 KiB, size: 4 MiB, time: TIME}
    pass: [write.bw >= 1 kB/s]
"""


def processes(variable, prefix):
    """Processes whose environment has VARIABLE=PREFIX...: {pid: command line}."""
    found = {}
    for folder in pathlib.Path("/proc").iterdir():
        try:
            entries = (folder / "environ").read_bytes().split(b"\0") if folder.name.isdigit() else []
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0] if entries else "Z"
            line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if state != "Z" and any(e.startswith(f"{variable}={prefix}".encode()) for e in entries):
            found[int(folder.name)] = line.strip()
    return found


def descendants(root):
    """All processes below `root`, without it."""
    parents = {}
    for folder in pathlib.Path("/proc").iterdir():
        try:
            if folder.name.isdigit():
                parents[int(folder.name)] = int(
                    (folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    found, news = set(), {root}
    while news:
        news = {pid for pid, parent in parents.items() if parent in news} - found
        found |= news
    return found


def written(pid):
    """Bytes that a process has written so far."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/io").read_text().splitlines()
    except OSError:
        return 0
    return max(int(line.split()[1]) for line in lines if line.startswith(("wchar", "write_bytes")))


class Sshd:
    """A server of our own. `login(NAME)` gives a key whose commands run in another way."""

    def __init__(self, folder):
        self.folder, self.keys = folder, {}
        self.port = self.free_port()
        self.scratch = folder / "remote-tmp"
        self.scratch.mkdir()
        self.leases = folder / "leases"
        self.leases.mkdir()
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / "host"],
                       check=True, stdin=subprocess.DEVNULL)
        public = (folder / "host.pub").read_text()
        (folder / "known").write_text(f"[127.0.0.1]:{self.port} {public}")
        (folder / "banner").write_text("NO ENTRY FOR STRANGERS\n")
        (folder / "authorized").touch(mode=0o600)
        (folder / "config").write_text(f"""\
Port {self.port}
ListenAddress 127.0.0.1
HostKey {folder}/host
PidFile none
AuthorizedKeysFile {folder}/authorized
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
Banner {folder}/banner
MaxStartups 100
SetEnv TMPDIR={self.scratch} NASGATE_LEASE_FOLDER={self.leases}
""")
        self.child = None

    @staticmethod
    def free_port():
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]

    def start(self):
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        log = open(self.folder / "log", "ab")
        self.child = subprocess.Popen([SSHD, "-D", "-e", "-f", self.folder / "config"],
                                      stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                      start_new_session=True)
        end = time.monotonic() + 20
        while time.monotonic() < end and self.child.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        pytest.skip("sshd does not start here: " + (self.folder / "log").read_text()[-300:])

    def stop(self):
        """Ends the server and all its connections, as a machine that loses its power does."""
        if self.child is not None:
            for pid in [*self.connections(), self.child.pid]:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            self.child.wait()

    def connections(self):
        """The server's processes, one or two for each connection."""
        found = []
        for pid in descendants(self.child.pid):
            try:
                if pathlib.Path(f"/proc/{pid}/comm").read_text().startswith("sshd"):
                    found.append(pid)
            except OSError:
                pass
        return found

    def login(self, name="plain", command=None):
        if name not in self.keys:
            key = self.folder / f"key-{name}"
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True,
                           stdin=subprocess.DEVNULL)
            quoted = command.replace('"', '\\"') if command else None
            with open(self.folder / "authorized", "a", encoding="utf-8") as file:
                file.write((f'command="{quoted}" ' if quoted else "") +
                           pathlib.Path(f"{key}.pub").read_text())
            self.keys[name] = key
        return self.keys[name]

    def host(self, key=None, port=None, known=None, extra=""):
        """The host as a plan says it."""
        return (f'{{via: ssh, target: "{getpass.getuser()}@127.0.0.1", options: '
                f'{{Port: {port or self.port}, IdentityFile: "{key or self.login()}", '
                f'IdentitiesOnly: "yes", IdentityAgent: none, StrictHostKeyChecking: ask, '
                f'GlobalKnownHostsFile: /dev/null, '
                f'UserKnownHostsFile: "{known or self.folder / "known"}"}}{extra}}}')


@pytest.fixture(scope="module")
def sshd(tmp_path_factory):
    if SSHD is None or shutil.which("ssh") is None or shutil.which("ssh-keygen") is None:
        pytest.skip("sshd, ssh or ssh-keygen is not installed")
    server = Sshd(tmp_path_factory.mktemp("sshd"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def far(sshd, write_plan, volume):
    """far(host, time="1 s", change=(OLD, NEW)) writes a plan that measures on the other host."""
    if shutil.which("fio") is None:
        pytest.skip("fio is not installed")

    def write(host=None, duration="1 s", change=("", ""), name="plan.yaml"):
        text = PLAN.replace("HOST", host or sshd.host()).replace("VOLUME", str(volume))
        return write_plan(text.replace("TIME", duration).replace(*change), name)
    return write


@pytest.fixture
def clean(sshd, volume, wait_for):
    """clean(run_id, within): nothing of a run is left on the other host."""
    def check(run_id, within=10.0):
        end = time.monotonic() + within
        while processes("NASGATE_REMOTE", run_id + ".") and time.monotonic() < end:
            time.sleep(0.05)
        assert processes("NASGATE_REMOTE", run_id + ".") == {}
        wait_for(lambda: list(sshd.scratch.iterdir()) == [], 5, "the watchdog's folder is left")
        assert list(volume.iterdir()) == []
    return check


def same_again(nasgate, bundle):
    """Replays a bundle and compares every byte of what is made from evidence."""
    again = nasgate.new_output()
    done = nasgate("replay", bundle, "-o", again, output=again)
    assert done.code not in (2, 70, 99), done
    for name in ("result.json", "report.md", "TEST-nasgate.xml", "effective.yaml"):
        assert done.bundle.text(name) == bundle.text(name), name
