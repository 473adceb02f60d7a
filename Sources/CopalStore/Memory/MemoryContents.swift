import CopalEssentials
import CopalModel

/// Everything in a store in memory. A value type: a read transaction keeps a copy, which later
/// commits do not change.
package struct MemoryContents: Sendable {
  /// By position of the root; those of other entities stay empty.
  private(set) var tables: [MemoryTable]
  /// By position in ``StoreSchema/linkTables``.
  private(set) var links: [LinkSet]
  /// What programs keep beside their objects.
  private(set) var metadata: [String: MetadataValue] = [:]
  /// The rows that refer to an object, so that no search looks at every row.
  private var referrers: [Referred: Set<Int64>] = [:]

  /// An object as the destination of a to-one relationship.
  private struct Referred: Hashable {
    let declaringEntity: Int
    let slot: Int
    let key: Int64

    init(_ reference: EntityLayout.Reference, _ key: Int64) {
      declaringEntity = reference.declaringEntity
      slot = reference.slot
      self.key = key
    }
  }

  package init(_ schema: StoreSchema) {
    tables = schema.entities.map { _ in MemoryTable() }
    links = schema.linkTables.map { _ in LinkSet() }
  }

  // MARK: Reading

  /// The rows that refer to an object by a relationship.
  func referrers(to key: Int64, _ reference: EntityLayout.Reference) -> Set<Int64> {
    referrers[Referred(reference, key)] ?? []
  }

  /// The objects of a to-many relationship, in any order.
  ///
  /// - Parameter layout: the layout of these objects.
  func related(to owner: Int64, _ storage: RelationshipLayout.Storage, _ layout: EntityLayout)
    -> [RelatedKey]
  {
    switch storage {
    case .slot: return []
    case .links(let table, let end): return links[table].linked(to: owner, at: end)
    case .inverseSlot(let slot, let position):
      guard let reference = layout.references.first(where: { $0.slot == slot }) else { return [] }
      let rows = tables[layout.root].rows
      return referrers(to: owner, reference).map { key in
        RelatedKey(key: key, position: position.flatMap { rows[key]?.integer($0) })
      }
    }
  }

  /// A row with its key.
  typealias Row = (key: Int64, row: PackedRow)

  /// The rows that a query finds, in its order.
  ///
  /// - Parameters:
  ///   - candidates: the rows to look at; nil for all that can be in the result.
  ///   - check: is called for each row, and while they are sorted. What it throws ends the search.
  func rows(
    _ query: StoreQuery, _ schema: StoreSchema, among candidates: [Row]? = nil,
    check: () throws -> Void
  ) rethrows -> [Row] {
    try find(query, schema, among: candidates, check) { $0 }
  }

  /// The keys of the objects that a query finds, in its order; the parameters are those of
  /// ``rows(_:_:among:check:)``.
  func keys(
    _ query: StoreQuery, _ schema: StoreSchema, among candidates: [Row]? = nil,
    check: () throws -> Void
  ) rethrows -> [Int64] {
    try find(query, schema, among: candidates, check, \.key)
  }

  /// The keys of the objects that a query finds, in its order.
  func keys(_ query: StoreQuery, _ schema: StoreSchema) -> [Int64] {
    keys(query, schema, check: {})
  }

  /// Some results of the rows that a query finds, in its order.
  private func find<Result>(
    _ query: StoreQuery, _ schema: StoreSchema, among candidates: [Row]?,
    _ check: () throws -> Void, _ result: (Row) -> Result
  ) rethrows -> [Result] {
    let source = MemorySource(schema, self)
    let evaluator = QueryEvaluator(query)
    var found = candidates ?? self.candidates(query, schema)
    func finds(_ row: Row) throws -> Bool {
      try check()
      return query.finds(entity: row.row.entity, in: schema)
        && (query.condition == nil || evaluator.matches(MemorySubject(row.key, row.row, source)))
    }
    // A list of which everything is found is not copied.
    let isWhole = try query.condition == nil && found.allSatisfy(finds)
    if !isWhole { found = try found.filter(finds) }
    // Those of a session and of some keys are in their order already.
    if zip(found, found.dropFirst()).contains(where: { $0.key > $1.key }) {
      found = found.inOrder { $0.key < $1.key }
    }
    func part<Rows: RandomAccessCollection>(of rows: Rows) -> Rows.SubSequence {
      let rest = rows.dropFirst(query.offset)
      return query.limit.map { rest.prefix($0) } ?? rest
    }
    if query.sortKeys.isEmpty { return part(of: found).map(result) }
    let places = try places(of: found, query.sortKeys, evaluator, source, check)
    return part(of: places).map { result(found[$0]) }
  }

  /// The places of rows in an order.
  private func places(
    of rows: [Row], _ keys: [BoundSortKey], _ evaluator: QueryEvaluator, _ source: MemorySource,
    _ check: () throws -> Void
  ) rethrows -> [Int] {
    var bytes = OrderedBytes(keys, count: rows.count)
    for (key, row) in rows {
      try check()
      let subject = MemorySubject(key, row, source)
      if !bytes.append({ evaluator.sortValue($0, of: subject) }) { break }
    }
    if bytes.count == rows.count { return try bytes.places(check: check) }
    let forms = try rows.map { key, row in
      try check()
      return evaluator.sortedForms(of: MemorySubject(key, row, source))
    }
    return try forms.indices.inOrder {
      try check()
      return keys.order(forms[$0], forms[$1]) ?? ($0 < $1)
    }
  }

  /// The rows that can be in the result of a query, so that a search for few rows does not look at
  /// every row.
  private func candidates(_ query: StoreQuery, _ schema: StoreSchema) -> [Row] {
    let layout = schema.entities[query.entity]
    let rows = tables[layout.root].rows
    func known(_ keys: Set<Int64>) -> [Row] {
      keys.inOrder().compactMap { key in rows[key].map { (key, $0) } }
    }
    return switch query.candidates(layout) {
    case .keys(let keys): known(keys)
    case .referrers(let key, let reference): known(referrers(to: key, reference))
    case nil: rows.map { ($0.key, $0.value) }
    }
  }

  /// The rows of the result of a query for values; the parameters are those of
  /// ``rows(_:_:among:check:)``.
  func values(
    _ query: ValueQuery, _ schema: StoreSchema, among candidates: [Row]? = nil,
    check: () throws -> Void
  ) rethrows -> [[PropertyValue]] {
    let source = MemorySource(schema, self)
    let evaluator = ValueEvaluator(query)
    let objects = try rows(query.objects, schema, among: candidates, check: check)
    return try evaluator.result(
      objects.lazy.map { evaluator.row(of: MemorySubject($0.key, $0.row, source)) }, check: check)
  }

  // MARK: Filling

  /// Adds a row of another store. What it refers to is added with
  /// ``addReferrer(_:to:_:)``, where it is asked for.
  package mutating func add(_ row: PackedRow, _ key: Int64, root: Int) {
    tables[root].rows[key] = row
  }

  /// Adds a row to those that refer to an object.
  package mutating func addReferrer(
    _ key: Int64, to other: Int64, _ reference: EntityLayout.Reference
  ) {
    referrers[Referred(reference, other), default: []].insert(key)
  }

  /// Adds a link of another store.
  ///
  /// - Returns: whether it was not there.
  package mutating func add(_ link: Link, _ table: Int, _ schema: StoreSchema) -> Bool {
    var changes = LinkChanges(table: table)
    changes.added = [link]
    return !links[table].apply(changes, schema.linkTables[table]).added.isEmpty
  }

  // MARK: Writing

  /// Removes every link of an object at an end of a table.
  mutating func removeLinks(
    of key: Int64, _ table: Int, at end: LinkTable.End, _ schema: StoreSchema
  ) {
    links[table].removeLinks(of: key, at: end, schema.linkTables[table])
  }

  /// Chooses the keys of new rows of a root. A wanted key that is positive is the one that the row
  /// must get.
  package typealias KeyChoice = (_ root: Int, _ wanted: [Int64]) -> [Int64]

  /// Writes a change set that has no conflicts.
  ///
  /// - Parameter choice: chooses the keys of new rows; nil for the next ones.
  package mutating func apply(
    _ changes: ChangeSet, _ schema: StoreSchema, keys choice: KeyChoice? = nil
  ) -> CommitReceipt {
    for (name, value) in changes.metadata { metadata[name] = value }
    // The keys of all inserts are known before the first row is written.
    let keys = changes.insertedKeys(in: InsertOrder(changes, in: schema)) { root, wanted in
      choice?(root, wanted) ?? wanted.map { tables[root].takeKey($0) }
    }
    var changes = changes.withReferences(to: keys, in: schema)
      .withPositions(in: schema) { greatestPosition(in: $0, schema) }
      .withVersions(in: schema)
    var removed: [Int: [Link]] = [:]
    for change in changes.entities {
      for delete in change.deletes { set(nil, delete.key, schema.entities[change.entity]) }
      removeLinks(of: change, schema, noting: &removed)
    }
    for change in changes.entities {
      for update in change.updates { set(update.row, update.key, schema.entities[change.entity]) }
    }
    for (change, keys) in zip(changes.entities, keys) {
      for (insert, key) in zip(change.inserts, keys) {
        set(insert.row, key, schema.entities[change.entity])
      }
    }
    changes.links = changes.links.map {
      links[$0.table].apply($0, schema.linkTables[$0.table])
    }
    changes.noteRemoved(removed)
    return CommitReceipt(insertedKeys: keys, written: changes)
  }

  /// Writes a row, or removes it for nil.
  package mutating func set(_ row: PackedRow?, _ key: Int64, _ layout: EntityLayout) {
    let old = tables[layout.root].rows[key]
    for reference in layout.references {
      let (before, after) = (old?.integer(reference.slot), row?.integer(reference.slot))
      if before == after { continue }
      if let before { remove(key, from: Referred(reference, before)) }
      if let after { referrers[Referred(reference, after), default: []].insert(key) }
    }
    tables[layout.root].rows[key] = row
  }

  private mutating func remove(_ key: Int64, from referred: Referred) {
    referrers[referred]?.remove(key)
    if referrers[referred]?.isEmpty == true { referrers[referred] = nil }
  }

  /// Removes the links of deleted objects.
  private mutating func removeLinks(
    of change: ChangeSet.EntityChanges, _ schema: StoreSchema, noting removed: inout [Int: [Link]]
  ) {
    if change.deletes.isEmpty { return }
    for (table, end) in schema.linkEnds(ofEntity: change.entity)
    where schema.linkTables[table].deletesLinks(at: end) {
      for delete in change.deletes {
        removed[table, default: []] += links[table].removeLinks(
          of: delete.key, at: end, schema.linkTables[table])
      }
    }
  }

  /// Keys that other contents have used are not used again.
  mutating func noteKeys(of other: MemoryContents) {
    for index in tables.indices { tables[index].noteKeys(of: other.tables[index]) }
  }

  func greatestPosition(in list: OrderedList, _ schema: StoreSchema) -> Int64? {
    related(to: list.owner, list.storage, schema.entities[list.entity]).compactMap(\.position).max()
  }
}

/// The rows of a root: of one entity and its subentities.
struct MemoryTable: Sendable {
  var rows: [Int64: PackedRow] = [:]
  private var lastKey: Int64 = 0

  mutating func noteKeys(of other: MemoryTable) { lastKey = max(lastKey, other.lastKey) }

  /// The key of a row to insert: the given one if it is positive, else the next one.
  mutating func takeKey(_ key: Int64) -> Int64 {
    lastKey = key > 0 ? max(lastKey, key) : lastKey + 1
    return key > 0 ? key : lastKey
  }
}

extension RowReceiver {
  /// Passes a row that is in memory.
  func pass(_ key: Int64, _ row: PackedRow) {
    if wantsRow(key: key, version: row.version) {
      receive(key: key, row: row)
    } else {
      skip(key: key)
    }
  }
}
