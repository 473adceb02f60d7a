import Copal
import CopalStore
import CopalTestSupport
import Foundation
import Testing

/// What other programs do to a store with large values, and to the folder of its files.
@Suite("Large values and other programs", .modelAsIs)
struct ExternalRobustnessTests {
  private let files: NegativeFiles
  private var context: ManagedObjectContext { files.context }
  private var copy: URL { files.test.folder.appending(path: "Copy.sqlite") }

  init() throws { files = try NegativeFiles() }

  private func save(_ title: String = "Poppies", scan: Data = bytes(5000)) throws -> Negative {
    let negative = Negative(context: context, title: title)
    negative.scan = scan
    try context.save()
    return negative
  }

  private func path(_ url: URL) -> String { url.path(percentEncoded: false) }

  /// The names that the folder of the test's files has.
  private func namesInTestFolder() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(files.test.folder)).sorted()
  }

  private static func name(_ digit: Character, _ count: Int) -> String {
    String(repeating: digit, count: 32) + "-\(count)"
  }

  // MARK: A store that is not the one that was opened

  /// Another program adds an attribute with large values, and stores one.
  private func migrateElsewhere() throws -> URL {
    let entities = try ModelBinding.negatives.model.entities.map { entity in
      var entity = entity
      if entity.name == "Negative" {
        var raw = try #require(entity.attributes.first { $0.name == "scan" })
        raw.name = "raw"
        entity.attributes.append(raw)
      }
      return entity
    }
    let model = try ManagedObjectModel(name: "Negatives", entities: entities)
    _ = try files.test.open(StoreSchema(model))
    let file = files.folder.appending(path: Self.name("b", 3))
    try Data("raw".utf8).write(to: file)
    #expect(
      try files.test.sqlite3("UPDATE Negative SET raw = '\(file.lastPathComponent)'") == "")
    return file
  }

  @Test(
    "a program whose model another program has replaced removes no files, because it does not know the new attributes"
  )
  func migratedElsewhere() async throws {
    _ = try save()
    let file = try migrateElsewhere()
    for checkingAll in [false, true] {
      let error = #expect(throws: PersistenceError.self) {
        try files.container.store.removeUnreferencedFiles(checkingAll: checkingAll)
      }
      #expect(error?.code == .modelDiffers)
    }
    #expect(FileManager.default.fileExists(atPath: path(file)))
    let error = await #expect(throws: PersistenceError.self) {
      try await files.container.backup(to: copy)
    }
    #expect(error?.code == .modelDiffers)
    #expect(try namesInTestFolder().allSatisfy { !$0.hasPrefix("Copy") })
  }

  @Test(
    "a program whose store another program has replaced removes no files of the new store, and makes no backup"
  )
  func replacedStore() async throws {
    _ = try save()
    files.test.allowsDamage()
    let store = path(files.test.file)
    for suffix in ["", "-wal", "-shm", "-files"] {
      try FileManager.default.moveItem(atPath: store + suffix, toPath: store + ".old" + suffix)
    }
    let new = try NegativeFiles(files.test)
    let negative = Negative(context: new.context, title: "New")
    negative.scan = bytes(6000)
    try new.context.save()
    let error = #expect(throws: PersistenceError.self) {
      try files.container.store.removeUnreferencedFiles(checkingAll: true)
    }
    #expect(error?.code == .fileReplaced)
    #expect(try new.scan(negative) == bytes(6000))
    let refused = await #expect(throws: PersistenceError.self) {
      try await files.container.backup(to: copy)
    }
    #expect(refused?.code == .fileReplaced)
  }

  // MARK: Links in the place of folders

  @Test(
    "a link in the place of a folder of files is not followed, so a foreign store loses nothing",
    arguments: ["", "/new"])
  func links(place: String) throws {
    _ = try save()
    let kept = files.names()
    let url = files.test.folder.appending(path: "Other.sqlite")
    let folder = path(url) + "-files"
    let manager = FileManager.default
    if !place.isEmpty {
      try manager.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }
    try manager.createSymbolicLink(atPath: folder + place, withDestinationPath: path(files.folder))
    let container = try PersistentContainer(
      model: .negatives, store: .sqlite(at: url), transformers: [NegativeNotes()])
    try container.store.removeUnreferencedFiles(checkingAll: true)
    #expect(files.names() == kept)
    let other = container.makeContext()
    let negative = Negative(context: other, title: "Other")
    negative.scan = bytes(2000)
    let error = #expect(throws: PersistenceError.self) { try other.save() }
    #expect(error?.code == .inputOutput)
    #expect(files.names() == kept)
    negative.scan = bytes(10)
    try other.save()
  }

  // MARK: Names in the database

  @Test("texts and bytes in the list of files that are no names do not stop a removal")
  func hostileList() throws {
    let negative = try save()
    negative.scan = nil
    try context.save()
    _ = try files.test.sqlite3(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
      INSERT INTO copal_unreferencedFiles
      SELECT CASE i % 4 WHEN 0 THEN CAST(i AS BLOB) WHEN 1 THEN '../' || i
        WHEN 2 THEN CAST(x'80' || i AS TEXT) ELSE 'a' || char(0) || i END FROM n
      """)
    #expect(files.names().count == 1)
    #expect(try files.container.store.removeUnreferencedFiles(checkingAll: false) == 1)
    #expect(files.names().isEmpty)
    #expect(try files.test.sqlite3("SELECT count(*) FROM copal_unreferencedFiles") == "0")
  }

  @Test(
    "a name with the greatest number of bytes is an error of its attribute, and can be replaced")
  func hugeCount() throws {
    let negative = try save()
    let name = Self.name("c", .max)
    try Data("abc".utf8).write(to: files.folder.appending(path: name))
    _ = try files.test.sqlite3("UPDATE Negative SET scan = '\(name)'")
    let other = files.container.makeContext()
    let found = try other.existingObject(with: negative.objectID, as: Negative.self)
    let error = #expect(throws: PersistenceError.self) {
      try found.value(of: "scan", as: Data.self)
    }
    #expect(error?.code == .externalFileUnreadable)
    #expect("\(found)".contains("Poppies"))
    found.scan = bytes(5000)
    try other.save()
    try files.container.store.removeUnreferencedFiles(checkingAll: true)
    #expect(try files.references() == files.names())
    #expect(try files.scan(negative) == bytes(5000))
  }

  @Test("a required value whose file is missing prevents no save of other attributes")
  func requiredValue() throws {
    let negative = try save(scan: bytes(10))
    let print = ContactPrint(context: context, image: bytes(200_000))
    try context.save()
    try FileManager.default.removeItem(at: files.onlyFile())
    let other = files.container.makeContext()
    let found = try other.existingObject(with: print.objectID, as: ContactPrint.self)
    let error = #expect(throws: PersistenceError.self) {
      try found.value(of: "image", as: Data.self)
    }
    #expect(error?.code == .externalFileMissing)
    found.negative = try other.existingObject(with: negative.objectID, as: Negative.self)
    try other.save()
    #expect(try files.references().count == 1)
    found.image = bytes(200_001)
    try other.save()
    #expect(try files.references() == files.names())
  }

  // MARK: Removal

  @Test("saves with many replaced values inside a read transaction leave the transaction as it is")
  func readTransaction() throws {
    let negative = try save()
    try context.readTransaction {
      #expect(try context.count(Negative.self) == 1)
      for number in 0..<120 {
        negative.scan = bytes(2000, UInt8(number))
        try context.save()
      }
      #expect(try context.count(Negative.self) == 1)
    }
    #expect(try files.scan(negative) == bytes(2000, 119))
    try files.container.store.removeUnreferencedFiles(checkingAll: false)
    #expect(try files.references() == files.names())
  }

  @Test("an opening that erases the store erases its folder, and of a link the link only")
  func erase() throws {
    _ = try save()
    let foreign = files.test.folder.appending(path: "foreign")
    let store = files.test.folder.appending(path: "Erased.sqlite")
    try FileManager.default.createDirectory(at: foreign, withIntermediateDirectories: false)
    try Data("mine".utf8).write(to: foreign.appending(path: Self.name("d", 4)))
    let other = try ManagedObjectModel(name: "Other", entities: [EntityDescription("Pigment")])
    for usesLink in [false, true] {
      let folder = path(store) + "-files"
      _ = try SQLiteStore(path: path(store), schema: StoreSchema(other))
      if usesLink {
        try FileManager.default.createSymbolicLink(
          atPath: folder, withDestinationPath: path(foreign))
      } else {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      }
      let options = SQLiteStore.Options(erasesWhenModelDiffers: true)
      let schema = StoreSchema(try ModelBinding.negatives.model)
      _ = try SQLiteStore(path: path(store), schema: schema, options: options)
      #expect(!FileManager.default.fileExists(atPath: folder))
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path(store) + suffix)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: path(foreign)).count == 1)
  }

  // MARK: Backups

  @Test("of several backups to one path at the same time, one is made, and it is complete")
  func backupsToOnePath() async throws {
    for number in 0..<20 { _ = try save("\(number)", scan: bytes(20_000, UInt8(number))) }
    for round in 0..<10 {
      let url = files.test.folder.appending(path: "Copy\(round).sqlite")
      let made = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<4 {
          group.addTask { [container = files.container] in
            do {
              try await container.backup(to: url)
              return true
            } catch let error as PersistenceError where error.code == .backupExists {
              return false
            }
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(made == 1)
      let container = try PersistentContainer(
        model: .negatives, store: .sqlite(at: url), transformers: [NegativeNotes()])
      for negative in try container.makeContext().fetch(Negative.self) {
        let number = try #require(UInt8(negative.title))
        #expect(try negative.value(of: "scan", as: Data.self) == bytes(20_000, number))
      }
    }
    #expect(try namesInTestFolder().allSatisfy { !$0.contains("incomplete") })
  }

  @Test(
    "a backup does not replace a link, whether its end exists or not", arguments: ["", "-files"])
  func backupToLink(suffix: String) async throws {
    _ = try save()
    let link = path(copy) + suffix
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: path(files.test.folder) + "/none")
    let error = await #expect(throws: PersistenceError.self) {
      try await files.container.backup(to: copy)
    }
    #expect(error?.code == .backupExists && error?.path == link)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: link).hasSuffix("/none"))
  }

  @Test("a backup onto the store itself, and onto a link to it, is refused")
  func backupOntoItself() async throws {
    let negative = try save()
    try FileManager.default.createSymbolicLink(at: copy, withDestinationURL: files.test.file)
    for url in [files.test.file, copy] {
      let error = await #expect(throws: PersistenceError.self) {
        try await files.container.backup(to: url)
      }
      #expect(error?.code == .backupExists)
    }
    #expect(try files.scan(negative) == bytes(5000))
  }

  @Test(
    "a store whose name has characters with a meaning elsewhere is backed up with its files",
    arguments: ["a b%20#?é;'\".sqlite", "file:x?mode=memory", ":memory:", "-x", "'; DROP TABLE y"])
  func oddNames(name: String) async throws {
    let folder = path(files.test.folder)
    let store = URL(filePath: folder + "/" + name)
    let container = try PersistentContainer(
      model: .negatives, store: .sqlite(at: store), transformers: [NegativeNotes()])
    let context = container.makeContext()
    let negative = Negative(context: context, title: "Poppies")
    negative.scan = bytes(5000)
    try context.save()
    let copy = URL(filePath: folder + "/copy of " + name)
    try await container.backup(to: copy)
    let restored = try PersistentContainer(
      model: .negatives, store: .sqlite(at: copy), transformers: [NegativeNotes()])
    #expect(try restored.makeContext().fetch(Negative.self).first?.scan == bytes(5000))
    #expect(
      try namesInTestFolder().filter { $0.hasSuffix("-files") }
        == ["copy of \(name)-files", "\(name)-files"].sorted())
  }

  #if os(Linux)
    @Test("when the disk is full, a save and a backup throw and leave nothing")
    func diskFull() async throws {
      _ = try save(scan: bytes(500_000))
      let (store, copy) = (path(files.test.file), path(copy))
      await #expect(processExitsWith: .success) {
        [store = store as String, copy = copy as String] in
        let container = try PersistentContainer(
          model: .negatives, store: .sqlite(at: URL(filePath: store)),
          transformers: [NegativeNotes()])
        let context = container.makeContext()
        _ = try context.count(Negative.self)
        let value = bytes(600_000)
        var limit = rlimit(rlim_cur: 300_000, rlim_max: 300_000)
        guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(2) }
        do {
          Negative(context: context, title: "Large").scan = value
          try context.save()
          exit(3)
        } catch let error as PersistenceError where error.code == .diskFull {}
        do {
          try await container.backup(to: URL(filePath: copy))
          exit(4)
        } catch let error as PersistenceError where error.code == .diskFull {}
        exit(EXIT_SUCCESS)
      }
      #expect(try files.references() == files.names())
      #expect(try namesInTestFolder().allSatisfy { !$0.hasPrefix("Copy") })
    }
  #endif
}
