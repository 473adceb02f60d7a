import CopalEssentials
import CopalModel
public import CopalStore

/// The table of an entity: its names, as data. A ``StoreNaming`` makes it.
public struct TableMapping: Sendable {
  /// The layout of the entity.
  public let layout: EntityLayout
  /// The name of the table.
  public let tableName: String
  /// The name of the column with the key of a row.
  public let keyName: String
  /// The name of the column with the version of a row.
  public let versionName: String
  /// The name of the column of each slot; empty for a slot without a column.
  public let columnNames: [String]
  /// For the slot of each to-one relationship whose objects must exist, the name of the table of the other object.
  public let referencedTables: [Int: String]
  private let naming: any StoreNaming

  /// The mapping of an entity with the names of a naming.
  public init(
    _ layout: EntityLayout, in schema: StoreSchema, _ naming: any StoreNaming = CopalNaming()
  ) {
    self.layout = layout
    self.naming = naming
    tableName = naming.table(of: layout)
    keyName = naming.key
    versionName = naming.version
    columnNames = layout.slots.indices.map { slot in
      layout.storedSlots.contains(slot) ? naming.column(of: slot, in: layout) : ""
    }
    let references = layout.references.filter { !$0.mayDangle }
    referencedTables = Dictionary(
      uniqueKeysWithValues: references.map { reference in
        (reference.slot, naming.table(of: schema.entities[reference.destination]))
      })
  }

  /// The columns of to-one relationships whose objects must exist, each with the table of the other object.
  public var references: [(column: String, table: String)] {
    referencedTables.sorted { $0.key < $1.key }.map { (columnNames[$0.key], $0.value) }
  }

  var table: SQLFragment { .identifier(tableName) }
  var key: SQLFragment { .identifier(keyName) }
  var version: SQLFragment { .identifier(versionName) }

  /// The column of a stored slot.
  func column(_ slot: Int) -> SQLFragment { .identifier(columnNames[slot]) }

  var columns: [SQLFragment] { layout.columns.map { column($0.slot) } }

  /// The name of the index of some slots, unique or not.
  func indexName(_ slots: [Int], isUnique: Bool) -> String {
    naming.index(of: slots.map { columnNames[$0] }, in: layout, isUnique: isUnique)
  }

  /// The binding of a value that is written to the column of a slot.
  func binding(_ value: PropertyValue, slot: Int) -> SQLBinding { layout.binding(value, slot) }
}

extension EntityLayout {
  /// The stored form of a value of a slot.
  func binding(_ value: PropertyValue, _ slot: Int) -> SQLBinding {
    passStoredForm(of: value, slot, to: BindingMaker())
  }
}

/// Makes bindings of stored forms.
private struct BindingMaker: StoredFormReceiver {
  func null() -> SQLBinding { .null }
  func integer(_ number: Int64) -> SQLBinding { .integer(number) }
  func real(_ number: Double) -> SQLBinding { .real(number) }
  func text(_ text: String) -> SQLBinding { .text(text) }
  func text(utf8 bytes: UnsafeRawBufferPointer) -> SQLBinding {
    .text(String(decoding: bytes, as: UTF8.self))
  }
  func blob(_ bytes: UnsafeRawBufferPointer) -> SQLBinding { .blob([UInt8](bytes)) }
}
