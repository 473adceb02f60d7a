import CopalTestSupport
import Foundation
import Testing

/// Code that the compiler must refuse or warn of. The first lines of each fixture have the expected
/// errors or warnings, or say that it compiles, which shows that the others fail for the expected
/// reason.
@Suite("Errors and warnings of the compiler")
struct CompilerMessageTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures")

  static let fixtures: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)))
    ?? []).filter { $0.hasSuffix(".swift") }.sorted()

  @Test("the fixtures are found") func thereAreFixtures() { #expect(Self.fixtures.count > 8) }

  @Test("the compiler gives each fixture the messages in its first lines", arguments: fixtures)
  func theCompilerSaysWhatTheFixtureExpects(_ fixture: String) throws {
    let file = Self.folder.appending(path: fixture)
    let expected = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .prefix { $0.hasPrefix("// ") }.map { $0.dropFirst("// ".count) }
    try #require(!expected.isEmpty)
    let (succeeds, output) = try Compiler().check(file)
    #expect(succeeds == !expected.contains { $0.hasPrefix("error: ") }, "\(output)")
    if expected == ["compiles"] { return #expect(!output.contains("warning:"), "\(output)") }
    for line in expected {
      // Some of what the compiler says before the words that matter.
      let kind = line.prefix { $0 != " " }
      let words = line.dropFirst(kind.count + 1)
      #expect(kind == "error:" || kind == "warning:")
      #expect(
        output.split(separator: "\n").contains { $0.contains("\(kind) ") && $0.contains(words) },
        "\(line)\n\(output)")
    }
  }
}

/// The Swift compiler, on the modules that this test was built with.
struct Compiler {
  /// - Parameter longestExpression: the time, in milliseconds of the processor, from which on the
  ///   compiler warns of an expression that takes long to type-check.
  func check(_ file: URL, longestExpression: Int = 1000) throws -> (
    succeeds: Bool, output: String
  ) {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let products = Bundle.main.bundleURL.resolvingSymlinksInPath()
    let (status, output) = try Program.run([
      // As far as SIL: the checks of regions run there, after the type checker.
      "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library",
      "-I", products.appending(path: "Modules").path(percentEncoded: false),
      "-Xcc",
      "-fmodule-map-file=\(root.path(percentEncoded: false))Sources/CCopalSQLite/module.modulemap",
      "-Xfrontend", "-warn-long-expression-type-checking=\(longestExpression)",
      "-module-name", "Fixture", file.path(percentEncoded: false),
    ])
    return (status == 0, output)
  }
}
