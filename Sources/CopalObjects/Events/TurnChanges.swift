import CopalModel
import CopalStore

/// What has changed in a context during a turn: since its last event.
///
/// Each object is in one set only. What counts is what it was at the beginning of the turn, and
/// what it is at the end: an object that was inserted and deleted is in none.
struct TurnChanges {
  enum Kind {
    case inserted, updated, deleted, refreshed, invalidated
    /// Inserted and deleted in this turn.
    case none
  }

  struct Entry {
    let object: ManagedObject
    var kind: Kind
    /// The cells that the object had before its first write of the turn; nil where it was not
    /// written.
    var formerCells: [Int: PropertyValue]?
    /// The row that it had before the first newer one of the turn.
    var formerRow: PackedRow?
    /// The positions of the to-many relationships whose members have changed.
    var members: Set<Int> = []
    /// The names of the changed properties, when they are kept: a save makes the changes values of
    /// the row.
    fileprivate var keptNames: Set<String>?
    /// Whether a former row is not known, so that ``changedSlots`` may lack some.
    var lacksFormerRow = false
    /// Whether the object was deleted, and this was undone in the turn.
    var wasDeleted = false
    /// Whether a save has taken place in the turn, so that ``changedSlots`` may lack some.
    var wasSaved: Bool { keptNames != nil }
  }

  private(set) var entries: [ObjectIdentifier: Entry] = [:]
  private(set) var invalidatesAll = false
  /// The commits of others that were merged.
  private(set) var commits: [Commit] = []
  /// The entities of which objects were written in the store, and it is not known which: by batches
  /// and by SQL of this context, and by those of others that it has noticed.
  private(set) var stored: Set<Int> = []
  /// The entities of which this context has inserted objects in the store with a batch.
  private(set) var added: Set<Int> = []
  /// What was merged that came another way.
  private(set) var others: [SavedChanges] = []

  var isEmpty: Bool {
    entries.isEmpty && !invalidatesAll && commits.isEmpty && others.isEmpty && stored.isEmpty
      && added.isEmpty
  }

  /// Whether all that has happened was undone: objects were inserted and deleted.
  var isUndone: Bool {
    !entries.isEmpty && entries.values.allSatisfy { $0.kind == .none } && !invalidatesAll
      && commits.isEmpty && others.isEmpty && stored.isEmpty && added.isEmpty
  }

  /// Objects of some entities were inserted in the store, without having been objects of the
  /// context.
  mutating func noteAdded(_ entities: Set<Int>) { added.formUnion(entities) }

  /// Objects of some entities were written in the store.
  mutating func noteStored(_ entities: Set<Int>) { stored.formUnion(entities) }

  /// Any object without changes may have become a fault, or has left the context.
  mutating func noteAll() { invalidatesAll = true }

  mutating func note(_ object: ManagedObject, _ kind: Kind) {
    let id = ObjectIdentifier(object)
    if let former = entries[id]?.kind {
      entries[id]?.kind = Self.kind(former, then: kind)
    } else {
      entries[id] = Entry(object: object, kind: kind)
    }
    // What it loses with its row is not known any more, whatever is written to it later.
    if kind == .invalidated { entries[id]?.lacksFormerRow = true }
  }

  private static func kind(_ former: Kind, then kind: Kind) -> Kind {
    switch (former, kind) {
    case (.inserted, .deleted), (.none, _): .none
    case (.inserted, _): .inserted
    // A refresh or a rollback can undo a deletion.
    case (.deleted, .updated), (.deleted, .inserted): .deleted
    default: kind
    }
  }

  /// A property of an object is about to be written, the first time in this turn.
  mutating func noteWrite(to object: ManagedObject) {
    note(object, .updated)
    let id = ObjectIdentifier(object)
    if entries[id]?.formerCells == nil { entries[id]?.formerCells = object.cellValues }
  }

  /// The changes of an object are about to be undone.
  ///
  /// - Parameter members: the positions of the relationships whose members have changed.
  mutating func noteUndoing(of object: ManagedObject, members: [Int]) {
    noteWrite(to: object)
    entries[ObjectIdentifier(object)]?.members.formUnion(members)
    note(object, .refreshed)
    if object.flags.contains(.deleted) { entries[ObjectIdentifier(object)]?.wasDeleted = true }
  }

  /// Keeps the names of the changed properties, before a save.
  mutating func keepNames() {
    for (id, entry) in entries { entries[id]?.keptNames = entry.changedProperties }
  }

  /// Members of a to-many relationship of an object have changed.
  ///
  /// - Parameter kind: whether they were changed here or by others.
  mutating func noteMembers(of object: ManagedObject, _ ordinal: Int, _ kind: Kind = .updated) {
    note(object, kind)
    entries[ObjectIdentifier(object)]?.members.insert(ordinal)
  }

  /// An object has a newer row.
  mutating func noteRow(of object: ManagedObject, former: PackedRow?) {
    note(object, .refreshed)
    let id = ObjectIdentifier(object)
    if former == nil { entries[id]?.lacksFormerRow = true }
    if entries[id]?.formerRow == nil { entries[id]?.formerRow = former }
  }

  mutating func note(_ merged: MergedObjects, _ commits: [Commit], _ others: [SavedChanges]) {
    for (object, former, _) in merged.refreshed { noteRow(of: object, former: former) }
    for object in merged.deleted { note(object, .deleted) }
    for object in merged.invalidated { note(object, .invalidated) }
    for (owner, ordinal) in merged.lists { noteMembers(of: owner, ordinal, .refreshed) }
    if merged.invalidatesAll { noteAll() }
    self.commits += commits
    self.others += others
  }

  func objects(_ kind: Kind) -> Set<ManagedObject> {
    Set(entries.values.lazy.filter { $0.kind == kind }.map(\.object))
  }
}

extension TurnChanges.Entry {
  /// The names of the properties that have other values than at the beginning of the turn.
  var changedProperties: Set<String> {
    if let keptNames { return keptNames }
    let runtime = object.runtime
    let names = Set(members.map { runtime.relationships[$0].description.name })
    return names.union(changedSlots.map { runtime.propertyName($0) })
  }

  /// The slots that have other values than at the beginning of the turn. A transformable may have
  /// changed in place.
  var changedSlots: Set<Int> {
    guard kind == .updated || kind == .refreshed else { return [] }
    let runtime = object.runtime
    var slots: Set<Int> = []
    if let formerRow, let row = object.row, row.entity == formerRow.entity {
      for column in runtime.layout.columns where !formerRow.hasSameValues(as: row, in: [column]) {
        slots.insert(column.slot)
      }
    }
    guard let formerCells else { return slots }
    let now = object.cellValues
    for slot in Set(now.keys).union(formerCells.keys) {
      let former = formerCells[slot] ?? formerValue(slot) ?? object.value(slot, in: [:])
      let isSame = runtime.transformers[slot] == nil && object.value(slot, in: now) == former
      if isSame { slots.remove(slot) } else { slots.insert(slot) }
    }
    return slots
  }

  /// The value of the former row; nil without one.
  private func formerValue(_ slot: Int) -> PropertyValue? {
    guard let formerRow, formerRow.entity == object.runtime.index else { return nil }
    return object.runtime.layout.value(formerRow.base, slot)
  }
}

extension ManagedObject {
  /// The values on top of the row, by slot. A decoded value has none.
  final var cellValues: [Int: PropertyValue] {
    guard let cells else { return [:] }
    var values: [Int: PropertyValue] = [:]
    for slot in cells.isSet { values[slot] = cells.value(slot) }
    return values
  }

  fileprivate final func value(_ slot: Int, in cells: [Int: PropertyValue]) -> PropertyValue {
    cells[slot] ?? base.map { runtime.layout.value($0, slot) } ?? .null
  }
}
