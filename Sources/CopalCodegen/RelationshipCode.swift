import CopalModel

/// The code of one relationship: its property.
struct RelationshipCode {
  let relationship: RelationshipDescription
  /// The class of the objects at the other end.
  private let destination: String
  /// The expression that the property returns.
  private let access: Access

  private enum Access {
    /// To-one: the slot.
    case slot(Int)
    /// To-many: the position among the relationships of the entity.
    case ordinal(Int)
  }

  /// The relationships of the entity at a position of a model, with inherited ones, those of the
  /// root first.
  static func relationships(ofEntity index: Int, in model: ManagedObjectModel) -> [RelationshipCode]
  {
    let slots = model.slots(ofEntity: index)
    return model.allRelationships(ofEntity: index).enumerated().compactMap { ordinal, complete in
      let relationship = complete.relationship
      guard !complete.isHidden,
        let destination = model.entity(relationship.destination)
      else { return nil }
      let slot = slots.firstIndex { $0 == .reference(relationship) }
      return RelationshipCode(
        relationship: relationship,
        destination: className(of: destination, in: model),
        access: slot.map { .slot($0) } ?? .ordinal(ordinal))
    }
  }

  /// The class of the nearest entity with generated code: the destination or an ancestor of it.
  static func className(of destination: EntityDescription, in model: ManagedObjectModel)
    -> String
  {
    var entity: EntityDescription? = destination
    while let kind = entity, kind.codegen == .none { entity = kind.parent.flatMap(model.entity) }
    return entity.map { SwiftText.identifier($0.className) } ?? "ManagedObject"
  }

  /// The name as a Swift identifier, quoted if necessary.
  var name: String { SwiftText.identifier(relationship.name) }

  /// The name of the property for a custom accessor.
  static func primitiveName(of relationship: RelationshipDescription) -> String {
    "primitive" + SwiftText.capitalized(relationship.name)
  }

  /// The name of the generated property as a Swift identifier, quoted if necessary.
  var propertyName: String {
    isCustom ? SwiftText.identifier(Self.primitiveName(of: relationship)) : name
  }

  private var isCustom: Bool { relationship.accessor == .custom }

  /// The name as a Swift string literal.
  var literal: String { SwiftText.literal(relationship.name) }

  /// The type of the relationship's member for typed queries.
  var queryType: String {
    if case .slot = access { return "QueryReference<\(destination)>" }
    return "QueryToMany<\(destination)>"
  }

  /// What the observers of the property observe: its slot, or -1 minus its position.
  var observedProperty: Int {
    switch access {
    case .slot(let slot): slot
    case .ordinal(let ordinal): -1 - ordinal
    }
  }

  /// Whether it is a to-one relationship.
  var isToOne: Bool { !relationship.isToMany }

  /// Whether an object must be at the other end when the object is saved.
  var isRequired: Bool { !relationship.isOptional }

  /// The parameter of an initializer that sets a to-one relationship.
  var parameter: InitializerCode.Parameter {
    let assignment = "self.\(propertyName) = \(name)"
    return isRequired
      ? .init(required: name, destination, assignment)
      : .init(optional: name, destination, assignment)
  }

  /// Writes the property, under another name where the accessor is custom.
  ///
  /// - Parameters:
  ///   - isFinal: whether a subclass could override it otherwise.
  ///   - observedIn: the class, if it can be observed.
  func writeProperty(
    access: String, isFinal: Bool, observedIn observedClass: String?, to code: inout SourceLines
  ) {
    let documentation =
      isCustom
      ? "The relationship `\(relationship.name)` for its accessor. Setting it is a change."
      : relationship.documentation
    if let documentation { code.comment(documentation) }
    let name = propertyName
    let modifiers = SwiftText.setter(relationship.setAccess) + (isFinal ? "final " : "")
    let head = "\(access)\(modifiers)var \(name)"
    switch self.access {
    case .slot(let slot):
      code.block("\(head): \(destination)?") { code in
        code.line(
          SwiftText.getter("_copalToOne(\(slot))", of: name, observedIn: observedClass))
        code.line("set { _copalSetToOne(\(slot), newValue) }")
      }
    case .ordinal(let ordinal):
      let type = relationship.isOrdered ? "OrderedToMany" : "ToMany"
      let view = "\(type)(_copal: self, \(ordinal))"
      code.block("\(head): \(type)<\(destination)>") { code in
        code.line(SwiftText.getter(view, of: name, observedIn: observedClass))
        code.line("set { _copalSetToMany(\(ordinal), newValue) }")
      }
    }
  }
}
