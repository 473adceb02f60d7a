import CopalEssentials
package import CopalModel

/// A check of a store while it runs: what is looked at, and what was found so far.
///
/// For authors of stores: ``StoreSession/check(_:)`` gets it, asks for ``parts``, and adds each
/// problem. It is used in one isolation. The default of that method does all of it for a store
/// whose rows need no special look.
public final class StoreCheck {
  /// What is looked at.
  public let parts: StoreCheckParts
  /// The greatest number of problems.
  public let limit: Int
  /// What was found, in the order in which it was added.
  public private(set) var problems: [StoreProblem] = []
  package let schema: StoreSchema
  private let identities: [EntityIdentity]
  private let progress: ((StoreCheckProgress) -> Void)?
  private var current: (parts: StoreCheckParts, entity: String?) = ([], nil)
  private var rowCount = 0
  private var lastReport: ContinuousClock.Instant?

  init(
    _ parts: StoreCheckParts, of schema: StoreSchema, inStore store: UUID, limit: Int,
    progress: ((StoreCheckProgress) -> Void)?
  ) {
    self.parts = parts
    self.limit = limit
    self.progress = progress
    self.schema = schema
    identities = schema.identities(inStore: store)
  }

  /// Whether there are as many problems as the check keeps, so that it can end.
  public var isFull: Bool { problems.count >= limit }

  /// The number of problems that can be added.
  public var room: Int { max(0, limit - problems.count) }

  /// Adds a problem, unless the check is full.
  public func add(_ problem: StoreProblem) { if !isFull { problems.append(problem) } }

  /// The id of the object with a key.
  package func id(_ key: Int64, _ entity: Int) -> ManagedObjectID {
    ManagedObjectID(identities[entity], key)
  }

  // MARK: Progress

  /// Says what is looked at from now on.
  package func begin(_ parts: StoreCheckParts, _ layout: EntityLayout? = nil) {
    current = (parts, layout?.name)
    report()
  }

  /// The number of rows between two looks at the clock, a power of two.
  private static let pace = 1024

  /// Counts a row whose values are looked at.
  @inline(__always)
  package func countRow() {
    rowCount &+= 1
    if rowCount & (Self.pace - 1) == 0, progress != nil { reportIfDue() }
  }

  @inline(never)
  private func reportIfDue() {
    if let lastReport, ContinuousClock.now - lastReport < .milliseconds(50) { return }
    report()
  }

  private func report() {
    guard let progress else { return }
    lastReport = .now
    progress(
      StoreCheckProgress(
        parts: current.parts, entityName: current.entity, rowCount: rowCount))
  }
}

extension StoreCheck {
  /// Adds a problem of a slot of a row.
  package func add(
    _ kind: StoreProblem.Kind, _ key: Int64, _ slot: Int, _ layout: EntityLayout,
    other: Int64? = nil, rule: PersistenceError.Code? = nil, detail: String? = nil
  ) {
    add(
      StoreProblem(
        kind, entity: schema.entities[layout.declaringEntities[slot]].name,
        property: layout.slots[slot].propertyName, objectID: id(key, layout.index),
        otherID: other.map { id($0, layout.index) }, rule: rule, detail: detail))
  }

  /// Adds a group of rows that have the same values in a unique constraint.
  ///
  /// - Parameters:
  ///   - first: the least key of the group.
  ///   - last: the greatest one.
  ///   - layout: that of the entity that declares the constraint.
  package func addRepeated(
    _ constraint: EntityLayout.UniqueConstraint, first: Int64, last: Int64, count: Int,
    _ layout: EntityLayout
  ) {
    let names = constraint.slots.map { layout.slots[$0].propertyName }
    let others = count - 2
    add(
      StoreProblem(
        .repeatedValue, entity: layout.name, property: names.joined(separator: ", "),
        objectID: id(last, layout.index), otherID: id(first, layout.index),
        detail: others > 0
          ? "\(others.counted("other object")) \(others == 1 ? "has" : "have")" : nil
      ))
  }

  /// Adds what a session has found as broken references.
  package func add(_ found: [BrokenReference]) {
    for broken in found {
      let name = broken.relationship
      var other = schema.relationship(name.name, of: name.entity)?.destination ?? name.entity
      let kind: StoreProblem.Kind
      switch broken.kind {
      case .missingObject: kind = .missingObject
      case .missingOwner: kind = .missingOwner
      case .wrongEntity(let entity):
        kind = .wrongEntity
        other = entity
      case .noKey: kind = .noKey
      }
      add(
        StoreProblem(
          kind, entity: schema.entities[name.entity].name, property: name.name,
          objectID: id(broken.key, broken.entity), otherID: broken.other.map { id($0, other) }))
    }
  }

  /// Adds what a session has found as wrong derived values. Duplicates are left out where unique
  /// constraints are looked at, too.
  package func add(_ found: [WrongDerivedValue]) {
    for wrong in found where !wrong.isDuplicate || !parts.contains(.uniqueness) {
      let layout = schema.entities[wrong.entity]
      add(
        StoreProblem(
          wrong.isDuplicate ? .repeatedValue : .wrongSearchValue, entity: layout.name,
          property: layout.attributes[wrong.slot].name, objectID: id(wrong.key, wrong.entity)))
    }
  }
}
