"""A laboratory in which all is well."""

import cases


def test_nfs(nasgate, lab, root):
    """The plan that the README shows for a real NAS."""
    done = nasgate.run(root / "plans/examples/nfs-lab.yaml", timeout=cases.DEADLINE)
    assert done.code == 0, done
    result = done.bundle.result
    assert {row["held"] for row in result["conditions"]} == {"held"}
    assert [phase["verdict"] for phase in result["phases"]] == ["pass"] * 5
    assert result["events"] == []
    report = done.bundle.text("report.md")
    assert "vers=3,rsize=131072" in report and "md0" in report
    # The run has taken its folder with it.
    assert "nasgate" not in lab.nas.ssh("ls -A /volume1/bench")


def test_cifs(run, lab):
    done = run(cases.plan("mounted: repo", "no_rebuild: {volume: repo}",
                          "mtu_match: {link: fiber, directions: one}",
                          path="/mnt/smb", mount=cases.CIFS))
    assert done.code == 0, done
    assert done.bundle.phase("write")["verdict"] == "pass"
    assert "vers=3.1.1" in cases.condition(done, "mounted")["seen"]
    assert "nasgate" not in lab.nas.ssh("ls -A /volume1/bench")


def test_account_with_sudo(run, lab):
    """A NAS whose login is not root: its shell is BusyBox's, and only root can ask for the cache."""
    assert lab.nas.ssh("readlink -f /bin/sh").strip().endswith("/busybox")
    lab.nas.ssh("/lab/cache attach writethrough")
    done = run(cases.plan("cache_state: {volume: repo, expect: write-through}", "no_rebuild: nas",
                          nas="admin@nas, privilege: sudo"))
    assert done.code == 0, done
    asked = [e["argv"][:2] for e in done.bundle.events
             if e.get("event") == "start" and e["host"] == "nas" and "-s" in e["argv"]]
    assert ["sudo", "-n"] in asked


def test_account_without_sudo(run, lab):
    lab.nas.ssh("/lab/cache attach writethrough")
    done = run(cases.plan("cache_state: {volume: repo, expect: write-through}", nas="admin@nas"))
    assert done.code == 3, done
    row = cases.condition(done, "cache_state")
    assert row["held"] == "unknown" and "privilege: sudo" in row["remedy"], row
