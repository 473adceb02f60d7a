import CopalModel
import CopalSQL
import CopalStore

/// Removes the files that no row refers to: the files whose names commits have added to the list,
/// and the files of saves that have failed or were killed.
///
/// No reader can need a removed file. The names of the list are read first. Then a checkpoint of
/// the write-ahead log shows that every reader sees the commits that have added them: SQLite
/// refuses a checkpoint that restarts the log while a reader sees an older state
/// (<https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>). The removal itself runs under the lock
/// of the folder, so that no save has written its files and not committed yet. It also runs in a
/// write transaction, which looks for each name in the rows once more.
struct FileTidyUp {
  private let connection: Connection
  private let folder: ExternalFolder
  private let references: FileReferences
  private let list: UnreferencedFiles

  init(_ connection: Connection, _ folder: ExternalFolder, _ schema: StoreSchema) {
    self.connection = connection
    self.folder = folder
    references = FileReferences(connection, schema)
    list = UnreferencedFiles(connection)
  }

  /// The greatest number of names of the list that one transaction removes.
  private static let batch = 1000

  /// Removes files in transactions of at most ``batch`` names, until the list is empty.
  ///
  /// - Parameter checkingAll: whether every file of the folder is looked at.
  /// - Returns: the number of removed files. 0 when a save or an older reader needs the files now;
  ///   a later call removes them.
  /// - Throws: `store.filesOfAnotherStore` when the folder is that of another store, and others.
  func run(checkingAll: Bool = false) throws -> Int {
    guard folder.exists else { return 0 }
    try folder.claim()
    if checkingAll { try folder.checkHasNoOtherMark() }
    var removed = 0
    var isFirst = true
    while true {
      let names = try list.first(Self.batch)
      let listsAll = isFirst && checkingAll
      if names.isEmpty, !listsAll, !isFirst || folder.newNames.isEmpty { return removed }
      // While a reader sees an older state, only files that no commit has referred to may be
      // removed.
      let mayRemoveOld = names.isEmpty && !listsAll ? false : try restartsLog()
      let files = listsAll && mayRemoveOld ? folder.names : folder.newNames
      guard
        let count = try folder.whileNobodyWrites({
          try connection.withoutWaiting {
            try connection.inImmediateTransaction {
              try remove(mayRemoveOld ? names : [], files)
            }
          }
        })
      else { return removed }
      removed += count
      if !mayRemoveOld || names.count < Self.batch { return removed }
      isFirst = false
    }
  }

  /// Restarts the write-ahead log; false while a reader does not see all commits.
  private func restartsLog() throws -> Bool {
    try connection.withoutWaiting {
      let statement = try connection.statement("PRAGMA wal_checkpoint(RESTART)")
      defer { statement.reset() }
      return try statement.step() && statement.integer(0) == 0
    }
  }

  private func remove(_ listed: [String], _ files: [ExternalFileName]) throws -> Int {
    if listed.isEmpty, files.isEmpty { return 0 }
    // Another program may have migrated the store meanwhile, and may have files in an attribute
    // that this one does not know.
    try references.checkModel()
    try references.createIndexes()
    var removed = 0
    var listIsShorter = true
    for text in listed {
      // Another program may have written a text that is not a name of a file. No file is removed
      // for it.
      if let name = ExternalFileName(text), try !references.contains(name), folder.remove(name) {
        removed += 1
      }
      listIsShorter = try list.remove(text) && listIsShorter
    }
    // Otherwise the next batch would be the same one.
    if !listIsShorter { try list.removeForeign() }
    for name in files {
      if try references.contains(name) {
        folder.keep([name])
      } else if try !list.contains(name.text), folder.remove(name) {
        // A name that is in the list was added after the list was read: an older reader may need
        // its file.
        removed += 1
      }
    }
    return removed
  }
}
