/// Templates and fetched properties.
extension ModelReader {
  private static let fetchRequestKeys = ["where", "sort", "limit", "doc"]

  /// Reads one member of `fetchRequests`, in its short form, the condition alone, or its long one.
  @inline(never)
  mutating func readFetchRequest(_ member: JSONMember, of entity: String) -> FetchRequestDraft {
    let draft = FetchRequestDraft(member: member, entity: entity)
    if case .string(let text) = member.value.kind {
      draft.condition = LocatedName(name: text, position: member.value.position)
      return draft
    }
    let expected = "a condition such as \"price < $limit\", or an object"
    guard let fields = fields(of: member.value, subject: draft.subject, expected: expected) else {
      return draft
    }
    checkKeys(of: fields, among: Self.fetchRequestKeys)
    readRequest(draft, in: fields)
    return draft
  }

  /// Reads one member of `fetchedProperties`.
  @inline(never)
  mutating func readFetchedProperty(
    _ member: JSONMember, of entity: String, namesAreComplete: Bool
  ) -> FetchRequestDraft {
    let draft = FetchRequestDraft(member: member, entity: entity)
    guard
      let fields = fields(of: member.value, subject: draft.subject, expected: "an object")
    else { return draft }
    checkKeys(of: fields, among: ["destination"] + Self.fetchRequestKeys)
    requireKeys(["destination"], in: fields, namesAreComplete: namesAreComplete)
    draft.destination = name("destination", in: fields)
    readRequest(draft, in: fields)
    return draft
  }

  @inline(never)
  private mutating func readRequest(_ draft: FetchRequestDraft, in fields: Fields) {
    draft.condition = name("where", in: fields)
    draft.sort = nameOrNames("sort", in: fields, of: "attributes").compactMap {
      sortKey($0, subject: draft.subject)
    }
    if let node = fields["sort"], case .array(let keys) = node.kind, keys.isEmpty {
      draft.emptySort = node.position
    }
    draft.limit = whole("limit", in: fields, 1...Int.max)
    draft.documentation = text("doc", in: fields)
  }

  /// `name`, `-name`, and words for the order of texts and of nil after it.
  @inline(never)
  private mutating func sortKey(_ text: LocatedName, subject: String) -> LocatedSortKey? {
    var words = text.name.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let first = words.removeFirst()
    let isAscending = !first.hasPrefix("-")
    var key = FetchSortKey(
      isAscending ? first : String(first.dropFirst()), isAscending: isAscending)
    for word in words {
      if let order = FetchSortKey.TextOrder(rawValue: word), key.textOrder == .bytes {
        key.textOrder = order
      } else if let order = FetchSortKey.NilOrder(rawValue: word), key.nilOrder == nil {
        key.nilOrder = order
      } else {
        report(word, in: text, subject: subject)
        return nil
      }
    }
    return LocatedSortKey(key: key, position: text.position)
  }

  @inline(never)
  private mutating func report(_ word: String, in text: LocatedName, subject: String) {
    let known =
      FetchSortKey.TextOrder.allCases.map(\.rawValue)
      + FetchSortKey.NilOrder.allCases.map(\.rawValue)
    let suggestion = problems.nearest(to: word, among: known)
    problems.add(
      .unknownKeyword, at: text.position, subject: subject, key: "sort", found: word,
      expected: (["a hyphen before the name for descending"] + known).joined(separator: ", "),
      suggestion: suggestion)
  }
}

extension FetchRequestDraft {
  /// The template that was read.
  var template: FetchRequestTemplate {
    FetchRequestTemplate(
      member.key, where: condition?.name, sortKeys: sort.map(\.key), limit: limit,
      documentation: documentation)
  }

  /// The fetched property that was read.
  var property: FetchedPropertyDescription {
    FetchedPropertyDescription(
      member.key, of: destination?.name ?? "", where: condition?.name, sortKeys: sort.map(\.key),
      limit: limit, documentation: documentation)
  }
}
