"""What README.md shows works: its plan loads, its commands exist, its exit codes are those of --help."""

import re

import pytest

from conftest import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = sorted(p.name for p in (ROOT / "plans" / "examples").glob("*.yaml"))


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.M | re.S)


def test_plan_in_readme_has_no_error(nasgate, write_plan):
    plans = [b for b in blocks("yaml") if b.startswith("nasgate: 1")]
    assert plans
    for text in plans:
        done = nasgate("check", write_plan(text))
        assert done.code == 0, done


def test_plan_in_readme_is_that_of_the_laboratory():
    text = (ROOT / "plans" / "examples" / "nfs-lab.yaml").read_text(encoding="utf-8")
    assert text[text.index("nasgate: 1"):] in blocks("yaml")


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_has_no_error(name, nasgate):
    done = nasgate("check", ROOT / "plans" / "examples" / name)
    assert done.code == 0, done


def test_commands_in_readme_exist(nasgate):
    commands = re.findall(r"^build/release/nasgate (\w+)", README, re.M)
    assert {"check", "show", "run", "metrics", "schema"} <= set(commands)
    for command in set(commands):
        done = nasgate(command, "--help")
        assert done.code == 0 and f"nasgate {command}" in done.stdout, done


def test_exit_codes_in_readme_are_those_of_the_help(nasgate):
    table = README.split("## Exit codes")[1].split("##")[0]
    codes = re.findall(r"^\| (\d+) \|", table, re.M)
    shown = re.findall(r"^  (\d+) +\w", nasgate("--help").stdout, re.M)
    assert codes == shown


def test_preconditions_in_readme_are_those_of_the_schema(nasgate):
    sentence = re.search(r"^Preconditions: (.*?); ", README, re.M | re.S).group(1)
    named = re.findall(r"`(\w+)`", sentence)
    reference = nasgate("schema", "--reference").stdout
    assert named == sorted(named) and named
    for name in named:
        assert re.search(rf"\b{name}\b", reference), name
