"""Every golden result against the published JSON Schema, and the schema against its own rules."""

import copy
import glob
import json
import os
import subprocess

import pytest

jsonschema = pytest.importorskip("jsonschema", reason="python3-jsonschema is not installed")

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOLDEN = sorted(glob.glob(os.path.join(ROOT, "tests/golden/reports/*/result.json")))


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


@pytest.fixture(scope="module")
def validator():
    schema = load(os.path.join(ROOT, "reports/schemas/result.schema.json"))
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def test_there_are_results():
    assert len(GOLDEN) >= 9


@pytest.mark.parametrize("path", GOLDEN, ids=lambda p: os.path.basename(os.path.dirname(p)))
def test_golden_result(validator, path):
    errors = [f"{list(e.absolute_path)}: {e.message}" for e in validator.iter_errors(load(path))]
    assert errors == []


def damaged(result):
    """One change each that must make a result invalid."""
    for change in (
        lambda r: r.pop("seed"),
        lambda r: r.update(extra=1),
        lambda r: r.update(version=2),
        lambda r: r.update(seed=7),
        lambda r: r["phases"][0].update(verdict="green"),
        lambda r: r["phases"][0]["repeats"][0].update(start_ns=-1),
        lambda r: r["phases"][0]["repeats"][0]["measures"][0].update(unit="MB"),
        lambda r: r["phases"][0]["judged"][0].update(line=0),
        lambda r: r["phases"][0]["repeats"][0]["series"][0].update(per_step=3),
        lambda r: r["phases"][0]["repeats"][0]["series"][0].update(values=[1] * 801),
    ):
        other = copy.deepcopy(result)
        change(other)
        yield other


def test_damaged_results_are_refused(validator):
    result = load(os.path.join(ROOT, "tests/golden/reports/pass/result.json"))
    for other in damaged(result):
        assert not validator.is_valid(other)


# ajv in strict mode, as editors and CI use it: prints the name of each file that it refuses.
AJV = """
const Ajv = require('ajv'), fs = require('fs');
const [schema, ...files] = process.argv.slice(1);
const ajv = new Ajv({allErrors: true, strict: true, allowUnionTypes: true});
const validate = ajv.compile(JSON.parse(fs.readFileSync(schema, 'utf8')));
for (const file of files)
    if (!validate(JSON.parse(fs.readFileSync(file, 'utf8'))))
        console.log(file + ': ' + ajv.errorsText(validate.errors));
"""


def refused_by_ajv(consumers, files):
    if not (consumers / "node_modules" / "ajv").is_dir():
        pytest.skip("no ajv in build/consumers: ./bootstrap test installs it")
    schema = os.path.join(ROOT, "reports/schemas/result.schema.json")
    done = subprocess.run(["node", "-e", AJV, schema, *files], cwd=consumers,
                          capture_output=True, text=True, timeout=120, check=True)
    return done.stdout.splitlines()


def test_ajv_takes_the_golden_results(consumers):
    assert refused_by_ajv(consumers, GOLDEN) == []


def test_ajv_takes_what_a_run_writes(consumers, nasgate):
    plan = os.path.join(ROOT, "plans/examples/quickstart.yaml")
    done = nasgate.run(plan, "--only", "latency")
    assert done.code in (0, 3), done
    assert refused_by_ajv(consumers, [str(done.bundle.path / "result.json")]) == []


def test_ajv_refuses_damaged_results(consumers, tmp_path):
    files = []
    for i, other in enumerate(damaged(load(os.path.join(ROOT, "tests/golden/reports/pass/result.json")))):
        files.append(str(tmp_path / f"{i}.json"))
        with open(files[-1], "w", encoding="utf-8") as file:
            json.dump(other, file)
    assert len(refused_by_ajv(consumers, files)) == len(files)
