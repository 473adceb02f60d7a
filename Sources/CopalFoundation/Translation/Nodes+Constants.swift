import CopalEssentials

// What can only be computed from values of the program.

extension PredicateExpressions.SequenceMinimum: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    try translation.computed(self, from: elements)
  }
}

extension PredicateExpressions.SequenceMaximum: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    try translation.computed(self, from: elements)
  }
}

extension PredicateExpressions.CollectionIndexSubscript: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    try translation.computed(self, from: wrapped, index)
  }
}

extension PredicateExpressions.CollectionRangeSubscript: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    try translation.computed(self, from: wrapped, range)
  }
}

extension PredicateExpressions.DictionaryKeySubscript: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    try translation.computed(self, from: wrapped, key)
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: TranslatableNode {
  func term(_ translation: PredicateTranslation) throws -> Term {
    try translation.computed(self, from: wrapped, key, `default`)
  }
}
