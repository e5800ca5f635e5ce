"""What the cases share: the plan they vary, something done in the middle of a phase, what is looked for."""

import threading

# Longer than any run of nasgate may take, on a machine that has other work.
DEADLINE = 420

NFS = "{type: nfs, from: nas, export: /volume1/bench, options: {vers: '3', rsize: 128 KiB}}"
CIFS = "{type: cifs, from: nas, export: bench, options: {vers: '3.1.1'}}"

PLAN = """\
nasgate: 1
name: case
topology:
  hosts:
    backup: {{via: ssh, target: backup, facts_within: {within}}}
    nas: {{via: ssh, target: {nas}, facts_within: {within}}}
  links:
    fiber: {{ends: ["backup:eth1", "nas:eth1"], mtu: 9000, speed: 10 Gbit/s}}
  volumes:
    repo: {{"on": backup, path: {path}, mount: {mount}, link: fiber}}
preconditions:
{preconditions}
phases:
  - name: write
    timeout: {timeout}
{more}    fio: {{volume: repo, rw: randwrite, bs: 16 KiB, size: 4 MiB{time}, direct: true}}
    pass: [write.bw >= 1 kB/s]
"""


def plan(*preconditions, path="/mnt/bench", mount=NFS, seconds=0, timeout="3 m", more="",
         nas="nas", within="1 m"):
    """One phase that writes a little, or writes for so many seconds. Emulated machines are slow:
    they may take `within` to tell their facts."""
    return PLAN.format(
        preconditions="".join(f"  - {item}\n" for item in preconditions).rstrip(),
        path=path, mount=mount, timeout=timeout, nas=nas, within=within,
        time=f", time: {seconds} s" if seconds else "",
        more="".join(f"    {line}\n" for line in more.splitlines()))


class Meanwhile:
    """Does something once the engine of the first phase is at work: the run's own evidence tells."""

    def __init__(self, output, act):
        self.index = output / "evidence" / "index.jsonl"
        self.act, self.error = act, None
        self.began, self.over = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self._run)

    def _measures(self):
        try:
            return '"phase write 1/1: measure"' in self.index.read_text(encoding="utf-8")
        except OSError:
            return False

    def _run(self):
        while not self._measures():
            if self.over.wait(0.1):
                return
        # The first samples are of before.
        if self.over.wait(3):
            return
        self.began.set()
        try:
            self.act(self.over)
        except Exception as error:  # told by the test, in its own thread
            self.error = error

    def __enter__(self):
        if self.act is not None:
            self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        if self.act is not None:
            self.thread.join()


def condition(done, kind):
    """The row of a precondition in the record."""
    return next(row for row in done.bundle.result["conditions"] if row["kind"] == kind)


def refused(done, kind, *words):
    """The run was stopped by this precondition, before anything was measured, in these words."""
    assert done.code == 3, done
    row = condition(done, kind)
    assert row["held"] == "broken", row
    report = done.bundle.text("report.md")
    for word in words:
        assert word in row["seen"], (word, row)
    assert row["id"] in report
    for phase in done.bundle.result["phases"]:
        assert phase["verdict"] == "skipped" and not phase["repeats"], phase
    assert not any(event["purpose"].startswith("phase ") for event in done.bundle.events
                   if event.get("event") == "start")


def disturbed(done, *words):
    """The phase was measured, and nobody stands behind the number; why, in these words."""
    assert done.code == 6, done
    phase = done.bundle.phase("write")
    assert phase["verdict"] == "inconclusive", phase
    for word in words:
        assert word in phase["reason"], (word, phase["reason"])
    assert phase["reason"][:40] in done.bundle.text("report.md").replace("\\", "")
    return phase
