"""One virtual machine: its QEMU, a child of this process that ends with it, and ssh into it."""

import ctypes
import json
import re
import select
import signal
import subprocess
import time

PDEATHSIG = 1

# What a machine under emulation can do without: mitigations, self-tests, watchdogs, a talkative
# console.
KERNEL = ("console=ttyS0 quiet panic=-1 net.ifnames=0 raid=noautodetect mitigations=off nokaslr "
          "cryptomgr.notests lsm= audit=0 nowatchdog rcupdate.rcu_expedited=1 random.trust_cpu=on "
          "8250.nr_uarts=1 no_timer_check tsc=reliable lab.role={}")

# A processor without ERMS: where it is reported, the kernel copies memory byte by byte, which takes
# five to ten times as long under emulation.
PROCESSOR = "qemu64,+rdrand"


class Failed(Exception):
    """What the laboratory could not do."""


def ends_with_parent():
    """In the child: the machine shall not outlive the tests, however they end."""
    ctypes.CDLL(None).prctl(PDEATHSIG, signal.SIGKILL)


class Machine:
    """`name` is its role, too. Its disks' contents are thrown away when it ends."""

    def __init__(self, name, memory, image, run, link, disks=()):
        self.name, self.image, self.run = name, image, run
        self.console = run / f"{name}.console"
        self.pending = b""
        self.asked = 0
        number = {"backup": 1, "nas": 2}[name]
        words = [
            "qemu-system-x86_64", "-name", f"nasgate-lab-{name}", "-nodefaults", "-no-user-config",
            "-display", "none", "-machine", "q35", "-accel", "tcg,thread=multi,tb-size=128",
            "-cpu", PROCESSOR, "-smp", "1", "-m", str(memory),
            "-kernel", image / "vmlinuz", "-initrd", image / "first.cpio",
            "-append", KERNEL.format(name),
            "-serial", f"file:{self.console}", "-qmp", "stdio",
            "-object", "rng-random,id=rng,filename=/dev/urandom",
            "-device", "virtio-rng-pci,rng=rng",
            *self._drive("root", image / "root.img"), "-device", "virtio-blk-pci,drive=root",
            "-device", "virtio-scsi-pci,id=bay"]
        for i, disk in enumerate(disks):
            # A virtual disk by its name would hide what its host caches.
            words += [*self._drive(disk, run / "blank.img"), "-device",
                      f"scsi-hd,bus=bay.0,scsi-id={i},drive={disk},vendor=LAB,product=DISK"]
        # User networking reaches nothing outside (restrict); QEMU picks the port of this machine.
        words += [
            "-netdev", "user,id=mgmt,restrict=on,hostfwd=tcp:127.0.0.1:0-:22",
            "-device", f"virtio-net-pci,netdev=mgmt,mac=52:54:00:4c:00:0{number},romfile=",
            "-netdev", f"stream,id=lan,server=off,addr.type=fd,addr.str={link.fileno()}",
            "-device", f"virtio-net-pci,id=card,netdev=lan,mac=52:54:00:4c:01:0{number},romfile=,"
                       "host_mtu=9000,speed=10000,duplex=full"]
        with open(run / f"{name}.errors", "wb") as errors:
            self.child = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0,
                pass_fds=[link.fileno()], preexec_fn=ends_with_parent, start_new_session=True,
                env=self._env(run))
        self._read(20)
        self.qmp("qmp_capabilities")
        forwards = re.findall(r"HOST_FORWARD\]\s+\d+\s+127\.0\.0\.1\s+(\d+)",
                              self.monitor("info usernet"))
        self.port = int(forwards[0])

    @staticmethod
    def _env(run):
        # Where QEMU keeps what is written to disks, in files without a name.
        return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": str(run)}

    @staticmethod
    def _drive(name, file):
        return ["-drive", f"if=none,id={name},file={file},format=raw,snapshot=on,cache=unsafe"]

    def _read(self, seconds):
        """The next message of QEMU."""
        end = time.monotonic() + seconds
        while b"\n" not in self.pending:
            ready, _, _ = select.select([self.child.stdout], [], [], max(0, end - time.monotonic()))
            data = self.child.stdout.read(65536) if ready else b""
            if not data:
                raise Failed(f"QEMU of {self.name} {'has ended' if ready else 'does not answer'}: "
                             + (self.run / f"{self.name}.errors").read_text()[-500:])
            self.pending += data
        line, _, self.pending = self.pending.partition(b"\n")
        return json.loads(line)

    def qmp(self, command, seconds=120, **arguments):
        """Gives QEMU a command and returns its answer."""
        self.asked += 1
        text = json.dumps({"execute": command, "arguments": arguments, "id": self.asked}).encode()
        self.child.stdin.write(text + b"\n")
        while True:
            message = self._read(seconds)
            if message.get("id") != self.asked:
                continue  # an event, or the answer that a case did not wait for
            if "error" in message:
                raise Failed(f"{self.name}: {command}: {message['error']['desc']}")
            if "return" in message:
                return message["return"]

    def monitor(self, line):
        """A command that only QEMU's monitor for people has."""
        return self.qmp("human-monitor-command", **{"command-line": line})

    def snapshot(self, action):
        """savevm or loadvm. It tells of failure only in words."""
        told = self.monitor(f"{action} fresh").strip()
        if told:
            raise Failed(f"{self.name}: {action}: {told}")

    def wait_ready(self, boots=1, seconds=240):
        """Until its boot script has come to its end so many times."""
        end = time.monotonic() + seconds
        while True:
            text = self.console.read_text(errors="replace") if self.console.exists() else ""
            if "LAB-FAILED" in text:
                raise Failed(f"{self.name}: {text[text.index('LAB-FAILED'):].splitlines()[0]}")
            if text.count("LAB-READY") >= boots:
                return
            if time.monotonic() > end or self.child.poll() is not None:
                raise Failed(f"{self.name} did not boot within {seconds} s: {text[-300:]}")
            time.sleep(0.1)

    def ssh(self, command, seconds=60, check=True):
        """Runs a command there, in the shell of its account; returns what it printed."""
        done = subprocess.run(
            ["ssh", "-F", self.run / "ssh_config", self.name, command], timeout=seconds,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            check=False, text=True, errors="replace")
        if check and done.returncode != 0:
            raise Failed(f"{self.name}: {command}: exit {done.returncode}: {done.stdout}")
        return done.stdout

    def end(self):
        self.child.kill()
        self.child.wait()
        self.child.stdin.close()
        self.child.stdout.close()
