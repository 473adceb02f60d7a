public import CopalModel

/// An entity with a slot for each attribute. It is made once, when a store opens.
///
/// A slot is an attribute's position: the stored attributes first, in the order of the model file, then the
/// transient ones. Contexts and stores use slots and do not look up names.
public final class EntityLayout: Sendable {
  /// The position of the entity in its schema.
  public let index: Int
  /// The description of the entity.
  public let entity: EntityDescription
  /// The name of the entity.
  public let name: String
  /// All attributes in slot order.
  public let attributes: [AttributeDescription]
  /// The number of stored attributes; the slots from there on are transient.
  public let storedCount: Int
  /// The storage type of every stored slot.
  public let storage: ContiguousArray<StorageType>
  /// Whether a stored slot holds floats, which are rounded to what a `Float` can be.
  let isFloat: ContiguousArray<Bool>
  /// Whether a stored slot may be NULL.
  public let isOptional: ContiguousArray<Bool>
  /// The slot of each attribute, by the attribute's name.
  public let slotByName: [String: Int]
  /// The unique constraints as lists of slots.
  public let uniqueConstraints: [[Int]]
  /// The indexes as lists of slots.
  public let indexes: [[Int]]
  /// The slots that take part in a unique constraint.
  public let uniqueSlots: SlotSet
  /// The first slot of each index and unique constraint. A store can use an index for a range of these.
  public let leadingSlots: SlotSet
  /// For each slot, the transient slots that depend on it. Setting the slot discards their values.
  public let dependents: [[Int]]

  /// The layout of an entity at a position in its schema.
  public init(index: Int, entity: EntityDescription) {
    self.index = index
    self.entity = entity
    name = entity.name
    let slots = entity.slots
    attributes = slots
    storedCount = slots.count { !$0.isTransient }
    storage = ContiguousArray(slots.prefix(storedCount).map(\.storageType))
    isFloat = ContiguousArray(slots.prefix(storedCount).map { $0.type == .float })
    isOptional = ContiguousArray(slots.prefix(storedCount).map(\.isOptional))
    let byName = Dictionary(
      slots.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    slotByName = byName
    uniqueConstraints = entity.uniqueConstraints.map { $0.compactMap { byName[$0] } }
    indexes = entity.indexes.map { $0.attributes.compactMap { byName[$0] } }
    uniqueSlots = SlotSet(uniqueConstraints.joined(), count: slots.count)
    leadingSlots = SlotSet(
      (uniqueConstraints + indexes).compactMap(\.first), count: slots.count)
    var dependents = [[Int]](repeating: [], count: slots.count)
    for (slot, attribute) in slots.enumerated() {
      for source in attribute.dependsOn.compactMap({ byName[$0] }) {
        dependents[source].append(slot)
      }
    }
    self.dependents = dependents
  }
}
