#!/usr/bin/python3
"""Checks the text of every file: UTF-8, line ends, blanks, leftovers, paths of one machine.

usage: text.py [ROOT]. Samples under tests/corpus and tests/golden are data and may be anything but
tied to one machine.
"""

import os
import re

import source

DATA = ("tests/corpus/", "tests/golden/", "tests/fuzz/corpus/")
# The words are cut in two so that this file does not find itself.
LEFTOVER = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b")
MACHINE = re.compile(r"(?<![\w.])/(home|Us" r"ers|ro" r"ot|wo" r"rk)/[\w.]")
REGISTRY = re.compile(r"https?://[\w.-]*(registry|npm" r"js|pypi|deb\.debian)\b")
# C has its own check, layers.py.
SCRIPT = re.compile(r"\.(py|sh|lua)$")
SCRIPT_LINES = 500
TABS = re.compile(r"(\.(c|h|py|sh|cmake|yaml|yml|json|md)|CMakeLists\.txt)$")


def check_line(name, number, line, found):
    if MACHINE.search(line):
        found.add(name, number, "machine", "a path that exists on one machine only")
    if REGISTRY.search(line):
        found.add(name, number, "machine", "the address of a package registry")
    if name.startswith(DATA):
        return
    if line != line.rstrip():
        found.add(name, number, "blank", "blanks at the end of the line")
    if "\t" in line and TABS.search(name):
        found.add(name, number, "tab", "a tab")
    if LEFTOVER.search(line):
        found.add(name, number, "leftover", "work left over: do it, or say in words why not")


def main():
    root = source.root_argument()
    found = source.Findings()
    names = source.files(root)
    for name in names:
        with open(os.path.join(root, name), "rb") as f:
            data = f.read()
        data_file = name.startswith(DATA)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            text = data.decode("utf-8", errors="replace")
            if not data_file:
                line = data.count(b"\n", 0, error.start) + 1
                found.add(name, line, "utf-8", "not UTF-8")
        # A short one, such as the /src of a container, says nothing.
        here = re.search(rf"(?<![\w.]){re.escape(root)}/", text)
        if here and root.count("/") > 1:
            line = text.count("\n", 0, here.start()) + 1
            found.add(name, line, "machine", "the path of this very folder")
        lines = text.split("\n")
        for number, line in enumerate(lines, 1):
            check_line(name, number, line, found)
        if SCRIPT.search(name) and not data_file and len(lines) - 1 > SCRIPT_LINES:
            found.add(name, SCRIPT_LINES + 1, "size",
                      f"{len(lines) - 1} lines, {SCRIPT_LINES} are allowed")
        if not data_file and data:
            if lines[-1] != "":
                found.add(name, len(lines), "final", "no newline at the end")
            elif len(lines) > 1 and lines[-2] == "":
                found.add(name, len(lines) - 1, "final", "an empty line at the end")
    found.finish(len(names), "files")


main()
