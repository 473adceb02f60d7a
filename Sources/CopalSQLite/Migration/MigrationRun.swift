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
  private let numbers: FileNumbers
  private let translator: MigrationTranslator
  private let schemaTranslator = SchemaTranslator(SQLiteDialect())
  private let rows: RowCheckTranslator
  private let conversions: ConversionFunction
  private var indexes: FileIndexes
  private let meter: ProgressMeter?
  private var checks: RowChecks
  /// The greatest keys that tables have had before rows of others came into them.
  private var lastKeys: [String: Int64] = [:]
  /// The roots whose tables have got derived columns.
  private var rootsToDerive: Set<Int> = []
  /// Whether the triggers were those of a release that did not notice other keys.
  private var hasFormerTriggers = false

  init(
    _ connection: Connection, _ pair: SchemaPair, files folder: ExternalFolder, now: Date,
    progress: (@Sendable (MigrationProgress) -> Void)?
  ) throws {
    self.connection = connection
    self.pair = pair
    numbers = FileNumbers(connection, pair.old)
    changes = TableChanges(pair, try RowMoves(pair, numbers))
    translator = MigrationTranslator(changes, SQLiteDialect(), now: now)
    conversions = ConversionFunction(changes.conversions, folder, now: now)
    rows = RowCheckTranslator(changes, pair, SQLiteDialect(), now: now)
    checks = RowChecks(connection, changes, asking: rows, converting: conversions)
    indexes = try FileIndexes(connection)
    meter = progress.map { ProgressMeter($0) }
  }

  /// What the rows refuse.
  var problems: [RowProblem] { checks.problems }

  private var moves: RowMoves { changes.moves }
  private var derivation: ColumnDerivation {
    ColumnDerivation(connection, pair.new, progress: meter)
  }

  /// What has become of the ids of families that have another root now, or other keys.
  func changesOfIDs() throws -> [FormerIDs.Change] {
    try pair.old.entities.filter { $0.root == $0.index && moves.changesIDs(of: $0.index) }.map {
      FormerIDs.Change(
        root: $0.name, last: try numbers.lastKey(of: $0), targets: moves.targets(of: $0.index))
    }
  }

  /// - Throws: ``PersistenceError`` of a statement that failed. ``problems`` has what rows refuse;
  ///   the transaction must be rolled back when there is any.
  func run() throws {
    try conversions.registered(on: connection) {
      try expectRows()
      for phase in MigrationPhase.allCases { try run(phase) }
    }
  }

  /// While rows go into other tables, references would be looked for again and again.
  private func movingRows(_ body: () throws -> Void) throws {
    if changes.movesRows { try connection.withoutForeignKeys(body) } else { try body() }
  }

  private func run(_ phase: MigrationPhase) throws {
    switch phase {
    case .checkRows: try checks.run()
    case .renameTables:
      hasFormerTriggers = try derivation.dropTriggers()
      try explainingOthers(renameTables)
    case .renameColumns: try explainingOthers(renameColumns)
    case .dropIndexes: try explainingOthers(dropIndexes)
    case .addTablesAndColumns: try explainingOthers(addTablesAndColumns)
    case .updateRows: try movingRows(updateRows)
    case .dropTablesAndColumns:
      try explainingOthers { try movingRows(dropTablesAndColumns) }
      try checks.findBrokenReferences()
    case .deriveColumns: try deriveColumns()
    case .createIndexes:
      try createIndexes()
      try derivation.createTriggers()
      try derivation.updateTrigrams(makingAgain: rootsWithOtherTexts)
    }
  }

  private func run(_ statement: SQLStatement) throws { try connection.run(statement) }

  /// What SQLite refuses because of a view, a trigger, a table or a column of another program.
  private func explainingOthers(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch var error as PersistenceError where error.code == .backend {
      error.found = error.found.map(ForeignTexts.written)
      throw PersistenceError(
        .migrationOtherProgram, path: connection.path, found: error.found,
        backendCode: error.backendCode, causes: [error])
    }
  }

  // MARK: Names

  private func renameTables() throws {
    try noteLastKeys()
    if changes.renames.isEmpty { return }
    // Otherwise an old table could keep its name in the references of other tables.
    try connection.run("PRAGMA legacy_alter_table=OFF")
    try connection.withViews {
      for rename in changes.renames { try run(translator.renameTable(rename)) }
    }
  }

  /// Notes the greatest keys of the roots whose objects have another family or a new name: another
  /// program may have added rows, whose keys a new entity of the name must not get.
  private func noteLastKeys() throws {
    let keys = LastKeys(connection)
    for root in pair.old.entities where root.root == root.index && moves.changesIDs(of: root.index)
    {
      try keys.set(try numbers.lastKey(of: root), of: root.name)
    }
    for (name, last) in moves.lastKeys.inOrder(by: { $0.key < $1.key }) {
      try keys.set(last, of: name)
    }
  }

  private func renameColumns() throws {
    try connection.withViews {
      for change in changes.kept {
        for rename in change.columns.renames {
          try run(translator.renameColumn(rename, of: change.root))
        }
      }
    }
  }

  // MARK: Indexes

  /// The indexes that the tables of entities have in the new model, each with the mapping of its
  /// entity.
  private var wantedIndexes: [(index: SchemaTranslator.Index, mapping: TableMapping)] {
    changes.tables.flatMap(\.family).flatMap { mapping in
      schemaTranslator.indexes(mapping).map { (index: $0, mapping: mapping) }
    }
  }

  private func dropIndexes() throws {
    indexes = try FileIndexes(connection)
    let links = changes.keptLinks.map(\.new).flatMap(schemaTranslator.indexes)
    // Names of files are found by an index that is made when it is needed.
    let files = changes.kept.flatMap(\.family).flatMap(schemaTranslator.fileIndexes)
    let kept = Set((wantedIndexes.map(\.index) + links + files).map(\.shape))
    let tables = Set(
      (changes.kept.map(\.root.tableName) + changes.keptLinks.map(\.new.names.table))
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
    let links =
      changes.keptLinks.map(\.new)
      + changes.addedLinks.map { LinkMapping($0, in: pair.new) }
    for index in links.flatMap(schemaTranslator.indexes) { _ = try create(index) }
    for (index, mapping) in wantedIndexes {
      let isNew = !indexes.contains(index.shape)
      let isMade = try create(index)
      if isMade, !isNew || !isEmptyWithoutTransformers(index, mapping) { continue }
      if try !checks.findDuplicates(index, mapping), !isMade {
        throw PersistenceError(
          .backend, path: connection.path,
          found: "the unique index \(index.name) cannot be made, and no rows have equal values")
      }
    }
  }

  /// Whether a unique index of forms has no rows, because a program without the transformers of
  /// projections has marked all of them. It finds no equal values then.
  private func isEmptyWithoutTransformers(
    _ index: SchemaTranslator.Index, _ mapping: TableMapping
  ) -> Bool {
    !mapping.canDerive && index.isUnique
      && mapping.derived.contains { index.columns.contains($0.name) }
  }

  /// - Returns: false for an index of a unique constraint that the rows do not fulfill.
  private func create(_ index: SchemaTranslator.Index) throws -> Bool {
    if indexes.contains(index.shape) { return true }
    do {
      try connection.run(index.creation(named: indexes.freeName(for: index)))
      indexes.add(index)
      return true
    } catch let error as PersistenceError where SQLiteFailure.isUniqueConflict(error) {
      return false
    }
  }

  // MARK: Columns and rows

  private func addTablesAndColumns() throws {
    let installer = SchemaInstaller(connection, pair.new)
    for change in changes.tables {
      guard change.old != nil else {
        try installer.createTable(change.family)
        continue
      }
      if let entity = change.entityOfRows,
        let statement = translator.addEntityColumn(ofRows: entity, change.root)
      {
        try run(statement)
      }
      for column in change.columns.added {
        try run(schemaTranslator.addColumn(column.slot, column.mapping))
      }
      if try derivation.updateColumns(change.root.layout.index) {
        rootsToDerive.insert(change.root.layout.index)
      }
    }
    for links in changes.addedLinks {
      try installer.createTable(LinkMapping(links, in: pair.new))
    }
    for links in changes.keptLinks {
      for column in links.added { try run(translator.addPosition(column, of: links.new)) }
    }
  }

  private func expectRows() throws {
    guard let meter else { return }
    for change in changes.tables {
      let written = change.columns.updates.map(\.rows) + change.columns.moves.map(\.rows)
      for part in written {
        meter.expect(Int(try connection.integers(rows.rowCount(part)).first ?? 0))
      }
    }
  }

  /// Notes the files whose values get lost, so that they are removed also when the program ends
  /// right after the migration, or when a reader needs them now.
  private func noteLostFiles() throws {
    let list = UnreferencedFiles(connection)
    for lost in changes.lostFiles {
      let query = translator.names(of: lost)
      var names: [String] = []
      try connection.forEachRow(query.text, query.values) { row in
        names.append(row.text(0) ?? "")
        if names.count < 1000 { return }
        try list.add(names)
        names = []
      }
      if !names.isEmpty { try list.add(names) }
    }
  }

  private func updateRows() throws {
    try noteLostFiles()
    let relationships = changes.relationships
    for omission in relationships.omissions { try run(translator.omit(omission)) }
    for change in changes.kept {
      for update in change.columns.updates { try run(update) }
    }
    // Rows can leave a table into which others come.
    for change in changes.kept where change.getsRows {
      let query = SelectTranslator(change.root, SQLiteDialect()).maxKey()
      lastKeys[change.root.tableName] = try connection.integers(query).first ?? 0
    }
    for change in changes.tables where change.getsRows {
      for move in change.columns.moves {
        let last = lastKeys[translator.tableName(of: move)]
        try run(translator.move(move, into: change, through: last), writing: change.root)
      }
    }
    for fill in relationships.fills { try run(translator.fill(fill)) }
    for omission in relationships.lateOmissions { try run(translator.omit(omission)) }
    for half in relationships.halves { try run(translator.settle(half)) }
    for order in relationships.orders { try run(translator.order(order)) }
    checks.addFindings()
  }

  /// Runs a statement that writes rows of a table. Rows that a unique constraint does not allow are
  /// found when its index is made again.
  private func run(_ statement: SQLStatement, writing table: TableMapping) throws {
    do {
      try run(statement)
    } catch let error as PersistenceError where SQLiteFailure.isUniqueConflict(error) {
      for index in indexes.all
      where index.shape?.isUnique == true && index.name.hasPrefix("copal_")
        && index.table.lowercased() == table.tableName.lowercased()
        && index.shape.map(indexes.contains) == true
      {
        try run(translator.dropIndex(index.name))
        indexes.remove(index)
      }
      try run(statement)
    }
    meter?.add(connection.changes)
  }

  private func run(_ update: RowUpdate) throws {
    if let statement = translator.update(update) {
      return try run(statement, writing: update.target)
    }
    try KeyRanges(connection, update.target).forEach { keys in
      guard let statement = translator.update(update, keys) else { return 0 }
      try run(statement, writing: update.target)
      return connection.changes
    }
  }

  /// Makes the derived columns of the tables that have new ones, whose rows were written, or whose
  /// columns have other names: a derived one may be that of another attribute now.
  private func deriveColumns() throws {
    for change in changes.tables
    where change.root.staleName != nil
      && (change.getsRows || !change.columns.updates.isEmpty || !change.columns.renames.isEmpty)
    {
      rootsToDerive.insert(change.root.layout.index)
    }
    try dropUniqueDerivedIndexes()
    try derivation.deriveAll(of: rootsToDerive.inOrder())
  }

  /// Rows that a unique constraint does not allow are found when its index is made again.
  private func dropUniqueDerivedIndexes() throws {
    for change in changes.tables where rootsToDerive.contains(change.root.layout.index) {
      let derived = Set(change.family.flatMap(\.ownDerived).map(\.name))
      let shapes = change.family.flatMap(schemaTranslator.indexes)
        .filter { $0.isUnique && !derived.isDisjoint(with: $0.columns) }.map(\.shape)
      for index in indexes.all where index.shape.map(shapes.contains) == true {
        try run(translator.dropIndex(index.name))
        indexes.remove(index)
      }
    }
  }

  /// The roots whose rows have other texts, or fewer rows.
  private var rootsWithOtherTexts: Set<Int> {
    if hasFormerTriggers { return Set(pair.new.rootsWithDerivedColumns) }
    let withoutRows = changes.kept.filter { change in
      let last = lastKeys[change.root.tableName] ?? Int64.max
      return translator.deleteRows(change, through: last) != nil
    }
    return rootsToDerive.union(withoutRows.map(\.root.layout.index))
  }

  private func dropTablesAndColumns() throws {
    for change in changes.kept {
      for column in change.columns.dropped {
        try run(translator.dropColumn(column, of: change.root))
      }
    }
    try ForeignTexts(connection).followColumns(changes, translator)
    for links in changes.keptLinks {
      for column in links.dropped { try run(translator.dropPosition(column, of: links.new)) }
    }
    for table in changes.dropped { try run(translator.dropTable(table)) }
    try ForeignTexts(connection).refuseTables(changes.dropped)
    for change in changes.kept {
      let last = lastKeys[change.root.tableName] ?? Int64.max
      if let statement = translator.deleteRows(change, through: last) { try run(statement) }
      if let statement = translator.renameEntities(change, through: last) {
        // A unique constraint can name the entities of its rows.
        try run(statement, writing: change.root)
      }
      if let column = change.droppedEntityColumn {
        try run(translator.dropColumn(column, of: change.root))
      }
    }
  }
}
