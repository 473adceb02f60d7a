import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("The check of a test's stores")
struct StoreFileTests {
  /// A folder with a store of one painter and a painting, changed by another program.
  private func folder(_ sql: String = "") throws -> TestStore {
    let test = try TestStore()
    let tester = try test.storeTester(StoreModels.gallery())
    try tester.commit { changes in
      let painter = try changes.insert("Painter", ["name": "Jan Vermeer"])
      try changes.insert("Painting", ["title": "View of Delft", "painter": .integer(painter)])
    }
    #expect(try test.sqlite3(sql) == "")
    return test
  }

  private let damage =
    "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL"

  @Test("a dangling reference is found, with its file, its row and its table")
  func references() throws {
    let test = try folder("DELETE FROM Painter")
    test.expectsBrokenReferences()
    let files = StoreFile.all(in: test.folder)
    #expect(files.map { $0.url.lastPathComponent } == ["Atelier.sqlite"])
    #expect(
      files.flatMap { $0.problems(.references) } == [
        "Atelier.sqlite: PRAGMA foreign_key_check: Painting|1|Painter|0"
      ])
    #expect(files.flatMap { $0.problems(.integrity) } == [])
  }

  @Test("a file that is not a database is left out; one that is in a subfolder is not")
  func files() throws {
    let test = try folder()
    try Data("a text".utf8).write(to: test.folder.appending(path: "Text.sqlite"))
    try Data().write(to: test.folder.appending(path: "Empty.sqlite"))
    let inner = test.folder.appending(path: "inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: test.file, to: inner.appending(path: "Moved.sqlite"))
    #expect(StoreFile.all(in: test.folder).map { $0.url.lastPathComponent } == ["Moved.sqlite"])
  }

  @Test("a test whose store has a dangling reference fails")
  func unexpectedReferences() throws {
    try withKnownIssue {
      _ = try folder("DELETE FROM Painter")
    } matching: {
      "\($0)".contains("Atelier.sqlite: PRAGMA foreign_key_check: Painting|1|Painter|0")
    }
  }

  @Test("a test whose store is damaged fails, unless it allows that")
  func unexpectedDamage() throws {
    try withKnownIssue {
      _ = try folder(damage)
    } matching: {
      "\($0)".contains("Atelier.sqlite: PRAGMA integrity_check: ")
    }
    try folder(damage).allowsDamage()
  }

  @Test("a test that expects broken references, and leaves none, fails")
  func missingReferences() throws {
    try withKnownIssue {
      try folder().expectsBrokenReferences()
    } matching: {
      "\($0)".contains("The test expects broken references, and its stores have none.")
    }
  }
}
