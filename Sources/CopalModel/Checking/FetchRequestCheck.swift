/// Checks the conditions and orders of templates and fetched properties.
enum FetchRequestCheck {
  @inline(never)
  static func run(on draft: ModelDraft, _ problems: inout ProblemList) {
    guard let model = draft.model else { return }
    var positions = JSONStringPositions(draft.text)
    for (index, entity) in draft.entities.enumerated() {
      for request in entity.fetchRequests where !problems.isFull {
        var check = RequestCheck(
          request, entity: index, source: nil, model: model, draft: draft, positions: positions)
        check.run(&problems)
        positions = check.positions
      }
      for request in entity.fetchedProperties where !problems.isFull {
        guard let destination = destination(of: request, draft, &problems) else { continue }
        var check = RequestCheck(
          request, entity: destination, source: index, model: model, draft: draft,
          positions: positions)
        check.run(&problems)
        positions = check.positions
      }
    }
  }

  /// The position of the entity that a fetched property fetches; reports an unknown one.
  @inline(never)
  private static func destination(
    of request: FetchRequestDraft, _ draft: ModelDraft, _ problems: inout ProblemList
  ) -> Int? {
    guard let name = request.destination else { return nil }
    if let index = draft.index(of: name.name) { return index }
    guard draft.namesAreComplete else { return nil }
    let suggestion = problems.nearest(to: name.name, among: draft.entityNames)
    problems.add(
      .unknownDestination, at: name.position, subject: request.subject, found: name.name,
      suggestion: suggestion)
    return nil
  }
}

/// The check of one template or fetched property.
private struct RequestCheck {
  private let request: FetchRequestDraft
  private let draft: ModelDraft
  private var checker: ConditionChecker
  var positions: JSONStringPositions

  @inline(never)
  init(
    _ request: FetchRequestDraft, entity: Int, source: Int?, model: ManagedObjectModel,
    draft: ModelDraft, positions: JSONStringPositions
  ) {
    self.request = request
    self.draft = draft
    self.positions = positions
    checker = ConditionChecker(model, entity: entity, source: source) { entity, property in
      guard draft.knowsProperties(of: entity) else { return false }
      for member in draft.family(of: entity) {
        if let attribute = member.attribute(property) { return attribute.typeIsKnown }
        if let relationship = member.relationship(property) { return relationship.typeIsKnown }
      }
      return true
    }
  }

  mutating func run(_ problems: inout ProblemList) {
    checkCondition(&problems)
    checkSort(&problems)
  }

  // MARK: The condition

  @inline(never)
  private mutating func checkCondition(_ problems: inout ProblemList) {
    guard let condition = request.condition else { return }
    switch ConditionText.parsed(condition.name) {
    case .failure(let mistake):
      problems.add(
        .invalidCondition,
        at: positions.position(ofByte: mistake.offset, inStringAt: condition.position),
        subject: request.subject, found: mistake.code.rawValue,
        expected: PredicateFormatWording.sentence(for: mistake.error(in: condition.name)))
    case .success(let predicate):
      checker.check(predicate)
      _ = checker.variables()
      for finding in checker.findings {
        report(finding, in: condition, at: finding.place ?? 0, key: "where", &problems)
      }
    }
  }

  /// - Parameter place: the place in the text, in bytes.
  @inline(never)
  private mutating func report(
    _ finding: ConditionChecker.Finding, in text: LocatedName, at place: Int, key: String,
    _ problems: inout ProblemList
  ) {
    let names = problems.isFull ? [] : checker.names(finding.candidates)
    let wanted = if case .entities(let name) = finding.candidates { name } else { finding.found }
    let suggestion = names.isEmpty ? nil : problems.nearest(to: wanted, among: names)
    problems.add(
      finding.code, at: positions.position(ofByte: place, inStringAt: text.position),
      subject: request.subject, key: key, found: finding.found, expected: finding.expected,
      suggestion: suggestion)
  }

  // MARK: The order

  @inline(never)
  private mutating func checkSort(_ problems: inout ProblemList) {
    if let position = request.emptySort {
      problems.add(
        .emptyList, at: position, subject: request.subject, key: "sort", expected: "an attribute")
    }
    var seen: Set<FetchSortKey> = []
    for sort in request.sort where !problems.isFull {
      var key = sort.key
      (key.isAscending, key.nilOrder) = (true, nil)
      guard seen.insert(key).inserted else {
        problems.add(
          .repeatedName, at: sort.position, subject: request.subject, key: "sort",
          found: sort.key.property)
        continue
      }
      for finding in checker.findings(ofSortKey: sort.key) {
        let place = (finding.place ?? 0) + (sort.key.isAscending ? 0 : 1)
        let text = LocatedName(name: sort.key.property, position: sort.position)
        report(finding, in: text, at: place, key: "sort", &problems)
      }
    }
  }
}

extension ConditionChecker {
  /// The problems of a key of the order.
  @inline(never)
  fileprivate func findings(ofSortKey key: FetchSortKey) -> [Finding] {
    var checker = self
    checker.forgetFindings()
    let value = checker.typed(path: NamePlace.marked(key.property, at: 0), isNullTest: false)
    if value.isObject {
      checker.report(
        .conditionType, at: value.place, "'\(key.property)' is a relationship",
        expected: "an attribute")
    } else if key.textOrder != .bytes, let type = value.type, type != .string {
      checker.report(
        .conditionType, at: value.place,
        "'\(key.property)', \(type.name), has the order '\(key.textOrder.rawValue)' of texts",
        expected: "a string")
    }
    return checker.findings
  }
}
