import CopalEssentials
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
  private let meter: ProgressMeter?
  /// Called before each commit; what it throws ends the copy.
  private let beforeBatch: () throws -> Void
  private var findings: [Finding: RowFindings] = [:]
  /// The unique constraints for which the target has refused objects.
  private var refusals: [RowProblem] = []

  private struct Finding: Hashable {
    let cause: RowProblem.Cause
    let entity: String
    let property: String
  }

  package init(
    from source: any PersistentStore, to target: any PersistentStore,
    _ progress: (@Sendable (MigrationProgress) -> Void)? = nil,
    beforeBatch: @escaping () throws -> Void = {}
  ) throws {
    meter = progress.map { ProgressMeter($0) }
    schema = source.schema
    self.source = try source.makeSession()
    files = source.externalFiles
    keepsMetadata = source.keepsMetadata && target.keepsMetadata
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
    var problems = try refusals + abstractProblems() + rowProblems()
    if !problems.isEmpty { return problems }
    for layout in layouts where !layout.references.isEmpty { try copyReferences(of: layout) }
    for layout in layouts { try copyLinks(of: layout) }
    problems = refusals + rowProblems()
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
      note(refused)
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
    let stored: PropertyValue
    if let text = row.fileText(column.slot) {
      let data = ExternalFileName(text).flatMap { try? files?.read($0) }
      guard let data else { return refuse(.file) }
      stored = .binary(data)
    } else {
      guard !row.hasWrongType(column.slot) else { return refuse(.inexact) }
      stored = withExtendedLifetime(row) { layout.value(row.base, column.slot) }
    }
    // A value of the right storage class can be outside of the range of its type.
    guard stored == .null || attribute.conversion.converted(stored) != nil else {
      return refuse(.inexact)
    }
    let keepsRules = stored == .null || attribute.rule?.failure(stored) == nil
    return keepsRules ? stored : refuse(.rules)
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
      note(try writer.update(references, of: layout))
    }
  }

  /// The new key of the object that a reference leads to; nil for none.
  private func member(
    _ reference: EntityLayout.Reference, in row: PackedRow, key: Int64, _ layout: EntityLayout
  ) -> Int64? {
    let name = layout.slots[reference.slot].propertyName
    func refuse(_ cause: RowProblem.Cause) -> Int64? {
      add(cause, of: name, reference.declaringEntity, key, layout)
      return nil
    }
    if row.hasWrongType(reference.slot) { return refuse(.inexact) }
    guard let other = row.integer(reference.slot),
      let place = writer.place(of: other, root: reference.destinationRoot)
    else { return nil }
    return schema.isEntity(place.entity, kindOf: reference.destination)
      ? place.key : refuse(.wrongEntity)
  }

  /// Copies the links of the objects that are the owners in tables of links. A session does not
  /// find a link to an object of a wrong entity, which is in no list.
  private func copyLinks(of layout: EntityLayout) throws {
    for (place, relationship) in schema.relationships[layout.index].enumerated() {
      guard !relationship.isHidden, case .links(let table, .owner) = relationship.storage else {
        continue
      }
      let root = schema.entities[relationship.destination].root
      try forEachBatch(of: layout) { batch in
        let links = try source.links(of: batch.inOrder(), place, of: layout.index)
        let positions = try inversePositions(of: links, relationship)
        let copied = links.compactMap { link -> Link? in
          guard let owner = writer.place(of: link.owner, root: layout.root)?.key,
            let member = writer.place(of: link.member, root: root)?.key
          else { return nil }
          return Link(
            owner: owner, member: member, position: link.position,
            inversePosition: positions[Link(owner: link.member, member: link.owner)])
        }
        note(try writer.link(copied, table: table))
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
    findings.inOrder(by: { $0.key.property < $1.key.property }).compactMap {
      RowProblem($0.key.cause, $0.value, of: $0.key.property, $0.key.entity)
    }
  }

  private func note(_ conflicts: [CommitConflict]) {
    for problem in RowProblem.unique(conflicts, schema) where !refusals.contains(problem) {
      refusals.append(problem)
    }
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
    /// Takes the values that the type has.
    let conversion: ValueConversion
    let rule: ValueRule?
  }

  /// - Returns: nil for a column that is written with references, and for one that no row has.
  init?(_ slot: Int, _ layout: EntityLayout) {
    switch layout.slots[slot] {
    case .reference, .hidden(.order, _), .projection: return nil
    case .hidden: attribute = nil
    case .attribute(let description):
      attribute = Attribute(
        name: description.name,
        conversion: ValueConversion(from: description.form, to: description.form),
        rule: description.checksStored ? ValueRule(0, description) : nil)
    }
    self.slot = slot
    entity = layout.declaringEntities[slot]
  }
}

extension PackedRow {
  /// Whether another program has stored a value of another storage class in a column.
  fileprivate func hasWrongType(_ slot: Int) -> Bool {
    withExtendedLifetime(self) { PackedRowValues.typeMismatch(base, slot) != nil }
  }
}
