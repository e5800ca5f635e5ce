"""A fake host whose files change from one look at it to the next.

Every command of nasgate on that host goes through its `enter` script, which counts them: that is
what a test of a run that asks again and again hangs its changes on.
"""

import fake_host as base
import pytest


class FakeHost(base.FakeHost):
    """`write("proc/mdstat", text)` for all looks, `write(..., look=2)` from the second one on."""

    def __init__(self, folder):
        super().__init__(folder / "root")
        self.folder = folder
        self.enter = folder / "enter"
        self.script("")
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
exec {" ".join(self.prefix)} "$@"
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
    base.need_fake_hosts()

    def make(name="nas"):
        folder = tmp_path.resolve() / name
        folder.mkdir()
        return FakeHost(folder)
    return make
