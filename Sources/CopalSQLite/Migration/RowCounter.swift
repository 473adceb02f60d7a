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
  private let counter = RowCountTranslator(SQLiteDialect())

  init(
    _ connection: Connection, _ pair: SchemaPair, _ difference: ModelDifference,
    files folder: ExternalFolder
  ) {
    self.connection = connection
    self.pair = pair
    self.difference = difference
    self.folder = folder
  }

  /// - Throws: ``PersistenceError`` of a statement that failed.
  func counts() throws -> RowCounts {
    var counts = RowCounts()
    try countObjects(&counts)
    try countRemovedValues(&counts)
    counts.oneSidedPairs = try oneSidedPairs()
    // Refused changes have no columns in the new tables.
    if difference.refusals.isEmpty { try checkRows(&counts) }
    return counts
  }

  private func countObjects(_ counts: inout RowCounts) throws {
    let concerned = Set(difference.changes.flatMap { pair.mapping.oldEntities(of: $0) })
    for index in concerned where !pair.mapping.old.entities[index].isAbstract {
      let query = counter.objectCount(TableMapping(pair.old.entities[index], in: pair.old))
      counts.objects[index] = try connection.integers(query).first.map { Int($0) }
    }
    for change in difference.changes where change.kind == .removed && change.property == nil {
      counts.losses[RowCounts.Loss(.removed, change.entity, nil)] =
        pair.mapping.oldEntities(of: change).first.flatMap { counts.objects[$0] }
    }
  }

  /// Counts the pairs of one-to-one relationships that get lost, because they are at one end only,
  /// which is not kept. One query for each such end.
  func oneSidedPairs() throws -> [RowCounts.Loss: Int] {
    var counts: [RowCounts.Loss: Int] = [:]
    for end in pair.droppedEnds {
      let count = try connection.integers(counter.oneSidedPairs(end)).first ?? 0
      counts[RowCounts.Loss(end.kind, end.entity, end.property), default: 0] += Int(count)
    }
    return counts
  }

  /// Counts what objects lose with a property: the values of the attributes and the objects of the
  /// relationships that are not kept at the other end. One query for each entity, and for each
  /// table of links.
  private func countRemovedValues(_ counts: inout RowCounts) throws {
    let kept = pair.mapping.keptPairs
    let lost = difference.losses.filter {
      !pair.mapping.isRemoval($0) || !kept.contains(pair.mapping.pair(of: $0.place))
    }
    let groups = Dictionary(grouping: lost) { [$0.place.entity] + $0.formers }
    for losses in groups.values {
      guard let first = losses.first else { continue }
      let layout = pair.old.entities[first.place.entity]
      let formers = first.formers.filter { !pair.mapping.old.entities[$0].isAbstract }
      let found = losses.compactMap { loss in
        layout.slotByName[loss.place.name].map { (loss: loss, slot: $0) }
      }
      if let rows = pair.rows(of: formers), !found.isEmpty {
        let query = counter.valueCounts(
          found.map(\.slot), TableMapping(layout, in: pair.old), in: rows)
        try connection.forEachRow(query.text, query.values) { row in
          for (column, (loss, _)) in found.enumerated() {
            note(Int(row.integer(Int32(column))), loss, &counts)
          }
        }
      }
      for loss in losses where layout.slotByName[loss.place.name] == nil {
        guard let query = counter.linkCount(of: loss.place, in: formers, pair) else { continue }
        note(Int(try connection.integers(query).first ?? 0), loss, &counts)
      }
    }
  }

  private func note(_ count: Int, _ loss: PropertyLoss, _ counts: inout RowCounts) {
    let entity = pair.new.entities[loss.entity].name
    for kind in [ModelChange.Kind.removed, .moved] {
      counts.losses[RowCounts.Loss(kind, entity, loss.place.name), default: 0] += count
    }
  }

  /// Makes the checks of the migration on the rows as it would leave them.
  private func checkRows(_ counts: inout RowCounts) throws {
    let now = Date()
    let changes = TableChanges(pair, try RowMoves(pair, FileNumbers(connection, pair.old)))
    let translator = RowCheckTranslator(changes, pair, SQLiteDialect(), now: now)
    let conversions = ConversionFunction(
      changes.conversions, folder, now: now, countsLosses: true)
    var checks = RowChecks(connection, changes, asking: translator, converting: conversions)
    try conversions.registered(on: connection) {
      try checks.run()
      for query in changes.tables.flatMap(translator.convert) { try connection.run(query) }
      checks.addFindings()
      let lost = conversions.lostValues
      for table in changes.tables { try findDuplicates(in: table, &checks) }
      for (conversion, count) in zip(changes.conversions, lost) where !conversion.onlyChecks {
        let loss = RowCounts.Loss(.type, conversion.entity, conversion.change.new.name)
        counts.losses[loss, default: 0] += count
      }
    }
    counts.problems = checks.problems
    counts.hasCheckedRows = true
  }

  /// Looks for equal values where a unique constraint is new, or where its values are.
  private func findDuplicates(in table: TableChange, _ checks: inout RowChecks) throws {
    for mapping in table.family {
      for index in SchemaTranslator(SQLiteDialect()).indexes(mapping) where index.isUnique {
        let names = mapping.propertyNames(of: index).inOrder().joined(separator: ", ")
        let isNew = difference.changes.contains {
          $0.kind == .unique && $0.entity == mapping.layout.name && $0.property == names
            && $0.refusal != nil
        }
        if isNew || !table.columns.writtenColumns.isDisjoint(with: index.columns) {
          try checks.findDuplicates(index, mapping, in: table)
        }
      }
    }
  }
}
