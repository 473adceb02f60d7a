import CopalModel
import CopalStore

/// Goes through the columns of the new model, and says what becomes of those of the old one.
///
/// First each column of the new model looks for one of the table's columns that it can go on with.
/// Then it is known under which name each old column is found, and so what each cell gets.
struct ColumnBuilder {
  private let pair: SchemaPair
  private let rowMoves: RowMoves
  private let root: Int
  /// The root whose table the family goes on with.
  private let keptRoot: Int?
  /// The old entities whose rows the table gets or has.
  private let formers: [Int]
  private let family: [TableMapping]
  private var plans: [ColumnPlan] = []
  /// The new column that goes on with each old one.
  private var claims: [String: String] = [:]
  private(set) var conversions: [ColumnConversion]
  private(set) var added: [ColumnChange.Column] = []
  private(set) var checks: [RowCheck] = []
  private(set) var rows: [RowChange] = []
  /// The place of each old entity in ``rows``.
  private let places: [Int: Int]

  /// Where the values of a column of the new model come from.
  private struct ColumnPlan {
    let slot: Int
    let table: TableMapping
    let parts: [Part]
    let lacking: [Int]

    var column: String { table.columnNames[slot] }

    /// The value of rows that have had none.
    var fill: AttributeDescription.Default? {
      if case .attribute(let attribute) = table.layout.slots[slot] {
        attribute.valueOfOldObjects
      } else {
        nil
      }
    }
  }

  private struct Part {
    /// The old property; nil for a position that rows get now.
    let place: ModelMapping.Place?
    /// The old entity that declared the property.
    let declaring: Int
    /// The column of the old table.
    let column: String
    /// The old entities whose rows have values.
    let formers: [Int]
    /// Whether the column can serve as it is.
    let isInPlace: Bool
    let source: CellSource
  }

  init(
    _ family: [TableMapping], _ pair: SchemaPair, _ moves: RowMoves,
    _ conversions: [ColumnConversion]
  ) {
    self.family = family
    self.pair = pair
    rowMoves = moves
    root = family.first?.layout.index ?? 0
    keptRoot = moves.keptRoot(of: root)
    formers = pair.mapping.entitiesWithObjects(of: root)
    self.conversions = conversions
    rows = formers.map { RowChange(former: $0) }
    places = Dictionary(
      formers.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Columns

  /// Plans the column of a slot of the new model.
  mutating func plan(_ slot: Int, _ table: TableMapping) {
    let plan: ColumnPlan
    switch table.layout.slots[slot] {
    case .attribute(let attribute): plan = self.plan(attribute, slot, table)
    case .reference(let relationship): plan = self.plan(relationship, slot, table)
    case .hidden(.order, let property): plan = planOrder(property, slot, table)
    case .hidden(_, let property), .projection(_, let property):
      plan = planHidden(property, slot, table)
    }
    plans.append(plan)
    let claimed = plan.parts.first {
      $0.isInPlace && pair.oldRoot($0.declaring) == keptRoot && claims[$0.column] == nil
    }
    if let claimed {
      claims[claimed.column] = plan.column
    } else if keptRoot != nil {
      added.append(ColumnChange.Column(mapping: table, slot: slot))
    }
  }

  /// The column of the old table that holds what a slot does.
  private func column(of slot: SlotDescription, _ place: ModelMapping.Place) -> String? {
    pair.oldMapping(place.entity).column(of: slot, named: place.name)
  }

  private mutating func plan(
    _ attribute: AttributeDescription, _ slot: Int, _ table: TableMapping
  ) -> ColumnPlan {
    let origin = pair.mapping.origin(ofAttribute: attribute.name, in: table.layout.index)
    var required: [RowCheck.Part] = []
    let parts = origin.parts.compactMap { found -> Part? in
      guard let was = pair.mapping.attribute(at: found.source),
        let column = column(of: .attribute(attribute), found.source)
      else { return nil }
      let change = AttributeChange(from: was, to: attribute)
      let part = part(found, change, column, slot, table)
      if change.refusesNil {
        required += self.checked(part.formers, .cell(part.source), table)
      }
      return part
    }
    check(.value, attribute.name, table, required)
    if attribute.valueOfOldObjects == nil, !attribute.isOptional {
      check(.newValue, attribute.name, table, checked(origin.lacking, .cell(.null), table))
    }
    return ColumnPlan(slot: slot, table: table, parts: parts, lacking: origin.lacking)
  }

  private mutating func part(
    _ found: ModelMapping.Origin<ModelMapping.Place>.Part, _ change: AttributeChange,
    _ column: String, _ slot: Int, _ table: TableMapping
  ) -> Part {
    func add(onlyChecks: Bool = false) -> Int {
      conversions.append(
        ColumnConversion(
          entity: table.layout.name,
          root: pair.old.entities[pair.oldRoot(found.source.entity)].name, change: change,
          onlyChecks: onlyChecks))
      return conversions.count - 1
    }
    let source: CellSource
    if change.convertsValues || !change.renamedCases.isEmpty {
      source = .converted(column: column, conversion: add())
    } else if let value = change.fill {
      source = .valueForNil(column: column, value, slot: slot)
    } else {
      source = .copied(column: column, added: 0)
    }
    let part = Part(
      place: found.source, declaring: found.source.entity, column: column, formers: found.entities,
      isInPlace: !change.convertsValues || change.isInSameColumn, source: source)
    func accept(_ number: Int, _ source: CellSource) {
      check(
        .accepted(conversion: number), change.new.name, table,
        checked(found.entities, .cell(source), table))
    }
    if source.conversion == nil, change.step.checksRows {
      accept(add(), .copied(column: column, added: 0))
    }
    if change.new.checksStored { accept(add(onlyChecks: true), source) }
    return part
  }

  private mutating func plan(
    _ relationship: RelationshipDescription, _ slot: Int, _ table: TableMapping
  ) -> ColumnPlan {
    let index = table.layout.index
    let origin = pair.mapping.origin(ofRelationship: relationship.name, in: index)
    var required: [RowCheck.Part] = []
    let parts = origin.parts.compactMap { found -> Part? in
      let change = RelationshipChange(from: found.source, to: relationship, in: index, pair.mapping)
      let column = column(of: relationship, found.source)
      if !relationship.isOptional, change.mayBeNil || relationship.conversion == .toNil {
        if let column {
          required += checked(
            found.entities, .cell(.copied(column: column, added: 0)), table)
        } else if let pairs = RelatedPairs(found.source, in: pair.old) {
          required += checked(found.entities, .pairs(pairs), table)
        }
      }
      guard let column, let keys = shift(of: found.source, relationship) else { return nil }
      return Part(
        place: found.source.place, declaring: found.source.place.entity, column: column,
        formers: found.entities,
        isInPlace: keys.isInPlace && !change.existsNow && !change.mayMissNow,
        source: .copied(column: column, added: keys.added))
    }
    check(.value, relationship.name, table, required)
    if !relationship.isOptional {
      check(.newValue, relationship.name, table, checked(origin.lacking, .cell(.null), table))
    }
    return ColumnPlan(slot: slot, table: table, parts: parts, lacking: origin.lacking)
  }

  /// The column of a to-one relationship; nil for an end that has none.
  private func column(
    of relationship: RelationshipDescription, _ end: ModelMapping.RelationshipEnd
  ) -> String? {
    guard !end.isReversed, pair.mapping.relationship(at: end.place)?.isToMany == false else {
      return nil
    }
    return column(of: .reference(relationship), end.place)
  }

  /// What is added to the keys of a relationship's objects, and whether their table is the one to
  /// which the column refers.
  private func shift(
    of end: ModelMapping.RelationshipEnd, _ relationship: RelationshipDescription
  ) -> (added: Int64, isInPlace: Bool)? {
    guard
      let was = pair.mapping.relationship(at: end.place)
        .flatMap({ pair.mapping.old.entityIndex($0.destination) }),
      let now = pair.mapping.new.entityIndex(relationship.destination)
    else { return nil }
    let (oldRoot, newRoot) = (pair.oldRoot(was), pair.new.entities[now].root)
    let added = rowMoves.added(from: oldRoot, to: newRoot)
    return (added, added == 0 && rowMoves.keptRoot(of: newRoot) == oldRoot)
  }

  private func planOrder(_ property: String, _ slot: Int, _ table: TableMapping) -> ColumnPlan {
    let index = table.layout.index
    let origin = pair.mapping.origin(ofRelationship: property, in: index)
    let relationship = pair.new.model.entities[index].relationship(property)
    let parts = origin.parts.compactMap { found -> Part? in
      guard let relationship, let reference = column(of: relationship, found.source) else {
        return nil
      }
      let declaring = found.source.place.entity
      guard let column = column(of: .hidden(.order, of: property), found.source.place) else {
        return Part(
          place: nil, declaring: declaring, column: "", formers: found.entities, isInPlace: false,
          source: .position(inListOf: reference))
      }
      return Part(
        place: found.source.place, declaring: declaring, column: column, formers: found.entities,
        isInPlace: true,
        source: .copied(column: column, added: 0))
    }
    return ColumnPlan(slot: slot, table: table, parts: parts, lacking: origin.lacking)
  }

  private func planHidden(_ property: String, _ slot: Int, _ table: TableMapping) -> ColumnPlan {
    let origin = pair.mapping.origin(ofAttribute: property, in: table.layout.index)
    let parts = origin.parts.compactMap { found -> Part? in
      guard let column = column(of: table.layout.slots[slot], found.source) else { return nil }
      return Part(
        place: found.source, declaring: found.source.entity, column: column,
        formers: found.entities, isInPlace: true,
        source: .copied(column: column, added: 0))
    }
    return ColumnPlan(slot: slot, table: table, parts: parts, lacking: origin.lacking)
  }

  // MARK: Cells

  /// Says what the cells of each planned column get.
  mutating func fillCells() {
    for plan in plans {
      for part in plan.parts {
        for former in part.formers { add(plan.column, part.source, to: former) }
      }
      if let value = plan.fill {
        for former in plan.lacking { add(plan.column, .value(value, slot: plan.slot), to: former) }
      }
    }
  }

  private mutating func add(_ column: String, _ source: CellSource, to former: Int) {
    guard let place = places[former] else { return }
    rows[place].cells.append(RowChange.Cell(column: column, source: source))
  }

  /// Takes values out of the column that a property goes on with, where an entity does not have the
  /// property any more.
  ///
  /// Where that is allowed only if there are no values, there are none.
  mutating func clearCells() {
    var checked: [ModelMapping.Place: Set<Int>] = [:]
    for loss in pair.losses where isChecked(loss) {
      checked[loss.place, default: []].formUnion(loss.formers)
    }
    for plan in plans {
      let filled = Set(plan.parts.flatMap(\.formers) + (plan.fill == nil ? [] : plan.lacking))
      for part in plan.parts where claims[part.column] == plan.column {
        let empty = filled.union(part.place.flatMap { checked[$0] } ?? [])
        for former in pair.old.kinds(of: part.declaring) where !empty.contains(former) {
          add(plan.column, .null, to: former)
        }
      }
    }
  }

  /// Whether a property that a subentity has now refuses the migration if others have values.
  private func isChecked(_ loss: PropertyLoss) -> Bool {
    loss.keeper != nil
      && !pair.new.model.entities[loss.entity].removed.contains(loss.place.name)
  }

  // MARK: Results

  private func stays(_ former: Int) -> Bool { pair.oldRoot(former) == keptRoot }

  /// The columns that the old entities add to those of their parents.
  var oldColumns: [String] {
    keptRoot.map { pair.old.kinds(of: $0).flatMap { pair.oldMapping($0).ownColumnNames } } ?? []
  }

  var headNames: [String] { keptRoot.map { pair.oldMapping($0).headNames } ?? [] }

  var names: [String: String] {
    Dictionary(
      oldColumns.map { ($0, claims[$0] ?? ColumnChange.asideName($0)) },
      uniquingKeysWith: { first, _ in first })
  }

  var dropped: [String] {
    oldColumns.filter { claims[$0] == nil }.map(ColumnChange.asideName)
  }

  /// The columns that get the values of dropped ones, by the names of these. A column whose values
  /// go into several is not among them.
  var successors: [String: String] {
    var found: [String: Set<String>] = [:]
    for cell in updates.flatMap(\.cells) {
      guard let column = cell.source.column, claims[column] == nil else { continue }
      found[ColumnChange.asideName(column), default: []].insert(cell.column)
    }
    return found.filter { $0.value.count == 1 }.compactMapValues(\.first)
  }

  /// What rows get that stay: those that get the same, together.
  var updates: [RowUpdate] {
    var groups: [(cells: [RowChange.Cell], formers: [Int])] = []
    for row in rows where stays(row.former) {
      let cells = row.cells.filter { cell in
        if case .copied(let column, 0) = cell.source { claims[column] != cell.column } else { true }
      }
      if cells.isEmpty { continue }
      if let place = groups.firstIndex(where: { $0.cells == cells }) {
        groups[place].formers.append(row.former)
      } else {
        groups.append((cells, [row.former]))
      }
    }
    return groups.compactMap { cells, formers in
      guard let rows = pair.rows(of: formers), let target = family.first,
        let entity = formers.first.flatMap(pair.mapping.newEntity)
      else { return nil }
      return RowUpdate(rows: rows, target: target, cells: cells, entity: pair.newMapping(entity))
    }
  }

  /// The rows that come from other tables.
  var moves: [RowMove] {
    rows.compactMap { row in
      guard !stays(row.former), let rows = pair.rows(of: [row.former]),
        let entity = pair.mapping.newEntity(of: row.former)
      else { return nil }
      return RowMove(
        rows: rows, target: pair.newMapping(entity), cells: row.cells,
        added: rowMoves.added(from: pair.oldRoot(row.former), to: root))
    }
  }

  // MARK: Checks

  private func checked(
    _ formers: [Int], _ source: RowCheck.Part.Source, _ table: TableMapping
  ) -> [RowCheck.Part] {
    pair.rowsByFamily(of: formers).map {
      RowCheck.Part(rows: $0, source: source, mapping: table)
    }
  }

  private mutating func check(
    _ rule: RowCheck.Rule, _ property: String, _ table: TableMapping, _ parts: [RowCheck.Part]
  ) {
    if parts.isEmpty { return }
    checks.append(
      RowCheck(entity: table.layout.name, property: property, rule: rule, parts: parts))
  }

  /// Objects of which a subentity has a property now have no value, unless the model says that it
  /// goes.
  mutating func checkLosses() {
    for loss in pair.losses
    where isChecked(loss) && pair.new.entities[loss.entity].root == root {
      let lost = loss.formers.filter(pair.mapping.mayHaveObjects)
      let table = pair.newMapping(loss.entity)
      let end = ModelMapping.RelationshipEnd(place: loss.place, isReversed: false)
      if let attribute = pair.mapping.attribute(at: loss.place) {
        guard let column = column(of: .attribute(attribute), loss.place) else { continue }
        check(
          .noValue, loss.place.name, table,
          checked(lost, .cell(.copied(column: column, added: 0)), table))
      } else if !pair.mapping.inverseDecides(loss),
        let pairs = RelatedPairs(end, in: pair.old)
      {
        check(.noValue, loss.place.name, table, checked(lost, .pairs(pairs), table))
      }
    }
  }
}

extension AttributeChange {
  /// Whether the new values have the column of the old ones, because it has the same type.
  fileprivate var isInSameColumn: Bool { !step.writesRows && !leavesFiles }
}

extension TableMapping {
  /// The name of the column that holds what a slot of another model does; nil if there is none.
  fileprivate func column(of slot: SlotDescription, named name: String) -> String? {
    layout.slots.indices.first {
      layout.storedSlots.contains($0) && layout.slots[$0].isCounterpart(of: slot, named: name)
    }.map { columnNames[$0] }
  }

  /// The columns that the entity adds to those of its parent.
  var ownColumnNames: [String] { layout.ownColumns.map { columnNames[$0.slot] } }

  /// The columns that every table has.
  fileprivate var headNames: [String] {
    [keyName, versionName] + (entityColumnName.map { [$0] } ?? [])
  }
}

extension SlotDescription {
  /// Whether the slot holds, of the property with a name, what another one holds of its property.
  fileprivate func isCounterpart(of other: SlotDescription, named name: String) -> Bool {
    guard propertyName == name else { return false }
    return switch (self, other) {
    case (.attribute, .attribute), (.reference, .reference): true
    case (.hidden(let a, _), .hidden(let b, _)): a == b
    default: false
    }
  }
}
