import Copal

/// A condition of a request, with its meaning written out: Swift's, with two truth values.
indirect enum Condition {
  case all
  case compare(String, FetchPredicate.Operator, PlainValue)
  case compareAttributes(String, FetchPredicate.Operator, String)
  case isIn(String, [PlainValue])
  /// Whether there is a value; all that can be asked of a transformable.
  case hasValue(String)
  case not(Condition)
  case and(Condition, Condition)
  case or(Condition, Condition)

  func isTrue(_ value: (String) -> PlainValue) -> Bool {
    switch self {
    case .all: true
    case .compare(let name, let comparison, let constant):
      Self.holds(value(name), comparison, constant)
    case .compareAttributes(let a, let comparison, let b):
      Self.holds(value(a), comparison, value(b))
    case .isIn(let name, let list): list.contains { Self.holds(value(name), .equal, $0) }
    case .hasValue(let name): value(name) != .none
    case .not(let condition): !condition.isTrue(value)
    case .and(let a, let b): a.isTrue(value) && b.isTrue(value)
    case .or(let a, let b): a.isTrue(value) || b.isTrue(value)
    }
  }

  private static func holds(
    _ a: PlainValue, _ comparison: FetchPredicate.Operator, _ b: PlainValue
  ) -> Bool {
    // What is no number equals nothing, itself neither.
    let isEqual = a == b && a != .notANumber
    return switch comparison {
    case .equal: isEqual
    case .notEqual: !isEqual
    case .less: a.isLess(than: b)
    case .lessOrEqual: a.isLess(than: b) || (isEqual && a != .none)
    case .greater: b.isLess(than: a)
    case .greaterOrEqual: b.isLess(than: a) || (isEqual && a != .none)
    }
  }

  var predicate: FetchPredicate {
    switch self {
    case .all: .constant(true)
    case .compare(let name, let comparison, let constant):
      .comparison(.property(name), comparison, .constant(constant.value))
    case .compareAttributes(let a, let comparison, let b):
      .comparison(.property(a), comparison, .property(b))
    case .isIn(let name, let list): .isIn(.property(name), list.map(\.value))
    case .hasValue(let name): .comparison(.property(name), .notEqual, .constant(.null))
    case .not(let condition): .not(condition.predicate)
    case .and(let a, let b): .and([a.predicate, b.predicate])
    case .or(let a, let b): .or([a.predicate, b.predicate])
    }
  }
}

extension Condition: CustomStringConvertible {
  var description: String {
    switch self {
    case .all: "all"
    case .compare(let name, let comparison, let constant): "\(name) \(comparison) \(constant)"
    case .compareAttributes(let a, let comparison, let b): "\(a) \(comparison) \(b)"
    case .isIn(let name, let list): "\(name) in \(list)"
    case .hasValue(let name): "\(name) has a value"
    case .not(let condition): "not (\(condition))"
    case .and(let a, let b): "(\(a)) and (\(b))"
    case .or(let a, let b): "(\(a)) or (\(b))"
    }
  }
}
