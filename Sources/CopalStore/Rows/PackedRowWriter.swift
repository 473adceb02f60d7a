/// Fills one packed row, slot by slot, and gives it away.
///
/// The caller knows the number of bytes that all texts and blobs take together, so that the row is one
/// allocation of the right size. Every slot must be set once.
public struct PackedRowWriter {
  /// The row that is filled; nil while a scratch is.
  @usableFromInline let row: PackedRow?
  @usableFromInline let base: UnsafeMutableRawPointer
  @usableFromInline var end: Int
  /// Where the room ends; what does not fit is counted in `end` and not written.
  @usableFromInline let limit: Int

  /// - Parameters:
  ///   - slotCount: the number of stored attributes.
  ///   - tailBytes: the bytes of all texts and blobs together.
  public init(slotCount: Int, tailBytes: Int, version: Int64) {
    let nullWords = (slotCount + 63) / 64
    let words = nullWords + slotCount + (tailBytes + 7) / 8
    let row = PackedRow.allocate(
      words: words,
      header: PackedRowHeader(version: version, nullWords: UInt32(truncatingIfNeeded: nullWords)))
    base = PackedRow.Buffer(unsafeBufferObject: row).withUnsafeMutablePointerToElements {
      for word in 0..<nullWords { $0[word] = 0 }
      return UnsafeMutableRawPointer($0 + nullWords)
    }
    self.row = row
    end = slotCount &* 8
    limit = (words &- nullWords) &* 8
  }

  /// A writer that fills a scratch first, for values whose bytes are not counted yet.
  init(scratch: UnsafeMutableRawBufferPointer, slotCount: Int, nullWords: Int) {
    let start = scratch.baseAddress.unsafelyUnwrapped
    for word in 0..<nullWords { start.storeBytes(of: 0, toByteOffset: word &* 8, as: UInt64.self) }
    row = nil
    base = start + nullWords &* 8
    end = slotCount &* 8
    limit = scratch.count &- nullWords &* 8
  }

  /// The row with what the scratch has; nil when the scratch was too small.
  func finishScratch(nullWords: Int, version: Int64) -> PackedRow? {
    guard end <= limit else { return nil }
    let row = PackedRow.allocate(
      words: nullWords &+ (end &+ 7) / 8,
      header: PackedRowHeader(version: version, nullWords: UInt32(truncatingIfNeeded: nullWords)))
    PackedRow.Buffer(unsafeBufferObject: row).withUnsafeMutablePointerToElements {
      UnsafeMutableRawPointer($0).copyMemory(
        from: base - nullWords &* 8, byteCount: nullWords &* 8 &+ end)
    }
    return row
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
  public func setForeign(_ slot: Int, _ found: ForeignValue) {
    base.storeBytes(of: UInt64(found.rawValue), toByteOffset: slot &* 8, as: UInt64.self)
    markNull(slot)
    guard let row else { return }
    PackedRow.Buffer(unsafeBufferObject: row).withUnsafeMutablePointerToHeader {
      $0.pointee.isDamaged = true
    }
  }

  /// The row. Nothing may be set afterwards.
  @inlinable
  public consuming func finish() -> PackedRow { row.unsafelyUnwrapped }
}

/// What stands in a column where the model expects something else.
public enum ForeignValue: UInt8, Sendable, Hashable {
  case integer = 1
  case real, text, blob
  /// NULL in a required attribute.
  case null

  /// The word for it in messages.
  public var word: String {
    switch self {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob: "BLOB"
    case .null: "NULL"
    }
  }
}

extension RowReading {
  /// What was found at a slot in place of what the model allows; `nil` where the slot is in order.
  public static func foreignValue(_ base: UnsafeRawPointer, _ slot: Int) -> ForeignValue? {
    guard isNull(base, slot) else { return nil }
    return ForeignValue(rawValue: UInt8(truncatingIfNeeded: integer(base, slot)))
  }
}
