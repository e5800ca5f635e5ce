"""nasgate facts: a host or a plan looked at, as a table and as JSON; four hosts at the same time."""

import getpass
import json
import os
import shlex
import shutil
import stat
import subprocess

import pytest

from remote_lab import sshd  # noqa: F401
from test_result_schema import AJV, ROOT

SCHEMA = os.path.join(ROOT, "reports/schemas/facts.schema.json")
HOSTS = ["h1", "h2", "h3", "h4"]

PLAN = """\
nasgate: 1
name: many
topology:
  hosts:
HOSTS
  volumes:
    disk: {on: h1, path: "VOLUME"}
preconditions:
  - free_space: {volume: disk, at_least: 900 TiB}
phases:
  - name: w
    fio: {volume: disk, rw: write, bs: 64 KiB, size: 8 MiB}
    pass: [write.bw >= 1 kB/s]
"""

# Stands in the place of mkdir on a host. The collector makes its folder with it before anything
# else: there it waits until the collectors of all hosts are at the same place.
MEETING = """\
#!/bin/sh
case "$*" in
*/ng.NG*)
    echo x >>"FOLDER/calls.$NASGATE_TEST_HOST"
    : >"FOLDER/here.$NASGATE_TEST_HOST"
    left=150
    while [ "$left" -gt 0 ]; do
        all=yes
        for host in HOSTS; do
            [ -e "FOLDER/here.$host" ] || all=no
        done
        [ "$all" = no ] || break
        sleep 0.1
        left=$((left - 1))
    done
    echo "$all" >"FOLDER/met.$NASGATE_TEST_HOST"
    ;;
esac
exec MKDIR "$@"
"""


def facts(nasgate, *arguments, code=0):
    done = nasgate("facts", "--json", *arguments)
    assert done.code == code, done
    return json.loads(done.stdout)


def rows(host, section=None):
    return {(r["about"], r["key"]): r for r in host["state"] if section in (None, r["section"])}


def test_this_machine(nasgate):
    document = facts(nasgate, "local")
    assert (document["format"], document["version"]) == ("nasgate-facts", 1)
    (host,) = document["hosts"]
    assert (host["name"], host["via"], host["reached"]) == ("local", "local", True)
    platform = rows(host, "platform")
    assert platform["", "kernel"]["value"].startswith("Linux " + os.uname().release)
    assert platform["", "cores"]["source"] == "/sys/devices/system/cpu/online"
    assert ("", "ping") in rows(host, "tools")
    for row in host["state"]:  # known or not, and then why
        assert (row["value"] is None) != (row["why"] is None), row


def test_a_table_for_people(nasgate):
    done = nasgate("facts", "local")
    assert done.code == 0, done
    assert done.stdout.startswith("local (local)\n  platform\n")
    assert os.uname().release in done.stdout and done.stderr == ""


def test_usage(nasgate, write_plan, volume):
    plan = write_plan(PLAN.replace("HOSTS", "    h1: local").replace("VOLUME", str(volume)))
    assert nasgate("facts").code == 2
    assert nasgate("facts", "no-such-plan.yaml").code == 2
    done = nasgate("facts", plan, "--host", "h2")
    assert done.code == 2 and "no host h2" in done.stderr and "h1" in done.stderr
    assert nasgate("facts", plan, "--sudo").code == 2
    assert nasgate("facts", plan, "-o", "Port=1").code == 2
    assert nasgate("facts", "root@nas", "--host", "nas").code == 2
    assert nasgate("facts", "root@nas", "-p", "a=b").code == 2
    assert nasgate("facts", "root@nas", "-o", "Port").code == 2
    for target in ("-oProxyCommand=x", "root@-x", "a b", "$(x)", "root@nas;x"):
        done = nasgate("facts", "--", target)
        assert done.code == 2 and "target" in done.stderr, (target, done)
    done = nasgate("facts", "root@nas", "-o", "ControlMaster=no")
    assert done.code == 2 and "nasgate sets ControlMaster itself" in done.stderr


def ssh_options(sshd):  # noqa: F811
    given = {"Port": sshd.port, "IdentityFile": sshd.login(), "IdentitiesOnly": "yes",
             "IdentityAgent": "none", "GlobalKnownHostsFile": "/dev/null",
             "UserKnownHostsFile": sshd.folder / "known", "StrictHostKeyChecking": "yes"}
    return [w for k, v in given.items() for w in ("-o", f"{k}={v}")]


def test_a_host_by_ssh(nasgate, sshd, tmp_path):  # noqa: F811
    target = f"{getpass.getuser()}@127.0.0.1"
    document = facts(nasgate, target, *ssh_options(sshd), "--raw", tmp_path / "raw")
    (host,) = document["hosts"]
    assert (host["name"], host["via"], host["complete"]) == ("127.0.0.1", "ssh", True)
    assert rows(host)["", "kernel"]["value"].startswith("Linux")
    raw = (tmp_path / "raw" / "127.0.0.1.frames").read_bytes()
    assert b" B mountinfo\n" in raw and raw.rstrip().endswith(b" Z end")


def test_a_host_that_cannot_be_reached(nasgate, sshd):  # noqa: F811
    options = ssh_options(sshd)
    options[1] = f"Port={sshd.free_port()}"
    done = nasgate("facts", "--json", "nobody@127.0.0.1", *options)
    assert done.code == 5, done
    (host,) = json.loads(done.stdout)["hosts"]
    assert host["reached"] is False and len(host["state"]) == 1
    assert "127.0.0.1" in host["state"][0]["why"] and host["state"][0]["why"] in done.stderr


def test_a_plan_and_its_volumes(nasgate, write_plan, volume):
    hosts = "    h1: local\n    h2: {via: {prefix: [no-such-program]}}"
    plan = write_plan(PLAN.replace("HOSTS", hosts).replace("VOLUME", str(volume)))
    document = facts(nasgate, plan, code=5)
    assert [h["name"] for h in document["hosts"]] == ["h1", "h2"]
    assert [h["reached"] for h in document["hosts"]] == [True, False]
    (disk,) = document["hosts"][0]["volumes"]
    assert (disk["name"], disk["path"]) == ("disk", str(volume))
    assert rows(disk)[str(volume), "writable"]["value"] == "yes"
    assert rows(disk)[str(volume), "available"]["value"] is not None
    document = facts(nasgate, plan, "--host", "h1")
    assert [h["name"] for h in document["hosts"]] == ["h1"]
    assert list(volume.iterdir()) == []


class Meeting:
    """Four ssh hosts whose collectors wait for each other."""

    def __init__(self, sshd, folder, volume, write_plan):  # noqa: F811
        self.folder = folder
        real = shutil.which("mkdir")
        script = MEETING.replace("FOLDER", str(folder)).replace("HOSTS", " ".join(HOSTS))
        (folder / "bin").mkdir()
        (folder / "bin" / "mkdir").write_text(script.replace("MKDIR", real))
        (folder / "bin" / "mkdir").chmod(stat.S_IRWXU)
        lines = []
        for name in HOSTS:
            command = (f"NASGATE_TEST_HOST={name} PATH={shlex.quote(str(folder / 'bin'))}:$PATH "
                       'exec /bin/sh -c "$SSH_ORIGINAL_COMMAND"')
            key = sshd.login(f"{folder.parent.name}-{name}", command)
            lines.append(f"    {name}: {sshd.host(key)}")
        text = PLAN.replace("HOSTS", "\n".join(lines)).replace("VOLUME", str(volume))
        self.plan = write_plan(text)

    def check(self):
        """Each host was asked once, while all others were being asked."""
        for name in HOSTS:
            assert (self.folder / f"calls.{name}").read_text() == "x\n", name
            assert (self.folder / f"met.{name}").read_text() == "yes\n", name


@pytest.fixture
def meeting(sshd, tmp_path, volume, write_plan):  # noqa: F811
    folder = tmp_path / "meeting"
    folder.mkdir()
    return Meeting(sshd, folder, volume, write_plan)


def test_facts_of_four_hosts_at_the_same_time(nasgate, meeting):
    document = facts(nasgate, meeting.plan)
    assert [h["complete"] for h in document["hosts"]] == [True] * 4
    meeting.check()


def test_doctor_asks_four_hosts_at_the_same_time(nasgate, meeting):
    done = nasgate("doctor", meeting.plan)
    assert done.code == 3, done
    meeting.check()


def test_a_run_asks_four_hosts_at_the_same_time(nasgate, meeting):
    done = nasgate.run(meeting.plan)
    assert done.code == 3, done
    meeting.check()
    asked = [e for e in done.bundle.events if e.get("event") == "start" and e["purpose"] == "facts"]
    assert sorted(e["host"] for e in asked) == HOSTS
    ids = [e["id"] for e in asked]
    ends = [e for e in done.bundle.events if e.get("event") == "end" and e["id"] in ids]
    assert len(ends) == 4 and all(e["how"] == "exited" and e["status"] == 0 for e in ends)
    assert max(e["at"] for e in asked) < min(e["at"] for e in ends)
    states = {h["name"]: h["state"] for h in done.bundle.result["hosts"]}
    assert all(len(states[name]) > 20 for name in HOSTS)
    assert "## State of the lab" in done.bundle.text("report.md")
    (disk,) = done.bundle.result["volumes"]
    assert disk["host"] == "h1" and any(r["key"] == "available" for r in disk["state"])


def refused(consumers, files):
    if not (consumers / "node_modules" / "ajv").is_dir():
        pytest.skip("no ajv in build/consumers: ./bootstrap test installs it")
    done = subprocess.run(["node", "-e", AJV, SCHEMA, *map(str, files)], cwd=consumers,
                          capture_output=True, text=True, timeout=120, check=True)
    return done.stdout.splitlines()


def test_the_schema(consumers, nasgate, tmp_path, write_plan, volume):
    hosts = "    h1: local\n    h2: {via: {prefix: [no-such-program]}}"
    plan = write_plan(PLAN.replace("HOSTS", hosts).replace("VOLUME", str(volume)))
    document = facts(nasgate, plan, code=5)
    good = tmp_path / "good.json"
    good.write_text(json.dumps(document))
    assert refused(consumers, [good]) == []
    bad = []
    for i, change in enumerate((
            lambda d: d.pop("nasgate"),
            lambda d: d.update(version=2),
            lambda d: d["hosts"][0].update(reached="yes"),
            lambda d: d["hosts"][0]["state"][0].update(section="weather"),
            lambda d: d["hosts"][0]["state"][0].pop("why"),
            lambda d: d["hosts"][0]["volumes"][0].update(extra=1))):
        other = json.loads(good.read_text())
        change(other)
        bad.append(tmp_path / f"bad-{i}.json")
        bad[-1].write_text(json.dumps(other))
    assert len(refused(consumers, bad)) == len(bad)
