"""Every golden result against the published JSON Schema, and the schema against its own rules."""

import copy
import glob
import json
import os

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
