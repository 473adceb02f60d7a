import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// The files of large values in a commit.
extension SQLiteSession {
  /// Writes the files of a commit, runs it, and keeps the files, or removes them when nothing was written.
  func withFiles(of changes: ChangeSet, _ body: () throws -> CommitResult) throws -> CommitResult {
    guard store.hasExternalValues else { return try body() }
    defer { store.tidyUpIfDue(connection) }
    if changes.externalValues.isEmpty { return try body() }
    let (folder, names) = (store.folder, changes.externalValues.keys)
    try folder.create()
    return try folder.whileWriting {
      try folder.add(changes.externalValues)
      do {
        let result = try body()
        if case .committed = result { folder.keep(names) } else { folder.removeNew(names) }
        return result
      } catch {
        removeUnlessCommitted(names)
        throw error
      }
    }
  }

  /// Removes the files of a commit that has thrown. When it is not certain that no row has a name, the file stays until it is.
  private func removeUnlessCommitted(_ names: some Sequence<ExternalFileName>) {
    let references = FileReferences(connection, store.schema)
    for name in names where (try? references.contains(name)) == false {
      store.folder.removeNew([name])
    }
  }

  /// Checks that the files of new rows exist, and notes the files whose values are replaced or deleted. Before the first row is
  /// changed, in the transaction of the commit.
  func noteFiles(of changes: ChangeSet) throws {
    guard store.hasExternalValues else { return }
    var names: [String] = []
    for change in changes.entities {
      let slots = store.schema.entities[change.entity].externalSlots
      if slots.isEmpty { continue }
      // A new row has no other files than those of this save; a row that comes back was read before.
      for index in change.inserts.indices where change.inserts[index].key > 0 {
        try checkFiles(of: change.inserts[index].row, slots, changes)
      }
      for update in change.updates {
        let changed = slots.filter(update.changed.contains)
        try checkFiles(of: update.row, changed, changes)
        names += changed.compactMap(update.before.fileText)
      }
      for delete in change.deletes { names += try fileTexts(of: delete, slots, change.entity) }
    }
    if names.isEmpty { return }
    try UnreferencedFiles(connection).add(names)
    store.noteUnreferenced(names.count)
  }

  /// A row that was read before may come back with the name of a file that was removed meanwhile.
  private func checkFiles(of row: PackedRow, _ slots: [Int], _ changes: ChangeSet) throws {
    guard row.hasTypeMismatch else { return }
    for slot in slots {
      guard let text = row.fileText(slot) else { continue }
      if let name = ExternalFileName(text),
        changes.externalValues[name] != nil || store.folder.has(name)
      {
        continue
      }
      let layout = store.schema.entities[row.entity]
      throw PersistenceError(
        .externalFileMissing, entity: layout.name, property: layout.attributes[slot].name,
        path: store.folder.path, found: text)
    }
  }

  /// The names in a row that is deleted. A row that the context has not read is read now.
  private func fileTexts(of delete: ChangeSet.Delete, _ slots: [Int], _ entity: Int) throws
    -> [String]
  {
    if let row = delete.before { return slots.compactMap(row.fileText) }
    let translator = FileTranslator(table(entity).mapping, SQLiteDialect())
    return try slots.compactMap { slot in
      let statement = try connection.statement(translator.name(slot).text)
      defer { statement.reset() }
      try statement.bind(1, integer: delete.key)
      return try statement.step() ? statement.text(0) : nil
    }
  }
}
