import Foundation
import Testing

/// Foundation's operators of decimals end the process for some products, and lose digits of
/// quotients. `DecimalParts` has the arithmetic. A text search cannot see the types of operands, so
/// this suite looks for the operators in the compiled files.
@Suite("Operators of decimals")
struct DecimalOperatorTests {
  /// The folder of the build that the tests belong to.
  private static let build = Bundle.main.executableURL?.deletingLastPathComponent()

  private static let modules = [
    "Copal", "CopalArchive", "CopalCodegen", "CopalColor", "CopalFoundation", "CopalModel",
    "CopalObjects", "CopalSQL", "CopalSQLite", "CopalStore", "CopalStoreConformance",
    "CopalTransformers",
  ]

  /// The operators and `negate()` of Foundation's decimal that the files of a module use. The
  /// mangled name of an operator is its number of signs, a letter for each, and `oi` or `op`.
  private static func operators(in module: String) throws -> (files: Int, used: Set<String>) {
    let folder = try #require(build).appending(path: "\(module).build")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "o" }
    var used: Set<String> = []
    for file in files {
      let data = try Data(contentsOf: file)
      guard let place = data.range(of: Data("7DecimalV".utf8)) else { continue }
      let text = String(decoding: data[place.lowerBound...], as: Unicode.ASCII.self)
      for match in text.matches(of: /7DecimalV(?:[12][a-z]{1,2}o[ip]|6negate)/) {
        used.insert("\(file.lastPathComponent): \(match.output)")
      }
    }
    return (files.count, used)
  }

  @Test("no library uses Foundation's operators of decimals", arguments: modules)
  func libraries(module: String) throws {
    let found = try Self.operators(in: module)
    #expect(found.files > 0)
    #expect(found.used == [])
  }

  @Test("the search finds an operator where there is one")
  func search() throws {
    // This file has one.
    #expect(sum(1, 2) == 3)
    #expect(try Self.operators(in: "ConventionTests").used.count >= 1)
  }

  private func sum(_ a: Decimal, _ b: Decimal) -> Decimal { a + b }
}
