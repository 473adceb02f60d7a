/// Names and paths.
extension ConditionChecker {
  /// What a path leads to.
  struct Found {
    enum Target {
      indirect case attribute(AttributeDescription, owner: Int)
      case object(Int), toMany(Int)
    }
    var target: Target
    /// Whether an object or the value can be missing.
    var isOptional = false
    var place: Int?
  }

  enum Resolution {
    case found(Found)
    /// A name is unknown; its problem is reported.
    case unknown
  }

  /// Follows a path from the entity.
  @inline(never)
  mutating func resolve(_ path: String) -> Resolution {
    let steps = NamePlace.steps(path)
    var current = entity
    var found = Found(target: .object(entity), place: steps.first?.place)
    for (index, step) in steps.enumerated() {
      let isLast = index == steps.count - 1
      if let relationship = relationship(step.name, of: current) {
        guard isKnown(current, step.name),
          let destination = model.entityIndex(relationship.destination)
        else {
          skip()
          return .unknown
        }
        current = destination
        found.isOptional = found.isOptional || !relationship.isToMany && relationship.isOptional
        // Also a required relationship can lead to no object: before the object is saved.
        if !isLast { found.isOptional = true }
        found.target = relationship.isToMany ? .toMany(destination) : .object(destination)
        if relationship.isToMany, !isLast {
          report(
            .conditionType, at: step.place, "'\(step.name)' is a to-many relationship",
            expected: "ANY or ALL before the comparison, SUBQUERY, or an aggregate such as @count")
          return .unknown
        }
        continue
      }
      if let attribute = attribute(step.name, of: current), isLast {
        guard isKnown(current, step.name) else {
          skip()
          return .unknown
        }
        found.target = .attribute(attribute, owner: current)
        found.isOptional = found.isOptional || attribute.isOptional
        return .found(found)
      }
      if let projection = attribute(step.name, of: current)?.projection(after: index, of: steps) {
        guard isKnown(current, step.name) else {
          skip()
          return .unknown
        }
        found.target = .attribute(projection, owner: current)
        found.isOptional = true
        return .found(found)
      }
      reportUnknown(step, of: current, isAttribute: attribute(step.name, of: current) != nil)
      return .unknown
    }
    return .found(found)
  }

  /// The number of steps up to the first to-many relationship; nil when there is none.
  @inline(never)
  func toManyStepCount(_ steps: [NamePlace.Step]) -> Int? {
    var current = entity
    for (index, step) in steps.enumerated() {
      guard let relationship = relationship(step.name, of: current),
        let destination = model.entityIndex(relationship.destination)
      else { return nil }
      if relationship.isToMany { return index + 1 }
      current = destination
    }
    return nil
  }

  @inline(never)
  private mutating func reportUnknown(_ step: NamePlace.Step, of entity: Int, isAttribute: Bool) {
    let name = model.entities[entity].name
    if isAttribute {
      report(
        .conditionType, at: step.place, "'\(step.name)' is an attribute of \(name)",
        expected: "a relationship before the point")
      return
    }
    guard isKnown(entity, step.name) else { return skip() }
    report(
      .unknownProperty, at: step.place, step.name, expected: name,
      candidates: .properties(of: entity))
  }

  /// The names of which one may have been meant.
  @inline(never)
  func names(_ candidates: Candidates) -> [String] {
    switch candidates {
    case .none: []
    case .entities: model.entities.map(\.name)
    case .properties(let entity):
      line(of: entity).map { model.entities[$0] }.flatMap {
        $0.attributes.map(\.name) + $0.relationships.map(\.name)
      }
    }
  }

  /// The entity and its ancestors.
  func line(of entity: Int) -> [Int] { model.ancestors(ofEntity: entity) + [entity] }

  func attribute(_ name: String, of entity: Int) -> AttributeDescription? {
    line(of: entity).lazy.compactMap { model.entities[$0].attribute(name) }.first
  }

  func relationship(_ name: String, of entity: Int) -> RelationshipDescription? {
    line(of: entity).lazy.compactMap { model.entities[$0].relationship(name) }.first
  }

  /// The position of an entity that a condition names: the entity, an ancestor or a subentity.
  @inline(never)
  mutating func subentity(_ marked: String) -> Int? {
    let step = NamePlace.steps(marked).first
    let name = NamePlace.plain(marked)
    guard let named = model.entityIndex(name) else {
      report(
        .conditionType, at: step?.place, "the model has no entity '\(name)'",
        expected: "the name of an entity", candidates: .entities(like: name))
      return nil
    }
    guard line(of: named).contains(entity) || line(of: entity).contains(named) else {
      report(
        .conditionType, at: step?.place,
        "'\(name)' is not a subentity of \(model.entities[entity].name)",
        expected: "a subentity or an ancestor")
      return nil
    }
    return named
  }

  // MARK: Relationships of collections

  /// The entity of the objects of a to-many relationship; nil after a problem.
  @inline(never)
  mutating func destination(of relationship: FetchExpression) -> Int? {
    switch relationship {
    case .property(let path): return destination(ofPath: path)
    case .subentityProperty(let entity, let property):
      guard let named = subentity(entity) else { return nil }
      return within(named, outer) { $0.destination(ofPath: property) }
    case .object:
      report(
        .conditionType, at: relationship.place,
        "an aggregate of SELF is one of a group, and a condition on objects has no groups",
        expected: "the name of a to-many relationship before the aggregate")
      return nil
    case .outer(let levels, let inner):
      if levels == 0 { return destination(of: inner) }
      guard levels <= outer.count else { return nil }
      if case .property(let path) = inner, NamePlace.steps(path).count > 1 {
        report(
          .conditionType, at: NamePlace.first(in: path),
          "'\(NamePlace.plain(path))' is a path of an object around the SUBQUERY",
          expected: "the name of a to-many relationship")
        return nil
      }
      return within(outer[levels - 1], Array(outer.dropFirst(levels))) {
        $0.destination(of: inner)
      }
    default: return nil
    }
  }

  @inline(never)
  private mutating func destination(ofPath path: String) -> Int? {
    guard case .found(let found) = resolve(path) else { return nil }
    if case .toMany(let destination) = found.target { return destination }
    let kind = if case .object = found.target { "a to-one relationship" } else { "an attribute" }
    report(
      .conditionType, at: found.place, "'\(NamePlace.plain(path))' is \(kind)",
      expected: "a to-many relationship")
    return nil
  }

  // MARK: Values

  /// The value of a path.
  @inline(never)
  mutating func typed(path: String, isNullTest: Bool) -> Typed {
    if let length = typed(lengthIn: path) { return length }
    guard case .found(let found) = resolve(path) else {
      return Typed(place: NamePlace.first(in: path))
    }
    let text = "'\(NamePlace.plain(path))'"
    switch found.target {
    case .object(let entity):
      return Typed(
        type: .object(root: model.root(ofEntity: entity)), variableType: .object(entity: entity),
        isOptional: found.isOptional, place: found.place, text: text)
    case .toMany:
      report(
        .conditionType, at: found.place, "\(text) is a to-many relationship",
        expected: "ANY or ALL before the comparison, SUBQUERY, or an aggregate such as @count")
      return Typed(place: found.place)
    case .attribute(let attribute, let owner):
      if let obstacle = attribute.obstacleToConditions(isNullTest: isNullTest) {
        report(
          .conditionType, at: found.place, "\(text) is \(obstacle)",
          expected: attribute.isTransient ? "a stored attribute" : "a comparison with nil")
        return Typed(place: found.place)
      }
      return Typed(
        type: QueryValueType(attribute.type),
        variableType: attribute.cases == nil
          ? .value(attribute.type) : .cases(attribute, entity: owner),
        attribute: attribute, isOptional: found.isOptional, place: found.place, text: text)
    }
  }

  /// The length of a text, as in `name.length`; nil for another path.
  @inline(never)
  private mutating func typed(lengthIn path: String) -> Typed? {
    let steps = NamePlace.steps(path)
    guard steps.count > 1, steps.last?.name == "length" else { return nil }
    let isPeeking = isPeeking
    self.isPeeking = true
    let text = resolve(NamePlace.path(steps.dropLast()))
    self.isPeeking = isPeeking
    guard case .found(let found) = text, case .attribute(let attribute, _) = found.target,
      attribute.type == .string, attribute.obstacleToConditions(isNullTest: false) == nil
    else { return nil }
    return Typed(
      type: .integer, isOptional: found.isOptional, place: found.place,
      text: "'\(NamePlace.plain(path))'"
    ).calculated()
  }

  // MARK: The source of a fetched property

  /// Whether a variable is the object that has a fetched property, or a value of it.
  func isSource(_ variable: String) -> Bool {
    NamePlace.steps(variable).first?.name == FetchPredicate.sourceVariable
  }

  /// The value of the object that has a fetched property.
  @inline(never)
  mutating func typed(source variable: String) -> Typed {
    let steps = NamePlace.steps(variable)
    let place = steps.first?.place
    guard let source = requireSource(variable) else { return Typed(place: place) }
    var value = Typed(
      type: .object(root: model.root(ofEntity: source)), variableType: .object(entity: source),
      place: place)
    if steps.count > 1 {
      value = within(source, []) {
        $0.typed(path: NamePlace.path(steps.dropFirst()), isNullTest: false)
      }
    }
    value.text = "'$\(NamePlace.plain(variable))'"
    value.isSource = true
    return value
  }

  /// The objects of a to-many relationship of the object that has a fetched property.
  @inline(never)
  mutating func sourceList(_ variable: String) -> Typed? {
    let steps = NamePlace.steps(variable)
    guard let source = requireSource(variable) else { return nil }
    let text = "'$\(NamePlace.plain(variable))'"
    if steps.count > 1 {
      let found = within(source, []) { $0.resolve(NamePlace.path(steps.dropFirst())) }
      guard case .found(let found) = found else { return nil }
      if case .toMany(let entity) = found.target {
        return Typed(
          type: .object(root: model.root(ofEntity: entity)), place: steps.first?.place, text: text)
      }
    }
    report(
      .conditionType, at: steps.first?.place, "IN is used with the single value \(text)",
      expected: "==, or a to-many relationship")
    return nil
  }

  @inline(never)
  private mutating func requireSource(_ variable: String) -> Int? {
    if source == nil {
      report(
        .conditionType, at: NamePlace.first(in: variable),
        "'$\(NamePlace.plain(variable))' is used in a condition without a source object",
        expected: "another name for the variable, or a fetched property")
      skip()
    }
    return source
  }
}

extension AttributeDescription {
  /// The projection of the attribute that the last step of a path names, as an attribute; nil for
  /// another path.
  fileprivate func projection(after index: Int, of steps: [NamePlace.Step]) -> AttributeDescription?
  {
    guard index == steps.count - 2 else { return nil }
    return projections.first { $0.name == steps[index + 1].name }?.attribute(of: name)
  }

  /// Why a condition cannot compare the attribute; nil when it can.
  func obstacleToConditions(isNullTest: Bool) -> String? {
    if isTransient { return "transient" }
    if isNullTest { return nil }
    if type == .transformable { return "transformable" }
    return externalThreshold == nil ? nil : "external"
  }
}
