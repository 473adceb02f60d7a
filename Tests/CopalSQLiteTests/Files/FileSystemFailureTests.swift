import CCopalSQLite
import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Failures of the file system")
struct FileSystemFailureTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  // MARK: Moved files

  /// Changes to the file of an open store.
  enum Mishap: CaseIterable { case deleted, renamed, replacedByAStore, replacedByAFile }

  @Test(
    "a store whose file is gone writes nothing, and creates no new file", arguments: Mishap.allCases
  )
  func moved(mishap: Mishap) throws {
    let tester = try test.storeTester(StoreModels.sampler())
    try tester.insert(["text": "x"])
    let manager = FileManager.default
    let aside = test.folder.appending(path: "aside.sqlite")
    switch mishap {
    case .deleted:
      for suffix in ["", "-wal", "-shm"] {
        try manager.removeItem(atPath: test.file.path(percentEncoded: false) + suffix)
      }
    case .renamed: try manager.moveItem(at: test.file, to: aside)
    case .replacedByAStore:
      let other = try TestStore()
      _ = try other.open(StoreModels.sampler())
      _ = try other.sqlite3("PRAGMA wal_checkpoint(TRUNCATE)")
      for suffix in ["", "-wal", "-shm"] {
        try manager.removeItem(atPath: test.file.path(percentEncoded: false) + suffix)
      }
      try manager.copyItem(at: other.file, to: test.file)
    case .replacedByAFile:
      try manager.moveItem(at: test.file, to: aside)
      try Data("something else".utf8).write(to: test.file)
    }
    let before = try test.contents().filter { !$0.key.hasSuffix("-shm") }
    let error = #expect(throws: PersistenceError.self) { try tester.insert(["text": "y"]) }
    #expect(error?.code == .fileReplaced)
    #expect(error?.path == test.file.path(percentEncoded: false))
    // A session that needs a new connection does not open another store at the path.
    let second = #expect(throws: PersistenceError.self) {
      try StoreTester(tester.store).insert(["text": "y"])
    }
    #expect(second?.code == .fileReplaced)
    #expect(try test.contents().filter { !$0.key.hasSuffix("-shm") } == before)
  }

  @Test(
    "a store whose log is gone writes nothing, and keeps what was saved",
    arguments: ["-wal", "-shm"], [false, true])
  func movedLog(suffix: String, isReplaced: Bool) throws {
    let log = test.file.path(percentEncoded: false) + suffix
    do {
      let tester = try test.storeTester(StoreModels.sampler())
      try tester.insert(["text": "x"])
      try FileManager.default.removeItem(atPath: log)
      if isReplaced { try Data().write(to: URL(filePath: log)) }
      // Also a session that needs a new connection, which would begin another log.
      for makeSession in [{ tester }, { try StoreTester(tester.store) }] {
        let error = #expect(throws: PersistenceError.self) {
          try makeSession().insert(["text": "y"])
        }
        #expect(error?.code == .fileReplaced && error?.path == log)
      }
    }
    // The last connection that closes the file copies the log into it.
    let again = try test.storeTester(StoreModels.sampler())
    #expect(try again.keys() == [1])
    #expect(try again.insert(["text": "y"]) == 2)
  }

  // MARK: Permissions

  static let isRoot = geteuid() == 0

  /// Drops superuser rights for the rest of a child process.
  static func becomeNobody() {
    if isRoot, setgid(65534) != 0 || setuid(65534) != 0 { exit(EXIT_FAILURE) }
  }

  /// Ends the child process with failure unless opening fails with `store.notWritable`.
  static func expectNotWritable(_ path: String, found: String) throws {
    becomeNobody()
    do {
      let tester = try StoreTester(SQLiteStore(path: path, schema: StoreModels.sampler()))
      try tester.insert([:])
      print("opened")
      exit(EXIT_FAILURE)
    } catch let error as PersistenceError {
      print(error)
      exit(error.code == .notWritable && error.found == found ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  private func set(_ mode: Int, _ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test("a folder without permission is not reported as missing", arguments: ["", "/deeper"])
  func closedFolder(below: String) async throws {
    let folder = String(test.folder.path(percentEncoded: false).dropLast())
    try FileManager.default.createDirectory(
      atPath: folder + "/deeper", withIntermediateDirectories: false)
    try set(0o700, folder)
    if !Self.isRoot { try set(0o000, folder) }
    await #expect(processExitsWith: .success) { [parent = folder + below as String] in
      try FileSystemFailureTests.expectNotWritable(
        parent + "/Atelier.sqlite", found: "there is no permission to enter the folder '\(parent)'")
    }
    try set(0o755, folder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["deeper"])
  }

  @Test("the error names the folder in which no file can be created", arguments: [false, true])
  func folder(hasStore: Bool) async throws {
    if hasStore { _ = try test.open(StoreModels.sampler()) }
    let path = test.file.path(percentEncoded: false)
    let folder = String(test.folder.path(percentEncoded: false).dropLast())
    if hasStore { try set(0o666, path) }
    try set(0o555, folder)
    let before = try test.contents()
    await #expect(processExitsWith: .success) {
      [path = path as String, folder = folder as String] in
      try FileSystemFailureTests.expectNotWritable(
        path, found: "there is no permission to create files in the folder '\(folder)'")
    }
    #expect(try test.contents() == before)
    try set(0o755, folder)
  }

  @Test(
    "it says of a file that it may only be read, or not even that",
    arguments: [(0o444, "the file is read-only"), (0o200, "the file is not readable")])
  func file(mode: Int, found: String) async throws {
    _ = try test.open(StoreModels.sampler())
    let path = test.file.path(percentEncoded: false)
    let before = try test.contents()
    try set(0o777, test.folder.path(percentEncoded: false))
    try set(mode, path)
    await #expect(processExitsWith: .success) { [path = path as String, found = found as String] in
      try FileSystemFailureTests.expectNotWritable(path, found: found)
    }
    try set(0o644, path)
    #expect(try test.contents() == before)
  }

  // MARK: Space

  /// A file system of one megabyte.
  private func withSmallDisk(_ body: (URL) throws -> Void) throws {
    let disk = test.folder.appending(path: "disk", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
    let path = disk.path(percentEncoded: false)
    try #require(Self.run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path))
    defer { _ = Self.run("umount", "-l", path) }
    try body(disk)
    // The disk is gone when the folder is checked.
    for file in StoreFile.all(in: disk) {
      for check in StoreFile.Check.allCases { #expect(file.problems(check) == []) }
    }
  }

  private static func run(_ arguments: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      return false
    }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  /// Whether this process may mount file systems; containers often may not.
  static let canMount: Bool = {
    guard isRoot else { return false }
    let folder = RunFolder.url.appending(path: "copal-mount-\(UUID())")
    let path = folder.path(percentEncoded: false)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    guard run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path) else { return false }
    return run("umount", path)
  }()

  @Test(
    "a save on a full disk throws store.diskFull, changes nothing, and succeeds when there is space",
    .enabled(if: canMount), arguments: [0, 40_000, 200_000, 700_000])
  func diskFull(roomBytes: Int) throws {
    try withSmallDisk { disk in
      let file = disk.appending(path: "Atelier.sqlite")
      let ballast = disk.appending(path: "ballast")
      let store = try SQLiteStore(
        path: file.path(percentEncoded: false), schema: StoreModels.sampler())
      let tester = try StoreTester(store)
      try tester.insert(["text": "small"])
      try tester.insert(["code": "a"])
      let rows = try tester.rows()
      // Fills the disk except for some space.
      try Data().write(to: ballast)
      let handle = try FileHandle(forWritingTo: ballast)
      while (try? handle.write(contentsOf: Data(repeating: 1, count: 4096))) != nil {}
      let size = try handle.offset()
      try handle.truncate(atOffset: size - min(size, UInt64(roomBytes)))
      try handle.close()

      var changes = Changes(store.schema)
      try changes.update(rows[0], ["text": .string(String(repeating: "x", count: 750_000))])
      changes.delete(rows[1])
      try changes.insert("Sample", ["code": "a"])
      let error = #expect(throws: PersistenceError.self) {
        try tester.commit(changeSet: changes.set)
      }
      #expect(error?.code == .diskFull)
      #expect(error?.path == file.path(percentEncoded: false))
      #expect(try tester.rows().map { $0["text"] } == ["small", .null])

      try makeRoom(ballast)
      #expect(try tester.commit(changeSet: changes.set).insertedKeys == [[3]])
      #expect(try tester.rows().map { $0["code"] } == [.null, "a"])
    }
  }

  /// Emptied first, because a program started by another test may have the file open.
  private func makeRoom(_ ballast: URL) throws {
    let handle = try FileHandle(forWritingTo: ballast)
    try handle.truncate(atOffset: 0)
    try handle.close()
    try FileManager.default.removeItem(at: ballast)
  }

  @Test("creating a store on a full disk throws store.diskFull", .enabled(if: canMount))
  func diskFullAtOpening() throws {
    try withSmallDisk { disk in
      let ballast = disk.appending(path: "ballast")
      try Data().write(to: ballast)
      let handle = try FileHandle(forWritingTo: ballast)
      while (try? handle.write(contentsOf: Data(repeating: 1, count: 4096))) != nil {}
      try handle.close()
      let path = disk.appending(path: "Atelier.sqlite").path(percentEncoded: false)
      let error = #expect(throws: PersistenceError.self) {
        try SQLiteStore(path: path, schema: StoreModels.sampler())
      }
      #expect(error?.code == .diskFull)
      try makeRoom(ballast)
      #expect(
        try StoreTester(SQLiteStore(path: path, schema: StoreModels.sampler())).insert([:]) == 1)
    }
  }

  // MARK: Limits of the process

  #if os(Linux)

    /// Limits the size of files for the rest of a child process. The signal gets its default
    /// action: threads of a pool block signals, and the parent program may ignore them.
    static func limitFiles(toBytes bytes: UInt) {
      signal(SIGXFSZ, SIG_DFL)
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGXFSZ)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      var limit = rlimit(rlim_cur: bytes, rlim_max: UInt.max)
      if setrlimit(Int32(RLIMIT_FSIZE.rawValue), &limit) != 0 { exit(EXIT_FAILURE) }
    }

    /// A text that makes a file grow by a number of bytes.
    static func text(_ byteCount: Int) -> PropertyValue {
      .string(String(repeating: "x", count: byteCount))
    }

    static func expect(_ isSo: Bool, _ words: String) {
      if !isSo {
        print(words)
        exit(EXIT_FAILURE)
      }
    }

    @Test(
      "a save beyond the size limit of the process throws store.diskFull, and the process continues",
      arguments: [8_192, 40_000, 100_000, 1_000_000] as [UInt])
    func fileSize(limit: UInt) async throws {
      try test.storeTester(StoreModels.sampler()).insert(["text": "small"])
      let path = test.file.path(percentEncoded: false)
      await #expect(processExitsWith: .success) { [path = path as String, limit = limit as UInt] in
        do {
          let store = try SQLiteStore(path: path, schema: StoreModels.sampler())
          let tester = try StoreTester(store)
          try tester.insert(["text": FileSystemFailureTests.text(900_000)])
          FileSystemFailureTests.limitFiles(toBytes: limit)
          var changes = Changes(store.schema)
          try changes.insert("Sample", ["text": FileSystemFailureTests.text(2_000_000)])
          var code: PersistenceError.Code?
          do {
            _ = try tester.commit(changeSet: changes.set)
          } catch let error as PersistenceError { code = error.code }
          FileSystemFailureTests.expect(code == .diskFull, "\(String(describing: code))")
          FileSystemFailureTests.expect(try tester.keys() == [1, 2], "it wrote something")
          FileSystemFailureTests.limitFiles(toBytes: .max)
          FileSystemFailureTests.expect(
            try tester.commit(changeSet: changes.set).insertedKeys == [[3]],
            "the same does not pass")
          // The log is copied into the file when the last connection closes.
          FileSystemFailureTests.limitFiles(toBytes: limit)
        } catch {
          FileSystemFailureTests.expect(false, "\(error)")
        }
      }
      #expect(try test.storeTester(StoreModels.sampler()).keys() == [1, 2, 3])
      #expect(try test.sqlite3("PRAGMA integrity_check") == "ok")
    }

    @Test("creating a store beyond the size limit of the process throws store.diskFull")
    func fileSizeAtOpening() async throws {
      let path = test.file.path(percentEncoded: false)
      await #expect(processExitsWith: .success) { [path = path as String] in
        FileSystemFailureTests.limitFiles(toBytes: 1000)
        var code: PersistenceError.Code?
        do {
          _ = try SQLiteStore(path: path, schema: StoreModels.sampler())
        } catch let error as PersistenceError { code = error.code }
        FileSystemFailureTests.expect(code == .diskFull, "\(String(describing: code))")
      }
    }

    @Test("the program's own writes beyond the size limit still get their signal")
    func fileSizeOfOthers() async throws {
      let path = test.file.path(percentEncoded: false)
      let other = test.folder.appending(path: "other").path(percentEncoded: false)
      await #expect(processExitsWith: .signal(SIGXFSZ)) {
        [path = path as String, other = other as String] in
        let tester = try StoreTester(SQLiteStore(path: path, schema: StoreModels.sampler()))
        FileSystemFailureTests.limitFiles(toBytes: 100_000)
        _ = try? tester.insert(["text": FileSystemFailureTests.text(900_000)])
        let file = open(other, O_WRONLY | O_CREAT, 0o600)
        let bytes = [UInt8](repeating: 1, count: 50_000)
        for _ in 0..<3 { _ = write(file, bytes, bytes.count) }
        exit(EXIT_SUCCESS)
      }
    }

  #endif

  // MARK: Disks

  /// Makes every read of SQLite fail like a broken disk, or work again, in a child process.
  static func setReadsFail(_ fail: Bool) {
    typealias Read = @convention(c) (Int32, UnsafeMutableRawPointer?, Int) -> Int
    let read: Read = { _, _, _ in
      errno = EIO
      return -1
    }
    guard let vfs = sqlite3_vfs_find(nil) else { exit(EXIT_FAILURE) }
    for name in ["read", "pread", "pread64"] {
      _ = vfs.pointee.xSetSystemCall(
        vfs, name, fail ? unsafeBitCast(read, to: sqlite3_syscall_ptr.self) : nil)
    }
  }

  /// Makes each opening of a file by SQLite fail for want of a descriptor, in a child process.
  static func setOpenFails() {
    typealias Open = @convention(c) (UnsafePointer<CChar>?, Int32, Int32) -> Int32
    let open: Open = { _, _, _ in
      errno = EMFILE
      return -1
    }
    guard let vfs = sqlite3_vfs_find(nil) else { exit(EXIT_FAILURE) }
    _ = vfs.pointee.xSetSystemCall(vfs, "open", unsafeBitCast(open, to: sqlite3_syscall_ptr.self))
  }

  /// Makes the writes of one byte fail: by these, SQLite makes the index of the log longer.
  static func setGrowthOfIndexFails() {
    typealias Write = @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int
    let write: Write = { file, bytes, count, offset in
      if count == 1 {
        errno = EIO
        return -1
      }
      return pwrite(file, bytes, count, offset)
    }
    guard let vfs = sqlite3_vfs_find(nil) else { exit(EXIT_FAILURE) }
    for name in ["pwrite", "pwrite64"] {
      _ = vfs.pointee.xSetSystemCall(vfs, name, unsafeBitCast(write, to: sqlite3_syscall_ptr.self))
    }
  }

  @Test("opening without a free descriptor throws store.tooManyFiles")
  func noDescriptor() async throws {
    _ = try test.storeTester(StoreModels.sampler())
    let path = test.file.path(percentEncoded: false)
    await #expect(processExitsWith: .success) { [path = path as String] in
      var code: PersistenceError.Code?
      FileSystemFailureTests.setOpenFails()
      do {
        _ = try SQLiteStore(path: path, schema: StoreModels.sampler())
      } catch let error as PersistenceError { code = error.code }
      FileSystemFailureTests.expect(code == .tooManyFiles, "\(String(describing: code))")
    }
  }

  @Test("a broken disk under the index of the log throws store.inputOutput, not store.diskFull")
  func indexOfLog() async throws {
    let path = test.file.path(percentEncoded: false)
    await #expect(processExitsWith: .success) { [path = path as String] in
      var code: PersistenceError.Code?
      FileSystemFailureTests.setGrowthOfIndexFails()
      do {
        _ = try SQLiteStore(path: path, schema: StoreModels.sampler())
      } catch let error as PersistenceError { code = error.code }
      FileSystemFailureTests.expect(code == .inputOutput, "\(String(describing: code))")
    }
  }

  @Test(
    "a failed read of the disk throws store.inputOutput, not store.corrupt",
    arguments: [false, true])
  func readErrors(isInLog: Bool) async throws {
    do {
      let tester = try test.storeTester(StoreModels.sampler())
      for _ in 0..<3 { try tester.insert(["bytes": .binary(Data(repeating: 7, count: 500_000))]) }
    }
    if isInLog { try test.storeTester(StoreModels.sampler()).insert(["text": "x"]) }
    let path = test.file.path(percentEncoded: false)
    await #expect(processExitsWith: .success) {
      [path = path as String, isInLog = isInLog as Bool] in
      do {
        let store = try SQLiteStore(path: path, schema: StoreModels.sampler())
        let tester = try StoreTester(store)
        if isInLog { try tester.insert(["bytes": .binary(Data(repeating: 8, count: 500_000))]) }
        let reader = try StoreTester(store)
        FileSystemFailureTests.setReadsFail(true)
        var codes: [PersistenceError.Code?] = []
        for read in [{ _ = try reader.rows() }, { _ = try reader.row(isInLog ? 4 : 3) }] {
          do {
            try read()
            codes.append(nil)
          } catch let error as PersistenceError { codes.append(error.code) }
        }
        FileSystemFailureTests.setReadsFail(false)
        let count = try reader.rows().count
        let isSo = codes == [.inputOutput, .inputOutput] && count >= 3
        print(codes, count)
        exit(isSo ? EXIT_SUCCESS : EXIT_FAILURE)
      } catch {
        print(error)
        exit(EXIT_FAILURE)
      }
    }
  }
}
