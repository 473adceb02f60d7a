// swift-tools-version: 6.2
// Writes the store and the archive that a release leaves behind: Scripts/make-fixtures runs it.
import PackageDescription

let package = Package(
  name: "Maker",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Copal", path: "../../../..")],
  targets: [
    .executableTarget(
      name: "MakeFixtures",
      dependencies: [
        .product(name: "Copal", package: "Copal"), .product(name: "CopalArchive", package: "Copal"),
      ])
  ]
)
