import CopalModel
import CopalStore

/// The columns of a table that another model changes.
public struct ColumnChange: Sendable {
  /// The renamings, in an order in which each new name is free.
  public let renames: [Rename]
  /// The new columns, and those that get converted values.
  public let added: [Column]
  /// The columns whose values are kept or converted.
  public let kept: [Kept]
  /// The columns that the model does not have any more, under the names that they have by then.
  public let dropped: [String]
  /// What rows get.
  public let updates: [RowUpdate]
  /// What rows must fulfill.
  public let checks: [RowCheck]
  /// The name that each column has after the renamings, by its old one.
  let names: [String: String]

  /// A column of a table.
  public struct Column: Sendable {
    /// The mapping of the entity that declares it.
    public let mapping: TableMapping
    /// The slot.
    public let slot: Int
  }

  /// A column of a table that has the values of a column of the old one.
  public struct Kept: Sendable {
    /// The column.
    public let column: Column
    /// The name of the column that the table has had.
    public let oldName: String
  }

  /// - Parameters:
  ///   - entities: the entities of which the table may have rows.
  ///   - conversions: the conversions of the whole migration, to which those of the table are
  ///     added.
  init(
    from before: [TableMapping], to after: [TableMapping], rowsOf entities: [EntityLayout],
    _ mapping: SchemaPair, _ conversions: inout [ColumnConversion]
  ) {
    var builder = Builder(before, mapping, conversions)
    for table in after {
      for slot in table.layout.ownColumns.map(\.slot) { builder.add(slot, table) }
    }
    builder.dropUnclaimed()
    conversions = builder.conversions
    renames =
      RenameSteps(
        builder.renames,
        among: before.flatMap(\.ownColumnNames) + before.prefix(1).flatMap(\.headNames),
        temporary: "copal_renamed_"
      ).steps
    added = builder.added
    kept = builder.kept
    dropped = builder.dropped
    updates = builder.updates.grouped(all: entities)
    checks = builder.checks(all: entities)
    names = Dictionary(
      builder.renames.map { ($0.old, $0.new) }, uniquingKeysWith: { first, _ in first })
  }

  /// The name that a column has aside, until its values are converted or it is dropped.
  static func asideName(_ column: String) -> String { "copal_old_\(column)" }
}

/// Goes through the columns of the new model, and says what becomes of those of the old one.
private struct Builder {
  private let pair: SchemaPair
  private let mappings: [Int: TableMapping]
  private let columns: [String]
  private var claimed: Set<String> = []
  private var found:
    [(entities: [EntityLayout], mapping: TableMapping, slot: Int, rule: RowCheck.Rule)] = []
  private(set) var conversions: [ColumnConversion]
  private(set) var renames: [Rename] = []
  private(set) var added: [ColumnChange.Column] = []
  private(set) var kept: [ColumnChange.Kept] = []
  private(set) var dropped: [String] = []
  private(set) var updates = RowUpdate.Collector()

  init(_ before: [TableMapping], _ pair: SchemaPair, _ conversions: [ColumnConversion]) {
    self.pair = pair
    self.conversions = conversions
    mappings = Dictionary(
      before.map { ($0.layout.index, $0) }, uniquingKeysWith: { first, _ in first })
    columns = before.flatMap(\.ownColumnNames)
  }

  /// Adds the column of a slot of the new model.
  mutating func add(_ slot: Int, _ table: TableMapping) {
    let (layout, new) = (table.layout, table.columnNames[slot])
    let property = layout.slots[slot]
    let origin = pair.origin(of: property, in: layout.index)
    guard let place = origin.places.first,
      let old = mappings[place.entity]?.column(of: property, named: place.name)
    else {
      added.append(ColumnChange.Column(mapping: table, slot: slot))
      switch property {
      case .attribute(let attribute):
        fill(attribute, slot: slot, of: table, lacking: origin.lacking)
      case .reference(let relationship): require(relationship, nil, slot: slot, of: table)
      case .hidden(.order, let property): order(property, slot: slot, of: table)
      case .hidden: break
      }
      return
    }
    claimed.insert(old)
    kept.append(
      ColumnChange.Kept(column: ColumnChange.Column(mapping: table, slot: slot), oldName: old))
    if case .reference(let relationship) = property {
      return keep(old, relationship, slot: slot, of: table)
    }
    guard case .attribute(let attribute) = property,
      let was = pair.mapping.attribute(at: place)
    else {
      renames.append(Rename(old, to: new))
      return
    }
    keep(
      old, AttributeChange(from: was, to: attribute), slot: slot, of: table, lacking: origin.lacking
    )
  }

  // MARK: Relationships

  /// Keeps the objects of a to-one relationship.
  private mutating func keep(
    _ old: String, _ relationship: RelationshipDescription, slot: Int, of table: TableMapping
  ) {
    let (layout, new) = (table.layout, table.columnNames[slot])
    let origin = pair.mapping.origin(ofRelationship: relationship.name, in: layout.index)
    guard let end = origin.places.first else { return }
    let change = RelationshipChange(from: end, to: relationship, in: layout.index, pair.mapping)
    require(relationship, change, slot: slot, of: table)
    if !change.existsNow, !change.mayMissNow {
      renames.append(Rename(old, to: new))
      return
    }
    // The column has another definition: its keys are those of rows that must exist, or not.
    let name = ColumnChange.asideName(old)
    renames.append(Rename(old, to: name))
    added.append(ColumnChange.Column(mapping: table, slot: slot))
    dropped.append(name)
    let entities = pair.layoutsWithRows(of: layout.index).filter {
      !origin.lacking.contains($0.index)
    }
    assign(.copied(column: name), slot: slot, of: table, in: entities)
  }

  /// Looks for objects without an object at the other end, where they must have one now.
  private mutating func require(
    _ relationship: RelationshipDescription, _ change: RelationshipChange?, slot: Int,
    of table: TableMapping
  ) {
    if relationship.isOptional { return }
    let origin = pair.mapping.origin(ofRelationship: relationship.name, in: table.layout.index)
    let lacking = origin.lacking.map { pair.new.entities[$0] }
    check(.newValue, slot: slot, of: table, in: lacking)
    guard let end = origin.places.first else { return }
    let change =
      change
      ?? RelationshipChange(from: end, to: relationship, in: table.layout.index, pair.mapping)
    if !change.mayBeNil, relationship.conversion != .toNil { return }
    let others = pair.layoutsWithRows(of: table.layout.index).filter {
      !origin.lacking.contains($0.index)
    }
    check(.value, slot: slot, of: table, in: others)
  }

  /// Gives positions to the objects of a list that is ordered now.
  private mutating func order(_ property: String, slot: Int, of table: TableMapping) {
    let origin = pair.originOfColumn(property, in: table.layout.index)
    guard !origin.places.isEmpty, let reference = table.layout.slotByName[property] else { return }
    let entities = pair.layoutsWithRows(of: table.layout.index).filter {
      !origin.lacking.contains($0.index)
    }
    assign(.position(inListOf: reference), slot: slot, of: table, in: entities)
  }

  // MARK: Attributes

  /// Keeps the values of an attribute that the store has.
  private mutating func keep(
    _ old: String, _ change: AttributeChange, slot: Int, of table: TableMapping,
    lacking: [Int]
  ) {
    let (layout, new) = (table.layout, table.columnNames[slot])
    let entities = pair.layoutsWithRows(of: layout.index).filter { !lacking.contains($0.index) }
    let movesAside = change.convertsValues && !change.isInSameColumn
    let name = movesAside ? ColumnChange.asideName(old) : new
    renames.append(Rename(old, to: name))
    if movesAside {
      added.append(ColumnChange.Column(mapping: table, slot: slot))
      dropped.append(name)
    }
    if change.convertsValues || !change.renamedCases.isEmpty {
      let number = add(change, layout)
      assign(.converted(column: name, conversion: number), slot: slot, of: table, in: entities)
    } else {
      if change.step.checksRows {
        check(.accepted(conversion: add(change, layout)), slot: slot, of: table, in: entities)
      }
      if let value = change.fill {
        assign(.valueForNil(value), slot: slot, of: table, in: entities)
      }
    }
    if change.refusesNil { check(.value, slot: slot, of: table, in: entities) }
    if change.new.checksStored {
      let number = add(change, layout, onlyChecks: true)
      check(.accepted(conversion: number), slot: slot, of: table, in: entities)
    }
    fill(change.new, slot: slot, of: table, lacking: lacking)
  }

  /// Gives a new attribute its value in existing rows.
  private mutating func fill(
    _ attribute: AttributeDescription, slot: Int, of table: TableMapping,
    lacking: [Int]
  ) {
    if attribute.isTransient || lacking.isEmpty { return }
    let entities = lacking.map { pair.new.entities[$0] }
    switch attribute.valueOfOldObjects {
    case nil:
      if !attribute.isOptional { check(.newValue, slot: slot, of: table, in: entities) }
    case let value?: assign(.value(value), slot: slot, of: table, in: entities)
    }
  }

  private mutating func add(
    _ change: AttributeChange, _ layout: EntityLayout, onlyChecks: Bool = false
  ) -> Int {
    conversions.append(
      ColumnConversion(
        entity: layout.name, change: change, onlyChecks: onlyChecks))
    return conversions.count - 1
  }

  private mutating func assign(
    _ source: RowUpdate.Source, slot: Int, of table: TableMapping,
    in entities: [EntityLayout]
  ) {
    updates.add(
      RowUpdate.Assignment(slot: slot, source: source, declaringEntity: table.layout.index),
      to: entities)
  }

  private mutating func check(
    _ rule: RowCheck.Rule, slot: Int, of table: TableMapping,
    in entities: [EntityLayout]
  ) {
    if !entities.isEmpty { found.append((entities, table, slot, rule)) }
  }

  func checks(all: [EntityLayout]) -> [RowCheck] {
    found.map {
      RowCheck(
        entities: $0.entities, areAll: $0.entities.count == all.count, mapping: $0.mapping,
        slot: $0.slot, rule: $0.rule)
    }
  }

  // MARK: Removed columns

  /// Drops the columns of the old model that are no column of the new one.
  mutating func dropUnclaimed() {
    for column in columns where !claimed.contains(column) {
      let name = ColumnChange.asideName(column)
      renames.append(Rename(column, to: name))
      dropped.append(name)
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
