public import CopalModel

/// An entity with a slot for each value of its objects. It is made once, when a store opens.
///
/// Contexts and stores use slots and do not look up names. The slots of an entity begin with those
/// of its parent: see `SlotDescription`.
public final class EntityLayout: Sendable {
  /// The position of the entity in its schema.
  public let index: Int
  /// The position of the root of the entity's inheritance; its own position for an entity without a
  /// parent.
  public let root: Int
  /// The positions of the ancestors: the root first, the parent last.
  public let ancestors: [Int]
  /// The description of the entity.
  public let entity: EntityDescription
  /// The name of the entity.
  public let name: String
  /// What each slot holds.
  public let slots: [SlotDescription]
  /// How the value of each slot is described: the attribute itself. For a to-one relationship and a
  /// hidden column it describes the integer, text or blob in the column.
  public let attributes: [AttributeDescription]
  /// The number of slots. A row has a word for each of them, also for those of transients.
  public let slotCount: Int
  /// The slots that a store keeps, in ascending order, with what their columns hold.
  public let columns: ContiguousArray<Column>
  /// The slots that a store keeps, as a set.
  public let storedSlots: SlotSet
  /// The slots that a store keeps as texts or blobs.
  package let byteSlots: SlotSet
  /// The slots of transient attributes and of projections, which are null in every row.
  public let transientSlots: [Int]
  /// The type of each slot, for conditions: copying a whole description costs more than the rest of
  /// a comparison.
  let types: ContiguousArray<AttributeType>
  /// The to-one relationships.
  public let references: [Reference]
  /// The slots of to-one relationships. Each holds the key of an object, or null.
  public let referenceSlots: [Int]
  /// Whether each slot holds floats, which are rounded to what a `Float` can be.
  let isFloat: ContiguousArray<Bool>
  /// The slot of each property, by the property's name. Hidden columns have no name.
  public let slotByName: [String: Int]
  /// The names of the to-many relationships, which have no slot.
  let toManyNames: Set<String>
  /// The first slot that the entity appends to those of its parent.
  public let firstOwnSlot: Int
  /// For each slot, the position of the entity that declares its property: the entity or an
  /// ancestor.
  public let declaringEntities: [Int]
  /// The unique constraints, with inherited ones.
  public let uniqueConstraints: [UniqueConstraint]
  /// The indexes that the entity declares itself.
  public let ownIndexes: [Index]
  /// The slots that take part in a unique constraint.
  public let uniqueSlots: SlotSet
  /// The first slot of each index and unique constraint. A store can use an index for a range of
  /// these.
  ///
  /// The unique constraint of a subentity counts if its first slot is the only one that the
  /// subentity declares: a store may keep it as an index of the rows that have a value.
  public let leadingSlots: SlotSet
  /// Those of ``leadingSlots`` whose index also has the rows without a value.
  public let completeLeadingSlots: SlotSet
  /// The slots that are in any index, at any place.
  package let indexedSlots: SlotSet
  /// The slots whose large values are in files: those of
  /// ``AttributeDescription/externalThreshold``.
  public let externalSlots: [Int]
  /// The projections of transformables, with inherited ones.
  public let projections: [Projection]
  /// The columns whose values are functions of the row, with inherited ones.
  public let derivedColumns: [DerivedColumn]
  /// The slots of the attributes that are found by parts of their normalized form, with inherited
  /// ones.
  public let substringSlots: [Int]
  /// For each slot, the transient slots that depend on it. Setting the slot discards their values.
  public let dependents: [[Int]]

  /// A column of an entity's table.
  public struct Column: Sendable, Hashable {
    /// The slot whose value the column holds.
    public let slot: Int
    /// The storage type of the value.
    public let storage: StorageType
    /// Whether the value may be NULL.
    public let isOptional: Bool
  }

  /// A unique constraint: no two objects of the declaring entity, or of one of its subentities,
  /// have the same values.
  public struct UniqueConstraint: Sendable, Hashable {
    /// The slots of the values.
    public let slots: [Int]
    /// The position of the entity that declares the constraint: the entity or an ancestor.
    public let declaringEntity: Int
    /// What is ignored when the texts of a slot are compared. A store compares their forms in a
    /// derived column.
    public let ignoring: [Int: FetchPredicate.TextOptions]
    /// The constraint of some slots that an entity declares.
    public init(
      _ slots: [Int], declaringEntity: Int, ignoring: [Int: FetchPredicate.TextOptions] = [:]
    ) {
      self.slots = slots
      self.declaringEntity = declaringEntity
      self.ignoring = ignoring
    }

    /// Hashes what tells two constraints of a schema apart.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(declaringEntity)
      for slot in slots { hasher.combine(slot) }
    }

    /// Whether two different values of a slot can be equal.
    public func ignoresDifferences(in slot: Int) -> Bool { ignoring[slot] != nil }
  }

  /// An index, as a store sees it.
  public struct Index: Sendable, Hashable {
    /// The slots of the values, the most significant first.
    public let slots: [Int]
    /// Those of the slots whose values are in descending order.
    public let descending: Set<Int>
    /// An index of some slots.
    public init(_ slots: [Int], descending: Set<Int> = []) {
      self.slots = slots
      self.descending = descending
    }
  }

  /// A to-one relationship, as a store sees it.
  public struct Reference: Sendable, Hashable {
    /// The slot with the key of the other object.
    public let slot: Int
    /// The position of the entity that declares the relationship: the entity or an ancestor.
    public let declaringEntity: Int
    /// The position of the entity of the other object.
    public let destination: Int
    /// The position of the root of that entity.
    public let destinationRoot: Int
    /// The slot with the position of the object in the ordered list of the other object; nil where
    /// the inverse is not ordered.
    public let positionSlot: Int?
    /// Whether the key may be that of an object that does not exist: the inverse has the delete
    /// rule `noAction`.
    public let mayDangle: Bool
  }

  /// The layout of the entity at a position of a model.
  public init(ofEntity index: Int, in model: ManagedObjectModel) {
    self.index = index
    let entity = model.entities[index]
    self.entity = entity
    name = entity.name
    ancestors = model.ancestors(ofEntity: index)
    root = ancestors.first ?? index
    let slots = model.slots(ofEntity: index)
    self.slots = slots
    slotCount = slots.count
    let attributes = slots.map(\.storedForm)
    self.attributes = attributes
    columns = ContiguousArray(
      attributes.indices.filter { slots[$0].isStored }.map {
        Column(
          slot: $0, storage: attributes[$0].storageType, isOptional: attributes[$0].isOptional)
      })
    storedSlots = SlotSet(columns.map(\.slot), count: slots.count)
    byteSlots = SlotSet(
      columns.filter { $0.storage == .text || $0.storage == .blob }.map(\.slot),
      count: slots.count)
    transientSlots = slots.indices.filter { !slots[$0].isStored }
    types = ContiguousArray(attributes.map(\.type))
    let line = ancestors + [index]
    references = line.flatMap { model.references(ofEntity: $0) }
    referenceSlots = references.map(\.slot)
    isFloat = ContiguousArray(attributes.map { $0.type == .float })
    var byName: [String: Int] = [:]
    for (slot, description) in slots.enumerated() {
      switch description {
      case .attribute, .reference: byName[description.propertyName] = slot
      case .hidden, .projection: break
      }
    }
    slotByName = byName
    toManyNames = Set(
      model.relationships(ofEntity: index).filter(\.isToMany).map(\.name))
    firstOwnSlot = model.firstOwnSlot(ofEntity: index)
    declaringEntities = line.flatMap { declaring in
      repeatElement(declaring, count: model.ownSlots(ofEntity: declaring).count)
    }
    let projections = Self.projections(slots, declaringEntities)
    self.projections = projections
    let uniqueConstraints = line.flatMap { declaring in
      model.entities[declaring].uniqueConstraints.map { constraint in
        var ignoring: [Int: FetchPredicate.TextOptions] = [:]
        for (name, differences) in constraint.ignoring {
          if let slot = byName[name] { ignoring[slot] = differences.options }
        }
        return UniqueConstraint(
          constraint.attributes.compactMap { byName[$0] }, declaringEntity: declaring,
          ignoring: ignoring)
      }
    }
    self.uniqueConstraints = uniqueConstraints
    func slot(_ name: String) -> Int? {
      byName[name] ?? projections.first { $0.path == name }?.slot
    }
    let indexes = line.map { declaring in
      model.entities[declaring].indexes.map { index in
        Index(
          index.attributes.compactMap(slot), descending: Set(index.descending.compactMap(slot)))
      }
    }
    ownIndexes = indexes.last ?? []
    uniqueSlots = SlotSet(uniqueConstraints.flatMap(\.slots), count: slots.count)
    let declaringEntities = declaringEntities
    // The index of a constraint that ignores something has other values, and not all rows.
    let exact = uniqueConstraints.filter(\.ignoring.isEmpty)
    let ofRows = exact.filter { $0.declaringEntity == line.first }.map(\.slots)
    let ofValues = exact.filter { constraint in
      let own = constraint.slots.filter { declaringEntities[$0] == constraint.declaringEntity }
      return own.count == 1 && own.first == constraint.slots.first
    }.map(\.slots)
    let complete = (ofRows + indexes.joined().map(\.slots)).compactMap(\.first) + referenceSlots
    completeLeadingSlots = SlotSet(complete, count: slots.count)
    leadingSlots = SlotSet(complete + ofValues.compactMap(\.first), count: slots.count)
    indexedSlots = SlotSet(
      exact.flatMap(\.slots) + indexes.joined().flatMap(\.slots) + referenceSlots,
      count: slots.count)
    externalSlots = columns.map(\.slot).filter { attributes[$0].externalThreshold != nil }
    derivedColumns =
      columns.map(\.slot).flatMap { slot in
        attributes[slot].derivedFunctions.map {
          DerivedColumn(source: slot, declaringEntity: declaringEntities[slot], $0)
        }
      }
      + projections.map {
        DerivedColumn(
          source: $0.source, declaringEntity: $0.declaringEntity, .projected($0))
      }
    substringSlots = columns.map(\.slot).filter {
      attributes[$0].search.isSuperset(of: [.normalized, .substring])
    }
    var dependents = [[Int]](repeating: [], count: slots.count)
    for (slot, attribute) in attributes.enumerated() {
      for source in attribute.dependsOn.compactMap({ byName[$0] }) {
        dependents[source].append(slot)
      }
    }
    self.dependents = dependents
  }

  /// The to-one relationship of a slot; nil for another slot.
  public func reference(ofSlot slot: Int) -> Reference? {
    references.isEmpty ? nil : references.first { $0.slot == slot }
  }

  /// The unique constraints that the entity declares itself.
  public var ownUniqueConstraints: [UniqueConstraint] {
    uniqueConstraints.filter { $0.declaringEntity == index }
  }

  /// The to-one relationships that the entity declares itself.
  public var ownReferences: [Reference] { references.filter { $0.declaringEntity == index } }

  /// The columns of the slots that the entity appends to those of its parent.
  public var ownColumns: ArraySlice<Column> {
    let columns = ArraySlice(columns)
    return columns.drop { $0.slot < firstOwnSlot }
  }

  /// The slots that the entity declares itself, and whose large values are in files.
  public var ownExternalSlots: [Int] {
    externalSlots.filter { declaringEntities[$0] == index }
  }

  /// The storage type of a stored slot.
  public func storage(_ slot: Int) -> StorageType { attributes[slot].storageType }
}

extension ManagedObjectModel {
  /// The to-one relationships that an entity declares.
  fileprivate func references(ofEntity index: Int) -> [EntityLayout.Reference] {
    let own = ownSlots(ofEntity: index)
    let first = firstOwnSlot(ofEntity: index)
    return own.enumerated().compactMap { place, slot in
      guard case .reference(let relationship) = slot,
        let destination = entityIndex(relationship.destination)
      else { return nil }
      let position = own.firstIndex(of: .hidden(.order, of: relationship.name))
      return EntityLayout.Reference(
        slot: first + place, declaringEntity: index, destination: destination,
        destinationRoot: root(ofEntity: destination),
        positionSlot: position.map { first + $0 },
        mayDangle: inverse(of: relationship)?.deleteRule == .noAction)
    }
  }
}

extension SlotDescription {
  /// The attribute that describes the value in a column: for a to-one relationship the key of the
  /// other object, for a hidden column its number or text.
  fileprivate var storedForm: AttributeDescription {
    switch self {
    case .attribute(let attribute): attribute
    case .reference(let relationship):
      AttributeDescription(
        relationship.name, .integer64, isOptional: relationship.isOptional)
    case .hidden(let column, let property):
      AttributeDescription(property, column.storedType, isOptional: true)
    case .projection(let projection, let name): projection.attribute(of: name)
    }
  }
}

extension SlotDescription.HiddenColumn {
  fileprivate var storedType: AttributeType {
    switch self {
    case .order, .transformerVersion: .integer64
    }
  }
}

extension Set<UniqueConstraintDescription.Difference> {
  /// What is not compared.
  fileprivate var options: FetchPredicate.TextOptions {
    var options: FetchPredicate.TextOptions = []
    if contains(.case) { options.insert(.caseInsensitive) }
    if contains(.diacritics) { options.insert(.diacriticInsensitive) }
    return options
  }
}
