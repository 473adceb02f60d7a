package import CopalEssentials
import CopalModel
package import CopalStore

/// Copies the objects of a store into an empty one, whose model may be a newer one: object by
/// object, in Swift. It makes of each value what a migration in place does, which uses SQL, so
/// tests compare the two.
///
/// It assumes nothing of the keys that the target chooses. The steps: objects with their
/// attributes, then references, then links.
package final class MigratingCopy {
  let old: StoreSchema
  let new: StoreSchema
  let mapping: ModelMapping
  let source: any StoreSession
  /// Writes into the target. Its objects have the keys of the source.
  package let writer: GraphWriter
  private let files: (any ExternalFiles)?
  private let keepsMetadata: Bool
  private let now: Date
  let propertyLosses: [PropertyLoss]
  /// The keys of objects that are removed with their entities, by the position of the old root.
  private(set) var removed: [Int: Set<Int64>] = [:]
  /// The pairs of one-to-one relationships that both ends keep, with the keys of the source.
  var mutualPairs: [RelationshipName: [Int64: Int64]] = [:]
  /// What refuses the copy. The target then has some of the objects.
  package private(set) var problems: [RowProblem] = []
  private var findings: [Finding: RowFindings] = [:]
  /// The number of objects whose value was looked at, where a nil refuses the copy.
  var totals: [Finding: Int] = [:]

  struct Finding: Hashable {
    let cause: RowProblem.Cause
    let entity: String
    let property: String
  }

  package init(
    from source: any PersistentStore, to target: any PersistentStore, now: Date
  ) throws {
    old = source.schema
    new = target.schema
    mapping = ModelMapping(from: source.schema.model, to: target.schema.model)
    propertyLosses = PropertyLoss.all(of: mapping)
    self.source = try source.makeSession()
    files = source.externalFiles
    keepsMetadata = source.keepsMetadata && target.keepsMetadata
    self.now = now
    writer = try GraphWriter(filling: target)
  }

  /// Copies what the source has at one moment.
  ///
  /// - Throws: ``PersistenceError`` of a store. ``problems`` has what rows refuse.
  package func run() throws {
    try source.beginReadTransaction()
    defer { source.endReadTransaction() }
    let copied = new.entities.indices.flatMap(mapping.oldEntities).filter(mapping.mayHaveObjects)
      .map { old.entities[$0] }
    for former in copied { try copyObjects(of: former) }
    try findAbstract()
    addProblems()
    if !problems.isEmpty { return }
    try findRemoved()
    for former in copied { try copyReferences(of: former) }
    for former in copied { try copyLinks(of: former) }
    addProblems()
    try copyMetadata()
  }

  /// Copies what programs keep beside the objects.
  private func copyMetadata() throws {
    if !keepsMetadata || !problems.isEmpty { return }
    add(try writer.write(source.fetchMetadata(named: nil)))
  }

  /// The layout that the objects of an old entity get; nil for a removed one.
  func newLayout(of former: EntityLayout) -> EntityLayout? {
    mapping.newEntity(of: former.index).map { new.entities[$0] }
  }

  /// Objects of exactly an entity that is abstract now have no place.
  private func findAbstract() throws {
    for index in new.entities.indices where new.model.entities[index].isAbstract {
      let count = try mapping.oldEntities(of: index).reduce(0) { sum, former in
        try sum + source.count(StoreQuery(entity: former, includesSubentities: false))
      }
      if let problem = RowProblem.abstract(new.entities[index].name, count: count) {
        problems.append(problem)
      }
    }
  }

  /// Notes the objects that are removed with their entities, of families that go on.
  private func findRemoved() throws {
    for former in old.entities where mapping.newEntity(of: former.index) == nil {
      if mapping.newRoots(ofFamily: former.root).isEmpty { continue }
      let query = StoreQuery(entity: former.index, includesSubentities: false)
      removed[former.root, default: []].formUnion(try source.fetchKeys(query))
    }
  }

  /// The keys of the objects of exactly an old entity, in batches.
  func forEachBatch(
    of layout: EntityLayout, _ body: (ArraySlice<Int64>) throws -> Void
  ) throws {
    let all = try source.fetchKeys(StoreQuery(entity: layout.index, includesSubentities: false))
    for part in all.parts(of: GraphWriter.limit) { try body(part) }
  }

  /// The rows of some objects, in the order of their keys.
  func rows(
    _ keys: ArraySlice<Int64>, of former: EntityLayout
  ) throws -> [(key: Int64, row: PackedRow)] {
    try source.rows(keys, of: former.index).inOrder { $0.key < $1.key }
  }

  // MARK: Objects

  private func copyObjects(of former: EntityLayout) throws {
    guard let layout = newLayout(of: former) else { return }
    let columns = CopiedColumn.columns(of: layout, former, mapping)
    let kept = keptSlots(of: former)
    try forEachBatch(of: former) { batch in
      let rows = try rows(batch, of: former)
      let conflicts = try writer.insert(rows.map(\.key), of: layout, root: former.root) { place in
        let (key, row) = rows[place]
        for (slot, loss) in kept where hasValue(row, slot, former) { add(loss, key, former) }
        var values = [PropertyValue](repeating: .null, count: layout.slotCount)
        for column in columns {
          values[column.slot] = value(of: column, in: row, key: key, former)
        }
        return (values, row.version)
      }
      add(conflicts)
    }
  }

  /// The new value of a column of a row.
  private func value(
    of column: CopiedColumn, in row: PackedRow, key: Int64, _ layout: EntityLayout
  ) -> PropertyValue {
    switch column.source {
    case .hidden(let slot):
      return withExtendedLifetime(row) { layout.value(row.base, slot) }
    case .new(let attribute):
      let value = attribute.valueOfOldObjects?.value(now) ?? .null
      if value == .null, !attribute.isOptional {
        add(column.finding(.newValue), key, layout)
      }
      return value
    case .changed(let slot, let change, let values, let rule):
      let found: PropertyValue?
      if let text = row.fileText(slot) {
        let data = ExternalFileName(text).flatMap { name in try? files?.read(name) }
        found = data.map { .binary($0) }
        if data == nil, !change.replacesValues {
          add(column.finding(.file), key, layout)
          return .null
        }
      } else {
        found = withExtendedLifetime(row) {
          PackedRowValues.typeMismatch(row.base, slot) == nil ? layout.value(row.base, slot) : nil
        }
      }
      guard let value = values.newValue(of: found, now: now) else {
        add(column.finding(.inexact), key, layout)
        return .null
      }
      if change.refusesNil {
        totals[column.finding(.value), default: 0] += 1
        if value == .null { add(column.finding(.value), key, layout) }
      }
      if let rule, value != .null, rule.failure(value) != nil {
        add(column.finding(.rules), key, layout)
      }
      return value
    }
  }

  /// The slots of an old entity whose values get lost because a subentity has the property now, and
  /// the model does not say that they go.
  private func keptSlots(of former: EntityLayout) -> [(slot: Int, loss: Finding)] {
    propertyLosses.compactMap { loss in
      let owner = new.model.entities[loss.entity]
      guard loss.keeper != nil, loss.formers.contains(former.index),
        !owner.removed.contains(loss.place.name), mapping.attribute(at: loss.place) != nil,
        let slot = former.slotByName[loss.place.name]
      else { return nil }
      return (slot, Finding(cause: .kept, entity: owner.name, property: loss.place.name))
    }
  }

  private func hasValue(_ row: PackedRow, _ slot: Int, _ layout: EntityLayout) -> Bool {
    row.fileText(slot) != nil
      || withExtendedLifetime(row) { layout.value(row.base, slot) != .null }
  }

  func finding(_ cause: RowProblem.Cause, _ relationship: RelationshipName) -> Finding {
    let entity = new.entities[relationship.entity].name
    return Finding(cause: cause, entity: entity, property: relationship.name)
  }

  func add(_ finding: Finding, _ key: Int64, _ former: EntityLayout) {
    findings[finding, default: RowFindings()].add(key, of: old.entities[former.root].name)
  }

  private func addProblems() {
    defer { findings = [:] }
    for (finding, rows) in findings.inOrder(by: { $0.key.property < $1.key.property }) {
      let problem = RowProblem(
        finding.cause, rows, among: totals[finding, default: 0], of: finding.property,
        finding.entity)
      if let problem { problems.append(problem) }
    }
  }

  func add(_ conflicts: [CommitConflict]) {
    for problem in RowProblem.unique(conflicts, new) where !problems.contains(problem) {
      problems.append(problem)
    }
  }
}

/// Where the value of a slot comes from.
private struct CopiedColumn {
  let slot: Int
  /// The names of the entity that declares the property, and of the property.
  let entity: String
  let property: String
  let source: Source

  indirect enum Source {
    /// Old objects do not have the attribute.
    case new(AttributeDescription)
    case changed(slot: Int, AttributeChange, ValueChange, ValueRule?)
    /// A value beside that of a property, which stays.
    case hidden(slot: Int)
  }

  func finding(_ cause: RowProblem.Cause) -> MigratingCopy.Finding {
    MigratingCopy.Finding(cause: cause, entity: entity, property: property)
  }

  /// The columns of an entity that are not references.
  static func columns(
    of layout: EntityLayout, _ former: EntityLayout, _ mapping: ModelMapping
  ) -> [CopiedColumn] {
    layout.columns.compactMap { column in
      let slot = column.slot
      let description = layout.slots[slot]
      guard let source = source(of: description, layout, former, mapping) else { return nil }
      return CopiedColumn(
        slot: slot, entity: mapping.new.entities[layout.declaringEntities[slot]].name,
        property: description.propertyName, source: source)
    }
  }

  private static func source(
    of slot: SlotDescription, _ layout: EntityLayout, _ former: EntityLayout,
    _ mapping: ModelMapping
  ) -> Source? {
    switch slot {
    case .reference, .hidden(.order, _), .projection: return nil
    case .hidden(let kind, let property):
      let oldName = mapping.oldName(ofAttribute: property, from: former.index)
      return former.slots.firstIndex { candidate in
        if case .hidden(kind, let name) = candidate { name == oldName } else { false }
      }.map { .hidden(slot: $0) }
    case .attribute(let attribute):
      guard let oldName = mapping.oldName(ofAttribute: attribute.name, from: former.index),
        let slot = former.slotByName[oldName], case .attribute(let was) = former.slots[slot]
      else { return .new(attribute) }
      let change = AttributeChange(from: was, to: attribute)
      let rule = attribute.checksStored ? ValueRule(0, attribute) : nil
      return .changed(slot: slot, change, ValueChange(change), rule)
    }
  }
}
