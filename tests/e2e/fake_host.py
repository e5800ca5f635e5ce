"""A fake host: a folder with BusyBox and plain files under /proc, /sys and /etc, reached by chroot.

Fake is what the files say; the shell, the collector, the sampler and everything behind them are
real. What must move by itself (uptime, load, processor ticks) is the machine's own, bound over it.
"""

import functools
import os
import pathlib
import shutil
import subprocess

import pytest

ENTER = """\
for file in proc/uptime proc/loadavg proc/stat dev/null dev/zero dev/urandom; do
    [ ! -e "{root}/$file" ] || mount --bind "/$file" "{root}/$file" || exit 125
done
exec chroot "{root}" "$@"
"""

MOVING = ("proc/uptime", "proc/loadavg", "proc/stat", "dev/null", "dev/zero", "dev/urandom")


def need_fake_hosts():
    """Skips where a fake host cannot be had, and says why."""
    busybox = shutil.which("busybox")
    if busybox is None:
        pytest.skip("no busybox")
    probe = subprocess.run(["unshare", "-m", "chroot", "/", "true"], check=False,
                           stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if probe.returncode != 0:
        pytest.skip(f"no mount namespace and chroot here: {probe.stderr.strip()}")


@functools.lru_cache(maxsize=None)
def busybox_parts():
    """BusyBox, the libraries that it needs, the names of its applets."""
    busybox = shutil.which("busybox")
    listed = subprocess.run(["ldd", busybox], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                            check=False, text=True).stdout
    applets = subprocess.run([busybox, "--list"], stdout=subprocess.PIPE, check=True, text=True)
    return (busybox, [word for word in listed.split() if word.startswith("/")],
            sorted(set(applets.stdout.split()) - {"busybox"}))


class FakeHost:
    """`root` is its folder. Files are written by `put`, tools by `tool`."""

    def __init__(self, folder):
        self.root = pathlib.Path(folder)
        for name in ("bin", "proc/self", "proc/sys/kernel/random", "sys/block", "sys/class/net",
                     "etc", "dev", "tmp", "var"):
            (self.root / name).mkdir(parents=True, exist_ok=True)
        (self.root / "tmp").chmod(0o1777)
        for name in MOVING:
            (self.root / name).touch()
        self._copy_busybox()
        self.put("proc/self/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n")
        self.put("proc/sys/kernel/random/boot_id", "11111111-2222-3333-4444-555555555555\n")
        self.put("proc/meminfo", "MemTotal:  8000000 kB\nCached:  1000000 kB\n")
        self._enter = self.root.parent / f"{self.root.name}.enter.sh"
        self._enter.write_text(ENTER.format(root=self.root), encoding="utf-8")

    def _copy_busybox(self):
        busybox, libraries, applets = busybox_parts()
        shutil.copy(busybox, self.root / "bin/busybox")
        for library in libraries:
            target = self.root / library.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(os.path.realpath(library), target)
        for applet in applets:
            os.symlink("busybox", self.root / "bin" / applet)

    def put(self, path, text):
        """Writes a file, whole at once, so that a reader sees the old text or the new one."""
        target = self.root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(target.name + ".new")
        fresh.write_text(text, encoding="utf-8")
        fresh.rename(target)

    def tool(self, name, text):
        """A tool that prints a recording: a script of BusyBox's shell."""
        self.put(f"bin/{name}", "#!/bin/sh\n" + text)
        (self.root / "bin" / name).chmod(0o755)

    def recording(self, name, text):
        """A tool that prints exactly this, whatever it is asked."""
        self.put(f"var/{name}.out", text)
        self.tool(name, f"exec cat /var/{name}.out\n")

    def md(self, array, **files):
        """The files of /sys/block/ARRAY/md."""
        for name, value in files.items():
            self.put(f"sys/block/{array}/md/{name}", f"{value}\n")

    @property
    def prefix(self):
        """The words before each command, for `via: {prefix: ...}`."""
        return ["unshare", "-m", "sh", str(self._enter)]
