/// Makes one packed row, slot by slot.
///
/// ``PackedRow/make(entity:slotCount:version:scratch:fill:)`` makes a writer and passes it to a closure, which must
/// set every slot once, a transient one to null and the others with the method for the slot's storage type. Nothing
/// is checked.
///
/// The writer fills a temporary buffer, which is then copied to a row of the right size. It fills the row itself
/// when the size is known.
public struct PackedRowWriter {
  /// The row that is written; nil when the writer uses a scratch buffer.
  @usableFromInline let row: PackedRow?
  @usableFromInline let base: UnsafeMutableRawPointer
  @usableFromInline let slotCount: Int
  @usableFromInline var end: Int
  /// The end of the memory. Values beyond it are not written, but counted in `end`.
  @usableFromInline let limit: Int
  @usableFromInline var hasTypeMismatch = false

  /// A writer of a row whose size is known.
  ///
  /// - Parameters:
  ///   - entity: the position of the entity in the schema.
  ///   - slotCount: the number of slots.
  ///   - tailBytes: the bytes of all texts and blobs together.
  @usableFromInline
  init(entity: Int, slotCount: Int, tailBytes: Int) {
    let nullWords = PackedRow.nullWords(slotCount)
    let row = PackedRow.allocate(entity: entity, slotCount: slotCount, tailBytes: tailBytes)
    self.init(
      row: row, start: row.start, slotCount: slotCount,
      limit: (slotCount &+ (tailBytes &+ 7) / 8) &* 8, nullWords: nullWords)
  }

  /// A writer of a scratch buffer, which must have room for the words of all slots.
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

  /// Returns the row. No value may be set afterwards.
  ///
  /// - Returns: nil when the buffer was too small.
  @usableFromInline
  consuming func finish(entity: Int, version: Int64) -> PackedRow? {
    guard end <= limit else { return nil }
    let made: PackedRow
    if let row {
      made = row
    } else {
      made = PackedRow.allocate(entity: entity, slotCount: slotCount, tailBytes: tailBytes)
      let nullBytes = PackedRow.nullWords(slotCount) &* 8
      made.start.copyMemory(from: base - nullBytes, byteCount: nullBytes &+ end)
    }
    made.setHeader(version: version, hasTypeMismatch: hasTypeMismatch)
    return made
  }

  /// Sets an integer slot.
  @inlinable @inline(__always)
  public func set(_ slot: Int, integer: Int64) {
    base.storeBytes(of: integer, toByteOffset: slot &* 8, as: Int64.self)
  }

  /// Sets a real slot.
  @inlinable @inline(__always)
  public func set(_ slot: Int, real: Double) {
    base.storeBytes(of: real, toByteOffset: slot &* 8, as: Double.self)
  }

  /// Sets a text or blob slot to a copy of the bytes. A text must be valid UTF-8: see ``UTF8Bytes``.
  @inlinable @inline(__always)
  public mutating func set(_ slot: Int, bytes: UnsafeRawBufferPointer) {
    let word =
      UInt64(truncatingIfNeeded: end) | UInt64(truncatingIfNeeded: bytes.count) &<< 32
    base.storeBytes(of: word, toByteOffset: slot &* 8, as: UInt64.self)
    if let start = bytes.baseAddress, end &+ bytes.count <= limit {
      Self.copy(start, to: base + end, count: bytes.count)
    }
    end &+= bytes.count
  }

  /// Copies bytes. Short texts are copied in two parts, which may overlap: that costs less than a call of the
  /// system's function, and most texts are short.
  @inlinable @inline(__always)
  static func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
    @inline(__always)
    func copyEnds<Part: BitwiseCopyable>(_ type: Part.Type) {
      let last = count &- MemoryLayout<Part>.size
      let (head, tail) = (
        source.loadUnaligned(as: type), source.loadUnaligned(fromByteOffset: last, as: type)
      )
      target.storeBytes(of: head, as: type)
      target.storeBytes(of: tail, toByteOffset: last, as: type)
    }
    if count > 32 {
      target.copyMemory(from: source, byteCount: count)
    } else if count >= 16 {
      copyEnds(SIMD2<UInt64>.self)
    } else if count >= 8 {
      copyEnds(UInt64.self)
    } else if count >= 4 {
      copyEnds(UInt32.self)
    } else {
      for offset in 0..<count {
        target.storeBytes(
          of: source.load(fromByteOffset: offset, as: UInt8.self), toByteOffset: offset,
          as: UInt8.self)
      }
    }
  }

  /// Sets a slot to null.
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

  /// Records that the stored value of the slot is not one that the model allows. The row then has
  /// ``PackedRow/hasTypeMismatch``.
  @inlinable
  public mutating func setTypeMismatch(_ slot: Int, _ found: TypeMismatch) {
    base.storeBytes(of: UInt64(found.rawValue), toByteOffset: slot &* 8, as: UInt64.self)
    markNull(slot)
    hasTypeMismatch = true
  }
}

extension PackedRow {
  /// The size of a scratch that most rows fit.
  // The standard library keeps temporary buffers of up to 1,024 bytes on the stack; larger ones
  // come from the heap.
  public static let scratchSize = 1024

  /// Makes a row from the values that a closure sets.
  ///
  /// The closure fills the temporary buffer, and a row of the right size is allocated afterwards. When the values
  /// do not fit into the buffer, the closure is called a second time and fills the row itself.
  ///
  /// - Parameters:
  ///   - entity: the position of the entity in the schema.
  ///   - slotCount: the number of slots.
  ///   - version: the version of the row.
  ///   - scratch: the temporary buffer. Callers that make many rows can use one for all of them. It must have
  ///     room for the words and the null bits of all slots.
  ///   - fill: sets every slot once, and to the same values in each call.
  /// - Returns: nil when the texts and blobs are too big for one row.
  @inlinable @inline(__always)
  public static func make(
    entity: Int, slotCount: Int, version: Int64, scratch: UnsafeMutableRawBufferPointer,
    fill: (inout PackedRowWriter) -> Void
  ) -> PackedRow? {
    var writer = PackedRowWriter(slotCount: slotCount, scratch: scratch)
    fill(&writer)
    let tailBytes = writer.tailBytes
    if let row = writer.finish(entity: entity, version: version) { return row }
    guard tailBytes <= tailLimit else { return nil }
    var exact = PackedRowWriter(entity: entity, slotCount: slotCount, tailBytes: tailBytes)
    fill(&exact)
    return exact.finish(entity: entity, version: version)
  }

  /// Makes a row of the values that a closure sets, with a scratch buffer on the stack.
  package static func make(
    entity: Int, slotCount: Int, version: Int64, fill: (inout PackedRowWriter) -> Void
  ) -> PackedRow? {
    let words = nullWords(slotCount) + slotCount
    if words * 8 <= scratchSize / 2 {
      return withUnsafeTemporaryAllocation(byteCount: scratchSize, alignment: 8) {
        make(entity: entity, slotCount: slotCount, version: version, scratch: $0, fill: fill)
      }
    }
    return withUnsafeTemporaryAllocation(byteCount: words * 16, alignment: 8) {
      make(entity: entity, slotCount: slotCount, version: version, scratch: $0, fill: fill)
    }
  }
}

/// What was found in a column where the model expects another type or form.
public enum TypeMismatch: UInt8, Sendable, Hashable {
  /// An INTEGER in a column of another storage type.
  case integer = 1
  /// A REAL, a TEXT or a BLOB in a column of another storage type.
  case real, text, blob
  /// NULL in a required attribute.
  case null
  /// A value of the right storage class that is not valid for the attribute's type: a boolean that is neither 0
  /// nor 1, a text that is not UTF-8, a decimal that is not in Copal's form, and so on.
  case malformed

  /// The name of the storage class for messages; "a value" for a malformed one.
  public var storageClassName: String {
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
  /// What was found at a slot instead of an allowed value; nil when the slot has no type mismatch.
  public static func typeMismatch(_ base: UnsafeRawPointer, _ slot: Int) -> TypeMismatch? {
    guard isNull(base, slot) else { return nil }
    return TypeMismatch(rawValue: UInt8(truncatingIfNeeded: integer(base, slot)))
  }
}
