"""What the lints share: which files there are, C text without comments, and how findings are told."""

import os
import re
import subprocess
import sys

SKIPPED_DIRS = {".git", "node_modules", "nasgate-out", "__pycache__", ".pytest_cache", ".cache"}


def files(root):
    """All files of the project, relative to root and sorted: what git tracks or would track."""
    try:
        out = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=root, check=True, capture_output=True).stdout
        names = [os.fsdecode(name) for name in out.split(b"\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = walk(root)
    return sorted({n for n in names if os.path.isfile(os.path.join(root, n))})


def walk(root):
    """The same for a tree without git."""
    for folder, dirs, names in os.walk(root):
        dirs[:] = [d for d in dirs if d not in SKIPPED_DIRS
                   and not (folder == root and d.startswith("build"))]
        for name in names:
            yield os.path.relpath(os.path.join(folder, name), root)


def read(root, name):
    with open(os.path.join(root, name), encoding="utf-8", errors="replace") as f:
        return f.read()


TOKEN = re.compile(
    r"""//(?:\\\n|[^\n])*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)


def code_of(text):
    """C text with comments, strings and characters blanked; lines and columns stay where they are."""
    def blank(match):
        token = match.group()
        if token[0] == "/":
            return re.sub(r"[^\n]", " ", token)
        return token[0] + re.sub(r"[^\n]", " ", token[1:-1]) + token[-1]
    return TOKEN.sub(blank, text)


class Findings:
    """Collects `file:line: text [rule]` and ends the program with 0 or 1."""

    def __init__(self):
        self.items = []

    def add(self, name, line, rule, text):
        self.items.append((name, line, f"{name}:{line}: {text} [{rule}]"))

    def finish(self, seen, what):
        for item in sorted(self.items):
            print(item[2])
        if seen == 0:
            print(f"no {what} found: is the folder the project's root?")
            sys.exit(1)
        print(f"{seen} {what} checked, {len(self.items)} findings")
        sys.exit(1 if self.items else 0)


def root_argument():
    """The project's root: the only argument, or where this file lies."""
    if len(sys.argv) > 1:
        return os.path.abspath(sys.argv[1])
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
