import CopalEssentials
import CopalModel
import CopalStore

/// Access by name, for objects without a generated class, and for names that are known only at run
/// time.
extension ManagedObject {
  /// The value of an attribute or relationship by its name. It throws when the value cannot be
  /// read, where the generated property returns nil or zero.
  ///
  /// ```swift
  /// let name = try library.value(of: "name", as: String.self)
  /// let pages = try album.value(of: "pages", as: OrderedToMany<ManagedObject>.self)
  /// ```
  ///
  /// A to-many relationship is a `ToMany<ManagedObject>`, or an `OrderedToMany<ManagedObject>` if
  /// it is ordered, also for objects with a generated class.
  ///
  /// - Returns: nil when the attribute has no value, or when a to-one relationship has no object.
  /// - Throws: `request.unknownProperty`, `object.wrongValueType` when the value is not a `V`,
  ///   `object.missing`, `object.typeMismatch`, `object.undecodable`, `transformer.decodeFailed`.
  public final func value<V>(of name: String, as type: V.Type = V.self) throws -> V? {
    guard let value = try value(forKey: name) else { return nil }
    if let value = value as? V { return value }
    if let relationship = runtime.relationship(named: name) {
      throw wrongType("\(V.self)", typeName(relationship), relationship)
    }
    let slot = try slot(name)
    if let type = V.self as? any AttributeEnum.Type,
      let value = type.init(value: try checkedValue(slot)) as? V
    {
      return value
    }
    throw error(.wrongValueType, slot, found: "\(V.self)", expected: typeName(slot))
  }

  /// The value of an attribute by its name, in its own type: `Int16`, `String`,
  /// `[SerializableColor]` and so on. For an attribute with cases, the raw value; ``value(of:as:)``
  /// also gives its enum. For a to-one relationship the object, for a to-many relationship a
  /// `ToMany<ManagedObject>` or an `OrderedToMany<ManagedObject>`.
  ///
  /// - Returns: nil when the attribute has no value, or when a to-one relationship has no object.
  /// - Throws: `request.unknownProperty`, `object.missing`, `object.typeMismatch`,
  ///   `object.undecodable`, `transformer.decodeFailed`.
  public final func value(forKey name: String) throws -> Any? {
    if let relationship = runtime.relationship(named: name) {
      return try relatedValue(relationship)
    }
    let slot = try slot(name)
    let attribute = runtime.layout.attributes[slot]
    if attribute.type == .transformable { return try checkedDecodedValue(slot) }
    return attribute.type.swiftValue(try checkedValue(slot))
  }

  /// Sets an attribute or relationship by its name; nil removes its value.
  ///
  /// A to-one relationship takes an object, a to-many relationship any sequence of objects, which
  /// become the only ones. An attribute with cases takes its enum or a raw value. An integer
  /// attribute takes whole numbers of any Swift integer type. A float or double attribute takes a
  /// `Float`, a `Double` or a whole number. A decimal attribute takes a `Decimal` or a whole
  /// number. The attribute must be able to hold the number exactly.
  ///
  /// - Throws: `request.unknownProperty`, `object.wrongValueType` or `object.outOfRange`. The
  ///   object then does not change.
  public final func setValue(_ value: Any?, forKey name: String) throws {
    if let relationship = runtime.relationship(named: name) {
      return try setRelated(value, relationship)
    }
    try set(value, try slot(name), isPrimitive: false)
  }

  /// The value of an attribute, for custom accessors. The same as ``value(forKey:)``.
  ///
  /// - Throws: as ``value(forKey:)``.
  public final func primitiveValue(forKey name: String) throws -> Any? { try value(forKey: name) }

  /// Sets an attribute without marking the object as changed. Use it in custom accessors, and for
  /// transient values in `awakeFromFetch()`.
  ///
  /// A stored value that was set in this way is written when the object is saved because of another
  /// change.
  ///
  /// - Throws: as ``setValue(_:forKey:)``.
  public final func setPrimitiveValue(_ value: Any?, forKey name: String) throws {
    // Both ends of a relationship always agree, so there is no primitive form of it.
    if runtime.relationship(named: name) != nil {
      return try setValue(value, forKey: name)
    }
    try set(value, try slot(name), isPrimitive: true)
  }

  /// Marks the object as changed. Call it after a custom accessor has set a primitive value.
  ///
  /// Does nothing for a to-many relationship, whose changes are always complete.
  ///
  /// - Precondition: the entity has a property of that name. Generated code has a constant for each
  ///   name.
  public final func didChangeValue(forKey name: String) {
    guard let slot = runtime.layout.slotByName[name] else {
      // A change of a relationship is always complete.
      if runtime.relationship(named: name) != nil { return }
      misuse("\(entityName) has no property '\(name)'")
    }
    if flags.contains(.observed) { return writeObserved(slot) { prepareWrite(to: slot) } }
    prepareWrite(to: slot)
  }
}

extension ManagedObject {
  final func slot(_ name: String) throws -> Int {
    if let slot = runtime.layout.slotByName[name] { return slot }
    let names = Set(runtime.layout.slotByName.keys).union(runtime.relationshipNames)
    throw PersistenceError(
      .unknownProperty, entity: runtime.layout.name, property: name, objectID: objectID,
      suggestion: NearestName.of(name, among: names.inOrder()))
  }

  /// The object of a to-one relationship, a ``ToMany`` or an ``OrderedToMany``.
  private final func relatedValue(_ relationship: RelationshipRuntime) throws -> Any? {
    guard let slot = relationship.slot else {
      try AnyToMany(self, relationship).loadLazily()
      return relationship.isOrdered
        ? OrderedToMany<ManagedObject>(_copal: self, relationship.ordinal)
        : ToMany<ManagedObject>(_copal: self, relationship.ordinal)
    }
    try fulfillIfFault(for: slot)
    if let failure = danglingFailure(slot) { throw failure }
    if let target = target(slot) { return target }
    // Only now it may be known that the object is missing, or of another entity.
    if let failure = danglingFailure(slot) { throw failure }
    return nil
  }

  private final func setRelated(_ value: Any?, _ relationship: RelationshipRuntime) throws {
    func wrongType(_ expected: String) -> PersistenceError {
      self.wrongType(value.map { "\(Swift.type(of: $0))" } ?? "nil", expected, relationship)
    }
    func isMember(_ object: ManagedObject) -> Bool {
      object.isObject(of: relationship.destination)
    }
    if let slot = relationship.slot {
      guard let value else { return setTarget(slot, nil) }
      guard let object = value as? ManagedObject, isMember(object) else {
        throw wrongType(relationship.description.destination)
      }
      return setTarget(slot, object)
    }
    guard let objects = value as? any Sequence,
      case let objects = Array(objects.map { $0 as Any }),
      case let members = objects.compactMap({ $0 as? ManagedObject }),
      members.count == objects.count, members.allSatisfy(isMember)
    else { throw wrongType("a sequence of \(relationship.description.destination)") }
    let view = AnyToMany(self, relationship)
    try view.loadLazily()
    view.replaceAll(with: members)
  }

  final func wrongType(
    _ found: String, _ expected: String, _ relationship: RelationshipRuntime
  ) -> PersistenceError {
    PersistenceError(
      .wrongValueType, entity: entityName, property: relationship.description.name,
      objectID: objectID, found: found, expected: expected)
  }

  /// What a relationship is, when it is read by its name.
  private final func typeName(_ relationship: RelationshipRuntime) -> String {
    if relationship.slot != nil { return relationship.description.destination }
    return relationship.isOrdered ? "OrderedToMany<ManagedObject>" : "ToMany<ManagedObject>"
  }

  final func typeName(_ slot: Int) -> String {
    let attribute = runtime.layout.attributes[slot]
    return attribute.type.swiftType ?? attribute.customClass ?? attribute.type.rawValue
  }

  private final func set(_ value: Any?, _ slot: Int, isPrimitive: Bool) throws {
    let attribute = runtime.layout.attributes[slot]
    if attribute.type == .transformable {
      if let value, let problem = runtime.transformers[slot]?.rejects(value) {
        throw error(.wrongValueType, slot, found: problem, expected: typeName(slot))
      }
      writeTransformable(slot, value, isPrimitive: isPrimitive)
      return
    }
    let converted = try convert(value, slot)
    isPrimitive ? writePrimitive(slot, converted) : write(slot, converted)
  }

  final func convert(_ value: Any?, _ slot: Int) throws -> PropertyValue {
    let type = runtime.layout.attributes[slot].type
    guard let value else { return .null }
    let converted = type.value(from: value)
    if converted == nil, !type.isNumber(value) {
      throw error(
        .wrongValueType, slot, found: "\(Swift.type(of: value))",
        expected: typeName(slot))
    }
    guard let converted, type.accepts(converted) else {
      let range = type.integerRange.map { " (\($0.lowerBound) to \($0.upperBound))" } ?? ""
      throw error(.outOfRange, slot, found: "the given number", expected: typeName(slot) + range)
    }
    return converted
  }

  /// Whether the cell of a slot differs from the row's value.
  final func differs(_ slot: Int) -> Bool {
    guard runtime.layout.storedSlots.contains(slot), let row else { return current(slot) != nil }
    return cellDiffers(slot, from: row)
  }

  final func current(_ slot: Int) -> Any? {
    if runtime.layout.slots[slot].isReference { return target(slot) }
    let attribute = runtime.layout.attributes[slot]
    if attribute.type == .transformable {
      return cells?.decoded(runtime.ordinalBySlot[slot])?.any
    }
    if let value = cells?.value(slot) { return attribute.type.swiftValue(value) }
    // A new object has a row when a save has packed it and was refused.
    guard flags.contains(.inserted), let base else { return nil }
    return attribute.type.swiftValue(runtime.layout.value(base, slot))
  }

  final func committed(_ slot: Int) -> Any? {
    if runtime.layout.slots[slot].isReference { return storedTarget(slot) }
    let attribute = runtime.layout.attributes[slot]
    if attribute.type == .transformable {
      guard let transformer = runtime.transformers[slot] else { return nil }
      return try? decodeRow(slot, transformer)?.any
    }
    do {
      return attribute.type.swiftValue(try committedValue(slot))
    } catch {
      record(error, slot)
      return nil
    }
  }
}
