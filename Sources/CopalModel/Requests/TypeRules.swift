/// Which types of values can be compared and calculated together, and what results.
///
/// This is the one table of these rules: the binder of stores, the check of model files and the
/// code generator use it. `Docs/Fetching.md` shows it to users.
///
/// Numbers of all types compare by their exact values. A double that is written as a constant is,
/// beside a decimal, the decimal that is written there: `0.1` is one tenth.
package enum TypeRules {
  /// One side of a comparison or calculation.
  package struct Side {
    package let type: QueryValueType
    /// The value of a constant; nil for a value of an object.
    package let constant: PropertyValue?

    package init(_ type: QueryValueType, constant: PropertyValue? = nil) {
      self.type = type
      self.constant = constant
    }
  }

  /// The types of the arguments of a function, to which they are converted, and of its result.
  package struct Signature {
    package let arguments: [QueryValueType]
    package let result: QueryValueType

    init(_ arguments: [QueryValueType], _ result: QueryValueType) {
      self.arguments = arguments
      self.result = result
    }
  }

  // MARK: Two values

  /// The type of two values together, in a calculation or as two possible results; nil where there
  /// is none.
  package static func common(_ a: Side, _ b: Side) -> QueryValueType? {
    switch (a.type, b.type) {
    case (let first, let second) where first == second: first
    case (.integer, .double), (.double, .integer): .double
    case (.integer, .decimal), (.decimal, .integer): .decimal
    case (.decimal, .double): b.constant == nil ? .double : .decimal
    case (.double, .decimal): a.constant == nil ? .double : .decimal
    // Property lists and JSON of other programs write booleans as numbers.
    case (.boolean, .integer): b.isBoolean ? .boolean : nil
    case (.integer, .boolean): a.isBoolean ? .boolean : nil
    default: nil
    }
  }

  /// Whether two values can be compared.
  package static func areComparable(_ a: Side, _ b: Side) -> Bool { common(a, b) != nil }

  // MARK: Functions

  /// The types of a function's arguments and result; nil for arguments that it cannot have.
  ///
  /// - Parameter sides: as many as the function has arguments.
  package static func signature(_ function: FetchFunction, _ sides: [Side]) -> Signature? {
    guard let first = sides.first else {
      return function == .now ? Signature([], .date) : nil
    }
    return sides.count == 2
      ? signature(function, first, sides[1]) : signature(function, first.type)
  }

  private static func signature(_ function: FetchFunction, _ a: Side, _ b: Side) -> Signature? {
    switch (function, a.type, b.type) {
    case (.add, .date, let other) where other.isNumber,
      (.subtract, .date, let other) where other.isNumber:
      return Signature([.date, .double], .date)
    case (.add, let other, .date) where other.isNumber: return Signature([.double, .date], .date)
    case (.subtract, .date, .date): return Signature([.date, .date], .double)
    case (.add, _, _), (.subtract, _, _), (.multiply, _, _), (.divide, _, _), (.remainder, _, _):
      guard a.type.isNumber, b.type.isNumber, let type = common(a, b) else { return nil }
      // A remainder of doubles has hardly ever the value that is meant.
      if function == .remainder, type == .double { return nil }
      return Signature([type, type], type)
    case (.ifNil, _, _): return common(a, b).map { Signature([$0, $0], $0) }
    default: return nil
    }
  }

  private static func signature(_ function: FetchFunction, _ type: QueryValueType) -> Signature? {
    let isNumber = type.isNumber
    return switch function {
    case .negate, .absolute, .floor, .ceiling, .truncate:
      isNumber ? Signature([type], type) : nil
    case .squareRoot: isNumber ? Signature([.double], .double) : nil
    case .lowercased, .uppercased, .foldCase, .foldDiacritics, .fold:
      type == .string ? Signature([.string], .string) : nil
    case .length: type == .string ? Signature([.string], .integer) : nil
    case .toInteger:
      isNumber || type == .string || type == .boolean ? Signature([type], .integer) : nil
    case .toDecimal:
      isNumber || type == .string || type == .boolean ? Signature([type], .decimal) : nil
    case .toDouble:
      isNumber || [.string, .boolean, .date].contains(type) ? Signature([type], .double) : nil
    case .toString:
      isNumber || [.string, .boolean, .uuid, .uri].contains(type)
        ? Signature([type], .string) : nil
    case .toDate:
      type == .date ? Signature([.date], .date) : isNumber ? Signature([.double], .date) : nil
    case .add, .subtract, .multiply, .divide, .remainder, .ifNil, .now: nil
    }
  }
}

extension QueryValueType {
  /// Whether `toString` makes a text of its values.
  package var hasText: Bool { TypeRules.signature(.toString, [.init(self)]) != nil }
}

extension TypeRules.Side {
  fileprivate var isBoolean: Bool { constant == .integer(0) || constant == .integer(1) }
}
