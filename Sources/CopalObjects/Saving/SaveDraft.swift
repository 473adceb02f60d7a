import CopalEssentials
import CopalStore

/// What a save wants to write, row by row, while a policy resolves conflicts: values, which change
/// no object.
struct SaveDraft {
  struct RowKey: Hashable {
    let root: Int
    let key: Int64

    /// Hashes one number: a large save asks many times for its rows.
    func hash(into hasher: inout Hasher) { hasher.combine(Int64(root) << 48 ^ key) }
  }

  /// What is to become of a row.
  enum Change {
    case update(ChangeSet.Update)
    case insert(PackedRow, isAgain: Bool)
    case delete(ChangeSet.Delete)
  }

  struct Row {
    let entity: Int
    let key: Int64
    /// The object; nil where the context has none.
    let object: ManagedObject?
    var change: Change
    /// Its place in the draft.
    fileprivate let place: Int
  }

  /// What is to become of an object after the commit, when its row is not simply written.
  enum Outcome {
    /// Its changes are discarded, and it takes a row.
    case takes(ManagedObject, PackedRow)
    /// It leaves the context: others have deleted it.
    case leaves(ManagedObject)
    /// A new object, which wanted to write a row, is the one with a key: a stored one, or another
    /// new one. The stored row is the one that the save may replace; nil for one that it has.
    case becomes(ManagedObject, mine: PackedRow, key: Int64, stored: PackedRow?)
    /// Its row has changes of others, too.
    case rebased(ManagedObject)
    /// It is deleted although nobody has deleted it here: by a delete rule.
    case follows(ManagedObject)
  }

  /// In the order of the plan. Nil for one that is not written any more.
  private(set) var rows: [Row?] = []
  private var places: [RowKey: Int] = [:]
  /// The places of the rows that may refer to a new object, or to a partner in a one-to-one
  /// relationship. Made when somebody asks.
  private var referring: [RowKey: [Int]]?
  private var linkChanges: [LinkChanges]
  /// Whether links may still have keys of new objects that have become others.
  private var hasFormerLinks = false
  private(set) var outcomes: [Outcome] = []
  /// Links that are not added, because an object of them is gone.
  private(set) var droppedLinks: [(table: Int, link: Link)] = []
  /// What the plan has in addition.
  private let others: [PlannedChanges]
  private let changes: ChangeSet
  private let schema: StoreSchema
  private let entities: [EntityRuntime]
  /// The keys of new objects that have become others, or have joined them, with the other keys.
  private var successors: [RowKey: Int64] = [:]
  /// The objects at both ends of the links that were dropped.
  private var unlinked: Set<RowKey> = []
  /// The large values that the resolution writes into files.
  private var externalValues: [ExternalFileName: Data]

  init(_ plan: SavePlan) {
    schema = plan.state.container.schema
    entities = plan.state.container.entities
    changes = plan.changes
    linkChanges = plan.changes.links
    externalValues = plan.changes.externalValues
    outcomes = plan.outcomes
    droppedLinks = plan.droppedLinks
    others = plan.planned.map { planned in
      var rest = PlannedChanges(entity: planned.entity)
      (rest.unchanged, rest.forgotten) = (planned.unchanged, planned.forgotten)
      return rest
    }
    let count = plan.planned.reduce(0) { $0 + $1.rowCount }
    rows.reserveCapacity(count)
    places.reserveCapacity(count)
    for planned in plan.planned {
      func add(_ object: ManagedObject?, _ key: Int64, _ change: Change) {
        self.add(planned.entity, key, object, change)
      }
      for delete in planned.deletes {
        add(delete.object, delete.change.key, .delete(delete.change))
      }
      for delete in planned.unreadDeletes { add(nil, delete.key, .delete(delete)) }
      for update in planned.updates {
        add(update.object, update.change.key, .update(update.change))
      }
      for update in planned.unreadUpdates { add(nil, update.key, .update(update)) }
      for insert in planned.inserts {
        add(
          insert.object, insert.object.key,
          .insert(insert.change, isAgain: insert.object.key > 0))
      }
    }
  }

  // MARK: Rows

  subscript(_ entity: Int, _ key: Int64) -> Row? {
    places[RowKey(root: schema.entities[entity].root, key: key)].flatMap { rows[$0] }
  }

  /// Replaces what is to become of a row.
  mutating func set(_ row: Row, _ change: Change) {
    rows[row.place]?.change = change
    noteReferences(ofRowAt: row.place)
  }

  /// Adds a row.
  mutating func add(_ entity: Int, _ key: Int64, _ object: ManagedObject?, _ change: Change) {
    let place = rows.count
    places[RowKey(root: schema.entities[entity].root, key: key)] = place
    rows.append(Row(entity: entity, key: key, object: object, change: change, place: place))
    noteReferences(ofRowAt: place)
  }

  /// A row is not written.
  mutating func remove(_ row: Row) { rows[row.place] = nil }

  /// A row that is written loses values.
  mutating func clear(_ slots: [Int], of row: Row) {
    let layout = schema.entities[row.entity]
    guard let cleared = row.newRow?.clearing(slots, layout) else { return }
    switch row.change {
    case .update(var update):
      update.row = cleared
      for slot in slots { update.changed.insert(slot) }
      set(row, .update(update))
    case .insert(_, let isAgain): set(row, .insert(cleared, isAgain: isAgain))
    case .delete: return
    }
    if let object = row.object { note(.rebased(object)) }
  }

  mutating func note(_ outcome: Outcome) { outcomes.append(outcome) }

  /// A new large value, which gets a file.
  mutating func add(_ value: Data) -> ExternalFileName {
    let name = ExternalFileName(byteCount: value.count)
    externalValues[name] = value
    return name
  }

  /// The key of the object that an object has become, or its own.
  func successor(of key: Int64, root: Int) -> Int64 {
    var key = key
    while let next = successors[RowKey(root: root, key: key)] { key = next }
    return key
  }

  // MARK: References

  /// Gives every row and link the key of another object instead of that of a new one.
  mutating func replace(_ key: Int64, by new: Int64, root: Int) {
    let former = RowKey(root: root, key: key)
    successors[former] = new
    hasFormerLinks = true
    noteReferences()
    for place in referring?.removeValue(forKey: former) ?? [] {
      guard let row = rows[place], let packed = row.newRow else { continue }
      let layout = schema.entities[row.entity]
      var slots: [Int: Int64] = [:]
      for reference in layout.references
      where reference.destinationRoot == root && packed.integer(reference.slot) == key {
        slots[reference.slot] = new
      }
      guard let replaced = packed.replacing(slots, layout) else { continue }
      rows[place]?.change = row.change.writing(replaced)
      noteReferences(ofRowAt: place)
    }
  }

  /// The rows that may refer to an object in a one-to-one relationship, or to a new one.
  mutating func rows(referringTo key: Int64, root: Int) -> [Row] {
    noteReferences()
    let places = referring?[RowKey(root: root, key: key)] ?? []
    return Set(places).inOrder().compactMap { rows[$0] }
  }

  private mutating func noteReferences() {
    if referring != nil { return }
    referring = [:]
    for place in rows.indices { noteReferences(ofRowAt: place) }
  }

  /// Notes to which new objects, and to which partners, a row refers.
  private mutating func noteReferences(ofRowAt place: Int) {
    guard referring != nil, let row = rows[place], let packed = row.newRow else { return }
    let pairSlots = entities[row.entity].pairSlots
    for reference in schema.entities[row.entity].references {
      guard let key = packed.integer(reference.slot),
        key < 0 || pairSlots.contains(reference.slot)
      else { continue }
      referring?[RowKey(root: reference.destinationRoot, key: key), default: []].append(place)
    }
  }

  /// The links that the save writes. New objects that have become others have the keys of these.
  var links: [LinkChanges] {
    mutating get {
      if hasFormerLinks {
        hasFormerLinks = false
        replaceFormerLinks()
      }
      return linkChanges
    }
  }

  private mutating func replaceFormerLinks() {
    let draft = self
    func key(_ link: Link, at end: LinkTable.End, _ table: Int) -> Int64 {
      let key = link.key(at: end)
      if key > 0 { return key }
      let entity = draft.schema.linkTables[table].entity(at: end)
      return draft.successor(of: key, root: draft.schema.entities[entity].root)
    }
    changeLinks { link, table in
      var link = link
      (link.owner, link.member) = (key(link, at: .owner, table), key(link, at: .member, table))
      return link
    }
    // Two new objects may have had the same link.
    for place in linkChanges.indices {
      var written: Set<Link> = []
      linkChanges[place].added.removeAll {
        !written.insert(Link(owner: $0.owner, member: $0.member)).inserted
      }
    }
  }

  /// Does not write the links of an object that is gone.
  ///
  /// - Returns: false when it has none, and had none before.
  @discardableResult
  mutating func dropLinks(of key: Int64, root: Int) -> Bool {
    _ = links
    var dropped: [(Int, Link)] = []
    let schema = schema
    func ends(_ link: Link, _ table: Int) -> [RowKey] {
      [LinkTable.End.owner, .member].map { end in
        RowKey(
          root: schema.entities[schema.linkTables[table].entity(at: end)].root,
          key: link.key(at: end))
      }
    }
    let gone = RowKey(root: root, key: key)
    changeLinks { link, table in
      let isDropped = ends(link, table).contains(gone)
      if isDropped { dropped.append((table, link)) }
      return isDropped ? nil : link
    }
    droppedLinks += dropped
    // Both ends of a link may be gone, and each may be a conflict.
    for (table, link) in dropped { unlinked.formUnion(ends(link, table)) }
    return unlinked.contains(gone)
  }

  private mutating func changeLinks(_ body: (Link, _ table: Int) -> Link?) {
    linkChanges = linkChanges.map { change in
      var change = change
      change.removed = change.removed.compactMap { body($0, change.table) }
      change.added = change.added.compactMap { body($0, change.table) }
      change.moved = change.moved.compactMap { body($0, change.table) }
      return change
    }.filter { !$0.isEmpty }
  }

  // MARK: The plan

  /// The plan of the next attempt.
  mutating func plan(_ state: ContextState) -> SavePlan {
    var planned = others
    var placeByEntity: [Int: Int] = [:]
    for (place, changes) in planned.enumerated() { placeByEntity[changes.entity] = place }
    for case let row? in rows {
      let place =
        placeByEntity[row.entity]
        ?? {
          placeByEntity[row.entity] = planned.count
          planned.append(PlannedChanges(entity: row.entity))
          return planned.count - 1
        }()
      planned[place].add(row)
    }
    var changes = ChangeSet(
      planned.map(\.changes), links: links, author: changes.author,
      contextName: changes.contextName)
    changes.metadata = self.changes.metadata
    changes.externalValues = externalValues.filter { isUsed($0.key, planned) }
    // An object that another one has become may have become a third one.
    let outcomes = outcomes.map { outcome in
      guard case .becomes(let object, let mine, let key, let stored) = outcome else {
        return outcome
      }
      return .becomes(
        object, mine: mine, key: successor(of: key, root: object.runtime.root), stored: stored)
    }
    return SavePlan(
      state, changes, ContiguousArray(planned), outcomes: outcomes, droppedLinks: droppedLinks)
  }

  /// Whether a row of the plan has the name of a file. Otherwise the folder would get a file that
  /// nobody needs.
  private func isUsed(_ name: ExternalFileName, _ planned: [PlannedChanges]) -> Bool {
    planned.contains { changes in
      let slots = schema.entities[changes.entity].externalSlots
      if slots.isEmpty { return false }
      let rows =
        changes.inserts.map(\.change) + changes.updates.map(\.change.row)
        + changes.unreadUpdates.map(\.row)
      return rows.contains { row in slots.contains { row.fileText($0) == name.text } }
    }
  }
}

extension SaveDraft.Row {
  /// The row that the save would write; nil for a deletion.
  var newRow: PackedRow? {
    switch change {
    case .update(let update): update.row
    case .insert(let row, _): row
    case .delete: nil
    }
  }
}

extension SaveDraft.Change {
  /// The same with another row to write.
  fileprivate func writing(_ row: PackedRow) -> Self {
    switch self {
    case .update(var update):
      update.row = row
      return .update(update)
    case .insert(_, let isAgain): return .insert(row, isAgain: isAgain)
    case .delete: return self
    }
  }
}

extension PlannedChanges {
  /// The number of rows that are written.
  fileprivate var rowCount: Int {
    deletes.count + unreadDeletes.count + updates.count + unreadUpdates.count + inserts.count
  }

  fileprivate mutating func add(_ row: SaveDraft.Row) {
    switch (row.change, row.object) {
    case (.delete(let delete), let object?): deletes.append(PlannedChange(object, delete))
    case (.delete(let delete), nil): unreadDeletes.append(delete)
    // A new object that becomes a stored one has its key after the commit only.
    case (.update(let update), let object?) where object.key == row.key:
      updates.append(PlannedChange(object, update))
    case (.update(let update), _): unreadUpdates.append(update)
    case (.insert(let packed, _), let object?): inserts.append(PlannedChange(object, packed))
    case (.insert, nil): break
    }
  }
}
