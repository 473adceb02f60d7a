import CopalModel

/// The inserts of a change set, family by family.
///
/// The objects of a family have different keys. They get them in the order in which the objects
/// were made, so that a fetch without an order returns them in this order, whatever their entities
/// are.
public struct InsertOrder {
  /// The inserts of a root and its subentities.
  public struct Family {
    /// The position of the root in the schema.
    public let root: Int
    /// The positions in ``ChangeSet/entities`` of the changes with inserts.
    public fileprivate(set) var changes: [Int]
    /// The inserts of several entities, in the order in which the objects were made. Empty for a
    /// single entity, whose inserts have this order already.
    public fileprivate(set) var places: [Place] = []
  }

  /// An insert of a change set.
  public struct Place: Sendable, Hashable {
    /// The position in ``ChangeSet/entities`` of the changes.
    public let change: Int
    /// The position among their inserts.
    public let insert: Int
  }

  /// The families with inserts.
  public let families: [Family]

  /// The order of the inserts of a change set.
  public init(_ changes: ChangeSet, in schema: StoreSchema) {
    var families: [Family] = []
    var places: [Int: Int] = [:]
    for (position, change) in changes.entities.enumerated() where !change.inserts.isEmpty {
      let root = schema.entities[change.entity].root
      if let place = places[root] {
        families[place].changes.append(position)
      } else {
        places[root] = families.count
        families.append(Family(root: root, changes: [position]))
      }
    }
    for place in families.indices where families[place].changes.count > 1 {
      families[place].places = Self.places(families[place].changes, changes)
    }
    self.families = families
  }

  private static func places(_ positions: [Int], _ changes: ChangeSet) -> [Place] {
    let all = positions.flatMap { position in
      changes.entities[position].inserts.enumerated().map { index, insert in
        (key: insert.key, place: Place(change: position, insert: index))
      }
    }
    // Temporary keys count down from -1. Inserts with a key of their own come first.
    // With the standard library's sort: a save of many rows waits for it.
    return all.sorted { a, b in
      (a.key > 0 ? 0 : 1, a.key.magnitude) < (b.key > 0 ? 0 : 1, b.key.magnitude)
    }.map(\.place)
  }
}

extension ChangeSet {
  /// The keys of all inserts: for each element of ``entities``, those of its inserts in their
  /// order.
  ///
  /// A store calls it before it writes the first row.
  ///
  /// - Parameter choose: returns the keys of some inserts of a root and its subentities. It gets
  ///   the keys of the inserts, as ``Insert/key`` has them. It is called once for each root with
  ///   inserts.
  public func insertedKeys(
    in order: InsertOrder, _ choose: (_ root: Int, _ wanted: [Int64]) throws -> [Int64]
  ) rethrows -> [[Int64]] {
    var keys = entities.map { _ in [Int64]() }
    for family in order.families {
      if family.places.isEmpty, let change = family.changes.first {
        keys[change] = try choose(family.root, entities[change].inserts.map(\.key))
        continue
      }
      for change in family.changes {
        keys[change] = [Int64](repeating: 0, count: entities[change].inserts.count)
      }
      let wanted = family.places.map { entities[$0.change].inserts[$0.insert].key }
      for (place, key) in zip(family.places, try choose(family.root, wanted)) {
        keys[place.change][place.insert] = key
      }
    }
    return keys
  }
}
