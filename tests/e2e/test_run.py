"""The whole way: a plan goes in, engines run, verdict, exit code, bundle and reports come out."""

import json
import os
import shutil
import subprocess

import pytest

WIRE = """\
nasgate: 1
name: wire
topology:
  hosts: {here: local}
  links:
    loop: {ends: ["here:lo", "here:lo"]}
phases:
"""


def storage(volume, phases, preconditions="", extra=""):
    text = f"""\
nasgate: 1
name: storage
{extra}topology:
  hosts: {{here: local}}
  volumes:
    disk: {{on: here, path: "{volume}"}}
"""
    if preconditions:
        text += "preconditions:\n" + preconditions
    return text + "phases:\n" + phases


WRITE = """\
  - name: w
    fio: {volume: disk, rw: write, bs: 64 KiB, size: 8 MiB, time: 1 s}
    pass: [write.bw >= 1 kB/s]
"""


def engines(bundle):
    """The programs that were started and are engines."""
    return [c for c in bundle.commands if os.path.basename(c[0]) in ("fio", "iperf3", "ping")]


def needs(*tools):
    for tool in tools:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")


def test_quickstart(nasgate, root, volume, leftovers):
    needs("fio", "iperf3", "ping")
    plan = root / "plans" / "examples" / "quickstart.yaml"
    done = nasgate.run(plan, "-p", f"folder={volume}", "-p", "time=1 s")
    assert done.code == 0, done
    result = done.bundle.result
    assert result["complete"] is True and result["exit_code"] == 0
    assert [p["verdict"] for p in result["phases"]] == ["pass"] * len(result["phases"])
    assert {p["engine"] for p in result["phases"]} == {"fio", "iperf3", "ping"}
    for phase in result["phases"]:
        assert phase["repeats"] and phase["repeats"][0]["measures"], phase["name"]
    for name in ("report.md", "TEST-nasgate.xml", "plan.yaml", "effective.yaml"):
        assert done.bundle.text(name), name
    assert list(volume.iterdir()) == [], "the run's folder is still on the volume"
    assert leftovers(result["run_id"]) == {}
    assert done.stderr.rstrip().splitlines()[-1] == "nasgate: exit 0: pass: every phase passed"


def test_evidence_holds_every_command_and_output(nasgate, volume, write_plan):
    needs("fio")
    done = nasgate.run(write_plan(storage(volume, WRITE)))
    assert done.code == 0, done
    events = done.bundle.events
    assert events[0]["format"] == "nasgate-evidence" and events[0]["version"] == 1
    starts = {e["id"]: e for e in events if e.get("event") == "start"}
    ends = {e["id"]: e for e in events if e.get("event") == "end"}
    assert starts and starts.keys() == ends.keys()
    for end in ends.values():
        for stream in ("out", "err"):
            if end[stream]:
                assert (done.bundle.path / "evidence" / "objects" / end[stream]).is_file()
    assert str(os.getpid()) not in done.bundle.text("report.md")


def test_impossible_threshold_fails(nasgate, volume, write_plan):
    needs("fio")
    plan = storage(volume, WRITE.replace("1 kB/s", "999 TB/s"))
    done = nasgate.run(write_plan(plan))
    assert done.code == 1, done
    phase = done.bundle.phase("w")
    assert phase["verdict"] == "fail"
    assert "999" in phase["reason"] and "below" in phase["reason"]


def test_broken_precondition_starts_no_engine(nasgate, volume, write_plan):
    conditions = "  - free_space: {volume: disk, at_least: 900 TiB}\n  - no_rebuild: here\n"
    done = nasgate.run(write_plan(storage(volume, WRITE, conditions)))
    assert done.code == 3, done
    assert engines(done.bundle) == [] and done.bundle.commands
    result = done.bundle.result
    assert [p["verdict"] for p in result["phases"]] == ["skipped"]
    broken = [c for c in result["conditions"] if c["held"] == "broken"]
    assert len(broken) == 1 and broken[0]["remedy"] and broken[0]["expected"] and broken[0]["seen"]
    assert "free_space" in done.stderr and "900 TiB" in done.stderr
    assert list(volume.iterdir()) == []


def test_all_preconditions_are_told_at_once(nasgate, volume, write_plan):
    conditions = ("  - free_space: {volume: disk, at_least: 900 TiB}\n"
                  "  - tools: {host: here, need: [no-such-tool-1, fio >= 99.0]}\n")
    done = nasgate.run(write_plan(storage(volume, WRITE, conditions)))
    assert done.code == 3, done
    for word in ("900 TiB", "no-such-tool-1", "99.0"):
        assert word in done.stderr, word


@pytest.mark.parametrize("change, words", [
    (("rw: write", "rw: wriet"), 'did you mean "write"'),
    (("volume: disk, rw", "volum: disk, rw"), 'unknown key "volum"'),
    (("write.bw", "write.wb"), "write.wb"),
    (("1 kB/s", "1 ms"), "duration"),
])
def test_typo_contacts_nothing(nasgate, volume, write_plan, change, words):
    output = nasgate.new_output()
    done = nasgate.run(write_plan(storage(volume, WRITE.replace(*change))), output=output)
    assert done.code == 2, done
    assert words in done.stderr
    assert "plan.yaml:" in done.stderr and ": error: " in done.stderr
    assert not output.exists()
    assert done.stderr.rstrip().splitlines()[-1].startswith("nasgate: exit 2: ")


def test_needs_skip_with_the_root_cause(nasgate, volume, write_plan):
    needs("fio")
    phases = WRITE.replace("1 kB/s", "999 TB/s") + """\
  - name: second
    needs: w
    fio: {volume: disk, rw: read, bs: 64 KiB, size: 8 MiB, time: 1 s}
    pass: [read.bw >= 1 kB/s]
  - name: third
    needs: second
    fio: {volume: disk, rw: read, bs: 64 KiB, size: 8 MiB, time: 1 s}
    pass: [read.bw >= 1 kB/s]
  - name: free
    fio: {volume: disk, rw: read, bs: 64 KiB, size: 8 MiB, time: 1 s}
    pass: [read.bw >= 1 kB/s]
"""
    done = nasgate.run(write_plan(storage(volume, phases)))
    assert done.code == 1, done
    bundle = done.bundle
    for name in ("second", "third"):
        assert bundle.phase(name)["verdict"] == "skipped"
        assert "needs w, which failed" in bundle.phase(name)["reason"]
    assert bundle.phase("free")["verdict"] == "pass", bundle.phase("free")


def test_on_fail_stop_ends_the_run(nasgate, volume, write_plan):
    needs("fio")
    phases = WRITE.replace("1 kB/s", "999 TB/s") + "    on_fail: stop\n" + """\
  - name: later
    fio: {volume: disk, rw: write, bs: 64 KiB, size: 8 MiB, time: 1 s}
    pass: [write.bw >= 1 kB/s]
"""
    done = nasgate.run(write_plan(storage(volume, phases)))
    assert done.code == 1, done
    assert done.bundle.phase("later")["verdict"] == "skipped"
    assert "on_fail: stop" in done.bundle.phase("later")["reason"]
    assert list(volume.iterdir()) == []


def test_repeats_are_judged_by_their_median(nasgate, volume, write_plan):
    needs("fio")
    phases = WRITE.replace("pass: [write.bw >= 1 kB/s]", """\
repeat: 3
    predict: [write.bw >= 999 TB/s]
    pass:
      - write.bw >= 1 kB/s
      - min(write.bw) <= median(write.bw)
      - median(write.bw) <= max(write.bw)
      - write.bw >= 99.9% of median(write.bw)""")
    done = nasgate.run(write_plan(storage(volume, phases)))
    assert done.code == 0, done
    phase = done.bundle.phase("w")
    assert len(phase["repeats"]) == 3
    assert [j["held"] for j in phase["judged"] if j["gates"]] == ["held"] * 4
    assert [j["held"] for j in phase["judged"] if not j["gates"]] == ["broken"]


def test_only_takes_its_needs_along(nasgate, volume, write_plan):
    needs("fio")
    phases = WRITE + WRITE.replace("name: w", "name: other") + """\
  - name: r
    needs: w
    fio: {volume: disk, rw: read, bs: 64 KiB, size: 8 MiB, time: 1 s}
    pass: [read.bw >= 1 kB/s]
"""
    done = nasgate.run(write_plan(storage(volume, phases)), "--only", "r")
    assert done.code == 0, done
    assert [p["name"] for p in done.bundle.result["phases"]] == ["w", "r"]
    wrong = nasgate.run(write_plan(storage(volume, phases)), "--only", "othre")
    assert wrong.code == 2 and 'did you mean "other"' in wrong.stderr


def test_baseline(nasgate, volume, write_plan):
    needs("fio")
    first = nasgate.run(write_plan(storage(volume, WRITE)))
    assert first.code == 0, first
    plan = write_plan(storage(volume, WRITE.replace("1 kB/s", "1% of baseline")))
    without = nasgate.run(plan)
    assert without.code == 2 and "--baseline" in without.stderr
    good = nasgate.run(plan, "--baseline", first.bundle)
    assert good.code == 0, good
    assert good.bundle.result["baseline"] == first.bundle.result["run_id"]
    plan = write_plan(storage(volume, WRITE.replace("1 kB/s", "100 * baseline")))
    assert nasgate.run(plan, "--baseline", first.bundle).code == 1
    broken = nasgate.run(plan, "--baseline", volume)
    assert broken.code == 2 and "result.json" in broken.stderr


@pytest.mark.parametrize("change, words", [
    (("name: w", "name: x"), "has no phase x"),
    (("64 KiB", "128 KiB"), "measured something else in phase w"),
])
def test_a_baseline_that_does_not_fit_is_refused_before(
        nasgate, volume, write_plan, change, words):
    needs("fio")
    first = nasgate.run(write_plan(storage(volume, WRITE)))
    other = WRITE.replace(*change).replace("1 kB/s", "1% of baseline")
    output = nasgate.new_output()
    done = nasgate.run(
        write_plan(storage(volume, other)), "--baseline", first.bundle, output=output)
    assert done.code == 2, done
    assert words in done.stderr
    assert not output.exists()


def test_a_choice_of_phases_is_told_everywhere(nasgate, volume, write_plan):
    needs("fio")
    phases = WRITE + WRITE.replace("name: w", "name: other")
    done = nasgate.run(write_plan(storage(volume, phases)), "--only", "w")
    assert done.code == 0, done
    assert "1 of the plan's 2 phases" in done.stdout
    assert "1 of the plan's 2 phases" in done.bundle.text("report.md")
    assert "--only w" in done.bundle.text("report.md")
    assert done.bundle.result["only"] == ["w"] and done.bundle.result["plan_phases"] == 2


def test_a_volume_that_says_mount_is_checked_unasked(nasgate, volume, write_plan):
    plan = storage(volume, WRITE).replace(
        f'path: "{volume}"', f'path: "{volume}", mount: {{type: nfs}}')
    done = nasgate.run(write_plan(plan))
    assert done.code == 3, done
    assert engines(done.bundle) == []
    assert "mounted-disk" in done.stderr


def test_own_items_do_not_replace_implied_ones(nasgate, volume, write_plan):
    conditions = "  - volume_ready: disk\n"
    plan = storage(volume, WRITE.replace("8 MiB", "900 TiB"), conditions)
    done = nasgate.run(write_plan(plan))
    assert done.code == 3, done
    assert "volume_ready-disk-implied" in done.stderr


def test_a_timeout_bounds_the_whole_repeat(nasgate, volume, write_plan):
    """The layout of the file is slow on purpose: its time is the repeat's, too."""
    needs("fio")
    plan = storage(volume, """\
  - name: r
    timeout: 1 s
    fio: {volume: disk, rw: randread, bs: 4 KiB, size: 8 MiB, time: 20 s}
    pass: [read.bw >= 1 kB/s]
""")
    done = nasgate.run(write_plan(plan))
    assert done.code == 5, done
    assert done.seconds < 15
    assert done.bundle.phase("r")["verdict"] == "error"


def test_wire_both_ways_and_latency(nasgate, write_plan):
    needs("iperf3", "ping")
    plan = WIRE + """\
  - name: out
    iperf3: {link: loop, time: 1 s}
    pass: [throughput >= 1 Mbit/s, retransmits <= 1000000]
  - name: back
    iperf3: {link: loop, time: 1 s, reverse: true}
    pass: [throughput >= 1 Mbit/s, throughput >= 0.1% of out.throughput]
  - name: rtt
    ping: {link: loop, count: 3, df: true, size: 1000 B}
    pass: [loss == 0%, rtt.avg <= 1 s]
"""
    done = nasgate.run(write_plan(plan))
    assert done.code == 0, done
    servers = [c for c in engines(done.bundle) if c[0] == "iperf3" and "-s" in c]
    clients = [c for c in engines(done.bundle) if c[0] == "iperf3" and "-c" in c]
    assert len(servers) == len(clients) == 2
    assert sum("-R" in c for c in clients) == 1
    ready = [e for e in done.bundle.events if e.get("event") == "ready"]
    assert len(ready) >= 2


def test_quiet_and_colour(nasgate, volume, write_plan):
    needs("fio")
    plan = write_plan(storage(volume, WRITE))
    done = nasgate.run(plan, "--quiet", "--color", "always")
    assert done.code == 0, done
    assert done.stderr == "nasgate: exit 0: pass: every phase passed\n"
    assert "\033[" in done.stdout
    assert nasgate.run(plan, "--color", "sometimes").code == 2


def test_show_runs_nothing_and_prints_the_commands(nasgate, volume, write_plan):
    phases = WRITE + """\
  - name: r
    fio: {volume: disk, rw: read, bs: 64 KiB, size: 8 MiB, time: 3 s}
    repeat: 2
    pass: [read.bw >= 1 kB/s]
"""
    done = nasgate("show", write_plan(storage(volume, phases)))
    assert done.code == 0, done
    assert "fio " in done.stdout and f"{volume}/nasgate-RUN" in done.stdout
    assert "repeat 2 of 2" in done.stdout and "Schedule (3 steps" in done.stdout
    assert "volume_ready-disk" in done.stdout
    assert list(volume.iterdir()) == []


def test_effective_plan_loads_to_the_same_plan(nasgate, root, tmp_path):
    first = nasgate("show", root / "plans" / "examples" / "quickstart.yaml")
    text = first.stdout.split("\nPreconditions (")[0]
    (tmp_path / "again.yaml").write_text(text)
    second = nasgate("show", tmp_path / "again.yaml")
    assert second.code == 0, second
    strip = lambda t: [line for line in t.splitlines() if not line.startswith("#")]
    assert strip(second.stdout) == strip(first.stdout)


def test_examples_and_schema(nasgate, root):
    for plan in sorted((root / "plans" / "examples").glob("*.yaml")):
        done = nasgate("check", "--strict", plan)
        assert done.code == 0, done
    schema = nasgate("schema")
    assert schema.code == 0
    json.loads(schema.stdout)
    assert schema.stdout == (root / "plans" / "plan.schema.json").read_text(), \
        "plans/plan.schema.json is stale: nasgate schema > plans/plan.schema.json"
    page = nasgate("schema", "--reference")
    assert page.stdout == (root / "docs" / "plan.md").read_text(), \
        "docs/plan.md is stale: nasgate schema --reference > docs/plan.md"


def test_metrics(nasgate):
    every = nasgate("metrics")
    assert every.code == 0
    for word in ("write.bw", "throughput", "rtt.avg"):
        assert word in every.stdout
    assert "throughput" not in nasgate("metrics", "fio").stdout
    wrong = nasgate("metrics", "foi")
    assert wrong.code == 2 and "fio" in wrong.stderr


def test_usage(nasgate):
    assert nasgate("--version").stdout.startswith("nasgate ")
    assert "Exit codes" in nasgate("--help").stdout
    assert nasgate().code == 2
    assert nasgate("run").code == 2
    assert 'did you mean "check"' in nasgate("chekc").stderr
    for command in ("check", "metrics", "run", "schema", "show"):
        done = nasgate(command, "--help")
        assert done.code == 0 and f"Usage: nasgate {command}" in done.stdout


def test_what_cannot_be_removed_is_told(nasgate, volume, write_plan):
    """Somebody mounts below the run's folder: removal stops at the mount, and says so."""
    needs("fio")
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("needs root and unshare for a mount namespace of its own")
    plan = write_plan(storage(volume, WRITE))
    output = nasgate.new_output()
    meddler = (f"(while ! ls {volume}/nasgate-*/data.0 >/dev/null 2>&1; do :; done; "
               f"cd {volume}/nasgate-* && mkdir sub && mount -t tmpfs none sub && echo x >sub/x) &")
    done = subprocess.run(
        ["unshare", "-m", "--propagation", "private", "sh", "-c",
         f'{meddler} exec "$0" run -o "$1" "$2"', nasgate.binary, output, plan],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
        check=False, encoding="utf-8", env=nasgate.env(), cwd=nasgate.folder)
    assert done.returncode == 7, done.stderr
    result = json.loads((output / "result.json").read_text())
    assert [p["verdict"] for p in result["phases"]] == ["pass"]
    assert "not removed" in result["not_restored"] and "by hand" in result["not_restored"]
    left = list(volume.glob("nasgate-*/.nasgate-run"))
    assert len(left) == 1, "the marker stays while anything is left"
