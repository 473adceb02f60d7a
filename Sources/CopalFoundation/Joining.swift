public import CopalEssentials
import CopalModel

/// A predicate that is true where both are.
///
/// The compiler's time for one `#Predicate` grows quickly with its length. So write several short
/// ones, and join them:
///
/// ```swift
/// let cheap = #Predicate<Pigment> { $0.price < 10 }
/// let blue = #Predicate<Pigment> { $0.name.contains("blue") }
/// let pigments = try context.fetch(and(cheap, blue))
/// ```
public func and<Object>(_ first: Predicate<Object>, _ others: Predicate<Object>...)
  -> Predicate<Object>
{
  others.reduce(first) { a, b in
    Predicate<Object> { conjunction(part(a, about: $0), part(b, about: $0)) }
  }
}

/// A predicate that is true where at least one of them is.
///
/// ```swift
/// let pigments = try context.fetch(or(cheap, blue))
/// ```
public func or<Object>(_ first: Predicate<Object>, _ others: Predicate<Object>...)
  -> Predicate<Object>
{
  others.reduce(first) { a, b in
    Predicate<Object> { disjunction(part(a, about: $0), part(b, about: $0)) }
  }
}

/// A predicate that is true where another one is false.
///
/// ```swift
/// let pigments = try context.fetch(and(cheap, not(blue)))
/// ```
public func not<Object>(_ predicate: Predicate<Object>) -> Predicate<Object> {
  Predicate<Object> { negation(part(predicate, about: $0)) }
}

// The compiler opens an existential only as the argument of a function.

private func conjunction(
  _ a: some StandardPredicateExpression<Bool>, _ b: some StandardPredicateExpression<Bool>
) -> any StandardPredicateExpression<Bool> {
  PredicateExpressions.build_Conjunction(lhs: a, rhs: b)
}

private func disjunction(
  _ a: some StandardPredicateExpression<Bool>, _ b: some StandardPredicateExpression<Bool>
) -> any StandardPredicateExpression<Bool> {
  PredicateExpressions.build_Disjunction(lhs: a, rhs: b)
}

private func negation(_ a: some StandardPredicateExpression<Bool>)
  -> any StandardPredicateExpression<Bool>
{
  PredicateExpressions.build_Negation(a)
}

private func joined<Object>(
  _ part: some StandardPredicateExpression<Bool>,
  _ inner: PredicateExpressions.Variable<Object>, _ outer: PredicateExpressions.Variable<Object>
) -> any StandardPredicateExpression<Bool> {
  JoinedPredicate(part: part, inner: inner, outer: outer)
}

/// A predicate as a part of another one, about the object of a variable.
private func part<Object>(
  _ predicate: Predicate<Object>, about variable: PredicateExpressions.Variable<Object>
) -> any StandardPredicateExpression<Bool> {
  joined(predicate.expression, predicate.variable, variable)
}

/// A predicate as a part of another one, about the object of another variable.
struct JoinedPredicate<Part: StandardPredicateExpression<Bool>, Object>: StandardPredicateExpression
{
  typealias Output = Bool
  let part: Part
  /// The variable of the part.
  let inner: PredicateExpressions.Variable<Object>
  /// The variable of the predicate around it.
  let outer: PredicateExpressions.Variable<Object>

  func evaluate(_ bindings: PredicateBindings) throws -> Bool {
    var bindings = bindings
    bindings[inner] = try outer.evaluate(bindings)
    return try part.evaluate(bindings)
  }
}

extension JoinedPredicate: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    try translation.binding(inner.key, to: outer).term(part)
  }
}
