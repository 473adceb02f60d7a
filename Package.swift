// swift-tools-version: 6.2

import PackageDescription

// For Swift 6.2 and later: the workflows build with 6.2 and with the newest release.
// Docs/Stability.md says when support for the oldest version can end.

// Small lists with a type, one target a line. In one large expression, the compiler answers a
// misplaced argument only with the advice to break up the expression, after 52 s of work.

// MARK: Lists that several targets use

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("ExistentialAny"),
]

/// The modules that Copal exports.
let exports: [String] = [
  "CopalArchive", "CopalModel", "CopalObjects", "CopalSQLite", "CopalStore", "CopalTransformers",
]

/// Copal with every module that it exports. The product and each program of this package list them
/// all: only then does SwiftPM compile a program again when one of them changes
/// (https://github.com/swiftlang/swift/issues/89636).
let copalModules: [String] = ["Copal"] + exports

/// What a program of this package depends on.
let copal: [Target.Dependency] = copalModules.map { .byName(name: $0) }

/// The plugin that generates the classes of a target's models.
let generator: [Target.PluginUsage] = ["CopalPlugin"]

// MARK: Kinds of targets

/// A library of this package. It may depend only on libraries of lower layers.
func library(_ name: String, on libraries: [Target.Dependency]) -> Target {
  let dependencies: [Target.Dependency] = ["CopalEssentials"] + libraries
  return .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A program in `Examples`, with files that do not belong to it.
@MainActor
func example(_ name: String, in folder: String, on others: [Target.Dependency], exclude: [String])
  -> Target
{
  .executableTarget(
    name: name, dependencies: copal + others, path: "Examples/" + folder, exclude: exclude,
    swiftSettings: strict, plugins: generator)
}

/// The tests of a library, or of one property of the whole.
func tests(
  _ name: String, on dependencies: [Target.Dependency], exclude: [String] = [],
  plugins: [Target.PluginUsage] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict,
    plugins: plugins)
}

// MARK: What users get

let products: [Product] = [
  .library(name: "Copal", targets: copalModules),
  .library(name: "CopalColor", targets: ["CopalColor"]),
  .library(name: "CopalArchive", targets: ["CopalArchive"]),
  // Export, import, and rows as tables, CSV and JSON.
  .library(name: "CopalExchange", targets: ["CopalExchange"]),
  // Conditions written with Foundation's `#Predicate`. Only this product uses all of Foundation.
  .library(name: "CopalFoundation", targets: ["CopalFoundation"]),
  // For authors of stores: what a store implements, and the suite that checks it.
  .library(name: "CopalStore", targets: ["CopalModel", "CopalStore"]),
  .library(name: "CopalStoreConformance", targets: ["CopalStoreConformance"]),
  .plugin(name: "CopalPlugin", targets: ["CopalPlugin"]),
  // The command `copal`: with the trait `Command`.
  .executable(name: "copal", targets: ["copal-command"]),
  // The command as a library, for a program that adds its own transformers.
  .library(name: "CopalCommand", targets: ["CopalCommand"]),
  .plugin(name: "CopalCommandPlugin", targets: ["CopalCommandPlugin"]),
]

// MARK: The libraries, from the lowest layer to the highest

/// The lowest layer. These libraries depend on nothing of this package.
let foundations: [Target] = [
  // The part of Foundation that the libraries use.
  .target(name: "CopalEssentials", swiftSettings: strict),
  .systemLibrary(
    name: "CCopalSQLite", pkgConfig: "sqlite3",
    providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
]

let stores: [Target] = [
  // Property lists and keyed archives.
  library("CopalArchive", on: []),
  // Patterns of texts.
  library("CopalPatterns", on: []),
  // The description of the data, and the protocol of a store.
  library("CopalModel", on: ["CopalPatterns"]),
  library("CopalStore", on: ["CopalModel", "CopalPatterns"]),
  // A suite of tests for authors of stores.
  library("CopalStoreConformance", on: ["CopalModel", "CopalStore"]),
  // The SQLite store.
  library("CopalSQL", on: ["CopalModel", "CopalStore"]),
  library("CopalSQLite", on: ["CCopalSQLite", "CopalModel", "CopalSQL", "CopalStore"]),
]

let objects: [Target] = [
  // Containers, contexts and objects. They do not depend on the SQLite store.
  library("CopalObjects", on: ["CopalModel", "CopalStore"]),
  // Transformers of common types: Codable, raw values, collections, archives, URLs.
  library("CopalTransformers", on: ["CopalArchive", "CopalModel", "CopalObjects", "CopalStore"]),
  // What tools do with the objects of a store: rows for people, export, import. No store of its own.
  library("CopalExchange", on: ["CopalModel", "CopalObjects", "CopalStore"]),
  library("CopalColor", on: ["CopalArchive", "CopalModel", "CopalObjects"]),
  // Foundation's `Predicate` and `SortDescriptor` as conditions and orders.
  library("CopalFoundation", on: ["CopalModel", "CopalObjects", "CopalStore"]),
  // The highest layer: what users import and run.
  library("Copal", on: exports.map { .byName(name: $0) }),
]

// MARK: The generator

let tools: [Target] = [
  // A prompt for the objects of a store: a line editor, and what answers its lines.
  library("CopalConsole", on: ["CopalExchange", "CopalModel", "CopalObjects", "CopalStore"]),
  library("CopalCodegen", on: ["CopalModel"]),
  // What a tool does with model files: a tree that keeps comments, layout, fixes, merge, diagrams.
  library("CopalAuthoring", on: ["CopalModel"]),
  .executableTarget(
    name: "copal-gen", dependencies: ["CopalCodegen", "CopalModel"], swiftSettings: strict),
  .plugin(name: "CopalPlugin", capability: .buildTool(), dependencies: ["copal-gen"]),
]

// MARK: The command

/// Only with the trait `Command`: a package that does not ask for it resolves nothing.
let parser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Command"]))

let command: [Target] = [
  library(
    "CopalCommand",
    on: [
      "CopalAuthoring", "CopalCodegen", "CopalColor", "CopalConsole", "CopalExchange", "CopalModel",
      "CopalObjects", "CopalSQLite", "CopalStore", "CErrorPage", parser,
    ]),
  // The page of errors in the command.
  .target(name: "CErrorPage"),
  // Not with the name of its product, which file systems that ignore case take for that of Copal.
  .executableTarget(
    name: "copal-command", dependencies: ["CopalCommand"], swiftSettings: strict),
  .plugin(
    name: "CopalCommandPlugin",
    capability: .command(
      // No permission to write: SwiftPM would ask for it also where nothing is written.
      intent: .custom(verb: "copal", description: "Checks, formats, draws and compares models.")),
    dependencies: ["copal-command"]),
]

// MARK: The examples

let twoOutputs: [String] = ["README.md", "expected-output.txt", "expected-second-output.txt"]

let examples: [Target] = [
  example(
    "ColorLibraryExample", in: "ColorLibrary", on: ["CopalColor"],
    exclude: ["README.md", "expected-output.txt"]),
  example("FirstProgram", in: "FirstProgram", on: ["CopalColor"], exclude: ["README.md"]),
  example("ColorPickerExample", in: "ColorPicker", on: ["CopalColor"], exclude: twoOutputs),
  example("RecipesExample", in: "Recipes", on: [], exclude: twoOutputs),
  example("DocumentsExample", in: "Documents", on: [], exclude: twoOutputs),
  example(
    "GalleryExample", in: "Gallery", on: [], exclude: ["README.md", "expected-output.txt"]),
  example(
    "LibraryExample", in: "Library", on: [],
    exclude: ["README.md", "expected-output.txt", "script.txt"]),
  example(
    "QueryConsoleExample", in: "QueryConsole", on: ["CopalConsole"],
    exclude: ["README.md", "expected-output.txt", "script.txt"]),
]

// MARK: The tests: one target for each library, and those of the whole

/// Random numbers and recorded texts for all tests, also for those of modules that need no store.
let testTools: Target = .target(
  name: "CopalTestTools", path: "Tests/CopalTestTools", swiftSettings: strict)

/// What the compiler has noted of the sources.
let indexStore: Target = .target(name: "CIndexStore", path: "Tests/CIndexStore")

/// The models and helpers that the tests share.
let testSupport: Target = .target(
  name: "CopalTestSupport",
  dependencies: copal + [
    "CCopalSQLite", "CopalColor", "CopalFoundation", "CopalStoreConformance", "CopalTestTools",
  ],
  path: "Tests/CopalTestSupport", swiftSettings: strict, plugins: generator)

let storeTests: [Target] = [
  tests(
    "CopalArchiveTests", on: ["CopalArchive", "CopalTestTools"], exclude: ["Fixtures"]),
  tests("CopalPatternsTests", on: ["CopalPatterns", "CopalTestTools"]),
  tests("CopalModelTests", on: ["CopalModel", "CopalStore", "CopalTestTools"]),
  tests(
    "CopalStoreTests",
    on: ["CopalEssentials", "CopalModel", "CopalStore", "CopalTestSupport", "CopalTestTools"]),
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
]

let objectTests: [Target] = [
  tests(
    "CopalObjectsTests",
    on: copal + [
      "CopalCodegen", "CopalColor", "CopalFoundation", "CopalTestTools", "CopalTestSupport",
    ],
    exclude: ["Fixtures"], plugins: generator),
  tests("CopalTransformersTests", on: copal + ["CopalTestSupport"], plugins: generator),
  tests(
    "CopalColorTests",
    on: [
      "CopalArchive", "CopalColor", "CopalModel", "CopalObjects", "CopalStore", "CopalTestTools",
    ]),
  tests(
    "CopalFoundationTests", on: copal + ["CopalColor", "CopalFoundation", "CopalTestSupport"],
    plugins: generator),
  tests(
    "CopalExchangeTests",
    on: copal + ["CopalColor", "CopalExchange", "CopalTestSupport", "CopalTestTools"]),
  tests("CopalAuthoringTests", on: ["CopalAuthoring", "CopalModel", "CopalTestTools"]),
  tests("CopalCodegenTests", on: ["CopalCodegen", "CopalModel", "CopalTestTools"]),
]

let wholeTests: [Target] = [
  tests("IsolationTests", on: copal + ["CopalCodegen", "CopalTestSupport"], exclude: ["Fixtures"]),
  tests("SequenceTests", on: copal + ["CopalColor", "CopalTestSupport"], plugins: generator),
  tests(
    "DocumentationTests",
    on: [
      "CopalCodegen", "CopalColor", "CopalCommand", "CopalExchange", "CopalStoreConformance",
      "CopalTestSupport", "CopalTestTools", "CIndexStore", "FirstProgram",
    ] + copal,
    plugins: generator),
  tests(
    "ExampleTests",
    on: [
      "ColorLibraryExample", "ColorPickerExample", "CopalTestSupport", "DocumentsExample",
      "LibraryExample", "QueryConsoleExample", "RecipesExample",
    ]),
  tests(
    "CopalCommandTests",
    on: copal + ["CopalCommand", "CopalTestSupport", "CopalTestTools", "copal-command"]),
  tests("ConventionTests", on: []),
]

let libraries: [Target] = foundations + stores + objects
let testTargets: [Target] =
  [testTools, indexStore, testSupport] + storeTests + objectTests + wholeTests
let targets: [Target] = libraries + tools + command + examples + testTargets

let package = Package(
  name: "Copal",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: products,
  traits: [.trait(name: "Command", description: "The command copal, with Apple's ArgumentParser.")],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ],
  targets: targets,
  swiftLanguageModes: [.v6]
)
