import Copal
import CopalTestSupport
import Foundation
import Testing

/// The table of `Docs/Contexts.md`, for large values.
@Suite("Large values that another context replaces", .modelAsIs)
struct ExternalMergeTests {
  /// A value of an external attribute: none, one in the row, and two in files.
  enum Value: String, CaseIterable, Sendable {
    case none, inRow, inFile, inOtherFile

    var data: Data? {
      switch self {
      case .none: nil
      case .inRow: bytes(10)
      case .inFile: bytes(5000)
      case .inOtherFile: bytes(5000, 7)
      }
    }
  }

  private static let changes: [(Value, Value)] = Value.allCases.flatMap { before in
    Value.allCases.filter { $0 != before }.map { (before, $0) }
  }

  @Test(
    "an object with an unsaved change of another property gets the new value and keeps the change",
    arguments: bothStores, changes)
  func otherProperty(_ kind: StoreKind, _ change: (Value, Value)) throws {
    let files = try NegativeFiles(kind)
    let mine = files.context
    mine.automaticallyMergesChanges = true
    let negative = Negative(context: mine, title: "Poppies")
    negative.scan = change.0.data
    try mine.save()
    let theirs = files.container.makeContext()
    negative.title = "Mine"
    try theirs.existingObject(with: negative.objectID, as: Negative.self).scan = change.1.data
    try theirs.save()
    let merged = mine.mergeChanges()
    #expect(merged.refreshed == [negative])
    #expect(negative.scan == change.1.data && negative.title == "Mine")
    try mine.save()
    #expect(try files.scan(negative) == change.1.data)
  }

  @Test(
    "an object with another unsaved value stays as it is, and its save is a conflict",
    arguments: bothStores, changes)
  func sameProperty(_ kind: StoreKind, _ change: (Value, Value)) throws {
    let files = try NegativeFiles(kind)
    let mine = files.context
    mine.automaticallyMergesChanges = true
    let negative = Negative(context: mine, title: "Poppies")
    negative.scan = change.0.data
    try mine.save()
    let theirs = files.container.makeContext()
    negative.scan = bytes(6000, 3)
    try theirs.existingObject(with: negative.objectID, as: Negative.self).scan = change.1.data
    try theirs.save()
    #expect(mine.mergeChanges().refreshed.isEmpty)
    #expect(negative.scan == bytes(6000, 3))
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(error?.causeCodes == [.conflict])
    mine.rollback()
    #expect(negative.scan == change.1.data)
  }
}
