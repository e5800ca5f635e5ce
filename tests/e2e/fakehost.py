"""A host that is a folder: BusyBox and plain files, behind `via: {prefix: [...]}` and chroot.

Every command of nasgate on that host goes through its `enter` script, so a test can change the files
from one look at the host to the next.
"""

import os
import pathlib
import shutil
import subprocess

import pytest

def libraries(program):
    """The shared objects that a program is loaded with."""
    done = subprocess.run(["ldd", program], capture_output=True, encoding="utf-8", check=False)
    words = done.stdout.replace("=>", " ").split()
    return sorted({w for w in words if w.startswith("/")})


def chroot_words():
    """How this user changes the root: as root, or in a name space of its own."""
    for words in (["chroot"], ["unshare", "-r", "chroot"]):
        if shutil.which(words[0]) and subprocess.run(
                [*words, "/", "true"], capture_output=True, check=False).returncode == 0:
            return words
    return None


class FakeHost:
    """`write("proc/mdstat", text)` for all looks, `write(..., look=2)` from the second one on."""

    def __init__(self, folder, words):
        self.folder, self.words = folder, words
        self.root = folder / "root"
        for name in ("bin", "dev", "etc", "proc/self", "sys/block", "tmp"):
            (self.root / name).mkdir(parents=True)
        (self.root / "dev/null").write_text("")
        (self.root / "dev/null").chmod(0o666)
        (self.root / "tmp").chmod(0o777)
        busybox = shutil.which("busybox")
        shutil.copy(busybox, self.root / "bin/busybox")
        names = subprocess.run([busybox, "--list"], capture_output=True, encoding="utf-8", check=True)
        for applet in names.stdout.split():
            if applet not in ("busybox", "ip"):
                (self.root / "bin" / applet).symlink_to("busybox")
        for library in libraries(busybox):
            target = self.root / library.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, target)
        self.enter = folder / "enter"
        self.script("")
        self.write("proc/self/mountinfo", "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n")
        self.write("sys/block/sda/dev", "8:0\n")

    def script(self, before):
        """`before` is shell text that runs in front of every command; $look counts them from 1."""
        self.enter.write_text(f"""#!/bin/sh
cd "{self.folder}" || exit 1
read -r look <looks
look=$((look + 1))
echo "$look" >looks
[ ! -d "at.$look" ] || cp -R "at.$look/." root/
{before}
exec {' '.join(self.words)} root "$@"
""")
        self.enter.chmod(0o755)
        (self.folder / "looks").write_text("0\n")

    def write(self, name, text, look=0):
        path = (self.folder / f"at.{look}" if look else self.root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    @property
    def looks(self):
        return int((self.folder / "looks").read_text() or 0)

    @property
    def via(self):
        return f'{{via: {{prefix: ["{self.enter}"]}}}}'


@pytest.fixture
def fake_host(tmp_path):
    """fake_host(name="nas") -> FakeHost"""
    words = chroot_words()
    if shutil.which("busybox") is None or words is None:
        pytest.skip("no busybox, or this user cannot change the root (chroot, unshare -r)")

    def make(name="nas"):
        folder = pathlib.Path(os.path.realpath(tmp_path)) / name
        folder.mkdir()
        return FakeHost(folder, words)
    return make
