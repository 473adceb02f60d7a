import CCopalSQLite
import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// The first rows in an order, of those that a statement without this order returns.
///
/// With ORDER BY and LIMIT, SQLite copies each row that may be one of the first into a record of a
/// temporary table, and reads the record again for the result. Here, such a row is read once, and
/// the others are not read.
struct FirstRows {
  private let keys: [SortKey]
  private let limit: Int
  private var rows: [Row] = []
  /// The order of the rows. When there are as many as wanted, a heap: the last one in the order is
  /// at the start.
  private var heap: [Entry] = []

  /// A row with its key.
  struct Row {
    let key: Int64
    let row: PackedRow
  }

  /// The place of a row in the order: by the start of its first value, and then by all values.
  private struct Entry {
    let prefix: UInt64
    let index: Int
  }

  /// - Parameters:
  ///   - sortKeys: the order; at least one key.
  ///   - limit: the number of rows that are wanted; at least 1.
  init(_ sortKeys: [BoundSortKey], _ layout: EntityLayout, limit: Int) {
    keys = sortKeys.map { SortKey($0, layout) }
    self.limit = limit
    rows.reserveCapacity(min(limit, 64))
    heap.reserveCapacity(min(limit, 64))
  }

  /// Whether the current row of a statement may be one of the first.
  func wantsRow(of statement: Statement) -> Bool {
    if heap.count < limit { return true }
    let prefix = keys[0].prefix(statement)
    return prefix == heap[0].prefix
      ? isBefore(statement, rows[heap[0].index]) : prefix < heap[0].prefix
  }

  /// Keeps a row, if it is one of the first.
  mutating func add(_ row: Row) {
    let prefix = keys[0].prefix(row.row.base)
    if heap.count < limit {
      heap.append(Entry(prefix: prefix, index: rows.count))
      rows.append(row)
      if heap.count == limit { makeHeap() }
    } else if isBefore(prefix, row, heap[0]) {
      let index = heap[0].index
      rows[index] = row
      heap[0] = Entry(prefix: prefix, index: index)
      sink(0, count: limit)
    }
  }

  /// Passes the rows to a closure in their order, without some at the start. No row can be added
  /// after it.
  mutating func forEach(from offset: Int, _ body: (Row) -> Void) {
    if heap.count < limit { makeHeap() }
    // A heap sort: the last row of the rest goes to the end of the rest.
    for end in heap.indices.dropFirst().reversed() {
      heap.swapAt(0, end)
      sink(0, count: end)
    }
    for entry in heap.dropFirst(offset) { body(rows[entry.index]) }
  }

  private mutating func makeHeap() {
    for index in (0..<heap.count / 2).reversed() { sink(index, count: heap.count) }
  }

  /// Moves an entry down until no entry below it comes after it.
  private mutating func sink(_ start: Int, count: Int) {
    var index = start
    while 2 * index + 1 < count {
      let (left, right) = (2 * index + 1, 2 * index + 2)
      let last = right < count && isBefore(heap[left], heap[right]) ? right : left
      if !isBefore(heap[index], heap[last]) { return }
      heap.swapAt(index, last)
      index = last
    }
  }

  private func isBefore(_ a: Entry, _ b: Entry) -> Bool {
    a.prefix != b.prefix ? a.prefix < b.prefix : isBefore(rows[a.index], rows[b.index])
  }

  private func isBefore(_ prefix: UInt64, _ row: Row, _ other: Entry) -> Bool {
    prefix != other.prefix ? prefix < other.prefix : isBefore(row, rows[other.index])
  }

  /// True also for a row with a value of another type, which is found when the row is read.
  @inline(never)
  private func isBefore(_ statement: Statement, _ other: Row) -> Bool {
    for key in keys {
      guard let order = key.compare(statement, other.row.base) else { return true }
      if order != 0 { return order < 0 }
    }
    return statement.integer(0) < other.key
  }

  private func isBefore(_ a: Row, _ b: Row) -> Bool {
    let (left, right) = (a.row.base, b.row.base)
    for key in keys {
      let order = key.compare(left, right)
      if order != 0 { return order < 0 }
    }
    return a.key < b.key
  }
}

/// A sort key of stored values that are ordered as SQLite orders them.
private struct SortKey {
  private let slot: Int
  private let column: Int32
  private let storage: StorageType
  private let isAscending: Bool
  private let isNullFirst: Bool

  init(_ key: BoundSortKey, _ layout: EntityLayout) {
    slot = key.slot
    // The first columns of a statement are key and version.
    column = Int32(2 + (layout.columns.firstIndex { $0.slot == key.slot } ?? 0))
    storage = layout.storage(key.slot)
    isAscending = key.isAscending
    isNullFirst = key.isNullFirst
  }

  // MARK: The start of a value

  /// A number that is not greater than that of a value which comes later.
  func prefix(_ base: UnsafeRawPointer) -> UInt64 {
    if PackedRowValues.isNull(base, slot) { return nullPrefix }
    return switch storage {
    case .integer: prefix(PackedRowValues.integer(base, slot))
    case .real: prefix(PackedRowValues.real(base, slot))
    case .text, .blob: prefix(PackedRowValues.bytes(base, slot))
    }
  }

  /// The same for the current row of a statement; 0 for a value of another type.
  func prefix(_ statement: Statement) -> UInt64 {
    let value = sqlite3_column_value(statement.handle, column)
    switch (storage, sqlite3_value_type(value)) {
    case (_, SQLITE_NULL): return nullPrefix
    case (.integer, SQLITE_INTEGER): return prefix(sqlite3_value_int64(value))
    case (.real, SQLITE_FLOAT): return prefix(sqlite3_value_double(value))
    case (.text, SQLITE_TEXT), (.blob, SQLITE_BLOB): return prefix(bytes(value))
    default: return 0
    }
  }

  private var nullPrefix: UInt64 { isNullFirst ? 0 : .max }

  private func prefix(_ number: Int64) -> UInt64 {
    directed(UInt64(bitPattern: number) ^ 1 << 63)
  }

  private func prefix(_ number: Double) -> UInt64 {
    // Both zeros are equal.
    let bits = (number + 0).bitPattern
    return directed(bits >> 63 == 0 ? bits | 1 << 63 : ~bits)
  }

  private func prefix(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    if bytes.count >= 8 {
      return directed(UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    }
    var prefix: UInt64 = 0
    for index in 0..<bytes.count {
      prefix |= UInt64(bytes[index]) << UInt64(56 - 8 * index)
    }
    return directed(prefix)
  }

  private func directed(_ prefix: UInt64) -> UInt64 { isAscending ? prefix : ~prefix }

  // MARK: Complete values

  /// Less than zero when the value of the first row comes before that of the second; zero when they
  /// have the same place.
  func compare(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Int {
    if let order = orderOfNulls(PackedRowValues.isNull(a, slot), b) { return order }
    let order =
      switch storage {
      case .integer: order(PackedRowValues.integer(a, slot), PackedRowValues.integer(b, slot))
      case .real: order(PackedRowValues.real(a, slot), PackedRowValues.real(b, slot))
      case .text, .blob: order(PackedRowValues.bytes(a, slot), PackedRowValues.bytes(b, slot))
      }
    return directed(order)
  }

  /// The same for the current row of a statement and a row; nil for a value of another type.
  func compare(_ statement: Statement, _ row: UnsafeRawPointer) -> Int? {
    let value = sqlite3_column_value(statement.handle, column)
    let type = sqlite3_value_type(value)
    if let order = orderOfNulls(type == SQLITE_NULL, row) { return order }
    switch (storage, type) {
    case (.integer, SQLITE_INTEGER):
      return directed(order(sqlite3_value_int64(value), PackedRowValues.integer(row, slot)))
    case (.real, SQLITE_FLOAT):
      return directed(order(sqlite3_value_double(value), PackedRowValues.real(row, slot)))
    case (.text, SQLITE_TEXT), (.blob, SQLITE_BLOB):
      return directed(order(bytes(value), PackedRowValues.bytes(row, slot)))
    default: return nil
    }
  }

  /// The order of two values if one of them is null, or both.
  private func orderOfNulls(_ isNull: Bool, _ row: UnsafeRawPointer) -> Int? {
    let otherIsNull = PackedRowValues.isNull(row, slot)
    guard isNull || otherIsNull else { return nil }
    return isNull == otherIsNull ? 0 : isNull == isNullFirst ? -1 : 1
  }

  private func directed(_ order: Int) -> Int { isAscending ? order : -order }

  /// The bytes of a text or blob.
  private func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
    let start =
      storage == .text
      ? UnsafeRawPointer(sqlite3_value_text(value)) : sqlite3_value_blob(value)
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
  }

  private func order<Number: Comparable>(_ a: Number, _ b: Number) -> Int {
    a < b ? -1 : a > b ? 1 : 0
  }

  private func order(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
    let count = min(a.count, b.count)
    if count > 0, let first = a.baseAddress, let second = b.baseAddress {
      let order = memcmp(first, second, count)
      if order != 0 { return Int(order) }
    }
    return a.count - b.count
  }
}
