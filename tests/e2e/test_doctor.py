"""nasgate doctor: every host looked at, every precondition evaluated, nothing measured."""

import pytest

PLAN = """\
nasgate: 1
name: look
topology:
  hosts: {here: local}
  volumes:
    disk: {on: here, path: "VOLUME"}
preconditions:
  - free_space: {volume: disk, at_least: ROOM}
phases:
  - name: w
    fio: {volume: disk, rw: write, bs: 64 KiB, size: 8 MiB}
    pass: [write.bw >= 1 kB/s]
"""


@pytest.fixture
def plan(write_plan, volume):
    return lambda room: write_plan(PLAN.replace("VOLUME", str(volume)).replace("ROOM", room))


def test_nothing_stands_against_a_run(nasgate, plan, volume, tmp_path):
    done = nasgate("doctor", plan("1 MiB"))
    assert done.code in (0, 3), done  # 3 where fio is not installed
    assert "kernel" in done.stdout and "free_space-disk" in done.stdout
    assert "tools-here-fio" in done.stdout and "volume_ready-disk" in done.stdout
    assert ("would start" in done.stdout) == (done.code == 0)
    assert list(volume.iterdir()) == [] and not (tmp_path / "nasgate-out").exists()


def test_what_is_missing_is_told_with_the_remedy(nasgate, plan, volume):
    done = nasgate("doctor", plan("900 TiB"))
    assert done.code == 3, done
    assert "broken   free_space-disk" in done.stdout
    assert "expected: at least 900 TiB" in done.stdout and "do: " in done.stdout
    assert "would not start" in done.stdout
    assert list(volume.iterdir()) == []


def test_each_host_is_told(nasgate, write_plan, volume):
    text = PLAN.replace("VOLUME", str(volume)).replace("ROOM", "1 MiB")
    text = text.replace("{here: local}", "{here: local, gone: {via: {prefix: [no-such-program]}}, "
                        "odd: {via: local, tools: {fio: [no-such-wrapper, fio]}}}")
    text = text.replace("phases:", "  - tools: {host: here, need: no-such-tool}\n"
                        "  - tools: {host: odd, need: fio}\nphases:")
    done = nasgate("doctor", write_plan(text))
    assert done.code == 3, done
    here, gone, odd = (("\n" + done.stdout).split(f"\n{name} (")[1].split("\n\n")[0]
                       for name in ("here", "gone", "odd"))
    for label in ("system", "kernel", "machine", "privilege", "clock", "tools", "missing"):
        assert f"\n  {label} " in here, label
    assert "as here, to within" in here
    assert "no-such-tool: " in here and "install no-such-tool" in here
    assert "no-such-program" in gone and "silent" in gone and "clock" not in gone
    assert "fio: tools: of this host runs it by no-such-wrapper, which is not there" in odd


def test_what_a_host_says_forges_no_command(nasgate, write_plan, volume, tmp_path):
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\necho '::error::forged ##vso[task.complete] \033[31m'\n")
    tool.chmod(0o755)
    text = PLAN.replace("VOLUME", str(volume)).replace("ROOM", "1 MiB")
    text = text.replace("here: local", f'here: {{via: local, tools: {{odd: ["{tool}"]}}}}')
    text = text.replace("phases:", "  - tools: {host: here, need: odd}\nphases:")
    done = nasgate("doctor", write_plan(text))
    assert done.code in (0, 3) and "odd: ::error::forged" in done.stdout
    assert "##vso[" not in done.stdout and "\033" not in done.stdout
    assert not any(line.lstrip().startswith("::") for line in done.stdout.splitlines())


def test_errors_of_the_plan(nasgate, plan):
    assert nasgate("doctor", plan("lots")).code == 2
    assert nasgate("doctor", "--only", "x", plan("1 MiB")).code == 2
