import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Opening a store")
struct OpeningTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private func refusal(at path: String) throws -> PersistenceError? {
    let schema = try StoreModels.sampler()
    return #expect(throws: PersistenceError.self) { try SQLiteStore(path: path, schema: schema) }
  }

  /// Opens the test's file, which is refused and left as it was, byte for byte.
  private func refusal(_ code: PersistenceError.Code) throws -> PersistenceError {
    let before = try test.contents()
    let path = test.file.path(percentEncoded: false)
    let error = try #require(try refusal(at: path))
    #expect(error.code == code)
    #expect(error.path == path)
    #expect(try test.contents() == before)
    return error
  }

  // MARK: Paths

  @Test("opening a store in a missing folder reports the folder")
  func folderMissing() throws {
    let path = test.folder.appending(path: "no/such/Atelier.sqlite").path(percentEncoded: false)
    let error = try #require(try refusal(at: path))
    #expect(
      error.description
        == "'\(path)' cannot be opened: its folder does not exist; create the folder first [store.folderMissing]"
    )
    #expect(try test.contents() == [:])
  }

  @Test(
    "opening a store refuses a path that is not a file",
    arguments: [
      ("", "the path is empty"), ("FOLDER", "it is a folder"),
      ("FOLDER/a\0b", "the path contains a NUL character"),
      ("FOLDER/file/x", "'FOLDER/file' is not a folder"),
      ("FOLDER/" + String(repeating: "x", count: 300), "unable to open database file"),
      ("FOLDER/x/", nil),
    ] as [(String, String?)])
  func paths(path: String, found: String?) throws {
    let folder = String(test.folder.path(percentEncoded: false).dropLast())
    try Data("a file".utf8).write(to: test.folder.appending(path: "file"))
    let before = try test.contents()
    let error = try #require(try refusal(at: path.replacing("FOLDER", with: folder)))
    #expect([.cannotOpen, .folderMissing].contains(error.code))
    #expect(error.found == found?.replacing("FOLDER", with: folder))
    #expect(try test.contents() == before)
  }

  @Test("a pipe and a device are no files, for opening and for an inspection")
  func noFiles() throws {
    let pipe = test.folder.appending(path: "pipe").path(percentEncoded: false)
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    for path in [pipe, "/dev/null", "/dev/full"] {
      let error = try refusal(at: path)
      #expect(error?.code == .cannotOpen)
      #expect(error?.found == "it is a device, a pipe or a socket, and not a file")
      let other = #expect(throws: PersistenceError.self) {
        try StoreConfiguration.sqlite(at: URL(filePath: path)).inspect()
      }
      #expect(other?.code == .cannotOpen)
    }
  }

  @Test("the folders of a store with a name can be entered by their user only")
  func rights() async throws {
    await #expect(processExitsWith: .success) {
      [home = test.folder.path(percentEncoded: false) as String] in
      umask(0o022)
      setenv("XDG_DATA_HOME", home + "a/b", 1)
      setenv("CFFIXED_USER_HOME", home + "a/b", 1)
      let store = try StoreConfiguration.sqlite(named: "Private").open(StoreModels.sampler())
      let file = SQLiteStore.defaultURL(named: "Private").path(percentEncoded: false)
      guard file.hasPrefix(home) else { exit(2) }
      var folder = file
      while let slash = folder.lastIndex(of: "/"), folder.utf8.count > home.utf8.count {
        folder = String(folder[..<slash])
        guard folder.utf8.count >= home.utf8.count else { break }
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & 0o777 == 0o700 else { exit(3) }
      }
      withExtendedLifetime(store) {}
    }
  }

  @Test(
    "opening a store with a path that is too long reports the limit",
    arguments: [503, 504, 505, 511, 512, 600])
  func longPaths(length: Int) throws {
    let folder = test.folder.path(percentEncoded: false)
    // The file's name has ten letters, and no folder's more than 150.
    var path = folder
    var rest = length - folder.utf8.count - 10
    while rest > 0 {
      let count = min(rest, rest - 151 == 1 ? 150 : 151)
      path += String(repeating: "d", count: count - 1) + "/"
      rest -= count
    }
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    path += "0123456789"
    #expect(path.utf8.count == length)
    // A short symbolic link does not help: the path of its destination counts.
    let link = folder + "link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    for path in [path, link] {
      if length <= 504 {
        #expect(
          try StoreTester(SQLiteStore(path: path, schema: StoreModels.sampler())).insert([:]) > 0)
        continue
      }
      let error = try #require(try refusal(at: path))
      #expect(error.code == .cannotOpen && error.path == path)
      #expect(error.found == "its path has \(length) bytes, and the maximum of SQLite is 504")
    }
  }

  @Test(
    "opening a store accepts a path with special characters",
    arguments: [
      "a b", "a?mode=memory", "a#b", "a%20b", "file:x", ":memory:", "é", "e\u{301}", "a\nb", "'",
      "\"",
      "*", "-x", "\\", "🎨", ".sqlite",
    ])
  func names(name: String) throws {
    let url = test.folder.appending(path: name, directoryHint: .notDirectory)
    let path = test.folder.path(percentEncoded: false) + name
    #expect(url.path(percentEncoded: false) == path)
    for configuration in 0..<2 {
      let store =
        configuration == 0
        ? try StoreConfiguration.sqlite(at: url).open(StoreModels.sampler())
        : try SQLiteStore(path: path, schema: StoreModels.sampler())
      let tester = try StoreTester(store)
      try tester.insert(["text": "x"])
      #expect(try tester.keys().count == configuration + 1)
    }
    #expect(try test.contents().keys.sorted() == [name])
  }

  @Test(
    "opening a store refuses the name of a file that SQLite makes beside a database, and deletes",
    arguments: ["-wal", "-shm", "-journal"])
  func nameOfALog(ending: String) throws {
    let path = test.file.path(percentEncoded: false) + ending
    let error = #expect(throws: PersistenceError.self) {
      try SQLiteStore(path: path, schema: StoreModels.sampler())
    }
    #expect(error?.code == .cannotOpen && error?.path == path)
    #expect(error?.found?.contains(ending) == true)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("opening a store refuses a URL that is not a file URL")
  func urls() throws {
    let url = try #require(URL(string: "https://example.com/tmp/x.sqlite"))
    let error = #expect(throws: PersistenceError.self) {
      try StoreConfiguration.sqlite(at: url).open(StoreModels.sampler())
    }
    #expect(error?.code == .cannotOpen)
    #expect(error?.path == url.absoluteString)
  }

  @Test(
    "opening a store names URL(filePath:) for a URL that was made from a plain path",
    arguments: ["/tmp/Atelier.sqlite", "Atelier.sqlite", "~/Atelier.sqlite"])
  func urlsOfPaths(path: String) throws {
    let url = try #require(URL(string: path))
    let error = #expect(throws: PersistenceError.self) {
      try StoreConfiguration.sqlite(at: url).open(StoreModels.sampler())
    }
    #expect(
      error?.description
        == "'\(path)' cannot be opened: it is not a file URL; use URL(filePath:) for a path [store.cannotOpen]"
    )
  }

  // MARK: Files of other programs

  @Test(
    "opening a store refuses a file that is not a database",
    arguments: ["x", "not a database, but longer than the header of one", "SQLite format 3", "{}"])
  func notADatabase(text: String) throws {
    let content = String(repeating: text, count: text.count > 10 ? 100 : 1000)
    try Data(content.utf8).write(to: test.file)
    let error = try refusal(.notADatabase)
    #expect(
      error.description.hasSuffix(
        "is not a SQLite database: file is not a database; choose another path, or restore the file from a backup [store.notADatabase]"
      ))
  }

  @Test(
    "opening a store refuses the database of another program",
    arguments: [
      "CREATE TABLE Pigment (copal_id INTEGER PRIMARY KEY, name TEXT); INSERT INTO Pigment VALUES (1, 'x')",
      "CREATE VIEW Pigment AS SELECT 1", "PRAGMA application_id=7; CREATE TABLE t (a)",
      "PRAGMA application_id=7; VACUUM", "PRAGMA user_version=5; VACUUM",
      "PRAGMA journal_mode=WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)",
      "PRAGMA encoding='UTF-16'; CREATE TABLE t (a)",
    ])
  func foreign(sql: String) throws {
    _ = try test.sqlite3(sql)
    let error = try refusal(.notACopalStore)
    #expect(error.found == (sql.contains("application_id=7") ? "7" : "0"))
    #expect(error.expected == "1131376748")
  }

  @Test(
    "opening and inspecting refuse an empty database whose texts are not in UTF-8",
    arguments: [("UTF-8", nil), ("UTF-16le", "UTF-16le"), ("UTF-16be", "UTF-16be")])
  func encodingOfEmptyFile(encoding: String, found: String?) throws {
    _ = try test.sqlite3("PRAGMA encoding='\(encoding)'; CREATE TABLE t (a); DROP TABLE t")
    guard let found else {
      #expect(try test.storeTester(StoreModels.sampler()).insert([:]) == 1)
      return
    }
    let inspecting = #expect(throws: PersistenceError.self) { try test.configuration().inspect() }
    for error in [try refusal(.notUTF8), inspecting] {
      #expect(error?.code == .notUTF8 && error?.found == found)
    }
  }

  @Test(
    "opening and inspecting refuse a store that was restored from a dump in another encoding, and the same dump in UTF-8 is a store",
    arguments: [("UTF-8", nil), ("UTF-16le", "UTF-16le"), ("UTF-16be", "UTF-16be")])
  func encodingOfRestoredStore(encoding: String, found: String?) throws {
    let texts = ["z", "\u{100}", "\u{e9}", "\u{65e5}\u{672c}"]
    let tester = try test.storeTester(StoreModels.sampler())
    for text in texts { try tester.insert(["text": .string(text)]) }
    let dump = try test.sqlite3(".dump")
    let restored = try TestStore()
    // As Docs/Errors.md says.
    _ = try restored.sqlite3(
      "PRAGMA encoding='\(encoding)'; \(dump)\nPRAGMA application_id=1131376748; PRAGMA user_version=1"
    )
    #expect(try restored.sqlite3("SELECT count(*) FROM Sample") == "4")
    guard let found else {
      let tester = try restored.storeTester(StoreModels.sampler())
      #expect(try tester.keys().count == 4)
      return
    }
    let before = try restored.contents()
    let errors = [
      #expect(throws: PersistenceError.self) { try restored.open(StoreModels.sampler()) },
      #expect(throws: PersistenceError.self) { try restored.configuration().inspect() },
    ]
    for error in errors { #expect(error?.code == .notUTF8 && error?.found == found) }
    #expect(try restored.contents() == before)
  }

  @Test(
    "opening a store refuses the database of another program with a write-ahead log, and keeps the log"
  )
  func foreignWithLog() throws {
    // Copied while it is open, because closing it would empty the log.
    let other = try test.otherProgram()
    try other.run("PRAGMA journal_mode=WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    for (suffix, content) in [("", "copy"), ("-wal", "copy-wal")] {
      let file = test.file.path(percentEncoded: false) + suffix
      try FileManager.default.copyItem(
        atPath: file, toPath: test.folder.path(percentEncoded: false) + content)
    }
    let copy = test.folder.appending(path: "copy").path(percentEncoded: false)
    let before = try test.contents()
    let log = try #require(before["copy-wal"])
    #expect(log.count > 0)
    #expect(try refusal(at: copy)?.code == .notACopalStore)
    let after = try test.contents()
    #expect(after["copy"] == before["copy"])
    #expect(after["copy-wal"] == log)
  }

  @Test("opening a store keeps the log of another program's database behind a symbolic link")
  func foreignWithLogBehindLink() throws {
    let other = try test.otherProgram()
    try other.run("PRAGMA journal_mode=WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let folder = test.folder.path(percentEncoded: false)
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder + "real", withIntermediateDirectories: false)
    for suffix in ["", "-wal"] {
      try manager.copyItem(
        atPath: test.file.path(percentEncoded: false) + suffix,
        toPath: folder + "real/copy" + suffix)
    }
    try manager.createSymbolicLink(atPath: folder + "link", withDestinationPath: "real/copy")
    let before = try ["real/copy", "real/copy-wal"].map {
      try Data(contentsOf: test.folder.appending(path: $0))
    }
    #expect(before[1].count > 0)
    #expect(try refusal(at: folder + "link")?.code == .notACopalStore)
    for (name, content) in zip(["real/copy", "real/copy-wal"], before) {
      #expect(try Data(contentsOf: test.folder.appending(path: name)) == content)
    }
  }

  @Test("erasing a store behind a symbolic link keeps the link")
  func erasingBehindLink() throws {
    let folder = test.folder.path(percentEncoded: false)
    let manager = FileManager.default
    try manager.createDirectory(atPath: folder + "real", withIntermediateDirectories: false)
    try manager.createSymbolicLink(atPath: folder + "link", withDestinationPath: "real/store")
    let first = try SQLiteStore(path: folder + "link", schema: StoreModels.sampler())
    try StoreTester(first).insert(["text": "old"])
    // It stays open: if only the link were removed, its log would belong to the new store.
    let options = SQLiteStore.Options(erasesWhenModelDiffers: true)
    let schema = try StoreModels.wide(3)
    let second = try SQLiteStore(path: folder + "link", schema: schema, options: options)
    #expect(second.identifier != first.identifier)
    try StoreTester(second).insert(["a0": 7])
    #expect(try manager.destinationOfSymbolicLink(atPath: folder + "link") == "real/store")
    let again = try StoreTester(SQLiteStore(path: folder + "real/store", schema: schema))
    #expect(again.store.identifier == second.identifier)
    #expect(try again.rows().map { $0["a0"] } == [7])
    let error = #expect(throws: PersistenceError.self) { try StoreTester(first).insert([:]) }
    #expect(error?.code == .fileReplaced)
  }

  @Test(
    "opening a store creates it in an empty file or an empty database", arguments: [false, true])
  func empty(isDatabase: Bool) throws {
    if isDatabase {
      _ = try test.sqlite3("CREATE TABLE t (a); DROP TABLE t")
    } else {
      try Data().write(to: test.file)
    }
    let tester = try test.storeTester(StoreModels.sampler())
    try tester.insert(["text": "x"])
    #expect(try test.sqlite3("SELECT text FROM Sample") == "x")
  }

  // MARK: Damaged stores

  @Test("opening a store of a newer format is refused, and the error has both formats")
  func newer() throws {
    _ = try test.open(StoreModels.sampler())
    _ = try test.sqlite3("PRAGMA user_version=2")
    let error = try refusal(.newerFormat)
    #expect([error.found, error.expected] == ["2", "1"])
  }

  @Test(
    "opening a store with damaged metadata is refused",
    arguments: [
      ("DELETE FROM copal_metadata WHERE name = 'identifier'", "its identifier is missing"),
      (
        "UPDATE copal_metadata SET value = 'x' WHERE name = 'identifier'",
        "its identifier is not a UUID"
      ),
      (
        "UPDATE copal_metadata SET value = value || char(0) || 'z' WHERE name = 'identifier'",
        "its identifier is not a UUID"
      ),
      ("DELETE FROM copal_metadata WHERE name = 'schemaHash'", "its schema hash is missing"),
      ("DROP TABLE copal_metadata", "no such table: copal_metadata"),
      ("PRAGMA user_version=0", "its store format is 0"),
      ("PRAGMA user_version=-1", "its store format is -1"),
      (
        "UPDATE copal_metadata SET value = 'x' WHERE name = 'schemaHash'; DELETE FROM copal_metadata WHERE name = 'model'",
        "its model is missing"
      ),
      (
        "UPDATE copal_metadata SET value = 'x' WHERE name IN ('schemaHash', 'model')",
        "its model cannot be read"
      ),
    ])
  func damaged(sql: String, found: String) throws {
    _ = try test.open(StoreModels.sampler())
    _ = try test.sqlite3(sql)
    #expect(try refusal(.damagedMetadata).found == found)
  }

  // MARK: Concurrent opening

  @Test("many connections that open a new file at the same time create one store")
  func race() async throws {
    let schema = try StoreModels.sampler()
    let path = test.file.path(percentEncoded: false)
    let identifiers = try await withThrowingTaskGroup(of: UUID.self) { group in
      for _ in 0..<8 {
        group.addTask { try SQLiteStore(path: path, schema: schema).identifier }
      }
      return try await group.reduce(into: Set<UUID>()) { $0.insert($1) }
    }
    #expect(identifiers.count == 1)
  }

  @Test("a store keeps its identifier, and two stores have different ones")
  func identity() throws {
    let first = try test.open(StoreModels.sampler()).identifier
    #expect(try test.open(StoreModels.sampler()).identifier == first)
    #expect(try TestStore().open(StoreModels.sampler()).identifier != first)
  }
}

extension TestStore {
  /// Every file of the test's folder with its content.
  func contents() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    return Dictionary(
      uniqueKeysWithValues: try names.map { name in
        (name, try Data(contentsOf: folder.appending(path: name)))
      })
  }
}
