import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// Counts for a plan what the rows of a file say about a migration, in the open transaction. It
/// only reads.
struct RowCounter {
  private let connection: Connection
  private let pair: SchemaPair
  private let difference: ModelDifference
  private let folder: ExternalFolder
  private let old: RowCheckTranslator

  init(
    _ connection: Connection, _ pair: SchemaPair, _ difference: ModelDifference,
    files folder: ExternalFolder
  ) {
    self.connection = connection
    self.pair = pair
    self.difference = difference
    self.folder = folder
    old = RowCheckTranslator(pair.old, SQLiteDialect())
  }

  /// - Throws: ``PersistenceError`` of a statement that failed.
  func counts() throws -> RowCounts {
    var counts = RowCounts()
    try countObjects(&counts)
    try countRemovedValues(&counts)
    // Refused changes have no columns in the new tables.
    if difference.refusals.isEmpty { try checkRows(&counts) }
    return counts
  }

  private func countObjects(_ counts: inout RowCounts) throws {
    let concerned = Set(difference.changes.flatMap { pair.mapping.oldEntities(of: $0) })
    for index in concerned where !pair.mapping.old.entities[index].isAbstract {
      let query = old.objectCount(TableMapping(pair.old.entities[index], in: pair.old))
      counts.objects[index] = try connection.integers(query).first.map { Int($0) }
    }
    for change in difference.changes where change.kind == .removed && change.property == nil {
      counts.losses[RowCounts.Loss(.removed, change.entity, nil)] =
        pair.mapping.oldEntities(of: change).first.flatMap { counts.objects[$0] }
    }
  }

  /// Counts the values of removed attributes: one query for each entity that has had some.
  private func countRemovedValues(_ counts: inout RowCounts) throws {
    let removals = difference.changes.filter { $0.kind == .removed && $0.property != nil }
    for (entity, changes) in Dictionary(grouping: removals, by: \.entity) {
      guard let index = pair.mapping.new.entityIndex(entity),
        let former = pair.mapping.oldEntity(of: index)
      else { continue }
      let layout = pair.old.entities[former]
      let found = changes.compactMap { change in
        change.property.flatMap { layout.slotByName[$0] }.map { (change: change, slot: $0) }
      }
      if found.isEmpty { continue }
      let query = old.valueCounts(found.map(\.slot), TableMapping(layout, in: pair.old))
      try connection.forEachRow(query.text, query.values) { row in
        for (column, (change, _)) in found.enumerated() {
          let loss = RowCounts.Loss(.removed, entity, change.property)
          counts.losses[loss] = Int(row.integer(Int32(column)))
        }
      }
    }
  }

  /// Makes the checks of the migration on the rows as it would leave them.
  private func checkRows(_ counts: inout RowCounts) throws {
    let now = Date()
    let changes = TableChanges(pair)
    let translator = RowCheckTranslator(planning: changes, pair, SQLiteDialect(), now: now)
    let conversions = ConversionFunction(
      changes.conversions, folder, now: now, countsLosses: true)
    var checks = RowChecks(connection, changes, asking: translator, converting: conversions)
    try conversions.registered(on: connection) {
      for update in changes.changed.flatMap(\.columns.updates) {
        if let query = translator.convert(update) { try connection.run(query) }
      }
      let lost = conversions.lostValues
      try checks.run()
      for change in changes.changed { try findDuplicates(in: change, &checks) }
      for (conversion, count) in zip(changes.conversions, lost) where !conversion.onlyChecks {
        let loss = RowCounts.Loss(.type, conversion.entity, conversion.change.new.name)
        counts.losses[loss, default: 0] += count
      }
    }
    counts.problems = checks.problems
    counts.hasCheckedRows = true
  }

  /// Looks for equal values where a unique constraint is new, or where its values are.
  private func findDuplicates(in change: TableChange, _ checks: inout RowChecks) throws {
    let written = Set(
      change.columns.updates.flatMap { update in
        update.assignments.compactMap { assignment in
          update.entities.first.map {
            TableMapping($0, in: pair.new).columnNames[assignment.slot]
          }
        }
      })
    for mapping in change.family {
      for index in SchemaTranslator(SQLiteDialect()).indexes(mapping) where index.isUnique {
        let names = mapping.propertyNames(of: index).sorted().joined(separator: ", ")
        let isNew = difference.changes.contains {
          $0.kind == .unique && $0.entity == mapping.layout.name && $0.property == names
            && $0.refusal != nil
        }
        if isNew || !written.isDisjoint(with: index.columns) {
          try checks.findDuplicates(index, mapping)
        }
      }
    }
  }
}
