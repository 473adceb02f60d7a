// swift-tools-version: 6.1

import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// A library of this package. It may depend only on libraries of lower layers.
func library(_ name: String, on dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: name == "CopalEssentials" ? [] : ["CopalEssentials"] + dependencies,
    swiftSettings: strict)
}

/// The test target of a library.
func tests(_ name: String, on dependencies: [Target.Dependency], plugins: [Target.PluginUsage] = [])
  -> Target
{
  .testTarget(
    name: name, dependencies: dependencies, swiftSettings: strict, plugins: plugins)
}

/// What a program of this package depends on. With every module that Copal exports: only then does SwiftPM compile a
/// program again when one of them changes (https://github.com/swiftlang/swift/issues/89636).
let copal: [Target.Dependency] = [
  "Copal", "CopalArchive", "CopalModel", "CopalObjects", "CopalSQLite", "CopalStore",
  "CopalTransformers",
]

let package = Package(
  name: "Copal",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    // With every module that Copal exports, for the same reason.
    .library(
      name: "Copal",
      targets: [
        "Copal", "CopalArchive", "CopalModel", "CopalObjects", "CopalSQLite", "CopalStore",
        "CopalTransformers",
      ]),
    .library(name: "CopalColor", targets: ["CopalColor"]),
    .library(name: "CopalArchive", targets: ["CopalArchive"]),
    // Conditions written with Foundation's `#Predicate`. Only this product uses all of Foundation.
    .library(name: "CopalFoundation", targets: ["CopalFoundation"]),
    // For authors of stores: what a store implements, and the suite that checks it.
    .library(name: "CopalStore", targets: ["CopalModel", "CopalStore"]),
    .library(name: "CopalStoreConformance", targets: ["CopalStoreConformance"]),
    .plugin(name: "CopalPlugin", targets: ["CopalPlugin"]),
    .executable(name: "ColorLibraryExample", targets: ["ColorLibraryExample"]),
  ],
  targets: [
    // The part of Foundation that the libraries use.
    library("CopalEssentials", on: []),
    // The two lowest layers: the description of the data, and the protocol of a store.
    library("CopalModel", on: []),
    tests("CopalModelTests", on: ["CopalModel"]),
    // Property lists and keyed archives. It depends on nothing.
    .target(name: "CopalArchive", swiftSettings: strict),
    tests("CopalArchiveTests", on: ["CopalArchive"]),
    library("CopalStore", on: ["CopalModel"]),
    // A suite of tests for authors of stores.
    library("CopalStoreConformance", on: ["CopalModel", "CopalStore"]),
    // The SQLite store.
    library("CopalSQL", on: ["CopalModel", "CopalStore"]),
    .systemLibrary(
      name: "CCopalSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    library("CopalSQLite", on: ["CCopalSQLite", "CopalModel", "CopalSQL", "CopalStore"]),
    // Containers, contexts and objects. They do not depend on the SQLite store.
    library("CopalObjects", on: ["CopalModel", "CopalStore"]),
    // Transformers of common types: Codable, raw values, collections, archives, URLs.
    library(
      "CopalTransformers", on: ["CopalArchive", "CopalModel", "CopalObjects", "CopalStore"]),
    library("CopalColor", on: ["CopalArchive", "CopalModel", "CopalObjects", "CopalStore"]),
    // Foundation's `Predicate` and `SortDescriptor` as conditions and orders.
    library("CopalFoundation", on: ["CopalModel", "CopalObjects", "CopalStore"]),
    // The highest layer: what users import and run.
    library(
      "Copal",
      on: [
        "CopalArchive", "CopalModel", "CopalObjects", "CopalSQLite", "CopalStore",
        "CopalTransformers",
      ]),
    library("CopalCodegen", on: ["CopalModel"]),
    .executableTarget(
      name: "copal-gen", dependencies: ["CopalCodegen", "CopalModel"], swiftSettings: strict),
    .plugin(name: "CopalPlugin", capability: .buildTool(), dependencies: ["copal-gen"]),
    .executableTarget(
      name: "ColorLibraryExample", dependencies: copal + ["CopalColor"],
      path: "Examples/ColorLibrary", exclude: ["README.md", "expected-output.txt"],
      swiftSettings: strict,
      plugins: ["CopalPlugin"]),
    .executableTarget(
      name: "FirstProgram", dependencies: copal + ["CopalColor"], path: "Examples/FirstProgram",
      exclude: ["README.md"], swiftSettings: strict, plugins: ["CopalPlugin"]),
    .executableTarget(
      name: "ColorPickerExample", dependencies: copal + ["CopalColor"],
      path: "Examples/ColorPicker",
      exclude: ["README.md", "expected-output.txt", "expected-second-output.txt"],
      swiftSettings: strict, plugins: ["CopalPlugin"]),
    .executableTarget(
      name: "RecipesExample", dependencies: copal, path: "Examples/Recipes",
      exclude: ["README.md", "expected-output.txt", "expected-second-output.txt"],
      swiftSettings: strict, plugins: ["CopalPlugin"]),
    .executableTarget(
      name: "DocumentsExample", dependencies: copal, path: "Examples/Documents",
      exclude: ["README.md", "expected-output.txt", "expected-second-output.txt"],
      swiftSettings: strict, plugins: ["CopalPlugin"]),
    .executableTarget(
      name: "QueryConsoleExample", dependencies: copal, path: "Examples/QueryConsole",
      exclude: ["README.md", "expected-output.txt", "script.txt"],
      swiftSettings: strict, plugins: ["CopalPlugin"]),
    // The tests: one target per library. They share the models and helpers of CopalTestSupport.
    .target(
      name: "CopalTestSupport",
      dependencies: copal + [
        "CCopalSQLite", "CopalColor", "CopalFoundation", "CopalStoreConformance",
      ],
      path: "Tests/CopalTestSupport", swiftSettings: strict, plugins: ["CopalPlugin"]),
    .testTarget(
      name: "IsolationTests", dependencies: copal + ["CopalTestSupport"],
      exclude: ["Fixtures"], swiftSettings: strict),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "CopalCodegen", "CopalColor", "CopalStoreConformance", "CopalTestSupport",
        "FirstProgram",
      ] + copal, swiftSettings: strict, plugins: ["CopalPlugin"]),
    .testTarget(
      name: "ExampleTests",
      dependencies: [
        "ColorLibraryExample", "ColorPickerExample", "CopalTestSupport", "DocumentsExample",
        "QueryConsoleExample", "RecipesExample",
      ],
      swiftSettings: strict),
    tests("CopalCodegenTests", on: ["CopalCodegen", "CopalModel"]),
    tests(
      "CopalObjectsTests",
      on: copal + ["CopalCodegen", "CopalColor", "CopalFoundation", "CopalTestSupport"],
      plugins: ["CopalPlugin"]),
    tests(
      "CopalColorTests",
      on: ["CopalArchive", "CopalColor", "CopalModel", "CopalObjects", "CopalStore"]),
    tests(
      "CopalFoundationTests",
      on: copal + ["CopalColor", "CopalFoundation", "CopalTestSupport"],
      plugins: ["CopalPlugin"]),
    tests(
      "CopalTransformersTests", on: copal + ["CopalTestSupport"],
      plugins: ["CopalPlugin"]),
    tests("CopalStoreTests", on: ["CopalModel", "CopalStore", "CopalTestSupport"]),
    tests(
      "CopalSQLTests",
      on: ["CopalModel", "CopalSQL", "CopalSQLite", "CopalStore", "CopalTestSupport"]),
    // Depends on SQLite itself: some tests make its system calls fail.
    tests(
      "CopalSQLiteTests",
      on: [
        "CCopalSQLite", "CopalModel", "CopalSQLite", "CopalStore", "CopalStoreConformance",
        "CopalTestSupport",
      ]),
    tests(
      "SequenceTests", on: copal + ["CopalColor", "CopalTestSupport"],
      plugins: ["CopalPlugin"]),
    tests("ConventionTests", on: []),
  ],
  swiftLanguageModes: [.v6]
)
