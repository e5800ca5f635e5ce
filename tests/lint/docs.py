#!/usr/bin/python3
"""Checks that README.md and CONTRIBUTING.md say what the code says: exit codes, folders, libraries, links.

usage: docs.py [ROOT]
"""

import os
import re

import source


def rows(text, heading):
    """The cells of the first table under a heading, without its head."""
    part = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", text, re.M | re.S)
    lines = [l for l in (part.group(1).splitlines() if part else []) if l.startswith("|")]
    return [[c.strip() for c in l.strip("|").split("|")] for l in lines[2:]]


def check_exit_codes(root, readme, found):
    header = source.read(root, "runner/result/verdict.h")
    want = re.findall(r"X\(NG_EXIT_\w+, (\d+),", header)
    have = re.findall(r"\d+", " ".join(r[0] for r in rows(readme, "Exit codes")))
    if not want or have != want:
        found.add("README.md", 1, "exit-codes",
                  f"the table under Exit codes has {have}, runner/result/verdict.h {want}")


def check_folders(names, contributing, found):
    have = {c for r in rows(contributing, "Map") for c in re.findall(r"`([\w/]+)/`", r[0])}
    folders = {os.path.dirname(n) for n in names if n.endswith((".c", ".h"))
               and n.startswith(("runner/", "plans/", "lua/", "reports/"))}
    for folder in sorted(folders - have):
        found.add("CONTRIBUTING.md", 1, "folders", f"the table under Map lacks `{folder}/`")


def check_libraries(root, contributing, found):
    cmake = source.read(root, "CMakeLists.txt")
    have = " ".join(r[0] for r in rows(contributing, "Dependencies"))
    for module in re.findall(r"pkg_check_modules\(\w+ REQUIRED IMPORTED_TARGET ([\w.-]+)", cmake):
        word = re.sub(r"-[\d.]+$", "", module)
        word = word if word.startswith("lib") else "lib" + word
        if word not in have and word[3:] not in have:
            found.add("CONTRIBUTING.md", 1, "libraries",
                      f"the table under Dependencies lacks {module} of CMakeLists.txt")


def check_links(root, name, text, found):
    for match in re.finditer(r"\]\(([^)#\s]+)[^)]*\)", text):
        target = match.group(1)
        path = os.path.join(root, os.path.dirname(name), target)
        if not re.match(r"[a-z]+:", target) and not os.path.exists(path):
            line = text.count("\n", 0, match.start()) + 1
            found.add(name, line, "link", f"{target} does not exist")


def main():
    root = source.root_argument()
    found = source.Findings()
    names = source.files(root)
    pages = [n for n in names if n.endswith(".md") and not n.startswith("tests/golden/")]
    for name in pages:
        check_links(root, name, source.read(root, name), found)
    for name in ("README.md", "CONTRIBUTING.md"):
        if name not in names:
            found.add(name, 1, "missing", "the page is missing")
    if "README.md" in names and "runner/result/verdict.h" in names:
        check_exit_codes(root, source.read(root, "README.md"), found)
    if "CONTRIBUTING.md" in names:
        contributing = source.read(root, "CONTRIBUTING.md")
        check_folders(names, contributing, found)
        check_libraries(root, contributing, found)
    found.finish(len(pages), "pages")


main()
