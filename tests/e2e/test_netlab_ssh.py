"""The way to the NAS: accounts, sudo, keys, names and addresses that are not what the plan says."""

import os
import pty
import shutil
import subprocess
import sys

import pytest

from netlab import assert_not_measured, can_make_labs, conditions, ip, lab, no_trace, starts

FIO = """\
  - name: w
    fio: {volume: box, rw: write, bs: 64 KiB, size: 4 MiB, time: 1 s}
    pass: [write.bw >= 1 kB/s]
"""


@pytest.fixture
def run(nasgate, write_plan, lab):
    return lambda **plan: lab.run(nasgate, write_plan(lab.plan(**plan)))


@pytest.fixture
def refuses(run):
    """refuses(plan, words): nothing is measured, and this is said."""
    def check(*words, **plan):
        done = run(**plan)
        assert_not_measured(done)
        said = " ".join(c["seen"] + " " + (c.get("remedy") or "") for c in conditions(done).values())
        for word in words:
            assert word in said and word in done.stderr, done
        return done
    return check


@pytest.mark.parametrize("user", ["nas", "nasloud"])
def test_login_shell_of_busybox(lab, run, user):
    """ash, with PATH without sbin and a banner before the login; loud prints at every login."""
    if shutil.which("fio") is None:
        pytest.skip("fio is not installed")
    shell = lab.inside(lab.backup, "ssh", "-q", "-F", "none", "-i", lab.folder / "key", "-o",
                       f"UserKnownHostsFile={lab.folder / 'known'}", f"{user}@10.91.0.2",
                       'echo $0 $PATH').stdout
    assert "ash" in shell and "sbin" not in shell, shell
    assert shell.startswith("Welcome") == (user == "nasloud")
    done = run(phases=FIO, host=lab.host(user), conditions="  - route: fiber\n")
    assert done.code == 0, done
    assert "Welcome" not in done.stderr + done.bundle.text("report.md")


@pytest.mark.skipif(shutil.which("sudo") is None, reason="sudo is not installed")
def test_sudo_that_wants_a_password(lab, refuses):
    refuses("sudo on nas", "a password is required", "NOPASSWD",
            host=lab.host(extra=", privilege: sudo"))


@pytest.mark.skipif(shutil.which("sudo") is None, reason="sudo is not installed")
def test_sudo_that_works(lab, run):
    done = run(host=lab.host("nassudo", extra=", privilege: sudo"))
    assert done.code == 0, done
    assert [s["argv"][:2] for s in starts(done.bundle) if s["argv"][0] == "sudo"] == [["sudo", "-n"]]


def test_account_that_is_unknown(lab, refuses):
    refuses("nosuch@10.91.0.2 refuses the login", "ssh-copy-id", host=lab.host("nosuch"))


def test_host_key_that_has_changed(lab, refuses):
    lab.know(lab.folder / "changed", "other")
    refuses("host key", "has changed", "ssh-keygen -R", host=lab.host(known="changed"))


LISTENER = """\
import socket, sys, time
where = (sys.argv[1], 2222) if sys.argv[1][0] != "/" else sys.argv[1]
mute = socket.socket(socket.AF_UNIX if isinstance(where, str) else socket.AF_INET)
mute.bind(where)
mute.listen()
print(flush=True)
time.sleep(1000)
"""


def listen(lab, space, where):
    """Somebody who takes connections and never says a word."""
    child = lab.help_with(space, sys.executable, "-c", LISTENER, where, stdout=subprocess.PIPE)
    child.stdout.readline()


def test_hosts_that_do_not_answer(lab, refuses):
    """All at the same time, each with its own reason, and none for longer than its limit."""
    lab.set_mtu(lab.mid, "p0", 1500)
    lab.set_mtu(lab.mid, "p1", 1500)
    ip("-n", lab.backup, "neigh", "add", "10.91.0.51", "lladdr", "02:00:00:00:00:51", "dev", "eth9")
    listen(lab, lab.nas, "10.91.0.2")
    listen(lab, lab.backup, lab.folder / "agent")
    agent = f'IdentityAgent: "{lab.folder / "agent"}"'
    hosts = {"off": lab.host(address="10.91.0.50"), "firewall": lab.host(address="10.91.0.51"),
             "elsewhere": lab.host(address="10.99.0.1"), "hole": lab.host(address="10.90.0.2"),
             "mute": lab.host().replace("IdentitiesOnly", "Port: 2222, IdentitiesOnly"),
             "asks": lab.host().replace("IdentityAgent: none", agent)}
    done = refuses("there is no route to nas@10.91.0.50", "nas@10.91.0.51 does not answer",
                   "there is no network to nas@10.99.0.1", "nas@10.90.0.2 does not answer",
                   "nas@10.91.0.2 does not answer", "took longer than 30 s: does the agent ask",
                   hosts="".join(f"    {name}: {host}\n" for name, host in hosts.items()),
                   conditions="".join(f"  - reachable: {name}\n" for name in ["nas", *hosts]))
    found = conditions(done)
    assert found["reachable-nas"]["held"] == "held"
    assert all(found[f"reachable-{name}"]["held"] == "broken" for name in hosts), found
    assert done.seconds < 60


QUESTIONS = {
    "unknown-host": ("key", "/dev/null", "host key"),
    "passphrase": ("locked", "known", "refuses the login"),
    "password": ("other", "known", "refuses the login"),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_ssh_never_asks(lab, nasgate, write_plan, name):
    """With a terminal to ask at and a program to ask with: neither is used, the run goes on."""
    key, known, reason = QUESTIONS[name]
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-C", "", "-f",
                    lab.folder / "locked"], check=True, stdin=subprocess.DEVNULL)
    with open(lab.folder / "authorized", "a", encoding="ascii") as file:
        file.write((lab.folder / "locked.pub").read_text())
    plan = write_plan(lab.plan(host=lab.host(key=key, known=known)))
    argv, options = lab.command(nasgate, plan, nasgate.new_output())
    options["env"].update(SSH_ASKPASS=str(lab.folder / "bin" / "canary"), DISPLAY=":0",
                          SSH_ASKPASS_REQUIRE="force")
    ours, theirs = pty.openpty()
    try:
        # setsid -c: the terminal becomes that of the run, which /dev/tty leads to
        done = subprocess.run(["setsid", "-c", "-w", *argv], **{**options, "stdin": theirs},
                              timeout=60, check=False)
        os.set_blocking(ours, False)
        with pytest.raises(BlockingIOError):
            print("asked at the terminal:", os.read(ours, 1000))
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == 3 and reason in done.stderr, done.stderr
    assert lab.sung == [], "ssh has asked with SSH_ASKPASS"


def test_facts_of_four_hosts_in_one_round(lab, run):
    """One command for each, and all of them under way before the first has ended."""
    for number in range(11, 15):
        lab.address(lab.nas, "eth9", f"10.91.0.{number}/24")
    lab.know(lab.folder / "four", "host", "10.91.0.2", *(f"10.91.0.{n}" for n in range(11, 15)))
    hosts = {f"nas{n}": lab.host(address=f"10.91.0.{n}", known="four") for n in range(11, 15)}
    done = run(host=lab.host(known="four"),
               hosts="".join(f"    {name}: {host}\n" for name, host in hosts.items()))
    assert done.code == 0, done
    events = [e for e in done.bundle.events if "id" in e]
    asked = [s["host"] for s in starts(done.bundle)]
    assert {name: asked.count(name) for name in hosts} == dict.fromkeys(hosts, 1)
    facts = {s["id"] for s in starts(done.bundle) if s["purpose"] == "facts"}
    order = [e["event"] for e in events if e["id"] in facts and e["event"] in ("start", "end")]
    assert order == ["start"] * 6 + ["end"] * 6
