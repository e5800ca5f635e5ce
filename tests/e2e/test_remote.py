"""Other hosts: a real sshd on a loopback port, prefixes, and every way in which they can fail."""

import hashlib
import os
import shutil
import signal
import subprocess

import pytest

from remote_lab import clean, far, processes, same_again, sshd, written  # fixtures among them


def test_a_whole_run(nasgate, far, clean):
    done = nasgate.run(far())
    assert done.code == 0, done
    result = done.bundle.result
    assert [h["via"] for h in result["hosts"]] == ["local", "ssh"]
    assert {r["name"] if "name" in r else r["key"] for r in result["hosts"][1]["environment"]}
    assert done.bundle.phase("w")["repeats"][0]["measures"]
    assert "root@" not in done.bundle.text("report.md")
    assert all(c[0] != "ssh" for c in done.bundle.commands), "evidence is of commands, not of ssh"
    clean(result["run_id"])
    same_again(nasgate, done.bundle)


SHELLS = {
    "tcsh": ("tcsh", 'exec tcsh -c "$SSH_ORIGINAL_COMMAND"'),
    "fish": ("fish", 'exec fish -c "$SSH_ORIGINAL_COMMAND"'),
    "dash": ("dash", 'exec dash -c "$SSH_ORIGINAL_COMMAND"'),
    "noisy": ("sh", 'printf "Welcome to the machine"; echo "a banner" >&2; '
                    'exec sh -c "$SSH_ORIGINAL_COMMAND"'),
    "loud": ("sh", 'head -c 200000 /dev/urandom; head -c 200000 /dev/urandom >&2; '
                   'exec sh -c "$SSH_ORIGINAL_COMMAND"'),
    "printing": ("sh", 'echo "I run: $SSH_ORIGINAL_COMMAND"; exec sh -c "$SSH_ORIGINAL_COMMAND"'),
    "locale": ("sh", 'LC_ALL=de_DE.UTF-8 LANG=tr_TR.UTF-8 TZ=Asia/Tokyo PATH=/usr/bin:/bin; '
                     'export LC_ALL LANG TZ PATH; exec sh -c "$SSH_ORIGINAL_COMMAND"'),
}


@pytest.mark.parametrize("name", SHELLS)
def test_login_shells(nasgate, far, sshd, clean, name):
    shell, command = SHELLS[name]
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    done = nasgate.run(far(sshd.host(sshd.login(name, command))))
    assert done.code == 0, done
    clean(done.bundle.result["run_id"])


def refused(done, *words):
    assert done.code == 3, done
    result = done.bundle.result
    assert all(p["verdict"] == "skipped" for p in result["phases"])
    said = " ".join(c["seen"] for c in result["conditions"])
    for word in words:
        assert word in said, said
        assert word in done.stderr, done


def test_wrong_key(nasgate, far, sshd):
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", sshd.folder / "stranger"],
                   check=True, stdin=subprocess.DEVNULL)
    done = nasgate.run(far(sshd.host(sshd.folder / "stranger")))
    refused(done, "refuses the login", "ssh-copy-id")
    same_again(nasgate, done.bundle)


def test_unknown_host_key(nasgate, far, sshd):
    refused(nasgate.run(far(sshd.host(known="/dev/null"))), "host key", "is not known")


def test_changed_host_key(nasgate, far, sshd):
    wrong = (sshd.folder / "key-plain.pub")
    sshd.login()
    known = sshd.folder / "changed"
    known.write_text(f"[127.0.0.1]:{sshd.port} {wrong.read_text()}")
    refused(nasgate.run(far(sshd.host(known=known))), "host key", "has changed", "ssh-keygen -R")


def test_refused_port(nasgate, far, sshd):
    done = nasgate.run(far(sshd.host(port=sshd.free_port())))
    refused(done, "nothing accepts connections")


def test_a_name_that_is_none(nasgate, far):
    done = nasgate.run(far('{via: ssh, target: "root@no-such-host.invalid"}'))
    refused(done, "cannot be resolved")


def test_no_shell(nasgate, far, sshd):
    key = sshd.login("none", "echo This account is currently not available.; exit 1")
    refused(nasgate.run(far(sshd.host(key))), "has no shell")
    key = sshd.login("menu", "echo 1 Status 2 Reboot; exit 0")
    refused(nasgate.run(far(sshd.host(key))), "did not run /bin/sh", "1 Status 2 Reboot")


def test_no_ssh_here(nasgate, far):
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("needs root and unshare to hide the ssh client")
    output = nasgate.new_output()
    done = subprocess.run(
        ["unshare", "-m", "--propagation", "private", "sh", "-c",
         f'mount --bind /dev/null {shutil.which("ssh")} && exec "$0" run -o "$1" "$2"',
         nasgate.binary, output, far()],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
        check=False, encoding="utf-8", env=nasgate.env(), cwd=nasgate.folder)
    assert done.returncode == 3, done.stderr
    assert "openssh-client" in done.stderr


def test_missing_tool(nasgate, far, sshd, clean):
    done = nasgate.run(far(sshd.host(extra=", tools: {fio: [/no/such/fio, -x]}")))
    assert done.code == 3, done
    assert "fio is not installed on nas" in done.stderr and "/no/such/fio" in done.stderr
    clean(done.bundle.result["run_id"])


FAKE_FIO = """\
#!/bin/sh
case "$*" in
*--version*) echo fio-3.33 ;;
*--name=prepare*) : ;;
*) cat "$0.bytes"; cat "$0.bytes" >&2; exit 200 ;;
esac
"""


def test_another_command_for_a_tool(nasgate, far, sshd, clean, tmp_path):
    """Ten megabytes of any bytes come through, and the exit status."""
    fake = tmp_path / "my fio"
    fake.write_text(FAKE_FIO)
    fake.chmod(0o755)
    data = os.urandom(10 << 20)
    (tmp_path / "my fio.bytes").write_bytes(data)
    tools = f", tools: {{fio: [env, \"WORD=it's\", '{fake}']}}"
    plan = far(sshd.host(extra=tools))
    shown = nasgate("show", plan)
    assert "env 'WORD=it'\\''s'" in shown.stdout and "my fio" in shown.stdout, shown
    done = nasgate.run(plan)
    assert done.code == 5, done
    assert any(c[:3] == ["env", "WORD=it's", str(fake)] for c in done.bundle.commands)
    digest = hashlib.sha256(data).hexdigest()
    ends = [e for e in done.bundle.events if e.get("event") == "end" and e["out"] == digest]
    assert ends and ends[0]["status"] == 200 and ends[0]["how"] == "exited"
    assert ends[0]["out_len"] == len(data) and ends[0]["out_cut"] == 0
    clean(done.bundle.result["run_id"])
    same_again(nasgate, done.bundle)


@pytest.fixture
def sudo(sshd, tmp_path):
    """sudo(SCRIPT) -> a key for whose commands sudo is that script."""
    def make(name, script):
        folder = sshd.folder / f"sudo-{name}"
        folder.mkdir()
        (folder / "sudo").write_text("#!/bin/sh\n" + script)
        (folder / "sudo").chmod(0o755)
        return sshd.login(f"sudo-{name}", f'PATH={folder}:$PATH; export PATH; '
                                          f'exec sh -c "$SSH_ORIGINAL_COMMAND"')
    return make


def test_sudo_that_asks(nasgate, far, sshd, sudo, clean):
    key = sudo("asks", 'echo "sudo: a password is required" >&2; exit 1\n')
    done = nasgate.run(far(sshd.host(key, extra=", privilege: sudo")))
    refused(done, "sudo on nas", "a password is required", "NOPASSWD")
    clean(done.bundle.result["run_id"])


def test_sudo_that_works(nasgate, far, sshd, sudo, clean):
    key = sudo("works", '[ "$1" = -n ] || exit 1\nshift\ntouch "$0.used"\nexec "$@"\n')
    done = nasgate.run(far(sshd.host(key, extra=", privilege: sudo")))
    assert done.code == 0, done
    assert (sshd.folder / "sudo-works" / "sudo.used").exists()
    starts = [c for c in done.bundle.commands if c[0] == "sudo"]
    assert len(starts) == 1 and starts[0][:4] == ["sudo", "-n", "/bin/sh", "-s"]
    clean(done.bundle.result["run_id"])


@pytest.fixture
def measuring(nasgate, far, wait_for):
    """measuring(**far) -> (process, bundle, run id) of a run in the middle of its long phase."""
    def start(**plan):
        child, bundle = nasgate.start(far(**{"duration": "60 s", **plan}))
        wait_for(lambda: (bundle.path / "result.json").is_file())
        run_id = bundle.result["run_id"]
        wait_for(lambda: any(written(pid) >= 1 << 20 for pid, line in processes(
            "NASGATE_REMOTE", run_id + ".").items() if "--time_based" in line), 60,
            "fio is not measuring on the other host")
        return child, bundle, run_id
    return start


def test_kill_of_the_runner(measuring, clean, leftovers):
    child, bundle, run_id = measuring()
    child.kill()
    child.communicate(timeout=30)
    clean(run_id, within=10.0)
    assert leftovers(run_id, within=5.0) == {}
    assert not bundle.result["complete"]


def test_kill_of_ssh(nasgate, measuring, clean):
    child, bundle, run_id = measuring()
    clients = [pid for pid, line in processes("NASGATE_CHILD", run_id + ".").items()
               if line.startswith("ssh")]
    assert len(clients) == 3, "one control connection; sessions of fio and of the folder's keeper"
    for pid in clients:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # the session ends with its connection
    out, err = child.communicate(timeout=60)
    assert child.returncode == 5, (out, err)
    assert "the connection to nas was lost" in bundle.phase("w")["reason"]
    clean(run_id)
    same_again(nasgate, bundle)


def test_loss_of_the_server(measuring, clean, sshd):
    """Its connections end, the machine goes on: a new connection is made for cleaning up."""
    child, bundle, run_id = measuring()
    for pid in sshd.connections():
        os.kill(pid, signal.SIGKILL)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 5, (out, err)
    assert "the connection to nas was lost" in bundle.phase("w")["reason"]
    clean(run_id)


def test_silence(measuring, sshd, wait_for):
    """A link that goes dark: nobody is told anything, and the far end gives up by itself."""
    child, bundle, run_id = measuring()
    frozen = sshd.connections()
    for pid in frozen:
        os.kill(pid, signal.SIGSTOP)
    try:
        wait_for(lambda: processes("NASGATE_REMOTE", run_id + ".") == {}, 14,
                 "the command outlives its link")
    finally:
        for pid in frozen:
            os.kill(pid, signal.SIGCONT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == 5, (out, err)
    reason = bundle.phase("w")["reason"]
    assert "heard nothing from here" in reason or "was lost" in reason


def test_deadline(nasgate, far, clean):
    done = nasgate.run(far(duration="60 s", change=("  - name: w\n", "  - name: w\n    timeout: 8 s\n")))
    assert done.code == 5, done
    phase = done.bundle.phase("w")
    assert "stopped at its deadline" in phase["reason"] and phase["repeats"][0]["partial"]
    clean(done.bundle.result["run_id"])
    same_again(nasgate, done.bundle)


@pytest.mark.parametrize("times", [1, 3])
def test_interrupt(nasgate, measuring, clean, leftovers, times):
    child, bundle, run_id = measuring()
    for _ in range(times):
        child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert child.returncode == -signal.SIGINT, (out, err)
    repeat = bundle.phase("w")["repeats"][0]
    if times == 1:
        assert repeat["partial"] and repeat["measures"], "what fio had measured is salvaged"
    clean(run_id)
    assert leftovers(run_id) == {}
    same_again(nasgate, bundle)


def test_long_names_of_folders(nasgate, far, clean, tmp_path):
    """No socket fits there: each command connects by itself."""
    folder = tmp_path / ("x" * 100)
    folder.mkdir()
    done = nasgate.run(far(), env={"TMPDIR": str(folder)})
    assert done.code == 0, done
    clean(done.bundle.result["run_id"])
    assert list(folder.iterdir()) == []


NAMESPACES = """\
nasgate: 1
name: spaces
topology:
  hosts:
    a: {via: {prefix: [ip, netns, exec, NAME-a]}}
    b: {via: {prefix: [ip, netns, exec, NAME-b]}}
  links:
    wire: {ends: ["a:eth0", "b:eth0"], mtu: 1500}
phases:
  - name: there
    iperf3: {link: wire, from: a, time: 2 s}
    pass: [throughput >= 1 Mbit/s]
  - name: back
    iperf3: {link: wire, from: b, time: 2 s, streams: 2}
    pass: [throughput >= 1 Mbit/s]
  - name: both
    iperf3: {link: wire, bidir: true, time: 2 s}
    pass: [throughput >= 1 Mbit/s]
  - name: echo
    ping: {link: wire, count: 3}
    pass: [loss <= 0%]
"""


@pytest.fixture
def spaces():
    """The first part of the names of two network namespaces, joined by a pair of interfaces."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("network namespaces need root and ip")
    name = f"ng{os.getpid()}"
    commands = [f"netns add {name}-a", f"netns add {name}-b",
                f"-n {name}-a link add eth0 type veth peer name eth0 netns {name}-b",
                f"-n {name}-a addr add 10.99.0.1/24 dev eth0",
                f"-n {name}-b addr add 10.99.0.2/24 dev eth0",
                f"-n {name}-a link set eth0 up", f"-n {name}-b link set eth0 up"]
    try:
        for command in commands:
            done = subprocess.run(["ip", *command.split()], stderr=subprocess.PIPE, check=False)
            if done.returncode != 0:
                pytest.skip(f"ip {command}: {done.stderr.decode(errors='replace').strip()}")
        yield name
    finally:
        for end in "ab":
            subprocess.run(["ip", "netns", "del", f"{name}-{end}"], stderr=subprocess.DEVNULL,
                           check=False)


def test_iperf3_between_namespaces(nasgate, write_plan, spaces, leftovers):
    for tool in ("iperf3", "ping"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    done = nasgate.run(write_plan(NAMESPACES.replace("NAME", spaces)))
    assert done.code == 0, done
    result = done.bundle.result
    assert [h["via"] for h in result["hosts"]] == ["prefix", "prefix"]
    events = done.bundle.events
    servers = [e for e in events if e.get("event") == "start" and e["port"]]
    assert [e["host"] for e in servers] == ["b", "a", "b"]
    ready = {e["id"]: e["at"] for e in events if e.get("event") == "ready"}
    for server in servers:
        client = next(e for e in events if e.get("event") == "start" and e["id"] > server["id"])
        assert server["at"] < ready[server["id"]] <= client["at"], "before it listens nobody connects"
    assert leftovers(result["run_id"]) == {}
    same_again(nasgate, done.bundle)


def test_kill_between_namespaces(nasgate, write_plan, spaces, leftovers, wait_for):
    if shutil.which("iperf3") is None:
        pytest.skip("iperf3 is not installed")
    plan = write_plan(NAMESPACES.replace("NAME", spaces).replace("time: 2 s", "time: 60 s"))
    child, bundle = nasgate.start(plan)
    wait_for(lambda: (bundle.path / "result.json").is_file())
    run_id = bundle.result["run_id"]
    wait_for(lambda: any("iperf3 -c" in p for p in processes("NASGATE_REMOTE", run_id).values()), 60)
    child.kill()
    child.communicate(timeout=30)
    assert leftovers(run_id, within=10.0) == {}
    assert processes("NASGATE_REMOTE", run_id) == {}
