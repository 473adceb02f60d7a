import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// Changes the tables of a file from one model to another, in the open transaction: the phases of
/// ``MigrationPhase``, in place. A table is never copied, so indexes, triggers, views and columns
/// of other programs survive.
///
/// What the rows refuse is collected, so that one error has all of it.
final class MigrationRun {
  private let connection: Connection
  private let pair: SchemaPair
  private let changes: TableChanges
  private let translator: MigrationTranslator
  private let schemaTranslator = SchemaTranslator(SQLiteDialect())
  private let rows: RowCheckTranslator
  private let conversions: ConversionFunction
  private var indexes: FileIndexes
  private let meter: ProgressMeter?
  private var checks: RowChecks

  init(
    _ connection: Connection, _ pair: SchemaPair, files folder: ExternalFolder, now: Date,
    progress: (@Sendable (MigrationProgress) -> Void)?
  ) throws {
    self.connection = connection
    self.pair = pair
    changes = TableChanges(pair)
    translator = MigrationTranslator(pair.new, SQLiteDialect(), now: now)
    conversions = ConversionFunction(changes.conversions, folder, now: now)
    rows = RowCheckTranslator(pair.new, SQLiteDialect())
    checks = RowChecks(connection, changes, asking: rows, converting: conversions)
    indexes = try FileIndexes(connection)
    meter = progress.map { ProgressMeter($0) }
  }

  /// What the rows refuse.
  var problems: [RowProblem] { checks.problems }

  /// - Throws: ``PersistenceError`` of a statement that failed. ``problems`` has what rows refuse;
  ///   the transaction must be rolled back when there is any.
  func run() throws {
    try conversions.registered(on: connection) {
      for phase in MigrationPhase.allCases { try run(phase) }
    }
  }

  private func run(_ phase: MigrationPhase) throws {
    switch phase {
    case .renameTables: try explainingOthers(renameTables)
    case .renameColumns: try explainingOthers(renameColumns)
    case .dropIndexes: try explainingOthers(dropIndexes)
    case .addTablesAndColumns: try explainingOthers(addTablesAndColumns)
    case .updateRows: try updateRows()
    case .checkRows: try checks.run()
    case .dropTablesAndColumns: try explainingOthers(dropTablesAndColumns)
    case .createIndexes: try createIndexes()
    }
  }

  private func run(_ statement: SQLStatement) throws { try connection.run(statement) }

  /// What SQLite refuses because of a view, a trigger, a table or a column of another program.
  private func explainingOthers(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as PersistenceError where error.code == .backend {
      throw PersistenceError(
        .migrationOtherProgram, path: connection.path, found: error.found,
        backendCode: error.backendCode, causes: [error])
    }
  }

  // MARK: Names

  private func renameTables() throws {
    if changes.renames.isEmpty { return }
    try noteLastKeys()
    // Otherwise an old table could keep its name in the references of other tables.
    try connection.run("PRAGMA legacy_alter_table=OFF")
    try connection.withViews {
      for rename in changes.renames { try run(translator.renameTable(rename)) }
    }
    let keys = LastKeys(connection)
    for change in changes.changed where change.old.layout.name != change.root.layout.name {
      try keys.copy(from: change.old.layout.name, to: change.root.layout.name)
    }
  }

  /// Notes the greatest keys of the roots whose names are free from now on: another program may
  /// have added rows, whose keys a new entity of the name must not get.
  private func noteLastKeys() throws {
    let keys = LastKeys(connection)
    for root in pair.old.entities
    where root.root == root.index && pair.rootNow(of: root) != root.name {
      let table = TableMapping(root, in: pair.old)
      let query = SelectTranslator(table, SQLiteDialect()).maxKey()
      let greatest = try connection.integers(query).first ?? 0
      try keys.set(max(keys[root.name], greatest), of: root.name)
    }
  }

  private func renameColumns() throws {
    try connection.withViews {
      for change in changes.changed {
        for rename in change.columns.renames {
          try run(translator.renameColumn(rename, of: change.root))
        }
      }
    }
  }

  // MARK: Indexes

  /// The indexes that the new model has in the tables that are kept, each with the mapping of its
  /// entity.
  private var wantedIndexes: [(index: SchemaTranslator.Index, mapping: TableMapping)] {
    changes.changed.flatMap(\.family).flatMap { mapping in
      schemaTranslator.indexes(mapping).map { (index: $0, mapping: mapping) }
    }
  }

  private func dropIndexes() throws {
    indexes = try FileIndexes(connection)
    let links = changes.keptLinks.map(\.new).flatMap(schemaTranslator.indexes)
    // Names of files are found by an index that is made when it is needed.
    let files = changes.changed.flatMap(\.family).flatMap(schemaTranslator.fileIndexes)
    let kept = Set((wantedIndexes.map(\.index) + links + files).map(\.shape))
    let tables = Set(
      (changes.changed.map(\.root.tableName) + changes.keptLinks.map(\.new.names.table))
        .map { $0.lowercased() })
    for index in indexes.all
    where index.name.hasPrefix("copal_") && tables.contains(index.table.lowercased())
      && index.shape.map(kept.contains) != true
    {
      try run(translator.dropIndex(index.name))
      indexes.remove(index)
    }
  }

  private func createIndexes() throws {
    for links in changes.keptLinks {
      for index in schemaTranslator.indexes(links.new) { _ = try create(index) }
    }
    for (index, mapping) in wantedIndexes {
      if try !create(index) { try checks.findDuplicates(index, mapping) }
    }
  }

  /// - Returns: false for an index of a unique constraint that the rows do not fulfill.
  private func create(_ index: SchemaTranslator.Index) throws -> Bool {
    if indexes.contains(index.shape) { return true }
    do {
      try connection.run(index.creation(named: indexes.freeName(for: index)))
      return true
    } catch let error as PersistenceError where SQLiteFailure.isUniqueConflict(error) {
      return false
    }
  }

  // MARK: Columns and rows

  private func addTablesAndColumns() throws {
    for change in changes.changed {
      if let entity = change.entityOfRows,
        let statement = translator.addEntityColumn(ofRows: entity, change.root)
      {
        try run(statement)
      }
      for column in change.columns.added {
        try run(schemaTranslator.addColumn(column.slot, column.mapping))
      }
    }
    let installer = SchemaInstaller(connection, pair.new)
    for root in changes.added { try installer.createTable(root, &indexes) }
    for links in changes.addedLinks { try installer.createTable(links, &indexes) }
    for links in changes.keptLinks {
      for column in links.added { try run(translator.addPosition(column, of: links.new)) }
    }
    for change in changes.reversedLinks {
      try installer.createTable(change.new.links, &indexes)
      try run(translator.copyLinks(change))
    }
  }

  /// The number of keys for which one statement writes the rows. Where rows are few, it grows.
  private static let batch: Int64 = 20_000

  private func updateRows() throws {
    if let meter {
      for change in changes.changed {
        for update in change.columns.updates {
          let count = try rows.rowCount(update).flatMap { try connection.integers($0).first }
          meter.expect(Int(count ?? 0))
        }
      }
    }
    for change in changes.changed {
      for statement in [translator.deleteRows(change), translator.renameEntities(change)] {
        if let statement { try run(statement) }
      }
    }
    let relationships = changes.relationships
    for omission in relationships.omissions { try run(translator.omit(omission)) }
    for change in changes.changed {
      for update in change.columns.updates { try run(update, change.root) }
    }
    for fill in relationships.fills { try run(translator.fill(fill)) }
    for half in relationships.halves { try run(translator.settle(half)) }
    for order in relationships.orders { try run(translator.order(order)) }
  }

  private func run(_ update: RowUpdate, _ root: TableMapping) throws {
    if let statement = translator.update(update) {
      try run(statement)
      meter?.add(connection.changes)
      return
    }
    // Keys of another program can be negative, and far from each other.
    var key = Int64.min
    var span = Self.batch
    while let next = try connection.integers(translator.nextKey(after: key, root)).first {
      let (sum, isTooGreat) = next.addingReportingOverflow(span - 1)
      let last = isTooGreat ? Int64.max : sum
      if let statement = translator.update(update, from: key, through: last) {
        try run(statement)
        meter?.add(connection.changes)
      }
      if last == Int64.max { return }
      key = last
      span = connection.changes < Self.batch / 4 ? min(span, Int64.max / 4) * 4 : Self.batch
    }
  }

  private func dropTablesAndColumns() throws {
    for change in changes.changed {
      for column in change.columns.dropped {
        try run(translator.dropColumn(column, of: change.root))
      }
    }
    for links in changes.keptLinks {
      for column in links.dropped { try run(translator.dropPosition(column, of: links.new)) }
    }
    for table in changes.dropped { try run(translator.dropTable(table)) }
  }
}
