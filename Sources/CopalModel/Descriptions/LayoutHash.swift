extension ManagedObjectModel {
  /// A hash of everything that the generated code of an entity relies on: its ancestors, all its
  /// slots with their names and types, and its to-many relationships with their positions.
  ///
  /// Generated classes contain it. A container refuses to open when the hash of a class differs
  /// from the hash of the model, because generated accessors read slots without a check.
  public func layoutHash(ofEntity index: Int) -> UInt64 {
    var hash = StableHash()
    for ancestor in ancestors(ofEntity: index) {
      hash.combine("parent")
      hash.combine(entities[ancestor].name)
    }
    hash.combine(entities[index].name)
    for slot in slots(ofEntity: index) { hash.combine(slot) }
    for (ordinal, complete) in allRelationships(ofEntity: index).enumerated() {
      let relationship = complete.relationship
      guard relationship.isToMany, !complete.isHidden else { continue }
      hash.combine("to-many \(ordinal)")
      hash.combine(relationship.name)
      hash.combine(relationship.destination)
      hash.combine(relationship.isOrdered ? "ordered" : "")
    }
    return hash.value
  }
}

extension StableHash {
  fileprivate mutating func combine(_ slot: SlotDescription) {
    combine(slot.propertyName)
    switch slot {
    case .attribute(let attribute):
      combine(attribute.type.rawValue)
      combine(attribute.isOptional ? "?" : "")
      combine(attribute.isTransient ? "transient" : "")
      combine(attribute.customClass ?? "")
      combine(attribute.scale.map(String.init) ?? "")
    case .reference(let relationship):
      combine("reference")
      combine(relationship.destination)
      combine(relationship.isOptional ? "?" : "")
    case .hidden(let column, _):
      combine("hidden")
      combine(column.rawValue)
    case .projection(let projection, _):
      combine("projection")
      combine(projection.name)
      combine(projection.type.rawValue)
    }
  }
}
