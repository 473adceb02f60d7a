import CopalEssentials
import CopalModel
import CopalObjects

extension PredicateExpressions.TypeCheck: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    guard case .object(let object) = try translation.term(input) else {
      throw translation.unsupported("is for a value", "use it for objects only")
    }
    if isAlways(Input.Output.self, Desired.self) {
      return .condition(try translation.exists(object))
    }
    let entity = try translation.subentity(Desired.self, of: object)
    return .condition(try translation.isKind(entity, at: object.level))
  }
}

extension PredicateExpressions.ConditionalCast: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    try translation.cast(input, Input.Output.self, Desired.self)
  }
}

extension PredicateExpressions.ForceCast: TranslatableNode {
  /// For an object of another class, a comparison is false. Foundation's evaluation throws.
  func term(_ translation: PredicateTranslation) throws -> Term {
    try translation.cast(input, Input.Output.self, Desired.self)
  }
}

/// Whether each object of a class is one of another class too.
private func isAlways<Desired>(_ type: Any.Type, _ desired: Desired.Type) -> Bool {
  let object = (type as? any OptionalValue.Type)?.wrappedType ?? type
  return object is Desired.Type
}

extension PredicateTranslation {
  fileprivate func cast<Desired>(
    _ input: any PredicateExpression, _ type: Any.Type, _ desired: Desired.Type
  ) throws -> Term {
    guard case .object(let object) = try term(input) else {
      throw unsupported("as for a value", "use it for objects only")
    }
    if isAlways(type, desired) { return .object(object) }
    let entity = try subentity(desired, of: object)
    return .object(ObjectTerm(level: object.level, base: .subentity(entity)))
  }

  /// The entity of a class that an object is checked for.
  fileprivate func subentity(_ type: Any.Type, of object: ObjectTerm) throws -> String {
    let type = (type as? any OptionalValue.Type)?.wrappedType ?? type
    guard let entity = KeyPathNames.entity(of: type) else {
      throw unsupported("a check for \(type)", "use a generated class")
    }
    switch object.base {
    case .itself, .subentity: return entity
    case .path, .reference:
      throw unsupported(
        "the class of the object of a relationship", "fetch that object's entity instead")
    }
  }
}
