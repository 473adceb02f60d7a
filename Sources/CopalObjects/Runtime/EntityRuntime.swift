import CopalModel
import CopalStore

/// An entity in one container: layout, class, transformers, defaults and rules.
final class EntityRuntime: Sendable {
  let index: Int
  /// The position of the root of the entity's inheritance.
  let root: Int
  let layout: EntityLayout
  let identity: EntityIdentity
  let objectClass: ManagedObject.Type
  let hasSubentities: Bool
  /// Whether the entity has an ancestor or subentities, so that a row of its table can be that of
  /// another entity.
  let isInFamily: Bool
  /// The positions of the entity and of its subentities.
  let entities: [Int]
  /// The transformer of each slot, nil for the others.
  let transformers: [BoundTransformer?]
  /// The slots of transformables, including transient ones.
  let transformableSlots: [Int]
  /// The position of each slot among the transformables; -1 for the others.
  // A pointer, because references to an array would be counted, which takes a third of a read of a
  // decoded value. Nothing changes it.
  nonisolated(unsafe) let ordinalBySlot: UnsafeMutableBufferPointer<Int>
  /// The transformers of the slots that a store keeps without a version; nil for the other slots.
  // A pointer for the same reason. `transformers` owns them.
  nonisolated(unsafe) let rowTransformers: UnsafeMutableBufferPointer<Unmanaged<BoundTransformer>?>
  /// The functions of projections by their slots.
  let projections: [Int: BoundProjection]
  /// For each slot, that of the version of the transformer that encoded its value; nil where a
  /// store keeps none.
  let versionSlots: [Int?]
  /// For each slot, that of its property: the slot of a to-one relationship for its position in a
  /// list, that of a transformable for the version of its transformer, otherwise the slot itself.
  let propertySlots: [Int]
  /// The slots of to-one relationships whose inverse is to-one.
  let pairSlots: [Int]
  /// The files of large values; nil when the store has none.
  let externalFiles: (any ExternalFiles)?
  /// The slots whose large values are in files, each with the number of bytes above which a value
  /// is large.
  let externalSlots: [(slot: Int, threshold: Int)]
  /// The slots of transformables whose values can change in place.
  let mutableSlots: [Int]
  let hasMutableSlots: Bool
  let attributeCount: Int
  let defaults: [(slot: Int, value: AttributeDescription.Default)]
  let hasDateDefault: Bool
  /// The rules for the values of the slots.
  let rules: ContiguousArray<ValueRule>
  /// Whether the class may override hooks. Generated final classes cannot.
  let overridesHooks: Bool
  /// Whether a transient depends on other attributes.
  let hasDependents: Bool
  /// The relationships, with inherited ones.
  let relationships: [RelationshipRuntime]
  /// The to-one relationships whose inverse is to-many: the object is one of the members there.
  let memberships: [RelationshipRuntime]
  /// The to-many relationships with a least or a greatest number of members.
  let limitedRelationships: [RelationshipRuntime]
  /// The to-one relationships to an owner: an object that has lost its owner is deleted.
  let ownerships: [RelationshipRuntime]
  /// The relationships that every fetch of the entity reads: its own, and those that subentities
  /// add for their objects.
  let prefetches: [(entity: Int, name: String)]
  /// The positions of the line of inheritance: the root first, the entity itself last.
  let line: [Int]
  /// The to-one relationship of each slot, nil for the others. Empty for an entity without
  /// relationships.
  private let relationshipBySlot: [RelationshipRuntime?]
  /// The position of the destination of the to-one relationship of each slot, -1 for the others.
  /// Empty for an entity without relationships.
  // A pointer, because references to an array would be counted, which takes a quarter of a read of
  // a relationship. Nothing changes it.
  nonisolated(unsafe) let destinationBySlot: UnsafeMutableBufferPointer<Int>
  /// The class that notifies observers of objects of the entity; nil for one that is not
  /// observable.
  let observedClass: (any QueryableObject.Type)?
  /// What can be observed of an object.
  let observedProperties: [ObservedProperty]
  /// Whether every attribute is stored and none is transformable, so that the row has all values.
  let isPlain: Bool

  init(
    _ layout: EntityLayout, _ schema: StoreSchema, identity: EntityIdentity,
    binding: EntityBinding?,
    objectClass: ManagedObject.Type,
    transformers resolution: TransformerResolution, externalFiles: (any ExternalFiles)?
  ) {
    index = layout.index
    root = layout.root
    self.layout = layout
    self.identity = identity
    self.objectClass = objectClass
    entities = schema.kinds(of: layout.index)
    hasSubentities = entities.count > 1
    isInFamily = hasSubentities || layout.root != layout.index
    // A class that a person wrote may override hooks, also when it is the class of an ancestor.
    overridesHooks = binding?.overridesHooks ?? (objectClass != ManagedObject.self)
    isPlain =
      layout.transientSlots.isEmpty
      && !layout.attributes.contains { $0.type == .transformable }
    hasDependents = layout.dependents.contains { !$0.isEmpty }
    transformers = layout.attributes.map { attribute in
      attribute.isTransient ? nil : attribute.transformer.flatMap { resolution.bound($0) }
    }
    transformableSlots = layout.attributes.indices.filter {
      layout.attributes[$0].type == .transformable
    }
    var ordinals = [Int](repeating: -1, count: layout.attributes.count)
    for (ordinal, slot) in transformableSlots.enumerated() { ordinals[slot] = ordinal }
    ordinalBySlot = .copy(of: ordinals)
    propertySlots = layout.slots.indices.map { slot in
      layout.references.first { $0.positionSlot == slot }?.slot
        ?? Self.versionSlots(layout).firstIndex(of: slot) ?? slot
    }
    projections = Dictionary(
      layout.projections.compactMap { projection in
        layout.attributes[projection.source].transformer.flatMap { resolution.bound($0) }?
          .projections[projection.description.name].map { (projection.slot, $0) }
      }, uniquingKeysWith: { first, _ in first })
    let versionSlots = Self.versionSlots(layout)
    self.versionSlots = versionSlots
    rowTransformers = .copy(
      of: zip(transformers, versionSlots).map { transformer, version in
        version == nil ? transformer.map(Unmanaged.passUnretained) : nil
      })
    attributeCount = layout.attributes.count
    self.externalFiles = externalFiles
    externalSlots =
      externalFiles == nil
      ? []
      : layout.externalSlots.compactMap { slot in
        layout.attributes[slot].externalThreshold.map { (slot, $0) }
      }
    mutableSlots = transformableSlots.filter {
      layout.attributes[$0].isMutable && !layout.attributes[$0].isTransient
    }
    hasMutableSlots = !mutableSlots.isEmpty
    defaults = layout.attributes.enumerated().compactMap { slot, attribute in
      attribute.defaultValue.map { (slot, $0) }
    }
    let relationships = schema.relationships[layout.index].enumerated().map {
      RelationshipRuntime($0, $1, schema)
    }
    self.relationships = relationships
    observedClass =
      objectClass is any ObservedClass.Type ? objectClass as? any QueryableObject.Type : nil
    observedProperties =
      observedClass == nil
      ? []
      : Array(layout.slots.indices)
        + relationships.filter { $0.slot == nil }.map { -1 - $0.ordinal }
    memberships = relationships.filter {
      if case .toMany = $0.inverse { $0.slot != nil } else { false }
    }
    pairSlots = relationships.compactMap { relationship in
      if case .slot = relationship.inverse { relationship.slot } else { nil }
    }
    ownerships = relationships.filter(\.deletesOrphans)
    prefetches = Self.prefetches(of: layout.index, entities, schema)
    limitedRelationships = relationships.filter { $0.countLimits != nil }
    relationshipBySlot =
      relationships.isEmpty
      ? []
      : layout.slots.indices.map { slot in relationships.first { $0.slot == slot } }
    destinationBySlot = .copy(of: relationshipBySlot.map { $0?.destination ?? -1 })
    line = layout.ancestors + [layout.index]
    hasDateDefault = defaults.contains { $0.value == .now }
    rules = ContiguousArray(
      layout.attributes.indices.compactMap { ValueRule($0, layout.attributes[$0]) })
  }

  deinit {
    destinationBySlot.deallocate()
    ordinalBySlot.deallocate()
    rowTransformers.deallocate()
  }

  private static func prefetches(of entity: Int, _ entities: [Int], _ schema: StoreSchema)
    -> [(entity: Int, name: String)]
  {
    entities.flatMap { kind in
      schema.relationships[kind].filter {
        $0.relationship.isPrefetched && (kind == entity || $0.declaringEntity == kind)
      }.map { (kind, $0.relationship.name) }
    }
  }

  private static func versionSlots(_ layout: EntityLayout) -> [Int?] {
    var slots = [Int?](repeating: nil, count: layout.slotCount)
    for (slot, description) in layout.slots.enumerated() {
      guard case .hidden(.transformerVersion, let property) = description,
        let own = layout.slotByName[property]
      else { continue }
      slots[own] = slot
    }
    return slots
  }

  var hasRelationships: Bool { !relationships.isEmpty }

  /// Whether objects can be deleted with the object of one relationship, and nothing else can
  /// notice it.
  var hasOneRelationshipOnly: Bool {
    relationships.count == 1 && relationships[0].description.deleteRule != .deny
      && !overridesHooks && !hasSubentities && root == index
  }

  /// Whether no property shows the value of a slot, such as the position in an ordered
  /// relationship.
  func isHidden(_ slot: Int) -> Bool {
    switch layout.slots[slot] {
    case .hidden, .projection: true
    case .attribute, .reference: false
    }
  }

  /// The relationship with a name; nil when the model has none.
  func relationship(named name: some StringProtocol) -> RelationshipRuntime? {
    relationships.first { !$0.isHidden && $0.description.name == name }
  }

  /// The names of the relationships that the model declares.
  var relationshipNames: [String] {
    relationships.filter { !$0.isHidden }.map(\.description.name)
  }

  /// Whether objects of the entity are objects of another one, too: of itself or of an ancestor.
  func isKind(of entity: Int) -> Bool { entity == index || line.contains(entity) }

  /// The to-one relationship of a slot.
  ///
  /// - Precondition: the slot is that of a to-one relationship. Generated code has only such slots.
  func relationship(ofSlot slot: Int) -> RelationshipRuntime {
    guard slot < relationshipBySlot.count, let found = relationshipBySlot[slot] else {
      misuse("\(layout.name) has no to-one relationship at slot \(slot)")
    }
    return found
  }

  func ordinal(ofTransformable slot: Int) -> Int? {
    ordinalBySlot[slot] < 0 ? nil : ordinalBySlot[slot]
  }
}

extension UnsafeMutableBufferPointer {
  /// Memory with the elements of an array, which are not reference counted.
  fileprivate static func copy(of elements: [Element]) -> Self {
    let made = Self.allocate(capacity: elements.count)
    _ = made.initialize(from: elements)
    return made
  }
}

/// A property of an observed object: the slot of an attribute or of a to-one relationship, or -1
/// minus the position of a to-many relationship.
typealias ObservedProperty = Int
