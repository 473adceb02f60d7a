import Copal
import CopalFoundation
import CopalTestSupport

extension ErrorSentence {
  /// What a `#Predicate` contains that a store cannot do.
  static let predicates: [Self] = [
    Self(
      """
      a regular expression of Swift has no form in a store: use a FetchPredicate \
      with matches, which has a syntax of its own [predicate.unsupported]
      """
    ) { _ in
      PersistenceError(
        .predicateUnsupported, found: "a regular expression of Swift",
        expected: "use a FetchPredicate with matches, which has a syntax of its own")
    },
    Self(
      """
      a property of Work of the type Bool is not one that a store has: compare the stored value, or filter \
      the result in Swift [predicate.keyPath]
      """
    ) { _ in
      PersistenceError(
        .predicateKeyPath, entity: "Work", found: "Bool",
        expected: "compare the stored value, or filter the result in Swift")
    },
    Self(
      """
      a #Predicate contains a value of the type SerializableColor, which no condition can compare: convert it \
      before the predicate, or compare another attribute [predicate.value]
      """
    ) { _ in PersistenceError(.predicateValue, found: "SerializableColor") },
  ]
}
