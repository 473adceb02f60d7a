import CopalModel

/// What a migration would do with a store.
///
/// ```swift
/// if let plan = try migrator.plan(), !plan.isAllowed {
///   for refusal in plan.refusals { print(refusal) }
/// }
/// ```
///
/// A `StoreMigrator` makes it and changes nothing. `print` shows it as a table, with a line for
/// each change.
public struct MigrationPlan: Sendable {
  /// The name of the newer model.
  public let model: String
  /// The version of the store's model.
  public let fromVersion: Int
  /// The version of the newer model.
  public let toVersion: Int
  /// How much of the store was read for the plan.
  public let detail: Detail
  /// The changes, in the order of the newer model.
  public let changes: [ModelChange]
  /// Why the migration would be refused: the causes of the `store.modelDiffers` that opening would
  /// throw. When the models alone refuse it, those are all, and rows were only counted.
  public let refusals: [PersistenceError]
  /// Whether programs with the store's model can go on with the store after the migration.
  public let keepsOldPrograms: Bool
  /// The numbers of objects of the entities that the changes concern, under their old names. Empty
  /// before the rows were counted.
  public let objectCounts: [ObjectCount]
  /// The number of rows that the migration writes; 0 before the rows were counted.
  public let writtenRows: Int
  /// The number of tables in which the migration writes rows; 0 before the rows were counted.
  public let writtenTables: Int

  /// How much of a store is read for a plan.
  public enum Detail: Sendable, Hashable {
    /// Only its model. What the rows decide, stays open.
    case model
    /// The rows that the changes concern, once, to count them. The cost grows with their number.
    case rows
  }

  /// The number of objects of an entity.
  public struct ObjectCount: Sendable, Hashable {
    /// The name of the entity in the store.
    public let entity: String
    /// The number of objects that are of this entity, and not of a subentity.
    public let count: Int

    /// A number of objects.
    public init(entity: String, count: Int) {
      self.entity = entity
      self.count = count
    }
  }

  /// Whether nothing refuses the migration, as far as it is known. With ``Detail/model``, the rows
  /// can still refuse it.
  public var isAllowed: Bool { refusals.isEmpty }

  /// Whether the rows decide, and were not read.
  public var dependsOnRows: Bool { changes.contains { $0.outcome == .dependsOnRows } }

  /// Whether values can get lost. Copal copies the store before, unless it is told not to.
  public var isLossy: Bool { changes.contains(where: \.isLossy) }

  /// A plan from the models alone.
  package init(_ difference: ModelDifference, fromVersion: Int) {
    self.init(
      difference, fromVersion: fromVersion, .model, changes: difference.changes,
      refusals: difference.refusals, counts: RowCounts())
  }

  /// A plan from the models and from the rows.
  ///
  /// - Parameter error: the error of a problem of the rows.
  package init(
    _ difference: ModelDifference, fromVersion: Int, counts: RowCounts,
    error: (RowProblem) -> PersistenceError
  ) {
    let counted = difference.changes.map { counts.counted($0, difference.mapping) }
    let fromModel = zip(difference.changes, counted).filter(\.0.isRefused)
      .compactMap { $0.1.error() }
    self.init(
      difference, fromVersion: fromVersion, .rows, changes: counted,
      refusals: fromModel.isEmpty ? counts.problems.map(error) : fromModel, counts: counts)
  }

  private init(
    _ difference: ModelDifference, fromVersion: Int, _ detail: Detail, changes: [ModelChange],
    refusals: [PersistenceError], counts: RowCounts
  ) {
    let mapping = difference.mapping
    model = mapping.new.name
    self.fromVersion = fromVersion
    toVersion = mapping.new.version
    self.detail = detail
    self.changes = changes
    self.refusals = refusals
    keepsOldPrograms = difference.isHarmless
    let concerned = Set(changes.flatMap { mapping.oldEntities(of: $0) })
    objectCounts = mapping.old.entities.indices.compactMap { index in
      guard concerned.contains(index), let count = counts.objects[index] else { return nil }
      return ObjectCount(entity: mapping.old.entities[index].name, count: count)
    }
    let written = Set(
      changes.filter { $0.effect == .writesRows }.flatMap { mapping.oldEntities(of: $0) }
    ).filter { counts.objects[$0, default: 0] > 0 }
    writtenRows = written.reduce(0) { $0 + counts.objects[$1, default: 0] }
    writtenTables = Set(written.map { mapping.old.line($0)[0] }).count
  }
}

/// What the rows of a store say about a migration.
package struct RowCounts: Sendable {
  /// The number of objects of exactly an old entity, by its position.
  package var objects: [Int: Int] = [:]
  /// Whether the rows were checked. They are not when the models alone refuse the migration.
  package var hasCheckedRows = false
  /// What the rows refuse.
  package var problems: [RowProblem] = []
  /// The numbers of values that get lost or are rounded.
  package var losses: [Loss: Int] = [:]
  /// The numbers of pairs of one-to-one relationships that get lost, because they are at one end
  /// only, which is not kept.
  package var oneSidedPairs: [Loss: Int] = [:]

  /// What a lossy change concerns.
  package struct Loss: Sendable, Hashable {
    package let kind: ModelChange.Kind
    package let entity: String
    package let property: String?

    package init(_ kind: ModelChange.Kind, _ entity: String, _ property: String?) {
      self.kind = kind
      self.entity = entity
      self.property = property
    }
  }

  package init() {}

  /// A change with its numbers. What depended on the rows is decided.
  fileprivate func counted(_ change: ModelChange, _ mapping: ModelMapping) -> ModelChange {
    var counted = change
    let concerned = mapping.oldEntities(of: change)
    if !concerned.isEmpty {
      counted.rowCount = concerned.reduce(0) { $0 + objects[$1, default: 0] }
    }
    let problem = problems.first { change.isConcerned(by: $0) }
    if let problem, let refusal = change.refusal {
      counted.outcome = .refused(cure: refusal.cure)
      counted.failingCount = problem.count
      counted.detail += ": \(problem.found)"
    } else if change.isLossy || change.kind == .removed,
      let loss = losses[Loss(change.kind, change.entity, change.property)]
    {
      counted.failingCount = loss
      counted.detail += change.text(ofLoss: loss)
    } else if change.outcome == .dependsOnRows, hasCheckedRows {
      counted.outcome = .lossless
      counted.failingCount = 0
    }
    if !counted.isRefused,
      let pairs = oneSidedPairs[Loss(change.kind, change.entity, change.property)]
    {
      counted.addOneSidedPairs(pairs)
    }
    return counted
  }
}

extension ModelDifference {
  /// The errors of the changes that are refused whatever the rows are.
  package var refusals: [PersistenceError] {
    changes.filter(\.isRefused).compactMap { $0.error() }
  }
}

extension ModelMapping {
  /// The old entities whose objects a change concerns, as positions.
  package func oldEntities(of change: ModelChange) -> [Int] {
    guard let index = new.entityIndex(change.entity) else {
      return old.entityIndex(change.entity).map { [$0] } ?? []
    }
    if change.kind == .abstract { return oldEntity(of: index).map { [$0] } ?? [] }
    if change.kind == .merged {
      return oldEntities(of: index).filter { $0 != oldEntity(of: index) }
    }
    if change.kind == .added, let property = change.property {
      return new.entities[index].relationship(property) == nil
        ? origin(ofAttribute: property, in: index).lacking
        : origin(ofRelationship: property, in: index).lacking
    }
    return change.property == nil && change.kind != .parent
      ? oldEntities(of: index).filter(mayHaveObjects) : entitiesWithObjects(of: index)
  }
}

extension ModelChange {
  fileprivate func isConcerned(by problem: RowProblem) -> Bool {
    kind == problem.kind && entity == problem.entity && property == problem.property
      && refusal != nil
  }

  /// Adds that pairs get lost which the other end of a one-to-one relationship does not have.
  fileprivate mutating func addOneSidedPairs(_ count: Int) {
    if count == 0 { return }
    if isLossy {
      // What the change loses beside them may not be counted.
      failingCount = failingCount.map { $0 + count }
    } else {
      (outcome, failingCount) = (.lossy(word: nil), count)
    }
    detail +=
      count == 1
      ? ": 1 value is lost, because the other end does not have it"
      : ": \(count.grouped) values are lost, because the other end does not have them"
  }

  /// What a plan says of values that get lost.
  fileprivate func text(ofLoss count: Int) -> String {
    let values = count == 1 ? "1 value" : "\(count.grouped) values"
    let objects = count == 1 ? "1 object" : "\(count.grouped) objects"
    return switch outcome {
    case _ where kind == .removed || kind == .moved: " with \(property == nil ? objects : values)"
    case .lossy(word: "nearest"): ": \(values) \(count == 1 ? "is" : "are") rounded"
    case .lossy(word: "nil"): ": \(values) \(count == 1 ? "becomes" : "become") nil"
    case .lossy(word: "fill"): ": \(values) \(count == 1 ? "is" : "are") replaced"
    default: ""
    }
  }
}
