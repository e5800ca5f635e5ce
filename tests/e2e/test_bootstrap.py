"""./bootstrap: its help, its list of packages, and what it does without root."""

import os
import re
import shutil
import subprocess

import pytest

# The Debian package of each pkg-config module of CMakeLists.txt.
PACKAGES = {"yaml-0.1": "libyaml-dev", "libuv": "libuv1-dev", "jansson": "libjansson-dev",
            "libxml-2.0": "libxml2-dev", "libmd": "libmd-dev", "lua-5.4": "liblua5.4-dev",
            "libcmark-gfm": "libcmark-gfm-dev", "cmocka": "libcmocka-dev"}


def bootstrap(root, *arguments, before=(), env=None):
    return subprocess.run(
        [*before, root / "bootstrap", *arguments], stdin=subprocess.DEVNULL, timeout=120,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False,
        env={**os.environ, **(env or {})})


def packages(root, which):
    done = bootstrap(root, "packages", which)
    assert done.returncode == 0, done.stderr
    rows = [line.split(None, 2) for line in done.stdout.splitlines()]
    assert all(len(row) == 3 and row[1] in ("present", "missing") for row in rows), done.stdout
    return {name: (state, why) for name, state, why in rows}


def test_help_names_every_command(root):
    done = bootstrap(root, "help")
    assert done.returncode == 0 and done.stderr == ""
    for word in ("demo", "test", "packages", "help"):
        assert re.search(rf"\./bootstrap {word}\b", done.stdout)
    assert bootstrap(root).stdout == done.stdout


def test_unknown_command_is_a_usage_error(root):
    done = bootstrap(root, "tset")
    assert done.returncode == 2
    assert "usage:" in done.stderr and done.stdout == ""


def test_every_package_has_a_reason_and_the_demo_needs_fewer(root):
    demo, test = packages(root, "demo"), packages(root, "test")
    assert demo.items() < test.items()
    assert not {"clang", "libcmocka-dev", "npm"} & set(demo)
    assert all(len(why) > 8 for _, why in test.values())


def test_every_library_of_the_build_has_its_package(root):
    modules = set()
    for name in ("CMakeLists.txt", "tests/CMakeLists.txt"):
        modules |= set(re.findall(r"pkg_check_modules\(\w+ REQUIRED IMPORTED_TARGET ([\w.-]+)",
                                  (root / name).read_text(encoding="utf-8")))
    assert len(modules) >= 6
    assert modules == set(PACKAGES), "a library without a known package"
    demo, test = packages(root, "demo"), packages(root, "test")
    for module in modules - {"cmocka"}:
        assert PACKAGES[module] in demo
    assert PACKAGES["cmocka"] in test


def test_every_engine_has_its_package(root):
    text = "".join(p.read_text(encoding="utf-8") for p in root.glob("runner/engines/*.c"))
    named = set(re.findall(r'\.package = "([\w-]+)"', text))
    assert named and named <= set(packages(root, "demo"))


@pytest.fixture
def fake(tmp_path):
    """A PATH in which dpkg-query knows no package and apt-get and sudo tell on themselves."""
    folder = tmp_path / "bin"
    folder.mkdir()
    scripts = {"dpkg-query": "exit 1", "apt-get": f'printf "%s\\n" "$*" >>{tmp_path}/apt; exit 100',
               "sudo": f'printf "%s\\n" "$*" >>{tmp_path}/sudo; exit 1', "id": "echo 1000",
               "cmake": f"touch {tmp_path}/cmake; exit 1"}
    for name, text in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def copy(root, tmp_path):
    """./bootstrap in a folder of its own, so that no test writes to the project's build folder."""
    folder = tmp_path / "copy"
    folder.mkdir()
    shutil.copy(root / "bootstrap", folder)
    return folder


def test_without_root_it_says_exactly_what_to_run(copy, fake, tmp_path):
    done = bootstrap(copy, "demo", env={"PATH": f"{fake}:{os.environ['PATH']}"})
    assert done.returncode == 1
    assert re.search(r"^  libyaml-dev +reads plans", done.stdout, re.M)
    line = next(l for l in done.stderr.splitlines() if "apt-get install" in l)
    assert line.startswith("  apt-get update && apt-get install -y --no-install-recommends gcc ")
    assert " libyaml-dev " in line and "libcmocka" not in line
    assert not (tmp_path / "apt").exists() and not (tmp_path / "cmake").exists()
    assert (tmp_path / "sudo").read_text().splitlines() == ["-n true"]


def test_failing_apt_is_told_and_ends_it(copy, fake, tmp_path):
    (fake / "id").write_text("#!/bin/sh\necho 0\n", encoding="utf-8")
    done = bootstrap(copy, "demo", env={"PATH": f"{fake}:{os.environ['PATH']}"})
    assert done.returncode == 1
    assert "apt-get could not install the packages" in done.stderr
    calls = (tmp_path / "apt").read_text().splitlines()
    assert len(calls) == 2 and calls[0].startswith("update") and " gcc " in calls[1]
    assert not (tmp_path / "sudo").exists() and not (tmp_path / "cmake").exists()


def test_with_all_packages_it_asks_for_nothing(copy, fake, tmp_path):
    (fake / "dpkg-query").write_text("#!/bin/sh\necho installed\n", encoding="utf-8")
    done = bootstrap(copy, "demo", env={"PATH": f"{fake}:{os.environ['PATH']}"})
    assert "All packages are there." in done.stdout
    assert not (tmp_path / "apt").exists() and not (tmp_path / "sudo").exists()
    # The build was started; this one cannot work.
    assert (tmp_path / "cmake").exists() and done.returncode == 1
    assert "Building preset release failed" in done.stderr


def test_package_list_needs_no_root(root):
    if os.geteuid() != 0:
        done = bootstrap(root, "packages")
    elif shutil.which("setpriv") is None:
        pytest.skip("no setpriv to become another user with")
    else:
        before = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        if subprocess.run([*before, "test", "-x", root / "bootstrap"], check=False).returncode != 0:
            pytest.skip("the project lies in a folder that other users cannot read")
        done = bootstrap(root, "packages", before=before)
    assert done.returncode == 0, done.stderr
    assert "libyaml-dev" in done.stdout
