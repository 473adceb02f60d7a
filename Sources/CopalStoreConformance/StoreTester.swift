import CopalEssentials
package import CopalModel
package import CopalStore

/// A store and one session with it, used by names and values: what a context does, without objects.
package final class StoreTester {
  package let store: any PersistentStore
  package let session: any StoreSession

  package init(_ store: any PersistentStore) throws {
    self.store = store
    session = try store.makeSession()
  }

  package var schema: StoreSchema { store.schema }

  /// The layout of an entity; of the first one where none is named.
  package func layout(_ entity: String? = nil) throws -> EntityLayout {
    guard let layout = entity.map(schema.layout) ?? schema.entities.first else {
      throw ConformanceFailure("no entity \(entity ?? "")")
    }
    return layout
  }

  // MARK: Reading

  package func query(
    _ predicate: FetchPredicate? = nil, sortedBy sortKeys: [FetchSortKey] = [],
    limit: Int? = nil, offset: Int = 0, of entity: String? = nil
  ) throws -> StoreQuery {
    let layout = try layout(entity)
    return try PredicateBinder(layout, in: store.schema, keys: self).bind(
      FetchRequest<Never>(
        entityName: layout.name, predicate: predicate, sortKeys: sortKeys, limit: limit,
        offset: offset))
  }

  package func keys(
    _ predicate: FetchPredicate? = nil, sortedBy sortKeys: [FetchSortKey] = [],
    limit: Int? = nil, offset: Int = 0, of entity: String? = nil
  ) throws -> [Int64] {
    try session.fetchKeys(
      query(predicate, sortedBy: sortKeys, limit: limit, offset: offset, of: entity))
  }

  package func rows(
    _ predicate: FetchPredicate? = nil, sortedBy sortKeys: [FetchSortKey] = [],
    limit: Int? = nil, offset: Int = 0, of entity: String? = nil
  ) throws -> [StoredRow] {
    let receiver = RowCollector(schema)
    try session.fetch(
      query(predicate, sortedBy: sortKeys, limit: limit, offset: offset, of: entity),
      into: receiver)
    if let failure = receiver.failures.first { throw failure }
    return receiver.rows
  }

  package func row(_ key: Int64, of entity: String? = nil) throws -> StoredRow {
    let receiver = RowCollector(schema)
    try session.fetchRows([key], entity: try layout(entity).index, into: receiver)
    if let failure = receiver.failures.first { throw failure }
    guard let row = receiver.rows.first else { throw ConformanceFailure("no row \(key)") }
    return row
  }

  /// The id of a row.
  package func id(_ key: Int64, of entity: String? = nil) throws -> ManagedObjectID {
    ManagedObjectID(store: store.identifier, entityName: try layout(entity).name, key: key)
  }

  /// What a check of everything finds.
  package func problems(limit: Int = 1000) throws -> [StoreProblem] {
    let check = StoreCheck(.everything, of: store, limit: limit)
    try session.check(check)
    return check.problems
  }

  /// The objects of a to-many relationship of some owners, as they come.
  package func related(
    _ name: String, of entity: String, _ owners: [Int64], in session: (any StoreSession)? = nil,
    wants: @escaping (Int64) -> Bool = { _ in true }
  ) throws -> RelatedCollector {
    let owner = try layout(entity)
    guard
      let position = schema.relationships[owner.index].firstIndex(where: {
        $0.relationship.name == name
      })
    else { throw ConformanceFailure("no relationship \(name)") }
    let receiver = RelatedCollector(schema, wants)
    try (session ?? self.session).fetchRelated(
      RelatedQuery(entity: owner.index, relationship: position, owners: owners), into: receiver)
    return receiver
  }

  /// The keys of the objects of a to-many relationship of one object, in their order.
  package func members(_ name: String, of entity: String, _ owner: Int64) throws -> [Int64] {
    try related(name, of: entity, [owner]).keys
  }

  // MARK: Writing

  /// Commits what the body puts together.
  @discardableResult
  package func commit(_ body: (inout Changes) throws -> Void) throws -> CommitReceipt {
    var changes = Changes(schema)
    try body(&changes)
    return try commit(changeSet: changes.set)
  }

  /// Commits a change set.
  ///
  /// - Throws: ``Refused`` with the conflicts of a store that refuses it.
  @discardableResult
  package func commit(changeSet changes: ChangeSet) throws -> CommitReceipt {
    switch try session.commit(changes) {
    case .committed(let receipt):
      if let place = receipt.place { store.commitOrder?.end(place) }
      return receipt
    case .refused(let conflicts): throw Refused(conflicts: conflicts)
    }
  }

  /// A store has refused a change set.
  package struct Refused: Error {
    package let conflicts: [CommitConflict]
  }

  /// Inserts one object, and gives its key.
  @discardableResult
  package func insert(
    _ values: [String: PropertyValue], into entity: String? = nil, positions: [String: Int64] = [:]
  ) throws -> Int64 {
    let name = try layout(entity).name
    let receipt = try commit { try $0.insert(name, values, positions: positions) }
    guard let key = receipt.insertedKeys.first?.first else {
      throw ConformanceFailure("no key for an insert")
    }
    return key
  }

  /// Changes one object.
  package func update(_ row: StoredRow, _ values: [String: PropertyValue]) throws {
    try commit { try $0.update(row, values) }
  }
}

/// The keys of objects in conditions.
extension StoreTester: ObjectKeySource {
  package func key(of id: ManagedObjectID, root: Int) -> Int64? {
    guard id.storeIdentifier == store.identifier,
      schema.layout(id.entityName)?.root == root
    else { return nil }
    return id.key
  }
}

/// A row with its names.
package struct StoredRow: Sendable {
  package let layout: EntityLayout
  package let key: Int64
  package let row: PackedRow

  package init(layout: EntityLayout, key: Int64, row: PackedRow) {
    self.layout = layout
    self.key = key
    self.row = row
  }

  package subscript(name: String) -> PropertyValue {
    guard let slot = layout.slotByName[name] else { return .null }
    return withExtendedLifetime(row) { layout.value(row.base, slot) }
  }

  /// What stands at an attribute in place of what the model allows.
  package func typeMismatch(_ name: String) -> TypeMismatch? {
    guard let slot = layout.slotByName[name] else { return nil }
    return withExtendedLifetime(row) { PackedRowValues.typeMismatch(row.base, slot) }
  }

  /// Every stored value, by name.
  package var values: [String: PropertyValue] {
    layout.slotByName.filter { layout.storedSlots.contains($0.value) }
      .reduce(into: [:]) { $0[$1.key] = self[$1.key] }
  }

  /// The position in the list of the object of a to-one relationship; null for none.
  package func position(_ name: String) -> PropertyValue {
    guard let slot = layout.slotByName[name],
      let position = layout.references.first(where: { $0.slot == slot })?.positionSlot
    else { return .null }
    return withExtendedLifetime(row) { layout.value(row.base, position) }
  }
}

/// A receiver that keeps everything.
package final class RowCollector: RowReceiver {
  private let schema: StoreSchema
  package private(set) var rows: [StoredRow] = []
  /// Why rows that are there could not be read.
  package private(set) var failures: [PersistenceError] = []

  package init(_ schema: StoreSchema) { self.schema = schema }

  package func wantsRow(key: Int64, version: Int64) -> Bool { true }
  package func receive(key: Int64, row: consuming PackedRow) {
    rows.append(StoredRow(layout: schema.entities[row.entity], key: key, row: row))
  }
  package func skip(key: Int64) {}
  package func receive(key: Int64, failure: PersistenceError) { failures.append(failure) }
}

/// A receiver of related objects that keeps everything.
package final class RelatedCollector: RelatedReceiver {
  private let schema: StoreSchema
  private let wants: (Int64) -> Bool
  package private(set) var owners: [Int64] = []
  package private(set) var positions: [Int64?] = []
  package private(set) var keys: [Int64] = []
  package private(set) var rows: [StoredRow] = []

  init(_ schema: StoreSchema, _ wants: @escaping (Int64) -> Bool) {
    self.schema = schema
    self.wants = wants
  }

  package func beginRow(relatedTo owner: Int64, position: Int64?) {
    owners.append(owner)
    positions.append(position)
  }
  package func wantsRow(key: Int64, version: Int64) -> Bool { wants(key) }
  package func receive(key: Int64, row: consuming PackedRow) {
    keys.append(key)
    rows.append(StoredRow(layout: schema.entities[row.entity], key: key, row: row))
  }
  package func skip(key: Int64) { keys.append(key) }
  package func receive(key: Int64, failure: PersistenceError) { keys.append(-key) }
}

/// A change set, put together by names and values.
package struct Changes {
  package private(set) var set = ChangeSet([])
  /// What is written beside the objects.
  package var metadata: [String: MetadataValue?] {
    get { set.metadata }
    set { set.metadata = newValue }
  }
  private let schema: StoreSchema
  private var lastTemporary: Int64 = 0

  package init(_ schema: StoreSchema) { self.schema = schema }

  private func layout(_ entity: String) throws -> EntityLayout {
    guard let layout = schema.layout(entity) else {
      throw ConformanceFailure("no entity \(entity)")
    }
    return layout
  }

  private mutating func change(
    _ layout: EntityLayout, _ body: (inout ChangeSet.EntityChanges) -> Void
  ) {
    let known = set.entities.firstIndex { $0.entity == layout.index }
    if known == nil { set.entities.append(ChangeSet.EntityChanges(entity: layout.index)) }
    body(&set.entities[known ?? set.entities.count - 1])
  }

  /// Adds an insert; the temporary keys are -1, -2, and so on. What is not named is null.
  ///
  /// - Parameter key: the key that the row must get.
  /// - Parameter positions: the positions in the lists of the objects of to-one relationships.
  @discardableResult
  package mutating func insert(
    _ entity: String, _ values: [String: PropertyValue], positions: [String: Int64] = [:],
    key: Int64? = nil
  ) throws -> Int64 {
    let layout = try layout(entity)
    lastTemporary -= 1
    let temporary = lastTemporary
    let row = try PackedRow.of(layout, values, positions: positions, version: 1)
    change(layout) { $0.inserts.append(ChangeSet.Insert(key: key ?? temporary, row: row)) }
    return temporary
  }

  /// Adds changes of the links of an entity's relationship. The owner of each link is an object of
  /// the entity.
  package mutating func link(
    _ entity: String, _ name: String, added: [Link] = [], removed: [Link] = [], moved: [Link] = []
  ) throws {
    guard
      case .links(let table, let end) = schema.relationship(name, of: try layout(entity).index)?
        .storage
    else { throw ConformanceFailure("no links of \(name)") }
    func seen(_ links: [Link]) -> [Link] { end == .owner ? links : links.map(\.reversed) }
    var changes = LinkChanges(table: table)
    changes.added = seen(added)
    changes.removed = seen(removed)
    changes.moved = seen(moved)
    set.links.append(changes)
  }

  /// Adds an update of some values of a row.
  package mutating func update(
    _ row: StoredRow, _ values: [String: PropertyValue], positions: [String: Int64] = [:]
  ) throws {
    var slots = SlotSet(count: row.layout.attributes.count)
    for name in values.keys { slots.insert(try row.layout.slot(name)) }
    for name in positions.keys { slots.insert(try row.layout.positionSlot(name)) }
    let cells = try row.layout.cells(values, positions)
    let new = cells.withUnsafeBufferPointer { cells in
      cells.baseAddress.flatMap {
        row.row.repacked(
          row.layout, with: $0, changed: slots, version: RowVersion.next(after: row.row.version))
      }
    }
    guard let new else { throw ConformanceFailure("an entity without attributes") }
    change(row.layout) {
      $0.updates.append(
        ChangeSet.Update(key: row.key, before: row.row, row: new, changed: slots))
    }
  }

  package mutating func delete(_ key: Int64, of entity: String? = nil, version: Int64) throws {
    change(try layout(entity ?? "Sample")) {
      $0.deletes.append(ChangeSet.Delete(key: key, version: version))
    }
  }

  package mutating func delete(_ row: StoredRow) {
    change(row.layout) {
      $0.deletes.append(ChangeSet.Delete(key: row.key, before: row.row))
    }
  }
}

extension PackedRow {
  /// A row of some values; the others are null.
  package static func of(
    _ layout: EntityLayout, _ values: [String: PropertyValue], positions: [String: Int64] = [:],
    version: Int64 = 1
  )
    throws -> PackedRow
  {
    let cells = try layout.cells(values, positions)
    let row = cells.withUnsafeBufferPointer { cells in
      cells.baseAddress.flatMap { PackedRow.pack(layout, values: $0, version: version) }
    }
    guard let row else { throw ConformanceFailure("an entity without attributes") }
    return row
  }
}

extension EntityLayout {
  func slot(_ name: String) throws -> Int {
    guard let slot = slotByName[name] else { throw ConformanceFailure("no attribute \(name)") }
    return slot
  }

  /// The slot of the position in the list of the object of a to-one relationship.
  fileprivate func positionSlot(_ name: String) throws -> Int {
    let slot = try slot(name)
    guard let position = references.first(where: { $0.slot == slot })?.positionSlot else {
      throw ConformanceFailure("no position of \(name)")
    }
    return position
  }

  fileprivate func cells(_ values: [String: PropertyValue], _ positions: [String: Int64]) throws
    -> [PropertyValue]
  {
    var cells = [PropertyValue](repeating: .null, count: attributes.count)
    for (name, value) in values { cells[try slot(name)] = value }
    for (name, position) in positions { cells[try positionSlot(name)] = .integer(position) }
    return cells
  }
}
