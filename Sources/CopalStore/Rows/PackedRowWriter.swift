/// Fills one packed row, slot by slot, and gives it away.
///
/// It fills a row of the right size, when the caller knows how many bytes all texts and blobs take
/// together, or a scratch, which then is copied to a row of the right size:
/// ``PackedRow/make(slotCount:version:scratch:fill:)`` does both in the order that costs least. Every
/// slot must be set once.
public struct PackedRowWriter {
  /// The row that is filled; nil while a scratch is.
  @usableFromInline let row: PackedRow?
  @usableFromInline let base: UnsafeMutableRawPointer
  @usableFromInline let slotCount: Int
  @usableFromInline var end: Int
  /// Where the room ends; what does not fit is counted in `end` and not written.
  @usableFromInline let limit: Int
  @usableFromInline var hasTypeMismatch = false

  /// A writer of a row of the right size.
  ///
  /// - Parameters:
  ///   - slotCount: the number of stored attributes.
  ///   - tailBytes: the bytes of all texts and blobs together.
  @usableFromInline
  init(slotCount: Int, tailBytes: Int) {
    let nullWords = PackedRow.nullWords(slotCount)
    let row = PackedRow.allocate(slotCount: slotCount, tailBytes: tailBytes)
    self.init(
      row: row, start: row.start, slotCount: slotCount,
      limit: (slotCount &+ (tailBytes &+ 7) / 8) &* 8, nullWords: nullWords)
  }

  /// A writer of a scratch that has room for the words of all slots at least.
  @inlinable @inline(__always)
  init(slotCount: Int, scratch: UnsafeMutableRawBufferPointer) {
    let nullWords = PackedRow.nullWords(slotCount)
    self.init(
      row: nil, start: scratch.baseAddress.unsafelyUnwrapped, slotCount: slotCount,
      limit: scratch.count &- nullWords &* 8, nullWords: nullWords)
  }

  @inlinable @inline(__always)
  init(
    row: PackedRow?, start: UnsafeMutableRawPointer, slotCount: Int, limit: Int, nullWords: Int
  ) {
    for word in 0..<nullWords { start.storeBytes(of: 0, toByteOffset: word &* 8, as: UInt64.self) }
    self.row = row
    self.slotCount = slotCount
    self.limit = limit
    base = start + nullWords &* 8
    end = slotCount &* 8
  }

  /// The bytes of the texts and blobs so far, written or not.
  @inlinable var tailBytes: Int { end &- slotCount &* 8 }

  /// The row. Nothing may be set afterwards.
  ///
  /// - Returns: nil when the room was too small.
  @usableFromInline
  consuming func finish(version: Int64) -> PackedRow? {
    guard end <= limit else { return nil }
    let made: PackedRow
    if let row {
      made = row
    } else {
      made = PackedRow.allocate(slotCount: slotCount, tailBytes: tailBytes)
      let nullBytes = PackedRow.nullWords(slotCount) &* 8
      made.start.copyMemory(from: base - nullBytes, byteCount: nullBytes &+ end)
    }
    made.setHeader(version: version, hasTypeMismatch: hasTypeMismatch)
    return made
  }

  @inlinable @inline(__always)
  public func set(_ slot: Int, integer: Int64) {
    base.storeBytes(of: integer, toByteOffset: slot &* 8, as: Int64.self)
  }

  @inlinable @inline(__always)
  public func set(_ slot: Int, real: Double) {
    base.storeBytes(of: real, toByteOffset: slot &* 8, as: Double.self)
  }

  @inlinable @inline(__always)
  public mutating func set(_ slot: Int, bytes: UnsafeRawBufferPointer) {
    let word =
      UInt64(truncatingIfNeeded: end) | UInt64(truncatingIfNeeded: bytes.count) &<< 32
    base.storeBytes(of: word, toByteOffset: slot &* 8, as: UInt64.self)
    if let start = bytes.baseAddress, end &+ bytes.count <= limit {
      (base + end).copyMemory(from: start, byteCount: bytes.count)
    }
    end &+= bytes.count
  }

  @inlinable @inline(__always)
  public func setNull(_ slot: Int) {
    base.storeBytes(of: 0, toByteOffset: slot &* 8, as: UInt64.self)
    markNull(slot)
  }

  @inlinable @inline(__always)
  func markNull(_ slot: Int) {
    let offset = -8 &* (1 &+ slot &>> 6)
    let word = base.load(fromByteOffset: offset, as: UInt64.self)
    base.storeBytes(
      of: word | 1 &<< UInt64(truncatingIfNeeded: slot & 63), toByteOffset: offset, as: UInt64.self)
  }

  /// Records that the store holds something at the slot that the model does not allow.
  @inlinable
  public mutating func setForeign(_ slot: Int, _ found: TypeMismatch) {
    base.storeBytes(of: UInt64(found.rawValue), toByteOffset: slot &* 8, as: UInt64.self)
    markNull(slot)
    hasTypeMismatch = true
  }
}

extension PackedRow {
  /// The size of a scratch that most rows fit.
  // More would come from the heap: the standard library keeps temporaries of up to 1,024 bytes on the stack.
  public static let scratchSize = 1024

  /// Makes a row of what a closure sets.
  ///
  /// The closure fills a scratch first: one look at each value, and then an allocation of the very
  /// size. It is called again for a row that does not fit, whose size is known then.
  ///
  /// - Parameters:
  ///   - slotCount: the number of stored attributes.
  ///   - scratch: memory for the time of the call, for callers that make many rows; it must have room
  ///     for the words and the nulls of all slots.
  ///   - fill: sets every slot once, each time the same.
  /// - Returns: nil when the texts and blobs are too big for one row.
  @inlinable @inline(__always)
  public static func make(
    slotCount: Int, version: Int64, scratch: UnsafeMutableRawBufferPointer,
    fill: (inout PackedRowWriter) -> Void
  ) -> PackedRow? {
    var writer = PackedRowWriter(slotCount: slotCount, scratch: scratch)
    fill(&writer)
    let tailBytes = writer.tailBytes
    if let row = writer.finish(version: version) { return row }
    guard tailBytes <= tailLimit else { return nil }
    var exact = PackedRowWriter(slotCount: slotCount, tailBytes: tailBytes)
    fill(&exact)
    return exact.finish(version: version)
  }

  /// Makes a row of what a closure sets, by way of a scratch on the stack.
  package static func make(
    slotCount: Int, version: Int64, fill: (inout PackedRowWriter) -> Void
  ) -> PackedRow? {
    let words = nullWords(slotCount) + slotCount
    if words * 8 <= scratchSize / 2 {
      return withUnsafeTemporaryAllocation(byteCount: scratchSize, alignment: 8) {
        make(slotCount: slotCount, version: version, scratch: $0, fill: fill)
      }
    }
    return withUnsafeTemporaryAllocation(byteCount: words * 16, alignment: 8) {
      make(slotCount: slotCount, version: version, scratch: $0, fill: fill)
    }
  }
}

/// What stands in a column where the model expects something else.
public enum TypeMismatch: UInt8, Sendable, Hashable {
  case integer = 1
  case real, text, blob
  /// NULL in a required attribute.
  case null
  /// A value of the right storage class that the attribute's type never writes: a boolean that is neither 0
  /// nor 1, a text that is not UTF-8, a decimal that is not in its one form, and so on.
  case malformed

  /// The word for it in messages; a malformed value is called by its storage class.
  public var word: String {
    switch self {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob: "BLOB"
    case .null: "NULL"
    case .malformed: "a value"
    }
  }
}

extension PackedRowValues {
  /// What was found at a slot in place of what the model allows; `nil` where the slot is in order.
  public static func typeMismatch(_ base: UnsafeRawPointer, _ slot: Int) -> TypeMismatch? {
    guard isNull(base, slot) else { return nil }
    return TypeMismatch(rawValue: UInt8(truncatingIfNeeded: integer(base, slot)))
  }
}
