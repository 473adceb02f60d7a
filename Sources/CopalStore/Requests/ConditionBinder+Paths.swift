import CopalModel

/// Binds comparisons of properties of a subentity, and of the objects of to-one relationships.
extension ConditionBinder {
  // MARK: Subentities

  /// The objects of a subentity that a condition names; nil for the entity itself and for an
  /// ancestor, because every object is one of these.
  func subentity(_ name: String) throws -> EntityKind? {
    guard let schema, let named = schema.layout(name) else {
      throw PersistenceError(
        .unknownEntity, entity: name,
        suggestion: NearestName.of(name, among: schema?.entities.map(\.name) ?? []))
    }
    if schema.isEntity(layout.index, kindOf: named.index) { return nil }
    guard schema.isEntity(named.index, kindOf: layout.index) else {
      let subentities = schema.descendants[layout.index].map { schema.entities[$0].name }
      throw PersistenceError(
        .unrelatedEntity, entity: layout.name, found: name,
        expected: subentities.isEmpty ? nil : subentities.joined(separator: ", "))
    }
    return EntityKind(entity: named.index, entities: schema.kinds(of: named.index))
  }

  /// Binds a comparison that names properties of a subentity. They are nil for the other objects.
  ///
  /// - Parameter body: binds the comparison, after a function has replaced its expressions: for
  ///   objects of the subentity, by properties of their entity, and for other objects, by nil.
  mutating func bind(
    of name: String,
    _ body: (inout ConditionBinder, (FetchExpression) throws -> FetchExpression) throws -> BoundPart
  ) throws -> BoundPart {
    guard let kind = try subentity(name), let schema else {
      let ancestor = schema?.layout(name)
      return try body(&self) { expression in
        try expression.replacing(propertiesOf: name) { property in
          // The entity has the properties of its ancestor, and others that the ancestor does not
          // have.
          _ = try ancestor?.querySlot(property, isNullTest: true)
          return .property(property)
        }
      }
    }
    var binder = ConditionBinder(schema.entities[kind.entity], schema, keys)
    binder.parameters = parameters
    binder.outer = outer
    binder.isOfPath = isOfPath
    let part = try body(&binder) { expression in
      // No object of the subentity is one of an entity beside it.
      if case .subentityProperty(let other, _) = expression, let other = schema.layout(other),
        !schema.isEntity(other.index, kindOf: kind.entity),
        !schema.isEntity(kind.entity, kindOf: other.index)
      {
        return .constant(.null)
      }
      return expression.replacing(propertiesOf: name) { .property($0) }
    }
    let condition = binder.lift(part)
    parameters = binder.parameters
    let forOthers = try body(&self) { $0.replacing(propertiesOf: name) { _ in .constant(.null) } }
    let otherwise = lift(forOthers)
    if case .constant = condition, condition == otherwise { return .condition(condition) }
    return .condition(.ofKind(kind, condition, otherwise: otherwise))
  }

  // MARK: Related objects

  /// The first step of a path: a to-one relationship.
  struct Hop {
    let reference: EntityLayout.Reference
    /// The name of the relationship and a point.
    let prefix: String
  }

  /// The first step of an expression that is a path through a to-one relationship; nil for another
  /// expression.
  func hop(_ expression: FetchExpression) throws -> Hop? {
    guard case .property(let path) = expression, let point = path.firstIndex(of: "."),
      let slot = layout.slotByName[String(path[..<point])],
      let reference = layout.reference(ofSlot: slot)
    else { return nil }
    let stepCount = path.utf8.count { $0 == UInt8(ascii: ".") }
    guard stepCount <= PredicateBinder.maximumNesting else {
      throw PersistenceError(
        .tooComplex, entity: layout.name,
        found: "a path has more than \(PredicateBinder.maximumNesting) relationships")
    }
    return Hop(reference: reference, prefix: String(path[...point]))
  }

  /// Binds a comparison that names properties of the object of a to-one relationship. They are nil
  /// where there is no object.
  ///
  /// - Parameter body: binds the comparison, after a function has replaced its expressions by those
  ///   of the related object, or by nil.
  mutating func bind(
    through hop: Hop, _ isNegated: Bool,
    _ body: (inout ConditionBinder, (FetchExpression) throws -> FetchExpression, Bool) throws ->
      BoundPart
  ) throws -> BoundPart {
    guard let schema else {
      throw PersistenceError(
        .notQueryable, entity: layout.name, property: hop.prefix + "…", found: "a path")
    }
    // The result where there is no object: that of the comparison with nil.
    var other = self
    let forNone = try body(
      &other, { try expression($0, of: hop) { _ in .constant(.null) } }, isNegated)
    guard case .condition(.constant(let isTrueForNone)) = forNone else {
      throw unrelatedSides(hop)
    }
    // A condition that is true without an object is the negation of one that needs an object.
    var binder = ConditionBinder(schema.entities[hop.reference.destination], schema, keys)
    binder.parameters = parameters
    binder.outer = around
    binder.isOfPath = true
    let part = try body(
      &binder, { try expression($0, of: hop) { .property($0) } }, isNegated != isTrueForNone)
    let condition = binder.lift(part)
    parameters = binder.parameters
    return .condition(
      .related(
        slot: hop.reference.slot, entity: hop.reference.destination, condition,
        isNegated: isTrueForNone))
  }

  /// An expression without the first step of a path. The other side of a comparison is a constant,
  /// or a path with the same first step.
  private func expression(
    _ expression: FetchExpression, of hop: Hop, _ replacement: (String) -> FetchExpression
  ) throws -> FetchExpression {
    switch expression {
    case .constant: return expression
    case .property(let path) where path.hasPrefix(hop.prefix):
      return replacement(String(path.dropFirst(hop.prefix.count)))
    default: throw unrelatedSides(hop)
    }
  }

  private func unrelatedSides(_ hop: Hop) -> PersistenceError {
    PersistenceError(
      .notQueryable, entity: layout.name, property: String(hop.prefix.dropLast()),
      found: "compared with a property of another object")
  }
}

extension FetchExpression {
  /// The expression, or what stands for the property if it is one of an entity.
  fileprivate func replacing(
    propertiesOf entity: String, by replacement: (String) throws -> FetchExpression
  ) rethrows -> FetchExpression {
    guard case .subentityProperty(entity, let property) = self else { return self }
    return try replacement(property)
  }
}
