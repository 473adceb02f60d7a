import CopalEssentials
import CopalModel

extension PredicateExpressions.Arithmetic: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let function: FetchFunction =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      }
    return try translation.calculation(function, lhs, rhs)
  }
}

extension PredicateExpressions.IntDivision: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    try translation.calculation(.divide, lhs, rhs)
  }
}

extension PredicateExpressions.IntRemainder: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    try translation.calculation(.remainder, lhs, rhs)
  }
}

extension PredicateExpressions.FloatDivision: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    try translation.calculation(.divide, lhs, rhs)
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let value = try translation.value(wrapped)
    switch value {
    case .constant(.integer(let number)) where number != .min: return .constant(-number)
    case .constant(.double(let number)): return .constant(-number)
    case .constant(.decimal(let number)) where !number.isNaN:
      return .constant(DecimalParts(number).negated.decimal)
    default: return .value(.call(.negate, [value]))
    }
  }
}

extension PredicateTranslation {
  /// A calculation, also of constants: Foundation's own would end the program at an overflow or a
  /// division by zero.
  fileprivate func calculation(
    _ function: FetchFunction, _ a: any PredicateExpression, _ b: any PredicateExpression
  ) throws -> Term {
    .value(.call(function, [try value(a), try value(b)]))
  }
}
