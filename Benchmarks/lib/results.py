"""The results of runs: the newest are kept as JSON in Benchmarks/Machines."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MACHINES = ROOT / "Benchmarks/Machines"
PAGE = ROOT / "Docs/Measurements.md"
PICTURE = ROOT / "Docs/Images/benchmark.svg"

PROGRAMS = [
    ("floor", "floor"),
    ("raw", "raw C"),
    ("copal", "Copal"),
    ("grdb", "GRDB"),
    ("sqlalchemy", "SQLAlchemy"),
]


def read(path):
    results = json.loads(Path(path).read_text(encoding="utf-8"))
    if results.get("format") != 1:
        raise SystemExit(f"{path} is not a file of results that this version reads")
    return results


def kept():
    """The results that are kept, with their files."""
    files = sorted(MACHINES.glob("*.json"))
    return sorted(((read(file), file) for file in files), key=lambda each: each[0]["date"], reverse=True)


def ratio(workload, program, other="raw"):
    """The ratio of a program's time to another's; None when one of them was not run."""
    programs = workload["programs"]
    if program not in programs or other not in programs:
        return None
    return programs[program]["cpu"] / programs[other]["cpu"]


def machine_line(machine):
    kind = "a virtual machine" if machine["isVirtual"] else "a machine"
    cores = f"{machine['cores']} cores"
    memory = f" and {machine['memoryGB']} GB" if machine["memoryGB"] else ""
    system = ", ".join(
        part for part in (machine["system"], machine["architecture"], machine["fileSystem"]) if part
    )
    return (
        f"{kind} with {cores}{memory}; {system}; SQLite {machine['sqlite']}, "
        f"Swift {machine['swift']}, release builds"
    )


def slug(machine):
    """A file name for a machine, made of properties that do not change."""
    words = f"{machine['processor']} {machine['cores']} cores"
    return re.sub(r"-+", "-", re.sub(r"[^a-z0-9]", "-", words.lower())).strip("-")


def newest():
    """The newest results that have workloads to draw."""
    for results, _ in kept():
        if results["workloads"]:
            return results
    raise SystemExit("there are no results in Benchmarks/Machines")
