"""A file system that is full as soon as a test fills it."""

import os
import subprocess

import pytest


@pytest.fixture
def small(tmp_path):
    """A file system of 4 MiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "nasgate-test", folder],
                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if made.returncode != 0:
        pytest.skip(f"no small file system without root: {made.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def fill(folder):
    """To the last byte."""
    with open(folder / "filler", "wb", buffering=0) as filler:
        try:
            while filler.write(b"x" * 4096) == 4096:
                pass
        except OSError:
            pass
    assert os.statvfs(folder).f_bavail == 0


def says_where(folder, text):
    return f"No space left on device: nasgate-test (tmpfs) on {folder} has 0 KiB left" in text
