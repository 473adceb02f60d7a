import CopalEssentials

/// The types of the variables of a condition.
extension ConditionChecker {
  /// The variables in the order in which the text names them. Reports those without a type, and
  /// with several.
  @inline(never)
  mutating func variables() -> [TemplateVariable] {
    let names = uses.map { name, uses in (name, place: uses.compactMap(\.place).min() ?? 0) }
      .inOrder { ($0.place, $0.0) < ($1.place, $1.0) }
    if source != nil, let first = names.first {
      report(
        .variableType, at: first.place, first.0,
        expected: "is not known to a fetched property; write a constant, or a value of the object "
          + "such as $\(FetchPredicate.sourceVariable).name")
      return []
    }
    let isSound = findings.isEmpty && !hasUnknown
    return names.compactMap { name, place in
      checkName(name, at: place)
      return variable(name, uses[name] ?? [], at: place, isSound: isSound)
    }
  }

  /// The name becomes that of a parameter of a function.
  private mutating func checkName(_ name: String, at place: Int) {
    if !SwiftIdentifier.isValid(name) {
      report(
        .invalidName, at: place, name, expected: "letters, digits and _, with no digit first")
    } else if let reason = ReservedNames.reason(againstVariable: name) {
      report(.reservedName, at: place, name, expected: reason)
    }
  }

  /// - Parameter isSound: whether the condition has no other problem, from which a missing type
  ///   could come.
  @inline(never)
  private mutating func variable(
    _ name: String, _ uses: [Use], at place: Int, isSound: Bool
  ) -> TemplateVariable? {
    let valueUses = uses.filter { !$0.isNullTest }.inOrder { ($0.place ?? 0) < ($1.place ?? 0) }
    let typed = valueUses.filter { $0.type != nil }
    guard let first = typed.first, var type = first.type else {
      if isSound {
        report(
          .variableType, at: place, name,
          expected: "is compared with nothing that has a type; compare it with an attribute")
      }
      return nil
    }
    if let other = valueUses.first(where: { $0.isList != valueUses[0].isList }) {
      report(
        .variableType, at: other.place, name,
        expected: other.isList
          ? "is a list here, and one value before; use two variables"
          : "is one value here, and a list before; use two variables")
      return nil
    }
    for use in typed.dropFirst() {
      guard let next = use.type else { continue }
      guard let common = common(type, next) else {
        report(
          .variableType, at: use.place, name,
          expected: "is \(text(next)) here, and \(text(type)) before; use two variables")
        return nil
      }
      type = common
    }
    let isOptional =
      uses.contains(where: \.isNullTest) || valueUses.allSatisfy(\.acceptsNil)
    return TemplateVariable(
      name: name, type: type, isList: first.isList, isOptional: isOptional && !first.isList)
  }

  /// The type that a variable has in two comparisons; nil when it cannot have both.
  @inline(never)
  private func common(_ a: TemplateValueType, _ b: TemplateValueType) -> TemplateValueType? {
    if a == b { return a }
    if case .object(let first) = a, case .object(let second) = b {
      // An object of the subentity is also one of its ancestor.
      if line(of: first).contains(second) { return a }
      return line(of: second).contains(first) ? b : nil
    }
    guard let first = a.attributeType.flatMap({ QueryValueType($0) }),
      let second = b.attributeType.flatMap({ QueryValueType($0) }), first == second
    else { return nil }
    return first.attributeType.map { .value($0) }
  }

  private func text(_ type: TemplateValueType) -> String {
    switch type {
    case .object(let entity): "an object of \(model.entities[entity].name)"
    case .value, .cases:
      type.attributeType.flatMap { QueryValueType($0)?.nameWithArticle } ?? "a value"
    }
  }
}

extension TemplateValueType {
  /// The type of the attributes that it can be compared with; nil for an object.
  package var attributeType: AttributeType? {
    switch self {
    case .value(let type): type
    case .cases(let attribute, _): attribute.type
    case .object: nil
    }
  }
}

extension ManagedObjectModel {
  /// The variables of the condition of a template, in the order of its text.
  ///
  /// - Parameter entity: the position of the entity that has the template.
  @inline(never)
  package func variables(of template: FetchRequestTemplate, ofEntity entity: Int)
    -> [TemplateVariable]
  {
    guard let condition = template.condition,
      case .success(let predicate) = ConditionText.parsed(condition)
    else { return [] }
    var checker = ConditionChecker(self, entity: entity)
    checker.check(predicate)
    return checker.variables()
  }
}

/// A variable of the condition of a template, with the type that its comparisons give it.
package struct TemplateVariable: Sendable, Equatable {
  /// The name without `$`.
  package let name: String
  /// The type of the value, or of each value of the list.
  package let type: TemplateValueType
  /// Whether it is a list: it is used with IN.
  package let isList: Bool
  /// Whether it may be nil: it is compared with what can be nil, for equality only, or with nil
  /// itself.
  package let isOptional: Bool
}

/// The type of a variable.
package enum TemplateValueType: Sendable, Equatable {
  /// A value of an attribute's type.
  case value(AttributeType)
  /// A value of an attribute with cases, which has an enum. The position of the entity that the
  /// condition names it of.
  indirect case cases(AttributeDescription, entity: Int)
  /// An object. The position of its entity.
  case object(entity: Int)
}
