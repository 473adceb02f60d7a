import CopalModel
import CopalSQL
import CopalStore

/// The columns of a table that another model changes.
struct ColumnChange {
  /// The columns that get other names.
  private(set) var renamed: [(old: String, new: String)] = []
  /// The new columns.
  private(set) var added: [(mapping: TableMapping, slot: Int)] = []
  /// The defaults that existing rows get.
  let defaults: [RowDefaults]

  /// - Parameter entities: the entities of which the table may have rows.
  init(
    from before: [TableMapping], to after: [TableMapping], rowsOf entities: [EntityLayout],
    _ history: ModelHistory
  ) {
    let mappings = Dictionary(
      before.map { ($0.layout.index, $0) }, uniquingKeysWith: { first, _ in first })
    var defaults = RowDefaults.Collector()
    for mapping in after {
      for slot in mapping.layout.ownColumns.map(\.slot) {
        let property = mapping.layout.slots[slot]
        let origin = history.origin(
          of: property.propertyName, property.kind, in: mapping.layout.index)
        let old = origin.declaring.first.flatMap { mappings[$0]?.column(of: property) }
        let new = mapping.columnNames[slot]
        if let old {
          if old != new { renamed.append((old, new)) }
        } else {
          added.append((mapping, slot))
        }
        if case .attribute(let attribute) = property, attribute.defaultValue != nil {
          defaults.add(slot, of: mapping.layout.index, to: origin.lacking)
        }
      }
    }
    self.defaults = defaults.grouped(all: entities)
  }

  /// The new name of a column of the old table.
  func newName(of column: String) -> String {
    renamed.first { $0.old == column }?.new ?? column
  }
}

extension TableMapping {
  /// The name of the column that holds what a slot of another model does; nil if there is none.
  fileprivate func column(of slot: SlotDescription) -> String? {
    layout.slots.firstIndex(where: slot.isCounterpart).map { columnNames[$0] }
  }
}
