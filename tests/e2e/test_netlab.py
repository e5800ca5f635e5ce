"""The wire between a backup server and a NAS behind ssh: proven before anything is measured."""

import json
import shutil

import pytest

from netlab import ip, assert_not_measured, can_make_labs, conditions, lab, no_trace, starts

MTU = "  - mtu_match: fiber\n"
SPEED = "  - link_speed: fiber\n"


@pytest.fixture
def run(nasgate, write_plan, lab):
    """run(**plan) runs a plan of the laboratory on the backup server."""
    return lambda **plan: lab.run(nasgate, write_plan(lab.plan(**plan)))


def test_9000_at_both_ends(run):
    done = run(conditions=MTU)
    assert done.code == 0, done
    mtu = conditions(done)["mtu_match-fiber"]
    assert mtu["held"] == "held"
    for way in ("backup to nas", "nas to backup"):
        assert f"{way}: packets of 9000 bytes pass whole, larger ones do not" in mtu["seen"]
    assert any(s["purpose"].startswith("phase never") for s in starts(done.bundle))


def test_1500_at_one_end(lab, run):
    """The end that is wrong is named, and the size that passes; nothing is measured."""
    lab.set_mtu(lab.nas, "eth4", 1500)
    done = run(conditions=MTU)
    assert_not_measured(done)
    mtu = conditions(done)["mtu_match-fiber"]
    assert mtu["held"] == "broken"
    assert "nas:eth4 has MTU 1500" in mtu["seen"] and "1500 do" in mtu["seen"]
    assert "ip link set dev eth4 mtu 9000" in mtu["remedy"] and "eth0" not in mtu["remedy"]


@pytest.mark.parametrize("ports", [("p0", "p1"), ("p0",), ("p1",)], ids="-".join)
def test_1500_in_the_middle(lab, run, ports):
    """Both ends say 9000, and what lies between drops it without a word, be it in one direction."""
    for port in ports:
        lab.set_mtu(lab.mid, port, 1500)
    done = run(conditions=MTU)
    assert_not_measured(done)
    mtu = conditions(done)["mtu_match-fiber"]
    assert mtu["held"] == "broken"
    for end in ("backup:eth0", "nas:eth4"):
        assert f"{end} has MTU 9000" in mtu["seen"]
    assert "bytes do not pass" in mtu["seen"] and "1500 do" in mtu["seen"], mtu


def test_route_by_another_card(lab, run):
    """The cards of the plan are joined and configured; the traffic takes the first ones."""
    lab.pair(lab.backup, "eth1", lab.nas, "eth5")
    lab.address(lab.backup, "eth1", "10.90.0.11/24")
    lab.address(lab.nas, "eth5", "10.90.0.12/24")
    done = run(conditions="  - route: fiber\n", ends='["backup:eth1", "nas:eth5"]')
    assert_not_measured(done)
    route = conditions(done)["route-fiber"]
    assert route["held"] == "broken"
    assert "leaves by eth0, not by eth1" in route["seen"]
    assert "leaves by eth4, not by eth5" in route["seen"]
    assert "10.90.0.12/32 dev eth1" in route["remedy"]


def test_link_that_is_slower_than_the_plan(lab, run):
    """A veth says 10 Gbit/s in sysfs; what is let through it is less on one end."""
    lab.shape(lab.nas, "eth4", "100mbit")
    done = run(conditions=SPEED, link="speed: 1 Gbit/s")
    assert_not_measured(done)
    speed = conditions(done)["link_speed-fiber"]
    assert speed["held"] == "broken"
    assert "nas:eth4" in speed["seen"] and "100 Mbit/s" in speed["seen"], speed
    assert "tbf" in json.dumps(speed["looked_at"])


def add_card(lab, *ways):
    """Adds `card` to the NAS in the first way that this kernel knows."""
    made = [ip("-n", lab.nas, *words, check=False) for words in ways]
    if all(done.returncode != 0 for done in made):
        pytest.skip(f"this kernel makes none of {ways}: {made[-1].stderr.strip()}")
    ip("-n", lab.nas, "link", "set", "card", "up")
    lab.address(lab.nas, "card", "10.92.0.2/24")


def speed_of_card(run):
    done = run(conditions=SPEED, link="speed: 10 Gbit/s", ends='["backup:eth0", "nas:card"]')
    assert_not_measured(done)
    speed = conditions(done)["link_speed-fiber"]
    assert "nas:card" in speed["seen"] and "backup:eth0" in json.dumps(speed["looked_at"]), speed
    return speed


def test_card_that_tells_no_speed(lab, run):
    """The kernel refuses to read the file: that is unknown, and unknown stops the run."""
    add_card(lab, ("link", "add", "card", "type", "dummy"), ("link", "add", "card", "type", "ifb"))
    assert "Invalid" in lab.inside(lab.nas, "cat", "/sys/class/net/card/speed").stderr
    assert speed_of_card(run)["held"] == "unknown"


def test_card_without_a_cable(lab, run):
    """A tap that nobody has opened tells a speed all the same."""
    add_card(lab, ("tuntap", "add", "dev", "card", "mode", "tap"))
    assert lab.inside(lab.nas, "cat", "/sys/class/net/card/speed").stdout.strip().isdigit()
    speed = speed_of_card(run)
    assert speed["held"] == "broken" and "card is down" in speed["seen"], speed


GIGABIT = """\
  - name: there
    iperf3: {link: fiber, from: backup, time: 3 s}
    pass: [throughput >= 60% of link.fiber.speed, throughput < 100% of link.fiber.speed]
  - name: back
    iperf3: {link: fiber, from: nas, time: 3 s, streams: 2}
    pass: [throughput >= 60% of link.fiber.speed, throughput < 100% of link.fiber.speed]
  - name: both
    iperf3: {link: fiber, bidir: true, time: 3 s}
    pass: [throughput < 100% of link.fiber.speed, reverse.throughput < 100% of link.fiber.speed]
"""


def measures(phase):
    return {m["metric"]: m["value"] for m in phase["repeats"][0]["measures"]}


def test_iperf3_over_a_gigabit(lab, run):
    if shutil.which("iperf3") is None:
        pytest.skip("iperf3 is not installed")
    lab.gigabit()
    done = run(conditions=MTU + SPEED + "  - route: fiber\n", phases=GIGABIT,
               link="mtu: 9000, speed: 1 Gbit/s")
    assert done.code == 0, done
    for name in ("there", "back"):
        got = measures(done.bundle.phase(name))
        assert 600e6 < got["throughput"] * 8 < 1000e6, got
    servers = [s["host"] for s in starts(done.bundle) if s["port"]]
    assert servers == ["nas", "backup", "nas"]
    assert done.bundle.result["not_restored"] is None
