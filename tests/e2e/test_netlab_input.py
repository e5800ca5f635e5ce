"""Words of a plan that would be more than words to a shell: refused with their place, or harmless.

`canary` is a command that both sides find in PATH; where it sings, a word was executed.
"""

import json
import re
import shutil

import pytest

from netlab import assert_not_measured, can_make_labs, conditions, lab, no_trace, starts

NASTY = ["$(canary)", "`canary`", ";canary", "|canary", "&canary", "x;canary", "'canary'", "';canary;'",
         '"', '";canary;"', "$IFS", "-canary", "--help", "*", "x y", "x\ny", "x\tcanary", "\\", "~",
         "!canary", "{canary,}", "<canary", "${canary}", "x\u2028canary"]


def quoted(word):
    """As a YAML scalar in double quotes, where ${ is no parameter."""
    return json.dumps(word).replace("${", "$${")


@pytest.fixture(autouse=True)
def nothing_sings(lab):
    yield
    assert lab.sung == []


def test_the_canary_sings(lab):
    """Where a word is executed, on either side, this laboratory tells."""
    shell = ["ssh", "-q", "-F", "none", "-i", lab.folder / "key", "-o",
             f"UserKnownHostsFile={lab.folder / 'known'}", "nas@10.91.0.2"]
    assert lab.inside(lab.backup, *shell, "echo $(canary far)").returncode == 0
    assert lab.sung == ["far\n"]
    for path in (lab.folder / "sung").iterdir():
        path.unlink()


def refused(done, count):
    """Exit 2, and each error has its place in the plan."""
    assert done.code == 2, done
    places = re.findall(r"plan\.yaml:\d+:\d+: error: ", done.stderr)
    assert len(places) >= count, done


def test_targets_of_ssh(lab, nasgate, write_plan):
    words = [w for w in NASTY if w != "~"]
    targets = [*words, *(f"root@{w}" for w in words), *(f"{w}@nas" for w in words if w != "--help"),
               "-oProxyCommand=canary", "root@-oProxyCommand=canary", "ssh://-oProxyCommand=canary", ""]
    hosts = "".join(f"    h{i}: {{via: ssh, target: {quoted(t)}}}\n" for i, t in enumerate(targets))
    plan = lab.plan(hosts=hosts)
    done = lab.run(nasgate, write_plan(plan))
    refused(done, len(targets))
    told = {int(n) for n in re.findall(r"plan\.yaml:(\d+):\d+: error: target: ", done.stderr)}
    first = 1 + plan[:plan.index("    h0:")].count("\n")
    spared = [t for i, t in enumerate(targets) if first + i not in told]
    assert spared == [], "targets that pass"


@pytest.mark.parametrize("where", ["hosts", "links", "volumes", "phase", "option", "end"])
def test_names(lab, nasgate, write_plan, where):
    """What must be a name is one."""
    words = [w for w in NASTY if w not in ("--help", "-canary")]
    plan = lab.plan()
    rows = {
        "hosts": ("  links:\n", "    {}: local\n"),
        "links": ("  volumes:\n", '    {}: {{ends: ["backup:eth0", "nas:eth4"]}}\n'),
        "volumes": ("\nphases:", '    {}: {{on: nas, path: /tmp}}\n'),
        "phase": (None, "  - name: {}\n    ping: {{link: fiber}}\n"),
        "option": ("  links:\n", '    z{n}: {{via: ssh, target: nas, options: {{{}: "1"}}}}\n'),
        "end": ("  volumes:\n", '    z{n}: {{ends: ["backup:eth0", {}]}}\n'),
    }
    before, row = rows[where]
    text = "".join(row.format(quoted(word), n=n) for n, word in enumerate(words))
    if before == "\nphases:":
        plan = plan.replace("phases:", text + "phases:")
    else:
        plan = plan.replace(before, text + before) if before else plan + text
    done = lab.run(nasgate, write_plan(plan))
    refused(done, len(words))
    lines = {int(n) for n in re.findall(r"plan\.yaml:(\d+):\d+: error: ", done.stderr)}
    first = 1 + plan[:plan.index(text)].count("\n")
    each = text.count("\n") // len(words)
    spared = [w for n, w in enumerate(words) if not lines & set(range(first + n * each,
                                                                     first + n * each + each))]
    assert spared == [], f"{where} that pass"


def test_values_of_ssh_options(lab, nasgate, write_plan):
    """One line goes to ssh as one value; two lines would be another option."""
    hosts = ('    z: {via: ssh, target: nas, options: {User: "x\\nProxyCommand canary"}}\n'
             '    y: {via: ssh, target: nas, options: {LocalCommand: canary}}\n'
             '    x: {via: ssh, target: nas, options: {BatchMode: "no"}}\n')
    refused(lab.run(nasgate, write_plan(lab.plan(hosts=hosts))), 3)


def test_addresses(lab, nasgate, write_plan):
    """What is none is refused; a zone is the name of an interface, which can be nearly anything."""
    def run(word):
        ends = f'["backup:eth0", {{at: "nas:eth4", address: {quoted(word)}}}]'
        return lab.run(nasgate, write_plan(lab.plan(ends=ends)))

    for word in ("10.90.0.2;canary", "$(canary)", "-canary", "10.90.0.2 -canary", "%canary", ""):
        refused(run(word), 1)
    done = run("fe80::1%`canary`")
    assert done.code == 5 and done.bundle.phase("never")["verdict"] == "error", done


def test_interfaces(lab, nasgate, write_plan):
    """Linux allows nearly any byte in the name of an interface."""
    names = ["$(canary)", "`canary`", ";canary", "|canary", "';canary;'", '";canary;"', "-canary",
             "--canary", "*", "$IFS", "\\", "!canary", "&canary", "${canary}"]
    links = "".join(f'    l{n}: {{ends: ["backup:eth0", {quoted("nas:" + name)}], mtu: 9000}}\n'
                    for n, name in enumerate(names))
    asked = "".join(f"  - {kind}: l{n}\n" for n in range(len(names))
                    for kind in ("mtu_match", "link_speed", "route"))
    plan = lab.plan(conditions=asked).replace("  volumes:\n", links + "  volumes:\n")
    done = lab.run(nasgate, write_plan(plan.replace("mtu: 9000}", "mtu: 9000, speed: 1 Gbit/s}")))
    assert_not_measured(done)
    found = conditions(done)
    for n in range(len(names)):
        assert "has no interface" in found[f"mtu_match-l{n}"]["seen"], found[f"mtu_match-l{n}"]


RECORDER = """\
#!/bin/sh
case "$*" in *--version*) echo fio-3.33; exit 0 ;; esac
for word; do printf '%s\\0' "$word"; done >{folder}/box/argv
exit 3
"""


@pytest.mark.parametrize("user", ["nas", "nasloud"])
def test_words_of_a_tool(lab, nasgate, write_plan, user):
    """They come through ssh, ash and the watchdog as they are, byte by byte."""
    recorder = lab.folder / "recorder's tool"
    recorder.write_text(RECORDER.format(folder=lab.folder))
    recorder.chmod(0o755)
    words = [str(recorder), *NASTY, " ", "''", "a'b\"c", "$$", "%s", "\u00e9"]
    tools = ", tools: {fio: [" + ", ".join(map(quoted, words)) + "]}"
    phases = "  - name: w\n    fio: {volume: box, rw: write, bs: 64 KiB, size: 1 MiB, time: 1 s}\n"
    done = lab.run(nasgate, write_plan(lab.plan(phases=phases, host=lab.host(user, extra=tools))))
    assert done.code == 5, done
    assert [s for s in starts(done.bundle) if s["argv"][:len(words)] == words]
    assert done.bundle.phase("w")["verdict"] == "error"
    got = (lab.folder / "box" / "argv").read_bytes().split(b"\0")
    (lab.folder / "box" / "argv").unlink()
    assert got[:len(words) - 1] == [word.encode() for word in words[1:]]
    assert b"--rw=write" in got


def test_words_of_a_prefix(lab, nasgate, write_plan):
    host = ("{via: {prefix: [ip, netns, exec, " + lab.nas + ", env, "
            + ", ".join(quoted("X=" + word) for word in NASTY) + "]}}")
    done = lab.run(nasgate, write_plan(lab.plan(host=host)))
    assert done.code == 0, done


def test_folder_of_a_volume(lab, nasgate, write_plan):
    """A folder may be called so, on either side, and is worked in."""
    if shutil.which("fio") is None:
        pytest.skip("fio is not installed")
    name = "it's a $(canary) `canary` \"x\" & ;canary; -v *"
    for side in ("box", "repo"):
        (lab.folder / side / name).mkdir()
        (lab.folder / side / name).chmod(0o777)
    plan = lab.plan(phases="".join(
        f"  - name: {v}\n    fio: {{volume: {v}, rw: write, bs: 64 KiB, size: 1 MiB, time: 1 s}}\n"
        for v in ("box", "repo")), conditions="  - free_space: {volume: box, at_least: 1 MiB}\n")
    for side in ("box", "repo"):
        plan = plan.replace(f'path: "{lab.folder / side}"',
                            f'path: {quoted(str(lab.folder / side / name))}')
    done = lab.run(nasgate, write_plan(plan))
    for side in ("box", "repo"):
        left = list((lab.folder / side / name).iterdir())
        (lab.folder / side / name).rmdir()
        assert left == []
    assert done.code == 0, done
