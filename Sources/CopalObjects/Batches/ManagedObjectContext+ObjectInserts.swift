import CopalModel
import CopalStore

/// What a row of a batch has in addition to the object that fills it: objects that are looked up by
/// a unique attribute.
public struct BatchRow<Object: QueryableObject> {
  var assignments: [BatchAssignment] = []

  /// Adds values to the row. They win over those of the object.
  ///
  /// ```swift
  /// row.set { $0.order.set(toObjectWhere: \.number, line.orderNumber) }
  /// ```
  ///
  /// - Parameter values: the values. They are constants.
  public mutating func set(
    @BatchAssignments _ values: (QueryProperties<Object>) throws -> [BatchAssignment]
  ) rethrows {
    assignments += try values(QueryProperties<Object>())
  }
}

/// Inserting many rows that objects fill.
extension ManagedObjectContext {
  /// Inserts an object for each call of a closure, which fills an object of the class. Use it where
  /// a function that fills an object exists already: custom accessors and transformables work.
  ///
  /// ```swift
  /// var lines = file.lines.makeIterator()
  /// try context.insertAll(Pigment.self) { pigment in
  ///   guard let line = lines.next() else { return .end }
  ///   pigment.fill(from: line)
  ///   return .insert
  /// }
  /// ```
  ///
  /// The object has the defaults of the model, and no context. It is for this call only: the next
  /// call gets another one, so a million objects need no more memory than a thousand. Relationships
  /// can be set as in other batches: to-one relationships, and both ends of many-to-many ones, to
  /// objects that were saved. No hook is called.
  ///
  /// All of it is one transaction, which is open while the closure runs.
  ///
  /// - Parameter fill: fills the object, and returns `insert`; or returns `end`.
  /// - Returns: the number of objects that were inserted.
  /// - Throws: what the closure throws; as ``insertAll(_:from:values:)``;
  ///   `transaction.pendingChanges` while the context has unsaved changes. Then nothing is written.
  @discardableResult
  public func insertAll<T: QueryableObject>(_ type: T.Type, _ fill: (T) throws -> BatchStep)
    throws -> Int
  {
    try insertAll(type) { object, _ in try fill(object) }
  }

  /// The same, with objects that are looked up by a unique attribute.
  ///
  /// ```swift
  /// try context.insertAll(Line.self) { line, row in
  ///   guard let next = lines.next() else { return .end }
  ///   line.fill(from: next)
  ///   row.set { $0.order.set(toObjectWhere: \.number, next.orderNumber) }
  ///   return .insert
  /// }
  /// ```
  ///
  /// - Throws: as ``insertAll(_:_:)``; `batch.missingObject`.
  @discardableResult
  public func insertAll<T: QueryableObject>(
    _ type: T.Type, _ fill: (T, inout BatchRow<T>) throws -> BatchStep
  ) throws -> Int {
    let runtime = try runtime(for: FetchRequest<T>())
    let former = state.begin(.batchInsert, runtime)
    defer { former?.end() }
    return try transaction {
      var count = 0
      var packer = try BatchPacker(runtime, self, allowsFiles: true)
      while true {
        var row = BatchRow<T>()
        let object = try cast(detachedObject(of: runtime), to: T.self)
        if case .end = try fill(object, &row) { break }
        packer.pack(object, row.assignments)
        if packer.count == Self.rowsInPart {
          count += try write(&packer, runtime)
        }
      }
      count += try write(&packer, runtime)
      try packer.finish()
      return count
    }
  }

  /// The number of rows that are in memory at a time.
  private static let rowsInPart = 1000

  /// Inserts the rows of a packer, and makes it ready for the next ones. Writes nothing after a row
  /// that was refused: the packer goes on for the errors of the others.
  private func write(_ packer: inout BatchPacker, _ runtime: EntityRuntime) throws -> Int {
    defer { packer.removeRows() }
    guard packer.failures.isEmpty else { return 0 }
    try prepareForBatch(runtime, [runtime.index])
    return try write(packer.rows.map(\.row), of: packer, runtime).count
  }
}
