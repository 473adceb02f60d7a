import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// The files of large values in a commit.
extension SQLiteSession {
  /// Writes the files of a commit, and runs the commit. Then it keeps the files, or removes them
  /// when no row was written.
  func withFiles(of changes: ChangeSet, _ body: () throws -> CommitResult) throws -> CommitResult {
    guard store.hasExternalValues else { return try body() }
    defer { if transaction == nil { store.tidyUpIfDue(connection) } }
    if changes.externalValues.isEmpty { return try body() }
    let (folder, names) = (store.folder, changes.externalValues.keys)
    try folder.create()
    return try whileWriting(folder) {
      try folder.add(changes.externalValues)
      do {
        let result = try body()
        if case .committed = result { keep(names) } else { folder.removeNew(names) }
        return result
      } catch {
        removeUnlessCommitted(names)
        throw error
      }
    }
  }

  /// Runs work that writes files. No program removes files in the meantime, or before the end of
  /// the open transaction.
  private func whileWriting<R>(_ folder: ExternalFolder, _ body: () throws -> R) throws -> R {
    guard transaction != nil else { return try folder.whileWriting(body) }
    if transaction?.lock == nil { transaction?.lock = try folder.lockForWriting() }
    return try body()
  }

  /// Keeps the files of a commit. Those of a transaction stay new until its end, because they
  /// belong to it.
  private func keep(_ names: some Sequence<ExternalFileName>) {
    guard let last = transaction?.files.indices.last else { return store.folder.keep(names) }
    transaction?.files[last] += names
  }

  /// Removes the files of a commit that has thrown. A file stays when a row has its name, or when
  /// the rows cannot be read: a later removal looks for the name again.
  func removeUnlessCommitted(_ names: some Sequence<ExternalFileName>) {
    let references = FileReferences(connection, store.schema)
    guard let kept = try? references.contained(Set(names)) else { return }
    store.folder.removeNew(names.filter { !kept.contains($0) })
  }

  /// Checks that the files of the new rows exist, and adds the names of replaced and deleted values
  /// to the list of unreferenced files. The transaction of the commit calls it before it changes
  /// the first row.
  ///
  /// - Throws: `object.externalFileMissing` when a row would have the name of a file that does not
  ///   exist.
  func noteFiles(of changes: ChangeSet) throws {
    guard store.hasExternalValues else { return }
    var names: [String] = []
    for change in changes.entities {
      let slots = store.schema.entities[change.entity].externalSlots
      if slots.isEmpty { continue }
      // A new row has no other files than those of this save; a row that comes back was read
      // before.
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

  /// Checks the names that a row has. A row that was read before may have the name of a file that
  /// was removed in the meantime.
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
        path: store.folder.path,
        found: ExternalFileName(text)?.text ?? "a text that is no name of a file")
    }
  }

  /// The names in a row that is deleted. If the context has not read the row, its names are read
  /// now.
  private func fileTexts(of delete: ChangeSet.Delete, _ slots: [Int], _ entity: Int) throws
    -> [String]
  {
    if let row = delete.before { return slots.compactMap(row.fileText) }
    let translator = FileTranslator(table(entity).mapping, SQLiteDialect())
    return try slots.compactMap { slot in
      let statement = try connection.statement(translator.name(slot).text)
      defer { statement.reset() }
      try statement.setPlaceholder(1, integer: delete.key)
      return try statement.step() ? statement.text(0) : nil
    }
  }
}
