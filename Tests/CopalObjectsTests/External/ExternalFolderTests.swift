import Copal
import CopalStore
import CopalTestSupport
import Foundation
import Testing

/// A folder of large values beside a database that is not its own.
@Suite("The folder of large values and the store that it belongs to", .modelAsIs)
struct ExternalFolderTests {
  private let test: TestStore
  private var manager: FileManager { FileManager.default }

  init() throws { test = try TestStore() }

  private func url(_ name: String) -> URL { test.folder.appending(path: name) }

  private func path(_ name: String) -> String { url(name).path(percentEncoded: false) }

  private func open(_ name: String, _ options: SQLiteStore.Options = SQLiteStore.Options()) throws
    -> PersistentContainer
  {
    try PersistentContainer(
      model: .negatives, store: .sqlite(at: url(name), options: options),
      transformers: [NegativeNotes()])
  }

  /// Makes a store with large values, and closes it.
  ///
  /// - Returns: its identifier.
  private func make(_ name: String, _ numbers: ClosedRange<UInt8> = 1...3) throws -> UUID {
    let container = try open(name)
    let context = container.makeContext()
    for number in numbers {
      Negative(context: context, title: "\(number)").scan = bytes(5000, number)
    }
    try context.save()
    return container.storeIdentifier
  }

  /// The values of a store, as a new container reads them.
  private func scans(_ name: String) throws -> [Data?] {
    let context = try open(name).makeContext()
    return try context.fetch(Negative.self, sortedBy: \.title.ascending).map { negative in
      try negative.value(of: "scan", as: Data.self)
    }
  }

  /// Every file below the test's folder, or below one in it, with its contents.
  private func tree(_ folder: String = "") throws -> [String: Data] {
    let names = try manager.subpathsOfDirectory(atPath: path(folder))
    return Dictionary(
      uniqueKeysWithValues: names.map { name in
        (
          name,
          manager.contents(atPath: path(folder.isEmpty ? name : folder + "/" + name)) ?? Data()
        )
      })
  }

  private func marks(_ name: String) throws -> [String] {
    try manager.contentsOfDirectory(atPath: path(name) + "-files").filter {
      $0.hasPrefix("store-")
    }
  }

  private func copy(_ name: String, to new: String) throws {
    try manager.copyItem(atPath: path(name), toPath: path(new))
  }

  // MARK: A store that is gone

  @Test(
    "no new store is made beside the large values of a store that was deleted or emptied",
    arguments: ["deleted", "emptied", "one byte"], ["", "new/"])
  func storeIsGone(how: String, place: String) throws {
    _ = try make("A.sqlite")
    let expected = try scans("A.sqlite")
    for name in try manager.contentsOfDirectory(atPath: path("A.sqlite-files"))
    where name.count > 32 && !name.hasPrefix("store-") && !place.isEmpty {
      try manager.moveItem(
        atPath: path("A.sqlite-files/" + name), toPath: path("A.sqlite-files/" + place + name))
    }
    try copy("A.sqlite", to: "kept")
    try manager.removeItem(at: url("A.sqlite"))
    if how != "deleted" { try Data(count: how == "emptied" ? 0 : 1).write(to: url("A.sqlite")) }
    let before = try tree()
    let error = #expect(throws: PersistenceError.self) { try open("A.sqlite") }
    #expect(error?.code == .filesWithoutStore)
    #expect(error?.path == path("A.sqlite") && error?.found == path("A.sqlite-files"))
    #expect(try tree() == before)
    // The remedies of the error.
    if how != "deleted" { try manager.removeItem(at: url("A.sqlite")) }
    try manager.moveItem(at: url("kept"), to: url("A.sqlite"))
    #expect(try scans("A.sqlite") == expected)
    for suffix in ["", "-files"] {
      try manager.moveItem(at: url("A.sqlite" + suffix), to: url("B.sqlite" + suffix))
    }
    #expect(try scans("A.sqlite") == [])
    #expect(try scans("B.sqlite") == expected)
  }

  @Test("no new store is made through a link to the place of a store that was deleted")
  func linkToStoreThatIsGone() throws {
    _ = try make("A.sqlite")
    try manager.removeItem(at: url("A.sqlite"))
    try manager.createSymbolicLink(at: url("link"), withDestinationURL: url("A.sqlite"))
    let before = try tree()
    let error = #expect(throws: PersistenceError.self) { try open("link") }
    #expect(error?.code == .filesWithoutStore && error?.path == path("link"))
    #expect(try tree() == before)
  }

  @Test("a new store uses a folder without large values, and other files in it stay")
  func emptyFolder() async throws {
    _ = try make("A.sqlite")
    do {
      let container = try open("A.sqlite")
      let context = container.makeContext()
      for negative in try context.fetch(Negative.self) { context.delete(negative) }
      try context.save()
      #expect(try await container.removeUnreferencedFiles() == 3)
    }
    try Data("mine".utf8).write(to: url("A.sqlite-files/notes.txt"))
    try manager.removeItem(at: url("A.sqlite"))
    let identifier = try make("A.sqlite")
    #expect(try marks("A.sqlite") == ["store-\(identifier)"])
    #expect(try scans("A.sqlite") == (1...3).map { bytes(5000, $0) })
    #expect(try tree("A.sqlite-files")["notes.txt"] == Data("mine".utf8))
  }

  @Test(
    "a program that finds no store yet opens the one that another program creates, with large values, meanwhile",
    arguments: [
      "PRAGMA application_id", "SELECT count(*) FROM sqlite_schema", "PRAGMA encoding",
      "PRAGMA journal_mode=WAL", "BEGIN IMMEDIATE",
    ])
  func createdMeanwhile(moment: String) throws {
    let identifiers = Locked<[UUID]>([])
    let isDone = Locked(false)
    let options = SQLiteStore.Options(onStatement: { statement in
      let isFirst = isDone.withLock { done in
        if done || statement != moment { return false }
        done = true
        return true
      }
      if isFirst {
        #expect(throws: Never.self) {
          let identifier = try make("A.sqlite")
          identifiers.withLock { $0.append(identifier) }
        }
      }
    })
    let container = try open("A.sqlite", options)
    #expect(identifiers.withLock { $0 } == [container.storeIdentifier])
    #expect(try scans("A.sqlite").count == 3)
  }

  // MARK: The mark

  @Test("a store without large values has no folder")
  func noFolder() throws {
    let context = try open("A.sqlite").makeContext()
    Negative(context: context, title: "small").scan = bytes(10)
    try context.save()
    _ = try scans("A.sqlite")
    #expect(!manager.fileExists(atPath: path("A.sqlite-files")))
  }

  @Test(
    "a folder has the identifier of its store, and one of an earlier version gets it at the next opening"
  )
  func mark() throws {
    let mark = "store-\(try make("A.sqlite"))"
    #expect(try marks("A.sqlite") == [mark])
    try manager.removeItem(at: url("A.sqlite-files/" + mark))
    _ = try StoreConfiguration.sqlite(at: url("A.sqlite")).inspect()
    #expect(try marks("A.sqlite") == [])
    for _ in 0..<2 {
      #expect(try scans("A.sqlite") == (1...3).map { bytes(5000, $0) })
      #expect(try marks("A.sqlite") == [mark])
    }
  }

  @Test(
    "a copy, a moved store and a backup have the identifier in their folders, and remove their files"
  )
  func copies() async throws {
    let mark = "store-\(try make("A.sqlite"))"
    try await open("A.sqlite").backup(to: url("Backup.sqlite"))
    for suffix in ["", "-files"] { try copy("A.sqlite" + suffix, to: "Copy.sqlite" + suffix) }
    for suffix in ["", "-files"] {
      try manager.moveItem(at: url("A.sqlite" + suffix), to: url("Moved.sqlite" + suffix))
    }
    for name in ["Backup.sqlite", "Copy.sqlite", "Moved.sqlite"] {
      #expect(try marks(name) == [mark])
      let container = try open(name)
      let context = container.makeContext()
      for negative in try context.fetch(Negative.self) { negative.scan = bytes(6000) }
      try context.save()
      #expect(try await container.removeUnreferencedFiles(checkingAll: true) == 3)
      #expect(try scans(name) == [bytes(6000), bytes(6000), bytes(6000)])
    }
  }

  // MARK: The folder of another store

  /// Puts the folder of B beside A.
  private func exchangeFolders() throws {
    _ = try make("A.sqlite")
    _ = try make("B.sqlite", 4...8)
    try manager.moveItem(at: url("A.sqlite-files"), to: url("kept-files"))
    try manager.moveItem(at: url("B.sqlite-files"), to: url("A.sqlite-files"))
    // A file that is not moved after its commit because the program was killed.
    let name = try #require(
      tree("A.sqlite-files").keys.first { $0.count > 32 && $0.hasSuffix("-5000") })
    try manager.moveItem(at: url("A.sqlite-files/" + name), to: url("A.sqlite-files/new/" + name))
  }

  @Test("a store neither removes nor writes files in the folder of another store")
  func otherFolder() async throws {
    try exchangeFolders()
    let before = try tree("A.sqlite-files")
    do {
      let container = try open("A.sqlite")
      let context = container.makeContext()
      for checkingAll in [false, true] {
        let error = await #expect(throws: PersistenceError.self) {
          try await container.removeUnreferencedFiles(checkingAll: checkingAll)
        }
        #expect(error?.code == .filesOfAnotherStore)
        #expect(error?.path == path("A.sqlite") && error?.found == path("A.sqlite-files"))
      }
      let negative = try context.fetch(Negative.self, sortedBy: \.title.ascending)[0]
      let missing = #expect(throws: PersistenceError.self) {
        try negative.value(of: "scan", as: Data.self)
      }
      #expect(missing?.code == .externalFileMissing)
      negative.scan = bytes(7000)
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .filesOfAnotherStore)
      negative.scan = bytes(7)
      try context.save()
    }
    #expect(try tree("A.sqlite-files") == before)
    // The remedy.
    try manager.moveItem(at: url("A.sqlite-files"), to: url("B.sqlite-files"))
    try manager.moveItem(at: url("kept-files"), to: url("A.sqlite-files"))
    #expect(try scans("A.sqlite") == [bytes(7), bytes(5000, 2), bytes(5000, 3)])
    #expect(try scans("B.sqlite") == (4...8).map { bytes(5000, $0) })
  }

  @Test(
    "a removal that looks at every file refuses a folder into which that of another store was copied"
  )
  func mergedFolders() async throws {
    _ = try make("A.sqlite")
    let other = "store-\(try make("B.sqlite", 4...8))"
    for name in try manager.contentsOfDirectory(atPath: path("B.sqlite-files"))
    where name != "new" && name != "lock" {
      try copy("B.sqlite-files/" + name, to: "A.sqlite-files/" + name)
    }
    let before = try tree("A.sqlite-files")
    let container = try open("A.sqlite")
    let error = await #expect(throws: PersistenceError.self) {
      try await container.removeUnreferencedFiles(checkingAll: true)
    }
    #expect(error?.code == .filesOfAnotherStore)
    #expect(try tree("A.sqlite-files") == before)
    try manager.removeItem(at: url("A.sqlite-files/" + other))
    #expect(try await container.removeUnreferencedFiles(checkingAll: true) == 5)
    #expect(try scans("A.sqlite") == (1...3).map { bytes(5000, $0) })
  }

  // MARK: Erasing

  /// Opens A with another model, so that it is erased.
  private func erase() throws {
    let other = try ManagedObjectModel(name: "Other", entities: [EntityDescription("Pigment")])
    let options = SQLiteStore.Options(erasesWhenModelDiffers: true)
    _ = try SQLiteStore(path: path("A.sqlite"), schema: StoreSchema(other), options: options)
  }

  @Test("an opening that erases the store erases no folder of another store")
  func eraseOtherFolder() throws {
    try exchangeFolders()
    let before = try tree()
    let error = #expect(throws: PersistenceError.self) { try erase() }
    #expect(error?.code == .filesOfAnotherStore)
    #expect(try tree() == before)
  }

  @Test(
    "an opening that would erase a file that is not Copal's erases nothing",
    arguments: ["notes.txt", "new/notes.txt", "mine/notes.txt", "store-notes.txt"])
  func eraseForeignFile(name: String) throws {
    _ = try make("A.sqlite")
    let file = url("A.sqlite-files/" + name)
    try manager.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: file)
    let before = try tree()
    let error = #expect(throws: PersistenceError.self) { try erase() }
    #expect(error?.code == .cannotOpen)
    let top = name.hasPrefix("mine") ? "mine" : name
    #expect(error?.found?.contains("'\(path("A.sqlite-files/" + top))'") == true)
    #expect(try tree() == before)
    try manager.removeItem(at: url("A.sqlite-files/" + top))
    try erase()
    #expect(!manager.fileExists(atPath: path("A.sqlite-files")))
  }
}
