"""Proves that each lint can fail: a small good project passes, and each spoilt copy of it is found."""

import os
import shutil
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))

EXIT_CODES = '''/* Exit codes. */
#ifndef NG_RESULT_VERDICT_H
#define NG_RESULT_VERDICT_H

#define NG_EXIT_CODES(X) X(NG_EXIT_PASS, 0, "pass") X(NG_EXIT_FAIL, 1, "fail")

#endif
'''
GOOD = {
    "runner/base/a.h": "/* A. */\n#ifndef NG_BASE_A_H\n#define NG_BASE_A_H\n\n"
                       "int ng_a(int x);\n\n#endif\n",
    "runner/base/a.c": '/* A. */\n#include "runner/base/a.h"\n\nint ng_a(int x) {\n'
                       "    return x; /* never printf(), never TO-DO */\n}\n",
    "runner/process/p.c": '/* P. */\n#include <uv.h>\n\n#include "runner/base/a.h"\n',
    "runner/result/verdict.h": EXIT_CODES,
    "runner/cli/main.c": '/* Main. */\n#include "runner/base/a.h"\n\nint main(void) {\n'
                         '    printf("text");\n    exit(0);\n}\n',
    "tests/corpus/odd.txt": "blanks at the end  \n\n",
    "CMakeLists.txt": "pkg_check_modules(UV REQUIRED IMPORTED_TARGET libuv>=1.44)\n",
    "README.md": "# N\n\n## Exit codes\n\n| exit | meaning |\n| --- | --- |\n| 0 | pass |\n"
                 "| 1 | fail |\n\nSee [the map](CONTRIBUTING.md).\n",
    "CONTRIBUTING.md": "# C\n\n## Map\n\n| folder | what |\n| --- | --- |\n"
                       "| `runner/base/` | a |\n| `runner/process/` | p |\n"
                       "| `runner/result/` | r |\n| `runner/cli/` | c |\n\n"
                       "## Dependencies\n\n| library | why |\n| --- | --- |\n| libuv | loop |\n",
    "run.sh": "#!/bin/sh\n# Runs.\necho \"$1\"\n",
    "tests/unit/base/test_a.c": "/* A. */\nstatic void a_is_lost(void **state) {\n    (void)state;\n}\n"
                                "int main(void) {\n    a_is_lost(0);\n    return 0;\n}\n",
    "tests/symptoms.md": "# S\n\n| symptom | test | file |\n| --- | --- | --- |\n"
                         "| a is lost | `a_is_lost` | `tests/unit/base/test_a.c` |\n",
}
SYMPTOMS = GOOD["tests/symptoms.md"]

LONG_FUNCTION = "/* A. */\nint ng_a(int x) {\n" + "    x++;\n" * 59 + "}\n"
ESCAPED = '/* A. */\n#include "runner/base/a.h"\nstatic const char *t = "system(\\"x\\")";\n'

TABLE = ("/* A. */\nint ng_a(int x) {\n    static const int t[] = {\n" + "        1,\n" * 80
         + "    };\n    return t[x];\n}\n")

# lint, file, its new text, what the lint says; None: the sample is fine
SAMPLES = [
    ("layers.py", "runner/base/b.c", '/* B. */\n#include "runner/process/p.h"\n',
     "runner/base/b.c:2: \"runner/process/p.h\" is no file seen from the project's root [include]"),
    ("layers.py", "runner/base/b.c", '/* B. */\n#include "runner/result/verdict.h"\n',
     "runner/base/b.c:2: runner/base (rank 0) may not see runner/result (rank 2) [rank]"),
    ("layers.py", "plans/language/b.c", '/* B. */\n#include "runner/process/../base/a.h"\n',
     "[include]"),
    ("layers.py", "runner/facts/b.c", '/* B. */\n#include "runner/result/verdict.h"\n',
     "runner/facts (rank 2) may not see runner/result (rank 2) [rank]"),
    ("layers.py", "runner/odd/b.c", "/* B. */\n", "the folder runner/odd has no rank [rank]"),
    ("layers.py", "runner/base/a.c", '/* A. */\n#include "a.h"\n', "[include]"),
    ("layers.py", "runner/base/a.c", '/* A. */\n#include <stdio.h>\n#include "runner/base/a.h"\n',
     "runner/base/a.c:2: the first include is not the own header"),
    ("layers.py", "runner/base/b.c", '/* B. */\n#include "runner/base/a.c"\n', "is no header"),
    ("layers.py", "runner/base/b.c", '/* B. */\n// #include "nowhere.h"\n', None),
    ("layers.py", "runner/base/b.h", '/* B. */\n#ifndef NG_BASE_B_H\n#define NG_BASE_B_H\n'
     '#include "runner/base/b.h"\n#endif\n', "runner/base/b.h -> runner/base/b.h [ring]"),
    ("layers.py", "runner/base/b.c", "/* B. */\n#include <uv.h>\n", "runner/base/b.c:2: <uv.h>"),
    ("layers.py", "runner/base/b.c", "/* B. */\n#include <yaml.h>\n", "[fence]"),
    ("layers.py", "runner/cli/b.c", "/* B. */\n#include <lauxlib.h>\n", "[fence]"),
    ("layers.py", "reports/writers/markdown.c", "/* B. */\n#include <libxml/tree.h>\n", "[fence]"),
    ("layers.py", "reports/writers/markdown.c", "/* B. */\n#include <cmark-gfm.h>\n", "[fence]"),
    ("layers.py", "reports/writers/html_tree.c", "/* B. */\n#include <cmark-gfm.h>\n", None),
    ("layers.py", "reports/writers/svg.c", "/* B. */\n#include <libxml/tree.h>\n", None),
    ("layers.py", "reports/writers/junit_write.c", "/* B. */\n#include <libxml/tree.h>\n", None),
    ("layers.py", "runner/cli/b.c", "/* B. */\nint f(void) {\n    return fork();\n}\n",
     "runner/cli/b.c:3: fork(): only runner/process"),
    ("layers.py", "runner/cli/b.c", "/* B. */\nint f(void) {\n    return execvp(0, 0);\n}\n",
     "execvp()"),
    ("layers.py", "runner/cli/b.c", "/* B. */\nint f(void) {\n    return kill(1, 9);\n}\n", "kill()"),
    ("layers.py", "runner/cli/b.c", "/* B. */\nint f(void) {\n    return o->kill(1);\n}\n", None),
    ("layers.py", "runner/process/b.c", "/* B. */\nint f(void) {\n    return kill(1, 9);\n}\n", None),
    ("layers.py", "runner/process/b.c", "/* B. */\nint f(void) {\n    return time(0);\n}\n",
     "time(): only runner/base/clock.c"),
    ("layers.py", "runner/base/clock.c", "/* B. */\nint f(void) {\n    return time(0);\n}\n", None),
    ("layers.py", "runner/cli/b.c", "/* B. */\nint f(void) {\n    exit(1);\n}\n", "exit(): only main"),
    ("layers.py", "runner/base/b.c", '/* B. */\nint f(void) {\n    printf("");\n}\n',
     "printf(): only runner/cli prints"),
    ("layers.py", "runner/base/b.c", "/* B. */\nint f(void) {\n    fputs(0, stderr);\n}\n",
     "stderr: only runner/cli prints"),
    ("layers.py", "runner/cli/b.c", "/* B. */\nint f(void) {\n    strcpy(0, 0);\n}\n", "strcpy(): banned"),
    ("layers.py", "runner/cli/b.c", "/* B. */\nint f(void) {\n    snprintf(0, 0, 0);\n}\n", None),
    ("layers.py", "runner/base/a.c", ESCAPED, None),
    ("layers.py", "runner/base/b.c", "/* B. */\n" + "\n" * 500, "501 lines, 500 are allowed [size]"),
    ("layers.py", "runner/base/b.c", "/* B. */\n" + "\n" * 499, None),
    ("layers.py", "runner/base/b.c", LONG_FUNCTION,
     "runner/base/b.c:2: ng_a() has 61 lines, 60 are allowed [size]"),
    ("layers.py", "runner/base/b.c", LONG_FUNCTION.replace("x++;\n", "", 1), None),
    ("layers.py", "tests/unit/base/test_b.c", LONG_FUNCTION, "[size]"),
    ("layers.py", "tests/unit/base/test_b.c", TABLE, None),
    ("layers.py", "runner/base/b.c", TABLE, "ng_a() has 85 lines"),
    ("layers.py", "runner/base/b.c", "int x;\n", "[purpose]"),
    ("layers.py", "runner/base/b.h", "/* B. */\n#pragma once\nint x;\n", "not guarded by NG_BASE_B_H"),
    ("layers.py", "runner/base/b.h", "/* B. */\n#ifndef NG_B_H\n#define NG_B_H\n#endif\n", "[guard]"),
    ("text.py", "a.md", "text  \n", "a.md:1: blanks at the end of the line [blank]"),
    ("text.py", "a.md", "text", "[final]"),
    ("text.py", "a.py", "x = 1\n" * 501, "a.py:501: 501 lines, 500 are allowed [size]"),
    ("text.py", "a.py", "x = 1\n" * 500, None),
    ("text.py", "a.md", "text\n\n", "[final]"),
    ("text.py", "a.c", "\tint x;\n", "[tab]"),
    ("text.py", "a.md", "one\nFIX" "ME: two\n", "a.md:2: work left over"),
    ("text.py", "a.md", "XXXXXX\n", None),
    ("text.py", "a.md", "see /ho" "me/me/x\n", "[machine]"),
    ("text.py", "tests/corpus/a.txt", "see /ro" "ot/x\n", "[machine]"),
    ("text.py", "a.json", '"resolved": "https:/' '/registry.example.org/x"\n', "[machine]"),
    ("docs.py", "README.md", GOOD["README.md"].replace("| 1 |", "| 2 |"), "[exit-codes]"),
    ("docs.py", "README.md", GOOD["README.md"].replace("CONTRIBUTING", "NOWHERE"), "[link]"),
    ("docs.py", "runner/facts/b.c", "/* B. */\n", "lacks `runner/facts/` [folders]"),
    ("docs.py", "CMakeLists.txt", "pkg_check_modules(Y REQUIRED IMPORTED_TARGET yaml-0.1)\n",
     "lacks yaml-0.1 of CMakeLists.txt [libraries]"),
    ("symptoms.py", "tests/symptoms.md", SYMPTOMS.replace("a_is", "b_is"),
     "tests/symptoms.md:5: tests/unit/base/test_a.c runs no test b_is_lost [test]"),
    ("symptoms.py", "tests/symptoms.md", SYMPTOMS.replace("test_a.c", "test_b.c"), "[file]"),
    ("symptoms.py", "tests/symptoms.md", SYMPTOMS + "| b | none | - |\n", "[row]"),
    ("symptoms.py", "tests/symptoms.md", SYMPTOMS + SYMPTOMS.splitlines(True)[-1], "[twice]"),
    ("symptoms.py", "tests/symptoms.md", "# S\n", "[missing]"),
    ("symptoms.py", "tests/unit/base/test_a.c",
     GOOD["tests/unit/base/test_a.c"].replace("    a_is_lost(0);\n", ""), "[test]"),
    ("symptoms.py", "tests/unit/base/test_a.c",
     "/* static void a_is_lost(void **state) { a_is_lost */\n", "[test]"),
    ("format", "runner/base/b.c", "/* B. */\nint  x;\n", "clang-formatted"),
    ("shell", "run.sh", "#!/bin/sh\nrm -rf $1/x\n", "SC2086"),
    ("shell", "run", "#!/bin/bash\necho $1\n", "SC2086"),
]


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def lint(name, root):
    path = os.path.join(HERE, name)
    command = [sys.executable, path] if name.endswith(".py") else [path]
    done = subprocess.run(command + [str(root)], stdin=subprocess.DEVNULL, timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode == 77:
        pytest.skip(done.stdout.strip())
    return done.returncode, done.stdout


@pytest.fixture
def project(tmp_path):
    write(tmp_path, GOOD)
    shutil.copy(os.path.join(HERE, "..", "..", ".clang-format"), tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", sorted({sample[0] for sample in SAMPLES}))
def test_good_project_passes(name, project):
    code, out = lint(name, project)
    assert code == 0, out


@pytest.mark.parametrize("name", sorted({sample[0] for sample in SAMPLES}))
def test_nothing_to_check_is_no_success(name, tmp_path):
    code, out = lint(name, tmp_path)
    assert code == 1 and "found" in out, out


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda s: f"{s[0]}-{s[3] or 'fine'}"[:60])
def test_sample(sample, project):
    name, path, text, expected = sample
    write(project, {path: text})
    code, out = lint(name, project)
    assert (code != 0) == bool(expected), out
    if expected:
        assert expected in out


def test_own_path_is_found(project):
    write(project, {"a.md": f"see {project}/x\n"})
    code, out = lint("text.py", project)
    assert code == 1 and "the path of this very folder" in out


def test_not_utf8_is_found(project):
    (project / "a.md").write_bytes(b"one\n\xff\n")
    code, out = lint("text.py", project)
    assert code == 1 and "a.md:2: not UTF-8 [utf-8]" in out
