// swift-tools-version: 6.2
// Typical packages of users, each as a target. Scripts/test-clients builds and runs them.
import PackageDescription

/// The path of Copal, because the script copies this package to another folder.
let copal = Context.environment["COPAL_PACKAGE"] ?? "../.."

/// A target whose build must fail; nil for all that work.
let broken = Context.environment["COPAL_BROKEN_CLIENT"].flatMap { $0.isEmpty ? nil : $0 }

let everyFeature: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
]

let libraries: [Target.Dependency] = [
  .product(name: "Copal", package: "Copal"), .product(name: "CopalColor", package: "Copal"),
]
let plugin: Target.PluginUsage = .plugin(name: "CopalPlugin", package: "Copal")

@MainActor func client(_ name: String, settings: [SwiftSetting]) -> Target {
  .executableTarget(
    name: name, dependencies: libraries, swiftSettings: settings, plugins: [plugin])
}

/// A client that must not build: two of them lack a library.
@MainActor func brokenClient(_ name: String) -> Target {
  .executableTarget(
    name: name,
    dependencies: name == "NoLibrary"
      ? []
      : name == "NoColor"
        ? [libraries[0]] : libraries + (name == "ForeignSetter" ? ["PublicModels"] : []),
    // It has no model of its own.
    plugins: name == "ForeignSetter" ? [] : [plugin])
}

/// A library with models.
let models = Target.target(
  name: "PublicModels", dependencies: libraries, swiftSettings: everyFeature, plugins: [plugin])

let working: [Target] = [
  client("InternalClient", settings: everyFeature),
  models,
  .executableTarget(
    name: "PublicClient", dependencies: libraries + ["PublicModels"], swiftSettings: everyFeature),
  client("ExtensionClient", settings: []),
  client("Swift5Client", settings: [.swiftLanguageMode(.v5)]),
  client("MainActorClient", settings: [.defaultIsolation(MainActor.self)]),
  // The store of Docs/StoreAuthors.md, which the script puts beside its main.swift.
  .executableTarget(
    name: "StoreClient",
    dependencies: [
      .product(name: "Copal", package: "Copal"), .product(name: "CopalStore", package: "Copal"),
      .product(name: "CopalStoreConformance", package: "Copal"),
    ]),
]

let package = Package(
  name: "Clients",
  platforms: [.macOS(.v15)],
  // Models of several programs, with Copal inside, in a library that is loaded when a program starts.
  products: broken == nil
    ? [.library(name: "SharedModels", type: .dynamic, targets: ["PublicModels"])] : [],
  dependencies: [.package(name: "Copal", path: copal)],
  targets: broken.map { [brokenClient($0)] + ($0 == "ForeignSetter" ? [models] : []) } ?? working,
  swiftLanguageModes: [.v6]
)
