package import CopalStore

/// Rows that are written without objects of the context: by a save from its changes, and by an
/// import from a file.
extension ManagedObjectContext {
  /// The session of the context. What it writes is not published: ``commitRows(_:)`` is for that.
  package var storeSession: any StoreSession {
    get throws { try state.session.opened() }
  }

  /// Commits rows, and publishes them, or adds them to the open transaction.
  package func commitRows(_ changes: ChangeSet) throws -> CommitResult {
    if changes.isEmpty {
      let keys = changes.entities.map { _ -> [Int64] in [] }
      return .committed(CommitReceipt(insertedKeys: keys, written: changes))
    }
    state.storedChangeCount += 1
    let result = try state.committing(changes.writtenEntities(state.container.schema)) {
      try state.session.opened().commit(changes)
    } published: { result in
      guard case .committed(let receipt) = result else { return nil }
      return (.save(receipt), receipt.place)
    }
    if case .committed(let receipt) = result, !state.session.transactions.isEmpty {
      state.note(written: receipt)
    }
    return result
  }
}
