import CopalEssentials
package import CopalModel

/// A hash of everything in a model that affects the schema: entities, stored attributes,
/// constraints and indexes, in any order.
package struct SchemaHash: Sendable, Equatable {
  /// The hash in hexadecimal.
  package let text: String

  init(_ model: ManagedObjectModel) {
    var hash = StableHash()
    for entity in model.entities.inOrder(by: { $0.name < $1.name }) {
      hash.combine("entity")
      hash.combine(entity.name)
      if let parent = entity.parent { hash.combine("parent " + parent) }
      // The table does not depend on it. But an entity may become abstract only when it has no
      // rows.
      if entity.isAbstract { hash.combine("abstract") }
      for attribute in entity.storedAttributes.inOrder(by: { $0.name < $1.name }) {
        hash.combine(Self.describe(attribute))
      }
      for relationship in entity.relationships.inOrder(by: { $0.name < $1.name }) {
        hash.combine(Self.describe(relationship, in: model))
      }
      for constraint in entity.constraintsInAnyOrder.map({ $0.joined(separator: ",") }).inOrder() {
        hash.combine("unique " + constraint)
      }
      for index in entity.indexes.map({ $0.directedAttributes.joined(separator: ",") }).inOrder() {
        hash.combine("index " + index)
      }
    }
    text = String(hash.value, radix: 16)
  }

  /// An attribute as a store sees it.
  private static func describe(_ attribute: AttributeDescription) -> String {
    // A versioned attribute has a column for the version. The column of an external one can have
    // names of files.
    "\(attribute.name): \(describeType(of: attribute))\(attribute.isVersioned ? " versioned" : "")\(attribute.externalThreshold == nil ? "" : " external")"
      + describeRows(of: attribute)
  }

  /// What the values of an attribute were made to obey when the store was migrated. Nothing for a
  /// model that says nothing of it, so that its hash stays what it was.
  private static func describeRows(of attribute: AttributeDescription) -> String {
    var text = ""
    for renamed in attribute.renamedCases.inOrder(by: { $0.old.shownCase < $1.old.shownCase }) {
      text +=
        " renamed \(renamed.old.shownCase.debugDescription) \(renamed.new.shownCase.debugDescription)"
    }
    if attribute.checksStored { text += " checked " + attribute.rulesJSON }
    for form in attribute.search.map(\.rawValue).inOrder() { text += " search \(form)" }
    for projection in attribute.projections.inOrder(by: { $0.name < $1.name }) {
      text += " project \(projection.name) \(projection.type.rawValue)"
    }
    return text
  }

  /// A relationship as a store sees it.
  package static func describe(
    _ relationship: RelationshipDescription, in model: ManagedObjectModel
  ) -> String {
    let inverse = model.inverse(of: relationship)
    let optional = !relationship.isToMany && relationship.isOptional ? "?" : ""
    let type = relationship.isToMany ? "[\(relationship.destination)]" : relationship.destination
    let order = relationship.isOrdered ? " ordered" : ""
    let back = inverse.map { " inverse \($0.isToMany ? "[\($0.name)]" : $0.name)" } ?? ""
    // An inverse that does nothing at a deletion leaves references to objects that do not exist.
    let dangling = !relationship.isToMany && inverse?.deleteRule == .noAction ? " noAction" : ""
    return "relationship \(relationship.name): \(type)\(optional)\(order)\(back)\(dangling)"
  }

  /// The type of an attribute's values in a store, without its name.
  package static func describeType(of attribute: AttributeDescription) -> String {
    let scale = attribute.scale.map { " scale \($0)" } ?? ""
    let storage = attribute.type == .transformable ? " \(attribute.storageType.rawValue)" : ""
    return "\(attribute.type.rawValue)\(attribute.isOptional ? "?" : "")\(scale)\(storage)"
  }
}

extension EntityDescription {
  /// The unique constraints. The order of attributes in a constraint does not matter.
  package var constraintsInAnyOrder: Set<[String]> {
    Set(uniqueConstraints.map { $0.attributesWithIgnored.inOrder() })
  }
}
