import CopalModel
import CopalStore

extension ManagedObjectContext {
  /// Duplicates an object with what it owns: the objects of relationships with the delete rule
  /// `cascade`, and theirs.
  ///
  /// The copies have the values of the stored attributes, in the same order in ordered
  /// relationships. A transformable that is `mutable` has a value of its own. An attribute whose
  /// default is a new UUID gets a new one. A to-one relationship to an object that is not copied
  /// has the same object, and a many-to-many relationship has the same objects. So the copy of a
  /// page is in the same album. Relationships that cannot share an object stay empty: to-many
  /// relationships that do not own their objects, and one-to-one relationships.
  ///
  /// ```swift
  /// let second = try context.copy(of: salad)
  /// second.name = "Potato salad for twelve"
  /// ```
  ///
  /// It reads the objects that it copies. Values of unique attributes are copied, too, so change
  /// them before you save.
  ///
  /// - Parameters:
  ///   - object: an object of this context that is not deleted.
  ///   - depth: how many steps of owning relationships are copied; 0 copies the object alone.
  /// - Returns: a new object, which the next save inserts.
  /// - Precondition: the object belongs to this context.
  /// - Throws: what prevents reading an object or a value; `transformer.encodeFailed` for a
  ///   `mutable` value that cannot be encoded; `object.missing` for an object that is
  ///   deleted. Then nothing was inserted.
  public func copy<T: ManagedObject>(of object: T, depth: Int = .max) throws -> T {
    requireOwn(object)
    if object.isDeleted || object.managedObjectContext == nil {
      throw PersistenceError(.objectMissing, entity: object.entityName, objectID: object.objectID)
    }
    var copying = ObjectCopying(self)
    let copy = try copying.copy(object, depth: depth)
    return unsafeDowncast(copy, to: T.self)
  }
}

/// The steps of copying an object: find what it owns, make the copies, and connect them.
private struct ObjectCopying {
  private let context: ManagedObjectContext
  /// The objects to copy, in the order in which they were found.
  private var originals: [ManagedObject] = []
  private var found: Set<ObjectIdentifier> = []
  private var values: [[(name: String, value: Any?)]] = []
  private var copies: [ObjectIdentifier: ManagedObject] = [:]

  init(_ context: ManagedObjectContext) { self.context = context }

  mutating func copy(_ object: ManagedObject, depth: Int) throws -> ManagedObject {
    try find(object, depth: depth)
    values = try originals.map(Self.values)
    let connections = try originals.map { try self.connections(of: $0) }
    for (original, values) in zip(originals, values) {
      let copy = try context.insert(original.entityName)
      for (name, value) in values { try copy.setValue(value, forKey: name) }
      copies[ObjectIdentifier(original)] = copy
    }
    // Lists first: an object that is added from the other end comes last in its list.
    for isOrdered in [true, false] {
      for (original, connections) in zip(originals, connections) {
        for connection in connections where connection.relationship.isOrdered == isOrdered {
          connect(original, connection)
        }
      }
    }
    // The object itself is the first that was found.
    return copies[ObjectIdentifier(object)] ?? object
  }

  private mutating func find(_ object: ManagedObject, depth: Int) throws {
    var level = [object]
    var rest = depth
    while !level.isEmpty {
      let new = level.filter { found.insert(ObjectIdentifier($0)).inserted && !$0.isDeleted }
      originals += new
      if rest == 0 { return }
      rest -= 1
      level = try new.flatMap { object in
        try object.runtime.relationships.filter(\.isOwning).flatMap {
          try Self.others($0, of: object)
        }
      }
    }
  }

  /// The values of the stored attributes, with inherited ones, without those that are new for each
  /// object.
  private static func values(of object: ManagedObject) throws -> [(name: String, value: Any?)] {
    try object.runtime.layout.slots.enumerated().compactMap { slot, kind in
      guard case .attribute(let attribute) = kind, !attribute.isTransient,
        attribute.defaultValue != .new
      else { return nil }
      let value = try object.value(forKey: attribute.name)
      return (attribute.name, try separateValue(slot, of: object) ?? value)
    }
  }

  /// A value that can change in place, made anew from its stored form: the copy has its own. Nil
  /// for other values.
  private static func separateValue(_ slot: Int, of object: ManagedObject) throws -> Any? {
    let runtime = object.runtime
    guard runtime.mutableSlots.contains(slot), let transformer = runtime.transformers[slot],
      transformer.allowsEncoding, let value = try object.keptDecodedValue(slot)
    else { return nil }
    do {
      return try transformer.stored(value, isVersioned: runtime.versionSlots[slot] != nil).any
    } catch {
      throw object.error(
        .encodeFailed, slot, found: transformer.name.rawValue, causes: [error])
    }
  }

  private struct Connection {
    let relationship: RelationshipRuntime
    let others: [ManagedObject]
  }

  /// The relationships that the copy of an object has, too.
  private func connections(of object: ManagedObject) throws -> [Connection] {
    try object.runtime.relationships.compactMap { relationship in
      if relationship.isHidden { return nil }
      // A list has its order, also where the other end connects the copies.
      guard relationship.isOwning || relationship.canShare || relationship.isOrdered else {
        return nil
      }
      return Connection(
        relationship: relationship, others: try Self.others(relationship, of: object))
    }
  }

  private static func others(_ relationship: RelationshipRuntime, of object: ManagedObject) throws
    -> [ManagedObject]
  {
    if let slot = relationship.slot {
      try object.fulfillIfFault()
      return object.target(slot).map { [$0] } ?? []
    }
    let view = AnyToMany(object, relationship)
    try view.load()
    return view.objects
  }

  private func connect(_ original: ManagedObject, _ connection: Connection) {
    guard let copy = copies[ObjectIdentifier(original)] else { return }
    let relationship = connection.relationship
    for other in connection.others {
      let copied = copies[ObjectIdentifier(other)]
      // An owned object beyond the depth belongs to the original alone.
      guard let target = copied ?? (relationship.canShare ? other : nil) else { continue }
      if let slot = relationship.slot {
        copy.setTarget(slot, target)
      } else {
        AnyToMany(copy, relationship).insert(target)
      }
    }
  }
}

extension RelationshipRuntime {
  /// Whether the other objects belong to the object: they are deleted with it.
  fileprivate var isOwning: Bool { description.deleteRule == .cascade && !isHidden }

  /// Whether two objects can have the same object in this relationship.
  fileprivate var canShare: Bool {
    if links != nil { return true }
    guard slot != nil, case .toMany = inverse else { return false }
    return true
  }
}
