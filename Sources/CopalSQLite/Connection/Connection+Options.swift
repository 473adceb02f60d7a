import CopalModel
import CopalStore

extension Connection {
  /// Opens the file of a store for reading and writing, with the options of the store.
  convenience init(path: String, _ options: SQLiteStore.Options, createsFile: Bool) throws {
    try self.init(
      path: path, createsFile ? .creating : .writing,
      busyTimeoutSeconds: options.busyTimeoutSeconds,
      pageCacheKilobytes: options.pageCacheKilobytes, folding: options.folding,
      onStatement: options.onStatement)
    try run("PRAGMA synchronous=\(options.durability.level)")
    try set("journal_size_limit=\(Self.longestIdleLog)")
    if options.checksPages { try set("cell_size_check=ON") }
    if options.securelyDeletes { try set("secure_delete=ON") }
    if options.pageCacheKilobytes < Connection.defaultCacheKilobytes { try takePageCache() }
  }

  /// Opens the file of a store for reading, in the way that creates no file.
  convenience init(reading path: String, _ options: SQLiteStore.Options) throws {
    let files = StoreFilesOnDisk(StorePath(path).filePath)
    try self.init(
      path: path, files.access, busyTimeoutSeconds: options.busyTimeoutSeconds,
      pageCacheKilobytes: options.pageCacheKilobytes, folding: options.folding,
      onStatement: options.onStatement)
    if !files.access.hasLocks { filesReadAlone = files }
    if options.pageCacheKilobytes < Connection.defaultCacheKilobytes { try takePageCache() }
  }

  /// Checks that nobody has written to a file that is read without locks.
  ///
  /// - Throws: `store.busy`.
  @inline(__always)
  func checkIsUnchanged() throws {
    if filesReadAlone != nil { try checkFiles() }
  }

  @inline(never)
  private func checkFiles() throws {
    guard filesReadAlone?.isUnchanged == false else { return }
    throw PersistenceError(.busy, path: path)
  }

  /// The size in bytes to which SQLite cuts the log when it begins to write it from its start. It
  /// is longer only while somebody reads an old state:
  /// <https://www.sqlite.org/pragma.html#pragma_journal_size_limit>.
  private static let longestIdleLog = 16 << 20

  /// Runs work whose commits wait for the disk, whatever the durability of the store is.
  func withFullDurability<R>(_ work: () throws -> R) throws -> R {
    let former = try integer("PRAGMA synchronous") ?? 2
    try set("synchronous=\(SQLiteStore.Durability.full.level)")
    // Afterward every commit waits, if this fails.
    defer { try? set("synchronous=\(former)") }
    return try work()
  }
}

extension SQLiteStore.Durability {
  /// SQLite's name of the level.
  fileprivate var level: String {
    switch self {
    case .normal: "NORMAL"
    case .full: "FULL"
    }
  }
}
