public import CopalModel
import Foundation

/// An entity with its names resolved to slots, made once when a store opens.
///
/// A slot is an attribute's position: the stored ones first, in the order of the model file, then the
/// transient ones. Inner code works with slots and never looks a name up.
public final class EntityLayout: Sendable {
  /// The position of the entity in its schema.
  public let index: Int
  public let entity: EntityDescription
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
  public let slotByName: [String: Int]
  /// The unique constraints as lists of slots.
  public let uniqueConstraints: [[Int]]
  /// The indexes as lists of slots.
  public let indexes: [[Int]]
  /// The slots that take part in a unique constraint.
  public let uniqueSlots: SlotSet
  /// The slots that an index or a unique constraint begins with: what a range is found by.
  public let leadingSlots: SlotSet
  /// For each slot, the transient slots whose value is discarded when it changes.
  public let dependents: [[Int]]

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

  /// The stored value at a slot of a row; `.null` also where the store holds what it should not.
  public func value(_ base: UnsafeRawPointer, _ slot: Int) -> PropertyValue {
    if PackedRowValues.isNull(base, slot) { return .null }
    let attribute = attributes[slot]
    switch attribute.type {
    case .integer16, .integer32, .integer64, .integer:
      return .integer(PackedRowValues.integer(base, slot))
    case .boolean: return .boolean(PackedRowValues.integer(base, slot) != 0)
    case .float, .double: return .double(PackedRowValues.real(base, slot))
    case .date: return .date(Date(timeIntervalSinceReferenceDate: PackedRowValues.real(base, slot)))
    case .decimal:
      if let scale = attribute.scale {
        return .decimal(DecimalText.decimal(scaled: PackedRowValues.integer(base, slot), by: scale))
      }
      return Decimal.load(base, slot).map(PropertyValue.decimal) ?? .null
    case .string: return .string(PackedRowValues.text(base, slot))
    case .binary: return .binary(Data(PackedRowValues.bytes(base, slot)))
    case .uuid: return UUID.load(base, slot).map(PropertyValue.uuid) ?? .null
    case .uri: return URL.load(base, slot).map(PropertyValue.uri) ?? .null
    case .transformable: return storedForm(base, slot)
    }
  }

  /// The stored form of a slot, as its storage type has it, without a look at the attribute's type.
  public func storedForm(_ base: UnsafeRawPointer, _ slot: Int) -> PropertyValue {
    if PackedRowValues.isNull(base, slot) { return .null }
    switch storage[slot] {
    case .integer: return .integer(PackedRowValues.integer(base, slot))
    case .real: return .double(PackedRowValues.real(base, slot))
    case .text: return .string(PackedRowValues.text(base, slot))
    case .blob: return .binary(Data(PackedRowValues.bytes(base, slot)))
    }
  }

  /// What a row has in a unique constraint, the same bytes for equal values; nil where one of them is null,
  /// which never conflicts.
  func uniqueValues(of row: PackedRow, _ constraint: [Int]) -> [[UInt8]]? {
    let values = withExtendedLifetime(row) { constraint.compactMap { storedBytes(row.base, $0) } }
    return values.count == constraint.count ? values : nil
  }

  private func storedBytes(_ base: UnsafeRawPointer, _ slot: Int) -> [UInt8]? {
    if PackedRowValues.isNull(base, slot) { return nil }
    switch storage[slot] {
    case .integer, .real:
      return withUnsafeBytes(of: PackedRowValues.integer(base, slot), Array.init)
    case .text, .blob: return Array(PackedRowValues.bytes(base, slot))
    }
  }
}

/// The entities of a store with their slots: a model as the floors above and below it use it.
public final class StoreSchema: Sendable {
  public let model: ManagedObjectModel
  public let entities: [EntityLayout]

  public init(_ model: ManagedObjectModel) {
    self.model = model
    entities = model.entities.enumerated().map { EntityLayout(index: $0, entity: $1) }
  }

  /// The layout of the entity of that name.
  public func layout(_ name: String) -> EntityLayout? {
    model.entityIndex(name).map { entities[$0] }
  }
}
