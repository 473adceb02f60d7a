import Copal
import CopalTestSupport
import Foundation
import Testing

/// A store of negatives, and the files beside it.
struct NegativeFiles {
  let test: TestStore
  let container: PersistentContainer
  let context: ManagedObjectContext

  init(_ test: TestStore) throws {
    self.test = test
    container = try test.container(.negatives, transformers: [NegativeNotes()])
    context = container.makeContext()
  }

  init(_ kind: StoreKind = .sqlite) throws { try self.init(TestStore(kind)) }

  /// The folder of the files.
  var folder: URL {
    URL(filePath: test.file.path(percentEncoded: false) + "-files", directoryHint: .isDirectory)
  }

  /// The names of the files, with those that no commit has kept yet.
  func names() -> [String] {
    let manager = FileManager.default
    return [folder, folder.appending(path: "new")].flatMap {
      (try? manager.contentsOfDirectory(atPath: $0.path(percentEncoded: false))) ?? []
    }.filter { $0 != "new" && $0 != "lock" && !$0.hasPrefix("store-") }.sorted()
  }

  /// The names in the rows.
  func references() throws -> [String] {
    try test.sqlite3(
      """
      SELECT scan FROM Negative WHERE typeof(scan) = 'text'
      UNION ALL SELECT notes FROM Negative WHERE typeof(notes) = 'text'
      UNION ALL SELECT profile FROM Negative WHERE typeof(profile) = 'text'
      UNION ALL SELECT image FROM ContactPrint WHERE typeof(image) = 'text'
      """
    ).split(separator: "\n").map(String.init).sorted()
  }

  /// The path of the only file.
  func onlyFile() throws -> URL {
    let names = names()
    try #require(names.count == 1)
    return folder.appending(path: names[0])
  }

  /// The value of a negative, as a new context reads it.
  func scan(_ negative: Negative) throws -> Data? {
    let context = container.makeContext()
    let object = try context.existingObject(with: negative.objectID, as: Negative.self)
    return try object.value(of: "scan", as: Data.self)
  }

  /// The same store, opened again.
  func reopened() throws -> NegativeFiles { try NegativeFiles(test) }
}

/// Bytes that differ for each number.
func bytes(_ count: Int, _ number: UInt8 = 1) -> Data {
  Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) ^ number })
}

/// Lines of text as bytes, the second version with a byte before them.
struct NegativeNotes: RegistrableTransformer {
  struct NotNotes: Error {}

  var version: Int? { 2 }

  func encode(_ notes: [String]) -> Data { Data([2]) + Data(notes.joined(separator: "\n").utf8) }

  func decode(_ stored: Data) throws -> [String] {
    guard stored.first == 2 else { throw NotNotes() }
    return try decode(stored.dropFirst(), version: 1)
  }

  func decode(_ stored: Data, version: Int?) throws -> [String] {
    String(decoding: stored, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
