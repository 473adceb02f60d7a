/// All stored values of one object in a single immutable block of memory.
///
/// Stores pass rows to contexts. An object keeps its row: for its values, for rollback and for
/// conflict detection. Authors of stores make rows with ``PackedRow/pack(_:values:version:)``, or
/// with ``PackedRowWriter`` where speed matters. Layout of the block, in words of eight bytes:
///
///     null bitmap, last word first │ one word a slot │ bytes of texts and blobs
///                                  ^ base
///
/// The word of an integer or real is its value. The word of a text or blob has the offset from
/// `base` in the low 32 bits and the length in the high ones. The word of a null is zero, so that a
/// required attribute without a value reads as zero, false, empty or the reference date. The bitmap
/// is before `base`, so that the word and the bit of a slot have constant offsets in every entity.
///
/// A value that the attribute's type never writes, such as one of another storage class, is null in
/// the bitmap, and its word holds what was found; the row is then `hasTypeMismatch`, and readers
/// take the careful path.
// @unchecked: immutable after `PackedRowWriter` has built it. The writer does not keep it.
public final class PackedRow: @unchecked Sendable {
  // The header and the words are in the tail of the object, so that a row is one allocation.
  private init() {}

  @usableFromInline typealias Buffer = ManagedBufferPointer<PackedRowHeader, UInt64>

  /// A row with memory for its values. All of them must be set.
  @usableFromInline
  static func allocate(entity: Int, slotCount: Int, tailBytes: Int) -> PackedRow {
    let nullWords = nullWords(slotCount)
    let words = nullWords &+ slotCount &+ (tailBytes &+ 7) / 8
    let buffer = Buffer(bufferClass: PackedRow.self, minimumCapacity: words) { _, _ in
      PackedRowHeader(
        version: 0, entity: UInt16(truncatingIfNeeded: entity),
        nullWords: UInt16(truncatingIfNeeded: nullWords))
    }
    return unsafeDowncast(buffer.buffer, to: PackedRow.self)
  }

  /// The number of words of the null bitmap.
  @inlinable
  static func nullWords(_ slotCount: Int) -> Int { (slotCount &+ 63) &>> 6 }

  var header: PackedRowHeader {
    Buffer(unsafeBufferObject: self).header
  }

  @usableFromInline
  func setHeader(version: Int64, hasTypeMismatch: Bool) {
    Buffer(unsafeBufferObject: self).withUnsafeMutablePointerToHeader {
      $0.pointee.version = version
      $0.pointee.hasTypeMismatch = hasTypeMismatch
    }
  }

  /// The start of the block: the null bitmap.
  @usableFromInline var start: UnsafeMutableRawPointer {
    Buffer(unsafeBufferObject: self).withUnsafeMutablePointerToElements {
      UnsafeMutableRawPointer($0)
    }
  }

  /// The greatest size of the texts and blobs of one row in bytes. It is a database's limit for a
  /// row (<https://www.sqlite.org/limits.html>), and within the 32 bits of an offset.
  @usableFromInline static let tailLimit = 2_147_483_647

  /// The version of the row when it was read or written.
  public var version: Int64 { header.version }

  /// The position of the object's entity in the schema. Rows of one root can belong to different
  /// entities.
  public var entity: Int { Int(header.entity) }

  /// Whether at least one stored value is of a type or form that the model does not allow.
  public var hasTypeMismatch: Bool { header.hasTypeMismatch }

  /// The address of the first slot's word, for ``PackedRowValues``. Valid while the row exists.
  ///
  /// The memory of a row does not move, so a program can keep the pointer together with the row.
  public var base: UnsafeRawPointer {
    Buffer(unsafeBufferObject: self).withUnsafeMutablePointers { header, words in
      UnsafeRawPointer(words + Int(header.pointee.nullWords))
    }
  }
}

@usableFromInline
struct PackedRowHeader: Sendable {
  @usableFromInline var version: Int64
  @usableFromInline var entity: UInt16
  @usableFromInline var nullWords: UInt16
  @usableFromInline var hasTypeMismatch: Bool

  @usableFromInline
  init(version: Int64, entity: UInt16, nullWords: UInt16, hasTypeMismatch: Bool = false) {
    self.version = version
    self.entity = entity
    self.nullWords = nullWords
    self.hasTypeMismatch = hasTypeMismatch
  }
}

/// Reads the values of a row from its ``PackedRow/base``.
///
/// Nothing is checked: the slot must be a stored slot of the row's entity and have the storage type
/// that is read, and the row must exist during the call. A number read at a slot with a type
/// mismatch has no meaning. For values of attributes use ``EntityLayout/value(_:_:)``.
public enum PackedRowValues {
  /// Whether the slot has no value that can be read: it is null, or has a type mismatch.
  @inlinable
  public static func isNull(_ base: UnsafeRawPointer, _ slot: Int) -> Bool {
    let word = base.load(fromByteOffset: -8 &* (1 &+ slot &>> 6), as: UInt64.self)
    return word & (1 &<< UInt64(truncatingIfNeeded: slot & 63)) != 0
  }

  /// The number at an integer slot; 0 for a null.
  @inlinable
  public static func integer(_ base: UnsafeRawPointer, _ slot: Int) -> Int64 {
    base.load(fromByteOffset: slot &* 8, as: Int64.self)
  }

  /// The number at a real slot; 0 for a null.
  @inlinable
  public static func real(_ base: UnsafeRawPointer, _ slot: Int) -> Double {
    base.load(fromByteOffset: slot &* 8, as: Double.self)
  }

  /// The bytes at a text or blob slot; empty for a null. Valid while the row exists.
  @inlinable
  public static func bytes(_ base: UnsafeRawPointer, _ slot: Int) -> UnsafeRawBufferPointer {
    let word = base.load(fromByteOffset: slot &* 8, as: UInt64.self)
    return UnsafeRawBufferPointer(
      start: base + Int(truncatingIfNeeded: word & 0xffff_ffff),
      count: Int(truncatingIfNeeded: word &>> 32))
  }

  /// The text at a text slot; empty for a null.
  @inlinable
  public static func text(_ base: UnsafeRawPointer, _ slot: Int) -> String {
    let bytes = bytes(base, slot)
    if bytes.count <= 15 { return shortText(bytes) }
    let start = bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self)
    return String(
      decoding: UnsafeBufferPointer(start: start, count: bytes.count), as: UTF8.self)
  }

  /// A text of up to 15 bytes. A Swift string of this length has no memory on the heap.
  // For such a text, this initializer takes a third fewer instructions than `String(decoding:as:)`;
  // for a longer one it is slower.
  @usableFromInline
  static func shortText(_ bytes: UnsafeRawBufferPointer) -> String {
    String(unsafeUninitializedCapacity: bytes.count) { memory in
      if let source = bytes.baseAddress, let target = memory.baseAddress {
        PackedRowWriter.copy(source, to: UnsafeMutableRawPointer(target), count: bytes.count)
      }
      return bytes.count
    }
  }
}
