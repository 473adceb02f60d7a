import CopalEssentials
import CopalModel
import CopalStore

/// Statements in SQL, for what fetch requests and batches cannot say.
extension ManagedObjectContext {
  /// The rows of a statement in SQL that only reads.
  ///
  /// ```swift
  /// let rows = try context.fetchRows(
  ///   sql: """
  ///     SELECT \(column: \Pigment.name), rank() OVER (ORDER BY \(column: \Pigment.price)) AS rank
  ///     FROM \(table: Pigment.self)
  ///     """)
  /// ```
  ///
  /// The database sees what is saved: unsaved changes of this context are not in the result. It
  /// ensures that the text is one statement and only reads. The statement is prepared once, and
  /// kept for its text.
  ///
  /// - Throws: `sql.invalid` for a text that the database does not accept, and for names that do
  ///   not exist; `sql.notAllowed` for anything but reading; `sql.severalStatements`; `sql.failed`
  ///   when the statement fails while it runs; a code of `request.…` for a table, column or value
  ///   that does not match the model; `object.unsaved` for an object without a key; `store.noSQL`
  ///   for a store without SQL; other codes of `store.…`.
  public func fetchRows(sql: RawSQL) throws -> [SQLRow] {
    let former = state.begin(.fetchSQL, nil)
    defer { former?.end() }
    let statement = try RawSQLBinder(self).statement(sql)
    let found = try state.session.opened().fetchRows(of: statement)
    let shape = SQLRow.Shape(found.columns, state.container)
    return found.rows.map { SQLRow(shape, $0) }
  }

  /// The objects whose keys a statement in SQL gives, in its order.
  ///
  /// ```swift
  /// let pigments = try context.fetch(
  ///   Pigment.self,
  ///   sql: "SELECT \(key: Pigment.self) FROM \(table: Pigment.self) ORDER BY length(\(column: \Pigment.name))")
  /// ```
  ///
  /// The result of the statement has one column, with keys of objects of the class. Their rows are
  /// read with few statements, in the same read transaction. The objects have their unsaved
  /// changes, which the statement does not see; objects that this context is deleting are left out.
  ///
  /// - Throws: `sql.noKey` for a result with another number of columns, and for a value that is not
  ///   the key of an object of the class; otherwise as ``fetchRows(sql:)``.
  public func fetch<T: QueryableObject>(_ type: T.Type, sql: RawSQL) throws -> [T] {
    let runtime = try runtime(for: FetchRequest<T>())
    // Every object has the class of its entity or of a subentity.
    return try fetch(runtime, sql).map { unsafeDowncast($0, to: T.self) }
  }

  /// The objects of the entity of that name whose keys a statement in SQL gives. Use it for
  /// entities without a generated class.
  ///
  /// - Throws: as ``fetch(_:sql:)-(T.Type,_)``; `request.unknownEntity`.
  public func fetch(_ entityName: String, sql: RawSQL) throws -> [ManagedObject] {
    try fetch(try runtime(named: entityName), sql)
  }

  private func fetch(_ runtime: EntityRuntime, _ sql: RawSQL) throws -> [ManagedObject] {
    let former = state.begin(.fetchSQL, runtime)
    defer { former?.end() }
    state.noticeBatches()
    let statement = try RawSQLBinder(self).statement(sql)
    let session = try state.session(reading: runtime.index)
    try state.session.beginReadTransaction()
    defer { state.session.endReadTransaction() }
    let found = try session.fetchRows(of: statement)
    func noKey(_ found: String) -> PersistenceError {
      PersistenceError(.sqlNoKey, entity: runtime.layout.name, found: found)
    }
    guard found.columns.count == 1 else { throw noKey("\(found.columns.count) columns") }
    let keys = try found.rows.map { row in
      guard case .integer(let key) = row[0], key > 0 else { throw noKey(row[0].kind) }
      return key
    }
    let receiver = FetchReceiver(
      core, state, runtime, limit: keys.count, refreshesObjects: false)
    state.sweepIfDue(runtime.index)
    try session.fetchRows(Set(keys).inOrder()[...], entity: runtime.index, into: receiver)
    receiver.notifyAwake()
    let objects = Dictionary(
      receiver.takeObjects().map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    return try keys.compactMap { key in
      guard let object = objects[key] else { throw noKey("the number \(key)") }
      return object.flags.isDisjoint(with: [.deleted, .gone]) ? object : nil
    }
  }

  /// Runs a statement in SQL that inserts, updates or deletes rows, in a transaction of its own or
  /// in the open one.
  ///
  /// ```swift
  /// try context.executeUnsafe(
  ///   sql: "UPDATE \(table: Pigment.self) SET \(column: \Pigment.name) = upper(\(column: \Pigment.name))")
  /// ```
  ///
  /// It is unsafe, because Copal checks nothing that the statement writes: not the rules of the
  /// model, not the types of values, not delete rules, and not whether the inverse of a
  /// relationship agrees. The database checks only what it has itself: unique values, and
  /// references to rows that exist. Files of large values are not removed before
  /// ``PersistentContainer/removeUnreferencedFiles(checkingAll:)`` looks at every file. No hook is
  /// called. Prefer ``updateAll(_:where:set:)-(T.Type,_,_)`` and
  /// ``deleteAll(_:where:)-(T.Type,_)``, which do check.
  ///
  /// The database ensures that the text is one statement, and changes only rows of objects and
  /// links: not Copal's own tables, not keys and not the schema. The versions of updated rows are
  /// raised, so saves of other contexts find the conflict. The objects of the entities that this
  /// context has become faults, and those of other contexts when they notice the change, as after a
  /// batch. An INSERT must give `copal_version` the value 1. It leaves out the key: a new row never
  /// has the key of an object that was deleted.
  ///
  /// - Returns: the number of rows that were inserted, updated or deleted.
  /// - Throws: `batch.pendingChanges` while this context has unsaved changes; otherwise as
  ///   ``fetchRows(sql:)``. Then nothing is written.
  @discardableResult
  public func executeUnsafe(sql: RawSQL) throws -> Int {
    let former = state.begin(.executeSQL, nil)
    defer { former?.end() }
    let all = Set(state.container.entities.indices)
    try state.prepareForBatch(of: all, entity: nil)
    let statement = try RawSQLBinder(self).statement(sql)
    let changes = try state.committing(all) {
      try state.session.opened().executeUnsafe(statement)
    } published: { changes in
      (.batch(WrittenObjects(of: changes.entities, keys: nil)), changes.place)
    }
    finishBatch(
      WrittenObjects(of: changes.entities, keys: nil), inserted: changes.inserted)
    return changes.count
  }

  /// The key of an object that has been saved.
  func savedKey(of id: ManagedObjectID) throws -> Int64 {
    let id = try state.current(id)
    let runtime = try runtime(for: id)
    let key =
      id.key > 0 ? id.key : state.temporaryKeys.permanentKey(of: id.key, root: runtime.root)
    guard let key else {
      throw PersistenceError(.objectUnsaved, entity: id.entityName, objectID: id)
    }
    return key
  }
}
