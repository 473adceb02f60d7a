import CopalModel
import Foundation
import Testing

@Suite("Broken model files")
struct BrokenModelTests {
  /// The codes without a file: no file can have the problem, or the file would be too large.
  private static let codesWithoutFile: Set<ModelError.Code> = [
    .unreadable,  // An unreadable file cannot be in the repository.
    // HostileModelTests generates these.
    .tooLarge, .tooManyProblems, .tooManyAttributes,
  ]

  @Test(
    "each broken model reports exactly the problems in its comments",
    arguments: try Repository.brokenModels())
  func expectations(path: String) throws {
    let text = try Repository.text(path)
    let expected = text.split(whereSeparator: \.isNewline)
      .filter { $0.hasPrefix("// expect: ") }.map { String($0.dropFirst("// expect: ".count)) }
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(contentsOf: Repository.url(path))
    }
    let found = error?.problems.map { "\($0.position.line):\($0.position.column) \($0.code)" }
    #expect(found == expected)
    #expect(!expected.isEmpty)
  }

  @Test("every code of ModelError has a broken model file", arguments: ModelError.Code.all)
  func coverage(code: ModelError.Code) throws {
    let name = code.rawValue.dropFirst("model.".count)
    let path = "Models/Broken/\(name).model.json"
    let exists = FileManager.default.fileExists(atPath: Repository.url(path).path)
    #expect(exists != Self.codesWithoutFile.contains(code))
    if exists { #expect(try Repository.text(path).contains(" \(code)\n")) }
  }

  @Test("every code of ModelError is listed once")
  func codesAreDistinct() {
    #expect(Set(ModelError.Code.all).count == ModelError.Code.all.count)
  }

  @Test("one run of the reader reports more than a dozen kinds of mistakes")
  func everything() throws {
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(contentsOf: Repository.url("Models/Broken/everything.model.json"))
    }
    #expect(Set(error?.problems.map(\.code) ?? []).count >= 20)
  }
}
