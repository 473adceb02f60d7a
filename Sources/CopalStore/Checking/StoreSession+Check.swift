import CopalEssentials
import CopalModel

extension StoreCheck {
  /// A check of a store that has found nothing yet.
  ///
  /// - Parameters:
  ///   - limit: the greatest number of problems that it keeps.
  ///   - progress: is called on the thread of the check, at most 20 times a second for one entity.
  public convenience init(
    _ parts: StoreCheckParts, of store: any PersistentStore, limit: Int = 1000,
    progress: ((StoreCheckProgress) -> Void)? = nil
  ) {
    self.init(
      parts, of: store.schema, inStore: store.identifier, limit: limit, progress: progress)
  }
}

extension StoreSession {
  /// Looks at references, search, unique constraints and values, with the other methods of the
  /// session.
  ///
  /// The values of a unique constraint are kept in memory while it is looked at, so a store with
  /// more rows than fit into memory needs a check of its own.
  public func check(_ check: StoreCheck) throws {
    try beginReadTransaction()
    defer { endReadTransaction() }
    if check.parts.contains(.references) {
      check.begin(.references)
      check.add(try brokenReferences())
    }
    if check.parts.contains(.search) {
      check.begin(.search)
      check.add(try wrongDerivedValues())
    }
    if check.parts.contains(.uniqueness) {
      check.begin(.uniqueness)
      for layout in check.schema.entities where !check.isFull { try checkUniqueness(layout, check) }
    }
    if check.parts.contains(.values) {
      for layout in check.schema.entities where layout.root == layout.index && !check.isFull {
        try Task.checkCancellation()
        check.begin(.values, layout)
        try fetch(StoreQuery(entity: layout.index), into: StoredRowCheck(check, root: layout))
      }
      try checkCounts(check)
    }
  }

  private func checkUniqueness(_ layout: EntityLayout, _ check: StoreCheck) throws {
    for constraint in layout.ownUniqueConstraints where !check.isFull {
      try Task.checkCancellation()
      let groups = UniqueGroups(constraint, layout)
      try fetch(StoreQuery(entity: layout.index), into: groups)
      for group in groups.repeated {
        check.addRepeated(
          constraint, first: group.first, last: group.last, count: group.count, layout)
      }
    }
  }

  /// Finds the objects with too few or too many objects in a to-many relationship.
  package func checkCounts(_ check: StoreCheck) throws {
    for layout in check.schema.entities {
      for relationship in check.schema.relationships[layout.index]
      where relationship.declaringEntity == layout.index && !relationship.isHidden {
        guard let limits = relationship.relationship.countRange else { continue }
        let name = relationship.relationship.name
        if limits.lowerBound > 0 {
          try checkCount(
            name, .less, limits.lowerBound, .tooFewObjects,
            "has fewer objects than its minimum of \(limits.lowerBound)", layout, check)
        }
        if limits.upperBound < .max {
          try checkCount(
            name, .greater, limits.upperBound, .tooManyObjects,
            "has more objects than its maximum of \(limits.upperBound)", layout, check)
        }
      }
    }
  }

  private func checkCount(
    _ name: String, _ comparison: FetchPredicate.Operator, _ limit: Int, _ kind: StoreProblem.Kind,
    _ words: String, _ layout: EntityLayout, _ check: StoreCheck
  ) throws {
    if check.isFull { return }
    try Task.checkCancellation()
    let count = FetchExpression.aggregate(.count, FetchCollection(.property(name)), of: nil)
    let request = FetchRequest<Never>(
      entityName: layout.name,
      predicate: .comparison(count, comparison, .constant(.integer(Int64(limit)))), sortKeys: [],
      limit: check.room)
    for key in try fetchKeys(PredicateBinder(layout, in: check.schema).bind(request)) {
      check.add(
        StoreProblem(
          kind, entity: layout.name, property: name, objectID: check.id(key, layout.index),
          detail: words))
    }
  }
}

/// The rows by their values in a unique constraint.
private final class UniqueGroups: RowReceiver {
  private let constraint: EntityLayout.UniqueConstraint
  private let layout: EntityLayout
  private var groups: [UniqueValues: Group] = [:]

  struct Group {
    let first: Int64
    var last: Int64
    var count: Int
  }

  init(_ constraint: EntityLayout.UniqueConstraint, _ layout: EntityLayout) {
    self.constraint = constraint
    self.layout = layout
  }

  /// The groups of several rows, by their first keys.
  var repeated: [Group] {
    groups.values.filter { $0.count > 1 }.inOrder { $0.first < $1.first }
  }

  func wantsRow(key: Int64, version: Int64) -> Bool { true }
  func skip(key: Int64) {}
  func receive(key: Int64, failure: PersistenceError) {}

  func receive(key: Int64, row: consuming PackedRow) {
    guard let values = layout.uniqueValues(of: row, constraint) else { return }
    if var group = groups[values] {
      group.last = key
      group.count += 1
      groups[values] = group
    } else {
      groups[values] = Group(first: key, last: key, count: 1)
    }
  }
}
