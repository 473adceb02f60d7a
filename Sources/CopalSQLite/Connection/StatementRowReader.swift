import CCopalSQLite
import CopalModel
import CopalStore

/// Packs the rows of an entity that a statement returns.
///
/// It uses a scratch buffer, so that each value is read only once. A row keeps numbers and bytes as
/// they are stored; they become Swift values, such as a `Date`, when a property is read
/// (`AttributeValue`, `StoredForm.swift`).
final class StatementRowReader {
  private let entity: Int
  private let entityName: String
  private let slotCount: Int
  private let columnCount: Int
  private let transientSlots: [Int]
  private let hasTransients: Bool
  private let formats: UnsafeMutablePointer<ColumnFormat>
  private let scratch: UnsafeMutableRawBufferPointer

  /// - Parameter positions: where the statement has each column of the entity; nil where they
  ///   follow key and version.
  init(_ layout: EntityLayout, positions: [Int]? = nil) {
    entity = layout.index
    entityName = layout.name
    slotCount = layout.slotCount
    columnCount = layout.columns.count
    transientSlots = layout.transientSlots
    hasTransients = !transientSlots.isEmpty
    formats = .allocate(capacity: columnCount)
    for (index, column) in layout.columns.enumerated() {
      let position = positions?[index] ?? index + 2
      (formats + index).initialize(to: ColumnFormat(layout, column, at: position))
    }
    scratch = .allocate(byteCount: PackedRow.scratchSize + 16 * slotCount, alignment: 8)
  }

  deinit {
    // Trivial types: nothing to deinitialize.
    formats.deallocate()
    scratch.deallocate()
  }

  /// The current row of the statement.
  ///
  /// - Throws: `store.tooBig` for a row beyond SQLite's limit; `store.backend` when SQLite had no
  ///   memory for a text or blob, which must not be read as an empty one.
  func row(of statement: Statement, version: Int64) throws -> PackedRow {
    var writer = PackedRowWriter(scratch, slotCount: slotCount)
    guard readColumns(statement.handle, &writer) else { throw statement.outOfMemory }
    return writer.isComplete
      ? PackedRow.copy(of: writer, entity: entity, version: version)
      : try largeRow(of: statement, version: version, tailBytes: writer.tailBytes)
  }

  /// A row that does not fit into the scratch buffer.
  @inline(never)
  private func largeRow(of statement: Statement, version: Int64, tailBytes: Int) throws -> PackedRow
  {
    let row = PackedRow.makeLarge(
      entity: entity, slotCount: slotCount, version: version, tailBytes: tailBytes
    ) { writer in
      // All columns have been read once, so there is memory for them.
      _ = readColumns(statement.handle, &writer)
    }
    guard let row else { throw PersistenceError(.tooBig, entity: entityName) }
    return row
  }

  // Inlined, here and below, with the writer's method for texts: this saves 5 % of the instructions
  // of a fetch.
  /// - Returns: false when there was no memory for one of them.
  @inline(__always)
  private func readColumns(_ handle: OpaquePointer, _ writer: inout PackedRowWriter) -> Bool {
    if hasTransients { for slot in transientSlots { writer.setNull(slot) } }
    for column in 0..<columnCount where !read(handle, column, &writer) { return false }
    return true
  }

  /// - Returns: false when there was no memory for it.
  @inline(__always)
  private func read(_ handle: OpaquePointer, _ column: Int, _ writer: inout PackedRowWriter) -> Bool
  {
    // One call for the value, which then gives type, size and content. Each `sqlite3_column_…`
    // function would repeat its checks. Such a value may be used by one thread only, like the
    // connection.
    let format = formats[column]
    let value = sqlite3_column_value(handle, Int32(format.position))
    let type = sqlite3_value_type(value)
    let slot = Int(format.slot)
    guard type == Int32(format.storageClass) else {
      if type == SQLITE_NULL, format.isOptional {
        writer.setNull(slot)
      } else if type == SQLITE_TEXT, format.check == .external {
        setFileName(slot, value, &writer)
      } else {
        writer.setTypeMismatch(slot, TypeMismatch(storageClass: type))
      }
      return true
    }
    switch type {
    case SQLITE_INTEGER:
      let number = sqlite3_value_int64(value)
      if format.check.passes(number) {
        writer.set(slot, integer: number)
      } else {
        writer.setTypeMismatch(slot, .malformed)
      }
    case SQLITE_FLOAT:
      if let number = format.check.passed(sqlite3_value_double(value)) {
        writer.set(slot, real: number)
      } else {
        writer.setTypeMismatch(slot, .malformed)
      }
    default:
      // The text first: asking for it may convert the encoding and change the number of bytes.
      let start: UnsafeRawPointer? =
        type == SQLITE_TEXT
        ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
      let count = Int(sqlite3_value_bytes(value))
      guard let start else {
        // An empty blob has no address; an empty text has one.
        if count > 0 || type == SQLITE_TEXT { return false }
        setBytes(slot, UnsafeRawBufferPointer(start: nil, count: 0), format.check, to: &writer)
        return true
      }
      if format.check == .text {
        if !writer.set(slot, utf8: start, count: count) { writer.setTypeMismatch(slot, .malformed) }
      } else {
        setBytes(
          slot, UnsafeRawBufferPointer(start: start, count: count), format.check, to: &writer)
      }
    }
    return true
  }

  /// Sets a slot to the name of the file that has its value.
  @inline(never)
  private func setFileName(
    _ slot: Int, _ value: OpaquePointer?, _ writer: inout PackedRowWriter
  ) {
    let start = UnsafeRawPointer(sqlite3_value_text(value))
    let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
    if count > PackedRowValues.longestFileName { return writer.setTypeMismatch(slot, .text) }
    writer.set(slot, fileName: UnsafeRawBufferPointer(start: start, count: count))
  }

  private func setBytes(
    _ slot: Int, _ bytes: UnsafeRawBufferPointer, _ check: ValueCheck,
    to writer: inout PackedRowWriter
  ) {
    if check.passes(bytes) {
      writer.set(slot, bytes: bytes)
    } else {
      writer.setTypeMismatch(slot, .malformed)
    }
  }
}

/// What a column may hold, its position in the statement, and the slot of its values: eight bytes,
/// which one load brings.
private struct ColumnFormat {
  // A table has at most 2,000 columns.
  let slot: Int16
  let position: Int16
  let storageClass: UInt8
  let isOptional: Bool
  let check: ValueCheck

  init(_ layout: EntityLayout, _ column: EntityLayout.Column, at position: Int) {
    slot = Int16(column.slot)
    self.position = Int16(position)
    storageClass = UInt8(column.storage.sqliteClass)
    isOptional = column.isOptional
    check = ValueCheck(layout, column.slot)
  }
}

extension StorageType {
  /// SQLite's code of the storage class.
  var sqliteClass: Int32 {
    switch self {
    case .integer: SQLITE_INTEGER
    case .real: SQLITE_FLOAT
    case .text: SQLITE_TEXT
    case .blob: SQLITE_BLOB
    }
  }
}

extension TypeMismatch {
  /// The storage class of SQLite's code.
  init(storageClass: Int32) {
    switch storageClass {
    case SQLITE_INTEGER: self = .integer
    case SQLITE_FLOAT: self = .real
    case SQLITE_TEXT: self = .text
    case SQLITE_BLOB: self = .blob
    default: self = .null
    }
  }
}
