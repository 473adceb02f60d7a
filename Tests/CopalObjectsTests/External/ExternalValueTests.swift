import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Large values in files", .modelAsIs)
struct ExternalValueTests {
  private let files: NegativeFiles
  private var context: ManagedObjectContext { files.context }

  init() throws { files = try NegativeFiles() }

  private func negative(_ title: String = "Poppies", scan: Data?) throws -> Negative {
    let negative = Negative(context: context, title: title)
    negative.scan = scan
    try context.save()
    return negative
  }

  // MARK: Where a value is

  @Test(
    "row 69: a value of more bytes than the threshold is in a file, and its row has the name",
    arguments: [(0, false), (1000, false), (1001, true), (300_000, true)])
  func threshold(count: Int, isInFile: Bool) throws {
    let negative = try negative(scan: bytes(count))
    #expect(try files.scan(negative) == bytes(count))
    #expect(
      try files.test.sqlite3("SELECT typeof(scan) FROM Negative") == (isInFile ? "text" : "blob"))
    #expect(files.names().count == (isInFile ? 1 : 0))
    #expect(try files.references() == files.names())
    if isInFile {
      #expect(try Data(contentsOf: files.onlyFile()) == bytes(count))
      #expect(try files.onlyFile().lastPathComponent.hasSuffix("-\(count)"))
    }
  }

  @Test(
    "the value of the context that saved it, and of one that opens the store again, is the same")
  func reopening() throws {
    let negative = try negative(scan: bytes(5000))
    #expect(negative.scan == bytes(5000))
    let again = try files.reopened()
    let found = try #require(try again.context.fetch(Negative.self).first)
    #expect(found.scan == bytes(5000) && found.title == "Poppies" && !found.hasChanges)
    #expect(again.test.takeReadFailures().isEmpty)
  }

  @Test(
    "a transformable that is stored as BLOB can be external, with the version of its transformer")
  func transformable() throws {
    let negative = Negative(context: context, title: "Notes")
    negative.notes = (0..<100).map { "exposure \($0)" }
    try context.save()
    #expect(try files.references().count == 1)
    let found = try #require(try files.reopened().context.fetch(Negative.self).first)
    #expect(found.notes == (0..<100).map { "exposure \($0)" })
    found.notes?.append("and one more")
    #expect(found.hasPersistentChangedValues)
    // A value of the first version.
    let old = Data((0..<100).map { "exposure \($0)" }.joined(separator: "\n").utf8)
    let name = try #require(files.names().first)
    let file = String(name.prefix(33)) + "\(old.count)"
    try old.write(to: files.folder.appending(path: file))
    _ = try files.test.sqlite3(
      "UPDATE Negative SET notes = '\(file)', copal_transformerVersion_notes = NULL")
    let older = try #require(try files.reopened().context.fetch(Negative.self).first)
    #expect(older.notes?.last == "exposure 99")
  }

  @Test("an upgrade of a whole store writes large values of an older version to new files")
  func upgrade() async throws {
    for number in 0..<3 {
      let negative = Negative(context: context, title: "Notes \(number)")
      negative.notes = (0..<100).map { "exposure \($0)" }
      try context.save()
    }
    // As an older transformer has written them: without the first byte, and without a version.
    for name in files.names() {
      let file = files.folder.appending(path: name)
      let old = try Data(contentsOf: file).dropFirst()
      let oldName = String(name.prefix(33)) + "\(old.count)"
      try FileManager.default.removeItem(at: file)
      try Data(old).write(to: files.folder.appending(path: oldName))
      _ = try files.test.sqlite3(
        "UPDATE Negative SET notes = '\(oldName)', copal_transformerVersion_notes = NULL WHERE notes = '\(name)'"
      )
    }
    let reopened = try files.reopened()
    let before = files.names()
    let upgrade = try await reopened.container.upgradeTransformables()
    #expect(upgrade.upgradedCount == 3)
    try await reopened.container.removeUnreferencedFiles()
    #expect(files.names().count == 3 && Set(files.names()).isDisjoint(with: before))
    #expect(try files.references() == files.names())
    for negative in try reopened.container.makeContext().fetch(Negative.self) {
      #expect(negative.notes?.count == 100)
    }
  }

  @Test("a subentity has files of its own attributes and of those of its parent")
  func subentity() throws {
    let negative = ColorNegative(context: context, title: "Color")
    (negative.scan, negative.profile) = (bytes(2000), bytes(3000))
    try context.save()
    #expect(try files.references().count == 2)
    let other = try files.reopened().context
    let found = try #require(try other.fetch(Negative.self).first as? ColorNegative)
    #expect(found.scan == bytes(2000) && found.profile == bytes(3000))
    other.delete(found)
    try other.save()
    #expect(try removeFiles() == 2)
  }

  @Test("a store in memory keeps every value in its row")
  func memory() throws {
    let files = try NegativeFiles(.memory)
    let negative = Negative(context: files.context, title: "Memory")
    negative.scan = bytes(5000)
    try files.context.save()
    #expect(try files.scan(negative) == bytes(5000))
  }

  // MARK: Changes

  private func removeFiles(checkingAll: Bool = false) throws -> Int {
    try files.container.store.removeUnreferencedFiles(checkingAll: checkingAll)
  }

  @Test("a replaced value has another file, and the former one goes with the next removal")
  func replacing() throws {
    let negative = try negative(scan: bytes(5000))
    let former = try files.onlyFile().lastPathComponent
    negative.scan = bytes(5000, 2)
    try context.save()
    #expect(files.names().count == 2 && files.names().contains(former))
    #expect(try removeFiles() == 1)
    #expect(try files.references() == files.names() && !files.names().contains(former))
    #expect(try files.scan(negative) == bytes(5000, 2))
  }

  @Test("a value that becomes small, or nil, leaves no file")
  func shrinking() throws {
    let negative = try negative(scan: bytes(5000))
    negative.scan = bytes(10)
    try context.save()
    #expect(try removeFiles() == 1)
    #expect(files.names().isEmpty)
    negative.scan = bytes(6000)
    try context.save()
    negative.scan = nil
    try context.save()
    #expect(try removeFiles() == 1)
    #expect(files.names().isEmpty && negative.scan == nil)
    #expect(try files.scan(negative) == nil)
  }

  @Test("an equal value that is set writes nothing, and one of the same size does")
  func equalValues() throws {
    let negative = try negative(scan: bytes(5000))
    _ = files.test.recorder.take()
    negative.scan = bytes(5000)
    #expect(!negative.hasPersistentChangedValues)
    try context.save()
    #expect(files.names().count == 1)
    #expect(!files.test.recorder.take().contains { $0.hasPrefix("UPDATE") })
    negative.scan = bytes(5000, 3)
    #expect(negative.hasPersistentChangedValues)
    try context.save()
    #expect(try files.scan(negative) == bytes(5000, 3))
  }

  @Test("a change of another attribute leaves the file as it is")
  func otherAttribute() throws {
    let negative = try negative(scan: bytes(5000))
    let file = try files.onlyFile()
    negative.title = "Poppies near Argenteuil"
    try context.save()
    #expect(try files.onlyFile() == file)
    #expect(try files.scan(negative) == bytes(5000))
    #expect(try removeFiles() == 0)
  }

  @Test("a deleted object leaves no file, nor does one whose row was not read")
  func deleting() throws {
    let negative = try negative(scan: bytes(5000))
    for _ in 0..<3 {
      let print = ContactPrint(context: context, image: bytes(150_000))
      print.negative = negative
    }
    try context.save()
    #expect(files.names().count == 4)
    // The prints are deleted by their rows only: nothing has read them.
    let other = files.container.makeContext()
    other.delete(try other.existingObject(with: negative.objectID, as: Negative.self))
    try other.save()
    #expect(try files.references().isEmpty)
    #expect(try removeFiles() == 4)
    #expect(files.names().isEmpty)
  }

  @Test("the copy of an object has a file of its own")
  func copying() throws {
    let negative = try negative(scan: bytes(5000))
    let copy = try context.copy(of: negative)
    try context.save()
    #expect(Set(try files.references()).count == 2)
    context.delete(negative)
    try context.save()
    #expect(try removeFiles() == 1)
    #expect(try files.scan(copy) == bytes(5000))
  }

  @Test(
    "a refresh with merged changes keeps a large change, and takes the large value of another context"
  )
  func refreshing() throws {
    let negative = try negative(scan: bytes(5000))
    let other = files.container.makeContext()
    let theirs = try other.existingObject(with: negative.objectID, as: Negative.self)
    theirs.scan = bytes(5000, 2)
    try other.save()
    negative.title = "Mine"
    try context.refresh(negative, mergeChanges: true)
    #expect(negative.scan == bytes(5000, 2) && negative.title == "Mine")
    negative.scan = bytes(7000)
    theirs.title = "Theirs"
    try other.save()
    try context.refresh(negative, mergeChanges: true)
    try context.save()
    #expect(try files.scan(negative) == bytes(7000))
  }

  // MARK: Saves that fail

  @Test("a save that is refused leaves no file and keeps the change, and the next save writes it")
  func refusedSave() throws {
    let first = try negative(scan: nil)
    first.number = 1
    try context.save()
    let second = Negative(context: context, title: "Second")
    (second.number, second.scan) = (1, bytes(5000))
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(files.names().isEmpty)
    #expect(second.scan == bytes(5000))
    second.number = 2
    try context.save()
    #expect(try files.scan(second) == bytes(5000))
    #expect(try files.references() == files.names() && files.names().count == 1)
  }

  @Test("a save with a conflict leaves no file")
  func conflict() throws {
    let negative = try negative(scan: bytes(5000))
    let other = files.container.makeContext()
    let theirs = try other.existingObject(with: negative.objectID, as: Negative.self)
    theirs.title = "Theirs"
    try other.save()
    negative.scan = bytes(6000)
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(files.names().count == 1)
    #expect(try removeFiles() == 0)
    try context.refresh(negative, mergeChanges: true)
    try context.save()
    #expect(try files.scan(negative) == bytes(6000))
  }

  @Test("a rollback leaves no file")
  func rollback() throws {
    let negative = try negative(scan: bytes(5000))
    negative.scan = bytes(6000)
    context.rollback()
    #expect(negative.scan == bytes(5000) && files.names().count == 1)
  }

  @Test("when no file can be written, the save throws, and everything is as it was")
  func noFolder() throws {
    try Data("not a folder".utf8).write(
      to: URL(filePath: files.folder.path(percentEncoded: false).dropLast(1).description))
    let negative = Negative(context: context, title: "Poppies")
    negative.scan = bytes(5000)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .inputOutput)
    #expect(negative.isInserted && negative.scan == bytes(5000))
    #expect(try files.test.sqlite3("SELECT count(*) FROM Negative") == "0")
    negative.scan = bytes(10)
    try context.save()
    #expect(try files.scan(negative) == bytes(10))
  }

  // MARK: Older readers, and removal

  @Test("a file stays while a reader sees a state of the store that has it")
  func olderReader() throws {
    let negative = try negative(scan: bytes(5000))
    let reader = files.container.makeContext()
    let old = try reader.existingObject(with: negative.objectID, as: Negative.self)
    try reader.refresh(old, mergeChanges: false)
    try reader.readTransaction {
      // The first read in the transaction decides which state it sees.
      _ = try reader.count(Negative.self)
      negative.scan = nil
      try context.save()
      #expect(try removeFiles() == 0)
      #expect(old.scan == bytes(5000))
    }
    #expect(try removeFiles() == 1)
    #expect(files.names().isEmpty)
  }

  @Test(
    "files of a save that was killed are removed when the store is opened, and one that a row has is kept"
  )
  func leftovers() throws {
    let negative = try negative(scan: bytes(5000))
    let file = try files.onlyFile()
    let new = files.folder.appending(path: "new")
    let moved = new.appending(path: file.lastPathComponent)
    try FileManager.default.moveItem(at: file, to: moved)
    #expect(try files.scan(negative) == bytes(5000), "a file is found where a save has written it")
    let left = new.appending(path: String(repeating: "a", count: 32) + "-3")
    try Data("abc".utf8).write(to: left)
    let foreign = new.appending(path: "holiday.jpg")
    try Data("abc".utf8).write(to: foreign)
    let again = try files.reopened()
    #expect(again.names() == [file.lastPathComponent, "holiday.jpg"].sorted())
    #expect(FileManager.default.fileExists(atPath: file.path(percentEncoded: false)))
    #expect(try again.scan(negative) == bytes(5000))
  }

  @Test("a removal that looks at all files finds those of rows that another program has deleted")
  func checkingAll() throws {
    _ = try negative(scan: bytes(5000))
    let kept = try negative("Kept", scan: bytes(6000))
    _ = try files.test.sqlite3("DELETE FROM Negative WHERE title = 'Poppies'")
    #expect(try removeFiles() == 0)
    #expect(try removeFiles(checkingAll: true) == 1)
    #expect(try files.references() == files.names())
    #expect(try files.scan(kept) == bytes(6000))
  }

  @Test("after a hundred replaced values, a save removes their files by itself")
  func automaticRemoval() throws {
    let negative = try negative(scan: bytes(2000))
    for number in 0..<130 {
      negative.scan = bytes(2000, UInt8(number))
      try context.save()
    }
    #expect(files.names().count < 60)
  }

  @Test(
    "a removal finds the row of a file by an index, which a table without removed files does not have"
  )
  func plan() throws {
    let negative = try negative(scan: bytes(5000))
    func plan() throws -> String {
      try files.test.sqlite3(
        "EXPLAIN QUERY PLAN SELECT 1 FROM \"Negative\" WHERE typeof(\"scan\") = 'text' AND \"scan\" = 'x' LIMIT 1"
      )
    }
    #expect(try removeFiles() == 0)
    #expect(try plan().contains("SCAN Negative"))
    negative.scan = bytes(6000)
    try context.save()
    #expect(try removeFiles() == 1)
    #expect(try plan().contains("USING COVERING INDEX copal_files_Negative(scan) (scan=?)"))
  }

  // MARK: Conditions

  @Test("conditions ask whether there is a large value, and nothing else")
  func conditions() throws {
    let large = try negative("Large", scan: bytes(5000))
    let none = try negative("None", scan: nil)
    _ = try negative("Small", scan: bytes(5))
    func titles() throws -> [String] {
      try context.fetch(Negative.self, sortedBy: \.title.ascending) { $0.scan != nil }.map(\.title)
    }
    #expect(try titles() == ["Large", "Small"])
    (large.scan, none.scan) = (nil, bytes(9000))
    #expect(try titles() == ["None", "Small"])
    #expect(try context.count(Negative.self) { $0.scan == nil } == 1)
    let error = #expect(throws: PersistenceError.self) {
      try context.fetch(Negative.self) { $0.scan == bytes(5) }
    }
    #expect(error?.code == .notQueryable && error?.found == "external")
  }

  @Test("the description of an object has the size of a large value")
  func description() throws {
    let negative = try negative(scan: bytes(5000))
    negative.notes = (0..<100).map { "exposure \($0)" }
    try context.save()
    let other = files.container.makeContext()
    let found = try other.existingObject(with: negative.objectID, as: Negative.self)
    #expect("\(found)".contains("scan: 5000 bytes"))
  }
}
