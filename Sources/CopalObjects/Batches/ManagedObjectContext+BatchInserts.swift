import CopalEssentials
public import CopalModel
import CopalStore

/// Which objects an upsert has inserted, and which it has updated. Each object is in one of the
/// lists, once.
public struct UpsertResult: Sendable, Hashable {
  /// The ids of the new objects.
  public var inserted: [ManagedObjectID]
  /// The ids of the objects that were there before.
  public var updated: [ManagedObjectID]
}

/// Inserting many rows without making objects.
extension ManagedObjectContext {
  /// Inserts an object of a class for each element of a sequence, in one transaction, without
  /// making the objects.
  ///
  /// ```swift
  /// let ids = try context.insertAll(Pigment.self, from: lines) { pigment, line in
  ///   pigment.name.set(to: line.name)
  ///   pigment.price.set(to: line.price)
  /// }
  /// ```
  ///
  /// Attributes without a value get their defaults. No hook is called.
  ///
  /// - Parameters:
  ///   - elements: what the values come from.
  ///   - values: the values of the object of an element. They are constants.
  /// - Returns: the ids of the new objects, in the order of the elements.
  /// - Throws: `batch.pendingChanges` while this context has unsaved changes of the entity; the
  ///   error of a save for a value that breaks a rule, such as `save.required` or
  ///   `save.uniqueConflict`, and `batch.failed` with several of them; `batch.notAssignable` for a
  ///   property that is no stored attribute, and for a value that is calculated; a code of
  ///   `store.…`. Then nothing is written.
  @discardableResult
  public func insertAll<T: QueryableObject, Element>(
    _ type: T.Type, from elements: some Sequence<Element>,
    @BatchAssignments values: (QueryProperties<T>, Element) throws -> [BatchAssignment]
  ) throws -> [ManagedObjectID] {
    let properties = QueryProperties<T>()
    return try insertAll(try runtime(for: FetchRequest<T>())) { packer in
      packer.reserve(elements.underestimatedCount)
      for element in elements { packer.pack(try values(properties, element)) }
    }
  }

  /// Inserts objects of the entity of that name. Use it for entities without a generated class.
  ///
  /// ```swift
  /// try context.insertAll("Pigment", [["name": "Ochre"], ["name": "Umber", "code": "PBr7"]])
  /// ```
  ///
  /// - Throws: as ``insertAll(_:from:values:)``; `request.unknownEntity`.
  @discardableResult
  public func insertAll(_ entityName: String, _ rows: [[String: PropertyValue]]) throws
    -> [ManagedObjectID]
  {
    try insertAll(try runtime(named: entityName)) { packer in
      for row in rows { packer.pack(BatchAssignment.constants(row)) }
    }
  }

  /// Inserts objects of the entity of that name, with relationships.
  ///
  /// ```swift
  /// try context.insertAll("Line", [[
  ///   BatchAssignment("text", .constant("Ochre")),
  ///   BatchAssignment("order", toObjectWhere: "number", 12),
  /// ]])
  /// ```
  ///
  /// - Throws: as ``insertAll(_:from:values:)``; `request.unknownEntity`.
  @_disfavoredOverload
  @discardableResult
  public func insertAll(_ entityName: String, _ rows: [[BatchAssignment]]) throws
    -> [ManagedObjectID]
  {
    try insertAll(try runtime(named: entityName)) { packer in
      for row in rows { packer.pack(row) }
    }
  }

  private func insertAll(
    _ runtime: EntityRuntime, _ pack: (inout BatchPacker) throws -> Void
  ) throws -> [ManagedObjectID] {
    let former = state.begin(.batchInsert, runtime)
    defer { former?.end() }
    var packer = try BatchPacker(runtime, self, allowsFiles: true)
    try pack(&packer)
    try packer.finish()
    try prepareForBatch(runtime, [runtime.index])
    return try write(packer.rows.map(\.row), of: packer, runtime)
      .map { ManagedObjectID(runtime.identity, $0) }
  }

  /// Writes the rows of a batch that only inserts.
  ///
  /// - Returns: the keys of the rows.
  func write(_ rows: [PackedRow], of packer: BatchPacker, _ runtime: EntityRuntime) throws
    -> [Int64]
  {
    if rows.isEmpty { return [] }
    let references = packer.references
    var change = ChangeSet.EntityChanges(entity: runtime.index)
    // Temporary keys, which name the rows in conflicts and in references to them.
    change.inserts = rows.enumerated().map { place, row in
      ChangeSet.Insert(key: -Int64(place + 1), row: row)
    }
    var keys: [Int64] = []
    if !references.isEmpty {
      keys = try references.resolved(among: change.inserts.map { ($0.key, $0.row) })
      for place in rows.indices {
        change.inserts[place].row = references.replaced(rows[place], keys)
      }
    }
    return try commitBatch(change, of: packer, keys, runtime, firstRow: packer.firstRow) {
      references.isEmpty ? [] : references.linkChanges(change.inserts.map(\.key), keys)
    }.insertedKeys.first ?? []
  }

  /// Commits the rows of a batch, and checks the numbers of members that it changes.
  ///
  /// - Parameters:
  ///   - keys: what the rows have in place of the placeholders.
  ///   - firstRow: the number of rows before them, if the temporary keys are the numbers of the
  ///     rows.
  func commitBatch(
    _ change: ChangeSet.EntityChanges, of packer: BatchPacker, _ keys: [Int64],
    _ runtime: EntityRuntime, firstRow: Int?, links: () throws -> [LinkChanges]
  ) throws -> CommitReceipt {
    let references = packer.references
    var owners: [BatchReferences.LimitedOwners] = []
    if references.hasLimits {
      let rows = change.inserts.map(\.row) + change.updates.flatMap { [$0.row, $0.before] }
      owners = references.limitedOwners(rows, keys)
    }
    return try checkingLimits(of: owners) {
      var changes = ChangeSet([change], author: state.author, contextName: state.name)
      changes.externalValues = packer.externalValues
      changes.links = try links()
      return try commitBatch(changes, runtime, references, firstRow)
    }
  }

  private func commitBatch(
    _ changes: ChangeSet, _ runtime: EntityRuntime, _ references: BatchReferences, _ firstRow: Int?
  ) throws -> CommitReceipt {
    let result = try state.committing(changes.writtenEntities(state.container.schema)) {
      try state.session.opened().commit(changes)
    } published: { result in
      guard case .committed(let receipt) = result else { return nil }
      return (.save(receipt), receipt.place)
    }
    switch result {
    case .committed(let receipt):
      state.storedChangeCount += 1
      if !state.session.transactions.isEmpty { state.note(written: receipt) }
      if state.events != nil { state.collect { $0.noteAdded([runtime.index]) } }
      if !references.isEmpty { forgetLists(references, runtime, receipt) }
      return receipt
    case .refused(let conflicts):
      var failures = BatchFailures()
      for conflict in conflicts {
        var failure = error(of: conflict, runtime)
        if let firstRow, conflict.key < 0 { failure.row = firstRow + Int(-conflict.key) }
        failures.add(failure)
      }
      try failures.throwIfAny()
      throw PersistenceError(.batchFailed, entity: runtime.layout.name)
    }
  }

  /// The lists of objects to which the batch has added others, and those of updated objects, are
  /// read again.
  private func forgetLists(
    _ references: BatchReferences, _ runtime: EntityRuntime, _ receipt: CommitReceipt
  ) {
    var entities: Set<Int> = [runtime.index]
    for relationship in references.relationships.values where relationship.links != nil {
      entities.formUnion(state.container.entities[relationship.destination].entities)
    }
    let updated = receipt.written.entities.flatMap { $0.updates.map(\.key) }
    state.forgetStored(WrittenObjects(of: entities, keys: [runtime.root: updated]))
  }

  private func error(of conflict: CommitConflict, _ runtime: EntityRuntime) -> PersistenceError {
    if case .missingObject(let name) = conflict.kind {
      return PersistenceError(
        .missingReference, entity: runtime.layout.name, property: name.name,
        otherID: conflict.other.map { other in
          let destination =
            runtime.relationship(named: name.name).map {
              state.container.entities[$0.destination].identity
            } ?? runtime.identity
          return ManagedObjectID(destination, other)
        })
    }
    guard case .unique(let slots) = conflict.kind else {
      return PersistenceError(.conflict, entity: runtime.layout.name)
    }
    let other = conflict.other.flatMap { $0 > 0 ? ManagedObjectID(runtime.identity, $0) : nil }
    return PersistenceError(
      .uniqueConflict, entity: runtime.layout.name,
      property: slots.map { runtime.layout.attributes[$0].name }.joined(separator: ", "),
      otherID: other)
  }

  /// Inserts an object of a class for each element of a sequence, or updates the object that has
  /// the same values in a unique constraint, in one transaction, without making the objects.
  ///
  /// ```swift
  /// let result = try context.upsertAll(Pigment.self, from: lines, on: \.code) { pigment, line in
  ///   pigment.code.set(to: line.code)
  ///   pigment.name.set(to: line.name)
  /// }
  /// print(result.inserted.count, "new,", result.updated.count, "updated")
  /// ```
  ///
  /// The elements are written one after the other: of two with the same key, the last one wins. An
  /// object that exists gets only the values that are given; a new one gets the defaults for the
  /// others. Every element must have what a new object needs. An element without a value for the
  /// constraint is inserted.
  ///
  /// - Parameters:
  ///   - elements: what the values come from.
  ///   - constraint: the attributes of a unique constraint of the entity.
  ///   - values: the values of the object of an element. They are constants.
  /// - Throws: as ``insertAll(_:from:values:)``; `batch.noConstraint` when the attributes are no
  ///   unique constraint.
  @discardableResult
  public func upsertAll<T: QueryableObject, Element>(
    _ type: T.Type, from elements: some Sequence<Element>,
    on constraint: PartialKeyPath<QueryProperties<T>>...,
    @BatchAssignments values: (QueryProperties<T>, Element) throws -> [BatchAssignment]
  ) throws -> UpsertResult {
    let properties = QueryProperties<T>()
    let names = constraint.map { path -> String in
      guard let attribute = properties[keyPath: path] as? any QueryExpression,
        case .property(let name) = attribute._expression
      else { return "\(path)" }
      return name
    }
    return try upsertAll(try runtime(for: FetchRequest<T>()), names) { packer in
      packer.reserve(elements.underestimatedCount)
      for element in elements { packer.pack(try values(properties, element)) }
    }
  }

  /// Inserts or updates objects of the entity of that name. Use it for entities without a generated
  /// class.
  ///
  /// ```swift
  /// try context.upsertAll("Pigment", [["code": "PB29", "name": "Ultramarine"]], on: ["code"])
  /// ```
  ///
  /// - Throws: as ``upsertAll(_:from:on:values:)``; `request.unknownEntity`.
  @discardableResult
  public func upsertAll(
    _ entityName: String, _ rows: [[String: PropertyValue]], on constraint: [String]
  ) throws -> UpsertResult {
    try upsertAll(try runtime(named: entityName), constraint) { packer in
      for row in rows { packer.pack(BatchAssignment.constants(row)) }
    }
  }

  /// Inserts or updates objects of the entity of that name, with relationships.
  ///
  /// - Throws: as ``upsertAll(_:from:on:values:)``; `request.unknownEntity`.
  @_disfavoredOverload
  @discardableResult
  public func upsertAll(
    _ entityName: String, _ rows: [[BatchAssignment]], on constraint: [String]
  ) throws -> UpsertResult {
    try upsertAll(try runtime(named: entityName), constraint) { packer in
      for row in rows { packer.pack(row) }
    }
  }

  private func upsertAll(
    _ runtime: EntityRuntime, _ properties: [String],
    _ pack: (inout BatchPacker) throws -> Void
  ) throws -> UpsertResult {
    let layout = runtime.layout
    func names(_ slots: [Int]) -> [String] { slots.map { layout.attributes[$0].name } }
    guard
      let constraint = layout.uniqueConstraints.first(where: {
        Set(names($0.slots)) == Set(properties) && $0.slots.count == properties.count
      })
    else {
      let known = layout.uniqueConstraints.map { names($0.slots).joined(separator: ", ") }
      throw PersistenceError(
        .batchNoConstraint, entity: layout.name, found: properties.joined(separator: ", "),
        expected: known.isEmpty ? nil : known.joined(separator: "; "))
    }
    var packer = try BatchPacker(runtime, self, allowsFiles: false)
    try pack(&packer)
    try packer.finish()
    if packer.rows.isEmpty { return UpsertResult(inserted: [], updated: []) }
    if !packer.references.isEmpty { return try upsertRelated(packer, runtime, constraint) }
    let upsert = BatchChange.Upsert(entity: runtime.index, on: constraint, packer.rows)
    var failures = BatchFailures()
    let result = try run(.upsert(upsert), runtime, entities: [runtime.index], failures: &failures) {
      _, _, _, _ in
      nil
    }
    func ids(_ keys: [Int64]) -> [ManagedObjectID] {
      keys.map { ManagedObjectID(runtime.identity, $0) }
    }
    return UpsertResult(inserted: ids(result.inserted), updated: ids(result.updated))
  }
}

extension BatchAssignment {
  static func constants(_ values: [String: PropertyValue]) -> [BatchAssignment] {
    values.map { BatchAssignment($0.key, .constant($0.value)) }
  }
}

/// Makes rows of the values of a batch: with defaults, by the rules of the model.
struct BatchPacker {
  private(set) var rows: [BatchChange.Row] = []
  private(set) var failures = BatchFailures()
  /// The large values, which the store keeps in files.
  private(set) var externalValues: [ExternalFileName: Data] = [:]
  /// What the rows say of relationships.
  private(set) var references: BatchReferences
  /// The number of rows that were written before, in parts.
  private(set) var firstRow = 0
  /// The number of rows, also of those that could not be made.
  private(set) var count = 0
  private let context: ManagedObjectContext
  private let runtime: EntityRuntime
  private let rules: BatchRules
  private let allowsFiles: Bool
  /// The values of a new row: the defaults. Those that are new in each row are made for each.
  private let defaults: [PropertyValue]
  private let uuidSlots: [Int]
  /// The values of the row that is packed. Kept, so that no row needs an array of its own.
  private var values: [PropertyValue]
  /// For each position of an assignment, the name that the last row had there, and what it sets.
  /// Most rows have the same names.
  private var names: [(name: String, target: Target)] = []

  /// What an assignment sets.
  private enum Target {
    case slot(Int)
    case relationship(RelationshipRuntime)
  }

  /// - Parameter allowsFiles: whether large values can be in files.
  /// - Throws: the error of an entity whose objects must have others.
  init(_ runtime: EntityRuntime, _ context: ManagedObjectContext, allowsFiles: Bool) throws {
    (self.runtime, self.context) = (runtime, context)
    references = BatchReferences(runtime, context)
    self.allowsFiles = allowsFiles
    rules = BatchRules(runtime)
    let layout = runtime.layout
    if layout.entity.isAbstract {
      throw context.state.container.isAbstract(runtime)
    }
    let now = Date()
    var defaults = [PropertyValue](repeating: .null, count: layout.slotCount)
    var uuidSlots: [Int] = []
    for (slot, value) in runtime.defaults {
      switch value {
      case .value(let value): defaults[slot] = value
      case .now: defaults[slot] = .date(now)
      case .new: uuidSlots.append(slot)
      }
    }
    (self.defaults, self.uuidSlots) = (defaults, uuidSlots)
    values = [PropertyValue](repeating: .null, count: layout.slotCount)
  }

  /// Makes room for a number of rows.
  mutating func reserve(_ count: Int) { rows.reserveCapacity(count) }

  /// The rows have been written; others follow.
  mutating func removeRows() {
    firstRow += count
    count = 0
    rows.removeAll(keepingCapacity: true)
    externalValues = [:]
    references = BatchReferences(runtime, context, firstRow: firstRow)
  }

  /// Makes a row, or notes why this is not possible.
  mutating func pack(_ row: [BatchAssignment]) {
    packing { packer in
      // Into the same array: to assign the defaults would make another one when the first value is
      // set.
      for slot in packer.defaults.indices { packer.values[slot] = packer.defaults[slot] }
      for slot in packer.uuidSlots { packer.values[slot] = .uuid(UUID()) }
      return try packer.packed(row)
    }
  }

  /// Makes a row of the values of an object that fills it, and of assignments.
  mutating func pack(_ object: ManagedObject, _ row: [BatchAssignment]) {
    packing { packer in
      let cells = object.cellsWithRoom()
      var failures: [PersistenceError] = []
      if !object.runtime.isPlain {
        _ = object.encodeTransformables(into: cells, where: { _ in true }, &failures)
      }
      if var failure = failures.first {
        failure.objectID = nil
        throw failure
      }
      for slot in packer.values.indices { packer.values[slot] = cells.value(slot) ?? .null }
      // The objects of relationships are among the assignments.
      for slot in packer.values.indices where packer.runtime.layout.slots[slot].isReference {
        packer.values[slot] = .null
      }
      return try packer.packed(object.detachedReferences() + row)
    }
  }

  private mutating func packing(_ pack: (inout Self) throws -> BatchChange.Row) {
    defer { count += 1 }
    do {
      rows.append(try pack(&self))
    } catch {
      var failure =
        error as? PersistenceError ?? PersistenceError(.batchFailed, causes: [error])
      failure.row = firstRow + count + 1
      failures.add(failure)
    }
  }

  /// Makes a row of the values and of assignments.
  private mutating func packed(_ row: [BatchAssignment]) throws -> BatchChange.Row {
    let layout = runtime.layout
    var given = SlotSet(count: layout.slotCount)
    for (place, assignment) in row.enumerated() {
      let slot: Int
      if let mark = assignment.storedForm {
        try set(assignment, mark, &given)
        continue
      }
      switch try target(assignment.property, place) {
      case .slot(let found): slot = found
      case .relationship(let relationship):
        try set(relationship, assignment, &given)
        continue
      }
      guard case .constant(let value) = assignment.value else {
        throw PersistenceError(
          .batchNotAssignable, entity: layout.name, property: assignment.property,
          found: "gets a calculated value, and a new object has no values to calculate from",
          expected: "give it a constant")
      }
      values[slot] = try rules.checked(value, slot, nil)
      given.insert(slot)
    }
    try checkLists(row)
    for rule in runtime.rules where !given.contains(rule.slot) {
      values[rule.slot] = try rules.checked(values[rule.slot], rule.slot, nil)
    }
    let files = runtime.externalSlots.isEmpty ? [:] : layout.files(of: values, &externalValues)
    if !allowsFiles, let slot = files.keys.min() { throw rules.external(slot) }
    guard
      let made = PackedRow.pack(layout, values: values, version: RowVersion.first, files: files)
    else { throw PersistenceError(.tooBig, entity: layout.name) }
    return BatchChange.Row(made, given: given)
  }

  /// Sets a transformable to a stored form.
  private mutating func set(
    _ assignment: BatchAssignment, _ mark: BatchAssignment.StoredFormMark, _ given: inout SlotSet
  ) throws {
    let layout = runtime.layout
    guard let slot = layout.slotByName[assignment.property],
      runtime.transformers[slot] != nil, layout.storedSlots.contains(slot),
      case .constant(let value) = assignment.value
    else { _ = try rules.slot(assignment.property); return }
    if value.isNull, !layout.attributes[slot].isOptional {
      throw PersistenceError(.required, entity: layout.name, property: assignment.property)
    }
    values[slot] = value
    given.insert(slot)
    guard let versionSlot = runtime.versionSlots[slot] else { return }
    values[versionSlot] = value.isNull ? .null : mark.version.map { .integer(Int64($0)) } ?? .null
    given.insert(versionSlot)
  }

  /// What an assignment sets, which is at a place of its row.
  private mutating func target(_ name: String, _ place: Int) throws -> Target {
    if place < names.count, names[place].name == name { return names[place].target }
    let target = try newTarget(name)
    if place < names.count {
      names[place] = (name, target)
    } else if place == names.count {
      names.append((name, target))
    }
    return target
  }

  private func newTarget(_ name: String) throws -> Target {
    if let relationship = runtime.relationship(named: name) { return .relationship(relationship) }
    let slot = try rules.slot(name)
    if !allowsFiles, runtime.layout.externalSlots.contains(slot) { throw rules.external(slot) }
    return .slot(slot)
  }

  /// Sets a relationship of the row that is packed.
  private mutating func set(
    _ relationship: RelationshipRuntime, _ assignment: BatchAssignment, _ given: inout SlotSet
  ) throws {
    guard let (slot, key, position) = try references.set(assignment, relationship, row: count)
    else {
      return
    }
    values[slot] = key.map { .integer($0) } ?? .null
    given.insert(slot)
    guard let positionSlot = relationship.positionSlot else { return }
    values[positionSlot] = position.map { .integer($0) } ?? .null
    given.insert(positionSlot)
  }

  /// Checks that the row has the lists with a minimum.
  private func checkLists(_ row: [BatchAssignment]) throws {
    for relationship in runtime.limitedRelationships {
      let name = relationship.description.name
      guard let least = relationship.countLimits?.lowerBound, least > 0,
        !row.contains(where: { $0.property == name })
      else { continue }
      throw PersistenceError(
        .tooFewObjects, entity: runtime.layout.name, property: name, found: "0",
        expected: "\(least)")
    }
  }

  /// Throws what has refused rows.
  func finish() throws { try failures.throwIfAny() }
}
