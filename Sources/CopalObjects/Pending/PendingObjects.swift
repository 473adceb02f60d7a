import CopalModel
import CopalStore
import Foundation

/// The objects with changes of one entity, as fetches look for them.
///
/// A fetch must consider every object that is new or changed. Where its condition has a comparison with
/// `==`, or with a list of values, only the objects that have such a value are looked at: an index for
/// the attribute is made at the first such fetch. It is brought up to date at the next fetch, from the
/// objects that came or were written in between. So a loop that fetches, inserts what is absent and
/// saves once at the end costs the same for each object.
struct PendingObjects {
  private(set) var objects: ContiguousArray<ManagedObject> = []
  /// How many of the objects have a row in the store, at most: some may have lost their changes.
  private(set) var savedCount = 0
  private var indexes: [PendingIndex] = []
  /// Objects of the indexes that have been written since they were placed.
  private var written: ContiguousArray<ManagedObject> = []

  /// How many objects are looked through one by one, rather than by an index.
  private static let scanLimit = 32

  /// How many attributes of an entity have an index, at most.
  private static let indexLimit = 8

  mutating func add(_ object: ManagedObject) {
    objects.append(object)
    if object.key > 0 { savedCount += 1 }
  }

  /// Notes that an object of an index has been written.
  mutating func noteWrite(_ object: ManagedObject) { written.append(object) }

  /// The objects that may meet a condition: all, or those that an index finds.
  mutating func candidates(for predicate: BoundPredicate?) -> ContiguousArray<ManagedObject> {
    if objects.count <= Self.scanLimit { return objects }
    var best: (position: Int, values: [IndexedValue], count: Int)?
    for (slot, values) in predicate?.equalities ?? [] {
      guard let position = index(of: slot) else { continue }
      let values = Array(Set(values.compactMap(IndexedValue.init)))
      let count = indexes[position].count(of: values)
      if count < best?.count ?? .max { best = (position, values, count) }
    }
    return best.map { indexes[$0.position].objects(with: $0.values) } ?? objects
  }

  /// The position of the up-to-date index of a slot; nil when there are too many indexes already.
  private mutating func index(of slot: Int) -> Int? {
    // Objects that were written are placed anew in every index, whichever is asked.
    for object in written { for index in indexes.indices { indexes[index].update(object) } }
    written = []
    var position = indexes.firstIndex { $0.slot == slot }
    if position == nil {
      if indexes.count == Self.indexLimit { return nil }
      indexes.append(PendingIndex(slot))
      position = indexes.endIndex - 1
    }
    if let position { indexes[position].addAll(objects) }
    return position
  }
}

/// The objects with changes of one entity, by their value of one attribute.
private struct PendingIndex {
  let slot: Int
  private var objects: [IndexedValue: ContiguousArray<ManagedObject>] = [:]
  private var entries: [ObjectIdentifier: Entry] = [:]
  /// How many objects of the entity's list have been placed.
  private var count = 0

  private struct Entry {
    var value: IndexedValue
    var position: Int
  }

  init(_ slot: Int) { self.slot = slot }

  /// Enters the objects that have come since the last time.
  mutating func addAll(_ all: ContiguousArray<ManagedObject>) {
    for object in all[count...] { update(object) }
    count = all.count
  }

  /// Enters an object by the value that it has now.
  mutating func update(_ object: ManagedObject) {
    object.flags.insert(.indexed)
    let id = ObjectIdentifier(object)
    // Of a fault, whose row could not be read, what was set: trying again calls hooks.
    let value = (object.cells?.value(slot) ?? readValue(object)).flatMap(IndexedValue.init)
    if let former = entries[id] {
      if former.value == value { return }
      remove(id, former)
    }
    guard let value else { return }
    entries[id] = Entry(value: value, position: objects[value]?.count ?? 0)
    objects[value, default: []].append(object)
  }

  private func readValue(_ object: ManagedObject) -> PropertyValue? {
    object.isFault ? nil : try? object.checkedValue(slot)
  }

  private mutating func remove(_ id: ObjectIdentifier, _ entry: Entry) {
    entries[id] = nil
    guard var others = objects.removeValue(forKey: entry.value), let last = others.popLast() else {
      return
    }
    // The last one takes the position that has become free.
    if entry.position < others.count {
      others[entry.position] = last
      entries[ObjectIdentifier(last)]?.position = entry.position
    }
    if !others.isEmpty { objects[entry.value] = others }
  }

  /// How many objects have one of some values, each of which is given once.
  func count(of values: [IndexedValue]) -> Int {
    values.reduce(0) { $0 + (objects[$1]?.count ?? 0) }
  }

  func objects(with values: [IndexedValue]) -> ContiguousArray<ManagedObject> {
    var found: ContiguousArray<ManagedObject> = []
    for value in values { found += objects[value] ?? [] }
    return found
  }
}

/// A value by which objects are found: values that a query calls equal are equal here too.
private struct IndexedValue: Hashable {
  private let value: PropertyValue

  /// - Returns: nil for what `==` never finds: no value, and what is not a number.
  init?(_ value: PropertyValue) {
    switch value.orNullIfNaN {
    case .null: return nil
    case .uri(let url): self.value = .string(url.absoluteString)
    case let value: self.value = value
    }
  }
}

extension BoundPredicate {
  /// Attributes and values, of which every object that meets the condition has one.
  var equalities: [(slot: Int, values: [PropertyValue])] {
    switch self {
    case .compare(let slot, .equal, let value, resultForNull: false): [(slot, [value])]
    case .isIn(let slot, let values, isNegated: false, resultForNull: false): [(slot, values)]
    case .and(let parts): parts.flatMap(\.equalities)
    default: []
    }
  }
}
