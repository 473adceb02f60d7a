import CopalEssentials
import CopalModel
import CopalObjects
import CopalStore

/// What a column has for one row.
enum CellValue {
  case value(PropertyValue)
  /// The stored form of a transformable, and the version of its transformer.
  case transformable(slot: Int, entity: Int, PropertyValue, version: Int?)
  case list([CellValue])
  case hidden
  case unreadable

  /// The value of a float attribute.
  static func float(_ value: PropertyValue) -> CellValue {
    guard case .double(let number) = value else { return .value(value) }
    return .value(.double(ExchangeText.written(float: number)))
  }
}

/// How a column is read from the rows of an entity. It is found once, because the description of an
/// attribute is large to copy.
enum CellPlan {
  case id
  /// The name of the entity.
  case entity(String)
  /// The entity has no such property.
  case none
  case integer(Int)
  case real(Int)
  case float(Int)
  case text(Int)
  /// The value at a slot, of any other type.
  case value(Int)
  case transformable(Int, versionSlot: Int?)
  /// A value that nobody may see.
  case hidden(Int)
  /// Other rows have the value.
  case others
}

/// Reads the columns of rows.
final class RowValues {
  let columns: [RowColumn]
  private let session: RowSession
  private let showsPrivate: Bool
  private var plans: [[CellPlan]?]

  init(_ columns: [RowColumn], _ session: RowSession, showsPrivate: Bool) {
    (self.columns, self.session, self.showsPrivate) = (columns, session, showsPrivate)
    plans = [[CellPlan]?](repeating: nil, count: session.schema.entities.count)
  }

  var needsOthers: Bool { columns.contains(where: \.needsOthers) }

  /// The plans of the columns for the rows of an entity.
  func plan(of entity: Int) -> [CellPlan] {
    if let plan = plans[entity] { return plan }
    let layout = session.schema.entities[entity]
    let plan = columns.map { column -> CellPlan in
      switch column.content {
      case .id: .id
      case .entity: .entity(layout.name)
      case .attribute(let name), .reference(let name):
        layout.slotByName[name].map { self.plan(of: $0, layout) } ?? .none
      case .followed, .members: .others
      }
    }
    plans[entity] = plan
    return plan
  }

  /// The plan of a slot.
  func plan(of slot: Int, _ layout: EntityLayout) -> CellPlan {
    let attribute = layout.attributes[slot]
    if attribute.isPrivate, !showsPrivate { return .hidden(slot) }
    switch attribute.type {
    case .integer, .integer16, .integer32, .integer64: return .integer(slot)
    case .double: return .real(slot)
    case .float: return .float(slot)
    case .string: return .text(slot)
    case .transformable:
      return .transformable(
        slot, versionSlot: session.transformers(of: layout.index).versionSlot(of: slot))
    default: return .value(slot)
    }
  }

  /// The values of rows: for each row, those of all columns.
  func values(of rows: [(key: Int64, row: PackedRow)]) throws -> [[CellValue]] {
    let followed = try columns.map { column -> [CellValue]? in
      switch column.content {
      case .followed(let steps, let attribute): try follow(rows, steps, attribute)
      case .members(let name, let attribute): try members(rows, name, attribute)
      default: nil
      }
    }
    return rows.indices.map { place in
      let plan = plan(of: rows[place].row.entity)
      return columns.indices.map { column in
        followed[column]?[place] ?? cell(plan[column], rows[place].key, rows[place].row)
      }
    }
  }

  /// The values of a row whose columns need no others.
  func values(_ key: Int64, _ row: PackedRow) -> [CellValue] {
    plan(of: row.entity).map { cell($0, key, row) }
  }

  /// The value of a column.
  func cell(_ plan: CellPlan, _ key: Int64, _ row: PackedRow) -> CellValue {
    switch plan {
    case .id: .value(.integer(key))
    case .entity(let name): .value(.string(name))
    case .none, .others: .value(.null)
    case .integer(let slot), .real(let slot), .text(let slot), .value(let slot):
      readValue(slot, row).map { .value($0) } ?? .unreadable
    case .float(let slot): readValue(slot, row).map { .float($0) } ?? .unreadable
    case .transformable(let slot, let versionSlot): transformable(slot, versionSlot, row)
    case .hidden(let slot):
      // Whether there is a value, can be seen.
      PackedRowValues.isNull(row.base, slot) && PackedRowValues.typeMismatch(row.base, slot) == nil
        ? .value(.null) : .hidden
    }
  }

  private func transformable(_ slot: Int, _ versionSlot: Int?, _ row: PackedRow) -> CellValue {
    guard let value = readValue(slot, row) else { return .unreadable }
    if value.isNull { return .value(.null) }
    let version = versionSlot.flatMap { row.integer($0).map { Int(clamping: $0) } }
    return .transformable(slot: slot, entity: row.entity, value, version: version)
  }

  /// The value at a slot, also from its file; nil for one that cannot be read.
  private func readValue(_ slot: Int, _ row: PackedRow) -> PropertyValue? {
    let layout = session.schema.entities[row.entity]
    if row.hasTypeMismatch, PackedRowValues.typeMismatch(row.base, slot) != nil {
      guard let name = row.fileText(slot),
        let data = try? session.transformers(of: layout.index).fileValue(name)
      else { return nil }
      return .binary(data)
    }
    return withExtendedLifetime(row) { () -> PropertyValue? in
      let value = layout.value(row.base, slot)
      return value.isNull && !PackedRowValues.isNull(row.base, slot) ? nil : value
    }
  }

  // MARK: Related objects

  private func follow(
    _ rows: [(key: Int64, row: PackedRow)], _ steps: [String], _ attribute: String
  ) throws -> [CellValue] {
    var current: [PackedRow?] = rows.map(\.row)
    for step in steps {
      let keys = current.map { row -> (key: Int64, entity: Int)? in
        guard let row else { return nil }
        let layout = session.schema.entities[row.entity]
        guard let slot = layout.slotByName[step], let key = row.integer(slot),
          let reference = layout.reference(ofSlot: slot)
        else { return nil }
        return (key, reference.destination)
      }
      guard let entity = keys.lazy.compactMap({ $0?.entity }).first else {
        return rows.map { _ in .value(.null) }
      }
      let found = try session.rows(Array(Set(keys.compactMap { $0?.key })).sorted(), of: entity)
      current = keys.map { $0.flatMap { found[$0.key] } }
    }
    return current.map { row in row.map { property(attribute, $0) } ?? .value(.null) }
  }

  /// A property of a row of any entity.
  private func property(_ name: String, _ row: PackedRow) -> CellValue {
    let layout = session.schema.entities[row.entity]
    guard let slot = layout.slotByName[name] else { return .value(.null) }
    return cell(plan(of: slot, layout), 0, row)
  }

  private func members(
    _ rows: [(key: Int64, row: PackedRow)], _ name: String, _ attribute: String?
  ) throws -> [CellValue] {
    var members: [Int64: [Int64]] = [:]
    var destination: Int?
    for (entity, rows) in Dictionary(grouping: rows, by: \.row.entity) {
      guard let relationship = session.relationship(name, of: entity) else { continue }
      destination = session.schema.relationships[entity][relationship].destination
      members.merge(
        try session.members(rows.map(\.key).sorted(), of: entity, relationship),
        uniquingKeysWith: { first, _ in first })
    }
    guard let attribute, let destination else {
      return rows.map { row in
        .list((members[row.key] ?? []).map { .value(.integer($0)) })
      }
    }
    let keys = Set(members.values.joined()).sorted()
    let found = try session.rows(keys, of: destination)
    return rows.map { row in
      .list((members[row.key] ?? []).compactMap { found[$0].map { property(attribute, $0) } })
    }
  }
}
