"""Mounts as they really are: in a mount namespace that the test makes, and with what a host says
of itself. And the page cache, which is dropped into a file that lies over the kernel's own."""

import json
import os
import shutil
import subprocess

import pytest

PLAN = """\
nasgate: 1
name: mounts
topology:
  hosts: {hosts}
  volumes: {{repo: {{on: here, path: {path}, mount: {mount}}}}}
preconditions:
  - mounted: repo
phases:
  - name: never
    fio: {{volume: repo, rw: write, bs: 4 KiB, size: 64 KiB, time: 1 s, direct: false}}
"""


def outcome(bundle, kind):
    return next(c for c in bundle.result["conditions"] if c["kind"] == kind)


@pytest.fixture
def inside(nasgate, tmp_path):
    """inside(script, plan) runs shell commands in a mount namespace of their own, and nasgate behind
    them in it."""
    if os.geteuid() != 0:
        pytest.skip("mounts need root")
    if subprocess.run(["unshare", "-m", "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("no mount namespaces here")

    def run(script, plan, **options):
        out = nasgate.new_output()
        path = tmp_path / "plan.yaml"
        path.write_text(plan)
        done = subprocess.run(
            ["unshare", "-m", "--propagation", "private", "sh", "-c",
             f'set -e\n{script}\nexec "$@"', "inside", nasgate.binary, "run", "-o", out, path],
            env=nasgate.env(), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
            check=False, cwd=tmp_path, **options)
        assert (out / "result.json").is_file(), done.stderr
        return done, json.loads((out / "result.json").read_text())
    return run


def of_kind(result, kind):
    return next(c for c in result["conditions"] if c["kind"] == kind)


def test_a_mount_that_is_hidden_by_another(inside, tmp_path):
    point = tmp_path / "mnt" / "repo"
    point.mkdir(parents=True)
    # the folder of the same name on the second tmpfs is what a look at the path reaches
    done, result = inside(
        f"mount -t tmpfs first {point}; mount -t tmpfs second {tmp_path}/mnt; mkdir {point}",
        PLAN.format(hosts="{here: local}", path=point, mount="{type: tmpfs}"))
    assert done.returncode == 3
    found = of_kind(result, "mounted")
    assert found["held"] == "broken"
    assert f"hidden: tmpfs second is mounted over {tmp_path}/mnt" in found["seen"]


def test_the_last_mount_on_a_point_is_in_force(inside, tmp_path):
    point = tmp_path / "repo"
    point.mkdir()
    done, result = inside(
        f"mount -t tmpfs first {point}; mount -t tmpfs -o size=9m second {point}",
        PLAN.format(hosts="{here: local}", path=point,
                    mount="{type: tmpfs, options: {size: 9 MiB}}"))
    found = of_kind(result, "mounted")
    assert "tmpfs second" in found["seen"], found
    assert rows(found["looked_at"])["over-mounted"] == \
        f"2 mounts on {point}; the last one is in force"
    assert done.returncode == 0, found


def rows(records):
    return {row["key"]: row["value"] for row in records}


def test_a_trigger_is_no_mount(inside, tmp_path):
    """autofs whose daemon has mounted nothing: the path is there, and nothing is behind it."""
    point = tmp_path / "auto"
    point.mkdir()
    reader, writer = os.pipe()
    try:
        options = f"fd={writer},pgrp={os.getpgrp()},minproto=5,maxproto=5,indirect"
        done, result = inside(
            f"mount -i -t autofs -o {options} trigger {point} || exit 77",
            PLAN.format(hosts="{here: local}", path=point, mount="{type: nfs}"),
            pass_fds=[writer])
    except AssertionError:
        pytest.skip("no autofs in this kernel")
    finally:
        os.close(reader)
        os.close(writer)
    assert done.returncode == 3
    found = of_kind(result, "mounted")
    assert found["held"] == "broken"
    assert "only the trigger of an automount, which mounted nothing" in found["seen"]


def test_a_bound_folder_that_was_removed(inside, tmp_path):
    point = tmp_path / "repo"
    point.mkdir()
    done, result = inside(
        f"mkdir {tmp_path}/gone; mount --bind {tmp_path}/gone {point}; rmdir {tmp_path}/gone",
        PLAN.format(hosts="{here: local}", path=point, mount="{}"))
    assert done.returncode == 3
    assert "the folder that is bound to" in of_kind(result, "mounted")["seen"]


@pytest.fixture
def client(tmp_path):
    """A host that says of one of its folders that it is a mount of nas: its `sed` prints mountinfo
    with such a line."""
    def make(folder, export):
        bin_folder = tmp_path / "bin"
        bin_folder.mkdir(exist_ok=True)
        device = os.stat(folder).st_dev
        line = (f"9000 1 {os.major(device)}:{os.minor(device)} / {folder} rw - nfs4 nas:{export} "
                "rw,vers=4.2,addr=127.0.0.1")
        script = bin_folder / "sed"
        script.write_text(
            "#!/bin/sh\nfor word; do last=$word; done\n"
            f"case $last in */mountinfo) cat \"$last\"; echo '{line}' ;;\n"
            f"*) exec {shutil.which('sed')} \"$@\" ;; esac\n")
        script.chmod(0o755)
        return f"{{via: {{prefix: [env, \"PATH={bin_folder}:{os.environ['PATH']}\"]}}}}"
    return make


def seen_plan(client, folder, export, check=""):
    host = client(folder, export)
    plan = PLAN.format(hosts=f"{{here: {host}, nas: local}}", path=folder,
                       mount=f"{{type: nfs, from: nas, export: {export}}}")
    return plan.replace("- mounted: repo", f"- mounted: {{volume: repo, when: before{check}}}")


def test_the_server_sees_what_is_written(nasgate, write_plan, client, tmp_path):
    folder = tmp_path / "share"
    folder.mkdir()
    done = nasgate.run(write_plan(seen_plan(client, folder, folder)))
    found = outcome(done.bundle, "mounted")
    assert found["held"] == "held", found
    assert "nas sees what is written there" in found["seen"]
    assert done.code == 0, done
    assert list(folder.iterdir()) == []


def test_the_server_does_not_see_it(nasgate, write_plan, client, tmp_path):
    """The options are right and the server is, but what is written goes elsewhere."""
    folder, export = tmp_path / "share", tmp_path / "export"
    folder.mkdir()
    export.mkdir()
    done = nasgate.run(write_plan(seen_plan(client, folder, export)))
    assert done.code == 3, done
    found = outcome(done.bundle, "mounted")
    assert found["held"] == "broken", found
    assert "is not to be seen on nas" in found["seen"]
    assert list(folder.iterdir()) == []
    again = nasgate.run(write_plan(seen_plan(client, folder, export, ", write_check: false")))
    assert outcome(again.bundle, "mounted")["held"] == "held"


def test_a_file_that_is_there_is_not_touched(nasgate, write_plan, client, tmp_path):
    folder = tmp_path / "share"
    folder.mkdir()
    (folder / "precious").write_text("x")
    os.symlink("precious", folder / ".nasgate-seen-link")
    nasgate.run(write_plan(seen_plan(client, folder, folder)))
    assert (folder / "precious").read_text() == "x"
    assert sorted(p.name for p in folder.iterdir()) == [".nasgate-seen-link", "precious"]


PAGES = """\
nasgate: 1
name: pages
topology:
  hosts: {{here: local, nas: {{via: {{prefix: [{prefix}]}}}}}}
  volumes: {{repo: {{on: here, path: {path}}}}}
preconditions:
  - page_cache: {{hosts: [nas], drop: {drop}}}
phases:
  - name: write
    fio: {{volume: repo, rw: write, bs: 4 KiB, size: 64 KiB, time: 1 s, direct: false}}
    repeat: 2
"""


@pytest.fixture
def pages(nasgate, write_plan, tmp_path):
    """pages(drop, option) runs a plan on a host whose drop_caches is a file of the test's."""
    if os.geteuid() != 0:
        pytest.skip("mounts need root")

    def run(drop, first="", then=""):
        target, count = tmp_path / "drop_caches", tmp_path / "count"
        target.write_text("")
        count.write_text("")
        prefix = tmp_path / "prefix.sh"
        prefix.write_text(
            "#!/bin/sh\n"
            f"mount --bind {target} /proc/sys/vm/drop_caches || exit 99\n"
            # the run's own folder is there when phases run
            f"if ls -d {tmp_path}/nasgate-* >/dev/null 2>&1; then\n"
            f"echo >>{count}; {then or ':'}\nelse {first or ':'}\nfi\n"
            "exec \"$@\"\n")
        prefix.chmod(0o755)
        words = ", ".join(["unshare", "-m", "--propagation", "private", str(prefix)])
        done = nasgate.run(write_plan(PAGES.format(prefix=words, path=tmp_path, drop=drop)))
        return done, target.read_text(), len(count.read_text())
    return run


READ_ONLY = "mount -o remount,bind,ro /proc/sys/vm/drop_caches"


def test_dropped_before_a_phase(pages):
    done, said, count = pages("before-phase")
    assert done.code == 0, done
    assert (said, count) == ("3\n", 1)
    first, second = done.bundle.phase("write")["repeats"]
    assert rows(first["records"])["page cache of nas"].startswith("dropped before: ")
    assert "page cache of nas" not in rows(second["records"])


def test_dropped_before_each_repeat(pages):
    done, said, count = pages("before-repeat")
    assert done.code == 0, done
    assert (said, count) == ("3\n", 2)


def test_what_cannot_be_dropped_stops_the_run(pages):
    done, said, count = pages("before-phase", first=READ_ONLY)
    assert done.code == 3, done
    assert (said, count) == ("", 0)
    assert "cannot be dropped" in outcome(done.bundle, "page_cache")["seen"]


def test_a_refusal_in_the_run_is_told(pages):
    done, said, count = pages("before-phase", then=READ_ONLY)
    assert done.code == 6, done
    assert (said, count) == ("", 1)
    repeat = done.bundle.phase("write")["repeats"][0]
    assert rows(repeat["records"])["page cache of nas"].startswith("not dropped: ")
    assert any(f["rule"] == "page-cache" for f in repeat["findings"])
