import CopalModel
import CopalSQL
import CopalStore

/// Checks derived columns, and makes them again.
extension SQLiteSession {
  func wrongDerivedValues() throws -> [WrongDerivedValue] { try wrongDerivedValues(atMost: .max) }

  /// The first wrong derived values.
  func wrongDerivedValues(atMost limit: Int) throws -> [WrongDerivedValue] {
    // All statements must see one state of the store.
    try beginReadTransaction()
    defer { endReadTransaction() }
    try prepareToRead()
    let translator = DerivedTranslator(SQLiteDialect())
    // An attribute with several forms is one finding.
    var seen: Set<WrongDerivedValue> = []
    var found: [WrongDerivedValue] = []
    func find(_ sql: SQLStatement, _ wrong: (Int64) -> WrongDerivedValue) throws {
      let statement = try connection.statement(sql.text)
      defer { statement.reset() }
      try statement.setPlaceholders(sql.values)
      while found.count < limit, try statement.step() {
        let value = wrong(statement.integer(0))
        if seen.insert(value).inserted { found.append(value) }
      }
    }
    for layout in store.schema.entities where found.count < limit {
      let mapping = table(layout.index).mapping
      let own = mapping.ownDerived.filter { mapping.canDerive || $0.column.isFolded }
      let columns = own.map { ($0.column.source, translator.wrong($0, mapping)) }
      let parts = mapping.ownTrigrams.map {
        ($0.slot, TrigramTables.wrong($0, mapping))
      }
      for case (let slot, let sql?) in columns + parts {
        try find(sql) { WrongDerivedValue(entity: layout.index, slot: slot, key: $0) }
      }
      for constraint in layout.ownUniqueConstraints {
        guard let slot = constraint.slots.first(where: constraint.ignoresDifferences),
          let sql = translator.duplicates(constraint, mapping)
        else { continue }
        try find(sql) {
          WrongDerivedValue(entity: layout.index, slot: slot, key: $0, isDuplicate: true)
        }
      }
    }
    return found
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
