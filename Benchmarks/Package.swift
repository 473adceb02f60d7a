// swift-tools-version: 6.2

import PackageDescription

// What is built; everything unless this is set. `Benchmarks/compare` builds the programs of ours alone,
// against commits of any age: without what they are compared with, and without stopping at a warning about a
// name of yesterday. `Benchmarks/test` builds what reports, with its tests.
let only = Context.environment["COPAL_BENCH_ONLY"]
let hasPeers = only == nil
let hasPrograms = only != "report"

let strict: [SwiftSetting] = only == "copal" ? [] : [.treatAllWarnings(as: .error)]
let strictC: [CSetting] = only == "copal" ? [] : [.treatAllWarnings(as: .error)]

let copal = Target.Dependency.product(name: "Copal", package: "Copal")

/// A program that is measured, one process a measurement.
func program(_ name: String, on dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: ["BenchKit"] + dependencies, swiftSettings: strict)
}

/// A public class in a module of its own, as an app with a model layer has it.
func model(_ name: String) -> Target {
  .target(
    name: name, dependencies: [copal], swiftSettings: strict,
    plugins: [.plugin(name: "CopalPlugin", package: "Copal")])
}

let dependencies: [Package.Dependency] =
  (hasPrograms ? [.package(name: "Copal", path: "..")] : [])
  + (hasPeers ? [.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")] : [])

/// The programs that are measured.
let programs: [Target] =
  [
    .systemLibrary(name: "CBenchSQLite", pkgConfig: "sqlite3"),
    .executableTarget(
      name: "bench-floor", dependencies: ["CBenchSQLite"], cSettings: strictC,
      linkerSettings: [.linkedLibrary("sqlite3")]),
    program("bench-raw", on: ["CBenchSQLite"]),
    model("BenchModel"),
    program("bench-copal", on: ["BenchModel", copal]),
    program("bench-accessors", on: ["BenchModel", copal]),
    model("GrowthModel"),
    program("bench-growth", on: ["GrowthModel", copal]),
  ] + (hasPeers ? [program("bench-grdb", on: [.product(name: "GRDB", package: "GRDB.swift")])] : [])

// A package of its own, so that nobody who uses Copal builds GRDB.
let package = Package(
  name: "CopalBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: dependencies,
  targets: [
    // The data, the clock, and the workloads that all programs share.
    .target(name: "BenchKit", swiftSettings: strict),
    // Runs the programs and reports.
    .target(name: "BenchReport", dependencies: ["BenchKit"], swiftSettings: strict),
    .testTarget(name: "BenchReportTests", dependencies: ["BenchReport"], swiftSettings: strict),
    .executableTarget(
      name: "bench", dependencies: ["BenchKit", "BenchReport", "CBenchCore"],
      swiftSettings: strict),
    .target(name: "CBenchCore", cSettings: strictC),
  ] + (hasPrograms ? programs : []),
  swiftLanguageModes: [.v6]
)
