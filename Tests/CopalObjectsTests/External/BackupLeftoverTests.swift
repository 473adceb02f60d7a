import Copal
import CopalTestSupport
import Foundation
import Testing

/// What is at the places of an incomplete backup before a backup begins.
@Suite("Backups beside files with the names of an incomplete backup", .modelAsIs)
struct BackupLeftoverTests {
  private let files: NegativeFiles
  private var manager: FileManager { FileManager.default }

  init() throws {
    files = try NegativeFiles()
    let negative = Negative(context: files.context, title: "Poppies")
    negative.scan = bytes(5000)
    try files.context.save()
  }

  private var copy: URL { files.test.folder.appending(path: "Copy.sqlite") }

  private func url(_ suffix: String) -> URL {
    files.test.folder.appending(path: "Copy.sqlite-incomplete" + suffix)
  }

  private func write(_ contents: Data, _ suffix: String) throws {
    let file = url(suffix)
    try manager.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try contents.write(to: file)
  }

  /// Everything in the test's folder that belongs to the copy, with its contents.
  private func tree() throws -> [String: Data] {
    let folder = files.test.folder.path(percentEncoded: false)
    let names = try manager.subpathsOfDirectory(atPath: folder).filter { $0.hasPrefix("Copy") }
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, manager.contents(atPath: folder + $0) ?? Data()) })
  }

  /// The bytes of a database that another program has made.
  private func database(_ sql: String) throws -> Data {
    let other = try TestStore()
    _ = try other.sqlite3(sql)
    return try Data(contentsOf: other.file)
  }

  /// Makes a backup, which is refused because of one file, and changes nothing.
  private func expectRefusal(_ suffix: String) async throws {
    let before = try tree()
    let error = await #expect(throws: PersistenceError.self) {
      try await files.container.backup(to: copy)
    }
    #expect(error?.code == .backupExists)
    #expect(error?.path == url(suffix).path(percentEncoded: false))
    #expect(try tree() == before)
  }

  @Test(
    "a backup deletes no file that another program or a person has made",
    arguments: [
      "", "-journal", "-wal", "-shm", "-lock", "-files", "-files/notes.txt",
      "-files/new/notes.txt", "-files/store-notes.txt", "-files/mine/notes.txt",
    ], [false, true])
  func foreignFiles(suffix: String, isInterrupted: Bool) async throws {
    if isInterrupted, suffix != "-lock" {
      try write(Data(), "-lock")
      try write(Data(), "")
    }
    try write(Data("mine".utf8), suffix)
    // Without the lock, nothing says that a backup has made the folder.
    let isFolder = suffix.hasPrefix("-files/")
    let refused = isFolder && !isInterrupted ? "-files" : suffix
    try await expectRefusal(
      refused.hasSuffix("mine/notes.txt") ? String(refused.dropLast(10)) : refused)
  }

  @Test("a backup deletes no database of another program", arguments: [false, true])
  func foreignDatabase(isInterrupted: Bool) async throws {
    if isInterrupted { try write(Data(), "-lock") }
    try write(database("CREATE TABLE t (a); INSERT INTO t VALUES (1)"), "")
    try await expectRefusal("")
  }

  @Test("a backup deletes no store that has such a name, nor the folder of its large values")
  func store() async throws {
    do {
      let container = try PersistentContainer(
        model: .negatives, store: .sqlite(at: url("")), transformers: [NegativeNotes()])
      let context = container.makeContext()
      Negative(context: context, title: "Mine").scan = bytes(6000)
      try context.save()
    }
    try await expectRefusal("")
    try manager.removeItem(at: url(""))
    try await expectRefusal("-files")
  }

  @Test(
    "a backup does not follow a link, and does not delete it", arguments: ["", "-files", "-lock"])
  func links(suffix: String) async throws {
    try write(Data("mine".utf8), "-target")
    if suffix != "-lock" { try write(Data(), "-lock") }
    try manager.createSymbolicLink(at: url(suffix), withDestinationURL: url("-target"))
    try await expectRefusal(suffix)
    #expect(
      try manager.destinationOfSymbolicLink(
        atPath: url(suffix).path(percentEncoded: false)
      ).hasSuffix("-target"))
  }

  @Test(
    "a backup deletes what an interrupted one has left",
    arguments: ["empty", "zeros", "complete", "none"])
  func leftovers(state: String) async throws {
    let name = String(repeating: "a", count: 32) + "-3"
    try write(Data(), "-lock")
    switch state {
    case "empty": try write(Data(), "")
    case "zeros":
      // The first page is written last.
      try write(Data(count: 8192), "")
      try write(
        Data([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]) + Data(count: 504), "-journal")
    case "complete":
      try write(database("PRAGMA application_id=1131376748; PRAGMA user_version=1; VACUUM"), "")
    default: break
    }
    for file in ["lock", "store-\(UUID())", name, "new/" + name] {
      try write(Data("abc".utf8), "-files/" + file)
    }
    try await files.container.backup(to: copy)
    let names = try manager.contentsOfDirectory(
      atPath: files.test.folder.path(percentEncoded: false))
    #expect(names.filter { $0.hasPrefix("Copy") }.sorted() == ["Copy.sqlite", "Copy.sqlite-files"])
    let container = try PersistentContainer(
      model: .negatives, store: .sqlite(at: copy), transformers: [NegativeNotes()])
    let scans = try container.makeContext().fetch(Negative.self).map { $0.scan }
    #expect(scans == [bytes(5000)])
    #expect(!(try tree().keys.contains { $0.hasSuffix(name) }))
  }

  @Test(
    "the lock of a backup that was killed at its very end goes with the next backup to the path")
  func lockAfterTheEnd() async throws {
    try await files.container.backup(to: copy)
    let before = try tree()
    try write(Data(), "-lock")
    let error = await #expect(throws: PersistenceError.self) {
      try await files.container.backup(to: copy)
    }
    #expect(error?.code == .backupExists)
    #expect(try tree() == before, "the copy is as it was")
  }
}
