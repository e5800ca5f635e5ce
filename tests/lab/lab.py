"""The laboratory: a backup server and a NAS, started once and reset to the same state for each case.

usage: lab.py    starts it and says how to reach both machines; the end of input stops it
"""

import fcntl
import os
import pathlib
import shutil
import signal
import socket
import sys
import tempfile
import threading
import time

from machine import Failed, Machine

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEMBER_MIB = 128
MEMBERS = [f"disk{i}" for i in range(1, 6)]

SSH_CONFIG = """\
Host nas
    Port {nas}
    HostKeyAlias nas
Host backup
    Port {backup}
    HostKeyAlias backup
Host nas backup
    HostName 127.0.0.1
    User root
    IdentityFile {keys}/login
    IdentitiesOnly yes
    IdentityAgent none
    UserKnownHostsFile {keys}/known_hosts
    GlobalKnownHostsFile /dev/null
    StrictHostKeyChecking yes
    BatchMode yes
    ConnectTimeout 30
    LogLevel ERROR
"""

# The client's ssh with the configuration above, for programs that only know to call `ssh`.
SSH = """\
#!/bin/sh
exec {ssh} -F {config} "$@"
"""

NFS = "mount -t nfs -o vers=3,rsize=131072,wsize=131072,hard,proto=tcp nas:/volume1/bench /mnt/bench"
SMB = "mount -t cifs -o vers=3.1.1,credentials=/etc/smb-credentials //nas/bench /mnt/smb"


def image_folder():
    """Where image.sh has put the image: $NASGATE_LAB, else build/lab."""
    return pathlib.Path(os.environ.get("NASGATE_LAB", ROOT / "build" / "lab")) / "image"


def missing():
    """Why there can be no laboratory here; None when there can."""
    for tool in ("qemu-system-x86_64", "ssh"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed: ./bootstrap lab installs it"
    if not (image_folder() / "stamp").is_file():
        return "there is no image of the laboratory: ./bootstrap lab makes it (tests/lab/image.sh)"
    return None


def both(act, *machines):
    """Does the same with both machines at once."""
    errors = []

    def guarded(machine):
        try:
            act(machine)
        except Exception as error:  # told below, in the thread that waits
            errors.append(error)
    threads = [threading.Thread(target=guarded, args=(m,)) for m in machines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def sweep():
    """Removes the folders of laboratories that were killed: what is in use is locked."""
    for old in pathlib.Path(tempfile.gettempdir()).glob("nasgate-lab-*/alive"):
        try:
            with open(old, "rb") as alive:
                fcntl.flock(alive, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(old.parent, ignore_errors=True)
        except OSError:
            pass


class Lab:
    """Both machines and the link between them. `path` is a folder for PATH, with the right ssh."""

    def __init__(self):
        sweep()
        self.run = pathlib.Path(tempfile.mkdtemp(prefix="nasgate-lab-"))
        self.alive = open(self.run / "alive", "wb")
        fcntl.flock(self.alive, fcntl.LOCK_EX)
        self.machines = []
        try:
            self._start()
        except BaseException:
            self.end()
            raise

    def _start(self):
        image = image_folder()
        with open(self.run / "blank.img", "wb") as blank:
            blank.truncate(MEMBER_MIB << 20)
        ends = socket.socketpair()
        self.nas = Machine("nas", 512, image, self.run, ends[0], [*MEMBERS, "ssd"])
        self.machines.append(self.nas)
        self.backup = Machine("backup", 384, image, self.run, ends[1])
        self.machines.append(self.backup)
        for end in ends:
            end.close()
        self._write_ssh(image)
        both(Machine.wait_ready, *self.machines)
        self.backup.ssh(NFS)
        self.backup.ssh(SMB)
        self.nas.ssh("sync")
        self.boots = 1
        self._stop()
        both(lambda m: m.snapshot("savevm"), *self.machines)
        self._go_on()

    def _write_ssh(self, image):
        # The image may be made anew meanwhile, with other keys.
        keys = shutil.copytree(image / "keys", self.run / "keys")
        config = SSH_CONFIG.format(nas=self.nas.port, backup=self.backup.port, keys=keys)
        (self.run / "ssh_config").write_text(config, encoding="utf-8")
        self.path = self.run / "bin"
        self.path.mkdir()
        ssh = self.path / "ssh"
        ssh.write_text(SSH.format(ssh=shutil.which("ssh"), config=self.run / "ssh_config"),
                       encoding="utf-8")
        ssh.chmod(0o755)

    def _stop(self):
        for machine in self.machines:
            machine.qmp("stop")

    def _go_on(self):
        for machine in self.machines:
            machine.qmp("cont")
        # Their clocks go on from when they were saved.
        both(lambda m: m.ssh(f"date -s @{int(time.time())}"), *self.machines)

    def reset(self):
        """Both machines as they were after their boot: mounted, whole, idle, without a cache."""
        self._stop()
        self.link(True)
        both(lambda m: m.snapshot("loadvm"), *self.machines)
        self._go_on()

    def link(self, up):
        """Pulls the NAS's cable, or plugs it in."""
        self.nas.qmp("set_link", name="card", up=up)

    def mtu(self, machine, size):
        machine.ssh(f"ip link set eth1 mtu {size} && /lab/frames")

    def end(self):
        for machine in self.machines:
            machine.end()
        shutil.rmtree(self.run, ignore_errors=True)
        self.alive.close()


def main():
    why = missing()
    if why is not None:
        sys.exit(f"lab.py: {why}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    began = time.monotonic()
    try:
        lab = Lab()
    except Failed as error:
        sys.exit(f"lab.py: {error}")
    try:
        print(f"up after {time.monotonic() - began:.0f} s; ssh -F {lab.run}/ssh_config nas (or backup);"
              " the end of input stops it", flush=True)
        sys.stdin.read()
    except KeyboardInterrupt:
        pass
    finally:
        lab.end()


if __name__ == "__main__":
    main()
