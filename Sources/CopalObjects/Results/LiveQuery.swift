import CopalModel
import CopalStore

/// The query of a list that is kept up to date, and how objects are judged for it in memory.
final class LiveQuery {
  /// What is fetched. With a limit, more objects than those that are visible, so that one that
  /// leaves the list needs no statement.
  let request: FetchRequest<ManagedObject>
  /// The greatest number of visible objects; nil for no limit.
  let limit: Int?
  /// Whether objects are judged in memory: the query reads nothing but their own values, and values
  /// of objects of other families over to-one relationships.
  let isJudgedInMemory: Bool
  /// Whether the condition reads values of related objects. When these change, only the store knows
  /// which objects refer to them.
  private let readsRelated: Bool
  /// Whether the condition names objects that were not saved when it was bound. Their keys change
  /// with the save.
  let namesNewObjects: Bool
  let order: ResultOrder
  private let query: StoreQuery
  private let evaluator: QueryEvaluator
  private let region: QueryRegion
  private let division: SectionDivision?
  private let schema: StoreSchema
  private let runtime: EntityRuntime

  /// So many changed objects are always judged in memory.
  static let fewObjects = 100

  init(
    _ request: FetchRequest<ManagedObject>, _ division: SectionDivision?, _ runtime: EntityRuntime,
    _ context: ManagedObjectContext
  ) throws {
    self.division = division
    self.runtime = runtime
    schema = context.state.container.schema
    let keys = NotedKeys(context.state)
    query = try PredicateBinder(runtime.layout, in: schema, keys: keys).bind(request)
    try division?.check(query, runtime.layout)
    namesNewObjects = keys.hasNewObjects
    evaluator = QueryEvaluator(query)
    region = QueryRegion(query, schema)
    order = ResultOrder(sortKeys: query.sortKeys)
    let condition = query.condition
    readsRelated = condition?.asksForRelated ?? false
    var own = query
    own.condition = condition?.withoutRelated(besides: runtime.root, schema)
    isJudgedInMemory =
      request.offset == 0 && !request.returnsObjectsAsFaults
      && (condition == nil || own.condition != nil) && ReadSlots(of: own, schema) != nil
    limit = request.limit
    var request = request
    if isJudgedInMemory, let limit { request.limit = limit + max(20, min(limit, 1000)) }
    self.request = request
  }

  /// Finds the keys of objects in the condition, and notes those that were never saved.
  private final class NotedKeys: ObjectKeySource {
    private let state: ContextState
    private(set) var hasNewObjects = false

    init(_ state: ContextState) { self.state = state }

    func key(of id: ManagedObjectID, root: Int) -> Int64? {
      let key = state.key(of: id, root: root)
      if let key, key < 0 { hasNewObjects = true }
      return key
    }
  }

  var isDivided: Bool { division != nil }

  /// The order of the entries, as far as the list must have it itself; nil for that of the store.
  var isBefore: ((ResultEntry, ResultEntry) -> Bool)? {
    if isJudgedInMemory { return order.isBefore }
    if isDivided { return order.isInSectionBefore }
    return nil
  }

  /// For errors.
  var sectionPath: String? { division?.path }
  var entityName: String { runtime.layout.name }

  /// Whether objects of an entity can be in the list.
  func finds(entity: Int) -> Bool { query.finds(entity: entity, in: schema) }

  // MARK: Judging

  /// The entry of an object; nil when it is not in the list.
  func entry(ofMatching object: ManagedObject) -> ResultEntry? {
    guard object.flags.isDisjoint(with: [.deleted, .gone, .missing]),
      finds(entity: object.runtime.index), evaluator.matches(PendingSubject(object: object))
    else { return nil }
    return entry(of: object)
  }

  /// The entry of an object that is in the list.
  func entry(of object: ManagedObject) -> ResultEntry {
    let subject = PendingSubject(object: object)
    let forms = isJudgedInMemory ? evaluator.sortedForms(of: subject) : []
    guard let division, let key = query.sortKeys.first else {
      return ResultEntry(object: object, forms: forms, section: .null)
    }
    let value =
      key.related.map { evaluator.value($0, of: subject) } ?? object.queryValue(key.slot)
    let section = value.isNull ? value : division.section(value, key.textOrder)
    return ResultEntry(
      object: object, forms: isJudgedInMemory ? forms : [key.sortedForm(of: value)],
      section: section)
  }

  /// The objects that others have saved in a turn, and that may be in the list. Those whose values
  /// the context does not have are made of their rows, without a statement.
  func objectsSavedByOthers(in turn: TurnChanges, _ context: ManagedObjectContext)
    -> [ManagedObject]
  {
    // A commit that the query may read has been a reason to fetch.
    if turn.commits.isEmpty || readsRelated { return [] }
    let state = context.state
    var receiver: FetchReceiver?
    var found: [ManagedObject] = []
    for change in NetChanges(turn.commits, schema).rows {
      guard let row = change.after else {
        // With unsaved changes, its object is in the context, and in no list.
        if finds(entity: change.entity) {
          state.maps[change.entity].object(change.key).map { found.append($0) }
        }
        continue
      }
      guard finds(entity: row.entity) else { continue }
      if let object = state.maps[row.entity].object(change.key),
        !object.isFault || object.flags.contains(.deleted)
      {
        // Another list, or a listener, may have made it in this turn.
        found.append(object)
        continue
      }
      let layout = schema.entities[row.entity]
      let subject = RowSubject(key: change.key, layout: layout, base: row.base, schema: schema)
      guard evaluator.matches(subject),
        !state.isDeletedUnread(change.key, of: row.entity)
      else { continue }
      let made =
        receiver ?? FetchReceiver(context.core, state, runtime, refreshesObjects: false)
      receiver = made
      if made.wantsRow(key: change.key, version: row.version) {
        made.receive(key: change.key, row: row)
      }
    }
    receiver?.notifyAwake()
    return found + (receiver?.takeObjects() ?? [])
  }

  // MARK: Turns

  /// Whether a turn has changed objects that are not known, and the query may read them.
  func mayBeTouchedAnywhere(by turn: TurnChanges) -> Bool {
    if !turn.stored.isEmpty, region.isTouched(byObjectsOf: turn.stored) { return true }
    return turn.commits.contains {
      !$0.written.isEmpty && region.isTouched(byObjectsOf: $0.written.entities)
    } || turn.others.contains { region.isTouched(byObjectsOf: entities($0.entities)) }
  }

  /// Whether only the store can say what a turn has changed in the list.
  func needsStore(_ turn: TurnChanges) -> Bool {
    if !turn.added.isEmpty, region.isTouched(byObjectsOf: turn.added) { return true }
    for changes in turn.others {
      let entities = changes.inserted.union(changes.updated).union(changes.deleted)
        .reduce(into: Set<String>()) { $0.insert($1.entityName) }
      if region.isTouched(byObjectsOf: self.entities(entities)) { return true }
    }
    if isJudgedInMemory, !readsRelated { return false }
    return turn.entries.values.contains { isTouched(by: $0) && !isJudged($0) }
      || turn.commits.contains { commit in
        commit.receipts.contains { region.isTouched(by: $0.written) }
      }
  }

  /// Whether an object that was changed here is judged in memory. A new one that is related needs
  /// nothing: an object that refers to it was changed, too.
  private func isJudged(_ entry: TurnChanges.Entry) -> Bool {
    guard isJudgedInMemory else { return false }
    switch entry.kind {
    case .inserted: return true
    case .updated, .deleted: return finds(entity: entry.object.runtime.index)
    case .refreshed, .invalidated, .none: return false
    }
  }

  /// Reads the related objects before several objects are judged: one statement for each
  /// relationship.
  func prepareJudging(_ objects: [ManagedObject], _ context: ManagedObjectContext) throws {
    guard readsRelated, let condition = query.condition else { return }
    try RelatedChanges.Members(context.state, context.core).load(condition, of: objects, runtime)
  }

  private func entities(_ names: Set<String>) -> Set<Int> {
    Set(names.compactMap { schema.layout($0)?.index })
  }

  private func isTouched(by entry: TurnChanges.Entry) -> Bool {
    let runtime = entry.object.runtime
    switch entry.kind {
    case .none: return false
    case .inserted, .deleted, .invalidated: return region.reads(entity: runtime.index)
    case .updated, .refreshed:
      if entry.wasSaved || entry.wasDeleted || entry.lacksFormerRow {
        return region.reads(entity: runtime.index)
      }
      return entry.changedSlots.contains { region.reads($0, of: runtime.index) }
        || entry.members.contains { ordinal in
          runtime.relationships[ordinal].links.map { region.reads(links: $0.table) } ?? false
        }
    }
  }
}

extension SectionDivision {
  /// - Throws: `request.invalidExpression` for days, months or years of an attribute that is no
  ///   date.
  fileprivate func check(_ query: StoreQuery, _ layout: EntityLayout) throws {
    guard isOfDates, let key = query.sortKeys.first else { return }
    let isDate = key.related.map { $0.type == .date } ?? (layout.attributes[key.slot].type == .date)
    if isDate { return }
    throw PersistenceError(
      .invalidExpression, entity: layout.name, property: path,
      found: "sections by the days, months or years of '\(path)', which is no date",
      expected: "name an attribute of the type date, or use .function(of:)")
  }
}

extension QueryCondition {
  /// What the condition asks of the object itself: conditions on the object of a to-one
  /// relationship are left out.
  ///
  /// - Parameter root: the root of the object's family.
  /// - Returns: nil when it asks for collections, for objects of the same family, or for
  ///   calculations of related objects.
  fileprivate func withoutRelated(besides root: Int, _ schema: StoreSchema) -> QueryCondition? {
    switch self {
    case .related(_, let entity, let inner, _):
      guard schema.entities[entity].root != root, inner.isOverToOnes(besides: root, schema) else {
        return nil
      }
      return .constant(true)
    case .ofKind(let kind, let condition, let otherwise):
      guard let condition = condition.withoutRelated(besides: root, schema),
        let otherwise = otherwise.withoutRelated(besides: root, schema)
      else { return nil }
      return .ofKind(kind, condition, otherwise: otherwise)
    case .and(let parts):
      let own = parts.compactMap { $0.withoutRelated(besides: root, schema) }
      return own.count == parts.count ? .and(own) : nil
    case .or(let parts):
      let own = parts.compactMap { $0.withoutRelated(besides: root, schema) }
      return own.count == parts.count ? .or(own) : nil
    case .constant, .isNull, .holds, .isIn, .text, .exists: return asksForRelated ? nil : self
    }
  }

  private func isOverToOnes(besides root: Int, _ schema: StoreSchema) -> Bool {
    withoutRelated(besides: root, schema) != nil
  }
}

extension ContextState {
  /// Whether a cascade of this context has deleted a row that was not read.
  func isDeletedUnread(_ key: Int64, of entity: Int) -> Bool {
    unreadDeletions.rows[entity]?.contains { $0.key == key } ?? false
  }
}
