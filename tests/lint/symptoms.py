#!/usr/bin/python3
"""Checks the table of reported symptoms: each names a test that its file holds and runs.

usage: symptoms.py [ROOT]
"""

import re

import source

PAGE = "tests/symptoms.md"
ROW = re.compile(r"^\| (?P<symptom>[^|]+) \| `(?P<test>\w+)` \| `(?P<file>[\w/.]+)` \|$")


def runs(name, text, test):
    """Whether the file defines the test, and a second time names it for the program that runs it."""
    if name.endswith(".py"):
        return re.search(rf"^def {test}\(", text, re.M) is not None
    code = source.code_of(text)
    defined = re.search(rf"^static void {test}\(void \*\*state\) \{{", code, re.M)
    return defined is not None and len(re.findall(rf"\b{test}\b", code)) > 1


def check(root, names, number, line, found):
    row = ROW.match(line)
    if row is None:
        found.add(PAGE, number, "row", "a row is `| symptom | `test` | `file` |`")
    elif row["file"] not in names:
        found.add(PAGE, number, "file", f"{row['file']} does not exist")
    elif not runs(row["file"], source.read(root, row["file"]), row["test"]):
        found.add(PAGE, number, "test", f"{row['file']} runs no test {row['test']}")
    return row


def main():
    root = source.root_argument()
    found = source.Findings()
    names = set(source.files(root))
    seen = {}
    lines = source.read(root, PAGE).splitlines() if PAGE in names else []
    rows = [(i, l) for i, l in enumerate(lines, 1) if l.startswith("|")][2:]
    if not rows:
        found.add(PAGE, 1, "missing", "the table of symptoms is missing")
    for number, line in rows:
        row = check(root, names, number, line, found)
        for part in ("symptom", "test") if row else ():
            if seen.setdefault(row[part], number) != number:
                found.add(PAGE, number, "twice", f"{row[part]} stands in line {seen[row[part]]}")
    found.finish(len(rows), "symptoms")


main()
