"""In which library the time of each workload is spent: the program of Benchmarks/profile.

Samples of perf's clock that fall into the measured part of the work, shared out among the libraries that the
processor was in, and given in milliseconds: the part of the samples times the CPU time of runs without samples,
which take time themselves.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

WORKLOADS = [
    "insert", "fetchAll", "fetchOne", "ids", "get", "getReading", "filter", "update", "delete", "reopen",
]
CHANGING = {"insert", "update", "delete"}
PARTS = ["SQLite", "kernel", "C library", "Swift", "Foundation", "the program"]


def part(library):
    """The readable name of a library."""
    name = library.rsplit("/", 1)[-1]
    if name.startswith("libsqlite3"):
        return "SQLite"
    if name.startswith(("[kernel", "[vdso", "[guest.kernel", "[unknown")):
        return "kernel"
    if name.startswith(("libc.", "libc-", "libm.", "ld-", "libpthread")):
        return "C library"
    if name.startswith(("libswift", "lib_Concurrency", "libdispatch", "libBlocksRuntime")):
        return "Swift"
    if name.startswith(("libFoundation", "lib_Foundation", "libicu")):
        return "Foundation"
    return "the program"


def store_copy(store, target):
    for suffix in ("", "-wal", "-shm"):
        Path(target + suffix).unlink(missing_ok=True)
        if suffix != "-shm" and Path(store + suffix).exists():
            shutil.copyfile(store + suffix, target + suffix)


def run(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def measured(output):
    return json.loads(output.strip().splitlines()[-1])


def sample(command, folder):
    """One run: how often each part was met during the measured work."""
    data = os.path.join(folder, "perf.data")
    # A low frequency, because each sample costs time, especially in a virtual machine.
    options = ["-q", "-e", "cpu-clock", "-F", "3989", "-k", "CLOCK_MONOTONIC", "-o", data]
    work = measured(run(["perf", "record", *options, "--", *command]))
    window = f"{work['began']:.9f},{work['ended']:.9f}"
    found = Counter()
    for line in run(["perf", "script", "-i", data, "--time", window, "-F", "ip,dso"]).splitlines():
        start, end = line.rfind("("), line.rfind(")")
        if start >= 0:
            found[part(line[start + 1 : end])] += 1
    return found


def profile(tool, workload, rows, store, folder, runs):
    """A program's CPU time by part: the median of some runs, and the samples of as many others."""

    def command():
        file = store
        if workload in CHANGING:
            file = os.path.join(folder, "work.sqlite")
            for suffix in ("", "-wal", "-shm"):
                Path(file + suffix).unlink(missing_ok=True)
            if workload != "insert":
                store_copy(store, file)
        return [tool, workload, str(rows), file]

    times, found = [], Counter()
    for _ in range(runs):
        times.append(measured(run(command()))["cpuMilliseconds"])
        found += sample(command(), folder)
    cpu, total = sorted(times)[len(times) // 2], max(1, sum(found.values()))
    return {
        "cpu": cpu,
        "samples": total,
        "parts": {name: cpu * found[name] / total for name in PARTS if found[name]},
    }


def main():
    parser = argparse.ArgumentParser(prog="Benchmarks/profile", description=__doc__.split("\n\n")[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=5, help="runs of each program and workload")
    parser.add_argument("--only", default=",".join(WORKLOADS), help="some workloads, with commas")
    parser.add_argument("--into", help="a file of results to which the profile is added")
    parser.add_argument("--bin", help=argparse.SUPPRESS)
    words = parser.parse_args()
    chosen = words.only.split(",")
    if unknown := [each for each in chosen if each not in WORKLOADS]:
        parser.error(f"no workload {unknown[0]!r}; there are {', '.join(WORKLOADS)}")
    probe = ["perf", "record", "-q", "-e", "cpu-clock", "-o", "/dev/null", "true"]
    if not shutil.which("perf") or subprocess.run(probe, capture_output=True).returncode:
        print("profile: perf is not here or may not be used; nothing is profiled", file=sys.stderr)
        sys.exit(0 if words.into else 70)

    result = {}
    with tempfile.TemporaryDirectory(prefix="copal-profile-") as folder:
        store = os.path.join(folder, "data.sqlite")
        run([f"{words.bin}/bench-copal", "insert", str(words.rows), store])
        for workload in chosen:
            print(f"profiling {workload}", file=sys.stderr)
            result[workload] = {
                program: profile(
                    f"{words.bin}/bench-{program}", workload, words.rows, store, folder, words.runs
                )
                for program in ("floor", "copal")
            }
    show(result)
    if words.into:
        kept = json.loads(Path(words.into).read_text(encoding="utf-8"))
        kept["profile"] = result
        text = json.dumps(kept, indent=2, sort_keys=True, ensure_ascii=False)
        Path(words.into).write_text(text + "\n", encoding="utf-8")


def show(result):
    print(f"{'CPU ms':<12}{'':<8}{'total':>9}" + "".join(f"{name:>13}" for name in PARTS))
    for workload, programs in result.items():
        for program, found in programs.items():
            cells = "".join(f"{found['parts'].get(name, 0):>13.1f}" for name in PARTS)
            name = workload if program == "floor" else ""
            print(f"{name:<12}{program:<8}{found['cpu']:>9.1f}{cells}")


main()
