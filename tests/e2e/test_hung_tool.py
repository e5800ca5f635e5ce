"""Tools of a host that never answer: each is given up by itself, what the others say is kept, and
what needed the one that hangs is unknown."""

import json
import os
import signal
import subprocess

import pytest

from fake_host import FakeHost, need_fake_hosts

PLAN = """\
nasgate: 1
name: hung
topology:
  hosts:
    here: local
    nas: {{via: {{prefix: {prefix}}}}}
{more}
  volumes:
    data: {{on: nas, path: /data}}
  links:
    loop: {{ends: ["here:lo", "here:lo"]}}
preconditions:
  - no_rebuild: nas
  - array_healthy: nas
  - cache_state: {{volume: data, expect: none}}
  - samba: {{host: nas, expect: {{log level: "0"}}}}
phases:
  - name: never
    ping: {{link: loop, count: 1}}
"""

MOUNTS = ("22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
          "23 22 253:0 / /data rw - xfs /dev/mapper/vg1-data rw\n"
          "24 22 0:50 / /tank rw - zfs tank rw\n")
ZPOOL = """\
case $1 in
list) printf 'tank\\tONLINE\\t4%\\t0\\n' ;;
*) cat /var/pool ;;
esac
"""
POOL = """\
  pool: tank
 state: ONLINE
config:

\tNAME         STATE     READ WRITE CKSUM
\ttank         ONLINE       0     0     0
\t  /dev/sda1  ONLINE       0     0     0

errors: No known data errors
"""
LVS = ('echo \'{"report": [{"lv": [{"vg_name":"vg1", "lv_name":"data", "segtype":"raid1", '
       '"lv_attr":"rwi-aor---", "sync_percent":"100.00", "raid_sync_action":"idle"}]}]}\'\n')
TOOLS = {"zpool": ZPOOL, "lvs": LVS,
         "dmsetup": "echo 'vg1-data: 0 99 raid raid1 2 AA 4/4 idle 0'\n",
         "testparm": "printf '[global]\\n\\tlog level = 0\\n'\n"}
HANGS = 'echo "$$" >>FOLDER/hung\nexec sleep 1000\n'
LATE = "did not answer in 8 s"

# This machine without processes in /proc, and an ip that hangs; /bin/sh is dash or bash.
BARE = """\
mount --bind "$(command -v SHELL)" /bin/sh && mount -t tmpfs none /proc && PATH=FOLDER/bin:$PATH
export PATH
exec "$@"
"""


@pytest.fixture
def nas(tmp_path):
    """A host whose tools all answer. `hang(NAME...)` makes some of them hang."""
    need_fake_hosts()
    host = FakeHost(tmp_path / "nas")
    host.put("proc/mdstat", "Personalities : \nunused devices: <none>\n")
    host.put("proc/self/mountinfo", MOUNTS)
    host.put("proc/spl/kstat/zfs/tank/state", "ONLINE\n")
    host.put("dev/mapper/control", "")
    host.put("var/pool", POOL)
    (host.root / "data").mkdir()
    for name, text in {"sda/dev": "8:0", "sdb/dev": "8:16", "sdc/dev": "8:32",
                       "sda/sda1/dev": "8:1", "dm-0/dev": "253:0", "dm-0/dm/name": "vg1-data",
                       "dm-0/dm/uuid": "LVM-abc"}.items():
        host.put(f"sys/block/{name}", text + "\n")
    for disk in ("sdb", "sdc"):
        (host.root / "sys/block/dm-0/slaves" / disk).mkdir(parents=True)
    for name, text in TOOLS.items():
        host.tool(name, text)
    host.hang = lambda *names: [host.tool(n, HANGS.replace("FOLDER", "/var")) for n in names]
    yield host
    for folder in (host.root / "var", tmp_path):
        if (folder / "hung").exists():
            end(folder / "hung")


def end(pids):
    """Ends what hung: on a host that shows no processes nobody else can."""
    for pid in pids.read_text().split():
        try:
            os.kill(int(pid), signal.SIGKILL)
        except ProcessLookupError:
            pass


def bare(folder, shell):
    """The words of a host of that kind; skips where it cannot be had."""
    words = ["unshare", "-m", "sh", "-c",
             BARE.replace("SHELL", shell).replace("FOLDER", str(folder)), "bare"]
    tried = subprocess.run([*words, "true"], check=False, capture_output=True, text=True)
    if tried.returncode != 0:
        pytest.skip(f"no {shell} without /proc: {tried.stderr.strip()}")
    return words


def look(nas, nasgate, write_plan, more="", code=3):
    """{kind: condition} of the plan's own and {host: {(section, about, key): row}} of a run, all within the limit."""
    done = nasgate.run(write_plan(PLAN.format(prefix=json.dumps(nas.prefix), more=more)))
    assert done.code == code, done
    asked = {e["id"]: e["at"] for e in done.bundle.events
             if e.get("event") == "start" and e["purpose"] == "facts"}
    for event in done.bundle.events:
        if event.get("event") == "end" and event["id"] in asked:
            assert (event["how"], event["status"]) == ("exited", 0)
            assert event["at"] - asked[event["id"]] < 15e9
    return ({c["kind"]: c for c in done.bundle.result["conditions"] if c["kind"] != "tools"},
            {h["name"]: {(r["section"], r["about"], r["key"]): r for r in h["state"]}
             for h in done.bundle.result["hosts"]})


def test_nothing_hangs(nas, nasgate, write_plan):
    found, _ = look(nas, nasgate, write_plan, code=0)
    assert {c["held"] for c in found.values()} == {"held"}


def test_one_tool_hangs(nas, nasgate, write_plan):
    nas.hang("dmsetup")
    found, _ = look(nas, nasgate, write_plan)
    held = {k: c["held"] for k, c in found.items()}
    # lvs has told what the volume is at; whether it is a cache only dmsetup knows
    assert held == {"no_rebuild": "held", "array_healthy": "held", "cache_state": "unknown",
                    "samba": "held"}, found
    assert f"dmsetup table {LATE}" in found["cache_state"]["seen"]


def test_all_tools_hang(nas, nasgate, write_plan, tmp_path):
    nas.hang(*TOOLS)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/ip").write_text("#!/bin/sh\n" + HANGS.replace("FOLDER", str(tmp_path)))
    (tmp_path / "bin/ip").chmod(0o755)
    shells = ("dash", "bash")
    more = "\n".join(f"    {s}: {{via: {{prefix: {json.dumps(bare(tmp_path, s))}}}}}" for s in shells)
    found, hosts = look(nas, nasgate, write_plan, more)
    for kind in ("no_rebuild", "array_healthy", "cache_state", "samba"):
        assert found[kind]["held"] == "unknown" and LATE in found[kind]["seen"], found[kind]
    assert hosts["nas"]["platform", "", "kernel"]["value"].startswith("Linux")
    for shell in shells:
        assert hosts[shell]["platform", "", "kernel"]["value"].startswith("Linux")
        assert any(LATE in (row["why"] or "") for row in hosts[shell].values()), hosts[shell]
