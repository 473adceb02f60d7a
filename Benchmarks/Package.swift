// swift-tools-version: 6.1

import PackageDescription

// A package of its own, so that nobody who uses Copal builds GRDB.
let package = Package(
  name: "CopalBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Copal", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .systemLibrary(name: "CBenchSQLite", pkgConfig: "sqlite3"),
    // The data, the clock and the report that all programs share.
    .target(name: "BenchKit"),
    .executableTarget(name: "bench-raw", dependencies: ["BenchKit", "CBenchSQLite"]),
    .executableTarget(
      name: "bench-grdb",
      dependencies: ["BenchKit", .product(name: "GRDB", package: "GRDB.swift")]),
    // A public class in a module of its own, as an app with a model layer has it.
    .target(
      name: "BenchModel", dependencies: [.product(name: "Copal", package: "Copal")],
      plugins: [.plugin(name: "CopalPlugin", package: "Copal")]),
    .executableTarget(
      name: "bench-copal",
      dependencies: ["BenchKit", "BenchModel", .product(name: "Copal", package: "Copal")]),
    .executableTarget(
      name: "bench-accessors",
      dependencies: ["BenchKit", "BenchModel", .product(name: "Copal", package: "Copal")]),
    // Runs the others and reports.
    .executableTarget(name: "bench", dependencies: ["BenchKit", "CBenchCore"]),
    .target(name: "CBenchCore"),
  ],
  swiftLanguageModes: [.v6]
)
