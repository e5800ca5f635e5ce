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
