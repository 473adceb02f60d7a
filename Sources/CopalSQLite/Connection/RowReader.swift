import CCopalSQLite
import CopalModel
import CopalStore

/// Packs the rows of a statement whose columns are key, version and then an entity's slots.
///
/// Two looks at each row: the first finds what every column holds and how many bytes texts and blobs
/// take, so that the second fills one allocation of the right size.
final class RowReader {
  private static let firstSlot: Int32 = 2

  private let count: Int
  private let expected: UnsafeMutablePointer<Int32>
  private let isOptional: UnsafeMutablePointer<Bool>
  private let tails: UnsafeMutablePointer<UnsafeRawBufferPointer>
  private let found: UnsafeMutablePointer<Int32>

  init(_ layout: EntityLayout) {
    count = layout.storedCount
    expected = .allocate(capacity: count)
    isOptional = .allocate(capacity: count)
    tails = .allocate(capacity: count)
    found = .allocate(capacity: count)
    for slot in 0..<count {
      (expected + slot).initialize(to: Self.storageClass(layout.storage[slot]))
      (isOptional + slot).initialize(to: layout.isOptional[slot])
      (tails + slot).initialize(to: UnsafeRawBufferPointer(start: nil, count: 0))
      (found + slot).initialize(to: SQLITE_NULL)
    }
  }

  deinit {
    // Trivial types: nothing to deinitialize.
    expected.deallocate()
    isOptional.deallocate()
    tails.deallocate()
    found.deallocate()
  }

  /// The row that the statement stands on.
  func row(of statement: Statement, version: Int64) -> PackedRow {
    let handle = statement.handle
    var tailBytes = 0
    for slot in 0..<count {
      let column = Self.firstSlot &+ Int32(truncatingIfNeeded: slot)
      let type = sqlite3_column_type(handle, column)
      found[slot] = type
      guard type == expected[slot], type >= SQLITE_TEXT, type <= SQLITE_BLOB else { continue }
      let start: UnsafeRawPointer? =
        type == SQLITE_TEXT
        ? UnsafeRawPointer(sqlite3_column_text(handle, column))
        : sqlite3_column_blob(handle, column)
      let bytes = UnsafeRawBufferPointer(
        start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
      tails[slot] = bytes
      tailBytes &+= bytes.count
    }
    var writer = PackedRowWriter(slotCount: count, tailBytes: tailBytes, version: version)
    for slot in 0..<count {
      let column = Self.firstSlot &+ Int32(truncatingIfNeeded: slot)
      let type = found[slot]
      guard type == expected[slot] else {
        setMissing(slot, type, &writer)
        continue
      }
      switch type {
      case SQLITE_INTEGER: writer.set(slot, integer: sqlite3_column_int64(handle, column))
      case SQLITE_FLOAT: writer.set(slot, real: sqlite3_column_double(handle, column))
      default: writer.set(slot, bytes: tails[slot])
      }
    }
    return writer.finish()
  }

  @inline(__always)
  private func setMissing(_ slot: Int, _ type: Int32, _ writer: inout PackedRowWriter) {
    if type == SQLITE_NULL, isOptional[slot] {
      writer.setNull(slot)
    } else {
      writer.setForeign(slot, Self.foreign(type))
    }
  }

  private static func foreign(_ type: Int32) -> ForeignValue {
    switch type {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  private static func storageClass(_ storage: StorageType) -> Int32 {
    switch storage {
    case .integer: SQLITE_INTEGER
    case .real: SQLITE_FLOAT
    case .text: SQLITE_TEXT
    case .blob: SQLITE_BLOB
    }
  }
}
