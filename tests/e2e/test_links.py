"""Preconditions of links in a laboratory of network namespaces that the test makes and removes.

The client is the runner itself, inside a namespace; the NAS is a host behind the prefix
`ip netns exec`. Between them lies a pair of veth, or a bridge in a third namespace that drops what
is too large without a word. Needs root, else everything is skipped.
"""

import itertools
import json
import os
import shutil
import subprocess

import pytest

COUNTER = itertools.count()


def ip(*words, check=True):
    return subprocess.run(["ip", *map(str, words)], check=check, capture_output=True, text=True)


class Lab:
    """Namespaces `cli` and `nas`, and `mid` where something lies between them."""

    def __init__(self):
        stem = f"ngt{os.getpid()}-{next(COUNTER)}"
        self.cli, self.nas, self.mid = (f"{stem}{part}" for part in ("c", "n", "m"))
        self.made = []

    def make(self, *names):
        for name in names:
            ip("netns", "add", name)
            self.made.append(name)
            ip("-n", name, "link", "set", "lo", "up")

    def remove(self):
        for name in self.made:
            ip("netns", "del", name, check=False)

    def pair(self, ns, name, peer_ns, peer, mtu=9000, peer_mtu=9000):
        ip("-n", ns, "link", "add", name, "type", "veth", "peer", "name", peer, "netns", peer_ns)
        ip("-n", ns, "link", "set", name, "mtu", mtu, "up")
        ip("-n", peer_ns, "link", "set", peer, "mtu", peer_mtu, "up")

    def address(self, ns, name, text):
        ip("-n", ns, "addr", "add", text, "dev", name, "nodad" if ":" in text else "brd", *(
            [] if ":" in text else ["+"]))

    def direct(self, cli_mtu=9000, nas_mtu=9000):
        """eth0 of the client and eth4 of the NAS are two ends of one cable."""
        self.make(self.cli, self.nas)
        self.pair(self.cli, "eth0", self.nas, "eth4", cli_mtu, nas_mtu)
        self.address(self.cli, "eth0", "10.77.0.1/24")
        self.address(self.nas, "eth4", "10.77.0.2/24")
        return self

    def switched(self, to_nas=9000, to_cli=9000):
        """A switch between, whose ports have these MTUs: what is larger vanishes."""
        self.make(self.cli, self.nas, self.mid)
        self.pair(self.cli, "eth0", self.mid, "p0", 9000, 9000)
        self.pair(self.nas, "eth4", self.mid, "p1", 9000, 9000)
        ip("-n", self.mid, "link", "add", "br0", "type", "bridge")
        for port in ("p0", "p1"):
            ip("-n", self.mid, "link", "set", port, "master", "br0")
        ip("-n", self.mid, "link", "set", "br0", "up")
        ip("-n", self.mid, "link", "set", "p1", "mtu", to_nas)
        ip("-n", self.mid, "link", "set", "p0", "mtu", to_cli)
        self.address(self.cli, "eth0", "10.77.0.1/24")
        self.address(self.nas, "eth4", "10.77.0.2/24")
        return self

    def plan(self, conditions, ends='["cli:eth0", "nas:eth4"]', more="mtu: 9000"):
        return f"""\
nasgate: 1
name: links
topology:
  hosts:
    cli: local
    nas: {{via: {{prefix: [ip, netns, exec, {self.nas}]}}}}
  links:
    wire: {{ends: {ends}, {more}}}
preconditions:
{conditions}phases:
  - name: never
    ping: {{link: wire, count: 1}}
    pass: [loss == 0%]
"""


@pytest.fixture
def lab():
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    for tool in ("ip", "ping"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    made = Lab()
    try:
        made.make(made.cli)
        ip("-n", made.cli, "link", "add", "probe", "type", "veth", "peer", "name", "probe2")
    except subprocess.CalledProcessError as error:
        made.remove()
        pytest.skip(f"no network namespaces or veth here: {error.stderr.strip()}")
    made.remove()
    made.made.clear()
    yield made
    made.remove()


@pytest.fixture
def run(nasgate, write_plan, lab, tmp_path):
    """run(plan) runs nasgate inside the client's namespace; returns (exit code, {id: condition}, result)."""
    def start(plan, path=None):
        out = nasgate.new_output()
        env = nasgate.env()
        if path is not None:
            env["PATH"] = path
        done = subprocess.run(
            ["ip", "netns", "exec", lab.cli, nasgate.binary, "run", "-o", out, write_plan(plan)],
            cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=120, check=False)
        assert (out / "result.json").is_file(), done.stderr
        result = json.loads((out / "result.json").read_text(encoding="utf-8"))
        again = nasgate("replay", "-o", nasgate.new_output(), out)
        assert again.code == done.returncode, again
        for condition in result["conditions"]:
            for key in ("expected", "seen", "source"):
                assert condition[key], (condition["id"], key)
            assert bool(condition.get("remedy")) == (condition["held"] != "held"), condition
        return done.returncode, {c["id"]: c for c in result["conditions"]}, result
    return start


def measured(result):
    return [p["name"] for p in result["phases"] if p["repeats"]]


MTU = "  - mtu_match: wire\n"


def test_equal_mtus_are_proven(lab, run):
    code, found, result = run(lab.direct().plan(MTU))
    assert code == 0, found
    mtu = found["mtu_match-wire"]
    assert mtu["held"] == "held"
    for way in ("cli to nas", "nas to cli"):
        assert f"{way}: packets of 9000 bytes pass whole, larger ones do not" in mtu["seen"]
    assert measured(result) == ["never"]


def test_equal_mtus_over_a_switch(lab, run):
    code, found, _ = run(lab.switched().plan(MTU))
    assert code == 0, found
    assert found["mtu_match-wire"]["held"] == "held"


def test_mtu_of_the_ends_where_the_plan_states_none(lab, run):
    code, found, _ = run(lab.direct(4000, 4000).plan(MTU, more="speed: 10 Gbit/s"))
    assert code == 0, found
    assert "packets of 4000 bytes pass whole" in found["mtu_match-wire"]["seen"]


def test_one_end_is_smaller(lab, run):
    code, found, result = run(lab.direct(9000, 1500).plan(MTU))
    mtu = found["mtu_match-wire"]
    assert code == 3 and mtu["held"] == "broken" and measured(result) == []
    assert "nas:eth4 has MTU 1500" in mtu["seen"]
    assert "9000 bytes do not pass" in mtu["seen"] and "1500 do" in mtu["seen"]
    assert "ip link set dev eth4 mtu 9000" in mtu["remedy"]


def test_black_hole_between_two_equal_ends(lab, run):
    code, found, result = run(lab.switched(1500, 1500).plan(MTU))
    mtu = found["mtu_match-wire"]
    assert code == 3 and mtu["held"] == "broken" and measured(result) == []
    for end in ("cli:eth0", "nas:eth4"):
        assert f"{end} has MTU 9000" in mtu["seen"]
    assert "cli to nas: packets of 9000 bytes do not pass" in mtu["seen"]
    assert "vanish without a word; 1500 do" in mtu["seen"]


def test_black_hole_of_an_odd_size(lab, run):
    code, found, _ = run(lab.switched(4321, 4321).plan(MTU))
    assert code == 3
    assert "4321 do" in found["mtu_match-wire"]["seen"]


def test_one_direction_is_smaller(lab, run):
    """The way to the NAS is whole, the way back is not: pings cannot tell them apart, our probe can."""
    if shutil.which("tc") is None:
        pytest.skip("tc is not installed")
    lab.switched()
    # a bucket that a large packet does not fit into drops it
    subprocess.run(["tc", "-n", lab.mid, "qdisc", "add", "dev", "p0", "root", "tbf", "rate", "1gbit",
                    "burst", "1600", "latency", "50ms"], check=True)
    code, found, _ = run(lab.plan(MTU))
    mtu = found["mtu_match-wire"]
    assert code == 3 and mtu["held"] == "broken"
    assert "cli to nas: packets of 9000 bytes pass whole" in mtu["seen"]
    assert "answers of that size do not come back" in mtu["seen"]
    assert "nas to cli: packets of 9000 bytes do not pass" in mtu["seen"]


def test_path_that_takes_larger_packets(lab, run):
    code, found, _ = run(lab.direct().plan(MTU, more="mtu: 1500"))
    mtu = found["mtu_match-wire"]
    assert code == 3 and mtu["held"] == "broken"
    assert "cli:eth0 has MTU 9000" in mtu["seen"] and "1501 bytes pass as well" in mtu["seen"]


def test_router_that_reports(lab, run):
    """A routed hop of 1500 between: it says so, and a second run finds what the kernel remembers."""
    lab.make(lab.cli, lab.nas, lab.mid)
    lab.pair(lab.cli, "eth0", lab.mid, "r0")
    lab.pair(lab.nas, "eth4", lab.mid, "r1", 9000, 1500)
    lab.address(lab.cli, "eth0", "10.77.1.1/24")
    lab.address(lab.mid, "r0", "10.77.1.254/24")
    lab.address(lab.mid, "r1", "10.77.2.254/24")
    lab.address(lab.nas, "eth4", "10.77.2.2/24")
    ip("netns", "exec", lab.mid, "sysctl", "-qw", "net.ipv4.ip_forward=1")
    ip("-n", lab.cli, "route", "add", "default", "via", "10.77.1.254")
    ip("-n", lab.nas, "route", "add", "default", "via", "10.77.2.254")
    code, found, _ = run(lab.plan(MTU))
    mtu = found["mtu_match-wire"]
    assert code == 3 and mtu["held"] == "broken"
    assert "cli to nas: packets of 9000 bytes do not pass, 10.77.1.254 says so; 1500 do" in mtu["seen"]
    remembered = ip("-n", lab.cli, "route", "get", "10.77.2.2").stdout
    if "mtu 1500" in remembered:
        code, found, _ = run(lab.plan(MTU))
        assert code == 3 and found["mtu_match-wire"]["held"] == "broken"
        assert "learned" in json.dumps(found["mtu_match-wire"]["looked_at"])


def test_ipv6(lab, run):
    lab.make(lab.cli, lab.nas)
    lab.pair(lab.cli, "eth0", lab.nas, "eth4")
    try:
        lab.address(lab.cli, "eth0", "fd00:77::1/64")
        lab.address(lab.nas, "eth4", "fd00:77::2/64")
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no IPv6 here: {error.stderr.strip()}")
    code, found, _ = run(lab.plan(MTU + "  - route: wire\n"))
    assert code == 0, found
    assert "packets of 9000 bytes pass whole" in found["mtu_match-wire"]["seen"]


def test_port_of_a_bridge_is_smaller(lab, run):
    """The end is a bridge of 9000 that was set by hand; the port below it drops what is larger."""
    lab.make(lab.cli, lab.nas)
    lab.pair(lab.cli, "eth0", lab.nas, "eth4", 9000, 1500)
    ip("-n", lab.nas, "link", "add", "br0", "type", "bridge")
    ip("-n", lab.nas, "link", "set", "eth4", "master", "br0")
    ip("-n", lab.nas, "link", "set", "br0", "up")
    ip("-n", lab.nas, "link", "set", "br0", "mtu", 9000)
    lab.address(lab.cli, "eth0", "10.77.0.1/24")
    lab.address(lab.nas, "br0", "10.77.0.2/24")
    code, found, _ = run(lab.plan(MTU, ends='["cli:eth0", "nas:br0"]'))
    mtu = found["mtu_match-wire"]
    assert code == 3 and mtu["held"] == "broken"
    assert "nas:br0 has MTU 9000" in mtu["seen"]
    assert "eth4, a layer of nas:br0, has MTU 1500" in mtu["seen"]
    assert "ip link set dev eth4 mtu 9000" in mtu["remedy"]


def test_device_below_a_macvlan_is_larger(lab, run):
    """What lies below may be larger; the address stands on what lies above the named end."""
    lab.make(lab.cli, lab.nas)
    lab.pair(lab.cli, "eth0", lab.nas, "eth4", 9000, 9000)
    try:
        ip("-n", lab.nas, "link", "add", "link", "eth4", "name", "mv0", "type", "macvlan")
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no macvlan here: {error.stderr.strip()}")
    ip("-n", lab.nas, "link", "set", "mv0", "mtu", 1500, "up")
    ip("-n", lab.cli, "link", "set", "eth0", "mtu", 1500)
    lab.address(lab.cli, "eth0", "10.77.0.1/24")
    lab.address(lab.nas, "mv0", "10.77.0.2/24")
    plan = lab.plan(MTU + "  - route: wire\n", ends='["cli:eth0", "nas:mv0"]', more="mtu: 1500")
    code, found, _ = run(plan)
    assert code == 0, found
    code, found, _ = run(lab.plan("  - route: wire\n", more="mtu: 1500"))
    assert code == 0, found
    assert "leaves by mv0" in found["route-wire"]["seen"]


def test_wrong_route(lab, run):
    """Two wires between the same machines, in one subnet: traffic takes the other one."""
    lab.direct()
    lab.pair(lab.cli, "eth1", lab.nas, "eth5")
    lab.address(lab.cli, "eth1", "10.77.0.11/24")
    lab.address(lab.nas, "eth5", "10.77.0.12/24")
    plan = lab.plan("  - route: wire\n" + MTU, ends='["cli:eth1", "nas:eth5"]')
    code, found, result = run(plan)
    route = found["route-wire"]
    assert code == 3 and route["held"] == "broken" and measured(result) == []
    assert "leaves by eth0, not by eth1" in route["seen"]
    assert "leaves by eth4, not by eth5" in route["seen"]
    assert "ip route add 10.77.0.12/32 dev eth1" in route["remedy"]
    assert found["mtu_match-wire"]["held"] == "unknown"
    assert "does not take the link" in found["mtu_match-wire"]["seen"]
    ip("-n", lab.cli, "route", "add", "10.77.0.12/32", "dev", "eth1")
    ip("-n", lab.nas, "route", "add", "10.77.0.11/32", "dev", "eth5")
    code, found, _ = run(plan)
    assert code == 0, found


def test_address_of_the_runner_itself(lab, run):
    """The address that the plan states for the NAS is the client's own: it would talk to itself."""
    ends = '["cli:eth0", {at: "nas:eth4", address: 10.77.0.1}]'
    code, found, _ = run(lab.direct().plan("  - route: wire\n", ends=ends))
    assert code == 3 and found["route-wire"]["held"] == "broken"
    assert "never leaves the host" in found["route-wire"]["seen"]


def test_no_route(lab, run):
    lab.direct()
    ip("-n", lab.nas, "addr", "flush", "dev", "eth4")
    lab.address(lab.nas, "eth4", "10.99.0.2/24")
    code, found, _ = run(lab.plan("  - route: wire\n  - reachable: {link: wire}\n"))
    assert code == 3 and found["route-wire"]["held"] == "broken"
    assert "no route" in found["route-wire"]["seen"]
    assert found["reachable-wire"]["held"] == "broken", found["reachable-wire"]


def test_link_speed(lab, run):
    """A veth says 10 Gbit/s, whatever it can do; a shaper says what it lets through."""
    speed = "  - link_speed: wire\n"
    code, found, _ = run(lab.direct().plan(speed, more="speed: 10 Gbit/s"))
    assert code == 0, found
    code, found, _ = run(lab.plan(speed, more="speed: 25 Gbit/s"))
    assert code == 3 and "slower than 25 Gbit/s" in found["link_speed-wire"]["seen"]
    code, found, _ = run(lab.plan(speed, more="speed: 1 Gbit/s"))
    assert code == 3 and "faster than 1 Gbit/s" in found["link_speed-wire"]["seen"]
    if shutil.which("tc"):
        for ns, name in ((lab.cli, "eth0"), (lab.nas, "eth4")):
            subprocess.run(["tc", "-n", ns, "qdisc", "add", "dev", name, "root", "tbf", "rate",
                            "1gbit", "burst", "128kb", "latency", "50ms"], check=True)
        code, found, _ = run(lab.plan(speed, more="speed: 1 Gbit/s"))
        assert code == 0, found
        assert "tbf" in json.dumps(found["link_speed-wire"]["looked_at"])


def test_cable_is_out(lab, run):
    lab.direct()
    ip("-n", lab.cli, "link", "set", "eth0", "down")
    code, found, _ = run(lab.plan("  - link_speed: wire\n  - reachable: {link: wire}\n",
                                  more="speed: 10 Gbit/s"))
    assert code == 3 and found["link_speed-wire"]["held"] == "broken"
    assert "cli:eth0: eth0 is down" in found["link_speed-wire"]["seen"]
    assert "nas:eth4: eth4 is down" in found["link_speed-wire"]["seen"]
    assert found["reachable-wire"]["held"] != "held"


def test_settings_of_the_kernel(lab, run):
    lab.direct()
    ip("netns", "exec", lab.nas, "sysctl", "-qw", "net.ipv4.tcp_rmem=4096 131072 6291456")
    plan = '  - sysctl: {host: nas, values: {net.ipv4.tcp_rmem: "4096  131072 %s"}}\n'
    code, found, _ = run(lab.plan(plan % "6291456"))
    assert code == 0, found
    code, found, _ = run(lab.plan(plan % "1"))
    assert code == 3 and found["sysctl-nas"]["held"] == "broken"
    assert "4096 131072 6291456" in found["sysctl-nas"]["seen"]
    code, found, _ = run(lab.plan("  - sysctl: {host: nas, values: {net.none.such: 1}}\n"))
    assert code == 3 and found["sysctl-nas"]["held"] == "unknown"


def test_card_without_rings(lab, run):
    """A veth has no rings: unknown stops the run, unless the plan allows it."""
    if shutil.which("ethtool") is None:
        pytest.skip("ethtool is not installed")
    lab.direct()
    nic = '  - nic: {interface: "nas:eth4", rx: 4096, pause: {rx: on}%s}\n'
    code, found, _ = run(lab.plan(nic % ""))
    assert code == 3 and found["nic-nas-eth4"]["held"] == "unknown", found
    assert "not supported" in found["nic-nas-eth4"]["seen"]
    code, found, result = run(lab.plan(nic % ", unknown: allow"))
    assert code == 0 and measured(result) == ["never"]
    code, found, _ = run(lab.plan('  - nic: {interface: "nas:eth4", offload: {gro: on, lro: on}}\n'))
    assert code == 3 and found["nic-nas-eth4"]["held"] == "broken"
    assert "large-receive-offload of nas:eth4 is off" in found["nic-nas-eth4"]["seen"]


def test_clocks_and_reach(lab, run):
    conditions = "  - clock_offset: [cli, nas]\n  - reachable: nas\n  - reachable: {link: wire}\n"
    code, found, result = run(lab.direct().plan(conditions))
    assert code == 0, found
    assert found["clock_offset"]["held"] == "held"
    # what drives the cards is part of the environment, where ethtool is
    if shutil.which("ethtool"):
        for host, nic in zip(result["hosts"], ("nic eth0", "nic eth4")):
            assert "veth" in {i["key"]: i["value"] for i in host["environment"]}[nic]


def test_ping_that_cannot_forbid_fragments(lab, run, tmp_path):
    """BusyBox on one end: one direction is proven, which is enough only if the plan says so."""
    busybox = shutil.which("busybox")
    if busybox is None:
        pytest.skip("busybox is not installed")
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "ping").symlink_to(busybox)
    env = shutil.which("env")
    lab.direct()
    plan = lab.plan("  - mtu_match: {link: wireMORE}\n").replace(
        f"exec, {lab.nas}]", f'exec, {lab.nas}, {env}, "PATH={folder}:/usr/sbin:/usr/bin:/sbin:/bin"]')
    code, found, _ = run(plan.replace("MORE", ""))
    mtu = found["mtu_match-wire"]
    assert code == 3 and mtu["held"] == "unknown", mtu
    assert "nas to cli: not proven: its ping has no -M" in mtu["seen"]
    assert "directions: one" in mtu["remedy"]
    code, found, _ = run(plan.replace("MORE", ", directions: one"))
    assert code == 0 and found["mtu_match-wire"]["held"] == "held"
    assert "nas to cli: not proven" in found["mtu_match-wire"]["seen"]


@pytest.mark.parametrize("name", ["$(id>pwned)", "a'b", "`id>pwned`", "-x", "eth4;id>pwned", "*",
                                  'a"b', "eth4&"])
def test_hostile_names_are_harmless(lab, run, tmp_path, name):
    """What a plan calls an interface reaches no shell as more than a word."""
    ends = f"""["cli:eth0", {json.dumps("nas:" + name)}]"""
    plan = lab.direct().plan(MTU + "  - route: wire\n  - link_speed: wire\n", ends=ends)
    code, found, _ = run(plan)
    assert code == 3 and found["mtu_match-wire"]["held"] == "broken", found
    assert "has no interface" in found["mtu_match-wire"]["seen"]
    assert not list(tmp_path.rglob("pwned"))


@pytest.mark.parametrize("name", ["a b", "a/b", "a\nb", "sixteen-bytes-16", "..", ""])
def test_names_that_no_interface_has(nasgate, write_plan, name):
    plan = Lab().plan(MTU, ends=f"""["cli:eth0", {json.dumps("nas:" + name)}]""")
    done = nasgate("check", write_plan(plan))
    assert done.code == 2, done


def test_nothing_of_the_laboratory_is_left(lab, run):
    run(lab.direct().plan(MTU))
    lab.remove()
    left = ip("netns", "list").stdout
    assert lab.cli not in left and lab.nas not in left
