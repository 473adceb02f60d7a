import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// Lightweight migration: adds and renames tables, columns and indexes of an existing file when it
/// is opened.
struct LightweightMigration {
  private let connection: Connection
  private let schema: StoreSchema
  private let translator = SchemaTranslator(SQLiteDialect())

  init(_ connection: Connection, _ schema: StoreSchema) {
    self.connection = connection
    self.schema = schema
  }

  /// - Returns: what the store said of itself before anything was changed.
  func migrateIfNeeded() throws -> StoreMetadata.Record {
    let metadata = StoreMetadata(connection)
    let stored = try metadata.read()
    if stored.schemaHash == schema.hash.text { return stored }
    try connection.inImmediateTransaction {
      // Read again under the lock: another process may have migrated the store.
      let stored = try metadata.read()
      if stored.schemaHash == schema.hash.text { return }
      let difference = ModelDifference(from: try metadata.readModel(), to: schema)
      let refused =
        difference.refused + (try linesOfAbstract(difference)) + (try linesOfFiles(difference))
      guard refused.isEmpty else {
        throw PersistenceError(
          .modelDiffers, path: connection.path, found: refused.joined(separator: "\n"))
      }
      try apply(TableChanges(difference.history))
      try metadata.update(schema)
    }
    return stored
  }

  /// The lines for entities that became abstract, of which the store has rows. Each costs one row
  /// of an index.
  private func linesOfAbstract(_ difference: ModelDifference) throws -> [String] {
    try difference.newlyAbstract.filter { layout in
      let mapping = TableMapping(layout, in: difference.history.old)
      return try connection.integer(translator.hasRow(mapping).text) == 1
    }.map {
      "the entity \($0.name) is abstract now, and the store has objects of it that are of no subentity"
    }
  }

  /// The lines for attributes that are not external any more, of which the store has values in
  /// files.
  private func linesOfFiles(_ difference: ModelDifference) throws -> [String] {
    try difference.noLongerExternal.filter { layout, slot in
      let mapping = TableMapping(layout, in: difference.history.old)
      let names = FileTranslator(mapping, SQLiteDialect()).names(slot)
      return try connection.text(names.text) != nil
    }.map { layout, slot in
      "\(layout.name).\(layout.attributes[slot].name) is not external any more, and the store has values of it in files"
    }
  }

  private func apply(_ changes: TableChanges) throws {
    // Tables that others refer to have their new names first.
    try connection.withViews { for change in changes.changedTables { try rename(change) } }
    let installer = SchemaInstaller(connection, schema)
    for root in changes.addedTables { try installer.createTable(root) }
    for change in changes.changedLinkTables { try apply(change) }
    for links in changes.addedLinkTables { try installer.createTable(links) }
    for change in changes.changedTables { try apply(change) }
  }

  // MARK: Tables of entities

  /// Changes the names of a table and of its columns.
  private func rename(_ change: TableChange) throws {
    // Without the indexes that are made again: renaming a column would read them.
    for index in change.indexes.dropped { try connection.run(translator.dropIndex(index).text) }
    let name = change.root.tableName
    if change.oldName != name {
      // Otherwise an old table could keep its name in the references of other tables.
      try connection.run("PRAGMA legacy_alter_table=OFF")
      try connection.run(translator.renameTable(change.oldName, to: name).text)
      try LastKeys(connection).move(from: change.oldName, to: name)
    }
    for (old, new) in change.columns.renamed {
      try connection.run(translator.renameColumn(old, to: new, change.root).text)
    }
  }

  /// Adds the columns and indexes of a table that has its new name.
  private func apply(_ change: TableChange) throws {
    if let entity = change.entityOfRows,
      let statement = translator.addEntityColumn(ofRows: entity, change.root)
    {
      try connection.run(statement.text)
    }
    for (mapping, slot) in change.columns.added {
      try connection.run(translator.addColumn(slot, mapping).text)
    }
    // The index of entities first: by it the rows of some entities are found.
    let entityColumn = change.root.entityColumnName.map { [$0] }
    for index in change.indexes.created where index.columns == entityColumn {
      try connection.run(index.creation)
    }
    let now = Date()
    for defaults in change.columns.defaults { try fill(defaults, now) }
    for index in change.indexes.created { try connection.run(index.creation) }
  }

  /// Sets the defaults of new attributes in the existing rows of some entities.
  private func fill(_ defaults: RowDefaults, _ now: Date) throws {
    guard let first = defaults.entities.first else { return }
    let mapping = TableMapping(first, in: schema)
    let isPerRow = defaults.slots.contains { first.attributes[$0].defaultValue == .new }
    if isPerRow {
      for layout in defaults.entities { try fillEachRow(of: layout, defaults.slots, now) }
    } else {
      try connection.run(
        translator.setColumns(
          values(defaults.slots, first, now),
          ofRowsOf: defaults.areAll ? nil : defaults.entities.map(\.index), mapping))
    }
  }

  /// Sets the defaults row by row, because each row gets a UUID of its own.
  private func fillEachRow(of layout: EntityLayout, _ slots: [Int], _ now: Date) throws {
    let mapping = TableMapping(layout, in: schema)
    let query = StoreQuery(entity: layout.index, includesSubentities: false)
    let keys = try connection.integers(
      SelectTranslator(mapping, SQLiteDialect()).statement(query.shape(.keys)))
    for key in keys {
      try connection.run(
        translator.setColumnsOfRow(values(slots, layout, now), mapping), key: key)
    }
  }

  private func values(
    _ slots: [Int], _ layout: EntityLayout, _ now: Date
  ) -> [SchemaTranslator.SlotValue] {
    slots.compactMap { slot in
      switch layout.attributes[slot].defaultValue {
      case nil: nil
      case .value(let value): (slot, value)
      case .now: (slot, .date(now))
      case .new: (slot, .uuid(UUID()))
      }
    }
  }

  // MARK: Tables of links

  private func apply(_ change: LinkTableChange) throws {
    if change.isReversed {
      try run(translator.reverse(change.old, into: change.new))
    } else {
      try connection.withViews { try run(translator.rename(change.old, to: change.new)) }
    }
  }

  private func run(_ statements: [SQLStatement]) throws {
    for statement in statements { try connection.run(statement.text) }
  }
}
