import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Files of large values that are missing or damaged", .modelAsIs)
struct ExternalFailureTests {
  private let files: NegativeFiles
  private let negative: Negative
  private let file: URL

  init() throws {
    files = try NegativeFiles()
    negative = Negative(context: files.context, title: "Poppies")
    negative.scan = bytes(5000)
    try files.context.save()
    file = try files.onlyFile()
  }

  /// The error of reading the value in a new context, in which everything else can be read.
  private func failure() throws -> PersistenceError? {
    let context = files.container.makeContext()
    let found = try context.existingObject(with: negative.objectID, as: Negative.self)
    let error = #expect(throws: PersistenceError.self) {
      try found.value(of: "scan", as: Data.self)
    }
    #expect(found.title == "Poppies" && found.scan == nil && found.notes == nil)
    #expect(error?.entity == "Negative" && error?.property == "scan")
    #expect(error?.objectID == negative.objectID)
    #expect(files.test.takeReadFailures().map(\.code) == [error?.code])
    // A save of another attribute leaves the value as it is.
    found.title = "Poppies again"
    try context.save()
    found.title = "Poppies"
    try context.save()
    return error
  }

  @Test("a missing file is an error of its attribute alone")
  func missing() throws {
    let name = file.lastPathComponent
    try FileManager.default.removeItem(at: file)
    let error = try failure()
    #expect(error?.code == .externalFileMissing && error?.found == name)
    #expect(try files.references() == [name])
  }

  @Test("a file of another size is an error, so that no program reads half a value")
  func otherSize() throws {
    try bytes(4999).write(to: file)
    let error = try failure()
    #expect(error?.code == .externalFileUnreadable)
    #expect(error?.found?.hasSuffix("it has 4999 bytes instead of 5000") == true)
  }

  @Test(
    "what is no plain file in the folder is not read",
    arguments: ["link", "folder", "pipe"])
  func otherKinds(kind: String) throws {
    let path = file.path(percentEncoded: false)
    let secret = files.test.folder.appending(path: "secret")
    try bytes(5000).write(to: secret)
    try FileManager.default.removeItem(at: file)
    switch kind {
    case "link":
      try FileManager.default.createSymbolicLink(at: file, withDestinationURL: secret)
    case "folder":
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    default: #expect(mkfifo(path, 0o600) == 0)
    }
    #expect(try failure()?.code == .externalFileUnreadable)
    // Removing the folder of a test opens a pipe, and waits.
    if kind == "pipe" { unlink(path) }
  }

  @Test(
    "a name that Copal has not written leads to no file",
    arguments: [
      "../secret", "/etc/passwd", "", ".", "..", "new", "lock", "new/../../secret", "char(0)",
      String(repeating: "a", count: 300), String(repeating: "a", count: 2000),
      String(repeating: "a", count: 32), String(repeating: "a", count: 32) + "-",
      String(repeating: "a", count: 32) + "-0", String(repeating: "a", count: 32) + "-05",
      String(repeating: "a", count: 32) + "-+5", String(repeating: "A", count: 32) + "-5",
      String(repeating: "a", count: 32) + "-99999999999999999999",
      String(repeating: "a", count: 31) + "/-5", String(repeating: "a", count: 32) + "-5\u{0}",
      String(repeating: "é", count: 16) + "-5",
    ])
  func hostileNames(name: String) throws {
    try bytes(5000).write(to: files.test.folder.appending(path: "secret"))
    let hex = name.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    _ = try files.test.sqlite3("UPDATE Negative SET scan = CAST(x'\(hex)' AS TEXT)")
    let error = try failure()
    #expect([.externalFileUnreadable, .typeMismatch].contains(error?.code))
    let kept = try files.test.sqlite3("SELECT hex(CAST(scan AS BLOB)) FROM Negative")
    #expect(kept.lowercased() == hex)
    // Deleting the object must remove nothing outside the folder.
    let context = files.container.makeContext()
    context.delete(try context.existingObject(with: negative.objectID, as: Negative.self))
    try context.save()
    try files.container.store.removeUnreferencedFiles(checkingAll: true)
    #expect(files.names().isEmpty)
    #expect(
      FileManager.default.fileExists(
        atPath: files.test.folder.appending(path: "secret").path(percentEncoded: false)))
  }

  @Test(
    "a file that two rows have, because another program has copied one, stays until none has it")
  func copiedRow() throws {
    _ = try files.test.sqlite3(
      """
      INSERT INTO Negative (copal_id, copal_version, copal_entity, title, scan)
      SELECT 1000, 1, copal_entity, 'Copy', scan FROM Negative
      """)
    let context = files.container.makeContext()
    context.delete(try context.existingObject(with: negative.objectID, as: Negative.self))
    try context.save()
    #expect(try files.container.store.removeUnreferencedFiles(checkingAll: true) == 0)
    let copy = try #require(try context.fetch(Negative.self).first)
    #expect(copy.title == "Copy" && copy.scan == bytes(5000))
    context.delete(copy)
    try context.save()
    #expect(try files.container.store.removeUnreferencedFiles(checkingAll: false) == 1)
    #expect(files.names().isEmpty)
  }

  @Test("an object whose value another context has replaced finds the new one after a refresh")
  func stale() throws {
    let reader = files.container.makeContext()
    let old = try reader.existingObject(with: negative.objectID, as: Negative.self)
    negative.scan = bytes(6000)
    try files.context.save()
    #expect(old.scan == bytes(5000), "its file is still there")
    try files.container.store.removeUnreferencedFiles(checkingAll: false)
    #expect(throws: PersistenceError.self) { try old.value(of: "scan", as: Data.self) }
    try reader.refresh(old, mergeChanges: false)
    #expect(old.scan == bytes(6000))
  }
}
