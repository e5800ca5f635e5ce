#!/usr/bin/python3
"""Checks how the C code is cut: include ranks, fences, banned calls, sizes, purpose comments, guards.

usage: layers.py [ROOT]. The ranks are those of CONTRIBUTING.md and of CMakeLists.txt.
"""

import os
import re

import source

RANKS = [
    ["runner/base"],
    ["plans/language", "runner/process"],
    ["runner/transport", "runner/facts", "runner/result"],
    ["runner/conditions", "runner/engines", "runner/schedule", "lua/host", "reports/writers"],
    ["runner/execute"],
    ["runner/cli"],
]
RANK = {folder: rank for rank, folders in enumerate(RANKS) for folder in folders}
AREAS = ("runner/", "plans/", "lua/", "reports/")

FILE_LINES = 500
FUNCTION_LINES = 60

# Headers of libraries, and the only files that may include them.
HEADER_FENCES = [
    (r"yaml\.h", r"plans/language/"),
    (r"(lua|lauxlib|lualib|luaconf)\.h(pp)?", r"lua/host/"),
    (r"libxml/.*", r"reports/writers/(junit|svg)\w*\.[ch]$"),
    (r"cmark-gfm.*\.h", r"reports/writers/html\w*\.[ch]$"),
    (r"uv(\.h|/.*)", r"runner/process/"),
    (r"(spawn|sys/wait|sys/socket|sys/un|netdb)\.h", r"runner/process/"),
    (r"(err|error|syslog)\.h", r"$"),
    (r"cmocka\.h", r"$"),
]

# Calls, the only files that may make them, and why.
CALL_FENCES = [
    (r"v?fork|_?clone3?|exec[lv]p?e?|execvpe|fexecve|posix_spawnp?|popen|system|wait|waitpid"
     r"|wait[34]|waitid|kill|killpg|socket|socketpair|setsid|setpgid|prctl|ptrace",
     r"runner/process/", "only runner/process starts, ends and waits for processes"),
    (r"signal|sigaction|sigprocmask|pthread_\w+", r"runner/(process/|cli/main\.c$)",
     "only runner/process handles signals"),
    (r"sleep|usleep|nanosleep|clock_nanosleep|alarm|poll|ppoll|select|pselect|epoll_wait",
     r"runner/process/", "only runner/process waits"),
    (r"time|clock|clock_gettime|gettimeofday|timespec_get|ftime", r"runner/base/clock\.c$",
     "only runner/base/clock.c asks what time it is"),
    (r"localtime(_r)?|mktime|ctime(_r)?|asctime(_r)?|tzset", r"$",
     "no output depends on the time zone"),
    (r"setlocale", r"$", "no output depends on the locale"),
    (r"uselocale|newlocale", r"runner/base/number\.c$", "only runner/base/number.c pins the locale"),
    (r"exit|quick_exit|atexit", r"runner/(cli/main\.c|base/oom\.c|base/arena\.c)$",
     "only main and ng_oom end the program"),
    (r"_exit|_Exit", r"runner/(process/|base/oom\.c$|base/arena\.c$)",
     "only a child that could not exec, and ng_oom, leave like this"),
    (r"abort", r"runner/base/", "errors are returned"),
    (r"v?printf|v?dprintf|puts|putchar|perror|psignal", r"runner/cli/", "only runner/cli prints"),
    (r"strcpy|stpcpy|strcat|strncpy|strncat|v?sprintf|gets|strtok|scanf|v?sscanf|alloca"
     r"|mktemp|tmpnam|tempnam|ato[ifl]|atoll|rand|srand|random|srandom", r"$",
     "banned: unbounded, blind to errors, or not reproducible"),
]
WORD_FENCES = [
    (r"stdout|stderr", r"runner/(cli/|base/oom\.c$|base/arena\.c$)", "only runner/cli prints"),
]

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.M)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def check_include(name, line, style, target, names, found):
    """One include: where it points, and whether it may."""
    if style == "<":
        if name.startswith("tests/"):
            return
        for header, home in HEADER_FENCES:
            if re.fullmatch(header, target) and not re.match(home, name):
                found.add(name, line, "fence", f"<{target}> may not be included here (only {home.rstrip('$') or 'in tests'})")
        return
    if target not in names:
        found.add(name, line, "include", f'"{target}" is no file seen from the project\'s root')
        return
    if not target.endswith(".h"):
        found.add(name, line, "include", f'"{target}" is no header')
    if name.startswith("tests/"):
        return
    here, there = os.path.dirname(name), os.path.dirname(target)
    if here == there:
        return
    if there not in RANK:
        found.add(name, line, "rank", f'"{target}" lies in no folder with a rank')
    elif RANK.get(here, -1) <= RANK[there]:
        found.add(name, line, "rank", f"{here} (rank {RANK.get(here, 'none')}) may not see {there} "
                  f"(rank {RANK[there]})")


def check_own_header_first(name, includes, names, found):
    own = name[:-2] + ".h"
    if name.endswith(".c") and own in names and (not includes or includes[0][2] != own):
        line = includes[0][0] if includes else 1
        found.add(name, line, "include", f'the first include is not the own header "{own}"')


def check_rings(graph, found):
    """Headers that include each other, told once per ring, at its first member."""
    state, stack = {}, []

    def visit(node):
        state[node] = "open"
        stack.append(node)
        for line, target in graph.get(node, []):
            if state.get(target) == "open":
                ring = stack[stack.index(target):] + [target]
                found.add(node, line, "ring", "headers include each other: " + " -> ".join(ring))
            elif target not in state:
                visit(target)
        stack.pop()
        state[node] = "done"

    for node in sorted(graph):
        if node not in state:
            visit(node)


def check_calls(name, code, found):
    for calls, home, why in CALL_FENCES:
        for match in re.finditer(rf"(?<![\w.>])({calls})[ \t]*\(", code):
            if not re.match(home, name):
                found.add(name, line_of(code, match.start()), "call", f"{match.group(1)}(): {why}")
    for words, home, why in WORD_FENCES:
        for match in re.finditer(rf"(?<![\w.>])({words})(?!\w)", code):
            if not re.match(home, name):
                found.add(name, line_of(code, match.start()), "call", f"{match.group(1)}: {why}")


def functions(code):
    """(name, first line, lines, lines in tables) of each function, in code without comments."""
    # Lines of the preprocessor may hold half a brace pair.
    code = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", lambda m: re.sub(r"[^\n]", " ", m.group()), code,
                  flags=re.M)
    depth, start, opened, table, rows = 0, 0, None, None, 0
    for match in re.finditer(r"[{};]", code):
        char = match.group()
        if char == "{":
            if depth == 0:
                head = code[start:match.start()]
                call = re.search(r"(\w+)\s*\(", head)
                body = head.rstrip().endswith(")")
                begin = start + len(head) - len(head.lstrip())
                opened = (call.group(1), line_of(code, begin)) if call and body else None
                rows = 0
            elif depth == 1 and code[:match.start()].rstrip().endswith("="):
                table = match.start()
            depth += 1
        elif char == "}":
            depth = max(depth - 1, 0)
            if depth == 1 and table is not None:
                rows += code.count("\n", table, match.start())
                table = None
            elif depth == 0:
                if opened:
                    lines = line_of(code, match.start()) - opened[1] + 1
                    yield opened[0], opened[1], lines, rows
                opened, start = None, match.end()
        elif depth == 0:
            start = match.end()


def check_size(name, text, code, found):
    lines = text.count("\n")
    if lines > FILE_LINES:
        found.add(name, FILE_LINES + 1, "size", f"{lines} lines, {FILE_LINES} are allowed")
    if name.endswith(".c"):
        for function, first, count, rows in functions(code):
            # A test may hold its table of cases: rows are data.
            count -= rows if name.startswith("tests/") else 0
            if count > FUNCTION_LINES:
                found.add(name, first, "size",
                          f"{function}() has {count} lines, {FUNCTION_LINES} are allowed")


def check_shape(name, text, found):
    """The comment that opens a file, and the guard of a header."""
    if not re.match(r"/\*\W*\w|//\W*\w", text):
        found.add(name, 1, "purpose", "the file does not open with a comment that says its purpose")
    if not name.endswith(".h"):
        return
    folder, base = os.path.split(name[:-2])
    want = re.sub(r"\W", "_", f"NG_{os.path.basename(folder)}_{base}_H".upper())
    first = re.search(r"^[ \t]*#.*", text, re.M)
    guard = first.group().split()[-1] if first else ""
    named = guard == want or name.startswith("tests/") and re.fullmatch(r"NG_\w+_H", guard)
    if (not named or first.group().split() != ["#ifndef", guard]
            or not re.search(rf"^#ifndef {guard}\n#define {guard}\n", text, re.M)
            or not re.search(r"^#endif[^\n]*\s*\Z", text, re.M)):
        found.add(name, 1, "guard", f"the header is not guarded by {want}")


def main():
    root = source.root_argument()
    names = [n for n in source.files(root)
             if n.endswith((".c", ".h")) and n.startswith(AREAS + ("tests/",))]
    known, graph, found = set(names), {}, source.Findings()
    for name in names:
        text = source.read(root, name)
        code = source.code_of(text)
        includes = []
        for match in INCLUDE.finditer(text):
            # What stands in a comment is blank in the code.
            if code[match.start(1)] != " ":
                includes.append((line_of(text, match.start()), match.group(1), match.group(2)))
        for line, style, target in includes:
            check_include(name, line, style, target, known, found)
        check_own_header_first(name, includes, known, found)
        graph[name] = [(line, t) for line, style, t in includes if style == '"' and t in known]
        check_size(name, text, code, found)
        check_shape(name, text, found)
        if not name.startswith("tests/"):
            if os.path.dirname(name) not in RANK:
                found.add(name, 1, "rank", f"the folder {os.path.dirname(name)} has no rank")
            check_calls(name, code, found)
    check_rings(graph, found)
    found.finish(len(names), "C files")


main()
