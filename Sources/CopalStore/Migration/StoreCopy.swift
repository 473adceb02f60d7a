package import CopalEssentials
import CopalModel

/// Copies the objects of a store into an empty one, whose model may be a newer one: object by
/// object, in Swift. It makes of each value what a migration in place does, so it shows whether
/// that is right.
///
/// It commits at most ``batch`` rows at once, and assumes nothing of the keys that the target
/// chooses. The steps: objects with their attributes, then references, then links.
package final class StoreCopy {
  private let old: StoreSchema
  private let new: StoreSchema
  private let mapping: ModelMapping
  private let source: any StoreSession
  private let target: any StoreSession
  private let files: (any ExternalFiles)?
  private let keepsFiles: Bool
  private let now: Date
  private let meter: ProgressMeter?
  /// The keys in the target, by the position of the old root and the old key.
  package private(set) var keys: [Int: [Int64: Int64]] = [:]
  /// What refuses the copy. The target then has some of the objects.
  package private(set) var problems: [RowProblem] = []
  private var findings: [Finding: RowFindings] = [:]
  /// The number of objects whose value was looked at, where a nil refuses the copy.
  private var totals: [Finding: Int] = [:]

  /// The number of rows in a commit.
  private static let batch = 10_000

  fileprivate struct Finding: Hashable {
    enum Kind { case inexact, rules, file, newValue, value }
    let kind: Kind
    let entity: String
    let property: String
  }

  package init(
    from source: any PersistentStore, to target: any PersistentStore, now: Date,
    _ progress: (@Sendable (MigrationProgress) -> Void)? = nil
  ) throws {
    meter = progress.map { ProgressMeter($0) }
    old = source.schema
    new = target.schema
    mapping = ModelMapping(from: source.schema.model, to: target.schema.model)
    self.source = try source.makeSession()
    self.target = try target.makeSession()
    files = source.externalFiles
    keepsFiles = target.externalFiles != nil
    self.now = now
  }

  /// Whether the target has no objects.
  package func isTargetEmpty() throws -> Bool {
    try new.entities.allSatisfy { layout in
      try layout.root != layout.index
        || target.count(StoreQuery(entity: layout.index, limit: 1)) == 0
    }
  }

  /// Copies what the source has at one moment.
  ///
  /// - Throws: ``PersistenceError`` of a store. ``problems`` has what rows refuse.
  package func run() throws {
    try source.beginReadTransaction()
    defer { source.endReadTransaction() }
    let copied = new.entities.filter { mapping.mayHaveObjects($0.index) }
    if let meter {
      for former in copied.compactMap({ oldLayout($0.index) }) {
        let query = StoreQuery(entity: former.index, includesSubentities: false)
        meter.expect(try source.count(query))
      }
    }
    for layout in copied { try copyObjects(of: layout.index) }
    addProblems()
    if !problems.isEmpty { return }
    for layout in copied { try copyReferences(of: layout) }
    for table in new.linkTables.indices { try copyLinks(of: table) }
  }

  private func oldLayout(_ index: Int) -> EntityLayout? {
    mapping.oldEntity(of: index).map { old.entities[$0] }
  }

  /// The keys of the objects of exactly an old entity, in batches.
  private func forEachBatch(
    of layout: EntityLayout, _ body: (ArraySlice<Int64>) throws -> Void
  ) throws {
    let all = try source.fetchKeys(StoreQuery(entity: layout.index, includesSubentities: false))
    for start in stride(from: 0, to: all.count, by: Self.batch) {
      try body(all[start..<min(start + Self.batch, all.count)])
    }
  }

  private func rows(
    _ keys: ArraySlice<Int64>, of entity: Int, in session: any StoreSession
  ) throws -> [(key: Int64, row: PackedRow)] {
    let receiver = CopiedRows()
    try session.fetchRows(keys, entity: entity, into: receiver)
    if let failure = receiver.failure { throw failure }
    return receiver.rows.sorted { $0.key < $1.key }
  }

  private func commit(_ changes: ChangeSet) throws -> CommitReceipt? {
    switch try target.commit(changes) {
    case .committed(let receipt): return receipt
    case .refused(let conflicts):
      for conflict in conflicts { addConflict(conflict) }
      return nil
    }
  }

  // MARK: Objects

  private func copyObjects(of index: Int) throws {
    guard let former = oldLayout(index) else { return }
    let layout = new.entities[index]
    let columns = CopiedColumn.columns(of: layout, former, mapping)
    try forEachBatch(of: former) { batch in
      var change = ChangeSet.EntityChanges(entity: index)
      var externalValues: [ExternalFileName: Data] = [:]
      let rows = try rows(batch, of: former.index, in: source)
      for (place, (key, row)) in rows.enumerated() {
        var values = [PropertyValue](repeating: .null, count: layout.slotCount)
        var names: [Int: ExternalFileName] = [:]
        for column in columns {
          let value = value(of: column, in: row, key: key, former)
          values[column.slot] = value
          guard keepsFiles, let threshold = layout.attributes[column.slot].externalThreshold,
            case .binary(let data) = value, data.count > threshold
          else { continue }
          let name = ExternalFileName(byteCount: data.count)
          names[column.slot] = name
          externalValues[name] = data
        }
        guard
          let packed = PackedRow.pack(
            layout, values: values, version: row.version, files: names)
        else { throw PersistenceError(.tooBig, entity: layout.name) }
        change.inserts.append(ChangeSet.Insert(key: -Int64(place) - 1, row: packed))
      }
      var changes = ChangeSet([change])
      changes.externalValues = externalValues
      guard let inserted = try commit(changes)?.insertedKeys.first else { return }
      meter?.add(rows.count)
      for ((key, _), newKey) in zip(rows, inserted) {
        keys[former.root, default: [:]][key] = newKey
      }
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
      if value == .null, !attribute.isOptional { add(.newValue, column, key) }
      return value
    case .changed(let slot, let change, let conversion, let rule):
      let found: PropertyValue?
      if let text = row.fileText(slot) {
        let data = ExternalFileName(text).flatMap { name in try? files?.read(name) }
        found = data.map { .binary($0) }
        if data == nil, !change.replacesValues {
          add(.file, column, key)
          return .null
        }
      } else {
        found = withExtendedLifetime(row) {
          PackedRowValues.typeMismatch(row.base, slot) == nil ? layout.value(row.base, slot) : nil
        }
      }
      guard let value = change.newValue(of: found, conversion, now: now) else {
        add(.inexact, column, key)
        return .null
      }
      if change.refusesNil {
        totals[column.finding(.value), default: 0] += 1
        if value == .null { add(.value, column, key) }
      }
      if let rule, value != .null, rule.failure(value) != nil { add(.rules, column, key) }
      return value
    }
  }

  private func add(_ kind: Finding.Kind, _ column: CopiedColumn, _ key: Int64) {
    findings[column.finding(kind), default: RowFindings()].add(key)
  }

  private func addProblems() {
    for (finding, rows) in findings.sorted(by: { $0.key.property < $1.key.property }) {
      let (property, entity) = (finding.property, finding.entity)
      let problem: RowProblem? =
        switch finding.kind {
        case .inexact: .values(rows, breakRules: false, of: property, entity)
        case .rules: .values(rows, breakRules: true, of: property, entity)
        case .file: .files(rows, of: property, entity)
        case .newValue: .missing(rows, of: nil, property, entity)
        case .value: .missing(rows, of: totals[finding], property, entity)
        }
      if let problem { problems.append(problem) }
    }
  }

  /// Rows with equal values in a unique constraint.
  private func addConflict(_ conflict: CommitConflict) {
    guard case .unique(let slots) = conflict.kind else { return }
    let layout = new.entities[conflict.entity]
    let constraint = layout.uniqueConstraints.first { $0.slots == slots }
    let owner = constraint.map { new.entities[$0.declaringEntity].name } ?? layout.name
    let names = slots.map { layout.slots[$0].propertyName }.sorted().joined(separator: ", ")
    let problem = RowProblem(
      kind: .unique, entity: owner, property: names, found: "objects have equal values", key: nil)
    if !problems.contains(problem) { problems.append(problem) }
  }

  // MARK: Relationships

  private func copyReferences(of layout: EntityLayout) throws {
    guard let former = oldLayout(layout.index) else { return }
    let pairs = layout.references.compactMap { reference -> CopiedReference? in
      let name = layout.slots[reference.slot].propertyName
      guard let was = former.references.first(where: { former.slots[$0.slot].propertyName == name })
      else { return nil }
      return CopiedReference(old: was, new: reference)
    }
    if pairs.isEmpty { return }
    let changed = SlotSet(
      pairs.flatMap { [$0.new.slot] + ($0.new.positionSlot.map { [$0] } ?? []) },
      count: layout.slotCount)
    try forEachBatch(of: former) { batch in
      var wanted: [Int64: [PropertyValue]] = [:]
      for (key, row) in try rows(batch, of: former.index, in: source) {
        guard let newKey = keys[former.root]?[key] else { continue }
        var values = [PropertyValue](repeating: .null, count: layout.slotCount)
        var isEmpty = true
        for pair in pairs {
          guard let other = row.integer(pair.old.slot),
            let newOther = keys[pair.old.destinationRoot]?[other]
              ?? (pair.new.mayDangle ? other : nil)
          else { continue }
          isEmpty = false
          values[pair.new.slot] = .integer(newOther)
          if let slot = pair.new.positionSlot,
            let position = pair.old.positionSlot.flatMap(row.integer)
          {
            values[slot] = .integer(position)
          }
        }
        if !isEmpty { wanted[newKey] = values }
      }
      try update(wanted, changed, layout)
    }
  }

  private func update(
    _ wanted: [Int64: [PropertyValue]], _ changed: SlotSet, _ layout: EntityLayout
  ) throws {
    if wanted.isEmpty { return }
    var change = ChangeSet.EntityChanges(entity: layout.index)
    let keys = wanted.keys.sorted()
    for (key, before) in try rows(keys[...], of: layout.index, in: target) {
      guard let values = wanted[key] else { continue }
      guard
        let row = before.repacked(layout, with: values, changed: changed, version: before.version)
      else { throw PersistenceError(.tooBig, entity: layout.name) }
      change.updates.append(
        ChangeSet.Update(key: key, before: before, row: row, changed: changed))
    }
    _ = try commit(ChangeSet([change]))
  }

  private func copyLinks(of table: Int) throws {
    let links = new.linkTables[table]
    for (name, end) in [(links.relationship, LinkTable.End.owner), (links.inverse, .member)] {
      // From the other end only the positions there.
      guard let name, end == .owner || links.isInverseOrdered,
        !(end == .member && links.isSymmetric)
      else { continue }
      try copyLinks(of: table, name, end)
    }
  }

  private func copyLinks(of table: Int, _ name: RelationshipName, _ end: LinkTable.End) throws {
    for index in new.kinds(of: name.entity) where mapping.mayHaveObjects(index) {
      guard let former = oldLayout(index),
        let position = old.relationships[former.index].firstIndex(where: {
          !$0.isHidden && $0.relationship.name == name.name
        })
      else { continue }
      let destination = old.entities[old.relationships[former.index][position].destination].root
      try forEachBatch(of: former) { batch in
        let receiver = CopiedLinks()
        try source.fetchRelated(
          RelatedQuery(
            entity: former.index, relationship: position, owners: Array(batch), wantsKeysOnly: true),
          into: receiver)
        if let failure = receiver.failure { throw failure }
        var change = LinkChanges(table: table)
        for link in receiver.links {
          guard let owner = keys[former.root]?[link.owner],
            let member = keys[destination]?[link.member]
          else { continue }
          let copy = Link(owner: owner, member: member, position: link.position)
          if end == .owner { change.added.append(copy) } else { change.moved.append(copy.reversed) }
        }
        _ = try commit(ChangeSet([], links: [change]))
      }
    }
  }
}

/// A to-one relationship in both models.
private struct CopiedReference {
  let old: EntityLayout.Reference
  let new: EntityLayout.Reference
}

/// Where the value of a slot comes from.
private struct CopiedColumn {
  let slot: Int
  /// The names of the entity that declares the property, and of the property.
  let entity: String
  let property: String
  let source: Source

  enum Source {
    /// Old objects do not have the attribute.
    case new(AttributeDescription)
    case changed(slot: Int, AttributeChange, ValueConversion, ValueRule?)
    /// A value beside that of a property, which stays.
    case hidden(slot: Int)
  }

  func finding(_ kind: StoreCopy.Finding.Kind) -> StoreCopy.Finding {
    StoreCopy.Finding(kind: kind, entity: entity, property: property)
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
    case .reference, .hidden(.order, _): return nil
    case .hidden(let kind, let property):
      let oldName = mapping.oldName(ofAttribute: property, of: layout.index)
      return former.slots.firstIndex { candidate in
        if case .hidden(kind, let name) = candidate { name == oldName } else { false }
      }.map { .hidden(slot: $0) }
    case .attribute(let attribute):
      guard let oldName = mapping.oldName(ofAttribute: attribute.name, of: layout.index),
        let slot = former.slotByName[oldName], case .attribute(let was) = former.slots[slot]
      else { return .new(attribute) }
      let change = AttributeChange(from: was, to: attribute)
      let rule = attribute.checksStored ? ValueRule(0, attribute) : nil
      return .changed(slot: slot, change, change.conversion, rule)
    }
  }
}

/// Keeps the rows of a batch.
private final class CopiedRows: RowReceiver {
  var rows: [(key: Int64, row: PackedRow)] = []
  var failure: PersistenceError?

  func wantsRow(key: Int64, version: Int64) -> Bool { true }
  func receive(key: Int64, row: consuming PackedRow) { rows.append((key, row)) }
  func skip(key: Int64) {}
  func receive(key: Int64, failure: PersistenceError) { self.failure = failure }
}

/// Keeps the links of a batch.
private final class CopiedLinks: RelatedReceiver {
  var links: [Link] = []
  var failure: PersistenceError?
  private var owner: Int64 = 0
  private var position: Int64?

  func beginRow(relatedTo owner: Int64, position: Int64?) {
    self.owner = owner
    self.position = position
  }
  func wantsRow(key: Int64, version: Int64) -> Bool { false }
  func receive(key: Int64, row: consuming PackedRow) {}
  func skip(key: Int64) { links.append(Link(owner: owner, member: key, position: position)) }
  func receive(key: Int64, failure: PersistenceError) { self.failure = failure }
}
