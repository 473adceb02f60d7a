extension FetchPredicate {
  /// The condition in the language of formats, with one spelling for each part.
  ///
  /// ```swift
  /// let predicate = try FetchPredicate(format: "price>%@ && name=[c]'Woad'", 12.5)
  /// print(predicate.format)  // price > 12.5 AND name ==[c] "Woad"
  /// ```
  ///
  /// ``init(format:_:)`` reads it back as the same condition. A list of conditions that is empty or
  /// has one condition is printed as `TRUEPREDICATE`, `FALSEPREDICATE` or that condition; the
  /// levels of `outer` move to its properties; a test of a text with nil, which is never true, is
  /// `FALSEPREDICATE`. What no fetch accepts, such as a function with too many arguments, is
  /// printed, but does not read back.
  ///
  /// The values of the condition are in the text: think of it before you write it to a log. The
  /// cost is proportional to its length.
  public var format: String {
    var printer = FormatPrinter()
    printer.print(self, in: .whole)
    return printer.text
  }
}

/// Prints conditions. The expressions are in `FormatPrinter+Expressions.swift`.
struct FormatPrinter {
  private(set) var text = ""
  /// The variables for the objects around the place, the outermost first. The first one has no
  /// name: it is the object that is fetched.
  var names = [""]
  /// The variables of all SUBQUERYs around the place. An expression about an outer object does not
  /// use the last ones.
  private(set) var scopes: [String] = []

  /// What is around a condition.
  enum Surroundings {
    case whole, list, not
  }

  mutating func put(_ text: String) { self.text += text }

  mutating func print(_ predicate: FetchPredicate, in surroundings: Surroundings) {
    switch predicate {
    case .constant(let flag): put(flag ? "TRUEPREDICATE" : "FALSEPREDICATE")
    case .and(let parts): print(parts, "AND", isTrueWhenEmpty: true, surroundings)
    case .or(let parts): print(parts, "OR", isTrueWhenEmpty: false, surroundings)
    case .not(let inner): print(negated: inner)
    case .quantified(let quantifier, let inner):
      print(quantified: quantifier == .any ? "ANY" : "ALL", inner)
    case .comparison(let a, let comparison, let b): print(a, comparison.symbol, b)
    case .text(let a, let test, let b):
      // The text `a ==[c] nil` asks whether there is no value.
      if case .equal = test, a.isNilConstant || b.isNilConstant {
        put("FALSEPREDICATE")
      } else {
        print(a, test.symbol, b)
      }
    case .isIn(let a, let values):
      print(a, minimum: .sum)
      put(" IN {")
      for (index, value) in values.enumerated() {
        if index > 0 { put(", ") }
        put(value.format)
      }
      put("}")
    case .isInVariable(let a, let name): print(a, "IN", .variable(name))
    case .isKind(let name): put("iskind:(\(subject), \(FormatLiteral.quoted(name)))")
    case .exists(let collection): print(exists: collection)
    }
  }

  private mutating func print(
    _ parts: [FetchPredicate], _ word: String, isTrueWhenEmpty: Bool, _ surroundings: Surroundings
  ) {
    if parts.isEmpty { return put(isTrueWhenEmpty ? "TRUEPREDICATE" : "FALSEPREDICATE") }
    if parts.count == 1 { return print(parts[0], in: surroundings) }
    let needsParentheses = surroundings != .whole
    if needsParentheses { put("(") }
    for (index, part) in parts.enumerated() {
      if index > 0 { put(" \(word) ") }
      print(part, in: .list)
    }
    if needsParentheses { put(")") }
  }

  private mutating func print(negated inner: FetchPredicate) {
    switch inner {
    case .and(let parts) where parts.count == 1, .or(let parts) where parts.count == 1:
      print(negated: parts[0])
    case .quantified(.any, let part): print(quantified: "NONE", part)
    case .text(let a, .equal(let options), let b)
    where !a.isNilConstant && !b.isNilConstant:
      print(a, "!=" + options.letters(or: "[n]"), b)
    default:
      put("NOT ")
      print(inner, in: .not)
    }
  }

  private mutating func print(quantified word: String, _ inner: FetchPredicate) {
    put(word + " ")
    switch inner {
    case .comparison, .isIn, .isInVariable, .text: print(inner, in: .not)
    default:
      put("(")
      print(inner, in: .whole)
      put(")")
    }
  }

  private mutating func print(_ a: FetchExpression, _ symbol: String, _ b: FetchExpression) {
    print(a, minimum: .sum)
    put(" \(symbol) ")
    print(b, minimum: .sum)
  }

  private mutating func print(exists collection: FetchCollection) {
    if case .comparison(.object, .equal, let inner)? = collection.condition,
      collection.relationship.isPath, let object = inner.movedOutOfCollection, object.canBeInPath
    {
      return print(object, "IN", collection.relationship)
    }
    put("exists:(")
    print(collection.relationship, minimum: .sum)
    if let condition = collection.condition {
      inScope { printer, name in
        printer.put(", \(name), ")
        printer.print(condition, in: .whole)
      }
    }
    put(")")
  }

  /// Prints what is about the objects of a collection.
  mutating func inScope(_ print: (inout FormatPrinter, String) -> Void) {
    let letters = ["x", "y", "z"]
    let count = scopes.count
    let name = "$" + (count < letters.count ? letters[count] : "x\(count + 1)")
    scopes.append(name)
    names.append(name)
    print(&self, name)
    names.removeLast()
    scopes.removeLast()
  }

  /// The object that expressions are about.
  var subject: String {
    guard let name = names.last, !name.isEmpty else { return "SELF" }
    return name
  }
}

extension FetchExpression {
  /// Whether it is read back before `IN` and a path. Other constants can be in no relationship.
  fileprivate var canBeInPath: Bool {
    if case .constant = self { return isObjectConstant }
    return true
  }
}

extension FetchPredicate.TextTest {
  fileprivate var symbol: String {
    switch self {
    case .equal(let options): "==" + options.letters(or: "[n]")
    case .contains(let options): "CONTAINS" + options.letters()
    case .hasPrefix(let options): "BEGINSWITH" + options.letters()
    case .hasSuffix(let options): "ENDSWITH" + options.letters()
    case .like(let options): "LIKE" + options.letters()
    case .matches: "MATCHES"
    }
  }
}

extension FetchPredicate.TextOptions {
  /// The options in brackets; another text for none.
  fileprivate func letters(or none: String = "") -> String {
    switch (contains(.caseInsensitive), contains(.diacriticInsensitive)) {
    case (true, true): "[cd]"
    case (true, false): "[c]"
    case (false, true): "[d]"
    case (false, false): none
    }
  }
}
