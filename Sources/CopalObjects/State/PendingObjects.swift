import CopalEssentials
import CopalModel
import CopalStore

/// The changed objects of one entity, with indexes for fetches.
///
/// A fetch must consider every new object, and those with a change in a slot that it reads
/// (`ChangedBySlot`). When its condition has an `==` or a list of values for an attribute, it
/// considers only the objects with such a value: the first such fetch makes an index for the
/// attribute. Later fetches add the objects that were added or written in between. So in a loop
/// that fetches, inserts missing objects and saves once at the end, each step costs the same.
struct PendingObjects {
  private(set) var objects: ContiguousArray<ManagedObject> = []
  /// An upper bound for the number of objects with a row: some may have lost their changes.
  private(set) var savedCount = 0
  private var indexes: [AttributeIndex] = []
  private var bySlot = ChangedBySlot()
  /// Indexed objects that were written since they were indexed.
  private var written: ContiguousArray<ManagedObject> = []

  /// Up to this number of objects, no index is used.
  private static let scanLimit = 32

  /// The greatest number of indexed attributes of an entity.
  private static let indexLimit = 8

  mutating func add(_ object: ManagedObject) {
    objects.append(object)
    if object.key > 0 { savedCount += 1 }
  }

  /// Notes that an object of an index has been written.
  mutating func noteWrite(_ object: ManagedObject) { written.append(object) }

  /// The objects whose changes concern a query: those that may match its condition, and an upper
  /// bound for the number of all those with a row.
  ///
  /// - Parameters:
  ///   - read: the slots that the query reads; nil when all objects concern it.
  ///   - entity: the position of the objects' entity.
  mutating func candidates(for query: StoreQuery, reading read: ReadSlots?, entity: Int)
    -> PendingCandidates
  {
    if objects.count <= Self.scanLimit {
      return PendingCandidates(objects: objects, savedCount: savedCount)
    }
    noteWritten()
    // All new objects concern every query.
    guard let read, savedCount > 0 else {
      return PendingCandidates(
        objects: indexed(for: query, entity: entity) ?? objects, savedCount: savedCount)
    }
    bySlot.update(objects, written: [])
    let (count, saved) = bySlot.count(read)
    if count > Self.scanLimit, let found = indexed(for: query, entity: entity), found.count < count
    {
      return PendingCandidates(objects: found, savedCount: saved)
    }
    return PendingCandidates(objects: bySlot.objects(read), savedCount: saved)
  }

  /// Whether all objects are new, and an index shows that none has the value that a query looks
  /// for. It costs one look-up: usual for a loop that looks for what it has not inserted yet.
  mutating func areNewAndNoneMatches(_ query: StoreQuery) -> Bool {
    guard savedCount == 0, objects.count > Self.scanLimit,
      case .holds(.slot(let slot), .equal, .parameter(let number), _) = query.condition
    else { return false }
    noteWritten()
    guard let position = index(of: slot) else { return false }
    return IndexedValue(query.parameters[number]).map { !indexes[position].contains($0) } ?? true
  }

  /// All objects whose changes concern a query that reads some slots; nil for any slots.
  mutating func all(reading read: ReadSlots?) -> ContiguousArray<ManagedObject> {
    guard let read, savedCount > 0, objects.count > Self.scanLimit else { return objects }
    noteWritten()
    bySlot.update(objects, written: [])
    return bySlot.objects(read)
  }

  /// The objects that the best index finds; nil when there is none for the query.
  private mutating func indexed(for query: StoreQuery, entity: Int) -> ContiguousArray<
    ManagedObject
  >? {
    // Usually one value of one attribute, for which no list is made, and which is hashed once.
    if case .holds(.slot(let slot), .equal, .parameter(let number), _) = query.condition,
      let position = index(of: slot)
    {
      return IndexedValue(query.parameters[number]).map { indexes[position].objects(with: $0) }
        ?? []
    }
    guard let equalities = query.equalities(entity: entity) else { return [] }
    var found: [(position: Int, values: [IndexedValue])] = []
    for (slot, values) in equalities {
      guard let position = index(of: slot) else { continue }
      let values = values.compactMap(IndexedValue.init)
      found.append((position, values.count < 2 ? values : Array(Set(values))))
    }
    let best = found.min {
      indexes[$0.position].count(of: $0.values) < indexes[$1.position].count(of: $1.values)
    }
    return best.map { indexes[$0.position].objects(with: $0.values) }
  }

  /// Written objects are updated in every index and list.
  private mutating func noteWritten() {
    if written.isEmpty { return }
    for object in written { for index in indexes.indices { indexes[index].update(object) } }
    if savedCount > 0 { bySlot.update(objects, written: written) }
    written = []
  }

  /// The position of the up-to-date index of a slot; nil when there are too many indexes already.
  private mutating func index(of slot: Int) -> Int? {
    var position = indexes.firstIndex { $0.slot == slot }
    if position == nil {
      if indexes.count == Self.indexLimit { return nil }
      indexes.append(AttributeIndex(slot))
      position = indexes.endIndex - 1
    }
    if let position { indexes[position].addAll(objects) }
    return position
  }
}

/// The changed objects that concern a query.
struct PendingCandidates {
  /// Those that may match the condition. Some may have lost their changes.
  var objects: ContiguousArray<ManagedObject> = []
  /// An upper bound for the number of all those with a row, whether they match or not.
  var savedCount = 0
}

/// The changed objects of one entity, by their value of one attribute.
private struct AttributeIndex {
  let slot: Int
  private var objects: [IndexedValue: ObjectList] = [:]
  /// Where the objects are; nil until one of them is written.
  private var entries: [ObjectIdentifier: Entry]?
  /// The number of objects of the entity's list in the index.
  private var count = 0

  private struct Entry {
    var value: IndexedValue
    var position: Int
  }

  init(_ slot: Int) { self.slot = slot }

  /// Adds the objects that are new since the last call.
  mutating func addAll(_ all: ContiguousArray<ManagedObject>) {
    if count == all.count { return }
    for object in all[count...] {
      // An object without the flag is in no index.
      if object.flags.contains(.indexed) { update(object) } else { place(object, former: nil) }
    }
    count = all.count
  }

  /// Adds or moves an object by its current value.
  mutating func update(_ object: ManagedObject) {
    if entries == nil { entries = placedEntries() }
    place(object, former: entries?[ObjectIdentifier(object)])
  }

  private func placedEntries() -> [ObjectIdentifier: Entry] {
    var entries: [ObjectIdentifier: Entry] = [:]
    for (value, list) in objects {
      for position in 0..<list.count {
        guard let object = list[position] else { continue }
        entries[ObjectIdentifier(object)] = Entry(value: value, position: position)
      }
    }
    return entries
  }

  private mutating func place(_ object: ManagedObject, former: Entry?) {
    object.noteIndexed()
    let id = ObjectIdentifier(object)
    // For a fault whose row could not be read, only the set value: reading again would call hooks.
    let value = (object.cells?.value(slot) ?? readValue(object)).flatMap(IndexedValue.init)
    if let former {
      if former.value == value { return }
      remove(id, former)
    }
    guard let value else { return }
    let position = add(object, value)
    entries?[id] = Entry(value: value, position: position)
  }

  private func readValue(_ object: ManagedObject) -> PropertyValue? {
    if object.isFault { return nil }
    return object.runtime.layout.storedSlots.contains(slot)
      ? try? object.committedValue(slot) : .null
  }

  /// - Returns: the object's position among those with the value.
  private mutating func add(_ object: ManagedObject, _ value: IndexedValue) -> Int {
    { (list: inout ObjectList) in
      list.append(object)
      return list.count - 1
    }(&objects[value, default: ObjectList()])
  }

  private mutating func remove(_ id: ObjectIdentifier, _ entry: Entry) {
    entries?[id] = nil
    guard var others = objects.removeValue(forKey: entry.value) else { return }
    if let moved = others.remove(at: entry.position) {
      entries?[ObjectIdentifier(moved)]?.position = entry.position
    }
    if others.count > 0 { objects[entry.value] = others }
  }

  /// The number of objects with one of several different values.
  func count(of values: [IndexedValue]) -> Int {
    values.reduce(0) { $0 + (objects[$1]?.count ?? 0) }
  }

  func contains(_ value: IndexedValue) -> Bool { objects[value] != nil }

  func objects(with value: IndexedValue) -> ContiguousArray<ManagedObject> {
    var found: ContiguousArray<ManagedObject> = []
    objects[value]?.append(to: &found)
    return found
  }

  func objects(with values: [IndexedValue]) -> ContiguousArray<ManagedObject> {
    var found: ContiguousArray<ManagedObject> = []
    for value in values { objects[value]?.append(to: &found) }
    return found
  }
}

/// The objects with one value. Most values belong to one object, which needs no array.
private struct ObjectList {
  private var first: ManagedObject?
  private var others: ContiguousArray<ManagedObject> = []

  var count: Int { first == nil ? 0 : 1 + others.count }

  /// The object at a position; nil behind the last one.
  subscript(position: Int) -> ManagedObject? {
    if position == 0 { return first }
    return position <= others.count ? others[position - 1] : nil
  }

  mutating func append(_ object: ManagedObject) {
    if first == nil { first = object } else { others.append(object) }
  }

  /// Removes the object at a position.
  ///
  /// - Returns: the last object when it has taken the position.
  mutating func remove(at position: Int) -> ManagedObject? {
    let last = others.popLast()
    if position == 0 {
      first = last
    } else if position <= others.count, let last {
      others[position - 1] = last
    } else {
      return nil
    }
    return last
  }

  func append(to list: inout ContiguousArray<ManagedObject>) {
    if let first { list.append(first) }
    list += others
  }
}

/// A value in an index. Values that are equal in a query are equal here.
private struct IndexedValue: Hashable {
  private let value: PropertyValue

  /// - Returns: nil for null and NaN, which `==` never finds in an index.
  init?(_ value: PropertyValue) {
    switch value.orNullIfNaN {
    case .null: return nil
    case .uri(let url): self.value = .string(url.absoluteString)
    case let value: self.value = value
    }
  }
}

extension StoreQuery {
  /// Attributes with values: every object of an entity that matches the condition has one of the
  /// values of each attribute. Nil if no object of the entity can match.
  func equalities(entity: Int) -> [Equality]? {
    guard let condition else { return [] }
    return equalities(of: condition, entity)
  }

  typealias Equality = (slot: Int, values: ArraySlice<PropertyValue>)

  private func equalities(of condition: QueryCondition, _ entity: Int) -> [Equality]? {
    switch condition {
    case .holds(.slot(let slot), .equal, .parameter(let number), _):
      return [(slot, parameters[number...number])]
    case .isIn(.slot(let slot), parameters: let list, isNegated: false, resultForNull: false):
      return [(slot, parameters[list])]
    case .ofKind(let kind, let condition, let otherwise):
      if kind.entities.contains(entity) { return equalities(of: condition, entity) }
      return otherwise == .constant(false) ? nil : equalities(of: otherwise, entity)
    case .and(let parts):
      var all: [Equality] = []
      for part in parts {
        guard let found = equalities(of: part, entity) else { return nil }
        all += found
      }
      return all
    default: return []
    }
  }
}
