"""Good and bad plans in the hands of the program, and the JSON Schema that says the same of them."""

import json
import subprocess

import pytest

from conftest import ROOT

BAD = sorted((ROOT / "tests" / "golden" / "bad-plans").glob("*.yaml"))
GOOD = sorted((ROOT / "tests" / "golden" / "good-plans").glob("*.yaml")) + \
    sorted((ROOT / "plans" / "examples").glob("*.yaml"))

# Plans that are wrong in what only the program knows: names, order, thresholds, places, tags.
ONLY_THE_PROGRAM = {
    "check-of-engine", "confidence-alone", "escape-sequence", "lease-of-nobody", "needs",
    "no-links", "no-params",
    "no-threshold", "nul-escape", "references", "tag", "tag-directive", "tag-own",
    "threshold-baseline", "threshold-dimensions", "threshold-names", "threshold-syntax",
}

# Reads each plan as VS Code does (YAML 1.2 core) and prints its name and whether the schema takes it.
JUDGE = """
const Ajv = require('ajv'), YAML = require('yaml'), fs = require('fs'), path = require('path');
const [schema, ...plans] = process.argv.slice(1);
const ajv = new Ajv({allErrors: true, strict: true, allowUnionTypes: true});
ajv.addVocabulary(['markdownDescription', 'patternErrorMessage']);
const validate = ajv.compile(JSON.parse(fs.readFileSync(schema, 'utf8')));
for (const plan of plans) {
    let verdict;
    try {
        const text = new TextDecoder('utf-8', {fatal: true}).decode(fs.readFileSync(plan));
        const tree = YAML.parse(text, {version: '1.2', schema: 'core', logLevel: 'error'});
        verdict = validate(tree) ? 'taken' : 'refused';
    } catch (error) {
        verdict = 'refused';
    }
    console.log(path.basename(plan, '.yaml') + ' ' + verdict);
}
"""


@pytest.mark.parametrize("plan", BAD, ids=lambda p: p.stem)
def test_bad_plan(nasgate, plan):
    done = nasgate("check", plan.name, cwd=plan.parent)
    assert done.code == 2
    lines = [line for line in done.stderr.splitlines(keepends=True)
             if not line.startswith("nasgate: exit 2: ")]
    assert "".join(lines) == plan.with_suffix(".expected").read_text(encoding="utf-8")


@pytest.mark.parametrize("plan", GOOD, ids=lambda p: p.stem)
def test_good_plan(nasgate, plan):
    done = nasgate("check", plan)
    assert done.code == 0, done
    assert ": error: " not in done.stderr


def test_schema_and_program_agree(nasgate, consumers, tmp_path):
    if not (consumers / "node_modules" / "ajv").is_dir():
        pytest.skip("no ajv in build/consumers: ./bootstrap test installs it")
    schema = tmp_path / "plan.schema.json"
    schema.write_text(nasgate("schema").stdout, encoding="utf-8")
    done = subprocess.run(["node", "-e", JUDGE, schema, *GOOD, *BAD], cwd=consumers,
                          capture_output=True, text=True, timeout=120, check=True)
    verdicts = dict(line.split() for line in done.stdout.splitlines())
    assert len(verdicts) == len(GOOD) + len(BAD)
    taken = {name for name, verdict in verdicts.items() if verdict == "taken"}
    assert taken == {p.stem for p in GOOD} | ONLY_THE_PROGRAM


def test_schema_is_draft_07(nasgate):
    schema = json.loads(nasgate("schema").stdout)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    assert "$id" not in json.dumps(schema)
