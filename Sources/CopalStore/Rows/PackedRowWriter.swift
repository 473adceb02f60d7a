/// Makes one packed row, slot by slot.
///
/// ``PackedRow/make(entity:slotCount:version:scratch:fill:)`` makes a writer and passes it to a
/// closure, which must set every slot once, a transient one to null and the others with the method
/// for the slot's storage type. Nothing is checked.
///
/// The writer fills a temporary buffer, which is then copied to a row of the right size. It fills
/// the row itself when the size is known.
public struct PackedRowWriter: ~Copyable {
  @usableFromInline let base: UnsafeMutableRawPointer
  @usableFromInline let slotCount: Int
  @usableFromInline var end: Int
  /// The end of the memory. Values beyond it are not written, but counted in `end`.
  @usableFromInline let limit: Int
  @usableFromInline var hasTypeMismatch = false

  /// A writer of memory that has room for the null bitmap and the words of all slots.
  @inlinable
  package init(_ memory: UnsafeMutableRawBufferPointer, slotCount: Int) {
    let start = memory.baseAddress.unsafelyUnwrapped
    let nullWords = PackedRow.nullWords(slotCount)
    start.storeBytes(of: 0, as: UInt64.self)
    if nullWords > 1 {
      for word in 1..<nullWords {
        start.storeBytes(of: 0, toByteOffset: word &* 8, as: UInt64.self)
      }
    }
    self.slotCount = slotCount
    limit = memory.count &- nullWords &* 8
    base = start + nullWords &* 8
    end = slotCount &* 8
  }

  /// A writer that replaces numbers of a row that nothing else has yet.
  init(rewriting row: borrowing PackedRow, slotCount: Int) {
    self.slotCount = slotCount
    base = row.start + PackedRow.nullWords(slotCount) &* 8
    end = slotCount &* 8
    limit = end
  }

  /// The bytes of the texts and blobs so far, written or not.
  @inlinable package var tailBytes: Int { end &- slotCount &* 8 }

  /// Whether all values are in the memory.
  @inlinable package var isComplete: Bool { end <= limit }

  /// Sets an integer slot.
  @inlinable
  public func set(_ slot: Int, integer: Int64) {
    base.storeBytes(of: integer, toByteOffset: slot &* 8, as: Int64.self)
  }

  /// Sets a real slot.
  @inlinable
  public func set(_ slot: Int, real: Double) {
    base.storeBytes(of: real, toByteOffset: slot &* 8, as: Double.self)
  }

  // The methods for texts and blobs are inlined into the loops over the columns of a row: see
  // `StatementRowReader.readColumns` and `StoredForm.swift`.

  /// Sets a text or blob slot to a copy of the bytes. A text must be valid UTF-8: see
  /// ``UTF8Bytes``.
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

  /// Sets a text slot to a copy of the bytes, if they are valid UTF-8.
  ///
  /// - Returns: false when they are not; the slot is not set then.
  @inlinable @inline(__always)
  public mutating func set(_ slot: Int, utf8 start: UnsafeRawPointer, count: Int) -> Bool {
    let fits = end &+ count <= limit
    let isASCII = fits ? UTF8Bytes.copy(start, to: base + end, count: count) : false
    if !isASCII, !Self.isValid(start, count) { return false }
    let word = UInt64(truncatingIfNeeded: end) | UInt64(truncatingIfNeeded: count) &<< 32
    base.storeBytes(of: word, toByteOffset: slot &* 8, as: UInt64.self)
    end &+= count
    return true
  }

  // Not inlined: few texts need it.
  @usableFromInline
  static func isValid(_ start: UnsafeRawPointer, _ count: Int) -> Bool {
    UTF8Bytes.areValid(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Copies bytes. Short texts are copied in two parts, which may overlap: that costs less than a
  /// call of the system's function, and most texts are short.
  @inlinable @inline(__always)
  static func copy(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
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
  @inlinable
  public func setNull(_ slot: Int) {
    base.storeBytes(of: 0, toByteOffset: slot &* 8, as: UInt64.self)
    markNull(slot)
  }

  @inlinable
  func markNull(_ slot: Int) {
    let offset = -8 &* (1 &+ slot &>> 6)
    let word = base.load(fromByteOffset: offset, as: UInt64.self)
    base.storeBytes(
      of: word | 1 &<< UInt64(truncatingIfNeeded: slot & 63), toByteOffset: offset, as: UInt64.self)
  }

  func unmarkNull(_ slot: Int) {
    let offset = -8 &* (1 &+ slot &>> 6)
    let word = base.load(fromByteOffset: offset, as: UInt64.self)
    base.storeBytes(
      of: word & ~(1 &<< UInt64(truncatingIfNeeded: slot & 63)), toByteOffset: offset,
      as: UInt64.self)
  }

  /// Records that the stored value of the slot is not one that the model allows. The row then has
  /// ``PackedRow/hasTypeMismatch``.
  @inlinable
  public mutating func setTypeMismatch(_ slot: Int, _ found: TypeMismatch) {
    base.storeBytes(of: UInt64(found.rawValue), toByteOffset: slot &* 8, as: UInt64.self)
    markNull(slot)
    hasTypeMismatch = true
  }

  /// Records that the value of the slot is in a file. As with a value of a wrong type, the slot is
  /// null in the bitmap, and the row has ``PackedRow/hasTypeMismatch``, so that only the careful
  /// path sees it.
  ///
  /// - Parameter bytes: the name of the file in UTF-8, at most ``PackedRowValues/longestFileName``
  ///   bytes.
  public mutating func set(_ slot: Int, fileName bytes: UnsafeRawBufferPointer) {
    let start = end
    set(slot, bytes: bytes)
    let word =
      UInt64(TypeMismatch.file.rawValue) | UInt64(truncatingIfNeeded: start) &<< 8
      | UInt64(truncatingIfNeeded: bytes.count) &<< 40
    base.storeBytes(of: word, toByteOffset: slot &* 8, as: UInt64.self)
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
  /// The closure fills the temporary buffer, and a row of the right size is allocated afterwards.
  /// When the values do not fit into the buffer, the closure is called a second time and fills the
  /// row itself.
  ///
  /// - Parameters:
  ///   - entity: the position of the entity in the schema.
  ///   - slotCount: the number of slots.
  ///   - version: the version of the row.
  ///   - scratch: the temporary buffer. Callers that make many rows can use one for all of them. It
  ///     must have room for the words and the null bits of all slots.
  ///   - fill: sets every slot once, and to the same values in each call.
  /// - Returns: nil when the texts and blobs are too big for one row.
  @inlinable
  public static func make(
    entity: Int, slotCount: Int, version: Int64, scratch: UnsafeMutableRawBufferPointer,
    fill: (inout PackedRowWriter) -> Void
  ) -> PackedRow? {
    var writer = PackedRowWriter(scratch, slotCount: slotCount)
    fill(&writer)
    if writer.isComplete { return copy(of: writer, entity: entity, version: version) }
    return makeLarge(
      entity: entity, slotCount: slotCount, version: version, tailBytes: writer.tailBytes,
      fill: fill)
  }

  /// Makes a row whose values did not fit into the buffer.
  @usableFromInline @inline(never)
  package static func makeLarge(
    entity: Int, slotCount: Int, version: Int64, tailBytes: Int,
    fill: (inout PackedRowWriter) -> Void
  ) -> PackedRow? {
    guard tailBytes <= tailLimit else { return nil }
    let row = allocate(entity: entity, slotCount: slotCount, tailBytes: tailBytes)
    let size = (nullWords(slotCount) &+ slotCount) &* 8 &+ tailBytes
    let memory = UnsafeMutableRawBufferPointer(start: row.start, count: size)
    var writer = PackedRowWriter(memory, slotCount: slotCount)
    fill(&writer)
    row.setHeader(version: version, hasTypeMismatch: writer.hasTypeMismatch)
    return writer.isComplete ? row : nil
  }

  /// A row of the values in a writer's buffer.
  @usableFromInline
  package static func copy(of writer: borrowing PackedRowWriter, entity: Int, version: Int64)
    -> PackedRow
  {
    let row = allocate(entity: entity, slotCount: writer.slotCount, tailBytes: writer.tailBytes)
    let nullBytes = nullWords(writer.slotCount) &* 8
    row.start.copyMemory(from: writer.base - nullBytes, byteCount: nullBytes &+ writer.end)
    row.setHeader(version: version, hasTypeMismatch: writer.hasTypeMismatch)
    return row
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
  /// A value of the right storage class that is not valid for the attribute's type: a boolean that
  /// is neither 0 nor 1, a text that is not UTF-8, a decimal that is not in Copal's form, and so
  /// on.
  case malformed
  /// The name of the file that has the value, which is not a mistake: see
  /// ``PackedRowValues/fileName(_:_:)``.
  case file

  /// The name of the storage class for messages; "a value" for a malformed one.
  public var storageClassName: String {
    switch self {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .text: "TEXT"
    case .blob: "BLOB"
    case .null: "NULL"
    case .malformed: "a value"
    case .file: "the name of a file"
    }
  }
}

extension PackedRowValues {
  /// What was found at a slot instead of an allowed value; nil when the slot has no type mismatch.
  public static func typeMismatch(_ base: UnsafeRawPointer, _ slot: Int) -> TypeMismatch? {
    guard isNull(base, slot) else { return nil }
    return TypeMismatch(rawValue: UInt8(truncatingIfNeeded: integer(base, slot)))
  }

  /// The name of the file that has the value of a slot, in UTF-8 and not checked; nil when the
  /// value is not in a file. Valid while the row exists.
  public static func fileName(_ base: UnsafeRawPointer, _ slot: Int) -> UnsafeRawBufferPointer? {
    guard typeMismatch(base, slot) == .file else { return nil }
    let word = base.load(fromByteOffset: slot &* 8, as: UInt64.self)
    return UnsafeRawBufferPointer(
      start: base + Int(truncatingIfNeeded: word &>> 8 & 0xffff_ffff),
      count: Int(truncatingIfNeeded: word &>> 40))
  }

  /// The greatest number of bytes of a name for which a row has room.
  public static let longestFileName = 1000
}

extension PackedRow {
  /// The text in a row where the name of a file is expected, which another program may have
  /// written; nil when the value of the slot is not in a file.
  public func fileText(_ slot: Int) -> String? {
    if !hasTypeMismatch { return nil }
    return withExtendedLifetime(self) {
      PackedRowValues.fileName(base, slot).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}
