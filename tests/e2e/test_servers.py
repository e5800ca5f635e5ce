"""A real Samba server, started by the test on a free port: what testparm and smbstatus say of it."""

import os
import shutil
import socket
import subprocess
import time

import pytest

PLAN = """\
nasgate: 1
name: servers
topology:
  hosts: {{here: {{via: {{prefix: [env, "PATH={path}"]}}}}}}
  volumes: {{tmp: {{on: here, path: {folder}}}}}
preconditions:
  - samba: {condition}
phases:
  - name: never
    fio: {{volume: tmp, rw: write, bs: 4 KiB, size: 64 KiB, time: 1 s, direct: false}}
"""

CONFIG = """\
[global]
  workgroup = LAB
  server role = standalone server
  interfaces = 127.0.0.1/8
  bind interfaces only = yes
  smb ports = {port}
  disable netbios = yes
  pid directory = {folder}
  lock directory = {folder}
  state directory = {folder}
  cache directory = {folder}
  private dir = {folder}
  ncalrpc dir = {folder}/ncalrpc
  passdb backend = tdbsam:{folder}/passdb.tdb
  log file = {folder}/smbd.log
  map to guest = bad user
  server min protocol = SMB2
  synology acl thing = yes
  aio read size = 1
[Bench Share]
  path = {folder}/share
  read only = no
  guest ok = yes
  strict sync = no
"""


class Samba:
    def __init__(self, folder, path, daemon, port):
        self.folder, self.path, self.daemon, self.port = folder, path, daemon, port

    def session(self):
        """A client that stays until its input is closed; returns when the server knows it."""
        child = subprocess.Popen(
            ["smbclient", "-p", str(self.port), "-N", "//127.0.0.1/Bench Share"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT)
        for _ in range(300):
            assert child.poll() is None, "smbclient ended"
            said = subprocess.run([self.folder / "bin" / "smbstatus", "-p"], check=False,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True)
            if "SMB3" in said.stdout:
                return child
            time.sleep(0.1)
        raise AssertionError("the server does not know its client")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def samba(tmp_path):
    if os.geteuid() != 0:
        pytest.skip("smbd and smbstatus need root")
    for tool in ("smbd", "testparm", "smbstatus", "smbclient"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    folder = tmp_path / "samba"
    for name in ("share", "ncalrpc", "bin"):
        (folder / name).mkdir(parents=True)
    (folder / "share").chmod(0o777)
    port = free_port()
    config = folder / "smb.conf"
    config.write_text(CONFIG.format(folder=folder, port=port))
    # the tools of this server, as those of a unit know their own configuration
    for tool, words in (("testparm", '"$@" {config}'), ("smbstatus", '-s {config} "$@"')):
        script = folder / "bin" / tool
        script.write_text(f"#!/bin/sh\nexec {shutil.which(tool)} {words.format(config=config)}\n")
        script.chmod(0o755)
    with open(folder / "out", "wb") as out:
        # it makes a session of its own, whose processes it signals when it ends
        daemon = subprocess.Popen(
            ["smbd", "-F", "-s", config], stdin=subprocess.DEVNULL, stdout=out, stderr=out)
    made = Samba(folder, f"{folder / 'bin'}:{os.environ['PATH']}", daemon, port)
    try:
        for _ in range(600):
            if daemon.poll() is not None:
                pytest.fail(f"smbd did not start: {(folder / 'smbd.log').read_text()[-300:]}")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield made
    finally:
        daemon.terminate()
        daemon.wait(timeout=30)


@pytest.fixture
def judge(nasgate, write_plan, tmp_path, samba):
    def run(condition):
        done = nasgate.run(write_plan(
            PLAN.format(path=samba.path, folder=tmp_path, condition=condition)))
        return done, next(c for c in done.bundle.result["conditions"] if c["kind"] == "samba")
    return run


def test_effective_values_with_defaults(judge):
    done, found = judge(
        "{host: here, share: bench share, expect: {strict sync: false, aio read size: 1, "
        "server max protocol: SMB3_11, writeable: true, smb2 leases: true}}")
    assert found["held"] == "held", found
    assert done.code == 0, done


def test_another_value_stops_the_run(judge):
    done, found = judge("{host: here, expect: {strict sync: false, no such parameter: 1}}")
    assert done.code == 3, done
    assert found["held"] == "broken"
    assert "strict sync is Yes, not false" in found["seen"]
    assert 'prints no "no such parameter"' in found["seen"]


def test_sessions_in_force(judge, samba):
    done, found = judge('{host: here, dialect: "3.0"}')
    assert done.code == 3, done
    assert "nobody is connected" in found["seen"], found
    client = samba.session()
    try:
        done, found = judge('{host: here, dialect: "3.0", signing: false, encryption: false}')
        assert found["held"] == "held", found
        assert "1 session(s) on here are as wanted" in found["seen"]
        done, found = judge("{host: here, encryption: true}")
        assert found["held"] == "broken", found
        assert "encryption of the session from" in found["seen"]
    finally:
        client.stdin.close()
        client.wait(timeout=30)
    # who is connected is nobody's business
    everything = b"".join(p.read_bytes() for p in done.bundle.path.rglob("*") if p.is_file())
    assert b'"username": "***"' in everything or b"nobody" not in everything
