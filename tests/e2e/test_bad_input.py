"""Bad input: every problem with its place, exit 2 or 3, nothing lost, contacted or changed."""

import os
import shutil
import subprocess

import pytest

GOOD = """\
nasgate: 1
name: storage
topology:
  hosts: {here: local}
  volumes:
    disk: {on: here, path: "VOLUME"}
phases:
  - name: w
    fio: {volume: disk, rw: write, bs: 64 KiB, size: 8 MiB, time: 1 s}
    pass: [write.bw >= 1 kB/s]
"""


def refused(done, code=2):
    assert done.code == code, done
    assert "Sanitizer" not in done.stderr
    assert done.stderr.rstrip().splitlines()[-1].startswith(f"nasgate: exit {code}: ")


def test_no_such_plan(nasgate, tmp_path):
    done = nasgate.run(tmp_path / "absent.yaml")
    refused(done)
    assert "absent.yaml" in done.stderr and "No such file" in done.stderr


def test_a_folder_and_a_device(nasgate, tmp_path):
    for path in (tmp_path, "/dev/zero"):
        done = nasgate.run(path, timeout=20)
        refused(done)
        assert "regular file" in done.stderr or "folder" in done.stderr


def test_a_pipe_does_not_hang(nasgate, tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    refused(nasgate.run(tmp_path / "pipe.yaml", timeout=20))


def test_a_huge_plan(nasgate, tmp_path):
    path = tmp_path / "huge.yaml"
    with open(path, "wb") as f:
        f.truncate(100 * 1024 * 1024)
    done = nasgate.run(path, timeout=20)
    refused(done)
    assert "MiB" in done.stderr or "bytes" in done.stderr


@pytest.mark.parametrize("name, data", [
    ("not-utf8", b"nasgate: 1\nname: \xff\xfe\n"),
    ("binary", bytes(range(256)) * 16),
    ("nul", b"nasgate: 1\nname: a\0b\n"),
    ("empty", b""),
    ("comment", b"# nothing here\n"),
    ("utf16", "nasgate: 1\n".encode("utf-16")),
    ("list", b"- nasgate: 1\n"),
    ("deep", b"[" * 100000),
    ("two-documents", b"nasgate: 1\n---\nnasgate: 1\n"),
])
def test_not_a_plan(nasgate, tmp_path, name, data):
    path = tmp_path / f"{name}.yaml"
    path.write_bytes(data)
    done = nasgate.run(path, timeout=20)
    refused(done)
    assert f"{name}.yaml:" in done.stderr and ": error: " in done.stderr


def test_every_truncation_is_refused_or_loads(nasgate, tmp_path):
    text = GOOD.replace("VOLUME", "/var/tmp")
    for end in range(0, len(text), 7):
        path = tmp_path / "cut.yaml"
        path.write_text(text[:end])
        done = nasgate("check", path, timeout=20)
        assert done.code in (0, 2), done
        if done.code == 2:
            assert "cut.yaml:" in done.stderr, done


def test_all_errors_in_one_pass(nasgate, write_plan):
    plan = write_plan(GOOD.replace("rw: write", "rw: wriet").replace("8 MiB", "8")
                      .replace("name: storage", "naem: storage"))
    done = nasgate("check", plan)
    assert done.code == 2
    errors = [line for line in done.stderr.splitlines() if ": error: " in line]
    assert len(errors) >= 3, done
    lines = [int(e.split("plan.yaml:")[1].split(":")[0]) for e in errors]
    assert lines == sorted(lines)


def test_output_that_holds_something(nasgate, write_plan, volume, tmp_path):
    output = tmp_path / "earlier"
    output.mkdir()
    (output / "result.json").write_text("precious")
    done = nasgate.run(write_plan(GOOD.replace("VOLUME", str(volume))), output=output)
    refused(done)
    assert "not empty" in done.stderr
    assert (output / "result.json").read_text() == "precious" and len(list(output.iterdir())) == 1
    assert list(volume.iterdir()) == []


@pytest.mark.parametrize("output", ["/proc/nasgate-out", "/dev/null/out"])
def test_output_that_cannot_be_made(nasgate, write_plan, volume, output):
    done = nasgate.run(write_plan(GOOD.replace("VOLUME", str(volume))), output=output)
    refused(done)
    assert output.split("/out")[0] in done.stderr


def test_two_runs_into_the_default_folder(nasgate, write_plan, volume, tmp_path):
    if shutil.which("fio") is None:
        pytest.skip("fio is not installed")
    plan = write_plan(GOOD.replace("VOLUME", str(volume)))
    for _ in range(2):
        done = nasgate("run", plan)
        assert done.code == 0, done
    runs = list((tmp_path / "nasgate-out" / "storage").iterdir())
    assert len(runs) == 2 and all((r / "result.json").is_file() for r in runs)


def test_no_volume(nasgate, write_plan, tmp_path):
    done = nasgate.run(write_plan(GOOD.replace("VOLUME", str(tmp_path / "absent"))))
    refused(done, 3)
    assert "absent" in done.stderr
    assert not (tmp_path / "absent").exists()


def test_volume_is_a_file(nasgate, write_plan, tmp_path):
    (tmp_path / "file").write_text("precious")
    done = nasgate.run(write_plan(GOOD.replace("VOLUME", str(tmp_path / "file"))))
    refused(done, 3)
    assert (tmp_path / "file").read_text() == "precious"


def in_mounts(command):
    """Runs shell text in a mount namespace of its own, or skips."""
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("needs root and unshare for a mount namespace of its own")
    return ["unshare", "-m", "--propagation", "private", "sh", "-c", command]


def run_in_mounts(nasgate, setup, plan, output):
    done = subprocess.run(
        in_mounts(f'{setup} && exec "$0" run -o "$1" "$2"') + [nasgate.binary, output, plan],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
        check=False, encoding="utf-8", env=nasgate.env(), cwd=nasgate.folder)
    return done.returncode, done.stderr


def test_fio_is_missing(nasgate, write_plan, volume):
    fio = shutil.which("fio")
    if fio is None:
        pytest.skip("fio is not installed, so it cannot be taken away")
    plan = write_plan(GOOD.replace("VOLUME", str(volume)))
    code, err = run_in_mounts(
        nasgate, f"mount --bind /dev/null {fio}", plan, nasgate.new_output())
    assert code == 3, err
    assert "tools-here-fio" in err and "apt-get install fio" in err


def test_volume_is_read_only(nasgate, write_plan, volume):
    plan = write_plan(GOOD.replace("VOLUME", str(volume)))
    code, err = run_in_mounts(
        nasgate, f"mount --bind {volume} {volume} && mount -o remount,ro,bind {volume}", plan,
        nasgate.new_output())
    assert code == 3, err
    assert "read-only" in err or "writ" in err


def test_volume_is_too_small(nasgate, write_plan, volume):
    plan = write_plan(GOOD.replace("VOLUME", str(volume)))
    code, err = run_in_mounts(
        nasgate, f"mount -t tmpfs -o size=4m none {volume}", plan, nasgate.new_output())
    assert code == 3, err
    assert "volume_ready-disk" in err and "MiB" in err


def test_volume_gets_full_in_the_middle(nasgate, write_plan, volume):
    """What takes the room after it was checked makes the engine fail, and no number is told."""
    if shutil.which("fio") is None:
        pytest.skip("fio is not installed")
    plan = write_plan(GOOD.replace("VOLUME", str(volume))
                      .replace("size: 8 MiB, time: 1 s", "size: 16 MiB, rate: 64 Mbit/s"))
    output = nasgate.new_output()
    filler = (f"(while ! ls {volume}/nasgate-*/data.0 >/dev/null 2>&1; do :; done; "
              f"dd if=/dev/zero of={volume}/filler bs=1M count=64 2>/dev/null) &")
    code, err = run_in_mounts(
        nasgate, f"mount -t tmpfs -o size=24m none {volume} && {{ {filler} }}", plan, output)
    assert code == 5, err
    assert "space" in err.lower()
