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
}

/// Reads the columns of rows.
struct RowValues {
  let columns: [RowColumn]
  private let session: RowSession
  private let showsPrivate: Bool

  init(_ columns: [RowColumn], _ session: RowSession, showsPrivate: Bool) {
    (self.columns, self.session, self.showsPrivate) = (columns, session, showsPrivate)
  }

  var needsOthers: Bool { columns.contains(where: \.needsOthers) }

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
      columns.indices.map { column in
        followed[column]?[place] ?? value(columns[column], rows[place].key, rows[place].row)
      }
    }
  }

  /// The value of a column that needs no other row.
  func value(_ column: RowColumn, _ key: Int64, _ row: PackedRow) -> CellValue {
    switch column.content {
    case .id: .value(.integer(key))
    case .entity: .value(.string(session.schema.entities[row.entity].name))
    case .attribute(let name), .reference(let name): property(name, row)
    case .followed, .members: .value(.null)
    }
  }

  /// The value of an attribute, or the key of a to-one relationship.
  private func property(_ name: String, _ row: PackedRow) -> CellValue {
    let layout = session.schema.entities[row.entity]
    guard let slot = layout.slotByName[name] else { return .value(.null) }
    return cell(slot, row, layout)
  }

  /// The value at a slot.
  func cell(_ slot: Int, _ row: PackedRow, _ layout: EntityLayout) -> CellValue {
    let attribute = layout.attributes[slot]
    if attribute.isPrivate, !showsPrivate {
      let hasNone =
        PackedRowValues.isNull(row.base, slot)
        && PackedRowValues.typeMismatch(row.base, slot) == nil
      return hasNone ? .value(.null) : .hidden
    }
    guard let value = readValue(slot, row, layout) else { return .unreadable }
    guard attribute.type == .transformable, !value.isNull else { return .value(value) }
    let version = session.transformers(of: layout.index).versionSlot(of: slot).flatMap {
      row.integer($0).map { Int(clamping: $0) }
    }
    return .transformable(slot: slot, entity: layout.index, value, version: version)
  }

  /// The value at a slot, also from its file; nil for one that cannot be read.
  private func readValue(_ slot: Int, _ row: PackedRow, _ layout: EntityLayout) -> PropertyValue? {
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
