import CopalModel

/// The closure of a collection, and what it returns.
enum CollectionClosure {
  /// The number of closures that are running.
  @TaskLocal fileprivate static var level = 0

  /// What a closure says of the objects of a collection, as a condition of a ``FetchCollection``.
  static func condition<Object: ManagedObject>(
    _ body: (QueryProperties<Object>) -> any FetchCondition
  ) -> FetchPredicate {
    run({ body($0)._predicate }) { $0.resolved(at: $1) }
  }

  /// A value of the objects of a collection.
  static func expression<Object: ManagedObject, Value>(
    _ body: (QueryProperties<Object>) -> some QueryExpression<Value>
  ) -> FetchExpression {
    run({ body($0)._expression }) { $0.resolved(at: $1) }
  }

  private static func run<Object: ManagedObject, Result>(
    _ body: (QueryProperties<Object>) -> Result, _ resolve: (Result, Int) -> Result
  ) -> Result {
    let level = level + 1
    return $level.withValue(level) {
      resolve(body(QueryProperties(QueryScope(level: level))), level)
    }
  }
}

extension FetchPredicate {
  /// The condition with the numbers of levels from inside to outside.
  fileprivate func resolved(at level: Int) -> FetchPredicate {
    switch self {
    case .constant: self
    case .comparison(.outer(-level, .object), .equal, .constant(.string(let entity))):
      .isKind(entity)
    case .comparison(let a, let comparison, let b):
      .comparison(a.resolved(at: level), comparison, b.resolved(at: level))
    case .isIn(let a, let values): .isIn(a.resolved(at: level), values)
    case .isInVariable(let a, let name): .isInVariable(a.resolved(at: level), name)
    case .text(let a, let test, let b):
      .text(a.resolved(at: level), test, b.resolved(at: level))
    // About the objects that are fetched: a condition inside a collection cannot ask for their
    // entity.
    case .isKind(let entity):
      .comparison(.outer(level, .object), .equal, .constant(.string(entity)))
    case .exists(let collection): .exists(collection.resolved(at: level))
    case .quantified(let quantifier, let inner):
      .quantified(quantifier, inner.resolved(at: level))
    case .and(let parts): .and(parts.map { $0.resolved(at: level) })
    case .or(let parts): .or(parts.map { $0.resolved(at: level) })
    case .not(let inner): .not(inner.resolved(at: level))
    }
  }
}

extension FetchExpression {
  fileprivate func resolved(at level: Int) -> FetchExpression {
    switch self {
    case .constant, .variable: self
    case .property, .subentityProperty, .object: .outer(level, self)
    case .outer(let levels, let inner):
      levels >= 0 ? self : levels == -level ? inner : .outer(level + levels, inner)
    case .call(let function, let arguments):
      .call(function, arguments.map { $0.resolved(at: level) })
    case .aggregate(let aggregate, let collection, let value):
      .aggregate(
        aggregate, collection.resolved(at: level), of: value?.moved(by: level - collection.level))
    case .conditional(let condition, let first, let second):
      .conditional(
        condition.resolved(at: level), first.resolved(at: level), second.resolved(at: level))
    }
  }
}

/// A collection can be made in one closure and used in another one inside it:
///
/// ```swift
/// let own = painter.paintings.filter { $0.title == painter.name }
/// return painter.students.contains { $0.name == "Berthe" && own.isEmpty }
/// ```
///
/// Its condition counts the levels from where it was made. So the collection keeps the level of
/// that closure, in a negative number of levels around its relationship, until the outer closure
/// ends.
extension FetchCollection {
  /// Less than the number of a level: 0 is the closure of the fetched objects.
  private static let mark = Int.min / 2

  /// The number of closures that ran when it was made.
  fileprivate var level: Int {
    if case .outer(let levels, _) = relationship, levels <= Self.mark { return Self.mark - levels }
    return 0
  }

  private var unmarked: FetchExpression {
    if case .outer(let levels, let inner) = relationship, levels <= Self.mark { return inner }
    return relationship
  }

  /// The collection as if it was made in the closure that runs now.
  var inClosure: FetchCollection {
    let level = CollectionClosure.level
    return FetchCollection(
      level == 0 ? unmarked : .outer(Self.mark - level, unmarked),
      where: condition?.moved(by: level - self.level))
  }

  fileprivate func resolved(at level: Int) -> FetchCollection {
    FetchCollection(
      unmarked.resolved(at: level), where: condition?.moved(by: level - self.level))
  }
}

extension FetchPredicate {
  /// The condition of a collection that is used so many levels deeper than it was made.
  fileprivate func moved(by levels: Int) -> FetchPredicate {
    levels == 0
      ? self
      : mapped { _, _ in
        nil
      } expression: {
        $0.movedOuter(by: levels, depth: $1)
      }
  }
}

extension FetchExpression {
  fileprivate func moved(by levels: Int) -> FetchExpression {
    levels == 0
      ? self
      : mapped(depth: 0) { _, _ in
        nil
      } expression: {
        $0.movedOuter(by: levels, depth: $1)
      }
  }

  /// An expression about an object outside of the collection, some levels farther out; nil for
  /// another one.
  fileprivate func movedOuter(by levels: Int, depth: Int) -> FetchExpression? {
    guard case .outer(let count, let inner) = self, count > depth else { return nil }
    return .outer(count + levels, inner)
  }
}
