import CopalModel

/// Binds conditions on to-many relationships.
extension FetchExpression {
  /// The collection of a comparison of a number of objects that only asks whether there is an
  /// object, and whether there must be one; nil for another comparison. A store stops at the first
  /// object instead of counting all of them.
  ///
  /// Not for a path of to-one relationships: where it ends, the number is nil, and neither greater
  /// than zero nor zero.
  func existence(_ comparison: FetchPredicate.Operator, _ other: FetchExpression) -> (
    collection: FetchCollection, exists: Bool
  )? {
    guard case .aggregate(.count, let collection, _) = self,
      case .constant(.integer(let number)) = other, collection.isOfObject
    else { return nil }
    return switch (comparison, number) {
    case (.greater, 0), (.greaterOrEqual, 1), (.notEqual, 0): (collection, true)
    case (.equal, 0), (.less, 1), (.lessOrEqual, 0): (collection, false)
    default: nil
    }
  }
}

extension FetchCollection {
  /// Whether the relationship is one of the object itself, or of one around it.
  fileprivate var isOfObject: Bool {
    switch relationship {
    case .property(let path), .outer(_, .property(let path)): !path.utf8.contains(UInt8(ascii: "."))
    default: false
    }
  }
}

extension ConditionBinder {
  // MARK: Conditions

  mutating func bind(existsIn collection: FetchCollection, _ isNegated: Bool, depth: Int) throws
    -> BoundPart
  {
    switch try place(of: collection) {
    case .related(let reference, let rest):
      let inner = try within(reference) { binder in
        binder.lift(try binder.bind(existsIn: rest, false, depth: depth))
      }
      return .condition(
        .related(
          slot: reference.slot, entity: reference.destination, inner, isNegated: isNegated))
    case .ofKind(let kind, let rest):
      let inner = try within(kind) { binder in
        binder.lift(try binder.bind(existsIn: rest, isNegated, depth: depth))
      }
      return .condition(.ofKind(kind, inner, otherwise: .constant(isNegated)))
    case .own(let relationship):
      let bound = try bind(relationship, where: collection.condition, depth: depth)
      if bound.condition == .constant(false) { return .constant(isNegated) }
      return .condition(.exists(bound, isNegated: isNegated))
    }
  }

  // MARK: Aggregates

  mutating func bind(
    _ aggregate: FetchAggregate, of value: FetchExpression?, in collection: FetchCollection,
    depth: Int
  ) throws -> Operand {
    if collection.relationship == .object {
      return try bindGroup(aggregate, of: value, in: collection, depth: depth)
    }
    switch try place(of: collection) {
    case .related(let reference, let rest):
      return try within(reference) { binder in
        try binder.operand(.aggregate(aggregate, rest, of: value), depth: depth + 1)
      }.map { .related(slot: reference.slot, entity: reference.destination, $0) }
    case .ofKind(let kind, let rest):
      return try within(kind) { binder in
        try binder.operand(.aggregate(aggregate, rest, of: value), depth: depth + 1)
      }.map { .ofKind(kind, $0) }
    case .own(let relationship):
      let bound = try bind(relationship, where: collection.condition, depth: depth)
      guard aggregate != .count else {
        return .value(QueryCalculation(.integer, .aggregate(.count, bound, nil)))
      }
      guard let value else {
        throw invalid("'\(aggregate.rawValue)' needs a value of the objects")
      }
      let inner = try within(bound.destination, around) { binder in
        try binder.operand(value, depth: depth + 1)
      }
      guard case .value(let calculation) = inner,
        let type = aggregate.result(of: calculation.type)
      else {
        throw invalid(
          "'\(aggregate.rawValue)' is used with \(inner.type?.name ?? "a value without a type")")
      }
      return .value(QueryCalculation(type, .aggregate(aggregate, bound, calculation)))
    }
  }

  // MARK: Relationships

  /// Where the relationship of a collection is.
  private enum Place {
    /// A relationship of the object, or of one around it.
    case own(Own)
    /// Of the object of a to-one relationship: the rest of the path.
    case related(EntityLayout.Reference, FetchCollection)
    /// Of objects of a subentity.
    case ofKind(EntityKind, FetchCollection)
  }

  private struct Own {
    let level: Int
    let entity: Int
    let relationship: Int
    let destination: Int
  }

  private func place(of collection: FetchCollection) throws -> Place {
    switch collection.relationship {
    case .property(let path):
      if let hop = try hop(.property(path)) {
        let rest = String(path.dropFirst(hop.prefix.count))
        return .related(
          hop.reference, FetchCollection(.property(rest), where: collection.condition))
      }
      return .own(try own(path, of: layout, level: 0))
    case .subentityProperty(let entity, let property):
      let rest = FetchCollection(.property(property), where: collection.condition)
      guard let kind = try subentity(entity) else { return try place(of: rest) }
      return .ofKind(kind, rest)
    case .outer(0, let inner):
      return try place(of: FetchCollection(inner, where: collection.condition))
    case .outer(let levels, .property(let name)):
      let (object, level) = try object(around: levels)
      guard let schema else { break }
      if name.utf8.contains(UInt8(ascii: ".")) {
        throw invalid(
          "inside a collection, '\(name)' of an object around it is a collection behind a path",
          expected: "use a relationship of that object itself, or begin with the path outside")
      }
      return .own(try own(name, of: schema.entities[object.entity], level: level))
    default: break
    }
    throw invalid("a collection is not a to-many relationship")
  }

  private func own(_ name: String, of layout: EntityLayout, level: Int) throws -> Own {
    guard let schema,
      let place = schema.relationships[layout.index].firstIndex(where: {
        $0.relationship.name == name && !$0.isHidden
      })
    else {
      // The error of an unknown name, or of an attribute.
      _ = try layout.querySlot(name, isNullTest: true)
      throw invalid("'\(name)' is an attribute, and a collection is a to-many relationship")
    }
    let relationship = schema.relationships[layout.index][place]
    if case .slot = relationship.storage {
      throw invalid("'\(name)' is a to-one relationship, and a collection is a to-many one")
    }
    return Own(
      level: level, entity: layout.index, relationship: place,
      destination: relationship.destination)
  }

  private mutating func bind(_ own: Own, where condition: FetchPredicate?, depth: Int) throws
    -> QueryCollection
  {
    guard depth < PredicateBinder.maximumNesting else {
      throw PersistenceError(
        .tooComplex, entity: layout.name,
        found: "collections are nested more than \(PredicateBinder.maximumNesting) levels deep")
    }
    let bound = try condition.map { condition in
      try within(own.destination, around) { binder in
        try binder.bind(Negatable(condition), depth: depth + 1)
      }
    }
    return QueryCollection(
      level: own.level, entity: own.entity, relationship: own.relationship,
      destination: own.destination, condition: bound == .constant(true) ? nil : bound)
  }

  // MARK: Any and all

  /// The comparison of a quantifier as a condition on the collections in its path.
  func expand(_ quantifier: FetchPredicate.Quantifier, _ comparison: FetchPredicate) throws
    -> FetchPredicate
  {
    guard let (left, inner) = Self.parts(comparison), case .property(let path) = left,
      let (collection, rest, isLast) = try split(path)
    else {
      throw invalid(
        "'\(quantifier.rawValue)' is used without a path through a to-many relationship on the left side"
      )
    }
    let about = inner(rest.isEmpty ? .object : .property(rest))
    let condition = isLast ? about : .quantified(quantifier, about)
    return switch quantifier {
    case .any: .exists(FetchCollection(.property(collection), where: condition))
    case .all: .not(.exists(FetchCollection(.property(collection), where: .not(condition))))
    }
  }

  /// The left side of a comparison, and a function that makes the comparison about the objects of a
  /// collection.
  private static func parts(_ comparison: FetchPredicate) -> (
    FetchExpression, (FetchExpression) -> FetchPredicate
  )? {
    switch comparison {
    case .comparison(let left, let sign, let right):
      (left, { .comparison($0, sign, right.inCollection) })
    case .isIn(let left, let values): (left, { .isIn($0, values) })
    case .text(let left, let test, let right): (left, { .text($0, test, right.inCollection) })
    case .isInVariable(let left, let name): (left, { .isInVariable($0, name) })
    default: nil
    }
  }

  /// A path as that of its first to-many relationship, and the rest; nil when it has none.
  private func split(_ path: String) throws -> (String, rest: String, isLast: Bool)? {
    guard let schema else { return nil }
    var entity = layout.index
    var steps = path.split(separator: ".", omittingEmptySubsequences: false)[...]
    var taken: [Substring] = []
    while let step = steps.popFirst() {
      taken.append(step)
      guard let relationship = schema.relationship(String(step), of: entity) else { return nil }
      entity = relationship.destination
      if case .slot = relationship.storage { continue }
      let isLast = !Self.hasToMany(steps, schema, entity)
      return (taken.joined(separator: "."), steps.joined(separator: "."), isLast)
    }
    return nil
  }

  private static func hasToMany(
    _ steps: ArraySlice<Substring>, _ schema: StoreSchema, _ entity: Int
  )
    -> Bool
  {
    var entity = entity
    for step in steps {
      guard let relationship = schema.relationship(String(step), of: entity) else { return false }
      guard case .slot = relationship.storage else { return true }
      entity = relationship.destination
    }
    return false
  }

  // MARK: Several objects

  /// Whether a comparison is of values of different objects: of a path and of something beside its
  /// first step.
  func areOfDifferentObjects(_ left: FetchExpression, _ right: FetchExpression) throws -> Bool {
    if case .constant = left { return false }
    if case .constant = right { return false }
    let (a, b) = (try hop(left), try hop(right))
    if a == nil && b == nil { return false }
    return a?.reference.slot != b?.reference.slot
  }
}

extension FetchExpression {
  /// The expression as a part of a condition on the objects of a collection.
  fileprivate var inCollection: FetchExpression {
    if case .constant = self { return self }
    return .outer(1, self)
  }
}
