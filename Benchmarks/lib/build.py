"""Builds three small programs from nothing, in turn, and prints the CPU seconds that it takes: with Copal and its
plugin, with Copal and the file of the plugin (no plugin), with GRDB. With --against, a fourth one: with Copal and its
plugin as they were at a commit. It then ends with 1 when it takes more than 5 percent longer now."""

import argparse
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "Examples/FirstProgram"
CONFIGURATIONS = ("debug", "release")
SLOWER = 1.05

# Runs the compiler, and adds a line to a file: what it has made, and the CPU seconds of it and its children.
WRAPPER = r"""#!/usr/bin/env bash
"{compiler}" "$@"
status=$?
name=- kind=compile last=
for word in "$@"; do
  [ "$last" = -module-name ] && name="$word"
  case "$word" in -emit-executable | -emit-library) kind=link ;; esac
  last="$word"
done
# In a file: a pipe would have the times of another shell.
times >"{log}.$$"
printf '%s %s %s\n' "$name" "$kind" "$(tail -n 1 "{log}.$$")" >>"{log}"
exit "$status"
"""

COPAL = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Studio",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Copal", path: "{root}")],
  targets: [
    .executableTarget(
      name: "Studio",
      dependencies: [
        .product(name: "Copal", package: "Copal"), .product(name: "CopalColor", package: "Copal"),
      ]{plugins})
  ]
)
"""

GRDB = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Studio",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")],
  targets: [
    .executableTarget(name: "Studio", dependencies: [.product(name: "GRDB", package: "GRDB.swift")])
  ]
)
"""

# The work of the first program of Copal's README.
GRDB_MAIN = """import GRDB

struct Pigment: Codable, FetchableRecord, PersistableRecord {
  var id: Int64?
  var name: String
  var fades: Bool
  var color: String
  static let databaseTableName = "pigment"
}

let queue = try DatabaseQueue()
try queue.write { database in
  try database.create(table: "pigment") { table in
    table.autoIncrementedPrimaryKey("id")
    table.column("name", .text).notNull()
    table.column("fades", .boolean).notNull()
    table.column("color", .text).notNull()
  }
  try Pigment(id: nil, name: "Geranium lake", fades: true, color: "#C8234B").insert(database)
}
let fading = try queue.read { database in
  try Pigment.filter(Column("fades") == true).fetchAll(database)
}
for pigment in fading { print(pigment.name, pigment.color) }
"""

PLUGINS = """,
      plugins: [.plugin(name: "CopalPlugin", package: "Copal")]"""


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def make_clients(work, commit):
    """The folders of the programs, by what the table calls them."""
    clients = {"Copal": work / "plugin", "Copal, no plugin": work / "plain", "GRDB": work / "grdb"}
    copal = [("Copal", ROOT, PLUGINS), ("Copal, no plugin", ROOT, "")]
    if commit:
        clients[former(commit)] = work / "former"
        copal.append((former(commit), take(commit, work / "tree"), PLUGINS))
    for name, root, plugins in copal:
        write(clients[name] / "Package.swift", COPAL.format(root=root, plugins=plugins))
        shutil.copy(EXAMPLE / "main.swift", sources(clients[name]) / "main.swift")
        if plugins:
            shutil.copy(EXAMPLE / "Studio.model.json", sources(clients[name]) / "Studio.model.json")
    write(clients["GRDB"] / "Package.swift", GRDB)
    write(sources(clients["GRDB"]) / "main.swift", GRDB_MAIN)
    return clients


def former(commit):
    return f"Copal, {commit}"


def take(commit, tree):
    """The files of a commit, in a folder."""
    tree.mkdir()
    files = subprocess.run(["git", "-C", str(ROOT), "archive", commit], check=True, stdout=subprocess.PIPE)
    subprocess.run(["tar", "-x", "-C", str(tree)], check=True, input=files.stdout)
    return tree


def sources(client):
    folder = client / "Sources/Studio"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def compiler():
    """The compiler of `swift build`: the wrapper must not look for it in its own folder."""
    info = subprocess.run(["which", "swiftc"], capture_output=True, text=True, check=True)
    return pathlib.Path(info.stdout.strip())


def seconds(words):
    """The sum of two times of bash: 1m2.345s 0m0.678s."""
    parts = [re.fullmatch(r"(\d+)m([\d.]+)s", word) for word in words]
    return sum(60 * int(part[1]) + float(part[2]) for part in parts)


def build(client, configuration, system, wrapper, log):
    """Builds a program from nothing. Returns the wall seconds, and the CPU seconds and compilations by module."""
    shutil.rmtree(client / ".build", ignore_errors=True)
    shutil.copytree(client / "resolved", client / ".build", symlinks=True)
    log.write_text("")
    # The other build systems of SwiftPM take a whole toolchain only.
    environment = {} if system else {"SWIFT_EXEC": str(wrapper)}
    begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run(
        ["swift", "build", "-c", configuration, "--package-path", str(client), *system],
        env=os.environ | environment, capture_output=True, text=True)
    wall, after = time.monotonic() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    if result.returncode != 0:
        sys.exit(f"build: {client.name} does not build\n{result.stdout[-3000:]}{result.stderr[-3000:]}")
    modules = {}
    for line in log.read_text().splitlines():
        name, kind, *times = line.split()
        key = "linking" if kind == "link" else "manifests and queries" if name in ("-", "main") else name
        cpu, count = modules.get(key, (0, 0))
        modules[key] = (cpu + seconds(times), count + 1)
    # The plugins are not compiled by the wrapper.
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    modules["plugins and package manager"] = (spent - sum(cpu for cpu, _ in modules.values()), 1)
    return wall, modules


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def measure(clients, configurations, system, runs, wrapper, log):
    """The results of each program and configuration. The programs take turns: a slow minute concerns all."""
    found = {}
    for run in range(runs):
        for configuration in configurations:
            for name, client in clients.items():
                progress(f"run {run + 1} of {runs}: {name}, {configuration}")
                found.setdefault((name, configuration), []).append(
                    build(client, configuration, system, wrapper, log))
    progress("")
    return found


def total(result):
    return sum(cpu for cpu, _ in result[1].values())


def print_totals(found, clients, configurations):
    print("| program | " + " | ".join(f"{c}: CPU s | wall s | of GRDB's CPU" for c in configurations) + " |")
    print("|---|" + "---|---|---|" * len(configurations))
    for name in clients:
        cells = []
        for configuration in configurations:
            results = found[name, configuration]
            cpu = statistics.median(map(total, results))
            # Beside GRDB's build of the same turn.
            ratio = statistics.median(
                total(mine) / total(peer) for mine, peer in zip(results, found["GRDB", configuration]))
            wall = statistics.median(result[0] for result in results)
            cells += [f"{cpu:.0f}", f"{wall:.0f}", f"{ratio:.1f}"]
        print(f"| {name} | " + " | ".join(cells) + " |")


def print_modules(found, configuration):
    results = [result[1] for result in found["Copal", configuration]]
    names = sorted(results[0], key=lambda name: -results[0][name][0])
    print(f"\nCopal, {configuration}, by module:\n\n| module | CPU s | compiled |\n|---|---|---|")
    for name in names:
        cpu = statistics.median(result.get(name, (0, 0))[0] for result in results)
        if cpu >= 0.5:
            print(f"| {name} | {cpu:.0f} | {results[0][name][1]} times |")


def is_slower(found, configurations, commit):
    """Prints how long the compilers take beside a commit, and returns whether that is too long."""
    print()
    ratios = []
    for configuration in configurations:
        pairs = zip(found["Copal", configuration], found[former(commit), configuration])
        ratios.append(statistics.median(total(new) / total(old) for new, old in pairs))
        print(f"{configuration}: {ratios[-1]:.2f} times the CPU seconds of {commit}, at most {SLOWER:.2f} times")
    return max(ratios) > SLOWER


def resolve(client):
    """Downloads what a package needs, once: the network is not measured."""
    subprocess.run(
        ["swift", "package", "resolve", "--package-path", str(client)], check=True, capture_output=True)
    (client / ".build").rename(client / "resolved")


def main():
    parser = argparse.ArgumentParser(prog="Benchmarks/build", description=__doc__)
    parser.add_argument("--runs", type=int, default=1, help="builds of each program; the medians are printed")
    parser.add_argument("--only", choices=CONFIGURATIONS, help="one configuration")
    parser.add_argument(
        "--build-system", metavar="NAME", help="that of SwiftPM, such as swiftbuild, in place of its usual one; without a table of the modules")
    parser.add_argument("--against", metavar="COMMIT", help="beside Copal as it was at a commit")
    words = parser.parse_args()
    configurations = [words.only] if words.only else CONFIGURATIONS
    system = ["--build-system", words.build_system] if words.build_system else []
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        log, wrapper = work / "log", work / "swiftc"
        wrapper.write_text(WRAPPER.format(compiler=compiler(), log=log))
        wrapper.chmod(0o755)
        clients = make_clients(work, words.against)
        for client in clients.values():
            resolve(client)
        # The file that the plugin makes, for the program without the plugin.
        progress("making the file of the plugin")
        build(clients["Copal"], "debug", [], wrapper, log)
        made = next((clients["Copal"] / ".build").glob("plugins/outputs/**/Studio+Copal.swift"))
        shutil.copy(made, sources(clients["Copal, no plugin"]))
        found = measure(clients, configurations, system, words.runs, wrapper, log)
        print_totals(found, clients, configurations)
        for configuration in configurations if not system else ():
            print_modules(found, configuration)
        if words.against and is_slower(found, configurations, words.against):
            sys.exit(1)


main()
