import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// Batches: one transaction each, with statements for sets of rows.
extension SQLiteSession {
  func execute(_ batch: BatchChange, check: BatchCheck) throws -> BatchOutcome {
    try FileSizeSignal.heldBack {
      try prepareToWrite()
      defer { if store.hasExternalValues, transaction == nil { store.tidyUpIfDue(connection) } }
      do {
        var (result, place) = try inWriteTransaction {
          try checkModel()
          return try write(batch, check, marked: try deriveStaleRows())
        }
        result.place = place
        return .done(result)
      } catch let refusals as BatchRefusals {
        return .refused(refusals.all)
      } catch is RefusedValue {
        return .refused([])
      }
    }
  }

  /// A check has refused a calculated value.
  private struct RefusedValue: Error {}

  /// - Parameter marked: the roots whose tables have marked rows.
  private func write(_ batch: BatchChange, _ check: BatchCheck, marked: Set<Int>) throws
    -> BatchResult
  {
    switch batch {
    case .delete(let query): return try notingKeys { try delete(query) }
    case .update(let query, let assignments):
      let layout = store.schema.entities[query.entity]
      let query = try query.withPositions(of: assignments, layout) { try greatestPosition(in: $0) }
      return try refusingDuplicates(query.entity, assignments.map(\.slot)) {
        try refusingRepeated(query, assignments.map(\.slot), check, marked) {
          try notingKeys { try update(query, assignments, check) }
        }
      }
    case .upsert(let upsert):
      return try refusingDuplicates(
        upsert.entity, Array(store.schema.entities[upsert.entity].uniqueSlots)
      ) {
        try self.upsert(upsert, marked)
      }
    }
  }

  /// Runs an update of some slots. Where it writes values of constraints, and the table has marked
  /// rows, it must not repeat their values.
  private func refusingRepeated(
    _ query: StoreQuery, _ slots: [Int], _ check: BatchCheck, _ marked: Set<Int>,
    _ update: () throws -> BatchResult
  ) throws -> BatchResult {
    let root = store.schema.entities[query.entity].root
    let kinds = query.includesSubentities ? store.schema.kinds(of: query.entity) : [query.entity]
    var constraints: [EntityLayout.UniqueConstraint] = []
    for constraint in kinds.flatMap({ store.schema.entities[$0].constraintsIgnoring })
    where constraint.slots.contains(where: slots.contains) && !constraints.contains(constraint) {
      constraints.append(constraint)
    }
    if constraints.isEmpty || !marked.contains(root) { return try update() }
    // Before the update, after which the query may find other rows.
    let keys = Set(try calculated(query, [], [], check: check).map(\.key))
    let result = try update()
    try refuseRepeated(constraints.map { (constraint: $0, keys: keys) }, entity: query.entity)
    return result
  }

  /// Adds the keys of the changed rows to the result of a batch.
  private func notingKeys(_ body: () throws -> BatchResult) throws -> BatchResult {
    let roots = store.schema.entities.filter { $0.index == $0.root }.map { table($0.index) }
    let written = WrittenKeys(roots.map { ($0.mapping.tableName, $0.layout.index) })
    var result = try written.noting(on: connection.handle, body)
    let count = written.keys.values.reduce(0) { $0 + $1.count }
    // Fewer keys than rows: SQLite has emptied a table, or the keys of one are not row ids.
    if !written.isIncomplete, count >= result.count, roots.allSatisfy(\.keysAreRowIDs) {
      result.changed = written.keys
    }
    return result
  }

  /// Runs a statement for the rows of a query.
  ///
  /// - Returns: the number of changed rows.
  private func run(_ sql: SQLStatement, _ query: StoreQuery) throws -> Int {
    let statement = try connection.statement(sql.text)
    defer { statement.resetQuery() }
    try statement.setPlaceholders(sql.values, of: query, store.schema.entities[query.entity])
    _ = try statement.step()
    return connection.changes
  }

  // MARK: Deleting

  private func delete(_ query: StoreQuery) throws -> BatchResult {
    let entities = query.includesSubentities ? store.schema.kinds(of: query.entity) : [query.entity]
    let plan = store.schema.deletionPlan(of: entities)
    let mapping = table(query.entity).mapping
    if plan.isSimple {
      let sql = BatchTranslator(mapping, SQLiteDialect()).delete(query.shape(.count))
      return BatchResult(count: try run(sql, query))
    }
    let translator = DeletionTranslator(store.schema, SQLiteDialect())
    for sql in translator.begin() { try connection.run(sql) }
    let count = try run(translator.mark(query.shape(.count)), query)
    if count > 0 { try follow(plan, translator) }
    try connection.run(translator.end())
    return BatchResult(count: count)
  }

  /// Does what the delete rules say for the marked objects, and deletes them.
  private func follow(_ plan: DeletionPlan, _ translator: DeletionTranslator) throws {
    let cascades = plan.edges.filter { $0.action == .cascade }
    var level = 0
    var isNew = !cascades.isEmpty
    while isNew {
      isNew = false
      for edge in cascades {
        try connection.run(translator.cascade(edge, from: level))
        if connection.changes > 0 { isNew = true }
      }
      level += 1
    }
    let refusals = try plan.edges.flatMap { try self.refusals(of: $0, translator) }
    if !refusals.isEmpty { throw BatchRefusals(refusals) }
    for edge in plan.edges {
      if edge.minimum != nil { try connection.run(translator.raiseOwners(edge)) }
      if edge.action == .nullify, let sql = translator.nullify(edge) { try connection.run(sql) }
    }
    for edge in plan.edges {
      for sql in translator.removeLinks(edge) { try connection.run(sql) }
    }
    try noteFiles(plan, translator)
    // Rows that refer to others come before these, as in a commit.
    let roots = Set(plan.deleted.map { store.schema.entities[$0].root })
    for root in roots.inOrder(by: {
      store.schema.deletionRanks[$0] < store.schema.deletionRanks[$1]
    }
    ) {
      try connection.run(translator.delete(root: root))
    }
  }

  /// The first object for which each rule of a relationship would be broken.
  private func refusals(of edge: DeletionPlan.Edge, _ translator: DeletionTranslator) throws
    -> [BatchRefusal]
  {
    var found: [BatchRefusal] = []
    if edge.action == .deny, let (key, count) = try pair(translator.denied(edge)) {
      found.append(
        BatchRefusal(
          .denied(edge.name, count: Int(count)), entity: edge.layout.declaringEntity, key: key))
    }
    if edge.action == .nullify, edge.isRequired, let back = edge.back,
      let key = try connection.greatest(translator.required(edge))
    {
      found.append(
        BatchRefusal(.required(slot: back.slot), entity: edge.layout.destination, key: key))
    }
    if let minimum = edge.minimum,
      let (key, count) = try pair(translator.tooFew(edge, minimum: minimum))
    {
      found.append(
        BatchRefusal(
          .tooFew(edge.inverseName, count: Int(count), minimum: minimum),
          entity: edge.layout.destination, key: key))
    }
    return found
  }

  /// The first two columns of the first row; nil without one.
  private func pair(_ sql: SQLStatement) throws -> (Int64, Int64)? {
    let statement = try connection.statement(sql.text)
    defer { statement.reset() }
    try statement.setPlaceholders(sql.values)
    return try statement.step() ? (statement.integer(0), statement.integer(1)) : nil
  }

  /// Adds the names of the files of deleted values to the list of unreferenced files.
  private func noteFiles(_ plan: DeletionPlan, _ translator: DeletionTranslator) throws {
    guard store.hasExternalValues else { return }
    for entity in plan.deleted.inOrder() {
      for slot in store.schema.entities[entity].ownExternalSlots(among: plan.deleted, store.schema)
      {
        try noteFiles(translator.fileNames(slot, ofEntity: entity)) {
          try $0.setPlaceholders($1)
        }
      }
    }
  }

  private func noteFiles(
    _ sql: SQLStatement, _ bind: (Statement, [PlaceholderValue]) throws -> Void
  ) throws {
    let statement = try connection.statement(sql.text)
    var names: [String] = []
    do {
      defer { statement.reset() }
      try bind(statement, sql.values)
      while try statement.step() {
        if let name = statement.text(0) { names.append(name) }
      }
    }
    if names.isEmpty { return }
    try UnreferencedFiles(connection).add(names)
    store.noteUnreferenced(names.count)
  }

  // MARK: Updating

  private func update(
    _ query: StoreQuery, _ assignments: [BatchChange.Assignment], _ check: BatchCheck
  ) throws -> BatchResult {
    let table = table(query.entity)
    let translator = BatchTranslator(table.mapping, SQLiteDialect())
    for assignment in assignments where table.layout.externalSlots.contains(assignment.slot) {
      try noteFiles(translator.fileNames(assignment.slot, query.shape(.count))) {
        try $0.setPlaceholders($1, of: query, table.layout)
      }
    }
    let calculations = assignments.compactMap { assignment in
      if case .calculated(let calculation) = assignment.value { calculation } else { nil }
    }
    if calculations.isEmpty {
      let sql = translator.update(query.shape(.count), assignments)
      return BatchResult(count: try run(sql, query))
    }
    let rows = try calculated(query, assignments, calculations, check: check)
    return try write(rows, query, assignments)
  }

  /// The new values of a row.
  private struct NewValues {
    let key: Int64
    let values: [PlaceholderValue]
  }

  /// Calculates and checks the values of an update. Every value is checked, so that all failures
  /// are known.
  private func calculated(
    _ query: StoreQuery, _ assignments: [BatchChange.Assignment],
    _ calculations: [QueryCalculation], check: BatchCheck
  ) throws -> [NewValues] {
    let table = table(query.entity)
    let sql = BatchTranslator(table.mapping, SQLiteDialect()).values(
      query.shape(.count), calculations)
    let statement = try connection.statement(sql.text)
    defer { statement.resetQuery() }
    try statement.setPlaceholders(sql.values, of: query, table.layout)
    var rows: [NewValues] = []
    var isValid = true
    while try statement.step() {
      let key = try key(of: statement, table)
      let entity =
        statement.text(1).flatMap { store.schema.layout($0)?.index } ?? table.layout.index
      var column: Int32 = 2
      let values = assignments.map { assignment -> PlaceholderValue in
        let slot = assignment.slot
        switch assignment.value {
        case .null: return .null
        case .parameter(let number):
          return table.mapping.stored(query.parameters[number], slot: slot)
        case .calculated(let calculation):
          let value = statement.value(column, of: calculation.type)
          column += 1
          guard let checked = check(entity, key, slot, value) else {
            isValid = false
            return .null
          }
          return table.mapping.stored(checked, slot: slot)
        }
      }
      if isValid { rows.append(NewValues(key: key, values: values)) }
    }
    if !isValid { throw RefusedValue() }
    return rows
  }

  private func write(
    _ rows: [NewValues], _ query: StoreQuery, _ assignments: [BatchChange.Assignment]
  ) throws -> BatchResult {
    let table = table(query.entity)
    let slots = assignments.map(\.slot)
    // SQLite checks a constraint after every statement, not at the end.
    let unique = slots.filter(table.layout.uniqueSlots.contains)
    if !unique.isEmpty, rows.count > 1 {
      for row in rows { try connection.run(table.write.clearUniqueValues(unique), key: row.key) }
    }
    let translator = BatchTranslator(table.mapping, SQLiteDialect())
    let (sql, sources) = (translator.set(slots), translator.derivedSources(of: slots))
    let statement = try connection.statement(sql.text)
    let rest = sql.values.dropFirst(slots.count + sources.count)
    for row in rows {
      defer { statement.resetQuery() }
      try statement.setPlaceholders(
        row.values + sources.map { row.values[$0] } + rest, key: row.key)
      _ = try statement.step()
    }
    return BatchResult(count: rows.count)
  }

  /// Refuses the batch where a statement breaks a unique index.
  private func refusingDuplicates(
    _ entity: Int, _ slots: [Int], _ body: () throws -> BatchResult
  ) throws -> BatchResult {
    do {
      return try body()
    } catch let error as PersistenceError where SQLiteFailure.isUniqueConflict(error) {
      let layout = store.schema.entities[entity]
      let constraints = layout.uniqueConstraints.filter { $0.slots.contains(where: slots.contains) }
      // The message has the columns.
      let mapping = table(entity).mapping
      let found = error.found ?? ""
      let broken = constraints.first { constraint in
        mapping.columnNames(of: constraint).allSatisfy { found.contains(".\($0)") }
      }
      guard let constraint = broken ?? constraints.first else { throw error }
      throw BatchRefusals([BatchRefusal(.unique(constraint.slots), entity: entity)])
    }
  }

  // MARK: Inserting or updating

  /// The statement of an upsert, by what is given, and by how the row is found.
  private struct UpsertForm: Hashable {
    let given: SlotSet
    let isByKey: Bool
  }

  private func upsert(_ upsert: BatchChange.Upsert, _ marked: Set<Int>) throws -> BatchResult {
    let table = table(upsert.entity)
    let root = self.table(table.layout.root)
    let translator = BatchTranslator(table.mapping, SQLiteDialect())
    let first = try lastKey(root)
    guard first < Int64.max - Int64(upsert.rows.count) else {
      throw PersistenceError(.keysExhausted, entity: root.layout.name, path: store.path)
    }
    let watch =
      table.keysAreRowIDs ? WrittenRowWatch(table.mapping.tableName, on: connection) : nil
    defer { watch?.end() }
    var last = first
    var updated: [Int64] = []
    var seen: Set<Int64> = []
    var prepared: [UpsertForm: EntityTable.Prepared] = [:]
    var (form, statement): (UpsertForm?, EntityTable.Prepared?)
    var outside = try marked.contains(table.layout.root) ? UpsertOutside(upsert, self) : nil
    for row in upsert.rows {
      let known = outside?.find(row)
      let wanted = UpsertForm(given: row.given, isByKey: known != nil)
      if form != wanted {
        form = wanted
        statement =
          try prepared[wanted]
          ?? table.prepare(
            translator.upsert(
              on: upsert.constraint, given: row.given, isByKey: wanted.isByKey,
              returnsKey: watch == nil))
        prepared[wanted] = statement
      }
      guard let statement else { continue }
      guard let key = try write(row.row, known ?? last + 1, statement, watch: watch) else {
        throw BatchRefusals([BatchRefusal(.unique(upsert.constraint.slots), entity: upsert.entity)])
      }
      outside?.note(key, row, isNew: key == last + 1)
      if key == last + 1 {
        last = key
      } else if key <= first, seen.insert(key).inserted {
        updated.append(key)
      }
    }
    if let outside { try refuseRepeated(outside.written, entity: upsert.entity) }
    if last > first { try use(last, of: root.layout.name) }
    return BatchResult(
      count: upsert.rows.count, inserted: last > first ? Array(first + 1...last) : [],
      updated: updated, changed: [table.layout.root: updated])
  }

  /// Inserts a row with a key, or updates the one with the same unique values.
  ///
  /// - Returns: the key of the row; nil when nothing was written.
  @inline(__always)
  private func write(
    _ row: PackedRow, _ key: Int64, _ prepared: EntityTable.Prepared, watch: WrittenRowWatch?
  ) throws -> Int64? {
    let statement = prepared.statement
    defer { statement.reset() }
    watch?.key = nil
    try statement.setPlaceholders(
      prepared.placeholders, row: row.base, key: key, version: 0, newVersion: row.version)
    let hasResult = try statement.step()
    if let watch { return watch.key }
    return hasResult ? statement.integer(0) : nil
  }
}

extension EntityLayout {
  /// The slots with large values whose files are noted with this entity: its own, and inherited
  /// ones where no ancestor is deleted.
  fileprivate func ownExternalSlots(among entities: Set<Int>, _ schema: StoreSchema) -> [Int] {
    externalSlots.filter { slot in
      declaringEntities[slot] == index
        || !ancestors.contains {
          entities.contains($0) && schema.entities[$0].slotCount > slot
        }
    }
  }
}
