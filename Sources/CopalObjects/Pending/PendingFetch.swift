import CopalEssentials
import CopalModel
import CopalStore

/// A fetch in a context with unsaved changes: merges the store's result with the changed objects.
///
/// The store finds the objects without changes in the slots that the query reads. The others are
/// evaluated in memory: their rows are left out, and those that match the condition now are
/// inserted at their positions. In addition to the store's own work, the cost grows with the
/// result, its offset and these changes.
struct PendingFetch {
  private let state: ContextState
  private let runtime: EntityRuntime
  /// The query of the program, which is evaluated for the changed objects.
  private let query: StoreQuery
  /// The query for the store, which has no unsaved values of related objects: ``RelatedChanges``.
  private let storeQuery: StoreQuery
  /// The slots that the query reads; nil when all changes concern it.
  private let read: ReadSlots?
  /// The changed objects that match the condition now.
  private let matching: ContiguousArray<ManagedObject>
  /// An upper bound for the number of rows whose objects have changes.
  private let savedCount: Int

  /// - Returns: nil when no object of the entity has changes that concern the query, or only new
  ///   objects that do not match. Then the store's result is complete.
  init?(
    _ state: ContextState, _ core: ContextCore, _ runtime: EntityRuntime, query: StoreQuery,
    inStore storeQuery: StoreQuery
  ) throws {
    if state.changed.objects.isEmpty || state.hasOnlyOthersPending(runtime, query) { return nil }
    read = ReadSlots(of: query, state.container.schema)
    guard let pending = state.pendingObjects(runtime, query, reading: read) else { return nil }
    // Usual for a loop that looks for what it has not inserted yet.
    if pending.objects.isEmpty, pending.savedCount == 0 { return nil }
    self.state = state
    self.runtime = runtime
    self.query = query
    self.storeQuery = storeQuery
    savedCount = pending.savedCount
    let evaluator = QueryEvaluator(query)
    let candidates = pending.objects.filter { [read] object in
      object.hasChanges(in: read) && !object.flags.contains(.deleted)
    }
    if let condition = query.condition, condition.asksForRelated {
      try RelatedChanges.Members(state, core).load(condition, of: Array(candidates), runtime)
    }
    matching = ContiguousArray(
      candidates.lazy.filter { evaluator.matches(PendingSubject(object: $0)) })
    if savedCount == 0, matching.isEmpty { return nil }
  }

  /// Passes the result to a receiver, in order.
  func fetch(into receiver: any MergeReceiver) throws {
    try inOneView {
      let merge = PendingMerge(
        ChangedRows(state, runtime, read), runtime, state.container.schema, query,
        elements: try sorted(withoutLostRows(matching)),
        receiver: receiver)
      try fetchPages(merge, readsRows: receiver.readsRows || merge.comparesValues)
      merge.finish()
    }
  }

  /// Fetches as many rows as may be needed, and further rows in place of those that were left out
  /// because their objects have changes.
  private func fetchPages(_ merge: PendingMerge, readsRows: Bool) throws {
    var page = storeQuery
    page.offset = merge.firstRow(savedCount: savedCount)
    var wanted = query.limit.map { query.offset - page.offset + $0 }
    while wanted != 0 {
      page.limit = wanted
      merge.beginPage()
      if readsRows {
        try state.session.opened().fetch(page, into: merge)
      } else {
        for key in try state.session.opened().fetchKeys(page) {
          if !merge.wantsRow(key: key, version: 0) { merge.skip(key: key) }
        }
      }
      guard let asked = wanted, merge.rowCount == asked, !merge.isComplete else { return }
      page.offset += asked
      // Twice as many as before, so that many changed rows need few statements.
      wanted = merge.leftOutCount == 0 ? 0 : 2 * min(asked, Int(Int32.max))
    }
  }

  /// The number of objects in the result.
  func count() throws -> Int {
    try inOneView {
      let end = query.limit.map { $0 + query.offset }
      let all = try storedCount(upTo: end) + withoutLostRows(matching).count
      return max(0, min(all, end ?? all) - query.offset)
    }
  }

  /// The number of rows that match the condition and whose objects have no changes. Above a limit
  /// it need not be exact.
  private func storedCount(upTo end: Int?) throws -> Int {
    var all = storeQuery
    (all.sortKeys, all.offset, all.limit) = ([], 0, end)
    if savedCount == 0 { return try state.session.opened().count(all) }
    // When the result is not larger than the changes, fetching its keys is enough.
    all.limit = savedCount + 1
    let keys = try state.session.opened().fetchKeys(all)
    if keys.count <= savedCount {
      let changes = ChangedRows(state, runtime, read)
      return keys.count { !changes.contains($0) }
    }
    all.limit = end.map { $0 + savedCount }
    let changedCount = try storedCount(ofChanged: savedKeys(of: changed))
    return try state.session.opened().count(all) - changedCount
  }

  /// The number of changed objects whose rows match the condition.
  private func storedCount(ofChanged keys: [Int64]) throws -> Int {
    guard let condition = storeQuery.condition, condition.asksForRelated else {
      let probe = RowProbe(state.container.schema, storeQuery)
      try state.session.opened().fetchRows(keys[...], entity: runtime.index, into: probe)
      return probe.keys.count
    }
    // Only the store has the rows of the related objects.
    var rows = storeQuery
    (rows.sortKeys, rows.offset, rows.limit) = ([], 0, nil)
    let start = rows.parameters.count
    rows.parameters += keys.map(PropertyValue.integer)
    rows.condition = .and([
      .isIn(
        .key, parameters: start..<rows.parameters.count, isNegated: false, resultForNull: false),
      condition,
    ])
    return try state.session.opened().count(rows)
  }

  private var changed: ContiguousArray<ManagedObject> {
    state.changedObjects(runtime, withSubentities: query.includesSubentities, reading: read)
      .filter { $0.hasChanges(in: read) }
  }

  /// Runs several statements in a read transaction, so that all of them see one state of the store.
  private func inOneView<R>(_ body: () throws -> R) throws -> R {
    if savedCount == 0 { return try body() }
    try state.session.beginReadTransaction()
    defer { state.session.endReadTransaction() }
    return try body()
  }

  /// Leaves out changed objects whose row was deleted elsewhere.
  private func withoutLostRows(_ objects: ContiguousArray<ManagedObject>) throws
    -> ContiguousArray<ManagedObject>
  {
    let keys = savedKeys(of: objects)
    if keys.isEmpty { return objects }
    let probe = RowProbe()
    try state.session.opened().fetchRows(keys[...], entity: runtime.index, into: probe)
    if probe.keys.count == keys.count { return objects }
    return objects.filter { $0.flags.contains(.inserted) || probe.keys.contains($0.key) }
  }

  private func savedKeys(of objects: ContiguousArray<ManagedObject>) -> [Int64] {
    objects.filter { !$0.flags.contains(.inserted) }.map(\.key)
  }

  private func sorted(_ objects: ContiguousArray<ManagedObject>) -> [PendingMerge.Element] {
    let elements = objects.map { object in
      PendingMerge.Element(
        object: object, values: query.sortKeys.sortedForms(object.queryValue))
    }
    if elements.count < 2 { return elements }
    return elements.inOrder { a, b in
      query.sortKeys.order(a.values, b.values)
        ?? (PendingMerge.insertionOrder(a.object.key) < PendingMerge.insertionOrder(b.object.key))
    }
  }
}

/// Finds which rows exist, or which stored rows match a condition.
private final class RowProbe: RowReceiver {
  private(set) var keys: Set<Int64> = []
  private let schema: StoreSchema?
  /// The condition of the query; nil when there is none.
  private let evaluator: QueryEvaluator?

  /// Finds rows that exist.
  init() { (schema, evaluator) = (nil, nil) }

  /// Finds rows that match the condition of a query.
  init(_ schema: StoreSchema, _ query: StoreQuery) {
    self.schema = schema
    evaluator = query.condition == nil ? nil : QueryEvaluator(query)
  }

  func wantsRow(key: Int64, version: Int64) -> Bool { evaluator != nil }
  func skip(key: Int64) { keys.insert(key) }
  func receive(key: Int64, failure: PersistenceError) { if evaluator == nil { keys.insert(key) } }
  func receive(key: Int64, row: consuming PackedRow) {
    let base = row.base
    guard let layout = schema?.entities[row.entity], let evaluator else { return }
    let matches = evaluator.matches(
      RowSubject(key: key, layout: layout, base: base, schema: schema))
    if matches {
      keys.insert(key)
    }
    withExtendedLifetime(row) {}
  }
}

/// A row of a changed object. Its condition does not ask for related objects.
struct RowSubject: ConditionSubject {
  let key: Int64
  let layout: EntityLayout
  let base: UnsafeRawPointer
  let schema: StoreSchema?

  var entity: Int { layout.index }
  // Conditions ask only whether there is a large value.
  func value(_ slot: Int) -> PropertyValue {
    if PackedRowValues.fileName(base, slot) != nil { return .boolean(true) }
    return schema?.value(base, slot, of: layout) ?? layout.value(base, slot)
  }
  func related(_ slot: Int) -> RowSubject? { nil }
  func members(_ relationship: Int) -> [RowSubject] { [] }
}

/// An object of a context, with its unsaved changes, of which a condition is true or false.
struct PendingSubject: ConditionSubject {
  let object: ManagedObject

  var key: Int64 { object.key }
  var entity: Int { object.runtime.index }
  func value(_ slot: Int) -> PropertyValue { object.queryValue(slot) }
  func related(_ slot: Int) -> PendingSubject? {
    object.target(slot).flatMap { $0.isMissingInStore ? nil : PendingSubject(object: $0) }
  }
  func members(_ relationship: Int) -> [PendingSubject] {
    object.askedFor { AnyToMany(object, relationship).members }.compactMap {
      $0.isMissingInStore ? nil : PendingSubject(object: $0)
    }
  }
}
