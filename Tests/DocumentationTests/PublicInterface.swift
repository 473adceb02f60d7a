import CopalTestSupport
import Foundation

/// The public declarations of a library, from the symbol graph that the compiler makes of its
/// module (<https://github.com/swiftlang/swift-docc-symbolkit>).
struct PublicInterface {
  /// The libraries whose declarations a user can write: those that `Copal` exports, and those that
  /// are products of their own.
  static let libraries = [
    "Copal", "CopalArchive", "CopalColor", "CopalCommand", "CopalExchange", "CopalFoundation",
    "CopalModel", "CopalObjects",
    "CopalSQLite", "CopalStore", "CopalStoreConformance", "CopalTransformers",
  ]

  /// A declaration a line, sorted: its path, and how it is declared. A conformance is a line, too.
  let lines: [String]

  /// - Parameter library: a library of this package, which is built.
  init(of library: String) throws {
    let folder = try TemporaryFolder()
    try Self.extract(library, to: folder.url)
    var lines: Set<String> = []
    // What a library adds to the types of others is in files of their own.
    for file in try FileManager.default.contentsOfDirectory(
      atPath: folder.url.path(percentEncoded: false))
    {
      let data = try Data(contentsOf: folder.url.appending(path: file))
      lines.formUnion(try JSONDecoder().decode(SymbolGraph.self, from: data).lines)
    }
    lines.formUnion(try Self.exports(of: library))
    self.lines = lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// What a library makes visible of others: no symbol graph has it.
  private static func exports(of library: String) throws -> [String] {
    guard library == "Copal" else { return [] }
    return try Repository.text("Sources/Copal/Exports.swift").split(separator: "\n").compactMap {
      $0.wholeMatch(of: #/@_exported public import (.+)/#).map { "exports: \($0.1)" }
    }
  }

  private static func extract(_ library: String, to folder: URL) throws {
    let maps = ["CCopalSQLite", "CErrorPage/include"].flatMap {
      let map = Repository.root.appending(path: "Sources/\($0)/module.modulemap")
      return ["-Xcc", "-fmodule-map-file=\(map.path(percentEncoded: false))"]
    }
    let modules = Command.products.appending(path: "Modules")
    let result = try Program.run(
      [
        "swift-symbolgraph-extract", "-module-name", library, "-minimum-access-level", "public",
        "-skip-synthesized-members", "-target", try target(),
        "-I", modules.path(percentEncoded: false),
        "-output-dir", folder.path(percentEncoded: false),
      ] + maps)
    guard result.status == 0 else { throw Failure(output: result.output) }
  }

  /// The platform for which the compiler builds, such as `x86_64-unknown-linux-gnu`.
  private static func target() throws -> String {
    let result = try Command.run("swiftc", "-print-target-info")
    struct Info: Decodable {
      struct Target: Decodable { let triple: String }
      let target: Target
    }
    return try JSONDecoder().decode(Info.self, from: Data(result.output.utf8)).target.triple
  }

  struct Failure: Error { let output: String }
}

/// The part of a symbol graph that its lines need.
private struct SymbolGraph: Decodable {
  let symbols: [Symbol]
  let relationships: [Relationship]

  struct Symbol: Decodable {
    let identifier: Identifier
    let pathComponents: [String]
    let declarationFragments: [Fragment]
    let swiftExtension: Extension?
    let availability: [Availability]?
  }
  struct Identifier: Decodable { let precise: String }
  struct Fragment: Decodable { let spelling: String }
  struct Extension: Decodable { let constraints: [Constraint]? }
  struct Constraint: Decodable { let kind, lhs, rhs: String }
  struct Availability: Decodable { let isUnconditionallyDeprecated: Bool? }
  struct Relationship: Decodable {
    let kind, source, target: String
    let targetFallback: String?
  }

  var lines: [String] { symbols.map(Self.line) + conformances }

  private static func line(of symbol: Symbol) -> String {
    let path = symbol.pathComponents.joined(separator: ".")
    let declaration = symbol.declarationFragments.map(\.spelling).joined()
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return path + ": " + declaration + constraints(of: symbol) + availability(of: symbol)
  }

  /// What must be true of the type that an extension is of.
  private static func constraints(of symbol: Symbol) -> String {
    let constraints = (symbol.swiftExtension?.constraints ?? []).map {
      "\($0.lhs) \($0.kind == "sameType" ? "==" : ":") \($0.rhs)"
    }
    return constraints.isEmpty ? "" : " [where \(constraints.sorted().joined(separator: ", "))]"
  }

  private static func availability(of symbol: Symbol) -> String {
    // A graph has nothing that is unavailable.
    let isDeprecated =
      symbol.availability?.contains { $0.isUnconditionallyDeprecated == true } == true
    return isDeprecated ? " [deprecated]" : ""
  }

  /// What every type conforms to, as the compiler's version sees it.
  private static let implied: Set<String> = ["Copyable", "Escapable", "SendableMetatype"]

  /// The name of a type or a protocol that another module of Copal declares, such as
  /// `FetchPredicate` for `s:10CopalModel14FetchPredicateO`; nil for a nested type and for types of
  /// Swift.
  private static func typeOfCopal(_ identifier: String) -> String? {
    guard let match = identifier.wholeMatch(of: /s:\d+Copal[A-Za-z]*?(\d+)([A-Za-z]+)[A-Z]/),
      let length = Int(match.1), match.2.count == length
    else { return nil }
    return String(match.2)
  }

  private var conformances: [String] {
    let paths = Dictionary(
      symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
      uniquingKeysWith: { first, _ in first })
    return relationships.compactMap { relationship in
      guard relationship.kind == "conformsTo",
        let path = paths[relationship.source] ?? Self.typeOfCopal(relationship.source)
      else { return nil }
      let name =
        relationship.targetFallback ?? paths[relationship.target]
        ?? Self.typeOfCopal(relationship.target) ?? relationship.target
      let short = name.split(separator: ".").last.map(String.init) ?? name
      return Self.implied.contains(short) ? nil : "\(path): conforms to \(short)"
    }
  }
}
