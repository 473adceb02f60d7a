package import CopalModel

/// Why rows refuse a change of the model. A migration in place and a copy of objects both collect
/// them.
package struct RowProblem: Sendable, Equatable {
  package let kind: ModelChange.Kind
  package let entity: String
  /// Nil for a problem of the entity itself.
  package let property: String?
  /// The number of rows, and the first of them.
  package let found: String
  /// The number of rows, or of groups of rows with equal values; nil if it is not known.
  package let count: Int?
  /// The first rows, at most two.
  package let rows: [FormerRow]

  package init(
    kind: ModelChange.Kind, entity: String, property: String?, found: String, count: Int?,
    rows: [FormerRow]
  ) {
    self.kind = kind
    self.entity = entity
    self.property = property
    self.found = found
    self.count = count
    self.rows = Array(rows.prefix(2))
  }

  /// Values that have no new value, or that break the rules of `"checkStored"`.
  package static func values(
    _ findings: RowFindings, breakRules: Bool, of property: String, _ entity: String
  ) -> RowProblem? {
    if findings.count == 0 { return nil }
    let isOne = findings.count == 1
    let what =
      breakRules ? (isOne ? "breaks the rules" : "break the rules") : "cannot be converted exactly"
    return RowProblem(
      kind: breakRules ? .values : .type, entity: entity, property: property,
      found: "\(isOne ? "1 value" : "\(findings.count) values") \(what) (\(findings.text))",
      count: findings.count, rows: findings.rows)
  }

  /// Objects of an entity that is abstract now.
  package static func abstract(_ entity: String, count: Int) -> RowProblem? {
    if count == 0 { return nil }
    let objects = count == 1 ? "1 object" : "\(count) objects"
    return RowProblem(
      kind: .abstract, entity: entity, property: nil,
      found: "the store has \(objects) of it that \(count == 1 ? "is" : "are") of no subentity",
      count: count, rows: [])
  }

  /// Files that are missing.
  package static func files(
    _ findings: RowFindings, of property: String, _ entity: String
  ) -> RowProblem? {
    if findings.count == 0 { return nil }
    let files = findings.count == 1 ? "a file is" : "\(findings.count) files are"
    return RowProblem(
      kind: .external, entity: entity, property: property,
      found: "\(files) missing (\(findings.text))", count: findings.count, rows: findings.rows)
  }

  /// Objects with several objects in a relationship that has one now.
  package static func several(
    _ findings: RowFindings, of property: String, _ entity: String
  ) -> RowProblem? {
    related(findings, kind: .relationship, with: "several objects", of: property, entity)
  }

  /// Objects of which an object in a relationship is not of its destination.
  package static func wrongEntity(
    _ findings: RowFindings, of property: String, _ entity: String
  ) -> RowProblem? {
    related(
      findings, kind: .destination, with: "an object of another entity", of: property, entity)
  }

  /// Objects of which an object in a relationship does not exist.
  package static func missingObject(
    _ findings: RowFindings, of property: String, _ entity: String
  ) -> RowProblem? {
    related(
      findings, kind: .deleteRule, with: "an object that does not exist", of: property, entity)
  }

  /// Objects without a property that a subentity has now, with a value in it.
  package static func kept(
    _ findings: RowFindings, of property: String, _ entity: String
  ) -> RowProblem? {
    if findings.count == 0 { return nil }
    let objects =
      findings.count == 1
      ? "1 object of another entity has" : "\(findings.count) objects of other entities have"
    return RowProblem(
      kind: .moved, entity: entity, property: property,
      found: "\(objects) a value (\(findings.text))", count: findings.count, rows: findings.rows)
  }

  private static func related(
    _ findings: RowFindings, kind: ModelChange.Kind, with what: String, of property: String,
    _ entity: String
  ) -> RowProblem? {
    if findings.count == 0 { return nil }
    let objects = findings.count == 1 ? "1 object has" : "\(findings.count) objects have"
    return RowProblem(
      kind: kind, entity: entity, property: property,
      found: "\(objects) \(what) (\(findings.text))", count: findings.count, rows: findings.rows)
  }

  /// Objects without a value, which their attribute needs.
  ///
  /// - Parameter total: the number of all objects; nil for a new attribute, which none of them has.
  package static func missing(
    _ findings: RowFindings, of total: Int?, _ property: String, _ entity: String
  ) -> RowProblem? {
    if findings.count == 0 { return nil }
    func objects(_ count: Int) -> String { count == 1 ? "1 object has" : "\(count) objects have" }
    return RowProblem(
      kind: total == nil ? .added : .required, entity: entity, property: property,
      found: total.map { "\(findings.count) of \(objects($0)) no value (\(findings.text))" }
        ?? "\(objects(findings.count)) no value",
      count: findings.count, rows: findings.rows)
  }
}

extension ModelDifference {
  /// The error of a change that rows refuse.
  ///
  /// - Parameter id: makes the id of a row.
  package func error(
    of problem: RowProblem, id: (FormerRow) -> ManagedObjectID? = { _ in nil }
  ) -> PersistenceError {
    let ids = problem.rows.compactMap(id)
    let (first, second) = (ids.first, ids.dropFirst().first)
    let change = changes.first {
      $0.kind == problem.kind && $0.entity == problem.entity && $0.property == problem.property
        && $0.refusal != nil
    }
    if let error = change?.error(found: problem.found, objectID: first, otherID: second) {
      return error
    }
    // Values that became equal by a conversion.
    if problem.kind == .unique {
      return PersistenceError(
        .migrationDuplicates, entity: problem.entity, property: problem.property, objectID: first,
        otherID: second, found: problem.found, expected: Self.cureOfDuplicates)
    }
    // Another program can have stored values that no change of the model concerns.
    return PersistenceError(
      .migrationInexact, entity: problem.entity, property: problem.property, objectID: first,
      otherID: second,
      found: problem.found,
      expected: "correct these values with the program that has stored them")
  }
}
