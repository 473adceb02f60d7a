import CopalModel
import CopalSQL
import CopalStore

/// Removes the files that no row refers to: those that commits have noted, and those of saves that have failed or were killed.
///
/// No reader can need a removed file. The names are read first. Then a checkpoint of the write-ahead log shows that every
/// reader sees the commits that have noted them: a checkpoint that restarts the log is refused while a reader sees an older state
/// (<https://www.sqlite.org/c3ref/wal_checkpoint_v2.html>). The removal itself runs under the lock of the folder, so that no save is
/// between its files and its commit, and in a write transaction, in which each name is looked for in the rows once more.
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

  /// The number of names that one transaction removes.
  private static let batch = 1000

  /// - Parameter checkingAll: whether every file of the folder is looked at.
  /// - Returns: the number of removed files. 0 when a save or an older reader needs the files now; a later call removes them.
  func run(checkingAll: Bool = false) throws -> Int {
    guard folder.exists else { return 0 }
    var removed = 0
    var isFirst = true
    while true {
      let names = try list.first(Self.batch)
      let listsAll = isFirst && checkingAll
      if names.isEmpty, !listsAll, !isFirst || folder.newNames.isEmpty { return removed }
      // Only a file that no commit has referred to may go while there are older readers.
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

  /// Whether every reader sees all commits until now.
  private func restartsLog() throws -> Bool {
    try connection.withoutWaiting {
      let statement = try connection.statement("PRAGMA wal_checkpoint(RESTART)")
      defer { statement.reset() }
      return try statement.step() && statement.integer(0) == 0
    }
  }

  private func remove(_ listed: [String], _ files: [ExternalFileName]) throws -> Int {
    if listed.isEmpty, files.isEmpty { return 0 }
    try references.createIndexes()
    var removed = 0
    for text in listed {
      // A text of another program is no name of a file, and leads nowhere.
      if let name = ExternalFileName(text), try !references.contains(name), folder.remove(name) {
        removed += 1
      }
      try list.remove(text)
    }
    for name in files {
      if try references.contains(name) {
        folder.keep([name])
      } else if try !list.contains(name.text), folder.remove(name) {
        // A name in the list was noted since the list was read. An older reader may need its file.
        removed += 1
      }
    }
    return removed
  }
}
