import CopalEssentials
import CopalModel

extension PredicateExpressions.CollectionContainsCollection: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let (text, part) = (try translation.term(base), try translation.term(other))
    if let constant = translation.constant(self, from: text, part) { return constant }
    guard Base.Output.self is any StringProtocol.Type,
      Other.Output.self is any StringProtocol.Type
    else { throw translation.needsConstants(self) }
    return .condition(
      .text(try translation.value(text), .contains([]), try translation.value(part)))
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let (text, start) = (try translation.term(base), try translation.term(prefix))
    if let constant = translation.constant(self, from: text, start) { return constant }
    guard Base.Output.self is any StringProtocol.Type,
      Prefix.Output.self is any StringProtocol.Type
    else { throw translation.needsConstants(self) }
    return .condition(
      .text(try translation.value(text), .hasPrefix([]), try translation.value(start)))
  }
}

extension PredicateExpressions.StringContainsRegex: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let (text, regex) = (try translation.term(subject), try translation.term(regex))
    if let constant = translation.constant(self, from: text, regex) { return constant }
    throw translation.unsupported(
      "a regular expression of Swift",
      "use a FetchPredicate with matches, which has a syntax of its own")
  }
}

extension PredicateExpressions.StandardContains: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    let (text, part) = (try translation.value(root), try translation.value(other))
    return .condition(.text(text, .contains([.caseInsensitive, .diacriticInsensitive]), part))
  }
}
