import CopalEssentials
public import CopalModel

/// Answers the requests that the database of a store does not decide as Copal does: with the rows
/// and links that they concern, as a ``MemoryStore`` does.
///
/// The rows are read with the calls of the store's session, in one read transaction. These the
/// session answers by itself: ``StoreQuery/findsAll``, rows by their keys, and related objects.
/// For a request about related objects, those of the objects that it is about are read, and no
/// others. A condition on the key or on a to-one relationship makes these few.
///
/// ```swift
/// func fetch(_ query: StoreQuery, into receiver: any RowReceiver) throws {
///   guard query.findsAll else {
///     return try RowDecider(self, store.schema, because: part).fetch(query, into: receiver)
///   }
///   …
/// }
/// ```
///
/// The functions throw `request.notInSQL` for a request that concerns more rows and links than the
/// limit; `store.interrupted` when the call is canceled; the error of a row that cannot be read,
/// and what the session throws. They keep the rows in memory meanwhile, and take up to three times
/// as long as reading them. A value of another type than its attribute's, which another program can
/// have written, is nil here.
public struct RowDecider {
  private let session: any StoreSession
  private let schema: StoreSchema
  private let part: NotInSQL
  private let limit: Int
  private let isCanceled: (() -> Bool)?

  /// Answers requests with the rows of a session.
  ///
  /// - Parameters:
  ///   - part: what the database does not decide.
  ///   - limit: the greatest number of rows and links that a request may concern; 0 for none.
  ///   - isCanceled: what ``StoreSession/endCalls(when:)`` of the session was given.
  public init(
    _ session: any StoreSession, _ schema: StoreSchema, because part: NotInSQL,
    limit: Int = 100_000, isCanceled: (() -> Bool)? = nil
  ) {
    self.session = session
    self.schema = schema
    self.part = part
    self.limit = limit
    self.isCanceled = isCanceled
  }

  /// Finds objects, as ``StoreSession/fetch(_:into:)``. A row that cannot be read comes first,
  /// whatever the condition and the limit are, because nobody knows whether it meets the condition.
  public func fetch(_ query: StoreQuery, into receiver: any RowReceiver) throws {
    let rows = try read(query, QueryTree(query))
    let found = try rows.contents.rows(query, schema, among: rows.objects, check: rows.check)
    for (key, failure) in rows.failures { receiver.receive(key: key, failure: failure) }
    for (key, row) in found { receiver.pass(key, row) }
  }

  /// Finds the keys of objects, as ``StoreSession/fetchKeys(_:)``.
  public func fetchKeys(_ query: StoreQuery) throws -> [Int64] {
    let rows = try read(query, QueryTree(query)).complete()
    return try rows.contents.keys(query, schema, among: rows.objects, check: rows.check)
  }

  /// Counts objects, as ``StoreSession/count(_:)``.
  public func count(_ query: StoreQuery) throws -> Int {
    var query = query
    query.sortKeys = []
    return try fetchKeys(query).count
  }

  /// Finds values of objects, as ``StoreSession/fetchValues(_:)``.
  public func fetchValues(_ query: ValueQuery) throws -> [[PropertyValue]] {
    let rows = try read(query.objects, QueryTree(query)).complete()
    return try rows.contents.values(query, schema, among: rows.objects, check: rows.check)
  }

  /// Says which part of a request is decided here, and with how many rows and links.
  public func explain(_ query: StoreQuery) throws -> QueryExplanation {
    let rows = try read(query, QueryTree(query)).complete()
    let found = try rows.contents.keys(query, schema, among: rows.objects, check: rows.check)
    return explanation(rows, found.count)
  }

  /// Says which part of a request is decided here, and with how many rows and links.
  public func explain(_ query: ValueQuery) throws -> QueryExplanation {
    let rows = try read(query.objects, QueryTree(query)).complete()
    let values = try rows.contents.values(query, schema, among: rows.objects, check: rows.check)
    return explanation(rows, values.count)
  }

  private func explanation(_ rows: ConcernedRows, _ count: Int) -> QueryExplanation {
    QueryExplanation(
      inMemory: ["\(part.part), with \(rows.count) rows and links; \(part.cure)"],
      objectCount: count)
  }

  // MARK: Reading

  /// Reads the rows and links that a query concerns.
  private func read(_ query: StoreQuery, _ tree: QueryTree) throws -> ConcernedRows {
    let tooMany = PersistenceError(
      .notInSQL, entity: schema.entities[query.entity].name,
      found: "\(part.part), for more than \(limit) rows and links", expected: part.cure)
    if limit == 0 { throw tooMany }
    try session.beginReadTransaction()
    defer { session.endReadTransaction() }
    let rows = ConcernedRows(session, schema, limit: limit, tooMany, isCanceled)
    try rows.read(objectsOf: query, areRelated: !tree.parts[0].steps.isEmpty)
    try rows.follow(tree, from: 0, rows.objects.map(\.key))
    return rows
  }
}

/// The rows and links that a query concerns, while they are read, and then.
private final class ConcernedRows: RelatedReceiver {
  private(set) var contents: MemoryContents
  /// The rows that can be in the result.
  private(set) var objects: [MemoryContents.Row] = []
  /// The errors of rows that could be in the result if they could be read.
  private(set) var failures: [(key: Int64, failure: PersistenceError)] = []
  /// The number of rows and links.
  private(set) var count = 0

  private let session: any StoreSession
  private let schema: StoreSchema
  private let limit: Int
  private let tooMany: PersistenceError
  private let isCanceled: (() -> Bool)?
  private var checks = 0
  /// The objects whose relationships have been read, so that no relationship is read twice.
  private var owners: [Relationship: Set<Int64>] = [:]

  // What a call of the session is for.
  private var root = 0
  /// Whether the rows are those that can be in the result. Each comes once.
  private var isOfObjects = false
  private var relationship: Relationship?
  /// The owner of the next row, as `beginRow` has said.
  private var owner: Int64 = 0

  /// A relationship of owners to the rows of a call.
  private enum Relationship: Hashable {
    /// Each row has the key of its owner.
    case inverse(EntityLayout.Reference)
    case links(Int, LinkTable.End)
  }

  init(
    _ session: any StoreSession, _ schema: StoreSchema, limit: Int, _ tooMany: PersistenceError,
    _ isCanceled: (() -> Bool)?
  ) {
    contents = MemoryContents(schema)
    self.session = session
    self.schema = schema
    self.limit = limit
    self.tooMany = tooMany
    self.isCanceled = isCanceled
  }

  /// - Throws: the error of a row that could be in the result if it could be read.
  func complete() throws -> ConcernedRows {
    if let failure = failures.first?.failure { throw failure }
    return self
  }

  /// - Throws: `store.interrupted` when the call is canceled.
  func check() throws {
    checks &+= 1
    if checks & 63 == 0, isCanceled?() == true { throw PersistenceError(.interrupted) }
  }

  // MARK: Steps

  /// Reads the rows that can be in the result.
  ///
  /// - Parameter areRelated: whether the query is about related objects, which can be these, too.
  func read(objectsOf query: StoreQuery, areRelated: Bool) throws {
    let layout = schema.entities[query.entity]
    isOfObjects = true
    switch query.candidates(layout) {
    case .keys(let keys): try read(keys.inOrder(), of: layout)
    case .referrers(let key, let reference):
      guard let collection = collection(of: reference, layout) else {
        try readAll(query)
        break
      }
      _ = try members(collection, of: reference.destination, [key])
    case nil: try readAll(query)
    }
    isOfObjects = false
    if areRelated { for (key, row) in objects { contents.add(row, key, root: layout.root) } }
  }

  /// Reads the objects to which some objects of a part lead, and so on.
  ///
  /// - Throws: also the error of a row that cannot be read.
  func follow(_ tree: QueryTree, from part: Int, _ keys: [Int64]) throws {
    let known = failures.count
    for (step, next) in tree.parts[part].steps {
      let others =
        switch step {
        case .reference(let slot):
          try destinations(slot, of: keys, schema.entities[tree.parts[next].entity])
        case .collection(let entity, let relationship):
          try Set(members(relationship, of: entity, rows(keys, ofKind: entity).map(\.key)))
            .inOrder()
        }
      if failures.count > known { throw failures[known].failure }
      try follow(tree, from: next, others)
    }
  }

  /// All rows of the query's entity, up to one more than the limit.
  private func readAll(_ query: StoreQuery) throws {
    let all = StoreQuery(
      entity: query.entity, limit: limit == .max ? nil : limit + 1,
      includesSubentities: query.includesSubentities)
    try reading(schema.entities[query.entity], nil) { try session.fetch(all, into: self) }
  }

  /// The relationship of a destination to the objects of an entity that refer to it.
  private func collection(of reference: EntityLayout.Reference, _ layout: EntityLayout) -> Int? {
    schema.relationships[reference.destination].firstIndex {
      guard case .inverseSlot(reference.slot, _) = $0.storage else { return false }
      return schema.isEntity(layout.index, kindOf: $0.destination)
    }
  }

  /// Those of some rows that are objects of an entity.
  private func rows(_ keys: [Int64], ofKind entity: Int) -> [(key: Int64, row: PackedRow)] {
    let rows = contents.tables[schema.entities[entity].root].rows
    return keys.compactMap { key in
      rows[key].flatMap { schema.isEntity($0.entity, kindOf: entity) ? (key, $0) : nil }
    }
  }

  /// The objects of a to-one relationship of some objects.
  private func destinations(_ slot: QueryTree.Slot, of keys: [Int64], _ layout: EntityLayout) throws
    -> [Int64]
  {
    let others = Set(rows(keys, ofKind: slot.entity).compactMap { $0.row.integer(slot.slot) })
      .inOrder()
    let known = contents.tables[layout.root].rows
    try read(others.filter { known[$0] == nil }, of: layout)
    return others
  }

  private func read(_ keys: [Int64], of layout: EntityLayout) throws {
    for part in keys.parts(of: 1000) {
      try reading(layout, nil) {
        try session.fetchRows(part, entity: layout.index, into: self)
      }
    }
  }

  /// The objects of a to-many relationship of some objects.
  private func members(_ relationship: Int, of entity: Int, _ keys: [Int64]) throws -> [Int64] {
    let storage = schema.relationships[entity][relationship].storage
    let layout = schema.entities[schema.relationships[entity][relationship].destination]
    let noting: Relationship
    switch storage {
    case .slot: return []
    case .links(let table, let end): noting = .links(table, end)
    case .inverseSlot(let slot, _):
      guard let reference = layout.reference(ofSlot: slot) else { return [] }
      noting = .inverse(reference)
    }
    let known = owners[noting] ?? []
    for part in keys.filter({ !known.contains($0) }).parts(of: 1000) {
      try reading(layout, noting) {
        try session.fetchRelated(
          RelatedQuery(entity: entity, relationship: relationship, owners: Array(part)), into: self)
      }
    }
    owners[noting, default: []].formUnion(keys)
    return keys.flatMap { contents.related(to: $0, storage, layout).map(\.key) }
  }

  /// Runs a call of the session.
  private func reading(
    _ layout: EntityLayout, _ relationship: Relationship?, _ body: () throws -> Void
  ) throws {
    if isCanceled?() == true { throw PersistenceError(.interrupted) }
    (root, self.relationship) = (layout.root, relationship)
    try body()
    if count > limit { throw tooMany }
  }

  // MARK: RelatedReceiver. The rest of a call is not kept when there are too many rows.

  func beginRow(relatedTo owner: Int64, position: Int64?) { self.owner = owner }

  func wantsRow(key: Int64, version: Int64) -> Bool {
    count <= limit && (isOfObjects || contents.tables[root].rows[key] == nil)
  }

  func receive(key: Int64, row: consuming PackedRow) {
    count += 1
    if isOfObjects {
      objects.append((key, row))
    } else {
      contents.add(row, key, root: root)
    }
    skip(key: key)
  }

  func skip(key: Int64) {
    if count > limit { return }
    switch relationship {
    case .inverse(let reference): contents.addReferrer(key, to: owner, reference)
    case .links(let table, let end):
      let link = schema.linkTables[table].link(of: owner, at: end, to: key)
      if contents.add(link, table, schema) { count += 1 }
    case nil: return
    }
  }

  func receive(key: Int64, failure: PersistenceError) {
    if count > limit { return }
    count += 1
    failures.append((key, failure))
  }
}
