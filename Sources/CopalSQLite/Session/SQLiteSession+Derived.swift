import CopalModel
import CopalSQL
import CopalStore

/// Checks derived columns, and makes them again.
extension SQLiteSession {
  func wrongDerivedValues() throws -> [WrongDerivedValue] {
    // All statements must see one state of the store.
    try beginReadTransaction()
    defer { endReadTransaction() }
    try prepareToRead()
    let translator = DerivedTranslator(SQLiteDialect())
    var found: [WrongDerivedValue] = []
    for layout in store.schema.entities {
      let mapping = table(layout.index).mapping
      let own = mapping.ownDerived.filter { mapping.canDerive || $0.column.isFolded }
      let columns = own.map { ($0.column.source, translator.wrong($0, mapping)) }
      let parts = mapping.ownTrigrams.map {
        ($0.slot, TrigramTranslator(SQLiteDialect()).wrong($0, mapping))
      }
      for case (let slot, let sql?) in columns + parts {
        found += try connection.integers(sql).map {
          WrongDerivedValue(entity: layout.index, slot: slot, key: $0)
        }
      }
      for constraint in layout.ownUniqueConstraints {
        guard let slot = constraint.slots.first(where: constraint.ignoresDifferences),
          let sql = translator.duplicates(constraint, mapping)
        else { continue }
        found += try connection.integers(sql).map {
          WrongDerivedValue(entity: layout.index, slot: slot, key: $0, isDuplicate: true)
        }
      }
    }
    // An attribute with several forms is one finding.
    var seen: Set<WrongDerivedValue> = []
    return found.filter { seen.insert($0).inserted }
  }

  func deriveAll() throws {
    if store.rootsWithDerivedColumns.isEmpty { return }
    try FileSizeSignal.heldBack {
      try prepareToWrite()
      _ = try inWriteTransaction {
        try checkModel()
        try ColumnDerivation(connection, store.schema, progress: nil)
          .makeAgain(store.rootsWithDerivedColumns)
      }
      connection.staleRows.forget()
    }
  }
}
