import CopalModel
import CopalStore

/// What has made the objects of a cohort, for the messages of lazy loads: a fetch, and the
/// relationship that led from its objects to these.
///
/// Two references, so that remembering it costs nothing that can be measured; the text is made when
/// it is needed.
struct CohortOrigin {
  /// The fetch with which it began; nil for objects that were found by their ids.
  var fetch: Fetch?
  /// The last relationship, with the entity that has it; nil for the objects of the fetch itself.
  var relationship: (RelationshipRuntime, of: EntityRuntime)?

  struct Fetch: CustomStringConvertible {
    let runtime: EntityRuntime
    let predicate: FetchPredicate?

    var description: String {
      let condition = predicate.map { " where \($0.textWithoutConstants())" } ?? ""
      return "the fetch of \(runtime.layout.name)\(condition)"
    }
  }

  /// The objects of the fetch, or of the relationship; nil when nothing is known.
  var description: String? {
    guard let (relationship, owner) = relationship else { return fetch?.description }
    let name = "\(owner.layout.name).\(relationship.description.name)"
    return fetch.map { "\(name) of \($0)" } ?? name
  }

  /// The origin of the objects at the other end of a relationship. Earlier relationships are not
  /// kept, so that a long walk along relationships needs no memory.
  static func following(
    _ relationship: RelationshipRuntime, of runtime: EntityRuntime, from cohort: Cohort?
  ) -> CohortOrigin {
    CohortOrigin(fetch: cohort?.origin?.fetch, relationship: (relationship, runtime))
  }
}

extension FetchPredicate {
  /// The condition with a question mark for each constant: a constant may be a value of a user's
  /// object.
  fileprivate func textWithoutConstants(depth: Int = 0) -> String {
    if depth > 8 { return "…" }
    func list(_ conditions: [FetchPredicate], _ word: String) -> String {
      // As many as a person reads.
      let shown = conditions.prefix(8).map { $0.textWithoutConstants(depth: depth + 1) }
      let all = shown + (conditions.count > 8 ? ["…"] : [])
      let text = all.joined(separator: " \(word) ")
      return depth > 0 && all.count > 1 ? "(\(text))" : text
    }
    switch self {
    case .constant(let isTrue): return "\(isTrue)"
    case .comparison(let a, let comparison, let b):
      return "\(a.text) \(comparison.symbol) \(b.text)"
    case .isIn(let expression, let values):
      return "\(expression.text) in \(values.count.counted("value"))"
    case .text(let a, let test, let b):
      let options = test.options.names.map { ".\($0)" }.joined(separator: ", ")
      return "\(a.text).\(test.name)(\(b.text)\(options.isEmpty ? "" : ", [\(options)]"))"
    case .isInVariable(let expression, let name): return "\(expression.text) in $\(name)"
    case .exists(let collection): return "\(collection.text).contains"
    case .quantified(let quantifier, let comparison):
      return "\(quantifier.rawValue) \(comparison.textWithoutConstants(depth: depth + 1))"
    case .isKind(let name): return "is \(name)"
    case .and(let conditions): return list(conditions, "&&")
    case .or(let conditions): return list(conditions, "||")
    case .not(let condition): return "!(\(condition.textWithoutConstants(depth: depth + 1)))"
    }
  }
}

extension FetchExpression {
  fileprivate var text: String {
    switch self {
    case .property(let name): name
    case .subentityProperty(let entity, let property): "(as \(entity)).\(property)"
    case .constant(.null): "nil"
    case .constant: "?"
    case .object: "objectID"
    case .variable(let name): "$\(name)"
    case .outer(_, let inner): inner.text
    // As deep as a person reads.
    case .call(let function, let arguments):
      "\(function.rawValue)(\(arguments.map(\.shortText).joined(separator: ", ")))"
    case .aggregate(let aggregate, let collection, let value):
      "\(collection.text).\(aggregate.rawValue)\(value.map { "(\($0.shortText))" } ?? "")"
    case .conditional: "…"
    }
  }

  /// The text of a part of an expression.
  private var shortText: String {
    switch self {
    case .call, .aggregate, .conditional, .outer: "…"
    default: text
    }
  }
}

extension FetchCollection {
  fileprivate var text: String {
    let name = if case .property(let name) = relationship { name } else { "…" }
    return condition == nil ? name : "\(name).filter"
  }
}
