import CopalModel
public import CopalStore

/// What an explanation says about the parts of a query that ignore case or diacritics: which index
/// finds their rows, or why none does and what would help.
struct SearchNotes {
  private let stale: StaleRows
  private(set) var sentences: [String] = []

  init(_ stale: StaleRows) { self.stale = stale }

  private mutating func add(_ name: String, _ words: String) {
    let sentence = "\(name): \(words)"
    if !sentences.contains(sentence) { sentences.append(sentence) }
  }

  // MARK: Conditions

  mutating func add(_ condition: QueryCondition, _ mapping: TableMapping) {
    switch condition {
    case .and(let parts), .or(let parts): for part in parts { add(part, mapping) }
    case .text(let a, let test, let b, let isNegated):
      guard !test.options.isEmpty else { return }
      for case .slot(let slot) in [a, b] {
        if test.isFoundByParts, !isNegated, case .slot = a, b.isParameter {
          addParts(slot, test, mapping)
        } else {
          add(slot, mapping, Self.obstacle(a, test, b, isNegated: isNegated))
        }
      }
    case .holds(let term, let comparison, let other, _):
      guard let folded = term.fold else { return }
      var obstacle: String?
      if folded.function != .fold {
        obstacle = "the order without one of case and diacritics is not that of the index"
      } else if comparison == .notEqual || !other.isParameter {
        obstacle = Self.noRange
      }
      add(folded.slot, mapping, obstacle)
    case .related(_, let entity, let inner, _):
      add(inner, mapping.mapping(ofDestination: entity))
    case .exists(let collection, _):
      if let inner = collection.condition {
        add(inner, mapping.mapping(ofDestination: collection.destination))
      }
    case .ofKind(let kind, let inner, let otherwise):
      add(inner, mapping.mapping(of: kind.entity))
      add(otherwise, mapping)
    case .constant, .isNull, .isIn: break
    }
  }

  private static let noRange = "what it finds is no range of the index, so every text is compared"

  private static let noForms = "no index, so every text is compared; a projection has no \"search\""

  /// Why the index does not find the rows of a test; nil where it does.
  private static func obstacle(
    _ a: QueryTerm, _ test: FetchPredicate.TextTest, _ b: QueryTerm, isNegated: Bool
  ) -> String? {
    if isNegated || !test.isFoundByForm { return noRange }
    guard case .slot = a, b.isParameter else {
      return "the second text is not the same for all rows"
    }
    return nil
  }

  private mutating func add(_ slot: Int, _ mapping: TableMapping, _ obstacle: String?) {
    let name = mapping.layout.attributes[slot].name
    if let obstacle { return add(name, obstacle) }
    if mapping.layout.projection(ofSlot: slot) != nil { return add(name, Self.noForms) }
    guard mapping.derivedName(.normalized, of: slot) != nil else {
      return add(
        name, "no index, so every text is compared; \"search\": \"normalized\" makes one")
    }
    add(name, "found by the index of \"search\"")
    addStale(name)
  }

  /// A test for a part of a text.
  private mutating func addParts(
    _ slot: Int, _ test: FetchPredicate.TextTest, _ mapping: TableMapping
  ) {
    let name = mapping.layout.attributes[slot].name
    if mapping.layout.projection(ofSlot: slot) != nil { return add(name, Self.noForms) }
    guard mapping.derivedName(.normalized, of: slot) != nil else {
      return add(
        name,
        "no index, so every text is compared; \"search\": [\"normalized\", \"substring\"] makes one"
      )
    }
    if mapping.trigrams(of: slot) != nil {
      add(name, "found by its parts of three characters; a shorter text is compared with all")
    } else if test.normalized != nil, !mapping.hasIndexOfAllRows(slot) {
      add(name, "every normalized text is compared; \"substring\" makes an index of parts")
    } else if test.normalized != nil {
      add(
        name,
        "every text of the index of \"search\" is compared; \"substring\" makes an index of parts")
    } else {
      return add(
        name, "every text is compared; \"search\": [\"normalized\", \"substring\"] finds some")
    }
    addStale(name)
  }

  private mutating func addStale(_ name: String) {
    guard stale == .some else { return }
    add(name, "rows that another program has written are compared one by one, until the next save")
  }

  // MARK: Orders

  mutating func add(_ keys: [BoundSortKey], _ mapping: TableMapping) {
    guard let first = keys.first, first.related == nil, first.textOrder != .bytes else { return }
    let name = mapping.layout.attributes[first.slot].name
    if mapping.layout.projection(ofSlot: first.slot) != nil {
      return add(name, "no index has the order; a projection has no \"search\"")
    }
    guard let options = first.textOrder.foldedOptions else {
      return add(name, "no index has the order \"\(first.textOrder.rawValue)\"")
    }
    guard mapping.derivedName(.folded(options), of: first.slot) != nil else {
      let forms = options == .normalized ? "\"normalized\"" : "[\"normalized\", \"case\"]"
      return add(name, "no index has the order; \"search\": \(forms) makes one")
    }
    if first.isNullFirst != first.isAscending, mapping.layout.attributes[first.slot].isOptional {
      return add(name, "the index has the objects without a value at the other end")
    }
    if stale == .none { add(name, "in the order of the index of \"search\"") }
    addStale(name)
  }
}

extension SelectTranslator {
  /// What an explanation says about the parts of a query that ignore case or diacritics.
  public func searches(_ shape: QueryShape, _ stale: StaleRows) -> [String] {
    var notes = SearchNotes(stale)
    if let condition = shape.condition { notes.add(condition, mapping) }
    notes.add(shape.sortKeys, mapping)
    return notes.sentences
  }
}
