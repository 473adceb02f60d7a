package import CopalEssentials
import CopalModel

/// Copies the objects of a store into an empty one of the same model.
///
/// It commits at most ``GraphWriter/limit`` rows at once, and assumes nothing of the keys that the
/// target chooses. The steps: objects with their attributes, then references, then links, then what
/// programs keep beside the objects. A reference to an object that does not exist becomes nil: its
/// key could be that of another object in the target.
package final class StoreCopy {
  private let schema: StoreSchema
  private let source: any StoreSession
  /// Writes into the target. Its objects have the keys of the source.
  package let writer: GraphWriter
  private let files: (any ExternalFiles)?
  private let keepsMetadata: Bool
  private let now: Date
  private let meter: ProgressMeter?
  /// Called before each commit; what it throws ends the copy.
  private let beforeBatch: () throws -> Void
  private var findings: [Finding: RowFindings] = [:]
  private var conflicts: [CommitConflict] = []

  private struct Finding: Hashable {
    let cause: RowProblem.Cause
    let entity: String
    let property: String
  }

  package init(
    from source: any PersistentStore, to target: any PersistentStore, now: Date,
    _ progress: (@Sendable (MigrationProgress) -> Void)? = nil,
    beforeBatch: @escaping () throws -> Void = {}
  ) throws {
    meter = progress.map { ProgressMeter($0) }
    schema = source.schema
    self.source = try source.makeSession()
    files = source.externalFiles
    keepsMetadata = source.keepsMetadata && target.keepsMetadata
    self.now = now
    self.beforeBatch = beforeBatch
    writer = try GraphWriter(filling: target)
  }

  /// Copies what the source has at one moment.
  ///
  /// - Returns: what rows refuse. The target then has some of the objects.
  /// - Throws: ``PersistenceError`` of a store, and what was asked to throw before a commit.
  package func run() throws -> [RowProblem] {
    try source.beginReadTransaction()
    defer { source.endReadTransaction() }
    let layouts = schema.entities.filter { !$0.entity.isAbstract }
    if let meter {
      for layout in layouts { meter.expect(try source.count(query(layout))) }
    }
    for layout in layouts { try copyObjects(of: layout) }
    var problems = try abstractProblems() + rowProblems()
    if !problems.isEmpty { return problems }
    for layout in layouts where !layout.references.isEmpty { try copyReferences(of: layout) }
    for layout in layouts { try copyLinks(of: layout) }
    problems = rowProblems()
    if keepsMetadata, problems.isEmpty { _ = try writer.write(source.fetchMetadata(named: nil)) }
    return problems
  }

  /// The objects of exactly an entity.
  private func query(_ layout: EntityLayout) -> StoreQuery {
    StoreQuery(entity: layout.index, includesSubentities: false)
  }

  private func forEachBatch(
    of layout: EntityLayout, _ body: (ArraySlice<Int64>) throws -> Void
  ) throws {
    for part in try source.fetchKeys(query(layout)).parts(of: GraphWriter.limit) {
      try beforeBatch()
      try body(part)
    }
  }

  // MARK: Objects

  private func copyObjects(of layout: EntityLayout) throws {
    let columns = layout.columns.compactMap { CopiedColumn($0.slot, layout) }
    try forEachBatch(of: layout) { batch in
      let rows = try source.rows(batch, of: layout.index).inOrder { $0.key < $1.key }
      let refused = try writer.insert(rows.map(\.key), of: layout, root: layout.root) { place in
        let (key, row) = rows[place]
        var values = [PropertyValue](repeating: .null, count: layout.slotCount)
        for column in columns {
          values[column.slot] = value(of: column, in: row, key: key, layout)
        }
        return (values, row.version)
      }
      conflicts += refused
      if refused.isEmpty { meter?.add(rows.count) }
    }
  }

  private func value(
    of column: CopiedColumn, in row: PackedRow, key: Int64, _ layout: EntityLayout
  ) -> PropertyValue {
    guard let attribute = column.attribute else {
      return withExtendedLifetime(row) { layout.value(row.base, column.slot) }
    }
    func refuse(_ cause: RowProblem.Cause) -> PropertyValue {
      add(cause, of: attribute.name, column.entity, key, layout)
      return .null
    }
    var stored: PropertyValue?
    if let text = row.fileText(column.slot) {
      stored = ExternalFileName(text).flatMap { try? files?.read($0) }.map { .binary($0) }
      if stored == nil, !attribute.replacesValues { return refuse(.file) }
    } else {
      stored = withExtendedLifetime(row) {
        PackedRowValues.typeMismatch(row.base, column.slot) == nil
          ? layout.value(row.base, column.slot) : nil
      }
    }
    guard let value = attribute.change.newValue(of: stored, now: now) else {
      return refuse(.inexact)
    }
    let keepsRules = value == .null || attribute.rule?.failure(value) == nil
    return keepsRules ? value : refuse(.rules)
  }

  // MARK: Relationships

  private func copyReferences(of layout: EntityLayout) throws {
    try forEachBatch(of: layout) { batch in
      var references: [GraphWriter.Reference] = []
      for (key, row) in try source.rows(batch, of: layout.index) {
        guard let owner = writer.place(of: key, root: layout.root)?.key else { continue }
        for reference in layout.references {
          guard let member = member(reference, in: row, key: key, layout) else { continue }
          references.append(.init(of: owner, reference.slot, member))
          if let slot = reference.positionSlot, let position = row.integer(slot) {
            references.append(.init(of: owner, slot, position))
          }
        }
      }
      conflicts += try writer.update(references, of: layout)
    }
  }

  /// The new key of the object that a reference leads to; nil for none.
  private func member(
    _ reference: EntityLayout.Reference, in row: PackedRow, key: Int64, _ layout: EntityLayout
  ) -> Int64? {
    let name = layout.slots[reference.slot].propertyName
    let isInteger = withExtendedLifetime(row) {
      PackedRowValues.typeMismatch(row.base, reference.slot) == nil
    }
    if !isInteger { add(.inexact, of: name, reference.declaringEntity, key, layout) }
    guard isInteger, let other = row.integer(reference.slot) else { return nil }
    return member(other, reference.destination, of: name, reference.declaringEntity, key, layout)
  }

  /// The new key of an object that another one refers to; nil for one that does not exist.
  private func member(
    _ key: Int64, _ destination: Int, of property: String, _ entity: Int, _ owner: Int64,
    _ layout: EntityLayout
  ) -> Int64? {
    guard let place = writer.place(of: key, root: schema.entities[destination].root) else {
      return nil
    }
    if schema.isEntity(place.entity, kindOf: destination) { return place.key }
    add(.wrongEntity, of: property, entity, owner, layout)
    return nil
  }

  /// Copies the links of the objects that are the owners in tables of links.
  private func copyLinks(of layout: EntityLayout) throws {
    for (place, relationship) in schema.relationships[layout.index].enumerated() {
      guard !relationship.isHidden, case .links(let table, .owner) = relationship.storage else {
        continue
      }
      try forEachBatch(of: layout) { batch in
        let links = try source.links(of: batch.inOrder(), place, of: layout.index)
        let positions = try inversePositions(of: links, relationship)
        conflicts += try writer.link(
          links.compactMap { link in
            guard let owner = writer.place(of: link.owner, root: layout.root)?.key,
              let member = member(
                link.member, relationship.destination, of: relationship.relationship.name,
                relationship.declaringEntity, link.owner, layout)
            else { return nil }
            return Link(
              owner: owner, member: member, position: link.position,
              inversePosition: positions[Link(owner: link.member, member: link.owner)])
          }, table: table)
      }
    }
  }

  /// The positions in the lists of the members, by their links without a position.
  private func inversePositions(
    of links: [Link], _ relationship: RelationshipLayout
  ) throws -> [Link: Int64] {
    guard let inverse = relationship.inverse,
      schema.relationships[relationship.destination][inverse].relationship.isOrdered
    else { return [:] }
    let members = Set(links.map(\.member)).inOrder()
    var positions: [Link: Int64] = [:]
    for link in try source.links(of: members, inverse, of: relationship.destination) {
      positions[Link(owner: link.owner, member: link.member)] = link.position
    }
    return positions
  }

  // MARK: Problems

  private func add(
    _ cause: RowProblem.Cause, of property: String, _ entity: Int, _ key: Int64,
    _ layout: EntityLayout
  ) {
    let finding = Finding(cause: cause, entity: schema.entities[entity].name, property: property)
    findings[finding, default: RowFindings()].add(key, of: schema.entities[layout.root].name)
  }

  private func rowProblems() -> [RowProblem] {
    let found = findings.inOrder(by: { $0.key.property < $1.key.property }).compactMap {
      RowProblem($0.key.cause, $0.value, of: $0.key.property, $0.key.entity)
    }
    return found + RowProblem.unique(conflicts, schema)
  }

  /// Another program can have stored objects of exactly an abstract entity. They have no place.
  private func abstractProblems() throws -> [RowProblem] {
    try schema.entities.filter(\.entity.isAbstract).compactMap { layout in
      RowProblem.abstract(layout.name, count: try source.count(query(layout)))
    }
  }
}

/// A column that is not a reference, and what a copy makes of its values.
private struct CopiedColumn {
  let slot: Int
  /// The position of the entity that declares the property.
  let entity: Int
  /// Nil for a value beside that of a property, which stays as it is.
  let attribute: Attribute?

  struct Attribute {
    let name: String
    /// A value of a wrong type can have a replacement in the model.
    let change: ValueChange
    let replacesValues: Bool
    let rule: ValueRule?
  }

  /// - Returns: nil for a column that is written with references, and for one that no row has.
  init?(_ slot: Int, _ layout: EntityLayout) {
    switch layout.slots[slot] {
    case .reference, .hidden(.order, _), .projection: return nil
    case .hidden: attribute = nil
    case .attribute(let description):
      let change = AttributeChange(from: description, to: description)
      attribute = Attribute(
        name: description.name, change: ValueChange(change),
        replacesValues: change.replacesValues,
        rule: description.checksStored ? ValueRule(0, description) : nil)
    }
    self.slot = slot
    entity = layout.declaringEntities[slot]
  }
}
