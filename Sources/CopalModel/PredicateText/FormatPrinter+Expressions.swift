/// Values: paths, functions, arithmetic and aggregates.
extension FormatPrinter {
  /// How strongly an expression holds together.
  enum Strength: Int {
    case sum, product, sign, primary
  }

  /// Prints an expression, in parentheses when it is weaker than its place needs.
  mutating func print(_ expression: FetchExpression, minimum: Strength) {
    switch expression {
    case .property(let name): print(path: name, of: subject, isPlain: subject == "SELF")
    case .subentityProperty(let entity, let property):
      print(path: property, of: "as:(\(subject), \(FormatLiteral.quoted(entity)))", isPlain: false)
    case .constant(let value): put(value.format)
    case .object: put(subject)
    case .variable(let name): print(variable: name)
    case .outer(let levels, let inner):
      let names = names
      self.names = Array(names.prefix(max(1, names.count - min(max(levels, 0), names.count))))
      print(inner, minimum: minimum)
      self.names = names
    case .call(let function, let arguments): print(function, arguments, minimum)
    case .aggregate(let aggregate, let collection, let value): print(aggregate, collection, value)
    case .conditional(let condition, let first, let second):
      put("TERNARY(")
      print(condition, in: .whole)
      put(", ")
      print(first, minimum: .sum)
      put(", ")
      print(second, minimum: .sum)
      put(")")
    }
  }

  private mutating func print(path name: String, of subject: String, isPlain: Bool) {
    guard FormatPath.isValid(name) else {
      return put("property:(\(subject), \(FormatLiteral.quoted(name)))")
    }
    guard isPlain else { return put("\(subject).\(name)") }
    let first = name.utf8.prefix { $0 != UInt8(ascii: ".") }
    let isWord = FormatWord(name: String(Substring(first))) != nil
    put(isWord ? "#" + name : name)
  }

  private mutating func print(variable name: String) {
    let hasPath = name.utf8.contains(UInt8(ascii: "."))
    let isSource = name.hasPrefix(FetchPredicate.sourceVariable + ".")
    let scope = isSource ? FetchPredicate.sourceVariable : name
    let isPlain =
      FormatPath.isValid(name) && (!hasPath || isSource) && !scopes.contains("$" + scope)
    put(isPlain ? "$" + name : "variable:(\(FormatLiteral.quoted(name)))")
  }

  private mutating func print(
    _ function: FetchFunction, _ arguments: [FetchExpression], _ minimum: Strength
  ) {
    switch (function, arguments.count) {
    case (.add, 2): print(arguments, "+", left: .sum, right: .product, minimum: minimum)
    case (.subtract, 2): print(arguments, "-", left: .sum, right: .product, minimum: minimum)
    case (.multiply, 2): print(arguments, "*", left: .product, right: .sign, minimum: minimum)
    case (.divide, 2): print(arguments, "/", left: .product, right: .sign, minimum: minimum)
    case (.negate, 1):
      let needsParentheses = minimum.rawValue > Strength.sign.rawValue
      put(needsParentheses ? "(-" : "-")
      // Without parentheses, a minus belongs to the number.
      if case .constant = arguments[0] {
        put("(")
        print(arguments[0], minimum: .sum)
        put(")")
      } else {
        print(arguments[0], minimum: .sign)
      }
      if needsParentheses { put(")") }
    default:
      if let cast = FormatCast(function), arguments.count == 1, !arguments[0].isConstant {
        put("CAST(")
        print(arguments[0], minimum: .sum)
        return put(", \"\(cast.rawValue)\")")
      }
      put(FormatFunctionName.name(function) + (function == .now ? "(" : ":("))
      for (index, argument) in arguments.enumerated() {
        if index > 0 { put(", ") }
        print(argument, minimum: .sum)
      }
      put(")")
    }
  }

  private mutating func print(
    _ operands: [FetchExpression], _ sign: String, left: Strength, right: Strength,
    minimum: Strength
  ) {
    let needsParentheses = minimum.rawValue > left.rawValue
    if needsParentheses { put("(") }
    print(operands[0], minimum: left)
    put(" \(sign) ")
    print(operands[1], minimum: right)
    if needsParentheses { put(")") }
  }

  private mutating func print(
    _ aggregate: FetchAggregate, _ collection: FetchCollection, _ value: FetchExpression?
  ) {
    let isValueCount = aggregate == .count && value != nil && collection.relationship == .object
    let function = isValueCount ? FetchAggregate.valueCountName : aggregate.rawValue
    let name = aggregate == .average ? "avg" : function
    if aggregate == .count, !isValueCount {
      print(collection)
      return put(".@count")
    }
    if case .property(let property)? = value, FormatPath.isValid(property) {
      print(collection)
      return put(".@\(name).\(property)")
    }
    put(function + ":(")
    print(collection.relationship, minimum: .sum)
    inScope { printer, name in
      printer.put(", \(name), ")
      printer.print(value ?? .constant(.null), minimum: .sum)
      guard let condition = collection.condition else { return }
      printer.put(", ")
      printer.print(condition, in: .whole)
    }
    put(")")
  }

  private mutating func print(_ collection: FetchCollection) {
    guard let condition = collection.condition else {
      return print(collection.relationship, minimum: .primary)
    }
    put("SUBQUERY(")
    print(collection.relationship, minimum: .sum)
    inScope { printer, name in
      printer.put(", \(name), ")
      printer.print(condition, in: .whole)
    }
    put(")")
  }
}

extension FetchExpression {
  /// Whether it is a constant.
  var isConstant: Bool {
    if case .constant = self { return true }
    return false
  }
}

extension FormatWord {
  /// The reserved word that a name is, without regard to case; nil for another name.
  fileprivate init?(name: String) {
    guard name.utf8.count <= 14, let word = FormatWord(rawValue: name.lowercased()) else {
      return nil
    }
    self = word
  }
}
