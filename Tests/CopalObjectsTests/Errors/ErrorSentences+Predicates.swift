import Copal
import CopalFoundation
import CopalTestSupport

extension ErrorSentence {
  /// What a `#Predicate` contains that a store cannot do.
  static let predicates: [Self] = [
    made(
      .predicateUnsupported, found: "a regular expression of Swift",
      expected: "use a FetchPredicate with matches, which has a syntax of its own"),
    made(
      .predicateKeyPath, entity: "Work", found: "Bool",
      expected: "compare the stored value, or filter the result in Swift"),
    Self { _ in PersistenceError(.predicateValue, found: "SerializableColor") },
  ]
}
