"""Checks in Lua: found, checked, run, recorded, replayed; each way to misuse them ends as unknown."""

import json
import re
import shutil
from xml.etree import ElementTree

import pytest

from conftest import ROOT, Bundle
from lua_bombs import BOMBS

PLAN = """\
nasgate: 1
name: scripted
topology:
  hosts: {{here: local}}
  links: {{loop: {{ends: ["here:lo", "here:lo"]}}}}
preconditions:
{items}
phases:
  - name: wire
    ping: {{link: loop, count: 2}}
    pass: [loss == 0%]
"""
PAGE = (ROOT / "docs" / "lua.md").read_text(encoding="utf-8")


@pytest.fixture
def scripted(write_plan):
    """scripted([item, ...], {file: text}) -> path of a plan"""
    def write(items, files=None):
        for name, text in (files or {}).items():
            write_plan(text, name)
        return write_plan(PLAN.format(items="\n".join(f"  - {i}" for i in items)))
    return write


def condition(bundle, name):
    return next(c for c in bundle.result["conditions"] if c["id"] == name)


def need_ping():
    if shutil.which("ping") is None:
        pytest.skip("ping is not installed")


def test_check_tells_every_error_of_every_file(nasgate, scripted):
    plan = scripted(
        ["lua: a", "{lua: sub/b.lua, host: here}", "lua: gone", "lua: no_backup_jobs"],
        {"a.lua": "local x = 1\nif x == os.time() then\n  y = prnt(x)\nend\nheld()\n",
         "sub/b.lua": "held(\n"})
    done = nasgate("check", plan)
    assert done.code == 2
    folder = plan.parent
    for line in (f"{folder}/a.lua:2:9: error: os is left out: ",
                 f'{folder}/a.lua:3:3: error: globals are read-only; write "local y" [lua-name]',
                 f'{folder}/a.lua:3:7: error: prnt is unknown; did you mean "print"? [lua-name]',
                 f"{folder}/sub/b.lua:2:1: error: unexpected symbol near <eof> [lua-syntax]",
                 "error: there is no gone.lua beside the plan or among the shipped checks",
                 'did you mean "no_backup_job.lua"?'):
        assert line in done.stderr, done


@pytest.mark.parametrize("name", ["../a", "/etc/a.lua", "a/../../b", ".hidden"])
def test_no_file_outside_of_the_plans_folder(nasgate, scripted, name):
    done = nasgate("check", scripted([f"lua: {name}"]))
    assert done.code == 2 and "is no name of a file" in done.stderr, done


def test_no_link_leads_out_of_the_plans_folder(nasgate, scripted, tmp_path):
    plan = scripted(["lua: out"])
    outside = tmp_path / "elsewhere.lua"
    outside.write_text('held("mine")\n', encoding="utf-8")
    folder = plan.parent
    if outside.parent == folder:
        outside = outside.rename(tmp_path.parent / f"{tmp_path.name}-elsewhere.lua")
    (folder / "out.lua").symlink_to(outside)
    done = nasgate("check", plan)
    assert done.code == 2 and "out.lua leads out of the plan's folder" in done.stderr, done
    (folder / "out.lua").unlink()
    (folder / "within.lua").write_text('held("mine")\n', encoding="utf-8")
    (folder / "out.lua").symlink_to("within.lua")
    assert nasgate("check", plan).code == 0
    outside.unlink()


def test_run_record_replay_verify(nasgate, scripted, tmp_path):
    need_ping()
    plan = scripted(
        ["{lua: mine, host: here, list: [a, 2]}"],
        {"mine.lua": 'expect("calm")\n'
                     'local a = run{host = args.host, argv = {"echo", args.list[1], args.list[2]}}\n'
                     'local b = run{host = args.host, argv = {"sh", "-c", "echo x; exit 3"}}\n'
                     'record("echo", a.out)\nrecord("status", b.status)\n'
                     'record("drawn", math.random(1000000))\n'
                     'held("said " .. trim(a.out))\n'})
    done = nasgate.run(plan)
    assert done.code == 0, done
    found = condition(done.bundle, "lua-mine-here")
    looked = {r["key"]: r["value"] for r in found["looked_at"]}
    assert found["held"] == "held" and found["seen"] == "said a 2" and found["expected"] == "calm"
    assert looked["echo"] == "a 2" and looked["status"] == "3" and int(looked["drawn"]) > 0
    assert ["echo", "a", "2"] in done.bundle.commands
    assert (done.bundle.path / "lua" / "mine.lua").read_text() == (plan.parent / "mine.lua").read_text()
    assert any(s.endswith("  lua/mine.lua") for s in done.bundle.events[0]["scripts"])
    (plan.parent / "mine.lua").unlink()  # a replay needs nothing but the bundle
    assert nasgate("verify", done.bundle).code == 0
    again = nasgate("replay", done.bundle, "-o", tmp_path / "again")
    assert again.code == 0, again
    assert Bundle(tmp_path / "again").result["conditions"] == done.bundle.result["conditions"]


def test_a_changed_script_is_noticed(nasgate, scripted, tmp_path):
    need_ping()
    done = nasgate.run(scripted(["lua: mine"], {"mine.lua": "held()"}))
    assert done.code == 0, done
    copy = shutil.copytree(done.bundle.path, tmp_path / "copy")
    (copy / "lua" / "mine.lua").write_text("held('sure')")
    verified = nasgate("verify", copy)
    assert verified.code == 1 and "lua/mine.lua is not the file that the run used" in verified.stderr
    (copy / "lua" / "mine.lua").unlink()
    assert nasgate("verify", copy).code == 1


def test_every_bomb_is_unknown_and_the_run_goes_on(nasgate, scripted):
    need_ping()
    bombs = {**BOMBS, "silent": ("local x = 1", "said neither held nor broken nor unknown")}
    files = {f"{name}.lua": text for name, (text, _) in bombs.items()}
    done = nasgate.run(scripted([f"{{lua: {name}, unknown: allow}}" for name in bombs], files))
    assert done.code == 0, done
    for name, (_, reason) in bombs.items():
        found = condition(done.bundle, f"lua-{name}")
        assert found["held"] == "unknown" and reason in found["seen"], found
        assert found["remedy"]
        # a green case says that it is none of those that held
        assert f"warning: lua-{name} is unknown, allowed (unknown: allow): " in done.stdout
    cases = {case.get("name"): case for case in
             ElementTree.fromstring(done.bundle.text("TEST-nasgate.xml")).iter("testcase")}
    for name in bombs:
        assert cases[f"lua-{name}"].findtext("system-out").startswith("state: unknown, allowed\n")
        assert f"lua-{name} is unknown, allowed (unknown: allow): " in done.bundle.text("report.md")


def test_an_argument_that_nothing_reads(nasgate, scripted):
    """Misspelt, it leaves the check with its default: said where it is written, and in the report."""
    need_ping()
    done = nasgate.run(scripted(["{lua: mine, host: here, limt: 2}", "{lua: all, limt: 2}"], {
        "mine.lua": 'record("host", args.host) record("limit", args["limit"] or 4) held()',
        "all.lua": "for k, v in pairs(args) do record(k, v) end held()"}))
    assert done.code == 0, done
    text = 'mine.lua never reads the argument "limt"; did you mean "limit"?'
    assert f"plan.yaml:7:29: warning: {text} [argument]" in done.stderr, done
    assert f"warning: {text} (line 7)" in done.stdout, done
    assert done.bundle.result["warnings"] == [f"{text} (line 7)"]


def test_unknown_stops_the_run(nasgate, scripted):
    done = nasgate.run(scripted(["lua: mine"], {"mine.lua": "\nlocal t = nil\nheld(t.x)"}))
    assert done.code == 3
    assert "mine.lua:3: error: attempt to index a nil value (local 't') [lua]" in done.stdout, done


def test_a_file_beside_the_plan_comes_before_a_shipped_one(nasgate, scripted):
    need_ping()
    done = nasgate.run(scripted(["lua: no_backup_job"], {"no_backup_job.lua": 'held("mine")'}))
    assert done.code == 0, done
    assert condition(done.bundle, "lua-no_backup_job")["seen"] == "mine"


def test_command_lua(nasgate, scripted, write_plan, tmp_path):
    need_ping()
    text = 'local t = read{host = args.host, path = "/proc/loadavg"} print(args.n + 1) held(t)'
    plan = scripted(["{lua: mine, host: here, n: 1}"], {"mine.lua": text})
    done = nasgate.run(plan)
    assert done.code == 0, done
    tried = nasgate("lua", plan.parent / "mine.lua", "-a", "host=here", "--arg", "n=41",
                    "--facts", done.bundle)
    assert tried.code == 0 and tried.stdout.startswith("held: ") and "printed: 42" in tried.stdout, tried
    write_plan('broken("so " .. facts("here").platform.kernel)', "other.lua")
    tried = nasgate("lua", "other.lua", "--facts", done.bundle)
    assert tried.code == 3 and re.match(r"broken: so Linux [0-9]", tried.stdout), tried
    tried = nasgate("lua", "no_backup_job", "-a", "host=here", "--facts", done.bundle)
    assert tried.code == 3 and "the run did not ask this" in tried.stdout, tried
    assert "nearest" not in tried.stdout and "put the check into the plan once" in tried.stdout, tried
    tried = nasgate("lua", "other.lua")
    assert tried.code == 0 and tried.stdout == "other.lua: ok; --facts BUNDLE runs it as a precondition\n"
    write_plan("local x = args.limit\nheld(nil .. x)", "sub/bad.lua")
    tried = nasgate("lua", "sub/bad.lua", "-a", "limt=1", "--facts", done.bundle)
    assert "sub/bad.lua:2: error: attempt to concatenate a nil value" in tried.stdout, tried
    assert '"nasgate lua" on this bundle' not in tried.stdout, tried
    assert 'it never reads the argument "limt"; did you mean "limit"? [argument]' in tried.stderr, tried
    for words, why in ((["-a", "limit=1"], "add --facts BUNDLE"),
                       (["-a", "limit=1", "-a", "limit=2", "--facts", done.bundle], "given twice: limit")):
        tried = nasgate("lua", "sub/bad.lua", *words)
        assert tried.code == 2 and why in tried.stderr, tried
    again = tmp_path / "again"
    assert nasgate("replay", done.bundle, "-o", again).code == 0
    tried = nasgate("lua", "other.lua", "--facts", again)
    assert tried.code == 2 and "a bundle made by replay has none" in tried.stderr, tried
    assert nasgate("lua", "gone.lua").code == 2
    assert nasgate("lua", "other.lua", "--facts", tmp_path / "none").code == 2
    assert nasgate("lua", "other.lua", "-a", "novalue").code == 2
    assert nasgate("lua").code == 2
    write_plan("held(", "wrong.lua")
    tried = nasgate("lua", "wrong.lua", "--facts", done.bundle)
    assert tried.code == 2 and "wrong.lua:1:1: error: " in tried.stderr, tried


def test_shipped_checks_are_listed_and_shown(nasgate):
    names = sorted(p.stem for p in (ROOT / "lua" / "checks").glob("*.lua"))
    listed = nasgate("lua", "--list")
    assert [line.split()[0] for line in listed.stdout.splitlines()] == names
    for name in names:
        shown = nasgate("lua", "--show", name)
        assert shown.stdout == (ROOT / "lua" / "checks" / f"{name}.lua").read_text(encoding="utf-8")
        assert f"### `{name}`" in PAGE
    assert nasgate("lua", "--show", "none").code == 2


def test_page_is_printed_by_the_program(nasgate):
    done = nasgate("lua", "--reference")
    assert done.code == 0 and done.stdout == PAGE


def test_check_of_the_page_runs(nasgate, scripted):
    """What the page shows first is written down as it is, and works."""
    need_ping()
    text = re.search(r"^```lua\n(.*?)^```", PAGE, re.M | re.S).group(1)
    yaml = re.search(r"^```yaml\npreconditions:\n(.*?)^```", PAGE, re.M | re.S).group(1)
    items = [line.split("#")[0].strip()[2:].replace("nas}", "here}").replace("nas,", "here,")
             .replace("limit: 2}", "limit: 9999}").replace("{host: nas}", "{host: here}")
             for line in yaml.splitlines()]
    assert len(items) == 4
    items = [i.replace("no_backup_job, host: here}", "no_backup_job, host: here, unknown: allow}")
             for i in items]
    plan = scripted(items[:2], {"checks/load_low.lua": text})
    assert nasgate("check", scripted(items)).code == 0
    done = nasgate.run(plan)
    assert done.code in (0, 3), done
    assert condition(done.bundle, "lua-checks-load_low-here")["held"] == "held"
    assert condition(done.bundle, "lua-no_backup_job-here")["held"] in ("held", "broken", "unknown")


def test_example_runs(nasgate):
    need_ping()
    done = nasgate.run(ROOT / "plans" / "examples" / "custom-checks.yaml", "-p", "limit=9999")
    assert condition(done.bundle, "lua-checks-load_low-here")["held"] == "held", done
    assert done.code == 0 or condition(done.bundle, "lua-no_backup_job-here")["held"] == "broken", done
    if done.code == 0:
        assert done.bundle.phase("memory-copy-by-command")["verdict"] == "pass"
        hooks = done.bundle.result["hooks"]
        assert len(hooks) == 7 and all(h["outcome"] == "held" for h in hooks), hooks
        assert "none of " in hooks[1]["reason"] and {"key": "passed", "value": "3"} in hooks[6]["looked_at"]
    strict = nasgate.run(ROOT / "plans" / "examples" / "custom-checks.yaml", "-p", "limit=0")
    assert strict.code == 3, strict
    assert condition(strict.bundle, "lua-checks-load_low-here")["held"] == "broken"


def test_schema_knows_both_forms(nasgate):
    jsonschema = pytest.importorskip("jsonschema", reason="no jsonschema for Python")
    schema = json.loads(nasgate("schema").stdout)
    validator = jsonschema.Draft7Validator(
        {"definitions": schema["definitions"], "$ref": "#/definitions/precondition"})
    good = [{"lua": "a"}, {"lua": "a", "host": "nas", "limit": 3}, {"lua": {"check": "a.lua"}},
            {"lua": {"check": "a", "args": {"x": [1, {"y": True}]}}}, {"lua": "a", "unknown": "allow"},
            {"mounted": "repo"}]
    bad = [{"lua": {"args": {}}}, {"mounted": "repo", "lua": {"check": "a"}}, {"lua": "/a"},
           {"mounted": "repo", "host": "nas"}]
    for item in good:
        assert validator.is_valid(item), item
    for item in bad:
        assert not validator.is_valid(item), item
