public import CopalModel

extension FetchPredicate: Codable {
  /// The greatest number of conditions that contain each other, in the coded form. A fetch accepts
  /// fewer levels of "and" and "or".
  private static let maximumDepth = 100

  private static let tooDeep = "conditions that are nested at most \(maximumDepth) levels deep"

  private static let codedForms =
    "a condition: true, false, or an object with one of the keys and, or, not, in, isKind, exists, any, all, "
    + textNames.joined(separator: ", ") + ", "
    + Operator.allCases.map(\.symbol).joined(separator: ", ")

  private static let textNames = [
    "contains", "hasPrefix", "hasSuffix", "isEqual", "like", "matches",
  ]

  /// Reads the coded form of a condition.
  ///
  /// ```json
  /// {"and": [
  ///   {"==": [{"property": "name"}, "Ultramarine"]},
  ///   {"<": [{"property": "price"}, {"decimal": "20"}]},
  ///   {"not": {"in": [{"property": "code"}, ["PB29", null]]}}
  /// ]}
  /// ```
  ///
  /// A condition is `true`, `false`, or an object with one key: `and` and `or` have a list of
  /// conditions, `not` has a condition, the operators `==`, `!=`, `<`, `<=`, `>` and `>=` have a
  /// list of two expressions, `in` has a list of an expression and a list of values, and `isKind`
  /// has the name of an entity. `contains`, `hasPrefix`, `hasSuffix`, `isEqual`, `like` and
  /// `matches` have a list of two expressions and, if something is to be ignored, a list of
  /// options: `{"contains": [{"property": "name"}, "ultra", ["caseInsensitive",
  /// "diacriticInsensitive"]]}`. ``FetchExpression/init(from:)`` has the form of an expression,
  /// ``PropertyValue/init(from:)`` that of a value. In place of its list of values, `in` may have
  /// `{"variable": "names"}`. `exists` has a collection, and `any` and `all` have a comparison:
  ///
  /// ```json
  /// {"exists": [{"property": "pigments"}, {">": [{"property": "price"}, 20]}]}
  /// {"any": {">": [{"property": "pigments.price"}, 20]}}
  /// ```
  ///
  /// A collection is a list of the expression of a to-many relationship and, if it has one, of a
  /// condition on its objects.
  ///
  /// The form does not change from version to version. Conditions may be nested 100 levels deep, so
  /// that a condition from an attacker does not end the program.
  ///
  /// - Throws: `DecodingError` for every other form.
  public init(from decoder: any Decoder) throws { try self.init(decoder, depth: 0) }

  fileprivate init(_ decoder: any Decoder, depth: Int) throws {
    try decoder.requireDepth()
    guard depth < Self.maximumDepth else { throw decoder.mistake(Self.tooDeep) }
    if let flag = try? decoder.singleValueContainer().decode(Bool.self) {
      self = .constant(flag)
      return
    }
    guard let object = FormObject(decoder) else { throw decoder.mistake(Self.codedForms) }
    switch object.name {
    case "and": self = .and(try Self.conditions(object, depth: depth + 1))
    case "or": self = .or(try Self.conditions(object, depth: depth + 1))
    case "not":
      self = .not(
        try FetchPredicate(object.container.superDecoder(forKey: object.key), depth: depth + 1))
    case "isKind": self = .isKind(try object.text("the name of an entity"))
    case "in":
      let expected = "a list of an expression and a list of values"
      self = try Self.pair(object, expected) { list in
        let expression = try list.decode(FetchExpression.self)
        guard let values = try? list.nestedUnkeyedContainer() else {
          guard case .variable(let name) = try list.decode(FetchExpression.self) else {
            throw object.mistake(expected)
          }
          return .isInVariable(expression, name)
        }
        return .isIn(expression, try Self.values(values))
      }
    case "exists":
      self = .exists(
        try FetchCollection(object.container.superDecoder(forKey: object.key), depth: depth + 1))
    case let name where Quantifier(rawValue: name) != nil:
      self = .quantified(
        Quantifier(rawValue: name) ?? .any,
        try FetchPredicate(object.container.superDecoder(forKey: object.key), depth: depth + 1))
    case let name where Self.textNames.contains(name): self = try Self.text(object)
    default:
      guard let comparison = Operator(symbol: object.name) else {
        throw decoder.mistake(Self.codedForms)
      }
      self = try Self.pair(object, "a list of two expressions") { list in
        .comparison(
          try list.decode(FetchExpression.self), comparison,
          try list.decode(FetchExpression.self))
      }
    }
  }

  private static func conditions(_ object: FormObject, depth: Int) throws -> [FetchPredicate] {
    guard var list = try? object.container.nestedUnkeyedContainer(forKey: object.key) else {
      throw object.mistake("a list of conditions")
    }
    var parts: [FetchPredicate] = []
    while !list.isAtEnd { parts.append(try FetchPredicate(list.superDecoder(), depth: depth)) }
    return parts
  }

  private static func text(_ object: FormObject) throws -> FetchPredicate {
    let expected = "a list of two expressions and, if needed, a list of options"
    guard var list = try? object.container.nestedUnkeyedContainer(forKey: object.key) else {
      throw object.mistake(expected)
    }
    let (first, second) = (
      try list.decode(FetchExpression.self), try list.decode(FetchExpression.self)
    )
    let names = list.isAtEnd ? [] : try list.decode([String].self)
    guard list.isAtEnd else { throw object.mistake(expected) }
    guard let options = TextOptions(names: names),
      let test = TextTest(name: object.name, options)
    else {
      throw object.mistake(
        object.name == "matches"
          ? "no options, because the pattern has them" : "the options \(TextOptions.allNames)")
    }
    return .text(first, test, second)
  }

  private static func values(_ list: consuming any UnkeyedDecodingContainer) throws
    -> [PropertyValue]
  {
    var values: [PropertyValue] = []
    while !list.isAtEnd { values.append(try list.decode(PropertyValue.self)) }
    return values
  }

  /// Reads a list of two elements.
  private static func pair(
    _ object: FormObject, _ expected: String,
    _ read: (inout any UnkeyedDecodingContainer) throws -> FetchPredicate
  ) throws -> FetchPredicate {
    guard var list = try? object.container.nestedUnkeyedContainer(forKey: object.key),
      list.count ?? 2 == 2
    else { throw object.mistake(expected) }
    let predicate = try read(&list)
    guard list.isAtEnd else { throw object.mistake(expected) }
    return predicate
  }

  /// Writes the form that ``init(from:)`` reads.
  ///
  /// - Throws: `EncodingError` for conditions that are nested more than 100 levels deep.
  public func encode(to encoder: any Encoder) throws {
    try Nested(predicate: self, depth: 0).encode(to: encoder)
  }

  /// A condition inside others.
  fileprivate struct Nested: Encodable {
    let predicate: FetchPredicate
    let depth: Int

    func encode(to encoder: any Encoder) throws {
      try encoder.requireDepth()
      guard depth < FetchPredicate.maximumDepth else {
        throw EncodingError.invalidValue(
          depth,
          EncodingError.Context(
            codingPath: encoder.codingPath, debugDescription: "expected \(FetchPredicate.tooDeep)"))
      }
      if case .constant(let flag) = predicate {
        var container = encoder.singleValueContainer()
        return try container.encode(flag)
      }
      var container = encoder.container(keyedBy: FormKey.self)
      switch predicate {
      case .constant: return
      case .and(let parts): try container.encode(parts.map(inner), forKey: FormKey("and"))
      case .or(let parts): try container.encode(parts.map(inner), forKey: FormKey("or"))
      case .not(let part): try container.encode(inner(part), forKey: FormKey("not"))
      case .isKind(let name): try container.encode(name, forKey: FormKey("isKind"))
      case .isIn(let expression, let values):
        var list = container.nestedUnkeyedContainer(forKey: FormKey("in"))
        try list.encode(expression)
        try list.encode(values)
      case .isInVariable(let expression, let name):
        try container.encode([expression, .variable(name)], forKey: FormKey("in"))
      case .exists(let collection):
        try container.encode(
          FetchCollection.Nested(collection: collection, depth: depth + 1),
          forKey: FormKey("exists"))
      case .quantified(let quantifier, let part):
        try container.encode(inner(part), forKey: FormKey(quantifier.rawValue))
      case .text(let first, let test, let second):
        var list = container.nestedUnkeyedContainer(forKey: FormKey(test.name))
        try list.encode(first)
        try list.encode(second)
        if !test.options.isEmpty { try list.encode(test.options.names) }
      case .comparison(let left, let comparison, let right):
        try container.encode([left, right], forKey: FormKey(comparison.symbol))
      }
    }

    private func inner(_ part: FetchPredicate) -> Nested {
      Nested(predicate: part, depth: depth + 1)
    }
  }
}

extension FetchPredicate.TextOptions {
  private static let named: [(name: String, option: Self)] = [
    ("caseInsensitive", .caseInsensitive), ("diacriticInsensitive", .diacriticInsensitive),
  ]

  fileprivate static var allNames: String { named.map(\.name).joined(separator: " and ") }

  /// The names of the options, in one order.
  package var names: [String] { Self.named.filter { contains($0.option) }.map(\.name) }

  fileprivate init?(names: [String]) {
    self = []
    for name in names {
      guard let (_, option) = Self.named.first(where: { $0.name == name }) else { return nil }
      insert(option)
    }
  }
}

extension FetchPredicate.Operator {
  fileprivate init?(symbol: String) {
    guard let found = Self.allCases.first(where: { $0.symbol == symbol }) else { return nil }
    self = found
  }
}

extension FetchCollection: Codable {
  /// Reads the coded form of a collection: a list of the expression of a to-many relationship and,
  /// if it has one, of a condition on its objects.
  ///
  /// - Throws: `DecodingError` for every other form.
  public init(from decoder: any Decoder) throws { try self.init(decoder, depth: 0) }

  fileprivate init(_ decoder: any Decoder, depth: Int) throws {
    guard var list = try? decoder.unkeyedContainer(), 1...2 ~= list.count ?? 1 else {
      throw decoder.mistake("a list of a relationship and, if needed, a condition")
    }
    self.init(try list.decode(FetchExpression.self))
    if !list.isAtEnd { condition = try FetchPredicate(list.superDecoder(), depth: depth) }
  }

  /// Writes the form that ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    try Nested(collection: self, depth: 0).encode(to: encoder)
  }

  /// A collection in a condition.
  fileprivate struct Nested: Encodable {
    let collection: FetchCollection
    let depth: Int

    func encode(to encoder: any Encoder) throws {
      var list = encoder.unkeyedContainer()
      try list.encode(collection.relationship)
      if let condition = collection.condition {
        try list.encode(FetchPredicate.Nested(predicate: condition, depth: depth))
      }
    }
  }
}

extension FetchExpression: Codable {
  private static let itself = "self"

  /// Reads the coded form of an expression: `{"property": "price"}`, `{"as": ["Book", "pages"]}`
  /// for a property of a subentity, `{"object": "self"}` for the object itself, or a value in the
  /// form of ``PropertyValue/init(from:)``.
  ///
  /// An object with the name of a function has a list of its arguments, and one with the name of an
  /// aggregate has a list of a collection and, except for `count`, of an expression:
  ///
  /// ```json
  /// {"multiply": [{"property": "price"}, {"variable": "count"}]}
  /// {"sum": [[{"property": "pigments"}], {"property": "price"}]}
  /// {"if": [{"==": [{"property": "code"}, null]}, "none", {"property": "code"}]}
  /// {"outer": [1, {"property": "budget"}]}
  /// ```
  ///
  /// - Throws: `DecodingError` for every other form.
  public init(from decoder: any Decoder) throws {
    try decoder.requireDepth()
    guard let object = FormObject(decoder) else {
      guard let value = try? PropertyValue(from: decoder) else {
        throw decoder.mistake(
          "an expression: an object with the key property or as, or a value: "
            + PropertyValue.codedForms)
      }
      self = .constant(value)
      return
    }
    switch object.name {
    case "property": self = .property(try object.text("the name of a property"))
    case "as":
      guard let names = try? object.container.decode([String].self, forKey: object.key),
        names.count == 2
      else { throw object.mistake("a list of the name of an entity and the name of a property") }
      self = .subentityProperty(entity: names[0], property: names[1])
    case "object" where (try? object.text("")) == Self.itself: self = .object
    case "variable": self = .variable(try object.text("the name of a variable"))
    case "outer":
      self = try Self.list(object, "a list of a number of levels and an expression") { list in
        .outer(try list.decode(Int.self), try list.decode(FetchExpression.self))
      }
    case "if":
      self = try Self.list(object, "a list of a condition and two expressions") { list in
        .conditional(
          try list.decode(FetchPredicate.self), try list.decode(FetchExpression.self),
          try list.decode(FetchExpression.self))
      }
    case let name where FetchAggregate(rawValue: name) != nil:
      let aggregate = FetchAggregate(rawValue: name) ?? .count
      let expected =
        aggregate == .count ? "a list of a collection" : "a list of a collection and an expression"
      self = try Self.list(object, expected) { list in
        .aggregate(
          aggregate, try list.decode(FetchCollection.self),
          of: aggregate == .count ? nil : try list.decode(FetchExpression.self))
      }
    case let name where FetchFunction(rawValue: name) != nil:
      let function = FetchFunction(rawValue: name) ?? .now
      self = try Self.list(object, "a list of \(function.argumentCount) expressions") { list in
        var arguments: [FetchExpression] = []
        while !list.isAtEnd, arguments.count < function.argumentCount {
          arguments.append(try list.decode(FetchExpression.self))
        }
        guard arguments.count == function.argumentCount else {
          throw object.mistake("a list of \(function.argumentCount) expressions")
        }
        return .call(function, arguments)
      }
    default: self = .constant(try PropertyValue(from: decoder))
    }
  }

  private static func list(
    _ object: FormObject, _ expected: String,
    _ read: (inout any UnkeyedDecodingContainer) throws -> FetchExpression
  ) throws -> FetchExpression {
    guard var list = try? object.container.nestedUnkeyedContainer(forKey: object.key) else {
      throw object.mistake(expected)
    }
    let expression = try read(&list)
    guard list.isAtEnd else { throw object.mistake(expected) }
    return expression
  }

  /// Writes the form that ``init(from:)`` reads.
  ///
  /// - Throws: `EncodingError` for expressions that are nested too deeply.
  public func encode(to encoder: any Encoder) throws {
    try encoder.requireDepth()
    if case .constant(let value) = self { return try value.encode(to: encoder) }
    var container = encoder.container(keyedBy: FormKey.self)
    switch self {
    case .constant: return
    case .property(let name): try container.encode(name, forKey: FormKey("property"))
    case .subentityProperty(let entity, let property):
      try container.encode([entity, property], forKey: FormKey("as"))
    case .object: try container.encode(Self.itself, forKey: FormKey("object"))
    case .variable(let name): try container.encode(name, forKey: FormKey("variable"))
    case .outer(let levels, let expression):
      var list = container.nestedUnkeyedContainer(forKey: FormKey("outer"))
      try list.encode(levels)
      try list.encode(expression)
    case .call(let function, let arguments):
      try container.encode(arguments, forKey: FormKey(function.rawValue))
    case .aggregate(let aggregate, let collection, let expression):
      var list = container.nestedUnkeyedContainer(forKey: FormKey(aggregate.rawValue))
      try list.encode(collection)
      if let expression { try list.encode(expression) }
    case .conditional(let condition, let first, let second):
      var list = container.nestedUnkeyedContainer(forKey: FormKey("if"))
      try list.encode(condition)
      try list.encode(first)
      try list.encode(second)
    }
  }
}

/// The greatest number of keys and places in lists that lead to a part: more than 100 nested
/// conditions have.
private let maximumPath = 220

extension Decoder {
  /// Refuses parts that are nested too deeply, before the stack is used up.
  fileprivate func requireDepth() throws {
    guard codingPath.count <= maximumPath else {
      throw mistake("conditions and expressions that are nested less deeply")
    }
  }
}

extension Encoder {
  /// Refuses parts that are nested too deeply, before the stack is used up.
  fileprivate func requireDepth() throws {
    guard codingPath.count <= maximumPath else {
      throw EncodingError.invalidValue(
        codingPath.count,
        EncodingError.Context(
          codingPath: codingPath,
          debugDescription: "expected conditions and expressions that are nested less deeply"))
    }
  }
}
