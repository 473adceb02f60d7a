import CopalEssentials
import CopalModel

/// Everything in a store in memory. A value type: a read transaction keeps a copy, which later
/// commits do not change.
struct MemoryContents: Sendable {
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

  init(_ schema: StoreSchema) {
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

  /// The keys of the objects that a query finds, in its order.
  func keys(_ query: StoreQuery, _ schema: StoreSchema) -> [Int64] {
    let layout = schema.entities[query.entity]
    let rows = tables[layout.root].rows
    let evaluator = QueryEvaluator(query)
    func finds(_ key: Int64, _ row: PackedRow) -> Bool {
      query.finds(entity: row.entity, in: schema)
        && (query.condition == nil
          || evaluator.matches(MemorySubject(key, row, schema: schema, contents: self)))
    }
    var found =
      if let keys = query.condition.flatMap({ self.keys(namedBy: $0, query, layout) }) {
        keys.filter { key in rows[key].map { finds(key, $0) } ?? false }.inOrder()
      } else {
        rows.compactMap { finds($0, $1) ? $0 : nil }.inOrder()
      }
    if !query.sortKeys.isEmpty {
      let forms = found.map { key in
        rows[key].map {
          evaluator.sortedForms(of: MemorySubject(key, $0, schema: schema, contents: self))
        }
          ?? []
      }
      found = found.indices.inOrder { query.sortKeys.order(forms[$0], forms[$1]) ?? ($0 < $1) }
        .map { found[$0] }
    }
    let rest = found.dropFirst(query.offset)
    return Array(query.limit.map { rest.prefix($0) } ?? rest)
  }

  /// The keys of the rows that can meet a condition, if it has a key or a related object; nil if
  /// any row can. So that a search for few rows does not look at every row.
  private func keys(
    namedBy condition: QueryCondition, _ query: StoreQuery, _ layout: EntityLayout
  ) -> Set<Int64>? {
    func integer(_ parameter: Int) -> Int64? {
      guard case .integer(let number) = query.parameters[parameter] else { return nil }
      return number
    }
    switch condition {
    case .isIn(.key, let parameters, isNegated: false, resultForNull: _):
      return Set(parameters.compactMap(integer))
    case .holds(.key, .equal, .parameter(let parameter), resultForNull: _):
      return integer(parameter).map { [$0] }
    case .holds(.slot(let slot), .equal, .parameter(let parameter), resultForNull: false):
      guard let reference = layout.references.first(where: { $0.slot == slot }) else { return nil }
      return integer(parameter).map { referrers(to: $0, reference) }
    case .and(let parts):
      return parts.lazy.compactMap { self.keys(namedBy: $0, query, layout) }.first
    default: return nil
    }
  }

  // MARK: Writing

  /// Removes every link of an object at an end of a table.
  mutating func removeLinks(
    of key: Int64, _ table: Int, at end: LinkTable.End, _ schema: StoreSchema
  ) {
    links[table].removeLinks(of: key, at: end, schema.linkTables[table])
  }

  mutating func apply(_ changes: ChangeSet, _ schema: StoreSchema) -> CommitReceipt {
    for (name, value) in changes.metadata { metadata[name] = value }
    // The keys of all inserts are known before the first row is written.
    let keys = changes.insertedKeys(in: InsertOrder(changes, in: schema)) { root, wanted in
      wanted.map { tables[root].takeKey($0) }
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
  mutating func set(_ row: PackedRow?, _ key: Int64, _ layout: EntityLayout) {
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
