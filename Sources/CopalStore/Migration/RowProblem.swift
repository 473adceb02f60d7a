import CopalEssentials
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

  /// What is wrong with rows.
  package enum Cause: Sendable, Hashable {
    /// Values that have no new value.
    case inexact
    /// Values that break the rules of `"checkStored"`.
    case rules
    /// Files that are missing.
    case file
    /// Objects without a value of a new property, which needs one.
    case newValue
    /// Objects without a value of a property that needs one now.
    case value
    /// Objects with several objects in a relationship that has one now.
    case several
    /// Objects of which an object in a relationship is not of its destination.
    case wrongEntity
    /// Objects of which an object in a relationship does not exist.
    case missingObject
    /// Objects without a property that a subentity has now, with a value in it.
    case kept
  }

  /// The problem of some rows; nil when there are none.
  ///
  /// - Parameter total: the number of rows that were looked at for ``Cause/value``.
  @inline(never)
  package init?(
    _ cause: Cause, _ findings: RowFindings, among total: Int = 0, of property: String,
    _ entity: String
  ) {
    let count = findings.count
    if count == 0 { return nil }
    func objects(_ count: Int) -> String { count == 1 ? "1 object has" : "\(count) objects have" }
    let values = count == 1 ? "1 value" : "\(count) values"
    let (kind, what): (ModelChange.Kind, String) =
      switch cause {
      case .inexact: (.type, "\(values) cannot be converted exactly")
      case .rules: (.values, "\(values) \(count == 1 ? "breaks" : "break") the rules")
      case .file: (.external, "\(count == 1 ? "a file is" : "\(count) files are") missing")
      case .newValue: (.added, "\(objects(count)) no value")
      case .value: (.required, "\(count) of \(objects(total)) no value")
      case .several: (.relationship, "\(objects(count)) several objects")
      case .wrongEntity: (.destination, "\(objects(count)) an object of another entity")
      case .missingObject: (.deleteRule, "\(objects(count)) an object that does not exist")
      case .kept where count == 1: (.moved, "1 object of another entity has a value")
      case .kept: (.moved, "\(count) objects of other entities have a value")
      }
    self.init(
      kind: kind, entity: entity, property: property,
      found: cause == .newValue ? what : "\(what) (\(findings.text))", count: count,
      rows: findings.rows)
  }

  /// Rows with equal values in unique constraints, for which a store refuses objects.
  package static func unique(_ conflicts: [CommitConflict], _ schema: StoreSchema) -> [RowProblem] {
    var problems: [RowProblem] = []
    for conflict in conflicts {
      guard case .unique(let slots) = conflict.kind else { continue }
      let layout = schema.entities[conflict.entity]
      let constraint = layout.uniqueConstraints.first { $0.slots == slots }
      let owner = constraint.map { schema.entities[$0.declaringEntity].name } ?? layout.name
      let names = slots.map { layout.slots[$0].propertyName }.inOrder().joined(separator: ", ")
      let problem = RowProblem(
        kind: .unique, entity: owner, property: names, found: "objects have equal values",
        count: nil, rows: [])
      if !problems.contains(problem) { problems.append(problem) }
    }
    return problems
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
