// swift-tools-version: 6.2

import PackageDescription

// The products to build; everything by default. `Benchmarks/compare` builds only Copal's programs
// with older commits: without the other libraries, and without stopping at a warning about an old
// name. `Benchmarks/test` builds the reports and their tests.
let only = Context.environment["COPAL_BENCH_ONLY"]
let hasPeers = only == nil
let hasPrograms = only != "report"

let strict: [SwiftSetting] = only == "copal" ? [] : [.treatAllWarnings(as: .error)]
let strictC: [CSetting] = only == "copal" ? [] : [.treatAllWarnings(as: .error)]

let copal = Target.Dependency.product(name: "Copal", package: "Copal")
let colors = Target.Dependency.product(name: "CopalColor", package: "Copal")

/// A measured program; each measurement is one process.
func program(_ name: String, on dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: ["BenchKit"] + dependencies, swiftSettings: strict)
}

/// A module with public model classes, like the model layer of an app.
func model(_ name: String) -> Target {
  .target(
    name: name, dependencies: [copal, colors], swiftSettings: strict,
    plugins: [.plugin(name: "CopalPlugin", package: "Copal")])
}

let dependencies: [Package.Dependency] =
  (hasPrograms ? [.package(name: "Copal", path: "..")] : [])
  + (hasPeers ? [.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0")] : [])

/// The programs that do not build with older commits of Copal.
let newestPrograms: [Target] = [
  model("SearchModel"),
  program(
    "bench-queries",
    on: ["BenchModel", "CBenchSQLite", "RelationshipModel", "SearchModel", copal]),
  .target(name: "BenchSQLite", dependencies: ["CBenchSQLite"], swiftSettings: strict),
  program(
    "bench-batches",
    on: [
      "BenchModel", "BenchSQLite", "CBenchSQLite", "OrderModel", copal,
      .product(name: "GRDB", package: "GRDB.swift"),
    ]),
  program("bench-migration", on: ["BenchSQLite", copal]),
  model("ObservedModel"),
  model("OrderModel"),
  program("bench-contexts", on: ["BenchModel", "ObservedModel", copal]),
  program("bench-grdb", on: [.product(name: "GRDB", package: "GRDB.swift")]),
]

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
    program("bench-accessors", on: ["BenchModel", copal, colors]),
    model("GrowthModel"),
    program("bench-growth", on: ["GrowthModel", copal]),
    model("RelationshipModel"),
    program("bench-relationships", on: ["RelationshipModel", copal]),
    model("FamilyModel"),
    program("bench-families", on: ["FamilyModel", copal]),
    model("ExternalModel"),
    program("bench-external", on: ["ExternalModel", copal]),
  ] + (hasPeers ? newestPrograms : [])

// A separate package, so that users of Copal do not build GRDB.
let package = Package(
  name: "CopalBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: dependencies,
  targets: [
    // The data, the clock, and the workloads that all programs share.
    .target(name: "BenchKit", swiftSettings: strict),
    // Runs the programs and makes the reports.
    .target(name: "BenchReport", dependencies: ["BenchKit"], swiftSettings: strict),
    .testTarget(
      name: "BenchReportTests", dependencies: ["BenchKit", "BenchReport"], swiftSettings: strict),
    .executableTarget(
      name: "bench", dependencies: ["BenchKit", "BenchReport", "CBenchCore"],
      swiftSettings: strict),
    .target(name: "CBenchCore", cSettings: strictC),
  ] + (hasPrograms ? programs : []),
  swiftLanguageModes: [.v6]
)
